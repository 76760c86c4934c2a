"""A bake from the command line: the asked frames in the form of the source, a true report, the same bytes again."""

import json
import os
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import read_performance
from sim_core.engines.engine import available_engines
from sim_core.motion.bvh import BvhDocument, read_bvh
from sim_core.motion.bvh_hierarchy import format_hierarchy
from sim_core.motion.clip_npz import load_npz, save_npz
from sim_core.motion.motion_file import clip_from_bvh
from sim_core.motion.source_clip import write_new
from sim_core.performance import segment_bones
from sim_core.reporting.measure import measure_frames, summarise
from sim_core.reporting.take import load_take
from sim_core.reporting.tracking import track
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Ground
from sim_core.settings import BakeSettings, ClipSettings
from tests.bvh_samples import biped_text
from tests.command_line import call, run

FRAMES = 31
QUICK = ["--assist", "300", "--engine", "mujoco"]


@pytest.fixture(scope="module")
def squat(tmp_path_factory) -> Path:
    """Half a second on the way down."""
    path = tmp_path_factory.mktemp("source") / "squat.bvh"
    write_new(path, make_sample("squat", 1.0).frames(20, 20 + FRAMES))
    return path


@pytest.fixture(scope="module")
def baked(squat) -> Path:
    """The folder of one bake, with its report."""
    folder = squat.parent / "baked"
    folder.mkdir()
    outcome = run("bake", squat, "-o", folder / "out.bvh", "--report", folder / "report.json", *QUICK)
    assert (outcome.status, outcome.err) == (0, "")
    return folder


def header(document: BvhDocument) -> tuple[list[str], float]:
    return list(format_hierarchy(document)), document.frame_time


def test_the_result_has_the_form_of_the_source(squat, baked):
    source, result = read_bvh(squat), read_bvh(baked / "out.bvh")
    assert header(result) == header(source)
    assert result.values.shape == source.values.shape == (FRAMES, source.channel_count)
    assert not np.array_equal(result.values, source.values)
    assert sorted(os.listdir(baked)) == ["out.bvh", "report.json"]


def test_a_person_reads_what_was_guessed_and_what_became_of_it(capsys, squat, tmp_path):
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", *QUICK, "--progress", "none")
    assert (outcome.status, outcome.err) == (0, "")
    assert "it measures" in outcome.out
    assert f"kept for all {FRAMES} frames" in outcome.out
    assert "before" in outcome.out


@pytest.mark.parametrize(("start", "end"), [(8, 12), (28, None), (None, 3)])
def test_exactly_the_asked_frames(capsys, squat, tmp_path, start, end):
    asked = [*(["--start", start] if start else []), *(["--end", end] if end else [])]
    report = tmp_path / "report.json"
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", *asked, *QUICK, "--report", report)
    assert outcome.status in (0, 3)
    source, result = read_bvh(squat), read_bvh(tmp_path / "out.bvh")
    first, last = start or 1, end or FRAMES
    assert header(result) == header(source)
    assert len(result.values) == last - first + 1 == json.loads(report.read_text())["frames"]
    # The figure begins where the source is at the first asked frame, not where the source begins.
    np.testing.assert_allclose(result.values[0, :3], source.values[first - 1, :3], atol=3.0)


def test_odd_files_keep_their_form(capsys, tmp_path):
    """Channels in another order, a bone name in unicode with a space, and a true rate that is not the file's."""
    text = biped_text(frames=12, joint_channels="6 Zrotation Xrotation Yrotation Xposition Yposition Zposition")
    (tmp_path / "Läufer.bvh").write_text(text.replace("Head", "Kopf ü 頭"), encoding="utf-8")
    arguments = ["--bone", "head=Kopf ü 頭", "--fps", 24, "--budget", "draft", "--report", tmp_path / "r.json", *QUICK]
    outcome = call(capsys, "bake", tmp_path / "Läufer.bvh", "-o", tmp_path / "aus.bvh", *arguments)
    assert outcome.status in (0, 3)
    assert json.loads((tmp_path / "r.json").read_text())["fps"] == 24.0
    assert header(read_bvh(tmp_path / "aus.bvh")) == header(read_bvh(tmp_path / "Läufer.bvh"))


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_the_same_again_gives_the_same_bytes(capsys, squat, tmp_path, engine):
    """In this process and in a fresh one, which works in another folder; as a text and as numbers."""
    if engine not in available_engines():
        pytest.skip(f"Engine '{engine}' is not installed; 'make test' installs both.")
    shutil.copy(squat, tmp_path / "clip.bvh")
    options = ["--assist", "300", "--engine", engine, "--end", 6, "--push", "bone=chest,at=0.05,for=0.1,force=0:30:0"]
    for form in ("bvh", "npz"):
        here, there = tmp_path / f"here.{form}", tmp_path / f"there.{form}"
        assert call(capsys, "bake", squat, "-o", here, *options).status == 0
        assert run("bake", "clip.bvh", "-o", there.name, *options, cwd=tmp_path).status == 0
        assert here.read_bytes() == there.read_bytes()


def test_npz_in_npz_out(capsys, squat, tmp_path, baked):
    source = read_performance(squat, BakeSettings()).source.clip
    save_npz(tmp_path / "clip.npz", source)
    report = tmp_path / "report.json"
    outcome = call(capsys, "bake", tmp_path / "clip.npz", "-o", tmp_path / "out.npz", *QUICK, "--report", report)
    assert outcome.status == 0
    result = load_npz(tmp_path / "out.npz")
    assert (result.skeleton.names, result.fps, len(result)) == (source.skeleton.names, source.fps, FRAMES)
    same = clip_from_bvh(read_bvh(baked / "out.bvh")).clip  # the same bake, by way of a text
    np.testing.assert_allclose(result.world().positions, same.world().positions, atol=1e-4)
    assert json.loads(report.read_text())["ground"]["normal"] == [0.0, 0.0, 1.0]


def test_npz_at_another_rate_keeps_its_own(capsys, tmp_path):
    save_npz(tmp_path / "clip.npz", make_sample("stand", 0.4))
    arguments = ["--fps", "30", "--end", 6, "--report", tmp_path / "r.json", *QUICK]
    assert call(capsys, "bake", tmp_path / "clip.npz", "-o", tmp_path / "out.npz", *arguments).status == 0
    assert json.loads((tmp_path / "r.json").read_text())["fps"] == 30.0
    assert (load_npz(tmp_path / "out.npz").fps, len(load_npz(tmp_path / "out.npz"))) == (60.0, 6)


def test_a_fall_is_written_and_said(capsys, squat, tmp_path):
    push = "bone=chest,at=0.05,for=0.2,force=0:2000:0"
    how = ["--assist", "none", "--engine", "mujoco", "--budget", "draft"]
    arguments = [*how, "--push", push, "--report", tmp_path / "report.json"]
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", *arguments)
    assert outcome.status == 3
    assert len(read_bvh(tmp_path / "out.bvh").values) == FRAMES
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["completed"] is False
    assert 0.05 < report["fell_at_s"] <= (FRAMES - 1) / 60
    assert report["why"] in ("left the path", "tipped over", "was still falling at its end")
    assert report["assist"]["peak_bw"] == 0.0
    assert f"it {report['why']} at {report['fell_at_s']:.2f} s" in outcome.out


def test_a_push_names_a_segment_or_a_bone(capsys, squat, tmp_path):
    chest = segment_bones(read_performance(squat, BakeSettings()))["chest"]
    outputs = [tmp_path / name for name in ("segment.bvh", "bone.bvh", "calm.bvh")]
    for output, bone, newtons in zip(outputs, ("chest", chest, "chest"), (150, 150, 0), strict=True):
        push = f"bone={bone},at=0,for=0.2,force=0:{newtons}:0"
        assert call(capsys, "bake", squat, "-o", output, "--push", push, "--end", 6, *QUICK).status == 0
    by_segment, by_bone, calm = (output.read_bytes() for output in outputs)
    assert by_segment == by_bone != calm


def test_a_foot_that_is_said_to_swing_is_in_the_report_and_changes_the_result(capsys, squat, tmp_path):
    outputs = [tmp_path / "found.bvh", tmp_path / "said.bvh"]
    for output, stances in zip(outputs, ([], ["--stance", "foot=left,is=swings,frame=4,frames=12"]), strict=True):
        report = output.with_suffix(".json")
        assert call(capsys, "bake", squat, "-o", output, "--report", report, *QUICK, *stances).status == 0
    found, said = (json.loads(output.with_suffix(".json").read_text())["stances"] for output in outputs)
    assert found == []
    assert said == [{"foot": "left", "at_s": pytest.approx(3 / 60), "for_s": pytest.approx(12 / 60), "what": "swings"}]
    assert outputs[0].read_bytes() != outputs[1].read_bytes()


def test_the_report_tells_the_truth_about_the_files(squat, baked):
    """Every number of before, after and tracking once more, from the two texts and the report's ground alone."""
    report = json.loads((baked / "report.json").read_text())
    performance = read_performance(squat, BakeSettings())
    conversion = performance.source.conversion
    result = clip_from_bvh(
        read_bvh(baked / "out.bvh"), metres_per_unit=conversion.metres_per_unit, up=conversion.up, fps=report["fps"]
    ).clip
    still = performance.still_frames
    source, result = performance.motion, result.frames(still, len(result))
    ground = Ground(
        point=rotations.rotate(conversion.world_from_file, np.array(report["ground"]["point_m"])),
        normal=rotations.rotate(conversion.world_from_file, np.array(report["ground"]["normal"])),
    )
    scene = replace(performance.scene, ground=ground)
    for name, clip in (("before", source), ("after", result)):
        again = asdict(summarise(measure_frames(clip, performance.body, scene)))
        assert again == pytest.approx(report[name], rel=2e-3, abs=1e-6), name
    assert asdict(track(source, result, performance.body)) == pytest.approx(report["tracking"], rel=1e-3, abs=1e-4)


def test_the_report_has_what_was_promised(baked):
    report = json.loads((baked / "report.json").read_text())
    assert set(report) >= {
        *("engine", "controller", "seed", "fps", "frames", "completed", "fell_at_s", "assist", "before", "after"),
        *("preset", "balance", "qp", "tracking", "torque_peak_ratio", "displaced_m", "ground", "timing", "warnings"),
    }
    assert set(report["assist"]) >= {"mean_bw", "peak_bw", "frames"}
    measures = {"foot_skate_m_s", "penetration_m", "float_m", "physics_error_bw", "jerk_m_s3"}
    assert set(report["before"]) == set(report["after"]) == measures
    assert set(report["tracking"]) == {"joint_deg", "mpjpe_root_mm", "mpjpe_global_mm", "root_drift_m"}
    assert set(report["timing"]) >= {"simulated_s", "wall_s", "cpu_s", "rollouts"}
    assert (report["engine"], report["frames"], report["completed"], report["fell_at_s"]) == ("mujoco", 31, True, None)


def test_an_inspection(capsys, squat, tmp_path):
    path = tmp_path / "inspection.json"
    outcome = call(capsys, "inspect", squat, "--report", path, "--start", 3, "--end", 22, "--floor", "0.05")
    assert (outcome.status, outcome.err) == (0, "")
    assert "frames 3 to 22: the body sinks into the ground (50 mm" in outcome.out
    content = json.loads(path.read_text())
    assert content["first_frame"] == 3
    assert {len(values) for values in content["frames"].values()} == {20}
    assert all(3 <= finding["first"] <= finding["last"] <= 22 for finding in content["findings"])
    assert np.mean([-low for low in content["frames"]["lowest_point_m"]]) == pytest.approx(
        content["summary"]["penetration_m"], abs=1e-5
    )
    assert content["ground"]["point_m"][1] == 0.05  # the file's own axes have Y up
    assert content["bones"]["pelvis"] in read_bvh(squat).names


def test_an_inspection_for_a_program(capsys, squat):
    outcome = call(capsys, "inspect", squat, "--progress", "json")
    assert outcome.status == 0
    last = outcome.messages[-1]
    assert (last["type"], last["output"], last["exit_status"]) == ("result", None, 0)
    assert len(last["report"]["frames"]["lowest_point_m"]) == FRAMES
    assert (last["report"]["hard"], last["report"]["forecast"]) == ([], [])
    stages = [message["stage"] for message in outcome.messages if message["type"] == "progress"]
    assert list(dict.fromkeys(stages))[-2:] == ["Looking at the clip", "Looking ahead"]


def test_what_the_person_says_wins_over_guesses(squat):
    given = ClipSettings(metres_per_unit=0.009, up="y", fps=24.0, floor_m=0.1, mass_kg=50.0, t_pose_frames=0)
    performance = read_performance(squat, BakeSettings(clip=given))
    assert {guess.name for guess in performance.guesses} & {"scale", "up", "fps", "floor", "t_pose"} == set()
    assert (performance.asked.fps, performance.body.mass) == (24.0, pytest.approx(50.0))
    assert performance.scene.ground.point[2] == 0.1


def test_a_sample_can_be_baked(capsys, tmp_path):
    clip = tmp_path / "stand.bvh"
    assert call(capsys, "sample", "stand", "-o", clip, "--seconds", "0.1").status == 0
    assert call(capsys, "bake", clip, "-o", tmp_path / "out.bvh", *QUICK).status == 0


def test_a_bake_onto_a_slope_says_so_and_leaves_a_take(squat, tmp_path, capsys):
    report, take, objects = tmp_path / "report.json", tmp_path / "take.npz", tmp_path / "objects.json"
    options = [
        "--slope",
        "5",
        "--report",
        report,
        "--take",
        take,
        "--objects",
        objects,
        "--end",
        "12",
        "--assist",
        "60%",
        "--stiffness",
        "1.5",
    ]
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", "--engine", "mujoco", *options)
    assert (outcome.status, outcome.err) == (0, "")
    told = json.loads(report.read_text())
    assert told["ground"]["normal"][1] == pytest.approx(np.cos(np.radians(5.0)))  # Y is up in this file
    assert told["assist"]["limit_bw"] == pytest.approx(0.6)
    assert json.loads(objects.read_text()) == {"first_frame": 1, "objects": {}}
    shown = load_take(take)
    assert len(shown) == 12
    np.testing.assert_allclose(shown.ground_normal[2], np.cos(np.radians(5.0)), rtol=1e-6)
