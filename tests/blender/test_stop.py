"""Stop: the best so far becomes a take, and the panel says what it is."""

import json
import time
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.baking import (
    LAST_FRAME,
    children,
    everything,
    fake_command,
    fake_worker,
    import_walk,
    run,
    wait_until,
    work_folders,
)

# A worker that goes on until it is told to stop, notes all that it is told, and then says how far it came.
UNTIL_STOPPED = """
import select
said = sys.stdin.readline()
deadline = time.monotonic() + 0.5
while time.monotonic() < deadline:
    say(type='progress', stage='Cleaning', fraction=0.0, overall=0.9)
    if select.select([sys.stdin], [], [], 0.05)[0]:
        said += sys.stdin.readline()
open(os.path.join(sys.argv[1], 'told.txt'), 'w').write(said)
report = json.load(open(os.path.join(sys.argv[1], 'report.json')))
result(report=report | {changes}, exit_status={status})
sys.exit({status})
"""
STOPPING = "Stopping: keeping the best so far"


def until_stopped(status=0, **changes):
    changes = {"budget": "good", "stopped": True, "simulated_to_frame": None, "given_up": [], **changes}
    return UNTIL_STOPPED.replace("{changes}", repr(changes)).replace("{status}", str(status))


@pytest.fixture
def walk(recorded, walk_clip):
    bpy.ops.wm.read_homefile(use_empty=True)
    return import_walk(walk_clip)


@pytest.fixture(autouse=True)
def nothing_left():
    before = children()
    yield
    assert wait_until(lambda: children() <= before), "A process is left."
    assert wait_until(lambda: not work_folders()), work_folders()


def tick_until(tick) -> None:
    deadline = time.monotonic() + 20.0
    while not tick():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def told(recorded: Path) -> list[dict]:
    return [json.loads(line) for line in (recorded / "told.txt").read_text().splitlines()]


@pytest.mark.parametrize(
    ("changes", "kind", "sentence"),
    [
        ({"simulated_to_frame": 9}, "INFO", "stopped at frame 9; frames 10 to 16 are the source's."),
        ({"simulated_to_frame": 15}, "INFO", "stopped at frame 15; frame 16 is the source's."),
        ({"simulated_to_frame": 0}, "INFO", "before its first frame was simulated; all frames are the source's."),
        ({}, "INFO", "plays Take 1, frames 1 to 16: stopped, with the best so far."),
        (
            {"status": 3, "completed": False, "why": "tipped over", "fell_at_frame": 5},
            "WARNING",
            "Stopped, and in the best so far the character tipped over at frame 5; let it search longer",
        ),
        (
            {"status": 3, "completed": False, "why": None, "simulated_to_frame": 9},
            "INFO",
            "stopped at frame 9; frames 10 to 16 are the source's.",
        ),
        (
            {"status": 3, "completed": False, "why": "tipped over", "fell_at_frame": 5, "simulated_to_frame": 9},
            "WARNING",
            "are the source's. Before that the character tipped over at frame 5.",
        ),
    ],
)
def test_stop_through_the_operators(heft, recorded, walk, monkeypatch, changes, kind, sentence):
    """As a script goes, with a press of the button at every tick."""
    command = fake_command(recorded, until_stopped(**changes))
    monkeypatch.setattr(heft("addon.baking.bake_session"), "worker_command", command)
    presses = []

    def tick(_):
        if bpy.ops.heft.stop.poll():
            presses.append(bpy.ops.heft.stop())

    monkeypatch.setattr(heft("addon.baking.running_bake").time, "sleep", tick)
    assert bpy.ops.heft.bake() == {"FINISHED"}
    monkeypatch.undo()
    assert presses == [{"FINISHED"}]
    assert told(recorded) == [{"type": "stop"}]
    (take,) = walk.heft.takes
    assert walk.animation_data.action == take.action
    status = bpy.context.window_manager.heft
    assert sentence in status.sentence
    assert status.sentence_kind == kind
    assert take.completed == (kind == "INFO")


def test_the_message_is_sent_once_however_often_it_is_asked_for(heft, recorded, walk):
    session = heft("addon.baking.bake_session").BakeSession(
        walk, bpy.context.scene, fake_worker(heft, recorded, until_stopped())
    )
    stages = []

    def press(status):
        stages.append(status.stage)
        session.stop()

    assert run(session, after_step=press).baked
    assert told(recorded) == [{"type": "stop"}]
    assert STOPPING in stages
    assert not {"Simulating", "Cleaning"} & set(stages[stages.index(STOPPING) :])
    assert stages[-1] == "Writing the take"


def test_there_is_nothing_to_stop_while_the_animation_is_read(heft, recorded, walk):
    session = heft("addon.baking.bake_session").BakeSession(
        walk, bpy.context.scene, fake_worker(heft, recorded, "time.sleep(600)")
    )
    before = everything()
    assert not bpy.ops.heft.stop.poll()
    handlers = heft("addon.baking.handlers")
    handlers.begin(session)
    session.step(0.0)
    assert not bpy.ops.heft.stop.poll()
    assert session.why_not_stop() == "Nothing is being simulated: the animation is being read, or the take written."
    session.stop()
    while not bpy.ops.heft.stop.poll():
        session.step()
    bpy.ops.heft.stop()
    assert not bpy.ops.heft.stop.poll()
    assert session.why_not_stop() == f"{STOPPING}."
    bpy.ops.heft.cancel()  # what is being stopped can still be cancelled
    session.cancel()
    assert run(session).sentence == "Cancelled; nothing was changed."
    handlers.end()
    bpy.context.window_manager.heft.cancel = False
    assert everything() == before


@pytest.mark.parametrize("escape", [False, True])
def test_stop_beside_the_persons_work(heft, recorded, walk, monkeypatch, escape):
    """The modal operator, with a window manager that only counts timers; Esc stays cancel."""
    fault = "time.sleep(600)" if escape else until_stopped(simulated_to_frame=9)
    monkeypatch.setattr(heft("addon.baking.bake_session"), "worker_command", fake_command(recorded, fault))
    running, sessions = heft("addon.baking.running_bake"), heft("addon.baking.bake_session")
    reports, timers = [], []

    class Operator(running.RunningBake):
        def new_session(self, context):
            return sessions.BakeSession(walk, bpy.context.scene)

        def report(self, kind, sentence):
            reports.append((kind, sentence))

    status = bpy.context.window_manager.heft
    manager = SimpleNamespace(
        heft=status,
        windows=[],
        event_timer_add=lambda step, window: timers.append(step) or step,
        event_timer_remove=timers.remove,
        modal_handler_add=lambda operator: None,
    )
    context = SimpleNamespace(window_manager=manager, window=None)
    operator, timer = Operator(), SimpleNamespace(type="TIMER", value="NOTHING")
    assert operator.invoke(context, timer) == {"RUNNING_MODAL"}
    tick_until(lambda: operator.modal(context, timer) and status.stage == "Simulating")
    bpy.ops.heft.stop()
    operator.modal(context, timer)
    assert status.stage == STOPPING
    assert status.time_left_s == -1.0
    if escape:
        operator.modal(context, SimpleNamespace(type="ESC", value="PRESS"))
    ended = {"CANCELLED"} if escape else {"FINISHED"}
    tick_until(lambda: operator.modal(context, timer) == ended)
    sentence = (
        "Cancelled; nothing was changed."
        if escape
        else f"'{walk.name}' plays Take 1, stopped at frame 9; frames 10 to {LAST_FRAME} are the source's."
    )
    assert reports == [({"INFO"}, sentence)]
    assert status.sentence == sentence
    assert (status.running, timers, len(walk.heft.takes)) == (False, [], 0 if escape else 1)
