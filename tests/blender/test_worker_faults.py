"""The worker of the installed extension itself, killed, stopped, misled and starved: one call, one sentence."""

import math
import os
import re
import signal
import threading
import time

import bpy
import pytest

from tests.blender.baking import (
    children,
    curve_bytes,
    curves_of,
    everything,
    import_walk,
    random_moments,
    run,
    wait_until,
    work_folders,
)

NO_NUMBERS = """
import numpy
from sim_core.engines import bullet, mujoco
def spoil(cls, name):
    read, calls = getattr(cls, name), iter(range(10**9))
    def state(self):
        found = read(self)
        return found._replace(q=found.q * numpy.nan) if next(calls) > 100 else found
    setattr(cls, name, state)
spoil(bullet.BulletEngine, "_read_state")
spoil(mujoco.MujocoEngine, "_state")
"""
# What the worker's Python runs before the worker -> how the sentence begins that tells of it.
MISLED = {
    "a full disk": (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))",
        r".* \(File too large\); check its name, folder and disk\.",
    ),
    "a missing library": ("import sys; sys.modules['scipy'] = None", "Heft met a fault of its own"),
    "a crash": (
        "import ctypes, threading; threading.Timer(0.3, ctypes.string_at, (0,)).start()",  # before the bake is done
        r"The simulation crashed \(signal 11",
    ),
}


@pytest.fixture
def walk(walk_clip):
    return import_walk(walk_clip)


@pytest.fixture(autouse=True)
def nothing_left(capfd):
    before = children()
    yield
    assert wait_until(lambda: children() <= before), "A process is left."
    assert wait_until(lambda: not work_folders()), work_folders()
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err


def said_instead_of_a_take() -> str:
    """Bakes as a script does; the file must be as it was. Returns the sentence."""
    before = everything()
    with pytest.raises(RuntimeError) as said:
        bpy.ops.heft.bake()
    assert everything() == before
    (sentence,) = str(said.value).strip().splitlines()
    assert sentence.endswith(".")
    return sentence.removeprefix("Error: ")


@pytest.fixture
def mislead(heft, monkeypatch):
    """Call it with what the worker shall run before it begins."""
    python = heft("addon.baking.worker_environment").worker_python()

    def change(code):
        program = f"{code}\nimport runpy\nrunpy.run_module('sim_core', run_name='__main__', alter_sys=True)"
        command = [python, "-c", program]
        monkeypatch.setattr(heft("addon.baking.bake_session"), "worker_command", lambda given: [*command, *given])

    return change


@pytest.mark.parametrize("fault", MISLED)
def test_a_worker_that_is_misled(walk, mislead, monkeypatch, fault):
    code, sentence = MISLED[fault]
    mislead(code)
    said = said_instead_of_a_take()
    assert re.match(sentence, said), said
    monkeypatch.undo()
    assert bpy.ops.heft.bake() == {"FINISHED"}  # nothing of it lasts


def test_an_engine_that_gives_no_numbers(walk, mislead):
    """The take goes as far as there were numbers, and says so; one pass, since a search would go round it."""
    mislead(NO_NUMBERS)
    walk.heft.budget_choice, walk.heft.assist = "DRAFT", "NONE"
    source = walk.animation_data.action
    keys = curve_bytes(source)
    assert bpy.ops.heft.bake() == {"FINISHED"}
    status = bpy.context.window_manager.heft
    assert re.search(r"the character broke down at frame \d+;", status.sentence)
    assert status.sentence_kind == "WARNING"
    (take,) = walk.heft.takes
    assert not take.completed
    assert curve_bytes(source) == keys
    for curve in curves_of(take.action):
        assert all(math.isfinite(number) for key in curve.keyframe_points for number in key.co)


def test_a_worker_that_is_killed(walk):
    """While the operator blocks, as from a terminal or by a system that is short of memory."""
    known = children()

    def kill():
        assert wait_until(lambda: bool(children() - known), timeout_s=20.0)
        for process in children() - known:
            os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    said = said_instead_of_a_take()
    killer.join()
    assert said.startswith("The simulation was ended from outside (signal 9)")


def test_a_worker_that_is_stopped(heft, walk, monkeypatch):
    session = heft("addon.baking.bake_session")
    job, surroundings = heft("addon.baking.bake_job").BakeJob, heft("addon.baking.worker_environment")

    def start_and_stop(arguments, folder):
        started = job(surroundings.worker_command(arguments), surroundings.worker_environment(), folder, silence_s=1.0)
        os.kill(started.pid, signal.SIGSTOP)
        return started

    before = everything()
    outcome = run(session.BakeSession(walk, bpy.context.scene, start_and_stop))
    assert outcome.sentence.startswith("The simulation said nothing for 1 seconds")
    assert everything() == before


def test_a_full_disk_before_the_worker_starts(walk):
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        said = said_instead_of_a_take()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in said


def test_cancel_at_any_moment(heft, walk):
    """Ten moments over what a whole bake takes."""
    session_type = heft("addon.baking.bake_session").BakeSession
    before = everything()
    began = time.monotonic()
    assert run(session_type(walk, bpy.context.scene)).baked
    took = time.monotonic() - began
    bpy.ops.heft.delete_take("EXEC_DEFAULT")
    walk.animation_data.action.use_fake_user = False
    assert everything() == before
    for moment in random_moments(10, seed=11):
        session = session_type(walk, bpy.context.scene)
        began, asked = time.monotonic(), []

        def cancel(_, session=session, at=began + 0.9 * moment * took, asked=asked):
            if not asked and time.monotonic() >= at:
                asked.append(time.monotonic())
                session.cancel()

        outcome = run(session, after_step=cancel)
        if outcome.baked:  # it was faster than the first time
            bpy.ops.heft.delete_take("EXEC_DEFAULT")
            walk.animation_data.action.use_fake_user = False
            continue
        assert outcome.sentence == "Cancelled; nothing was changed."
        assert time.monotonic() - asked[0] < 2.0
        assert everything() == before
