"""Samples made by code: planted feet, knees that bend forward, balance over the soles, nothing jerky."""

import numpy as np
import pytest

from sim_core.body.build_body import build_body
from sim_core.dynamics.kinematics import pose
from sim_core.motion.clip import Clip
from sim_core.posing.body_motion import body_positions
from sim_core.rig.bone_map import map_bones
from sim_core.samples.made_clips import MADE_CLIPS, make_clip

NAMES = sorted(MADE_CLIPS)
ON_BOTH_FEET = [name for name in NAMES if name != "march"]
LEFT, BACK, UP = 0, 1, 2  # world axes of a figure that faces -Y


def _path(clip: Clip, bone: str) -> np.ndarray:
    return clip.world().positions[:, clip.skeleton.index(bone)]


@pytest.mark.parametrize("name", ON_BOTH_FEET)
def test_feet_stay_exactly_where_they_stand(name):
    clip = make_clip(name)
    body = build_body(clip, map_bones(clip.skeleton, clip=clip).bones)
    soles = pose(body, body_positions(clip, body)).points(body.soles.links, body.soles.local)
    np.testing.assert_allclose(soles, np.broadcast_to(soles[0], soles.shape), atol=1e-6)
    assert np.abs(soles[..., UP]).max() < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_knees_bend_forward_and_left_is_left(name):
    clip = make_clip(name)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        hip, knee, ankle = (_path(clip, side + bone) for bone in ("UpLeg", "Leg", "Foot"))
        middle = ankle + (hip - ankle) * ((knee - ankle)[:, UP] / (hip - ankle)[:, UP])[:, None]
        assert np.all((knee - middle)[:, BACK] < 0.0)
        assert np.all(sign * ankle[:, LEFT] > 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_weight_stays_over_the_feet(name):
    clip = make_clip(name)
    body = build_body(clip, map_bones(clip.skeleton, clip=clip).bones)
    posed = pose(body, body_positions(clip, body))
    soles = posed.points(body.soles.links, body.soles.local)[..., :UP]
    margin = np.minimum(posed.com[:, :UP] - soles.min(axis=1), soles.max(axis=1) - posed.com[:, :UP])
    assert margin.min() > 0.06  # [m]


@pytest.mark.parametrize("name", NAMES)
def test_the_motion_is_smooth(name):
    clip = make_clip(name)
    acceleration = np.diff(clip.world().positions, n=2, axis=0) * clip.fps**2
    assert np.linalg.norm(acceleration, axis=-1).max() < 25.0  # [m/s^2], a waving hand
    head = acceleration[:, clip.skeleton.index("Head")]
    assert np.linalg.norm(head, axis=-1).max() < 6.0


def test_a_squat_goes_down_and_up_twice():
    height = _path(make_clip("squat"), "Hips")[:, UP]
    down = height < height.max() - 0.3
    assert np.count_nonzero(np.diff(down.astype(int)) == 1) == 2
    assert height[0] == pytest.approx(height[-1])


def test_a_wave_raises_the_right_hand():
    clip = make_clip("wave")
    left, right = (_path(clip, f"{side}ForeArm")[:, UP] for side in ("Left", "Right"))
    assert np.ptp(left) < 0.01
    assert np.ptp(right) > 0.2


def test_a_march_lifts_its_feet_in_turn_and_puts_them_where_they_were():
    clip = make_clip("march")
    feet = np.stack([_path(clip, f"{side}Foot") for side in ("Left", "Right")], axis=1)
    up = feet[..., UP] - feet[0, :, UP] > 1e-6
    assert not np.any(up.all(axis=1))
    starts = np.argwhere(np.diff(up.astype(int), axis=0) == 1)
    np.testing.assert_array_equal(starts[:, 1] % 2, np.arange(len(starts)) % 2)
    assert len(starts) == 6
    assert not up[-30:].any()
    np.testing.assert_allclose(feet[..., :UP], np.broadcast_to(feet[0, :, :UP], feet[..., :UP].shape), atol=1e-6)


def test_a_made_clip_lasts_as_long_as_asked():
    assert make_clip("stand", 2.5).duration_s == pytest.approx(2.5)
    assert make_clip("squat").duration_s == pytest.approx(4.0)
