"""The source made ready: frames, rate, floor and body, as asked or as guessed, and refusals in words."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.disturbances import InFrames, Push
from sim_core.errors import HeftError, RigError, SettingsError
from sim_core.motion.clip import Clip
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare, segment_bones
from sim_core.settings import ClipSettings
from tests.clips import moved, person

FRAMES = 40


def _source(clip: Clip | None = None, *, t_pose_frames: int = 0) -> SourceClip:
    clip = person(frames=FRAMES).clip if clip is None else clip
    return SourceClip(clip=clip, t_pose_frames=t_pose_frames, guesses=(), notes=("A note.",))


def _prepare(source: SourceClip | None = None, **settings: object):
    return prepare(source or _source(), ClipSettings(**settings), 0.7)


def test_all_frames_are_taken_unless_others_are_asked_for():
    found = _prepare()
    assert len(found.asked) == len(found.motion) == FRAMES
    assert (found.first_frame, found.still_frames) == (0, 0)
    assert found.scene.friction == 0.7
    assert "A note." in found.warnings


def test_frames_are_counted_from_one_and_both_ends_are_in():
    found = _prepare(start=11, end=20)
    assert len(found.asked) == 10
    assert found.first_frame == 10
    np.testing.assert_array_equal(found.asked.positions, _source().clip.positions[10:20])


@pytest.mark.parametrize(("start", "still"), [(None, 5), (3, 3), (6, 0), (20, 0)])
def test_a_t_pose_in_front_is_no_motion(start, still):
    found = _prepare(_source(t_pose_frames=5), start=start)
    assert found.still_frames == still
    assert len(found.motion) == len(found.asked) - still


def test_a_t_pose_that_the_person_knows_better_wins():
    assert _prepare(_source(t_pose_frames=5), t_pose_frames=2).still_frames == 2


@pytest.mark.parametrize(("start", "end"), [(0, 10), (1, 41), (50, 60), (-3, None)])
def test_frames_that_are_not_there_are_refused(start, end):
    with pytest.raises(SettingsError, match="frames 1 to 40"):
        _prepare(start=start, end=end)


def test_a_range_that_ends_before_it_starts_is_refused():
    with pytest.raises(SettingsError, match="Frame 5 comes after frame 4"):
        _prepare(start=5, end=4)


def test_too_few_frames_of_motion_are_refused():
    with pytest.raises(SettingsError, match="fewer than 3"):
        _prepare(start=10, end=11)
    with pytest.raises(SettingsError, match="T-pose"):
        _prepare(_source(t_pose_frames=39))


@pytest.mark.parametrize("t_pose_frames", [40, 41, 1000, -1])
def test_a_t_pose_longer_than_the_clip_is_refused(t_pose_frames):
    with pytest.raises(HeftError):
        _prepare(t_pose_frames=t_pose_frames)


@pytest.mark.parametrize("floor", [-0.4, 0.0, 1.2])
def test_the_floor_is_found_under_the_feet_and_said(floor):
    found = _prepare(_source(moved(person(frames=FRAMES).clip, [0.0, 0.0, floor])))
    assert found.scene.ground.point[2] == pytest.approx(floor, abs=1e-6)
    assert [guess.name for guess in found.guesses] == ["floor"]


def test_a_floor_that_is_given_is_not_guessed():
    found = _prepare(floor_m=-0.25)
    assert found.scene.ground.point[2] == -0.25
    assert found.guesses == ()


def test_height_and_mass_are_the_persons_own_where_given():
    found = _prepare(height_m=1.9, mass_kg=95.0)
    assert found.body.height == 1.9
    assert found.body.mass == pytest.approx(95.0)


def test_a_bone_that_the_person_chose_is_used():
    clip = person(frames=FRAMES).clip
    found = _prepare(bones=(("chest", "Spine1"),))
    assert segment_bones(found)["chest"] == "Spine1"
    assert clip.skeleton.names[found.bone_map.bones["chest"]] == "Spine1"
    with pytest.raises(RigError, match="Nearest"):
        _prepare(bones=(("chest", "Spin1"),))


def test_a_rig_without_position_channels_is_refused():
    clip = person(frames=FRAMES).clip
    fixed = replace(clip.skeleton, translates=np.zeros(len(clip.skeleton), dtype=bool))
    with pytest.raises(RigError, match="position channels"):
        _prepare(_source(replace(clip, skeleton=fixed)))


@pytest.mark.parametrize("fps", [24.0, 120.0])
def test_a_push_in_frames_comes_at_its_frame_whatever_the_rate_is(fps):
    clip = replace(person(frames=FRAMES).clip, fps=fps)
    found = _prepare(_source(clip, t_pose_frames=5), start=3, fps=fps)
    any_time = Push(bone="chest", at_s=0.0, for_s=1.0, force=(0.0, 150.0, 0.0))
    push = InFrames(of=any_time, frame=18, frames=6)
    in_seconds = found.in_seconds(push)
    assert in_seconds == Push(bone="chest", at_s=12 / fps, for_s=6 / fps, force=(0.0, 150.0, 0.0))
    assert found.frame_at(in_seconds.at_s) == push.frame
    for frame, frames in ((5, 6), (FRAMES + 1, 6), (18, 0)):
        with pytest.raises(SettingsError, match=f"and frames 6 to {FRAMES} are simulated"):
            found.in_seconds(replace(push, frame=frame, frames=frames))
