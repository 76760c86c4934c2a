"""The catalogue of samples, and what is read from PyBullet's data where that is installed."""

import json

import numpy as np
import pytest

from sim_core import rotations
from sim_core.cli import main
from sim_core.errors import MotionFileError, SettingsError
from sim_core.motion.clip_npz import load_npz
from sim_core.motion.source_clip import read_source
from sim_core.rig.bone_map import map_bones
from sim_core.rig.segments import REQUIRED
from sim_core.samples import catalogue
from sim_core.samples.catalogue import has_captured_samples, make_sample, sample_names
from sim_core.samples.deepmimic import clip_of, read_deepmimic
from sim_core.samples.made_clips import MADE_CLIPS
from sim_core.settings import ClipSettings

needs_pybullet_data = pytest.mark.skipif(
    not has_captured_samples(), reason="PyBullet's data, which holds the captured samples, is not installed."
)
CAPTURED = [name for name in sample_names() if name not in MADE_CLIPS]
LEFT, BACK, UP = 0, 1, 2  # world axes of a figure that faces -Y


@pytest.mark.parametrize("name", [*MADE_CLIPS, *(pytest.param(name, marks=needs_pybullet_data) for name in CAPTURED)])
def test_every_sample_is_a_figure_that_maps_without_doubt(name):
    clip = make_sample(name)
    mapped = map_bones(clip.skeleton, clip=clip)
    assert set(REQUIRED) <= set(mapped.bones)
    assert len(mapped.bones) == len(clip.skeleton) == 14
    assert mapped.warnings == ()
    for segment, bone in mapped.bones.items():
        if segment.endswith(("_l", "_r")):
            assert clip.skeleton.names[bone].startswith("Left" if segment.endswith("_l") else "Right")
    np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1.0, atol=1e-9)


@needs_pybullet_data
def test_the_walk_goes_forward_on_its_feet():
    clip = make_sample("walk")
    places = clip.world().positions
    travel = places[-1, 0] - places[0, 0]
    assert travel[BACK] == pytest.approx(-4.0, abs=0.2)  # [m] in 4 s
    assert abs(travel[LEFT]) < 0.1
    heads, ankles = (places[:, clip.skeleton.index(bone), UP] for bone in ("Head", "LeftFoot"))
    assert np.all(heads > 1.35)
    assert 0.04 < ankles.min() < 0.09


@needs_pybullet_data
@pytest.mark.parametrize("name", ["walk", "run", "squat"])
def test_knees_and_elbows_bend_the_way_of_people(name):
    clip = make_sample(name)
    turns = {bone: rotations.log(clip.rotations[:, clip.skeleton.index(bone)]) for bone in clip.skeleton.names}
    for side in ("Left", "Right"):
        assert turns[f"{side}Leg"][:, LEFT].min() > -0.1  # heel to buttock is a positive turn about left
        assert turns[f"{side}Leg"][:, LEFT].max() > 0.8
        assert turns[f"{side}ForeArm"][:, LEFT].max() < 0.05


@needs_pybullet_data
def test_cycles_follow_each_other_without_a_seam():
    clip = make_sample("walk", 6.0)
    turn = rotations.angle_between(clip.rotations[1:], clip.rotations[:-1]) * clip.fps  # [rad/s]
    within_one_cycle = turn[:70].max()
    assert turn.max() < 1.1 * within_one_cycle
    step = np.linalg.norm(np.diff(clip.positions[:, 0], axis=0), axis=-1) * clip.fps
    assert 0.7 < step.min() <= step.max() < 1.6  # [m/s]


@needs_pybullet_data
def test_a_sample_is_cut_to_the_seconds_asked():
    whole, part = make_sample("punch"), make_sample("punch", 1.0)
    assert part.duration_s == pytest.approx(1.0)
    np.testing.assert_allclose(part.rotations, whole.rotations[: len(part)], atol=1e-12)


@needs_pybullet_data
def test_what_does_not_repeat_says_how_long_it_is():
    with pytest.raises(SettingsError, match=r"lasts 2\.1 s and does not repeat"):
        make_sample("punch", 5.0)


@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e9, float("nan")])
def test_seconds_that_make_no_sense_are_refused(seconds):
    with pytest.raises(SettingsError, match="A sample lasts from"):
        make_sample("stand", seconds)


def test_without_pybullet_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(catalogue.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MotionFileError, match=r"'walk' .*pip install pybullet"):
        make_sample("walk")
    assert len(make_sample("stand")) > 100


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"Loop": "wrap"}', json.dumps({"Frames": [[0.1] * 20] * 5}), '{"Frames": [[1], [1, 2]]}']
)
def test_files_that_are_something_else_are_refused(tmp_path, text):
    path = tmp_path / "motion.txt"
    path.write_text(text)
    with pytest.raises(MotionFileError, match=r"'motion\.txt' is no DeepMimic motion"):
        read_deepmimic(path)


def test_a_row_of_known_angles_lands_on_the_right_bones(tmp_path):
    """The right thigh swings forward by half a radian, its knee bends by one; the left stays straight."""
    row = np.zeros(44)
    row[2] = 0.9
    for first in (4, 8, 12, 16, 21, 25, 30, 35, 39):
        row[first] = 1.0
    row[16:20] = rotations.about_axis(2, np.array(0.5))  # in the file, x is forward, y up and z right
    row[20] = -1.0
    row[0] = 0.1
    path = tmp_path / "pose.txt"
    path.write_text(json.dumps({"Loop": "none", "Frames": [row.tolist()] * 5}))
    clip = clip_of(read_deepmimic(path))
    places = dict(zip(clip.skeleton.names, clip.world().positions[0], strict=True))
    assert places["RightLeg"][BACK] == pytest.approx(-0.421546 * np.sin(0.5))
    assert places["RightFoot"][BACK] == pytest.approx(-0.421546 * np.sin(0.5) + 0.40987 * np.sin(0.5))
    assert places["LeftFoot"][BACK] == pytest.approx(0.0)
    assert places["LeftFoot"][LEFT] == pytest.approx(0.084887)
    assert places["Head"][UP] > places["Neck"][UP] > places["Chest"][UP] > places["Hips"][UP]


def test_the_command_line_writes_bvh_and_npz(tmp_path, capsys):
    for name in ("clip.bvh", "clip.npz"):
        assert main(["sample", "squat", "-o", str(tmp_path / name), "--seconds", "1"]) == 0
    assert "61 frames at 60 fps" in capsys.readouterr().out
    from_bvh = read_source(tmp_path / "clip.bvh", ClipSettings()).clip
    np.testing.assert_allclose(from_bvh.world().positions, load_npz(tmp_path / "clip.npz").world().positions, atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sample", "moonwalk", "-o", "clip.bvh"], "There is no sample 'moonwalk'; choose one of stand, squat"),
        (["sample", "stand", "-o", "clip.fbx"], "must be a .bvh or .npz file"),
        (["sample", "stand", "-o", "clip.bvh", "--seconds", "x"], "--seconds"),
        (["sample", "stand", "-o", "clip.bvh", "--seconds", "1e9"], "A sample lasts from"),
        (["sample", "stand"], "-o/--output"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr().err.strip()
    assert said in captured
    assert "\n" not in captured
    assert list(tmp_path.iterdir()) == []
