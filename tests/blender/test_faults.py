"""Whatever goes wrong in a bake: a sentence, Blender as it was, and nothing left behind."""

import errno
import os
import shutil
import signal
import time
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.baking import (
    FAULTS,
    children,
    everything,
    fake_worker,
    import_walk,
    random_moments,
    run,
    wait_until,
    work_folders,
)


@pytest.fixture
def walk(recorded, walk_clip):
    """The rig; afterwards nothing may be left of the bake, in the file or in the system."""
    bpy.ops.wm.read_homefile(use_empty=True)
    return import_walk(walk_clip)


@pytest.fixture(autouse=True)
def nothing_left(capfd):
    before = children()
    yield
    assert wait_until(lambda: children() <= before), "A process is left."
    assert wait_until(lambda: not work_folders()), work_folders()
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err


def bake(heft, recorded, walk, fault="", **settings):
    session = heft("addon.baking.bake_session").BakeSession(
        walk, bpy.context.scene, fake_worker(heft, recorded, fault, **settings)
    )
    heft("addon.baking.handlers").begin(session)  # as the operator does
    return session


def test_the_fake_worker_bakes(heft, recorded, walk):
    """Or else the others would show nothing."""
    source = walk.animation_data.action
    outcome = run(bake(heft, recorded, walk))
    assert (outcome.kind, outcome.baked) == ("INFO", True)
    assert walk.animation_data.action == walk.heft.takes[0].action != source
    assert walk.heft.takes[0].source == source


@pytest.mark.parametrize("fault", FAULTS)
def test_a_worker_that_fails(heft, recorded, walk, fault):
    code, sentence = FAULTS[fault]
    before = everything()
    outcome = run(bake(heft, recorded, walk, code, silence_s=1.0))
    assert (outcome.kind, outcome.baked) == ("ERROR", False)
    assert outcome.sentence.startswith(sentence)
    assert everything() == before


def test_a_worker_killed_from_outside(heft, recorded, walk):
    before, known = everything(), children()
    session = bake(heft, recorded, walk, "time.sleep(600)")

    def kill(status):
        if status.stage == "Simulating":
            for process in children() - known:
                os.kill(process, signal.SIGKILL)

    assert run(session, after_step=kill).sentence.startswith("The simulation was ended from outside (signal 9)")
    assert everything() == before


def test_a_result_that_holds_no_numbers(heft, recorded, walk, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(recorded, broken)
    arrays = dict(np.load(recorded / "out.npz"))
    arrays["rotations"][3] = np.nan
    np.savez(broken / "out.npz", **arrays)
    before = everything()
    outcome = run(bake(heft, broken, walk))
    assert outcome.sentence.startswith("The simulation's result cannot be used (")
    assert "not numbers" in outcome.sentence
    assert everything() == before


def test_a_result_of_other_frames(heft, recorded, walk):
    walk.heft.frame_end -= 3
    before = everything()
    outcome = run(bake(heft, recorded, walk))
    assert outcome.sentence == ("The simulation's result belongs to another character or other frames; bake again.")
    assert everything() == before


def test_a_performance_that_is_not_kept_is_a_take_with_a_warning(heft, recorded, walk):
    fault = "result(report=json.load(open(sys.argv[1] + '/report.json')) | " + (
        "dict(completed=False, why='tipped over', fell_at_frame=5), exit_status=3); sys.exit(3)"
    )
    outcome = run(bake(heft, recorded, walk, fault))
    assert (outcome.kind, outcome.baked) == ("WARNING", True)
    assert "tipped over at frame 5" in outcome.sentence
    assert not walk.heft.takes[0].completed


@pytest.mark.parametrize("where", ["mkdtemp", "write"])
def test_a_full_disk(heft, recorded, walk, monkeypatch, where):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "clip.npz")

    if where == "mkdtemp":
        monkeypatch.setattr("tempfile.mkdtemp", full)
    else:
        monkeypatch.setattr(heft("sim_core.atomic_write"), "_write", full)
    before = everything()
    outcome = run(bake(heft, recorded, walk))
    assert outcome.kind == "ERROR"
    assert "No space left on device" in outcome.sentence
    assert everything() == before


@pytest.mark.parametrize("where", ["read_rig", "read_motion", "worker_arguments", "write_action", "add_take"])
@pytest.mark.parametrize("error", [RuntimeError("two\nlines"), MemoryError(), ReferenceError("StructRNA removed")])
def test_a_fault_of_our_own(heft, recorded, walk, monkeypatch, where, error):
    def fail(*_, **__):
        raise error

    home = "write_all" if where == "write_action" else "bake_session"
    monkeypatch.setattr(heft(f"addon.baking.{home}"), where, fail)
    before = everything()
    outcome = run(bake(heft, recorded, walk))
    assert (outcome.kind, outcome.baked) == ("ERROR", False)
    if isinstance(error, RuntimeError):
        assert "RuntimeError: two lines" in outcome.sentence
        log = Path(outcome.sentence.split("'")[1])
        assert "in fail" in log.read_text()
    assert everything() == before


@pytest.mark.parametrize("moment", random_moments(10, seed=7))
def test_cancel_at_any_moment(heft, recorded, walk, moment):
    """From the first slice to the last, and again after the worker was started in between."""
    before = everything()
    slow = "for i in range(20): say(type='progress', stage='Simulating', overall=i / 20); time.sleep(0.02)"
    steps = []
    run(bake(heft, recorded, walk, slow), after_step=steps.append)
    undo_bake(heft, walk)
    assert everything() == before
    session = bake(heft, recorded, walk, slow)
    at = int(moment * len(steps))
    asked = 0.0

    def cancel(_, taken=iter(range(10**9))):  # noqa: B008 - it counts the steps of this run alone
        nonlocal asked
        if next(taken) == at:
            asked = time.monotonic()
            session.cancel()

    outcome = run(session, after_step=cancel)
    if asked:  # it may have been faster than the first time
        assert (outcome.sentence, outcome.kind) == ("Cancelled; nothing was changed.", "INFO")
        assert time.monotonic() - asked < 5.0
        assert everything() == before


def undo_bake(heft, walk):
    heft("addon.takes.takes").delete_take(walk, 0)
    source = walk.animation_data.action
    source.use_fake_user = False


STAGES = ["Reading the animation", "Simulating", "Writing the take"]


def at_stage(stage, act):
    """Act once, in the middle of a stage, where reading and writing have temporary things in the file."""
    seen, done = [], []

    def look(status):
        if status.stage == stage and (stage == "Simulating" or not status.waits):
            seen.append(status)
        if len(seen) == 4 and not done:
            done.append(True)
            act()

    return look, done


@pytest.mark.parametrize("stage", STAGES)
def test_deleting_the_armature(heft, recorded, walk, stage):
    look, done = at_stage(stage, lambda: bpy.data.objects.remove(walk))
    source = walk.animation_data.action.name
    names = everything()["names"]
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert outcome.kind == "ERROR"
    assert "was deleted while it was baked" in outcome.sentence
    names["objects"] = []
    assert everything()["names"] == names
    assert bpy.data.actions[source].users == 0


@pytest.mark.parametrize("stage", STAGES)
def test_renaming_the_armature_is_no_reason_to_stop(heft, recorded, walk, stage):
    look, done = at_stage(stage, lambda: setattr(walk, "name", "Renamed"))
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert outcome.sentence.startswith("'Renamed' plays Take 1")


@pytest.mark.parametrize("stage", STAGES)
def test_deleting_the_source_action(heft, recorded, walk, stage):
    look, done = at_stage(stage, lambda: bpy.data.actions.remove(walk.animation_data.action))
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    if outcome.baked:  # while it was written from: the take has all that it needs
        assert stage == "Writing the take"
    else:
        assert outcome.kind == "ERROR"
        assert list(bpy.data.actions) == []


def test_another_action_meanwhile_does_not_get_into_the_take(heft, recorded, walk):
    source = walk.animation_data.action
    other = bpy.data.actions.new("Other")
    other.use_fake_user = True
    look, done = at_stage("Simulating", lambda: setattr(walk.animation_data, "action", other))
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert outcome.baked
    assert walk.heft.takes[0].source == source


def test_deleting_a_bone(heft, recorded, walk):
    def act():
        bpy.context.view_layer.objects.active = walk
        bpy.ops.object.mode_set(mode="EDIT")
        walk.data.edit_bones.remove(walk.data.edit_bones[-1])
        bpy.ops.object.mode_set(mode="OBJECT")

    look, done = at_stage("Simulating", act)
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert "The bones of" in outcome.sentence
    assert len(bpy.data.actions) == 1


@pytest.mark.parametrize("stage", STAGES)
def test_loading_a_file(heft, recorded, walk, stage, tmp_path):
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    before = everything()
    look, done = at_stage(stage, lambda: bpy.ops.wm.open_mainfile(filepath=path))
    outcome = run(bake(heft, recorded, walk, "time.sleep(600)" * (stage == "Simulating")), after_step=look)
    assert done
    assert outcome.sentence == "Cancelled; nothing was changed."
    assert heft("addon.baking.handlers").running() is None
    assert everything() == before


@pytest.mark.parametrize("stage", STAGES)
def test_saving_a_file(heft, recorded, walk, stage, tmp_path):
    """The bake goes on, and the file holds nothing of it."""
    path = str(tmp_path / "scene.blend")
    before = everything()
    look, done = at_stage(stage, lambda: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True))
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert outcome.baked, outcome
    bpy.ops.wm.open_mainfile(filepath=path)
    assert everything() == before


@pytest.mark.parametrize("stage", STAGES)
def test_undo(heft, recorded, walk, stage):
    """The bake goes on, on the rig as undo made it."""
    bpy.ops.ed.undo_push(message="before")
    walk.location.x = 3.0
    bpy.ops.ed.undo_push(message="moved")
    look, done = at_stage(stage, bpy.ops.ed.undo)
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert outcome.baked, outcome
    walk = bpy.data.objects[0]
    assert walk.location.x == 0.0
    assert len(bpy.data.objects) == len(bpy.data.scenes) == 1
    assert len(bpy.data.actions) == 2


@pytest.mark.parametrize("stage", STAGES)
def test_undo_to_before_the_rig(heft, recorded, walk_clip, stage):
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.ed.undo_push(message="empty")
    before = everything()["names"]
    walk = import_walk(walk_clip)
    bpy.ops.ed.undo_push(message="imported")
    look, done = at_stage(stage, bpy.ops.ed.undo)
    outcome = run(bake(heft, recorded, walk, "time.sleep(0.3)"), after_step=look)
    assert done
    assert "was deleted while it was baked" in outcome.sentence
    assert everything()["names"] == before


@pytest.mark.parametrize("stage", ["Reading the animation", "Writing the take"])
def test_an_undo_step_made_during_a_bake_brings_nothing_back(heft, recorded, walk, stage):
    bpy.ops.ed.undo_push(message="before")
    look, done = at_stage(stage, lambda: bpy.ops.ed.undo_push(message="something"))
    assert run(bake(heft, recorded, walk), after_step=look).baked
    bpy.ops.ed.undo_push(message="baked")
    assert done
    heft("addon.baking.handlers").end()
    bpy.ops.ed.undo()
    assert len(bpy.data.scenes) == len(bpy.data.objects) == len(bpy.data.actions) == 1
    assert len(bpy.data.objects[0].heft.takes) == 0


@pytest.mark.parametrize("stage", STAGES)
def test_disabling_the_extension(heft, recorded, walk, stage):
    look, done = at_stage(stage, heft("addon").unregister)  # disabling it in the preferences unpacks wheels too
    source = walk.animation_data.action
    try:
        outcome = run(bake(heft, recorded, walk, "time.sleep(600)" * (stage == "Simulating")), after_step=look)
    finally:
        heft("addon").register()
    assert done
    assert outcome.sentence == "Cancelled; nothing was changed."
    assert walk.animation_data.action == source
    assert len(bpy.data.scenes) == len(bpy.data.objects) == len(bpy.data.actions) == 1


def test_close_from_any_state_any_number_of_times(heft, recorded, walk):
    before = everything()
    for steps in range(12):
        session = bake(heft, recorded, walk, "time.sleep(600)")
        for _ in range(steps):
            session.step(0.0)
        session.close()
        session.close()
        assert session.step().sentence == "Cancelled; nothing was changed."
        assert everything() == before
