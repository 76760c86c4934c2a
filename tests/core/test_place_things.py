"""Objects of a scene file as things of the scene: shapes, places, axes, ways and masses."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.errors import SettingsError
from sim_core.motion.clip import Clip
from sim_core.motion.motion_file import UnitsAndAxes
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.scene_file.scene_objects import (
    BallShape,
    BoxShape,
    HeightsShape,
    MeshShape,
    OnPath,
    PosesInFrames,
    SceneObject,
    Shake,
    Slide,
    StairsShape,
)
from sim_core.settings import ClipSettings, GroundSettings
from tests.clips import moved, person
from tests.shapes import extruded

FRAMES = 40
FPS = 30.0
STANDING, BODY = person(frames=FRAMES)  # faces -Y
PATH = np.linspace(0.0, 3.0, FRAMES)[:, None]
TO_Y = moved(STANDING, PATH * [0.0, 1.0, 0.0] + [5.0, 6.0, 0.0])
Y_UP = UnitsAndAxes(metres_per_unit=0.01, up="y", joint_positions="replaced")
AWAY = (50.0, 0.0, 0.0)
CUBE = MeshShape(
    vertices=np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float),
    triangles=np.array(
        [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]
    ),
)  # fmt: skip


def _box(**told: object) -> SceneObject:
    return SceneObject(name="Box", shape=BoxShape(size=(2.0, 0.6, 0.4)), **({"position": AWAY} | told))


def _staged(*objects: SceneObject, clip: Clip = STANDING, y_up: bool = False, **told: object) -> Performance:
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=(), conversion=Y_UP if y_up else None)
    settings = ClipSettings(floor_m=0.0, fps=FPS, **told)
    return prepare(source, settings, 0.8, GroundSettings(objects=objects))


def _height(found: Performance, x: float, y: float, time: float = 0.0) -> float:
    return float(found.scene.surface(time).height(np.array([x, y, 50.0])))


def test_a_box_is_where_the_file_puts_it():
    found = _staged(_box())
    assert _height(found, 50.9, 0.25) == pytest.approx(0.2)
    assert _height(found, 51.1, 0.25) == 0.0
    assert found.made_for is found.scene.ground
    assert found.made_for is not None


def test_in_a_clip_with_y_up_so_are_its_objects():
    found = _staged(_box(position=(50.0, 1.0, 3.0)), y_up=True)  # 0.6 high, 0.4 wide
    assert _height(found, 50.9, -3.15) == pytest.approx(1.3)
    assert _height(found, 50.9, -3.25) == 0.0
    about_up = (np.cos(np.pi / 4), 0.0, np.sin(np.pi / 4), 0.0)
    for told in ({"rotation": about_up}, {"heading_deg": 90.0}):
        turned = _staged(_box(position=(50.0, 1.0, 3.0), **told), y_up=True)
        assert _height(turned, 50.15, -3.9) == pytest.approx(1.3)
        assert _height(turned, 50.25, -3.0) == 0.0


def test_stairs_go_up_along_x_and_down_again():
    stairs = StairsShape(steps=3, rise=0.2, run=0.3, width=1.0, top=1.0, down=2)
    found = _staged(SceneObject(name="Stairs", shape=stairs, position=AWAY))
    heights = [_height(found, 50.0 + x, 0.3) for x in (-0.1, 0.1, 0.4, 0.7, 1.5, 1.7, 2.0, 2.3)]
    np.testing.assert_allclose(heights, [0.0, 0.2, 0.4, 0.6, 0.6, 0.4, 0.2, 0.0])


def test_on_the_path_things_are_ahead_and_to_the_left_of_the_first_pelvis():
    box = replace(_box(position=(0.0, 0.0, 0.0)), on_path=OnPath(ahead=2.5, aside=0.5))
    found = _staged(box, clip=TO_Y)
    pelvis = TO_Y.world().positions[0, TO_Y.skeleton.index(BODY.links[0].bone)]
    thing = found.scene.things[0]
    np.testing.assert_allclose(thing.position, [pelvis[0] - 0.5, pelvis[1] + 2.5, 0.2], atol=1e-9)
    np.testing.assert_allclose(rotations.rotate(thing.turn, np.array([1.0, 0.0, 0.0])), [0, 1, 0], atol=1e-9)
    thrown = replace(box, mass=2.0, velocity=(1.0, 0.0, 0.0))
    np.testing.assert_allclose(_staged(thrown, clip=TO_Y).scene.things[0].loose.velocity, [0, 1, 0], atol=1e-9)


def test_poses_are_given_for_frames_as_the_person_counts_them():
    way = np.linspace(0.0, 1.0, 11)[:, None] * [0.0, 0.0, 1.0] + AWAY
    moves = PosesInFrames(frame=107, positions=way, rotations=None)
    found = _staged(_box(moves=moves), first_number=100, start=104)
    assert _height(found, 50.0, 0.0, 0.0) == pytest.approx(0.2)
    assert _height(found, 50.0, 0.0, 3 / FPS) == pytest.approx(0.2)
    assert _height(found, 50.0, 0.0, 8 / FPS) == pytest.approx(0.7, abs=0.01)
    assert _height(found, 50.0, 0.0, 99.0) == pytest.approx(1.2)


def test_shakes_and_slides_are_eased_in_and_add_up():
    moves = (Slide(along=(0.0, 0.0, 2.0), metres=0.3, hertz=0.5), Shake(axis=(1.0, 0.0, 0.0), degrees=10.0, hertz=1.0))
    track = _staged(_box(moves=moves)).scene.things[0].moves
    at = track.poses(np.array([0.0, 0.5, 1.25]))
    np.testing.assert_allclose(at.positions[:, 2], 0.3 * np.sin(np.pi * np.array([0.0, 0.5, 1.25])), atol=1e-6)
    angles = np.degrees(rotations.log(at.turns))[:, 0]
    np.testing.assert_allclose(angles, [0.0, 0.0, 10.0], atol=1e-3)
    np.testing.assert_allclose(track.velocities(np.array(0.0), np.array([AWAY])), 0.0, atol=1e-2)


def test_a_mass_makes_it_loose_and_a_belt_runs_along_its_own_axes():
    ball = SceneObject(name="Ball", shape=BallShape(radius=0.2), position=AWAY, mass=3.0, velocity=(0.0, 1.0, 2.0))
    belt = _box(belt=(0.0, 1.0, 0.0), heading_deg=90.0, friction=0.5)
    found = _staged(ball, belt, y_up=True).scene.things
    assert found[0].loose.mass == 3.0
    np.testing.assert_allclose(found[0].loose.velocity, [0.0, -2.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(found[1].belt, [0.0, 0.0, 1.0], atol=1e-9)
    assert found[1].friction == 0.5


@pytest.mark.parametrize("heading", [0.0, 30.0])
def test_heights_turn_with_their_heading(heading):
    x, y = np.meshgrid(np.arange(30), np.arange(20), indexing="ij")
    shape = HeightsShape(cell=0.1, corner=(-1.0, 0.5), heights=0.02 * x + 0.01 * y)
    found = _staged(SceneObject(name="Hill", shape=shape, heading_deg=heading, position=(0.0, 3.0, 0.0)))
    spot = rotations.rotate(rotations.about_axis(2, np.radians(heading)), np.array([0.5, 1.5, 0.0]))
    assert _height(found, spot[0], spot[1] + 3.0) == pytest.approx(0.02 * 15 + 0.01 * 10, abs=1e-6)


@pytest.mark.parametrize("moves", [(), (Slide(along=(1.0, 0.0, 0.0), metres=0.1, hertz=1.0),)])
@pytest.mark.parametrize(("y_up", "y", "height"), [(False, 0.0, np.sqrt(2.0)), (True, -np.sqrt(0.5), np.sqrt(0.5))])
def test_a_mesh_stands_as_it_is_turned(moves, y_up, y, height):
    on_edge = rotations.about_axis(0, np.array(np.pi / 4))
    cube = SceneObject(name="Cube", shape=CUBE, position=AWAY, rotation=tuple(on_edge), moves=moves)
    found = _staged(cube, y_up=y_up)
    assert _height(found, 50.5, y) == pytest.approx(height)
    assert found.scene.things[0].solids[0].half_extents == pytest.approx(np.full(3, 0.5))


def test_an_open_mesh_is_said_to_be_solid_below():
    sheet = MeshShape(vertices=CUBE.vertices, triangles=CUBE.triangles[:2])
    top = MeshShape(vertices=CUBE.vertices, triangles=CUBE.triangles[-2:])
    found = _staged(SceneObject(name="Top", shape=top, position=AWAY))
    assert "'Top' is open; it is taken as solid below its faces." in found.warnings
    assert _height(found, 50.5, 0.5) == pytest.approx(1.0)
    with pytest.raises(SettingsError, match="'Sheet' is a mesh without volume"):
        _staged(SceneObject(name="Sheet", shape=sheet, position=AWAY))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"mass": 3.0}, "'L' is loose and not convex; its convex hull is used in its place."),
        (
            {"moves": (Slide(along=(1.0, 0.0, 0.0), metres=0.1, hertz=1.0),)},
            "'L' is moving and not convex; 2 convex pieces are used in its place.",
        ),
        ({}, None),
    ],
)
def test_what_is_made_simpler_is_said(told, said):
    profile = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)]
    mesh = extruded(profile, 1.0)
    shape = MeshShape(vertices=mesh.vertices, triangles=mesh.triangles)
    found = _staged(SceneObject(name="L", shape=shape, position=AWAY, **told))
    assert [warning for warning in found.warnings if "'L'" in warning] == ([said] if said else [])


def test_a_terrain_that_is_elsewhere_is_left_out():
    x, y = np.meshgrid(np.arange(60), np.arange(60), indexing="ij")
    shape = HeightsShape(cell=0.1, corner=(0.0, 0.0), heights=np.sin(x) + np.cos(y))
    hill = SceneObject(name="Hill", shape=shape, position=AWAY, heading_deg=10.0)
    found = _staged(hill)
    assert found.scene.things == ()
    assert "'Hill' is nowhere near the clip's path, and is left out." in found.warnings


def test_a_character_that_starts_inside_something_is_refused():
    with pytest.raises(SettingsError, match=r"The character starts inside 'Box', '.*' \d+ cm deep; move the object"):
        _staged(_box(position=(0.0, 0.0, 1.0)))
    step = SceneObject(name="Step", shape=BoxShape(size=(1.0, 1.0, 0.4)))  # 20 cm high: feet are brought onto it
    assert len(_staged(step).scene.things) == 1


def test_what_is_steeper_than_friction_holds_is_said():
    ramp = _box(rotation=tuple(rotations.about_axis(1, np.radians(30.0))), friction=0.4)
    said = [w for w in _staged(ramp).warnings if "steeper" in w]
    assert said == ["'Box' is steeper than a friction of 0.4 holds, by its 30 degrees; feet will slide."]
    assert not any("steeper" in w for w in _staged(replace(ramp, friction=0.7)).warnings)


def test_without_a_ground_the_plane_is_far_below():
    source = SourceClip(clip=STANDING, t_pose_frames=0, guesses=(), notes=())
    found = prepare(source, ClipSettings(floor_m=0.5, fps=FPS), 0.8, GroundSettings(bottomless=True, gravity=3.7))
    assert found.scene.ground.point[2] == -99.5
    assert found.made_for.point[2] == 0.5
    assert found.scene.gravity == 3.7
