"""The reference as a tracking controller reads it: feet, soles and rates at every step, and when each foot lands."""

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Floats, Ints
from ...body.body import Body
from ...constants import GRAVITY
from ...dynamics import kinematics
from ...reference.reference import Reference

SIDES = ("_l", "_r")


@dataclass(frozen=True, kw_only=True, eq=False)
class TrackedMotion:
    """One row a step. Feet are left, right; a foot is the link that holds the ankle."""

    reference: Reference
    feet: Ints  # (2,) links
    soles: Floats  # (S, P, 3)
    foot_places: Floats  # (S, 2, 3) of the ankles
    foot_turns: Floats  # (S, 2, 3, 3)
    foot_velocities: Floats  # (S, 2, 3)
    foot_spins: Floats  # (S, 2, 3) angular velocities
    foot_accelerations: Floats  # (S, 2, 3)
    com_accelerations: Floats  # (S, 3)
    momentum_rates: Floats  # (S, 3) of the angular momentum
    until_landing: Floats  # (S, 2) seconds to the next touchdown, 0 in contact, inf where there is none


def track_motion(body: Body, reference: Reference, gravity: float = GRAVITY) -> TrackedMotion:
    motion = kinematics.motion(body, reference.q, reference.v)
    feet = np.array([body.index("foot" + side) for side in SIDES])
    velocities = motion.linear_velocities[:, feet]
    weightless = reference.needed.force / body.mass
    weightless[:, 2] -= gravity
    down = reference.contacts.feet
    return TrackedMotion(
        reference=reference,
        feet=feet,
        soles=motion.pose.points(body.soles.links, body.soles.local),
        foot_places=motion.pose.origins[:, feet],
        foot_turns=motion.pose.R_world_link[:, feet],
        foot_velocities=velocities,
        foot_spins=motion.angular_velocities[:, feet],
        foot_accelerations=np.gradient(velocities, 1.0 / reference.rate, axis=0),
        com_accelerations=weightless,
        momentum_rates=reference.needed.torque,
        until_landing=_seconds_until(down, reference.rate),
    )


def _seconds_until(labels: Bools, rate: float) -> Floats:
    """(S, K) until a label is next true, from now on."""
    steps = np.arange(len(labels))[:, None]
    marks = np.where(labels, steps, np.inf)
    following = np.minimum.accumulate(marks[::-1], axis=0)[::-1]
    seconds: Floats = (following - steps) / rate
    return seconds
