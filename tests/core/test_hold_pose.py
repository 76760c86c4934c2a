"""A pose that is held: which frame, for how many, of a body that the whole source tells, and without any motion."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.disturbances import InFrames, Push
from sim_core.dynamics.kinematics import pose
from sim_core.errors import SettingsError
from sim_core.motion.clip import Clip
from sim_core.motion.hold_pose import Hold, held
from sim_core.motion.motion_file import clip_from_bvh
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reference.reference import Reference, build_reference
from sim_core.scene import Ground, Scene
from sim_core.settings import ClipSettings, ReferenceSettings
from tests.bvh_samples import biped
from tests.clips import Person, crouching, moved, person, turned, walking

FRAMES = 40
FPS = 30.0


def _source(clip: Clip | None = None, *, t_pose_frames: int = 0) -> SourceClip:
    clip = walking(seconds=(FRAMES - 1) / FPS, fps=FPS).clip if clip is None else clip
    return SourceClip(clip=clip, t_pose_frames=t_pose_frames, guesses=(), notes=())


def _prepare(source: SourceClip, seconds: float | None = None, **settings: object) -> Performance:
    return prepare(source, ClipSettings(fps=FPS, floor_m=0.0, **settings), 0.8, hold=Hold(seconds))


@pytest.mark.parametrize(("seconds", "asked", "frames"), [(None, 7, 7), (None, 1, 61), (1.0, 7, 31), (0.01, 7, 3)])
def test_how_many_frames(seconds, asked, frames):
    assert Hold(seconds).frames(asked, FPS) == frames


def test_the_first_frame_asked_for_stays_to_the_last():
    source = _source()
    found = _prepare(source, start=11, end=20)
    assert (len(found.asked), found.first_frame, found.still_frames) == (10, 10, 0)
    assert found.asked.fps == FPS
    for row in range(10):
        np.testing.assert_array_equal(found.asked.positions[row], source.clip.positions[10])
        np.testing.assert_array_equal(found.asked.rotations[row], source.clip.rotations[10])


def test_a_t_pose_in_front_stays_and_the_pose_after_it_is_held():
    source = _source(t_pose_frames=5)
    found = _prepare(source, start=3)
    assert (len(found.asked), found.still_frames) == (FRAMES - 2, 3)
    np.testing.assert_array_equal(found.asked.positions[:3], source.clip.positions[2:5])
    np.testing.assert_array_equal(found.motion.positions, np.tile(source.clip.positions[5], (FRAMES - 5, 1, 1)))


def test_seconds_hold_a_pose_for_longer_than_the_clip_is():
    found = _prepare(_source(), 3.0, start=FRAMES)
    assert (len(found.motion), found.motion.duration_s) == (91, 3.0)
    assert found.frame_at(3.0) == FRAMES + 90
    late = InFrames(of=Push(bone="chest", at_s=0.0, for_s=1.0, force=(0.0, 1.0, 0.0)), frame=FRAMES + 30, frames=3)
    assert found.in_seconds(late).at_s == pytest.approx(1.0)


def test_the_body_is_that_of_the_whole_source():
    source = _source()
    tracked = prepare(source, ClipSettings(fps=FPS, floor_m=0.0), 0.8)
    found = _prepare(source, start=18)
    for one, other in zip(found.body.links, tracked.body.links, strict=True):
        np.testing.assert_array_equal(one.joint.lower, other.joint.lower)
        np.testing.assert_array_equal(one.inertia, other.inertia)
    np.testing.assert_array_equal(found.body.soles.local, tracked.body.soles.local)


@pytest.mark.parametrize("frames", [1, 2])
def test_a_clip_too_short_to_move_is_held_for_two_seconds(frames):
    clip = person(frames=frames, fps=FPS).clip
    assert len(_prepare(_source(clip)).asked) == 61
    assert len(_prepare(_source(clip), 0.5).asked) == 16
    assert len(_prepare(_source(clip), start=frames).asked) == 61


def test_what_is_too_short_is_refused_and_told_of_seconds():
    with pytest.raises(SettingsError, match=r"fewer than 3 frames.*or say for how many --seconds to hold the pose\.$"):
        _prepare(_source(), start=FRAMES)
    with pytest.raises(SettingsError, match=r"after the T-pose in front \(40\); ask for more frames\.$"):
        _prepare(_source(t_pose_frames=FRAMES), 1.0)
    with pytest.raises(SettingsError, match="frames 1 to 1"):
        _prepare(_source(person(frames=1, fps=FPS).clip), start=3)


def test_a_document_is_held_with_its_clip():
    """Channels that no clip knows are written from it."""
    loaded = clip_from_bvh(biped(frames=6))
    source = replace(_source(loaded.clip), document=loaded.document, conversion=loaded.conversion)
    found = held(source, 2, 10)
    rows = [0, 1, *[2] * 10]
    np.testing.assert_array_equal(found.document.values, loaded.document.values[rows])
    np.testing.assert_array_equal(found.clip.rotations, loaded.clip.rotations[rows])


def _reference(someone: Person, scene: Scene | None = None, made_for: Ground | None = None) -> Reference:
    settings = ReferenceSettings(still=True)
    return build_reference(
        someone.clip, someone.body, scene or Scene(), settings, rate=500.0, hold_s=0.4, made_for=made_for
    )


def _on_one_leg() -> Person:
    clip, body = crouching(frames=60, fps=60.0, depth=0.1)
    return Person(turned(clip, "LeftLeg", np.tile([0.8, 0.0, 0.0], (60, 1))), body)


def _in_the_air() -> Person:
    clip, body = crouching(frames=60, fps=60.0)
    return Person(moved(clip, [0.0, 0.0, 0.4]), body)


@pytest.mark.parametrize("make", [lambda: crouching(frames=60, fps=60.0), _on_one_leg, _in_the_air])
def test_the_reference_does_not_move(make):
    """Also where nobody could hold the pose."""
    reference = _reference(make())
    assert len(reference) == reference.clip_steps + 200
    assert (reference.q == reference.q[0]).all()
    for moving in (reference.v, reference.a, reference.com_velocity, reference.angular_momentum):
        np.testing.assert_allclose(moving, 0.0, atol=1e-9)
    assert (reference.contacts.feet == reference.contacts.feet[0]).all()


def test_the_reference_stands_over_its_foot():
    someone = _on_one_leg()
    reference = _reference(someone)
    assert reference.contacts.feet[0].tolist() == [False, True]
    soles = pose(someone.body, reference.q[0]).points(someone.body.soles.links, someone.body.soles.local)
    right = soles[~someone.body.soles.left]
    assert (right[:, :2].min(axis=0) < reference.com[0, :2]).all()
    assert (reference.com[0, :2] < right[:, :2].max(axis=0)).all()


def test_the_reference_is_brought_onto_a_slope():
    tilt = np.radians(8.0)
    slope = Ground(normal=np.array([np.sin(tilt), 0.0, np.cos(tilt)]))
    someone = crouching(frames=60, fps=60.0)
    reference = _reference(someone, Scene(ground=slope), made_for=Ground())
    soles = pose(someone.body, reference.q).points(someone.body.soles.links, someone.body.soles.local)
    assert np.abs(slope.distance(soles)).max() < 5e-3
    np.testing.assert_allclose(reference.v, 0.0, atol=1e-9)
