"""How the weight of who rolls is carried: as in the reference, but for what bobs with every corner of its flesh.

A weight that is asked to fall from the shoulders and to rise over the seat, as a body of straight pieces does, leaves
the ground and hits it. What a spring alone asks for lags behind: by 27 cm, at 36/s^2, where the weight is to fall
freely. So accelerations are asked for as well.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...arrays import Floats
from ...reference.reference import Reference

_BOBS_S = 0.1  # the spread of a Gauss filter: a corner of the trunk is passed in about three of these


class WeightPath(NamedTuple):
    """One row a step."""

    places: Floats  # (S, 3) of the centre of mass
    velocities: Floats  # (S, 3)
    accelerations: Floats  # (S, 3)
    moments: Floats  # (S, 3) that turn the body about it [N m]
    joints: Floats  # (S, nv) accelerations


def weight_path(reference: Reference, *, is_level: bool, climbs: bool) -> WeightPath:
    """Outside of spans that are led, and down slopes, for which no accelerations are planned, the reference's own: what
    is lacking is left to springs. Up slopes none turn the body, whose moments are those of level ground."""

    def even(values: Floats) -> Floats:
        smooth: Floats = gaussian_filter1d(values, _BOBS_S * reference.rate, axis=0, mode="nearest")
        return smooth

    rows = np.arange(len(reference.com))[:, None]
    led = np.zeros(rows.shape, dtype=bool)
    for span in reference.rolls:
        led |= (is_level or climbs) & span.is_led & (rows >= span.first) & (rows <= span.last)
    velocities = even(reference.com_velocity)
    return WeightPath(
        places=np.where(led, even(reference.com), reference.com),
        velocities=np.where(led, velocities, reference.com_velocity),
        accelerations=led * np.gradient(velocities, 1.0 / reference.rate, axis=0),
        moments=(led & is_level) * even(reference.needed.torque),
        joints=led * reference.a,
    )
