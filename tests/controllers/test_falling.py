"""Falls from the command line, on every engine."""

import json

import pytest

from sim_core.engines.engine import available_engines
from sim_core.motion.source_clip import read_source, write_new
from sim_core.samples.catalogue import make_sample
from sim_core.settings import ClipSettings
from tests.command_line import call

EVERY_ENGINE = pytest.mark.parametrize("engine", available_engines())
SHOVED = ["--push", "bone=head,at=0.32,for=0.1,force=0:400:0", "--fall-at", 20]  # the made stand faces -Y: backward


@pytest.fixture(scope="module")
def stand(tmp_path_factory):
    path = tmp_path_factory.mktemp("clips") / "stand.bvh"
    write_new(path, make_sample("stand", 1.0))
    return path


@EVERY_ENGINE
def test_who_is_pushed_over_spares_the_head_and_lies_still(capsys, tmp_path, stand, engine):
    def fall(name: str):
        output, report = tmp_path / f"{name}.bvh", tmp_path / f"{name}.json"
        options = ["--motion", "fall", *SHOVED, "--engine", engine, "--budget", "draft", "--report", report]
        return call(capsys, "bake", stand, "-o", output, *options), output, report

    outcome, output, report = fall("one")
    assert outcome.status == 0, outcome.out + outcome.err
    told = json.loads(report.read_text())
    fell = told["fall"]
    assert fell["head_ns"] < 0.1 * fell["limp_head_ns"]
    assert fell["blows_ns"] < 0.5 * fell["limp_blows_ns"]
    assert fell["rests_at_s"] - fell["at_s"] < 4.0
    assert told["after"]["penetration_m"] < 0.01
    assert told["assist"]["peak_bw"] == 0.0
    assert "loses its balance at 0.32 s" in outcome.out
    _, again, _ = fall("again")
    assert again.read_bytes() == output.read_bytes()


def test_a_limp_body_needs_no_search_and_the_frames_before_a_fall_stay_those_of_the_clip(capsys, tmp_path, stand):
    output, report = tmp_path / "out.bvh", tmp_path / "report.json"
    options = ["--motion", "fall", "--fall-style", "limp", *SHOVED, "--report", report]
    assert call(capsys, "bake", stand, "-o", output, *options).status == 0
    assert json.loads(report.read_text())["fall"]["tries"] == 1
    assert len(read_source(output, ClipSettings()).clip) > 100  # a second of the clip, and as long as the fall takes


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--fall-at", "20"], "--fall-at is for --motion fall, not track"),
        (["--motion", "fall", "--controller", "va"], "--motion fall is for --controller qp"),
        (["--motion", "fall", "--strength", "9"], "--strength takes a number from 0.1 to 3, not 9"),
        (["--motion", "fall", "--land-at", "1:2"], "--land-at takes three numbers in metres"),
        (["--motion", "fall", "--fall-at", "999"], "Frame 999 is none to fall from"),
        (
            ["--motion", "fall", "--fall-at", "20", "--protect", "Tail"],
            "names the bone 'Tail', which is not",
        ),
        (["--motion", "fall"], "Nothing makes the character fall"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(capsys, tmp_path, stand, options, words):
    outcome = call(capsys, "bake", stand, "-o", tmp_path / "out.bvh", *options, "--budget", "draft")
    assert outcome.status == 2
    assert words in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
