"""The worker, as the program that starts it sees it: messages, and an end at once when it is asked for."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from sim_core.motion.source_clip import write_new
from sim_core.samples.catalogue import make_sample
from tests.command_line import ROOT, Outcome, run, start, wait_for

QUICK = ["--assist", "300", "--engine", "mujoco", "--progress", "json"]
SOON_S = 60.0  # half a second on a machine with nothing else to do, which a test never has
posix = pytest.mark.skipif(os.name != "posix", reason="Windows ends processes without asking them.")


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("source") / "squat.bvh"
    write_new(path, make_sample("squat"))
    return path


def assert_cancelled(worker: "subprocess.Popen[str]", folder: Path) -> None:
    """The last line says so, soon, and nothing is left behind."""
    asked = time.monotonic()
    worker.wait(timeout=60)
    assert time.monotonic() - asked < SOON_S
    last = json.loads(worker.stdout.read().splitlines()[-1])
    said = {"type": "error", "message": "Cancelled; nothing was written.", "exit_status": 130}
    assert (worker.returncode, last, worker.stderr.read(), os.listdir(folder)) == (130, said, "", [])


@pytest.mark.parametrize(("controller", "preparing"), [("qp", []), ("pd", ["Preparing"])])
def test_every_line_is_a_message(clip, tmp_path, controller, preparing):
    more = ["--controller", controller, "--end", 20, "--report", tmp_path / "r.json"]
    outcome = run("bake", clip, "-o", tmp_path / "out.bvh", *QUICK, *more)
    assert (outcome.status, outcome.err) == (0, "")
    *progress, result = outcome.messages
    assert {message["type"] for message in progress} == {"progress"}
    assert (result["type"], result["output"], result["exit_status"]) == ("result", str(tmp_path / "out.bvh"), 0)
    assert result["report"] == json.loads((tmp_path / "r.json").read_text())
    stages = list(dict.fromkeys(message["stage"].split(",")[0] for message in progress))
    assert stages == [
        *("Starting", "Reading the clip", "Looking at the source", "Fitting it to the ground", *preparing),
        *("Looking ahead", "Simulating", "Looking at the result", "Writing"),
    ]
    for before, after in pairwise(progress):
        assert 0.0 <= before["overall"] <= after["overall"] <= 1.0
        assert before["stage"] != after["stage"] or before["fraction"] <= after["fraction"]


def run_changed(folder: Path, code: str, arguments: list[str]) -> Outcome:
    """A worker in which `choose_engine`, as the last step before the clip is read, does something more."""
    program = folder / "changed.py"
    program.write_text(
        "import ctypes, os, signal, sys\n"
        "from sim_core import cli, commands\n"
        "choose = commands.choose_engine\n"
        "def changed(*arguments):\n"
        f"    {code}\n"
        "    return choose(*arguments)\n"
        "commands.choose_engine = changed\n"
        "sys.exit(cli.main())\n"
    )
    done = subprocess.run(
        [sys.executable, str(program), *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@posix
def test_chatter_never_reaches_the_messages(clip, tmp_path):
    """Printed from Python, past Python, by a child process and from C."""
    code = "print('python'); os.write(1, b'system'); os.system('echo child'); ctypes.CDLL(None).puts(b'C')"
    outcome = run_changed(tmp_path, code, ["bake", str(clip), "-o", str(tmp_path / "out.bvh"), *QUICK, "--end", "4"])
    assert outcome.status == 0
    assert outcome.messages[-1]["type"] == "result"


def test_a_signal_inside_an_executed_string(clip, tmp_path):
    """Python remembers a KeyboardInterrupt there, and would end by SIGINT although it was caught."""
    code = "exec('signal.raise_signal(signal.SIGINT)')"
    outcome = run_changed(tmp_path, code, ["bake", str(clip), "-o", str(tmp_path / "out.bvh")])
    assert outcome == (130, "", "Cancelled; nothing was written.\n")


@posix
@pytest.mark.parametrize(
    ("stage", "number"),
    [("Starting", signal.SIGTERM), ("Looking at the source", signal.SIGINT), ("Simulating", signal.SIGTERM)],
)
def test_signals_cancel(clip, tmp_path, stage, number):
    worker = start(["bake", clip, "-o", tmp_path / "out.bvh", *QUICK, "--end", 60])
    wait_for(worker, stage)
    worker.send_signal(number)
    assert_cancelled(worker, tmp_path)


@pytest.mark.parametrize("how", ["close", "message"])
def test_the_other_end_of_standard_input_cancels(clip, tmp_path, how):
    worker = start(["bake", clip, "-o", tmp_path / "out.bvh", *QUICK, "--end", 60], stdin=subprocess.PIPE)
    wait_for(worker, "Simulating")
    if how == "close":
        worker.stdin.close()
    else:
        worker.stdin.write('not JSON\n{"type": "hello"}\n{"type": "cancel"}\n')
        worker.stdin.flush()
    assert_cancelled(worker, tmp_path)


def test_standard_input_that_only_waits_changes_nothing(clip, tmp_path):
    worker = start(["bake", clip, "-o", tmp_path / "out.bvh", *QUICK, "--end", 4], stdin=subprocess.PIPE)
    worker.stdin.write('{"type": "hello"}\n[1, 2]\n\n')
    worker.stdin.flush()
    assert json.loads(worker.stdout.read().splitlines()[-1])["type"] == "result"
    assert worker.wait(timeout=60) == 0


def test_only_a_worker_listens_to_standard_input(clip, tmp_path):
    """A pipeline whose input ends is nobody's wish to stop."""
    worker = start(["bake", clip, "-o", tmp_path / "out.bvh", *QUICK[:-1], "none", "--end", 4], stdin=subprocess.PIPE)
    worker.stdin.close()
    assert worker.wait(timeout=60) == 0


@posix
def test_a_closed_or_missing_standard_input_changes_nothing(clip, tmp_path):
    command = f'"{sys.executable}" -m sim_core inspect "{clip}" --progress json --end 4'
    for redirection in ("<&-", f'<"{clip}"'):
        shell = ["sh", "-c", f"{command} {redirection}"]
        done = subprocess.run(shell, capture_output=True, text=True, cwd=ROOT, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout.splitlines()[-1])["type"] == "result"


@posix
def test_the_worker_ends_with_its_parent(clip, tmp_path):
    """Killed without a chance to say anything: only the pipes close."""
    program = (
        "import subprocess, sys\n"
        "worker = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "print(worker.pid, flush=True)\n"
        "for line in worker.stdout:\n"
        "    print(line, end='', flush=True)\n"
    )
    bake = [sys.executable, "-m", "sim_core", "bake", str(clip), "-o", str(tmp_path / "out.bvh"), *QUICK]
    parent = subprocess.Popen(
        [sys.executable, "-c", program, *bake], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    worker = int(parent.stdout.readline())
    wait_for(parent, "Looking at the source")
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + SOON_S
    while _is_alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(worker)
    assert os.listdir(tmp_path) == []


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")  # one that ended and that nobody waited for still has its number
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@posix
def test_words_that_nobody_gets(clip):
    """A pipe without a reader, and a full disk: our own sentence, and none of Python's."""
    said = (2, "The inspection could not be printed; give --report to keep it in a file.\n")
    worker = start(["inspect", clip, "--end", 4])
    worker.stdout.close()
    assert (worker.wait(timeout=60), worker.stderr.read()) == said
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            outcome = run("inspect", clip, "--end", 4, stdout=full)
        assert (outcome.status, outcome.err) == said


def test_names_that_a_console_cannot_show(clip, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "sim_core", "bake", str(clip), "-o", str(tmp_path / "頭.txt")],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.splitlines() == [rb"The output '\u982d.txt' must be a .bvh or .npz file."]


@posix
def test_a_bar_on_a_terminal(clip):
    import pty

    own, other = pty.openpty()
    worker = start(["inspect", clip, "--end", 4], stderr=other)
    os.close(other)
    assert worker.wait(timeout=60) == 0
    assert b"Looking at the clip" in os.read(own, 4096)
    os.close(own)


def test_help_comes_quickly():
    """Without the libraries that a bake needs."""
    program = "import sys, sim_core.cli; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
    outcome = run("--help")
    assert outcome.status == 0
    assert "bake" in outcome.out
