"""Holding a pose from the command line: exactly the asked frames, a true report, refusals in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from sim_core.engines.engine import available_engines
from sim_core.motion.bvh import BvhDocument, read_bvh, write_bvh
from sim_core.motion.clip_npz import load_npz, save_npz
from sim_core.motion.source_clip import write_new
from sim_core.samples.catalogue import make_sample
from tests.command_line import call

HOLD = ["--motion", "hold"]
QUICK = ["--engine", "mujoco", "--budget", "draft"]
FPS = 60.0


@pytest.fixture(scope="module")
def squat(tmp_path_factory) -> Path:
    """A second on the way down and up."""
    path = tmp_path_factory.mktemp("source") / "squat.bvh"
    write_new(path, make_sample("squat", 1.0))
    return path


@pytest.fixture(scope="module")
def pose(squat) -> Path:
    """One frame of it."""
    path = squat.with_name("pose.bvh")
    document = read_bvh(squat)
    write_bvh(path, _with_rows(document, document.values[30:31]))
    return path


def _with_rows(document: BvhDocument, values: np.ndarray) -> BvhDocument:
    return BvhDocument(**(document.__dict__ | {"values": values}))


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_the_pose_of_the_first_frame_asked_for_is_held_and_stands(capsys, squat, tmp_path, engine):
    if engine not in available_engines():
        pytest.skip(f"Engine '{engine}' is not installed; 'make test' installs both.")
    output, report = tmp_path / "out.bvh", tmp_path / "report.json"
    options = ["--start", 20, "--end", 60, "--engine", engine, "--budget", "draft", "--assist", "none"]
    outcome = call(capsys, "bake", squat, "-o", output, *HOLD, *options, "--report", report)
    assert (outcome.status, outcome.err) == (0, "")
    assert "The pose was kept for all 41 frames." in outcome.out
    told = json.loads(report.read_text())
    assert (told["motion"], told["frames"], told["completed"], told["fps"]) == ("hold", 41, True, FPS)
    assert told["before"]["foot_skate_m_s"] == told["before"]["jerk_m_s3"] == 0.0
    source, result = read_bvh(squat), read_bvh(output)
    assert result.values.shape == (41, source.channel_count)
    assert result.frame_time == source.frame_time
    np.testing.assert_allclose(result.values[:, :3] - source.values[19, :3], 0.0, atol=3.0)  # [cm]


def test_a_push_is_balanced_and_bones_that_are_not_simulated_stay(capsys, squat, tmp_path):
    calm, pushed = tmp_path / "calm.npz", tmp_path / "pushed.npz"
    options = ["--start", 5, "--seconds", 1.0, "--assist", "none", *QUICK]
    assert call(capsys, "bake", squat, "-o", calm, *HOLD, *options).status == 0
    push = ["--push", "bone=chest,at=0.2,for=0.1,force=0:150:0"]
    assert call(capsys, "bake", squat, "-o", pushed, *HOLD, *options, *push).status == 0
    still, swayed = load_npz(calm), load_npz(pushed)
    assert len(still) == len(swayed) == 61
    assert np.ptp(still.positions[:, 0], axis=0).max() < 0.01 < np.ptp(swayed.positions[:, 0], axis=0).max()
    moves = np.ptp(swayed.positions, axis=0).max(axis=1)
    assert np.count_nonzero(moves > 1e-6) == 1  # the root alone


def test_a_file_of_one_frame_is_a_pose(capsys, pose, tmp_path):
    usual, short = tmp_path / "usual.bvh", tmp_path / "short.bvh"
    assert call(capsys, "bake", pose, "-o", usual, *HOLD, *QUICK).status == 0
    assert len(read_bvh(usual).values) == 2 * FPS + 1
    assert call(capsys, "bake", pose, "-o", short, *HOLD, "--seconds", "0.5", *QUICK).status == 0
    assert len(read_bvh(short).values) == 31
    outcome = call(capsys, "bake", pose, "-o", usual, *QUICK)
    assert outcome.status == 2
    assert "has only one frame" in outcome.err


def test_npz_in_npz_out(capsys, tmp_path):
    clip = make_sample("squat", 1.0)
    save_npz(tmp_path / "pose.npz", clip.frames(30, 31))
    output = tmp_path / "out.npz"
    assert call(capsys, "bake", tmp_path / "pose.npz", "-o", output, *HOLD, "--seconds", "0.4", *QUICK).status == 0
    result = load_npz(output)
    assert (len(result), result.fps, result.skeleton.names) == (25, clip.fps, clip.skeleton.names)
    np.testing.assert_allclose(result.positions[:, 0], np.tile(clip.positions[30, 0], (25, 1)), atol=0.03)


def test_a_pose_that_nobody_can_hold_is_lost_and_the_report_says_so(capsys, squat, tmp_path):
    report = tmp_path / "report.json"
    in_the_air = ["--floor=-0.6", "--seconds", 1, "--assist", "none", "--report", report]
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", *HOLD, *in_the_air, *QUICK)
    told = json.loads(report.read_text())
    assert outcome.status == 3
    assert "The pose was lost: it" in outcome.out
    assert (told["completed"], told["motion"]) == (False, "hold")
    assert told["fell_at_s"] > 0.0


def test_tracking_says_so(capsys, squat, tmp_path):
    report = tmp_path / "report.json"
    assert call(capsys, "bake", squat, "-o", tmp_path / "o.bvh", "--end", 6, *QUICK, "--report", report).status == 0
    assert json.loads(report.read_text())["motion"] == "track"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seconds", "2"], "--seconds is for --motion hold, not track; leave it out, or give --end."),
        ([*HOLD, "--seconds", "2", "--end", "9"], "--seconds and --end both tell how long the pose is held"),
        ([*HOLD, "--seconds", "0"], "--seconds takes a number from 0.1 to 600, not 0."),
        ([*HOLD, "--seconds", "nan"], "--seconds takes a number from 0.1 to 600, not nan."),
        ([*HOLD, "--start", "61"], "or say for how many --seconds to hold the pose."),
        ([*HOLD, "--turn", "30,at=0.1"], "finds no step to turn with"),
        (["--motion", "dance"], "invalid choice"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(capsys, squat, tmp_path, options, said):
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", *options)
    assert outcome.status == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "out.bvh").exists()
