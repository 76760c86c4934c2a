"""Slopes from an angle and a heading, and whether a clip was made for a ground."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.errors import SettingsError
from sim_core.motion.clip import Clip
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reference.terrain import check_slope, sloped_ground, stands_on
from sim_core.scene import Ground, GroundPlane
from sim_core.settings import ClipSettings, GroundSettings
from tests.clips import moved, person

FRAMES = 40
STANDING, BODY = person(frames=FRAMES)  # faces -Y, left is +X
PATH = np.linspace(0.0, 3.0, FRAMES)[:, None]
TO_X = moved(STANDING, PATH * [1.0, 0.0, 0.0] + [5.0, 6.0, 0.0])


@pytest.mark.parametrize(
    ("clip", "heading", "uphill"),
    [
        (TO_X, 0.0, [1, 0, 0]),
        (TO_X, 90.0, [0, 1, 0]),
        (TO_X, -90.0, [0, -1, 0]),
        (STANDING, 0.0, [0, -1, 0]),  # who goes nowhere has the slope in front
    ],
)
@pytest.mark.parametrize("slope", [5.0, -12.0])
def test_uphill_lies_where_the_heading_says(clip, heading, uphill, slope):
    ground = sloped_ground(clip, BODY, 0.3, slope, heading)
    pelvis = clip.world().positions[0, clip.skeleton.index(BODY.links[0].bone)]
    assert ground.height(pelvis) == pytest.approx(0.3)  # the pivot is under the first pelvis
    onward = pelvis + np.array(uphill)
    assert ground.height(onward) - 0.3 == pytest.approx(np.tan(np.radians(slope)))


@pytest.mark.parametrize("normal", [[0, 0, -1], [1, 0, 0.5], [0, 1, 0]])
def test_walls_and_ceilings_are_no_ground(normal):
    with pytest.raises(SettingsError, match=r"tilted by \d+ degrees"):
        check_slope(Ground(normal=np.array(normal, dtype=float)))


def _on(clip: Clip, ground: Ground) -> Clip:
    """The whole figure turned and lifted as one piece, so that its soles lie on the ground."""
    turn = rotations.between_vectors(np.array([0.0, 0.0, 1.0]), ground.normal)
    positions, turns = clip.positions.copy(), clip.rotations.copy()
    positions[:, 0] = ground.point + rotations.rotate(turn, positions[:, 0])
    turns[:, 0] = rotations.multiply(turn, turns[:, 0])
    return replace(clip, positions=positions, rotations=turns)


def test_a_clip_that_was_made_on_a_slope_is_known_by_its_soles():
    floor, slope = Ground(), Ground(normal=np.array([-0.15, 0.0, 1.0]))
    assert stands_on(_on(STANDING, slope), BODY, slope, floor)
    assert not stands_on(STANDING, BODY, slope, floor)
    assert not stands_on(STANDING, BODY, floor, floor)


def _prepare(clip: Clip, ground: GroundSettings, friction: float = 0.8) -> Performance:
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    return prepare(source, ClipSettings(floor_m=0.0, fps=30.0), friction, ground)


def test_nothing_said_leaves_the_clip_on_its_own_floor():
    found = _prepare(STANDING, GroundSettings())
    assert found.made_for is None
    np.testing.assert_array_equal(found.scene.ground.normal, [0, 0, 1])


def test_a_slope_is_not_what_the_clip_was_made_for():
    found = _prepare(TO_X, GroundSettings(slope_deg=5.0))
    assert found.made_for is not None
    np.testing.assert_array_equal(found.made_for.normal, [0, 0, 1])
    assert found.scene.ground.normal[2] == pytest.approx(np.cos(np.radians(5.0)))


def test_a_plane_is_taken_as_it_is_given():
    plane = GroundPlane(point_m=(0.0, 0.0, -0.4), normal=(0.0, 0.2, 2.0))
    found = _prepare(STANDING, GroundSettings(plane=plane))
    assert found.ground_in_own_axes().point_m == plane.point_m
    np.testing.assert_allclose(found.scene.ground.normal, np.array(plane.normal) / np.linalg.norm(plane.normal))
    assert found.made_for is not None
    again = _prepare(_on(STANDING, found.scene.ground), GroundSettings(plane=plane))
    assert again.made_for is None


def test_a_slope_too_steep_for_its_friction_is_said():
    said = [w for w in _prepare(TO_X, GroundSettings(slope_deg=20.0), friction=0.3).warnings if "steeper" in w]
    assert said == ["The ground is steeper than a friction of 0.3 holds; feet will slide."]
    assert not any("steeper" in w for w in _prepare(TO_X, GroundSettings(slope_deg=20.0)).warnings)
