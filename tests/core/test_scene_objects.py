"""Objects in a scene file: every shape and key is read, and every mistake has its sentence."""

import json

import numpy as np
import pytest

from sim_core.errors import SettingsError
from sim_core.scene_file.read_scene import SceneFile, read_scene
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
from tests.bvh_samples import biped_text
from tests.command_line import ROOT, call

BOX = {"name": "Box", "box": {"size": [1, 2, 0.5]}}
SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
ROCK = {"name": "Rock", "mesh": {"vertices": SQUARE, "faces": [[0, 1, 2, 3]]}}


def _read(tmp_path, *objects, **others) -> SceneFile:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"objects": list(objects)} | others))
    return read_scene(path)


def _one(tmp_path, told) -> SceneObject:
    return _read(tmp_path, told).objects[0]


def test_plain_shapes(tmp_path):
    assert _one(tmp_path, BOX) == SceneObject(name="Box", shape=BoxShape(size=(1.0, 2.0, 0.5)))
    assert _one(tmp_path, {"ball": {"radius": 0.3}}).shape == BallShape(radius=0.3)
    assert _one(tmp_path, {"ball": {"radius": 0.3}}).name == "Object 1"
    stairs = {"steps": 5, "rise": 0.17, "run": 0.28, "width": 1.5}
    assert _one(tmp_path, {"stairs": stairs}).shape == StairsShape(steps=5, rise=0.17, run=0.28, width=1.5)
    assert _one(tmp_path, {"stairs": stairs | {"top": 1, "down": 5}}).shape == StairsShape(
        steps=5, rise=0.17, run=0.28, width=1.5, top=1.0, down=5
    )
    hill = _one(tmp_path, {"heights": {"cell": 0.1, "rows": [[0, 1, 2], [3, 4, 5]], "corner": [7, 8]}}).shape
    assert isinstance(hill, HeightsShape)
    assert (hill.cell, hill.corner) == (0.1, (7.0, 8.0))
    np.testing.assert_array_equal(hill.heights, [[0, 1, 2], [3, 4, 5]])


def test_a_mesh_in_the_file_or_beside_it(tmp_path):
    inside = _one(tmp_path, ROCK).shape
    np.savez(tmp_path / "objects.npz", **{"0_vertices": np.array(SQUARE), "0_triangles": [[0, 1, 2], [0, 2, 3]]})
    beside = _one(tmp_path, {"mesh": "objects.npz", "mesh_name": "0"}).shape
    for shape in (inside, beside):
        assert isinstance(shape, MeshShape)
        np.testing.assert_array_equal(shape.vertices, SQUARE)
        np.testing.assert_array_equal(shape.triangles, [[0, 1, 2], [0, 2, 3]])


def test_places_masses_and_belts(tmp_path):
    told = BOX | {"position": [1, 2, 3], "rotation": [2, 0, 0, 0], "friction": 0.5, "belt": [0, 1, 0]}
    assert _one(tmp_path, told) == SceneObject(
        name="Box",
        shape=BoxShape(size=(1.0, 2.0, 0.5)),
        position=(1.0, 2.0, 3.0),
        rotation=(1.0, 0.0, 0.0, 0.0),
        friction=0.5,
        belt=(0.0, 1.0, 0.0),
    )
    loose = _one(tmp_path, BOX | {"on_path": {"ahead": 2}, "heading": 30, "mass": 4, "velocity": [1, 0, 0]})
    assert (loose.on_path, loose.heading_deg, loose.mass) == (OnPath(ahead=2.0), 30.0, 4.0)
    assert (loose.velocity, loose.spin) == ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_ways_to_move(tmp_path):
    shake, slide = {"axis": [0, 0, 1], "degrees": 20, "hertz": 0.5}, {"along": [1, 0, 0], "metres": 0.3, "hertz": 0.4}
    shakes = Shake(axis=(0.0, 0.0, 1.0), degrees=20.0, hertz=0.5)
    slides = Slide(along=(1.0, 0.0, 0.0), metres=0.3, hertz=0.4)
    assert _one(tmp_path, BOX | {"moves": {"shake": shake}}).moves == (shakes,)
    assert _one(tmp_path, BOX | {"moves": [{"shake": shake}, {"slide": slide}]}).moves == (shakes, slides)
    moves = _one(tmp_path, BOX | {"moves": {"frame": 3, "positions": [[0, 0, 0], [0, 0, 1]]}}).moves
    assert isinstance(moves, PosesInFrames)
    assert (moves.frame, moves.rotations) == (3, None)
    np.testing.assert_array_equal(moves.positions, [[0, 0, 0], [0, 0, 1]])


def test_the_example_of_the_page_is_a_scene(tmp_path):
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    path = tmp_path / "scene.json"
    path.write_text(page.split("```json")[1].split("```")[0])
    assert [each.name for each in read_scene(path).objects] == ["Stairs", "Raft", "Ball"]


def test_ground_and_gravity(tmp_path):
    assert _read(tmp_path, ground=None, gravity=1.62) == SceneFile(bottomless=True, gravity=1.62)


STAIRS = {"steps": 5, "rise": 0.17, "run": 0.28, "width": 1.5}
TWO = [[0, 0, 0], [0, 0, 1]]
MISTAKES = [
    (5, r"'objects\[0\]' needs .*'objects\[0\].box'.* in braces, not 5"),
    (BOX | {"colour": "red"}, r"holds 'colour' of 'Box', which Heft does not know; it takes 'name', 'box'"),
    (BOX | {"name": 3}, r"'objects\[0\].name' needs a name in quotes, not 3"),
    ({"name": "Box"}, "'Box' needs one of 'box', 'ball', 'stairs', 'heights', 'mesh', and has none of them"),
    (BOX | {"ball": {"radius": 1}}, "'Box' needs one of .* and has 'box' and 'ball'"),
    (BOX | {"box": [1, 1, 1]}, r"'box' of 'Box' needs 'box.size' in braces, not \[1, 1, 1\]"),
    (BOX | {"box": {"size": [1, 1]}}, "'box.size' of 'Box' needs three numbers"),
    (BOX | {"box": {"size": [1, 1, 0]}}, "'box.size' of 'Box' takes three lengths above 0"),
    (BOX | {"box": {"size": [1, -1, 1]}}, "'box.size' of 'Box' takes three lengths above 0"),
    ({"ball": {"radius": 0}}, "'ball.radius' of 'Object 1' takes a number above 0, to 10000, not 0"),
    ({"ball": {"radius": "big"}}, "'ball.radius' of 'Object 1' needs a number, not \"big\""),
    ({"stairs": STAIRS | {"steps": 2.5}}, "'stairs.steps' of 'Object 1' takes a whole number, not 2.5"),
    ({"stairs": STAIRS | {"steps": 0}}, "'stairs.steps' of 'Object 1' takes a number from 1 to 1000, not 0"),
    ({"stairs": STAIRS | {"rise": 0}}, "'stairs.rise' of 'Object 1' takes a number above 0"),
    ({"stairs": STAIRS | {"top": -1}}, "'stairs.top' of 'Object 1' takes a number from 0"),
    ({"stairs": STAIRS | {"wide": 1}}, "holds 'stairs.wide' of 'Object 1'"),
    ({"heights": {"cell": 0.1, "rows": [[0, 1], [2]]}}, "'heights.rows' .* 2 numbers in every row, and row 2 is"),
    ({"heights": {"cell": 0.1, "rows": [[0, 1]]}}, "'heights.rows' of 'Object 1' needs 2 rows or more"),
    ({"heights": {"cell": 0.1, "rows": [[0], [1]]}}, "needs two heights or more in every row"),
    ({"heights": {"cell": 0, "rows": TWO}}, "'heights.cell' of 'Object 1' takes a number above 0"),
    ({"heights": {"cell": 1, "rows": TWO, "corner": 3}}, "'heights.corner' of 'Object 1' needs 2 numbers"),
    ({"heights": {"cell": 1, "rows": TWO}, "mass": 1}, "'Object 1' is made of 'heights' and cannot be loose"),
    (
        {"heights": {"cell": 1, "rows": TWO}, "moves": {"frame": 1, "positions": TWO}},
        "'Object 1' is made of 'heights' and cannot move",
    ),
    (ROCK | {"mesh": {"vertices": SQUARE, "faces": []}}, "'mesh' of 'Rock' has no faces; give it some"),
    (ROCK | {"mesh": {"vertices": [[0, 0, 0]], "faces": []}}, "'mesh.vertices' of 'Rock' needs 3 rows or more"),
    (ROCK | {"mesh": {"vertices": SQUARE, "faces": [[0, 1, 4]]}}, "'mesh' of 'Rock' names vertex 4 in a face, and has"),
    (ROCK | {"mesh": {"vertices": SQUARE, "faces": [[0, -1, 2]]}}, "names vertex -1 in a face"),
    (ROCK | {"mesh": {"vertices": SQUARE, "faces": [[0, 1]]}}, r"'mesh.faces\[0\]' of 'Rock' needs the whole numbers"),
    (ROCK | {"mesh": {"vertices": SQUARE, "faces": [[0, 1.5, 2]]}}, r"needs the whole numbers of three vertices"),
    (ROCK | {"mesh_name": "0"}, "'Rock' has a 'mesh_name' and no file in 'mesh'"),
    (ROCK | {"mesh": "gone.npz", "mesh_name": "0"}, r"'mesh' of 'Rock' cannot be read \(No such file or directory\)"),
    (ROCK | {"mesh": "broken.npz", "mesh_name": "0"}, "'mesh' of 'Rock' is 'broken.npz', which is broken or no .npz"),
    (ROCK | {"mesh": "cut.npz", "mesh_name": "0"}, "'mesh' of 'Rock' is 'cut.npz', which is broken or no .npz"),
    (ROCK | {"mesh": "good.npz", "mesh_name": "7"}, "'mesh_name' of 'Rock' is '7', and 'good.npz' has no '7_vertices'"),
    (ROCK | {"mesh": "good.npz"}, "'mesh_name' of 'Rock' needs a name in quotes, not null"),
    (ROCK | {"mesh": "good.npz", "mesh_name": "flat"}, "'mesh' of 'Rock' needs vertices as rows of three numbers"),
    (ROCK | {"mesh": "good.npz", "mesh_name": "float"}, "'mesh' of 'Rock' needs triangles as rows of three whole"),
    (ROCK | {"mesh": "good.npz", "mesh_name": "nan"}, "'mesh' of 'Rock' has vertices that are not finite"),
    (BOX | {"position": [0, 1]}, "'position' of 'Box' needs three numbers"),
    (BOX | {"rotation": [0, 1, 0]}, "'rotation' of 'Box' needs 4 numbers"),
    (BOX | {"rotation": [0, 0, 0, 0]}, "'rotation' of 'Box' has four zeros"),
    (BOX | {"heading": "left"}, "'heading' of 'Box' needs a number"),
    (BOX | {"heading": 5, "rotation": [1, 0, 0, 0]}, "'Box' has both 'rotation' and 'heading'"),
    (BOX | {"on_path": {"ahead": 1}, "position": [0, 0, 0]}, "'Box' has both 'position' and 'on_path'"),
    (BOX | {"on_path": {"forward": 1}}, "holds 'on_path.forward' of 'Box'.* takes 'on_path.ahead', 'on_path.aside'"),
    (BOX | {"on_path": {}, "moves": {"frame": 1, "positions": TWO}}, "'Box' has both 'on_path' and 'moves.positions'"),
    (BOX | {"friction": -0.1}, r"'friction' of 'Box' takes a number from 0\.01 to 10, not -0\.1"),
    (BOX | {"belt": 3}, "'belt' of 'Box' needs three numbers"),
    (BOX | {"mass": 0}, "'mass' of 'Box' takes a number above 0"),
    (BOX | {"mass": -4}, "'mass' of 'Box' takes a number above 0"),
    (BOX | {"mass": 1, "moves": {"frame": 1, "positions": TWO}}, "'Box' has both 'mass' and 'moves'"),
    (BOX | {"mass": 1, "belt": [1, 0, 0]}, "'Box' has both 'mass' and 'belt'"),
    (BOX | {"velocity": [1, 0, 0]}, "'Box' has a 'velocity' and no 'mass'"),
    (BOX | {"spin": [1, 0, 0]}, "'Box' has a 'spin' and no 'mass'"),
    (BOX | {"moves": []}, "'moves' of 'Box' is empty"),
    (BOX | {"moves": {}}, "'moves' of 'Box' has no 'positions' and no 'rotations'; animate the object"),
    (BOX | {"moves": {"positions": TWO}}, "'moves.frame' of 'Box' needs a number, not null"),
    (BOX | {"moves": {"frame": 1, "positions": [TWO[0]] * 3}}, "'moves' of 'Box' has no motion"),
    (BOX | {"moves": {"frame": 1, "positions": TWO, "rotations": [[1, 0, 0, 0]]}}, "has 2 positions and 1 rotations"),
    (BOX | {"moves": {"frame": 1, "rotations": [[1, 0, 0, 0], [0, 0, 0, 0]]}}, "a rotation of four zeros"),
    (BOX | {"moves": {"frame": 1, "rotations": [[1, 0, 0]]}}, "'moves.rotations' of 'Box' needs 4 numbers"),
    (BOX | {"moves": {"wobble": 1}}, "holds 'moves.wobble' of 'Box'"),
    (BOX | {"moves": {"shake": {"axis": [0, 0, 0], "degrees": 1, "hertz": 1}}}, "'moves.shake.axis' .* no direction"),
    (BOX | {"moves": [{"slide": {"along": [1, 0, 0], "metres": 1, "hertz": 0}}]}, r"'moves\[0\].slide.hertz' of 'Box'"),
    (BOX | {"moves": [{}]}, r"'moves\[0\]' of 'Box' needs either 'shake' or 'slide'"),
]  # fmt: skip


@pytest.fixture
def meshes(tmp_path):
    """Files that objects may name: a good one with odd arrays in it, a broken one, and one cut short."""
    square, faces = np.array(SQUARE, dtype=float), np.array([[0, 1, 2]])
    np.savez(
        tmp_path / "good.npz",
        **{"flat_vertices": square[:, :2], "flat_triangles": faces, "float_vertices": square},
        **{"float_triangles": faces + 0.5, "nan_vertices": square * np.nan, "nan_triangles": faces},
    )
    (tmp_path / "broken.npz").write_bytes(b"no archive at all")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "good.npz").read_bytes()[:300])


@pytest.mark.usefixtures("meshes")
@pytest.mark.parametrize(("told", "said"), MISTAKES, ids=[str(k) for k in range(len(MISTAKES))])
def test_a_mistake_has_its_sentence(tmp_path, told, said):
    with pytest.raises(SettingsError, match=said) as refusal:
        _read(tmp_path, told)
    assert "scene.json" in str(refusal.value)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


def test_mistakes_of_the_whole_scene(tmp_path):
    with pytest.raises(SettingsError, match="'objects' has the name 'Box' twice"):
        _read(tmp_path, BOX, BOX)
    with pytest.raises(SettingsError, match=r"'objects' needs a list in square brackets, not \{\}"):
        read_scene(_written(tmp_path, {"objects": {}}))
    with pytest.raises(SettingsError, match=r"'gravity' takes a number from 0\.1 to 100, not 0"):
        read_scene(_written(tmp_path, {"gravity": 0}))
    with pytest.raises(SettingsError, match="'gravity' needs a number"):
        read_scene(_written(tmp_path, {"gravity": 10**400}))


def _written(tmp_path, content):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("command", ["bake", "inspect"])
def test_a_bad_scene_ends_a_run_with_one_line(tmp_path, capsys, command):
    (tmp_path / "clip.bvh").write_text(biped_text(frames=12))
    output = ["-o", tmp_path / "out.bvh"] if command == "bake" else []
    for told, said in ((BOX | {"mass": -1}, "'mass' of 'Box'"), (BOX, "The character starts inside 'Box'")):
        told = told | {"box": {"size": [3, 3, 3]}}
        path = _written(tmp_path, {"objects": [told]})
        outcome = call(capsys, command, tmp_path / "clip.bvh", *output, "--scene", path)
        assert (outcome.status, outcome.out) == (2, "")
        assert said in outcome.err
        assert outcome.err.count("\n") == 1
