"""SIMBICON's step by a virtual force on the swinging foot (eq. 16), turned into torques of that leg alone."""

import numpy as np

from ...arrays import Floats
from ...body.body import Body
from ...rig.segments import LEG

_SIDES = "lr"


class SwingLeg:
    """The leg's own Jacobian has its root at the pelvis."""

    def __init__(self, body: Body) -> None:
        self._legs = np.zeros((2, body.nv), dtype=bool)
        for row, side in enumerate(_SIDES):
            for part in LEG:
                if f"{part}_{side}" in body.names:
                    self._legs[row, body.v_slice[f"{part}_{side}"]] = True

    def torques(self, side: int, J: Floats, force: Floats) -> Floats:
        """(nv,) for the Jacobian (3, nv) of the foot on the whole body."""
        torques: Floats = np.where(self._legs[side], J.T @ force, 0.0)
        return torques
