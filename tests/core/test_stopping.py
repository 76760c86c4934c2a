"""A stop keeps the best so far, a cancel discards it: through the real worker, in every part of a search."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim_core.motion.clip import Clip
from sim_core.motion.source_clip import read_source, write_new
from sim_core.samples.catalogue import make_sample
from sim_core.settings import ClipSettings
from sim_core.simulation import simulator
from tests.command_line import call, start, wait_for

FRAMES = 61
PUSHED = "bone=chest,at=0.1,for=0.2,force=0:1500:0"  # beyond recovery, whatever the variation
SOON_S = 5.0  # a moment; a test never has the machine for itself
posix = pytest.mark.skipif(os.name != "posix", reason="Windows ends processes without asking them.")


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("source") / "stand.bvh"
    write_new(path, make_sample("stand", (FRAMES - 1) / 60.0))
    return path


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("source") / "squat.bvh"
    write_new(path, make_sample("squat", 8.0))
    return path


class Bake(NamedTuple):
    worker: "subprocess.Popen[str]"
    folder: Path

    def ask(self, what: str) -> float:
        """A line on standard input; the moment it was sent."""
        self.worker.stdin.write(json.dumps({"type": what}) + "\n")
        self.worker.stdin.flush()
        return time.monotonic()

    def end(self) -> dict[str, Any]:
        """The last message; the output, with its report, is in the folder."""
        last = self.worker.stdout.read().splitlines()[-1]  # standard input stays open: its end would be a cancel
        self.worker.wait(timeout=60)
        assert self.worker.stderr.read() == ""
        return json.loads(last)


@pytest.fixture
def bake(tmp_path):
    started = []

    def begin(clip: Path, *more: object) -> Bake:
        arguments = ["bake", clip, "-o", tmp_path / "out.bvh", "--report", tmp_path / "r.json", "--progress", "json"]
        worker = start([*arguments, "--engine", "mujoco", *more], stdin=subprocess.PIPE)
        started.append(worker)
        return Bake(worker, tmp_path)

    yield begin
    for worker in started:
        worker.kill()
        worker.wait()


def _read(path: Path) -> Clip:
    return read_source(path, ClipSettings(metres_per_unit=1.0, up="z")).clip


def _searching(bake, clip: Path, workers: int, *more: object) -> Bake:
    """A bake that tries variations, and would for minutes."""
    begun = bake(clip, "--push", PUSHED, "--budget", "best", "--workers", workers, *more)
    wait_for(begun.worker, "variations", fraction=0.01)
    return begun


def _said(what: str, began: float, capsys) -> None:
    """How long it took, for whoever looks (pytest -s)."""
    seconds = time.monotonic() - began
    with capsys.disabled():
        print(f"\n  {what}: {seconds:.2f} s")
    assert seconds < SOON_S


def _assert_kept(begun: Bake, frames: int) -> dict[str, Any]:
    last = begun.end()
    report = json.loads((begun.folder / "r.json").read_text())
    assert last["type"] == "result"
    assert last["exit_status"] == begun.worker.returncode == (0 if report["completed"] else 3)
    assert report["stopped"] is True
    assert report["frames"] == len(_read(begun.folder / "out.bvh")) == frames
    return report


def _assert_cancelled(begun: Bake) -> None:
    last = begun.end()
    assert (last["type"], last["exit_status"], begun.worker.returncode) == ("error", 130, 130)
    assert os.listdir(begun.folder) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_during_the_search_keeps_the_best_so_far(bake, clip, capsys, workers):
    begun = _searching(bake, clip, workers)
    asked = begun.ask("stop")
    wait_for(begun.worker, "Looking at the result")
    _said(f"a stop, {workers} processes, until the simulation ends", asked, capsys)
    report = _assert_kept(begun, FRAMES)
    assert report["simulated_to_frame"] is None
    assert report["assist"]["mean_bw"] > 0.0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cancel_during_the_search_leaves_nothing(bake, clip, capsys, workers):
    begun = _searching(bake, clip, workers)
    children = _children(begun.worker.pid)
    asked = begun.ask("cancel")
    _assert_cancelled(begun)
    _said(f"a cancel, {workers} processes, until the worker is gone", asked, capsys)
    while any(map(_lives, children)) and time.monotonic() < asked + SOON_S:
        time.sleep(0.02)
    assert not any(map(_lives, children))


def test_a_stop_before_anything_is_simulated_is_a_cancel(bake, clip):
    begun = bake(clip)
    wait_for(begun.worker, "Reading the clip", "Looking at the source")
    begun.ask("stop")
    _assert_cancelled(begun)


def test_a_stop_in_the_first_pass_goes_over_into_the_source(bake, long_clip, capsys):
    begun = bake(long_clip)
    wait_for(begun.worker, "Simulating", fraction=0.2)
    asked = begun.ask("stop")
    wait_for(begun.worker, "Looking at the result")
    _said("a stop in the first pass, until the simulation ends", asked, capsys)
    source = _read(long_clip)
    report = _assert_kept(begun, len(source))
    assert (report["completed"], report["why"], report["fell_at_frame"]) == (False, None, None)
    to = report["simulated_to_frame"]
    assert 0.1 * len(source) < to < len(source) - 30
    result = _read(begun.folder / "out.bvh")
    rest = slice(to + 20, None)  # a third of a second later
    np.testing.assert_allclose(result.rotations[rest], source.rotations[rest], atol=1e-6)
    np.testing.assert_allclose(result.positions[rest], source.positions[rest], atol=1e-6)
    assert np.abs(result.rotations[:to] - source.rotations[:to]).max() > 1e-4


@posix
def test_the_first_ctrl_c_stops(bake, clip):
    begun = _searching(bake, clip, 2)
    begun.worker.send_signal(signal.SIGINT)
    _assert_kept(begun, FRAMES)


@posix
def test_the_second_ctrl_c_cancels(bake, clip, tmp_path):
    """The picture takes its time, so that the second comes before everything is written."""
    pytest.importorskip("matplotlib", reason="Runs where matplotlib is installed.")
    begun = _searching(bake, clip, 1, "--picture", tmp_path / "p.png")
    begun.worker.send_signal(signal.SIGINT)
    wait_for(begun.worker, "Looking at the result")
    begun.worker.send_signal(signal.SIGINT)
    _assert_cancelled(begun)


@posix
def test_the_second_ctrl_c_cancels_what_has_not_yet_heard_the_first(capsys, monkeypatch, tmp_path, clip):
    simulated = []

    def interrupted(*_, **__):
        simulated.append(True)
        signal.raise_signal(signal.SIGINT)
        assert len(simulated) == 1  # the first has only been noted
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("It went on.")

    monkeypatch.setattr(simulator, "simulate_stretch", interrupted)
    outcome = call(capsys, "bake", clip, "-o", tmp_path / "out.bvh", "--engine", "mujoco", "--progress", "none")
    assert outcome == (130, "", "Cancelled; nothing was written.\n")
    assert (len(simulated), os.listdir(tmp_path)) == (1, [])


def _children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")  # only Linux has it
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def _lives(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"
