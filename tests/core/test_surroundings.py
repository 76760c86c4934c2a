"""What a clip was captured on, found by its feet: on people made to walk on something, and on motion capture."""

import json

import numpy as np
import pytest

from sim_core.bake import read_performance
from sim_core.motion.motion_file import UnitsAndAxes
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare, proposed_scene
from sim_core.scene_file.read_scene import read_scene
from sim_core.scene_file.scene_objects import BoxShape, MeshShape
from sim_core.scene_file.write_scene import scene_bytes
from sim_core.settings import BakeSettings, ClipSettings, GroundSettings
from tests.bvh_samples import biped_text
from tests.clips import Person
from tests.command_line import call
from tests.mocap import MOCAP, needs_mocap
from tests.walkers import FPS, walker

Y_UP = UnitsAndAxes(metres_per_unit=0.01, up="y", joint_positions="replaced")
FLAT = [(0.4 * k, 0.0) for k in range(-1, 8)]
STAIRS = [(-0.3, 0.0), (0.0, 0.0), (0.3, 0.15), (0.6, 0.3), (0.9, 0.45), (1.2, 0.45), (1.5, 0.45)]
BLOCK = [(-0.4, 0.0), (0.0, 0.0), (0.4, 0.3), (0.8, 0.0), (1.2, 0.0), (1.6, 0.0)]
SLOPE = np.tan(np.radians(8.0))
RAMP = [(-0.4, 0.0), (0.0, 0.0), *((x, 0.15 + SLOPE * (x - 0.4)) for x in (0.4, 0.8, 1.2, 1.6, 2.0, 2.4))]


def _prepared(made: Person, *, y_up: bool = False, **ground: object) -> Performance:
    conversion = Y_UP if y_up else None
    source = SourceClip(clip=made.clip, t_pose_frames=0, guesses=(), notes=(), conversion=conversion)
    return prepare(source, ClipSettings(floor_m=0.0, fps=FPS), 0.8, GroundSettings(**ground))


def _surface_error(found: Performance, footholds: list[tuple[float, float]]) -> float:
    """How far the scene is from footholds, at the middle of each foot [m]."""
    start = found.motion.world().positions[0]
    off = []
    for k, (ahead, height) in enumerate(footholds):
        ankle = start[found.motion.skeleton.index(("LeftFoot", "RightFoot")[k % 2])]
        first = footholds[k % 2][0]
        spot = np.array([ankle[0], ankle[1] - (ahead - first) - 0.05, 5.0])
        off.append(abs(float(found.scene.surface(0.0).height(spot)) - height))
    return max(off)


@pytest.mark.parametrize("y_up", [False, True])
@pytest.mark.parametrize(
    ("footholds", "tilt", "sentence", "within"),
    [
        (STAIRS, 0.0, "Stairs: 3 steps of 15 cm.", 0.005),
        (BLOCK, 0.0, "A block 30 cm high.", 0.005),
        (RAMP, np.radians(8.0), "A slope up of 8.0 degrees over", 0.03),
    ],
    ids=["stairs", "block", "slope"],
)
def test_what_is_below_the_feet_is_found(footholds, tilt, sentence, within, y_up):
    found = _prepared(walker(footholds, tilt=tilt), y_up=y_up, find_objects=True)
    assert next(guess.reason for guess in found.guesses if guess.name == "scene").startswith(sentence)
    assert _surface_error(found, footholds) < within
    assert found.made_for is None


def test_something_to_step_over_is_found():
    flat = walker([(0.5 * k, 0.0) for k in range(-1, 7)], lift=0.05).clip
    high = walker([(0.5 * k, 0.0) for k in range(-1, 7)], lift=0.5)
    clip, over = high.clip, slice(36 * 3, 36 * 5)  # one swing of each foot
    positions, turns = flat.positions.copy(), flat.rotations.copy()
    positions[over], turns[over] = clip.positions[over], clip.rotations[over]
    mixed = Person(type(clip)(skeleton=clip.skeleton, fps=FPS, positions=positions, rotations=turns), high.body)
    found = _prepared(mixed, find_objects=True)
    assert [thing.name for thing in found.scene.things] == ["Obstacle"]
    assert any("to step over" in guess.reason for guess in found.guesses)
    assert found.made_for is None


@pytest.mark.parametrize("lift", [0.05, 0.12, 0.4])
def test_a_flat_walk_proposes_nothing(lift):
    found = _prepared(walker(FLAT, lift=lift), find_objects=True)
    assert found.scene.things == ()
    assert not found.scene.things
    assert found.guesses[-1].reason == "By its feet, nothing but the floor was under the clip."


@pytest.mark.parametrize("footholds", [STAIRS, BLOCK, RAMP], ids=["stairs", "block", "slope"])
def test_a_proposal_is_a_scene_that_the_clip_is_known_to_stand_on(tmp_path, footholds):
    made = walker(footholds, tilt=np.radians(8.0) if footholds is RAMP else 0.0)
    proposal = proposed_scene(_prepared(made))
    path = tmp_path / "scene.json"
    path.write_bytes(scene_bytes(proposal.objects, proposal.sentences))
    scene = read_scene(path)
    assert json.loads(path.read_text())["notes"] == list(proposal.sentences)
    for mine, again in zip(proposal.objects, scene.objects, strict=True):
        if isinstance(mine.shape, BoxShape):
            assert again == mine
        else:
            assert isinstance(again.shape, MeshShape)
            np.testing.assert_array_equal(again.shape.vertices, mine.shape.vertices)
    assert _prepared(made, objects=scene.objects).made_for is None
    assert _prepared(walker(FLAT), objects=scene.objects).made_for is not None


def test_inspect_writes_the_proposal(tmp_path, capsys):
    (tmp_path / "clip.bvh").write_text(biped_text(frames=12))
    path = tmp_path / "scene.json"
    outcome = call(capsys, "inspect", tmp_path / "clip.bvh", "--propose-scene", path)
    assert outcome.status == 0
    assert "nothing but the floor" in outcome.out
    assert read_scene(path).objects == ()
    outcome = call(capsys, "inspect", tmp_path / "clip.bvh", "--scene", "auto", "--slope", 5)
    assert (outcome.status, outcome.err) == (2, "--slope and --scene auto both tell the ground; give one of them.\n")


RAISED = {
    "111_27": "Stairs: 2 steps of 14 cm.",
    "141_07": "Stairs: 2 steps of 20 cm.",
    "36_01": "A block 37 cm high.",
    "74_14": "A slope up of 6.7 degrees over 2.6 m.",
    "74_16": "A slope up of 9.9 degrees over 2.5 m.",
    "141_09": "An obstacle to step over, 16 cm high.",
}


@needs_mocap
@pytest.mark.parametrize("name", [path.stem.removeprefix("cmu_") for path in sorted(MOCAP.glob("cmu_*.bvh"))])
def test_motion_capture_stands_on_what_its_index_says(name):
    settings = BakeSettings(ground=GroundSettings(find_objects=True))
    found = read_performance(MOCAP / f"cmu_{name}.bvh", settings)
    said = [guess.reason for guess in found.guesses if guess.name == "scene"]
    assert said == [RAISED.get(name, "By its feet, nothing but the floor was under the clip.")]
    assert found.made_for is None
    assert bool(found.scene.things) == (name in RAISED)
