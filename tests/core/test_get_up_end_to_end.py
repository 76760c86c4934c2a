"""Falls from the command line that go on: the character gets up, and what follows is one bake with the fall."""

import json
from pathlib import Path

import numpy as np
import pytest

from sim_core.engines.engine import available_engines
from sim_core.motion.source_clip import read_source, write_new
from sim_core.samples.catalogue import make_sample
from sim_core.settings import ClipSettings
from tests.command_line import call

_FALL = ("--motion", "fall", "--fall-at", 25, "--push", "bone=head,at=0.4,for=0.1,space=character,force=400:0:0")


@pytest.mark.parametrize("engine", available_engines())
def test_who_fell_gets_up(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip, out, report = tmp_path / "stand.bvh", tmp_path / "up.bvh", tmp_path / "up.json"
    write_new(clip, make_sample("stand"))
    end = call(
        *(capsys, "bake", clip, "-o", out, "--report", report, *_FALL, "--then", "up"),
        *("--engine", engine, "--budget", "draft", "--workers", 1, "--progress", "none"),
    )
    assert end.status == 0, end.err
    said = json.loads(report.read_text())
    assert said["completed"]
    assert said["fall"]["rests_at_s"] > 1.0
    pelvis = read_source(out, ClipSettings()).clip.positions[:, 0, 2]
    lies = round(said["fall"]["rests_at_s"] * said["fps"])
    assert pelvis[lies] < 0.4 * pelvis[0]
    np.testing.assert_allclose(pelvis[-1], pelvis[0], atol=0.12)


@pytest.mark.parametrize(
    ("motion", "then", "words"),
    [("fall", "stand", "--then stand is for --motion roll"), ("roll", "up", "--then up is for --motion fall")],
)
def test_ends_of_the_other_motion_are_refused(
    motion: str, then: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "stand.bvh"
    write_new(clip, make_sample("stand", 1.0))
    end = call(capsys, "bake", clip, "-o", tmp_path / "o.bvh", "--motion", motion, "--then", then)
    assert end.status == 2
    assert words in end.err
