"""The worker process as Blender sees it, with workers that do everything wrong that a process can do wrong."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.addon_modules import addon_module

bake_job = addon_module("baking.bake_job")
BakeJob, Failed, Finished, Progress = bake_job.BakeJob, bake_job.Failed, bake_job.Finished, bake_job.Progress
TimeLeft = addon_module("baking.time_left").TimeLeft
posix = pytest.mark.skipif(os.name != "posix", reason="Runs where processes have signals: on Linux and macOS.")
SAY = "import json, os, sys, time\ndef say(**m): print(json.dumps(m), flush=True)\n"


def start(folder: Path, program: str, **settings) -> BakeJob:
    return BakeJob([sys.executable, "-c", SAY + program], os.environ, folder, **settings)


def run(job: BakeJob, timeout_s: float = 30.0) -> list:
    """Every event up to the last; fails where there is none, or more than one end."""
    events = []
    deadline = time.monotonic() + timeout_s
    while not (events and isinstance(events[-1], Finished | Failed)):
        assert time.monotonic() < deadline, f"no end after {timeout_s} s: {events}"
        events += job.poll()
        time.sleep(0.01)
    assert sum(isinstance(event, Finished | Failed) for event in events) == 1
    assert job.poll() == []
    assert_gone(job)
    return events


def assert_gone(job: BakeJob) -> None:
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline:
        try:
            os.kill(job.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("The worker is still there.")


def sentence(job: BakeJob) -> str:
    end = run(job)[-1]
    assert isinstance(end, Failed)
    assert end.sentence.endswith(".")
    assert "\n" not in end.sentence
    assert "Traceback" not in end.sentence
    return end.sentence


RESULT = """
open('out.npz', 'w').write('x')
say(type='progress', stage='Simulating', fraction=0.5, overall=0.25)
time.sleep(0.2)
say(type='result', output=os.path.abspath('out.npz'), report={'frames': 3}, exit_status=%d)
sys.exit(%d)
"""


@pytest.mark.parametrize(("status", "kept"), [(0, True), (3, False)])
def test_a_result(tmp_path, status, kept):
    *progress, end = run(start(tmp_path, RESULT % (status, status)))
    assert progress == [Progress(stage="Simulating", overall=0.25, time_left_s=None)]
    assert end == Finished(output=tmp_path / "out.npz", report={"frames": 3}, kept=kept)


def test_a_worker_that_does_not_end_after_its_result(tmp_path):
    asked = time.monotonic()
    events = run(start(tmp_path, RESULT.replace("sys.exit(%d)", "time.sleep(60)") % 0))
    assert isinstance(events[-1], Finished)
    assert time.monotonic() - asked < 20


def test_a_crash_after_the_result_costs_nothing(tmp_path):
    assert isinstance(run(start(tmp_path, RESULT.replace("sys.exit(%d)", "os.abort()") % 0))[-1], Finished)


def test_a_result_without_its_file(tmp_path):
    said = sentence(start(tmp_path, "say(type='result', output='/nowhere/out.npz', report={}, exit_status=0)"))
    assert said == "The result of the simulation is not where it should be; bake again."


def test_an_error_is_passed_on_as_it_is(tmp_path):
    assert sentence(start(tmp_path, "say(type='error', message='No feet.', exit_status=2); sys.exit(2)")) == "No feet."


@posix
def test_killed_from_outside(tmp_path):
    job = start(tmp_path, "say(type='progress', stage='Simulating', fraction=0, overall=0); time.sleep(60)")
    while not job.poll():
        time.sleep(0.01)
    os.kill(job.pid, signal.SIGKILL)
    assert sentence(job).startswith("The simulation was ended from outside (signal 9); if memory was short")


@posix
def test_a_crash(tmp_path):
    program = "import signal; os.write(2, b'engine: bad\\n'); os.kill(os.getpid(), signal.SIGSEGV)"
    assert sentence(start(tmp_path, program)).startswith("The simulation crashed (signal 11: engine: bad);")


@pytest.mark.parametrize("status", [0, 1])
def test_an_end_without_a_word(tmp_path, status):
    assert f"without a result (exit status {status})" in sentence(start(tmp_path, f"sys.exit({status})"))


def test_last_words_of_a_python_that_lacks_something(tmp_path):
    said = sentence(start(tmp_path, "import nothing_of_that_name"))
    assert "ModuleNotFoundError: No module named 'nothing_of_that_name'" in said


def test_a_program_that_is_not_there(tmp_path):
    job = BakeJob([str(tmp_path / "python")], os.environ, tmp_path)
    (end,) = job.poll()
    assert end.sentence.startswith("The simulation could not be started (No such file or directory: '")
    assert job.poll() == []
    job.kill()


def test_silence(tmp_path):
    program = "say(type='progress', stage='Simulating', fraction=0, overall=0); time.sleep(60)"
    assert sentence(start(tmp_path, program, silence_s=1)).startswith("The simulation said nothing for 1 seconds")


def test_noise_is_no_sign_of_life(tmp_path):
    program = "while True: print('still here', flush=True); time.sleep(0.01)"
    assert sentence(start(tmp_path, program, silence_s=1)).startswith("The simulation said nothing for 1 seconds")


@pytest.mark.parametrize("noise", ["os.write(1, os.urandom(65536))", "os.write(1, b'x' * 65536)"])
def test_endless_noise(tmp_path, noise):
    said = sentence(start(tmp_path, f"while True: {noise}"))
    assert said == "The simulation sent something that Heft cannot read; reinstall Heft."


WRONG = [
    *("null", "7", "[]", '"progress"', "{", "{}", '{"type": []}', '{"type": "progress"}', '{"type": "hello"}'),
    *('{"type": "progress", "stage": 1, "overall": 0}', '{"type": "progress", "stage": "x", "overall": NaN}'),
    *('{"type": "result"}', '{"type": "result", "output": null, "report": {}, "exit_status": 0}', "[" * 100_000),
    *('{"type": "error", "message": null, "exit_status": 2}', "\xff\x00\x01", "", "Bullet: warning"),
]


def test_lines_of_a_wrong_shape_change_nothing(tmp_path):
    (tmp_path / "noise").write_text("\n".join(WRONG), encoding="utf-8", errors="surrogateescape")
    program = "sys.stdout.write(open('noise', encoding='utf-8').read() + '\\n')\n" + RESULT % (0, 0)
    *progress, end = run(start(tmp_path, program))
    assert [event.stage for event in progress] == ["Simulating"]
    assert isinstance(end, Finished)


def test_progress_out_of_range_is_brought_in(tmp_path):
    (event,) = run(start(tmp_path, "say(type='progress', stage='x', overall=7)\ntime.sleep(0.5)"))[:1]
    assert event.overall == 1.0


def test_only_the_newest_progress_is_told(tmp_path):
    program = "for i in range(20000): say(type='progress', stage=str(i), overall=0)\nopen('said', 'w')\ntime.sleep(60)"
    job = start(tmp_path, program)
    while not (tmp_path / "said").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    assert [event.stage for event in job.poll()] == ["19999"]
    job.kill()
    assert_gone(job)


@pytest.mark.parametrize(
    "program",
    [
        "sys.stdin.readline()",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        "sys.stdin.readline()\nsay(type='error', message='Cancelled; nothing was written.', exit_status=130)",
        "sys.stdin.readline()\nopen('o', 'w')\nsay(type='result', output='o', report={}, exit_status=0)",
    ],
)
def test_cancel(tmp_path, program):
    job = start(tmp_path, program)
    time.sleep(0.1)
    asked = time.monotonic()
    job.cancel()
    job.cancel()
    assert time.monotonic() - asked < 0.05
    assert run(job) == [Failed(sentence="Cancelled; nothing was changed.", cancelled=True)]
    assert time.monotonic() - asked < 5.0


def test_the_worker_hears_the_cancel(tmp_path):
    job = start(tmp_path, "open('heard', 'w').write(sys.stdin.readline() + sys.stdin.read())")
    job.cancel()
    run(job)
    heard = tmp_path / "heard"
    assert not heard.exists() or json.loads(heard.read_text()) == {"type": "cancel"}


UNTIL_STOPPED = """
said = [sys.stdin.readline()]
time.sleep(0.3)
os.set_blocking(0, False)
said.append(sys.stdin.readline())
open('out.npz', 'w').write('x')
say(type='result', output=os.path.abspath('out.npz'), report={'said': said}, exit_status=0)
"""


@posix
def test_stop_is_said_once_and_ends_in_a_result(tmp_path):
    job = start(tmp_path, UNTIL_STOPPED)
    job.stop()
    job.stop()
    end = run(job)[-1]
    assert isinstance(end, Finished)
    assert [json.loads(line) for line in end.report["said"] if line] == [{"type": "stop"}]
    job.stop()


@pytest.mark.parametrize("program", ["time.sleep(600)", "while True: say(type='progress', stage='x', overall=0.5)"])
def test_what_was_stopped_can_still_be_cancelled(tmp_path, program):
    job = start(tmp_path, program)
    job.stop()
    job.cancel()
    job.stop()
    assert run(job) == [Failed(sentence="Cancelled; nothing was changed.", cancelled=True)]


def test_stop_of_a_worker_that_is_gone(tmp_path):
    job = start(tmp_path, "sys.exit(0)")
    time.sleep(0.3)
    job.stop()
    assert "ended without a result" in sentence(job)
    missing = BakeJob(["/no/such/program"], os.environ, tmp_path)
    missing.stop()
    assert isinstance(missing.poll()[-1], Failed)


@posix
def test_kill_takes_the_children_of_the_worker_too(tmp_path):
    program = "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\nopen('child', 'w').write(str(child.pid))"
    job = start(tmp_path, program + "\ntime.sleep(60)")
    while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text():
        time.sleep(0.01)
    asked = time.monotonic()
    job.kill()
    job.kill()
    assert time.monotonic() - asked < 0.05
    assert_gone(job)
    child = int((tmp_path / "child").read_text())
    time.sleep(0.2)
    stat = Path(f"/proc/{child}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_time_left_is_unknown_at_first_and_then_steady():
    left = TimeLeft()
    assert left.after(0.0, 10.0) is None  # loading, which does not count
    assert left.after(0.01, 101.0) is None
    assert left.after(0.2, 102.0) is None
    shown = [left.after(second / 100, 100.0 + second) for second in range(12, 100)]
    assert shown == pytest.approx([100 - second for second in range(12, 100)], abs=0.5)


def test_time_left_follows_a_leap_without_a_jump():
    """Fewer trials are needed than there might have been."""
    left = TimeLeft()
    left.after(0.001, 0.0)
    before = left.after(0.101, 10.0)
    at_once = left.after(0.5, 10.1)
    soon = [left.after(0.5 + 0.05 * tick, 10.1 + tick) for tick in range(1, 6)][-1]
    assert before == pytest.approx(89.9)
    assert 80.0 < at_once < before
    assert soon == pytest.approx(5.0, abs=3.0)
