"""The principal frame of a link or a loose thing: at its centre of mass, along its principal axes of inertia.

Engines compute in it. Tensors are diagonalised here, to the last digit, because MuJoCo's own method stops at
1e-7, and because Bullet writes ball joints along these axes.
"""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats


class PrincipalFrame(NamedTuple):
    moments: Floats  # (3,) [kg m^2]
    rotation: Floats  # (4,) of the principal axes in the link's or thing's frame


def principal_frame(inertia: Floats) -> PrincipalFrame:
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    return PrincipalFrame(moments, rotations.from_matrix(axes))
