"""The report: its numbers from a recording, its JSON, and its words."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sim_core.controllers.controller import SolveCount
from sim_core.reporting.measure import Measures
from sim_core.reporting.report import (
    AssistSummary,
    GroundPlane,
    Report,
    Timing,
    assist_summary,
    in_words,
    qp_summary,
    report_bytes,
)
from sim_core.reporting.stance import Stance
from sim_core.reporting.tracking import Tracking
from sim_core.reporting.why import Reason
from sim_core.simulation.recording import Recording
from tests.clips import person
from tests.makers import no_ground_contacts

WEIGHT = 600.0


def _recording(force: np.ndarray, torque: np.ndarray | None = None, rate: float = 500.0) -> Recording:
    steps = len(force)
    return Recording(
        rate=rate,
        q=np.zeros((steps, 7)),
        v=np.zeros((steps, 6)),
        things=np.zeros((steps, 0, 13)),
        assist_force=force,
        assist_torque=np.zeros((steps, 3)) if torque is None else torque,
        foot_torque=np.zeros((steps, 2, 3)),
        torque_ratio=np.zeros(steps),
        rows=np.arange(steps),
        displaced=np.zeros((steps, 3)),
        ground_force=np.zeros((steps, 3)),
        ground_contacts=no_ground_contacts(),
        failure=None,
        failed_at_s=None,
        solve_count=None,
        cpu_s=0.0,
    )


def _along(values: np.ndarray) -> np.ndarray:
    return values[:, None] * [0.6, 0.0, 0.8]


def test_a_rollout_costs_what_it_took_over_all_that_it_simulated():
    assert replace(_recording(np.zeros((100, 3))), cpu_s=0.1).cpu_s_per_simulated_s == pytest.approx(0.5)


def test_assist_counts_force_and_torque_in_body_weights():
    clip = person(frames=31, fps=30.0).clip  # one second
    recording = _recording(_along(np.full(501, 60.0)), _along(np.full(501, 30.0)))
    found = assist_summary(recording, clip, WEIGHT, limit=120.0)
    assert found.mean_bw == pytest.approx(0.15)
    assert found.peak_bw == pytest.approx(0.15)
    assert found.frames == 31
    assert found.limit_bw == pytest.approx(0.2)


def test_assist_of_the_held_end_does_not_count():
    clip = person(frames=31, fps=30.0).clip
    force = np.zeros(751)
    force[510:] = 500.0
    found = assist_summary(_recording(_along(force)), clip, WEIGHT, limit=500.0)
    assert found.mean_bw == found.peak_bw == 0.0
    assert found.frames == 0
    assert found.hold_bw == pytest.approx(500.0 / WEIGHT, rel=0.05)


def test_only_helped_frames_are_counted_and_a_short_peak_is_seen():
    clip = person(frames=31, fps=30.0).clip
    force = np.zeros(501)
    force[100:200] = 60.0  # 0.2 s to 0.4 s: frames 6 to 11
    force[333 + 1] = 300.0  # between two frames
    found = assist_summary(_recording(_along(force)), clip, WEIGHT, limit=600.0)
    assert found.frames == 6
    assert found.peak_bw == pytest.approx(0.5)


def test_a_recording_that_stopped_early_is_summed_up_to_its_end():
    clip = person(frames=31, fps=30.0).clip
    found = assist_summary(_recording(_along(np.full(100, 60.0))), clip, WEIGHT, limit=60.0)
    assert found.mean_bw == pytest.approx(0.1)


def _report(**changes: object) -> Report:
    nothing = Measures(foot_skate_m_s=0.1, penetration_m=0.01, float_m=0.0, physics_error_bw=0.2, jerk_m_s3=50.0)
    report = Report(
        engine="mujoco",
        motion="track",
        controller="pd",
        preset=None,
        balance=None,
        realism=None,
        foot_torque=None,
        roll=None,
        fall=None,
        budget="good",
        seed=0,
        stopped=False,
        resumed_at_frame=None,
        simulated_to_frame=None,
        fps=30.0,
        frames=31,
        completed=True,
        fell_at_s=None,
        fell_at_frame=None,
        friction=0.8,
        pushes=(),
        pulls=(),
        throws=(),
        keep_level=(),
        turns=(),
        stances=(),
        mass_kg=70.0,
        height_m=1.75,
        why=None,
        displaced_m=0.0,
        assist=AssistSummary(mean_bw=0.05, peak_bw=0.2, frames=31, limit_bw=0.2, hold_bw=0.1),
        given_up=(),
        forecast=(),
        before=nothing,
        after=replace(nothing, foot_skate_m_s=0.02),
        stance=Stance(deepest_m=0.001, highest_m=0.002, skate_m_s=0.01),
        tracking=Tracking(joint_deg=5.0, mpjpe_root_mm=30.0, mpjpe_global_mm=40.0, root_drift_m=0.1),
        torque_peak_ratio=0.5,
        qp=None,
        ground=GroundPlane(point_m=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0)),
        timing=Timing(
            simulated_s=1.0,
            wall_s=2.0,
            cpu_s=2.0,
            search_cpu_s=1.5,
            rollouts=3,
            rollouts_s=4.0,
            cpu_s_per_simulated_s=0.5,
        ),
        guesses=("The scale is guessed.",),
        warnings=(),
    )
    return replace(report, **changes)


def test_the_json_holds_every_number():
    content = json.loads(report_bytes(_report()))
    assert content["after"]["foot_skate_m_s"] == 0.02
    assert content["assist"]["mean_bw"] == 0.05
    assert content["completed"] is True
    assert content["guesses"] == ["The scale is guessed."]
    assert set(content) == set(vars(_report()))


def test_the_json_names_the_controller_and_counts_its_solves():
    baseline = json.loads(report_bytes(_report()))
    assert (baseline["controller"], baseline["preset"], baseline["qp"]) == ("pd", None, None)
    summary = qp_summary(SolveCount(solves=400, failed=3, seconds=0.2))
    tracked = json.loads(report_bytes(_report(controller="qp", preset="mcsim", balance="three-link", qp=summary)))
    assert (tracked["controller"], tracked["preset"], tracked["balance"]) == ("qp", "mcsim", "three-link")
    assert tracked["qp"] == {"solves": 400, "failed": 3, "per_solve_ms": pytest.approx(0.5)}


def test_a_rollout_that_ended_before_its_first_solve_still_has_a_summary():
    assert qp_summary(SolveCount(solves=0, failed=0, seconds=0.0)).per_solve_ms == 0.0
    assert qp_summary(None) is None


def test_a_number_that_is_none_never_reaches_a_file():
    with pytest.raises(ValueError, match="JSON"):
        report_bytes(_report(torque_peak_ratio=float("nan")))


def test_words_say_what_happened():
    text = "\n".join(in_words(_report()))
    assert "kept for all 31 frames" in text
    assert "5.0 % of body weight on average" in text
    reason = Reason(
        first_frame=5,
        last_frame=9,
        assist_mean_bw=0.1,
        assist_peak_bw=0.2,
        lost=False,
        sentence="Frames 5-9: it needs 10 % of body weight.",
        advice=("More friction.",),
    )
    text = "\n".join(in_words(_report(given_up=(reason,), stopped=True, completed=False, simulated_to_frame=20)))
    assert "kept for all" not in text
    assert reason.sentence in text
    assert "More friction." in text
    assert "stopped at frame 20" in text
    lost = in_words(_report(completed=False, fell_at_s=0.5, fell_at_frame=16, why="tipped over"))[0]
    assert "tipped over" in lost
    assert "0.50 s" in lost
    assert "frame 16" in lost
