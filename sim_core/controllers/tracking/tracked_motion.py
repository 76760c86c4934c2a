"""The reference as a tracking controller reads it: feet, soles and rates at every step, and when each foot lands."""

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Floats, Ints
from ...body.body import Body
from ...dynamics import kinematics
from ...filters import low_pass
from ...reference.reference import Reference
from ...reference.support import heights_over_support
from ...rotations import cross
from ...scene import Scene
from ...world.surface import Surface

SIDES = ("_l", "_r")
_LOWEST_COM_M = 0.3
_LOW_M = 0.01
_LOAD_HZ = 6.0


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
    until_leaving: Floats  # (S, 2) seconds to the end of the stance, 0 in the air, inf where there is none
    since_leaving: Floats  # (S, 2) seconds since the last stance, 0 in contact, inf where there was none
    pendulum: Floats  # (S,) w^2: the ground's force on the feet over mass and height [1/s^2]; 0 where none stands
    load_shares: Floats  # (S, 2) of the feet; both 0 where none stands


def track_motion(body: Body, reference: Reference, scene: Scene) -> TrackedMotion:
    motion = kinematics.motion(body, reference.q, reference.v)
    feet = np.array([body.index("foot" + side) for side in SIDES])
    velocities = motion.linear_velocities[:, feet]
    weightless = reference.needed.force / body.mass
    weightless[:, 2] -= scene.gravity
    down = reference.contacts.feet
    soles = motion.pose.points(body.soles.links, body.soles.local)
    on_feet = down.any(axis=1) & ~_on_others(body, reference)
    surface = scene.surface(np.arange(len(reference)) / reference.rate)
    heights = heights_over_support(body, motion.pose, surface, reference.contacts)
    return TrackedMotion(
        reference=reference,
        feet=feet,
        soles=soles,
        foot_places=motion.pose.origins[:, feet],
        foot_turns=motion.pose.R_world_link[:, feet],
        foot_velocities=velocities,
        foot_spins=motion.angular_velocities[:, feet],
        foot_accelerations=np.gradient(velocities, 1.0 / reference.rate, axis=0),
        com_accelerations=weightless,
        momentum_rates=reference.needed.torque,
        until_landing=_seconds_until(down, reference.rate),
        until_leaving=_seconds_until(~down, reference.rate),
        since_leaving=_seconds_until(down[::-1], reference.rate)[::-1],
        pendulum=np.where(on_feet, _pendulum(body, reference, scene, heights), 0.0),
        load_shares=np.where(on_feet[:, None], _load_shares(body, reference, scene, soles, surface, heights), 0.0),
    )


def _on_others(body: Body, reference: Reference) -> Bools:
    """(S,) whether hands, knees or anything else bears besides the feet."""
    others = np.ones(len(body), dtype=bool)
    others[body.soles.links] = False
    bear: Bools = reference.contacts.links[:, others].any(axis=1)
    return bear


def _pendulum(body: Body, reference: Reference, scene: Scene, heights: Floats) -> Floats:
    force = np.maximum(reference.needed.force @ scene.ground.normal, 0.0)
    stiffness: Floats = force / (body.mass * np.maximum(heights, _LOWEST_COM_M))
    return stiffness


def _load_shares(
    body: Body, reference: Reference, scene: Scene, soles: Floats, surface: Surface, over: Floats
) -> Floats:
    """(S, 2) left and right, by where the zero-moment point lies between the feet; they ramp where labels switch."""
    normal, needed = scene.ground.normal, reference.needed
    force = np.maximum(needed.force @ normal, 0.1 * body.mass * scene.gravity)[:, None]
    pressed = reference.com + (cross(normal, needed.torque) - over[:, None] * needed.force) / force
    heights = surface.distance(soles)
    middles = []
    for mine in (body.soles.left, ~body.soles.left):
        low = np.exp(-(heights[:, mine] - heights[:, mine].min(axis=1, keepdims=True)) / _LOW_M)
        middles.append(np.sum(low[..., None] * soles[:, mine], axis=1) / low.sum(axis=1, keepdims=True))
    across = middles[0] - middles[1]
    across -= (across @ normal)[:, None] * normal
    left = np.sum((pressed - middles[1]) * across, axis=1) / np.maximum(np.sum(across**2, axis=1), 1e-4)
    down = reference.contacts.feet
    left = np.where(down.all(axis=1), np.clip(left, 0.0, 1.0), down[:, 0])
    left = np.clip(low_pass(left, reference.rate, _LOAD_HZ), 0.0, 1.0)
    left = np.where(down.all(axis=1), left, down[:, 0])
    return np.stack([left, 1.0 - left], axis=1)


def _seconds_until(labels: Bools, rate: float) -> Floats:
    """(S, K) until a label is next true, from now on."""
    steps = np.arange(len(labels))[:, None]
    marks = np.where(labels, steps, np.inf)
    following = np.minimum.accumulate(marks[::-1], axis=0)[::-1]
    seconds: Floats = (following - steps) / rate
    return seconds
