"""What is unphysical, said in the frames that a person counts."""

import json
from dataclasses import replace

import numpy as np

from sim_core.motion.clip import Clip
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reporting.inspect_clip import Finding, find_faults, in_words, inspection
from sim_core.reporting.look_ahead import look_ahead
from sim_core.reporting.measure import FrameMeasures, measure_frames
from sim_core.reporting.outlook import HardFrames, Outlook
from sim_core.settings import BakeSettings, ClipSettings
from tests.clips import moved, person, turned

FPS = 60.0
FRAMES = 120


def _standing() -> Clip:
    return person(frames=FRAMES, fps=FPS).clip


def _inspected(clip: Clip, **settings: object) -> tuple[Performance, FrameMeasures, list[Finding]]:
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, ClipSettings(floor_m=0.0, fps=FPS, **settings), 0.8)
    frames = measure_frames(performance.motion, performance.body, performance.scene)
    return performance, frames, find_faults(performance, frames)


_EASY = Outlook(fps=FPS, friction=0.8, first=1, frames_before=False, hard=(), flights=())
_HARD = HardFrames(first=50, last=60, reason="nothing carries it", size=1.0, needs_bw=1.0)


def _path(first: int, last: int, shift: list[float]) -> np.ndarray:
    """Shifted in the frames from first to last, counted from 1."""
    path = np.zeros((FRAMES, 3))
    path[first - 1 : last] = shift
    return path


def test_nothing_is_found_where_nothing_is_wrong():
    performance, frames, findings = _inspected(_standing())
    assert findings == []
    words = in_words(performance, frames, findings, _EASY)
    assert words[-2:] == ["Nothing unphysical was found.", "Nothing looks hard to bake."]


def test_a_slide_is_found_in_its_frames_with_its_speed():
    path = np.zeros((FRAMES, 3))
    path[:, 0] = 0.5 / FPS * np.clip(np.arange(FRAMES) - 39, 0, 20)  # from frame 41 to frame 60
    found = [finding for finding in _inspected(moved(_standing(), path))[2] if "slides" in finding.what]
    assert [(finding.first, finding.last) for finding in found] == [(41, 60)]
    assert abs(found[0].worst - 0.5) < 1e-6


def test_frames_are_counted_in_the_whole_source():
    clip = moved(_standing(), _path(50, 60, [0.0, 0.0, -0.05]))
    whole, part = _inspected(clip)[2], _inspected(clip, start=31)[2]
    sinks = [[f for f in findings if "sinks" in f.what] for findings in (whole, part)]
    assert [(f.first, f.last) for f in sinks[0]] == [(50, 60)]
    assert sinks[0] == sinks[1]
    assert abs(sinks[0][0].worst - 50.0) < 1e-3


def test_floating_is_found():
    found = _inspected(moved(_standing(), _path(20, 90, [0.0, 0.0, 0.04])))[2]
    assert any("floats" in f.what and f.first <= 23 and f.last >= 87 for f in found)
    assert any("forces that the ground cannot give" in f.what for f in found)


def test_a_flip_names_its_bone():
    spin = np.zeros((FRAMES, 3))
    spin[70, 1] = 2.5
    found = [f for f in _inspected(turned(_standing(), "LeftHand", spin))[2] if "snaps round" in f.what]
    assert len(found) == 1
    assert "'LeftHand'" in found[0].what
    assert found[0].first <= 71 <= found[0].last


def test_findings_near_each_other_are_one_and_others_are_not():
    near = _path(50, 51, [0, 0, -0.05]) + _path(53, 54, [0, 0, -0.05])
    far = _path(50, 51, [0, 0, -0.05]) + _path(80, 81, [0, 0, -0.05])
    runs = [
        [(f.first, f.last) for f in _inspected(moved(_standing(), path))[2] if "sinks" in f.what]
        for path in (near, far)
    ]
    assert runs == [[(50, 54)], [(50, 51), (80, 81)]]


def test_words_and_json_agree():
    performance, frames, findings = _inspected(moved(_standing(), _path(50, 60, [0.0, 0.0, -0.05])))
    outlook = replace(_EASY, hard=(_HARD,))
    words = in_words(performance, frames, findings, outlook)
    assert f"{FRAMES} frames at 60 fps" in words[0]
    assert any("frames 50 to 60" in line for line in words)
    content = json.loads(json.dumps(inspection(performance, frames, findings, outlook), allow_nan=False))
    assert len(content["frames"]["physics_error_bw"]) == FRAMES
    assert content["frames"]["foot_skate_m_s"][0] is None  # the first frame has none before it
    assert len(content["findings"]) == len(findings)
    assert content["bones"]["pelvis"] == "Hips"
    assert words[-1] == content["forecast"][0]
    assert words[-1].startswith("Frames 50-60 look hard: ")
    assert (content["hard"][0]["reason"], content["hard"][0]["size"]) == ("nothing carries it", 1.0)


def test_looking_ahead_counts_as_the_person_does():
    """Someone who rises from the ground after a while and hovers; only part of the clip is asked for."""
    path = np.zeros((FRAMES, 3))
    path[:, 2] = 0.5 * np.clip((np.arange(FRAMES) - 60) / 12.0, 0.0, 1.0)
    performance, *_ = _inspected(moved(_standing(), path), start=31)
    heard: list[float] = []
    outlook = look_ahead(performance, BakeSettings(), heard.append)
    (hovers,) = [hard for hard in outlook.hard if hard.reason == "nothing carries it"]
    assert 60 < hovers.first < 80
    assert FRAMES - 2 <= hovers.last <= FRAMES
    assert (outlook.first, outlook.frames_before) == (31, True)
    assert heard == sorted(heard)
