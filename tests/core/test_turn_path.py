"""A way that bends: feet that stand stay put, the heading comes to what was asked, bones keep their lengths."""

import numpy as np
import pytest

from sim_core.bake import bake
from sim_core.disturbances import Turn
from sim_core.dynamics.kinematics import pose
from sim_core.errors import SettingsError
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.posing.body_motion import body_positions
from sim_core.reference.turn_path import turn_path
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.scene import Scene
from sim_core.settings import BakeSettings
from tests.clips import person, walking

WALK = walking()
FEET = [WALK.body.index(name) for name in ("foot_l", "foot_r")]
AT_S = 1.0


def _poses(clip):
    return pose(WALK.body, body_positions(clip, WALK.body))


def _headings(clip) -> np.ndarray:
    """(T,) of the hips [rad]."""
    posed = _poses(clip)
    left = posed.origins[:, WALK.body.index("thigh_l")] - posed.origins[:, WALK.body.index("thigh_r")]
    return np.unwrap(np.arctan2(-left[:, 0], left[:, 1]))


@pytest.fixture(scope="module", params=[30.0, -60.0, 90.0])
def bent(request):
    return request.param, turn_path(WALK.clip, WALK.body, Scene(), [Turn(angle_deg=request.param, at_s=AT_S)])


def test_the_heading_comes_to_what_was_asked(bent):
    angle, clip = bent
    turned = np.degrees(_headings(clip) - _headings(WALK.clip))
    assert np.abs(turned[: round(AT_S * clip.fps)]).max() < 1e-6
    assert turned[-1] == pytest.approx(angle, abs=1e-6)
    assert np.abs(np.diff(turned)).max() * clip.fps < 130.0  # [deg/s] softly


def test_the_path_goes_on_in_the_new_direction(bent):
    angle, clip = bent
    before, after = (np.diff(_poses(c).origins[-20:, 0, :2].T).mean(axis=1) for c in (WALK.clip, clip))
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before), rel=1e-3)
    turned = np.degrees(np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after))
    assert turned == pytest.approx(angle, abs=0.5)


def test_feet_that_stand_stay_put(bent):
    _, clip = bent
    before, after = (_poses(c).origins[:, FEET] for c in (WALK.clip, clip))
    for side in range(2):
        stands = np.linalg.norm(np.diff(before[:, side], axis=0), axis=1) < 1e-6
        assert stands.sum() > 0.5 * len(stands)
        assert np.linalg.norm(np.diff(after[:, side], axis=0), axis=1)[stands].max() < 1e-3
    np.testing.assert_allclose(after[..., 2], before[..., 2], atol=2e-3)


def test_bones_keep_their_lengths(bent):
    _, clip = bent
    np.testing.assert_array_equal(clip.positions[:, 1:], WALK.clip.positions[:, 1:])


def test_no_turn_is_the_same_clip():
    assert turn_path(WALK.clip, WALK.body, Scene(), []) is WALK.clip


def test_two_turns_add_up():
    turns = [Turn(angle_deg=30.0, at_s=0.5), Turn(angle_deg=-30.0, at_s=1.5)]
    clip = turn_path(WALK.clip, WALK.body, Scene(), turns)
    assert _headings(clip)[-1] == pytest.approx(_headings(WALK.clip)[-1], abs=1e-6)


def test_a_turn_needs_time():
    with pytest.raises(SettingsError, match=r"turn by 30 degrees begins 0\.20 s before the clip ends; let it begin"):
        turn_path(WALK.clip, WALK.body, Scene(), [Turn(angle_deg=30.0, at_s=2.8)])


def test_who_stands_still_has_no_step_to_turn_with():
    someone = person(frames=120, fps=60.0)
    with pytest.raises(SettingsError, match=r"turn by 30 degrees finds no step to turn with, as no foot lands after 1"):
        turn_path(someone.clip, someone.body, Scene(), [Turn(angle_deg=30.0, at_s=1.0)])


@pytest.mark.skipif(
    not has_captured_samples(), reason="Runs where pybullet is installed: the captured walk lies in its data."
)
def test_a_captured_walk_turns_without_assist():
    settings = BakeSettings(
        engine="mujoco", budget="draft", assist="none", disturbances=(Turn(angle_deg=45.0, at_s=0.6),)
    )
    source = SourceClip(clip=make_sample("walk", 2.5), t_pose_frames=0, guesses=(), notes=())
    result = bake(prepare(source, settings.clip, settings.friction), settings)
    assert result.report.completed
    body = result.performance.body
    facing = []
    for clip in (source.clip, result.clip):
        origins = pose(body, body_positions(clip, body)).origins[-1]
        left = origins[body.index("thigh_l")] - origins[body.index("thigh_r")]
        facing.append(np.degrees(np.arctan2(-left[0], left[1])))
    assert (facing[1] - facing[0] + 180.0) % 360.0 - 180.0 == pytest.approx(45.0, abs=12.0)
