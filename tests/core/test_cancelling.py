"""A cancel is heard everywhere: whatever a run is doing, it stops there, and leaves nothing behind."""

import contextlib
import json
import os
import signal
import threading
import time

import pytest

from sim_core import atomic_write, bake, commands
from sim_core.cancelling import CancelSwitch
from sim_core.cli import main
from sim_core.errors import Cancelled
from sim_core.motion.source_clip import write_new
from sim_core.progress import Course, Silent
from sim_core.samples.catalogue import make_sample
from sim_core.simulation import simulator
from tests.command_line import call


@pytest.fixture
def arguments(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_new(tmp_path / "clip.bvh", make_sample("stand", 0.1))
    return ["bake", "clip.bvh", "-o", "out.bvh", "--report", "r.json", "--assist", "300", "--engine", "mujoco"]


STEPS = [
    *[(commands, name) for name in ("settings_from", "check_writable", "read_performance")],
    *[(bake, name) for name in ("measure_frames", "reading", "reference_forces", "search_clip", "recover_clip")],
    *[(simulator, name) for name in ("make_controller", "simulate_stretch")],
    (commands, "result_bytes"),
]


@pytest.mark.parametrize(("module", "name"), STEPS, ids=[name for _, name in STEPS])
def test_a_signal_in_every_step(capsys, monkeypatch, arguments, module, name):
    """Nothing here looks whether it was cancelled; the signal alone must do."""

    def interrupted(*_, **__):
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("It went on.")

    monkeypatch.setattr(module, name, interrupted)
    outcome = call(capsys, *arguments, "--controller", "pd")  # it has every step
    assert outcome == (130, "", "Cancelled; nothing was written.\n")
    assert os.listdir(".") == ["clip.bvh"]


def test_a_signal_between_two_drafts(monkeypatch, tmp_path):
    written = []

    def interrupted(descriptor):
        written.append(descriptor)
        if len(written) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "fsync", interrupted)
    with CancelSwitch() as switch, pytest.raises(KeyboardInterrupt):
        atomic_write.replace_files({tmp_path / name: b"new" for name in "abc"}, switch.no_way_back)
    assert os.listdir(tmp_path) == []


def test_a_signal_that_a_library_swallows(capsys, monkeypatch, arguments):
    simulate = simulator.simulate_stretch

    def swallowing(*positional, **named):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        return simulate(*positional, **named)

    monkeypatch.setattr(simulator, "simulate_stretch", swallowing)
    assert call(capsys, *arguments).status == 130
    assert os.listdir(".") == ["clip.bvh"]


def test_a_signal_that_a_library_turns_into_its_own_error(capsys, monkeypatch, arguments):
    def mistaken(*_):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("multiarray failed to import") from None

    monkeypatch.setattr(commands, "read_performance", mistaken)
    assert call(capsys, *arguments) == (130, "", "Cancelled; nothing was written.\n")


def test_too_late(capsys, monkeypatch, arguments):
    """Once the first file is in its place, all of them are, and the run says so."""
    replace = os.replace

    def interrupted(draft, path):
        signal.raise_signal(signal.SIGTERM)
        replace(draft, path)

    monkeypatch.setattr(os, "replace", interrupted)
    assert call(capsys, *arguments).status == 0
    assert sorted(os.listdir(".")) == ["clip.bvh", "out.bvh", "r.json"]


def test_at_the_last_moment(tmp_path):
    with CancelSwitch() as switch:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Cancelled):
            atomic_write.replace_files({tmp_path / "a": b"a"}, switch.no_way_back)
    assert os.listdir(tmp_path) == []


def test_another_thread_throws_the_switch():
    with CancelSwitch() as switch:
        threading.Timer(0.05, switch.throw).start()
        with pytest.raises(KeyboardInterrupt):
            _work_for(5.0)
    assert switch.cancelled()


def _work_for(seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        time.sleep(0.01)


def test_in_another_thread_nothing_is_interrupted(arguments):
    """A program that calls main in a thread keeps its own signals."""
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(main(["inspect", "clip.bvh", "--progress", "none"])))
    before = signal.getsignal(signal.SIGINT)
    thread.start()
    assert signal.getsignal(signal.SIGINT) is before
    thread.join()
    assert statuses == [0]


def test_pipes_are_followed_and_nothing_else_is(tmp_path):
    (tmp_path / "file").write_text("")
    switch = CancelSwitch()
    switch.follow(None)
    for path in (tmp_path / "file", os.devnull):
        with open(path) as stream:
            switch.follow(stream)
            time.sleep(0.02)
        switch.follow(stream)  # closed: nothing to follow
    assert not switch.cancelled()
    end, other = os.pipe()
    with os.fdopen(end) as stream:
        switch.follow(stream)
        os.write(other, json.dumps({"type": "cancel"}).encode()[:10])
        time.sleep(0.02)
        assert not switch.cancelled()
        os.write(other, json.dumps({"type": "cancel"}).encode()[10:] + b"\n")
        deadline = time.monotonic() + 5
        while not switch.cancelled() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert switch.cancelled()
        os.close(other)


class Remembers(Silent):
    def __init__(self):
        self.heard = []

    def stage(self, name, fraction, overall):
        self.heard.append((name, fraction, overall))


def test_a_course_leaps_but_never_goes_back():
    listener = Remembers()
    course = Course(listener)
    look = course.stage("look", 1.0, then=9.0)
    look(0.5)
    look(2.0)
    course.stage("try", 3.0, then=6.0)(0.1)  # stopped early: what it did not do needs no doing
    course.stage("try again", 3.0, then=1.0)(1.0)
    course.stage("end", 1.0, then=0.0)(1.0)
    overall = [heard[2] for heard in listener.heard]
    assert overall == sorted(overall)
    assert listener.heard[1:3] == [("look", 0.5, pytest.approx(0.05)), ("look", 1.0, pytest.approx(0.1))]
    assert overall[-1] == pytest.approx(1.0)
