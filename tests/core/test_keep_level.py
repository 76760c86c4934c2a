"""Hands that hold a cup: level in the reference, level in the result, and otherwise as the clip has them."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import bake
from sim_core.disturbances import KeepLevel, Push
from sim_core.dynamics.kinematics import pose
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.posing.body_motion import body_positions
from sim_core.reference.keep_level import keep_level, level_of, tilts
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings
from tests.clips import person, turned

FPS, FRAMES = 60.0, 121
_, BODY = PERSON = person(frames=FRAMES, fps=FPS)
TIMES = np.arange(FRAMES) / FPS


def _swinging() -> np.ndarray:
    """(T, nq) of arms that swing and turn, by up to 40 degrees."""
    swing = 0.7 * np.sin(2.0 * np.pi * TIMES)[:, None]
    clip = turned(PERSON.clip, "RightArm", swing * [0.3, 0.2, 0.9])
    clip = turned(clip, "RightForeArm", swing * [0.5, 0.6, 0.0])
    return body_positions(turned(clip, "Spine", 0.2 * swing * [1.0, 1.0, 0.5]), BODY)


Q = _swinging()


def _tilts_deg(q: np.ndarray, level) -> np.ndarray:
    return np.degrees(tilts(pose(BODY, q).R_world_link[:, level.link], level.up))


@pytest.mark.parametrize("bone", ["hand_r", "forearm_r", "head"])
def test_it_is_level_and_only_what_must_turns(bone):
    level = level_of(KeepLevel(bone=bone), BODY, Q, FPS)
    levelled = keep_level(Q, BODY, [level])
    assert _tilts_deg(Q, level).max() > 10.0 or bone == "head"
    assert _tilts_deg(levelled, level).max() < 1e-3
    turns = {
        link.name
        for link in BODY.links
        if not np.allclose(Q[:, BODY.q_slice[link.name]], levelled[:, BODY.q_slice[link.name]])
    }
    assert (
        turns
        <= {
            "hand_r": {"forearm_r", "hand_r"},
            "forearm_r": {"upper_arm_r", "forearm_r"},
            "head": {"head"},
        }[bone]
    )
    before, after = (pose(BODY, q) for q in (Q, levelled))
    link = BODY.index(bone)
    np.testing.assert_allclose(after.origins[:, link], before.origins[:, link], atol=1e-9)  # it stays where it was


def test_the_forearm_turns_for_the_hand():
    level = level_of(KeepLevel(bone="hand_r"), BODY, Q, FPS)
    levelled = keep_level(Q, BODY, [level])
    bend = np.linalg.norm(
        rotations.log(levelled[:, BODY.q_slice["hand_r"]]), axis=1
    )  # the clip's own wrist is straight
    tilt = tilts(pose(BODY, Q).R_world_link[:, level.link], level.up)
    assert bend.max() < 0.9 * tilt.max()


def test_within_its_time_and_softly_into_it():
    level = level_of(KeepLevel(bone="hand_r", at_s=0.6, for_s=0.8), BODY, Q, FPS)
    levelled = keep_level(Q, BODY, [level])
    inside = (TIMES >= 0.6) & (TIMES <= 1.4)
    assert _tilts_deg(levelled, level)[inside].max() < 1e-3
    outside = (TIMES < 0.3) | (TIMES > 1.7)
    np.testing.assert_allclose(levelled[outside], Q[outside], atol=1e-12)
    assert np.abs(np.diff(levelled, 2, axis=0)).max() < 0.03


def _waved(*more: object) -> object:
    asked = KeepLevel(bone="hand_l")
    settings = BakeSettings(engine="mujoco", budget="draft", assist="none", disturbances=(asked, *more))
    source = SourceClip(clip=make_sample("squat", 1.4), t_pose_frames=0, guesses=(), notes=())
    return bake(prepare(source, settings.clip, settings.friction), settings).report


def test_a_cup_is_carried_through_a_squat_and_a_push():
    report = _waved(Push(bone="chest", at_s=0.3, for_s=0.2, force=(0.0, 60.0, 0.0)))
    assert report.completed
    (found,) = report.keep_level
    assert found.bone == "forearm_l"  # this figure has no hands
    assert found.before_worst_deg > 20.0
    assert found.worst_deg < 5.0
