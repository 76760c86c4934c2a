"""One moment of the reference, as a controller is to follow it: the clip's own, or what a reaction makes of it."""

from typing import NamedTuple

from ...arrays import Bools, Floats
from .tracked_motion import TrackedMotion


class Row(NamedTuple):
    """Feet are left, right; see TrackedMotion."""

    q: Floats  # (nq,)
    v: Floats  # (nv,)
    a: Floats  # (nv,)
    com: Floats  # (3,)
    com_velocity: Floats  # (3,)
    com_acceleration: Floats  # (3,)
    angular_momentum: Floats  # (3,) about the centre of mass
    momentum_rate: Floats  # (3,) of it
    down: Bools  # (2,) which feet stand
    soles: Floats  # (P, 3)
    foot_places: Floats  # (2, 3) of the ankles
    foot_turns: Floats  # (2, 3, 3)
    foot_velocities: Floats  # (2, 3)
    foot_spins: Floats  # (2, 3)
    foot_accelerations: Floats  # (2, 3)
    until_landing: Floats  # (2,) [s]
    until_leaving: Floats  # (2,) [s]
    since_leaving: Floats  # (2,) [s]


def row_at(motion: TrackedMotion, step: int) -> Row:
    reference = motion.reference
    return Row(
        q=reference.q[step],
        v=reference.v[step],
        a=reference.a[step],
        com=reference.com[step],
        com_velocity=reference.com_velocity[step],
        com_acceleration=motion.com_accelerations[step],
        angular_momentum=reference.angular_momentum[step],
        momentum_rate=motion.momentum_rates[step],
        down=reference.contacts.feet[step],
        soles=motion.soles[step],
        foot_places=motion.foot_places[step],
        foot_turns=motion.foot_turns[step],
        foot_velocities=motion.foot_velocities[step],
        foot_spins=motion.foot_spins[step],
        foot_accelerations=motion.foot_accelerations[step],
        until_landing=motion.until_landing[step],
        until_leaving=motion.until_leaving[step],
        since_leaving=motion.since_leaving[step],
    )
