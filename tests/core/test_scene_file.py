"""The scene as a file: read, or refused by a sentence that names what is wrong."""

import json

import pytest

from sim_core.errors import SettingsError
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.scene import GroundPlane
from sim_core.scene_file.read_scene import SceneFile, read_scene
from sim_core.settings import BakeSettings, GroundSettings

PLANE = GroundPlane(point_m=(0.0, 1.0, 2.5), normal=(0.0, 0.1, 1.0))
WHOLE = {"ground": {"point": [0, 1, 2.5], "normal": [0, 0.1, 1]}, "friction": 0.6}


def _file(tmp_path, content):
    path = tmp_path / "scene.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def _settings(path, *options: str) -> BakeSettings:
    return settings_from(make_parser().parse_args(["bake", "a.bvh", "-o", "b.bvh", "--scene", str(path), *options]))


def test_a_scene_is_read(tmp_path):
    assert read_scene(_file(tmp_path, WHOLE)) == SceneFile(ground=PLANE, friction=0.6)
    assert read_scene(_file(tmp_path, {})) == SceneFile()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{not json", "no JSON"),
        ([1, 2], r"'ground', 'friction', 'gravity', 'objects' and 'notes'"),
        (WHOLE | {"lights": []}, "'lights'"),
        ({"ground": {"point": [0, 0, 0], "normal": [0, 0, 1], "size": 3}}, r"'ground\.size'"),
        ({"ground": 5}, r"'ground\.point' and 'ground\.normal'"),
        ({"ground": {"point": [0, 0], "normal": [0, 0, 1]}}, r"'ground\.point' needs three numbers"),
        ({"ground": {"point": [0, 0, 0]}}, r"'ground\.normal' needs three numbers"),
        ({"ground": {"point": [0, 0, 0], "normal": [0, 0, 0]}}, r"'ground\.normal' has no direction"),
        ({"ground": {"point": [0, 0, 0], "normal": [0, 0, "up"]}}, r"'ground\.normal' needs three numbers"),
        ('{"ground": {"point": [0, 0, NaN], "normal": [0, 0, 1]}}', r"'ground\.point' needs three numbers"),
        ({"friction": "slippery"}, "'friction' needs a number"),
        ({"friction": True}, "'friction' needs a number"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(tmp_path, content, named):
    with pytest.raises(SettingsError, match=named) as refusal:
        read_scene(_file(tmp_path, content))
    assert str(refusal.value).endswith(".")
    assert "scene.json" in str(refusal.value)


def test_a_scene_that_is_not_there(tmp_path):
    with pytest.raises(SettingsError, match=r"cannot be read \(No such file or directory\); check its name"):
        read_scene(tmp_path / "scene.json")


def test_the_scene_sets_ground_and_friction_and_an_option_goes_first(tmp_path):
    path = _file(tmp_path, WHOLE)
    assert _settings(path).ground == GroundSettings(plane=PLANE)
    assert _settings(path).friction == 0.6
    assert _settings(path, "--friction", "0.9").friction == 0.9
    assert _settings(_file(tmp_path, {})) == BakeSettings()


def test_a_ground_is_told_once(tmp_path):
    with pytest.raises(SettingsError, match=r"--slope and the scene's 'ground' both"):
        _settings(_file(tmp_path, WHOLE), "--slope", "5")


def test_the_scenes_friction_has_bounds(tmp_path):
    with pytest.raises(SettingsError, match=r"'friction' takes a number from 0\.01 to 10, not 0\."):
        _settings(_file(tmp_path, {"friction": 0}))
