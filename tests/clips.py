"""Small clips that tests share: made people who stand, stride, slide or fly, on skeletons made by code."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.body.build_body import build_body
from sim_core.dynamics.kinematics import pose
from sim_core.motion.clip import Clip
from sim_core.motion.skeleton import Skeleton
from sim_core.posing.body_motion import body_positions
from sim_core.posing.recover_clip import recover_clip
from sim_core.posing.surface import touch
from sim_core.reference.leg_ik import reach
from sim_core.reference.place_ankles import bend_legs
from sim_core.rig.bone_map import map_bones
from sim_core.scene import Ground
from tests.rig_families import Rig, families

PLAIN = "Perception Neuron"  # a rig with plain names, whose bones' frames are the world's
# Families with limbs that do not hang on the segment they belong to: arms on the neck, deforming bones on controls.
HANG_ELSEWHERE = ("Rigify DEF", "Rigify DEF adrift", "3ds Max Biped", "3ds Max Biped, old")
Y_UP_TO_Z_UP = rotations.about_axis(0, np.array(0.5 * np.pi))


class Person(NamedTuple):
    clip: Clip
    body: Body


def standing_clip(skeleton: Skeleton, *, frames: int = 30, fps: float = 30.0, turn: np.ndarray | None = None) -> Clip:
    """The rest pose held still, its root turned first."""
    positions = np.tile(skeleton.offsets, (frames, 1, 1))
    turns = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    if turn is not None:
        positions[:, 0] = rotations.rotate(turn, positions[:, 0])
        turns[:, 0] = rotations.multiply(turn, turns[:, 0])
    return Clip(skeleton=skeleton, fps=fps, positions=positions, rotations=turns)


def family_clip(rig: Rig, *, frames: int = 30, fps: float = 30.0) -> Clip:
    """A rig of a family standing upright, whichever way its file is laid."""
    return standing_clip(rig.skeleton(), frames=frames, fps=fps, turn=Y_UP_TO_Z_UP if rig.lying else None)


def person(*, family: str = PLAIN, frames: int = 30, fps: float = 30.0) -> Person:
    """Someone who stands still in a T-pose, soles exactly on the ground at z = 0, facing -Y."""
    clip = family_clip(families()[family], frames=frames, fps=fps)
    body = body_of(clip)
    lowest = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min()
    return Person(moved(clip, [0.0, 0.0, -lowest]), body)


def plain_clip() -> Clip:
    """A person of 1.7 m who stands still in a T-pose for a second, facing -Y, left is +X."""
    return family_clip(families()[PLAIN])


def body_of(clip: Clip) -> Body:
    return build_body(clip, map_bones(clip.skeleton, clip=clip).bones)


def moved(clip: Clip, path: np.ndarray | list[float]) -> Clip:
    """The whole figure shifted, by one vector or by one a frame."""
    positions = clip.positions.copy()
    positions[:, 0] += path
    return replace(clip, positions=positions)


def turned(clip: Clip, bone: str, vectors: np.ndarray) -> Clip:
    """One bone turned by rotation vectors (T, 3), in its parent's frame."""
    turns = clip.rotations.copy()
    row = clip.skeleton.index(bone)
    turns[:, row] = rotations.multiply(rotations.exp(vectors), turns[:, row])
    return replace(clip, rotations=turns)


def stirred(clip: Clip, seed: int = 0, angle: float = 0.5) -> Clip:
    """Every bone turned at random in every frame, so that nothing is special."""
    rng = np.random.default_rng(seed)
    turns = rotations.exp(rng.normal(0.0, angle, (*clip.rotations.shape[:-1], 3)))
    return replace(clip, rotations=rotations.multiply(clip.rotations, turns))


def scaled(clip: Clip, factor: float) -> Clip:
    """The same motion on a rig of another size."""
    skeleton = replace(
        clip.skeleton, offsets=factor * clip.skeleton.offsets, tip_offsets=factor * clip.skeleton.tip_offsets
    )
    return replace(clip, skeleton=skeleton, positions=factor * clip.positions)


def crouching(*, frames: int = 30, fps: float = 30.0, depth: float | np.ndarray = 0.05) -> Person:
    """Someone who stands on bent knees, so much lower than upright (in each frame) [m], feet flat on the ground."""
    clip, body = person(frames=frames, fps=fps)
    down = np.zeros((frames, 3))
    down[:, 2] = depth
    lowered = moved(clip, -down)
    for side in ("Left", "Right"):
        leg = [clip.skeleton.index(side + name) for name in ("UpLeg", "Leg", "Foot")]
        hip, knee, ankle = np.moveaxis(clip.world().positions[:, leg], 1, 0)
        turns = reach(hip, knee, ankle, ankle + down, np.array([0.0, -1.0, 0.0]))
        for bone, turn in zip(leg, (turns.thigh, turns.shin, rotations.IDENTITY), strict=True):
            # In a plain rig that stands, every bone's rotation in the world is the identity.
            above = lowered.world().rotations[:, clip.skeleton.parents[bone]]
            lowered.rotations[:, bone] = rotations.multiply(rotations.inverse(above), turn)
    return Person(lowered, body)


def drawing_a_foot(
    *, metres: float = 0.3, seconds: float = 0.2, height: float = 0.0, fps: float = 120.0, frames: int = 121
) -> Person:
    """Someone on bent knees who draws the left foot forward, once, at so much above the ground from 0.4 s on."""
    clip, body = crouching(frames=frames, fps=fps, depth=0.08)
    q = body_positions(clip, body)
    share = np.clip((np.arange(frames) / fps - 0.4) / seconds, 0.0, 1.0)
    now = pose(body, q)
    targets = now.origins[:, [body.index(f"foot_{side}") for side in "lr"]].copy()
    targets[:, 0, 1] += metres * (0.5 - share)
    targets[:, 0, 2] += height
    bend_legs(q, body, now, targets, np.ones((frames, 2)))
    return Person(recover_clip(clip, body, q), body)


def jumping(fps: float, *, take_off: float = 2.4) -> Person:
    """A jump with this speed at take-off [m/s]: crouch, push off, fly, land as it began."""
    upright, deepest, gravity = 0.02, 0.27, 9.81
    push_s = 2.0 * (deepest - upright) / take_off
    pushed = np.arange(0.0, push_s, 1.0 / fps)
    before = np.concatenate(
        [
            np.full(int(0.5 * fps), upright),
            upright + (deepest - upright) * 0.5 * (1.0 - np.cos(np.linspace(0.0, np.pi, int(0.5 * fps)))),
            deepest - 0.5 * take_off / push_s * pushed**2,
        ]
    )
    times = np.arange(0.0, 2.0 * take_off / gravity, 1.0 / fps)
    flight = take_off * times - 0.5 * gravity * times**2
    depth = np.concatenate([before, np.full(len(times), upright), before[::-1]])
    clip, body = crouching(frames=len(depth), fps=fps, depth=depth)
    path = np.zeros((len(depth), 3))
    path[len(before) : len(before) + len(times), 2] = flight
    return Person(moved(clip, path), body)


def walking(*, seconds: float = 3.0, fps: float = 60.0, speed: float = 0.7) -> Person:
    """Someone who walks along -Y on bent knees: half-second steps, feet flat, one always on the ground."""
    frames = round(seconds * fps) + 1
    clip, body = crouching(frames=frames, fps=fps, depth=0.06)
    times = np.arange(frames) / fps
    onward = np.array([0.0, -1.0, 0.0])
    walked = moved(clip, speed * times[:, None] * onward)
    stand_s, step_s = 0.6, 1.0
    for side, delay in (("Left", 0.0), ("Right", 0.5)):
        leg = [clip.skeleton.index(side + name) for name in ("UpLeg", "Leg", "Foot")]
        cycles, phase = np.divmod(times + delay, step_s)
        share = np.clip((phase - stand_s) / (step_s - stand_s), 0.0, 1.0)
        eased = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        # The foot is under the body in the middle of its stance.
        along = speed * ((cycles + eased) * step_s - delay + 0.5 * stand_s)
        hip, knee, ankle = np.moveaxis(walked.world().positions[:, leg], 1, 0)
        target = clip.world().positions[:, leg[2]] + along[:, None] * onward
        target[:, 2] += 0.1 * np.sin(np.pi * share) ** 2
        turns = reach(hip, knee, ankle, target, onward)
        before = walked.world().rotations
        for bone, turn in zip(leg, (turns.thigh, turns.shin, rotations.IDENTITY), strict=True):
            above = walked.world().rotations[:, clip.skeleton.parents[bone]]
            wanted = rotations.multiply(turn, before[:, bone])
            walked.rotations[:, bone] = rotations.multiply(rotations.inverse(above), wanted)
    return Person(walked, body)
