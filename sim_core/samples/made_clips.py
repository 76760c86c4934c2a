"""Samples made by code alone: plain movements on the spot, smooth enough to be performed as they are."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..motion.clip import Clip, world_pose
from ..motion.skeleton import Skeleton
from ..reference.leg_ik import reach
from .figure import ANKLE_HEIGHT, SHIN, STANDING, THIGH, make_figure

FPS = 60.0
_LEFT, _UP, _FORWARD = 0, 1, 2  # axes of every bone; a turn about left by a positive angle leans forward
_FEET_APART = 0.24  # [m]
_HIP_HEIGHT = ANKLE_HEIGHT + THIGH + SHIN - 0.012  # [m] a person never stands on locked knees
_MARCH_STEP_S, _MARCH_HEIGHT = 0.6, 0.1  # [s], [m]
_MARCH_SWING = 0.7  # of a step
_ARM_OUT, _ELBOW = 0.12, 0.25  # [rad] of a relaxed arm


class Angles(NamedTuple):
    """What a movement says of the body above its feet; each (T,), lengths [m], angles [rad]."""

    left: Floats  # of the hips from the middle between the feet
    forward: Floats  # of the hips from the ankles
    down: Floats  # of the hips from standing
    hips_lean: Floats
    chest_lean: Floats
    arms_forward: Floats
    right_arm_up: Floats  # 0 hanging, 1 raised for a wave
    wave: Floats
    left_foot_up: Floats  # [m]
    right_foot_up: Floats


def stand(times: Floats) -> Angles:
    """15 breaths a minute over a sway of a centimetre: Winter 1995, "Human balance and posture control"."""
    breath = np.sin(2.0 * np.pi * 0.25 * times)
    still = _stillness(times)
    return still._replace(
        left=0.008 * np.sin(2.0 * np.pi * 0.3 * times),
        forward=still.forward + 0.005 * np.sin(2.0 * np.pi * 0.2 * times),
        down=0.001 * (1.0 - breath),
        chest_lean=-0.012 * breath,
    )


def squat(times: Floats) -> Angles:
    """Down and up twice, arms out in front; hips go back as the trunk leans, so that balance stays over the feet."""
    depth = _rise(times, 0.3, 0.8) - _rise(times, 1.1, 0.8) + _rise(times, 2.1, 0.8) - _rise(times, 2.9, 0.8)
    still = _stillness(times)
    return still._replace(
        forward=still.forward - 0.17 * depth,
        down=0.34 * depth,
        hips_lean=0.45 * depth,
        chest_lean=0.25 * depth,
        arms_forward=1.2 * depth,
    )


def wave(times: Floats) -> Angles:
    """The right arm goes up, waves four times and comes down."""
    up = _rise(times, 0.2, 0.8) - _rise(times, 2.6, 0.8)
    waving = _rise(times, 0.8, 0.4) - _rise(times, 2.2, 0.4)
    still = _stillness(times)
    return still._replace(
        left=0.012 * up,  # the hips balance the arm
        right_arm_up=up,
        wave=0.35 * waving * np.sin(2.0 * np.pi * 2.0 * (times - 0.8)),
    )


def march(times: Floats) -> Angles:
    """Walks on the spot: feet go straight up and down in turn, and the hips sway just so far that the foot on the
    ground can bear the body: the pressure under a pendulum of their height then stays below that foot."""
    first, last = 1.0, 1.0 + _MARCH_STEP_S * max(np.floor((times[-1] - 2.0) / _MARCH_STEP_S), 0.0)
    steps = (times - first) / _MARCH_STEP_S
    within = (steps % 1.0 - 0.5) / _MARCH_SWING
    inside = (times >= first) & (times < last) & (np.abs(within) < 0.5)
    up = np.where(inside, _MARCH_HEIGHT * np.cos(np.pi * within) ** 4, 0.0)
    swings_left = np.floor(steps) % 2.0 == 0.0
    swaying = _rise(times, first - _MARCH_STEP_S, _MARCH_STEP_S) - _rise(times, last, _MARCH_STEP_S)
    still = _stillness(times)
    return still._replace(
        left=-0.037 * swaying * np.sin(np.pi * steps),
        down=0.01 * swaying,
        left_foot_up=np.where(swings_left, up, 0.0),
        right_foot_up=np.where(swings_left, 0.0, up),
    )


class MadeClip(NamedTuple):
    movement: Callable[[Floats], Angles]
    seconds: float


MADE_CLIPS = {
    "stand": MadeClip(stand, 4.0),
    "squat": MadeClip(squat, 4.0),
    "wave": MadeClip(wave, 3.6),
    "march": MadeClip(march, 6.0),
}


def make_clip(name: str, seconds: float | None = None) -> Clip:
    movement, usual = MADE_CLIPS[name]
    times = np.arange(int(np.floor((seconds or usual) * FPS + 1e-6)) + 1) / FPS
    return _pose(movement(times))


def _stillness(times: Floats) -> Angles:
    zero = np.zeros_like(times)
    still = Angles(*(zero for _ in Angles._fields))
    return still._replace(forward=zero + 0.035)  # the body's weight stands over the middle of the feet


def _rise(times: Floats, start: float, takes: float) -> Floats:
    """From 0 to 1 with the least jerk: Flash and Hogan 1985, "The coordination of arm movements"."""
    u: Floats = np.clip((times - start) / takes, 0.0, 1.0)
    risen: Floats = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    return risen


def _pose(angles: Angles) -> Clip:
    skeleton = make_figure()
    frames = len(angles.left)
    positions = np.tile(skeleton.offsets, (frames, 1, 1))
    turns = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    positions[:, 0] = np.stack([angles.left, -angles.forward, _HIP_HEIGHT - angles.down], axis=-1)
    turns[:, 0] = rotations.multiply(STANDING, rotations.about_axis(_LEFT, angles.hips_lean))
    for name, turn in _upper_body(angles).items():
        turns[:, skeleton.index(name)] = turn
    for side, sign, up in (("Left", 1.0, angles.left_foot_up), ("Right", -1.0, angles.right_foot_up)):
        ankle = np.array([0.5 * sign * _FEET_APART, 0.0, ANKLE_HEIGHT]) + up[:, None] * np.array([0.0, 0.0, 1.0])
        turns = _planted(skeleton, positions, turns, side, ankle)
    return Clip(skeleton=skeleton, fps=FPS, positions=positions, rotations=turns)


def _upper_body(angles: Angles) -> dict[str, Floats]:
    lean = angles.hips_lean + angles.chest_lean
    up = angles.right_arm_up
    # Raised to the side and turned outward, so that the elbow bends upward.
    raised = rotations.from_euler(np.stack([-_ARM_OUT - 1.2 * up, -0.5 * np.pi * up], axis=-1), (_FORWARD, _UP))
    arms_forward = rotations.about_axis(_LEFT, -angles.arms_forward - lean)  # arms hang and reach as the world has it
    bend = rotations.about_axis(_LEFT, np.full_like(up, -_ELBOW))
    wave_bend = rotations.about_axis(_LEFT, -_ELBOW - 1.3 * up - angles.wave)
    return {
        "Chest": rotations.about_axis(_LEFT, angles.chest_lean),
        "Neck": rotations.about_axis(_LEFT, -0.3 * lean),  # the eyes stay ahead
        "Head": rotations.about_axis(_LEFT, -0.3 * lean),
        "LeftArm": rotations.multiply(arms_forward, rotations.about_axis(_FORWARD, np.full_like(up, _ARM_OUT))),
        "RightArm": rotations.multiply(arms_forward, raised),
        "LeftForeArm": bend,
        "RightForeArm": wave_bend,
    }


def _planted(skeleton: Skeleton, positions: Floats, turns: Floats, side: str, ankle: Floats) -> Floats:
    """The turns with one leg bent so that its foot is level at the given ankle, (T, 3)."""
    thigh, shin, foot = (skeleton.index(side + name) for name in ("UpLeg", "Leg", "Foot"))
    turns = turns.copy()
    turns[:, thigh] = rotations.about_axis(_LEFT, np.array(-0.5 * np.pi))  # knees forward: reach keeps their side
    turns[:, shin] = rotations.about_axis(_LEFT, np.array(0.5 * np.pi))
    world = world_pose(skeleton, positions, turns)
    hips, knees, ankles = (world.positions[:, bone] for bone in (thigh, shin, foot))
    leg = reach(hips, knees, ankles, ankle)
    world_thigh = rotations.multiply(leg.thigh, world.rotations[:, thigh])
    world_shin = rotations.multiply(leg.shin, world.rotations[:, shin])
    turns[:, thigh] = rotations.multiply(rotations.inverse(world.rotations[:, 0]), world_thigh)
    turns[:, shin] = rotations.multiply(rotations.inverse(world_thigh), world_shin)
    turns[:, foot] = rotations.multiply(rotations.inverse(world_shin), STANDING)
    return turns
