"""The command line as tests use it: called in this process, or started as the worker that it is."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sim_core.cli import main

ROOT = Path(__file__).parents[1]


class Outcome(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    return Outcome(status, *capsys.readouterr())


def start(arguments: Sequence[object], *, cwd: Path = ROOT, **options: Any) -> "subprocess.Popen[str]":
    """A worker; standard input is empty where nothing else is said."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-m", "sim_core", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"},
        text=True,
        encoding="utf-8",
        **streams,
    )


def run(*arguments: object, **options: Any) -> Outcome:
    worker = start(arguments, **options)
    out, err = worker.communicate(timeout=120)
    return Outcome(worker.returncode, out, err)


def wait_for(worker: "subprocess.Popen[str]", *words: str, fraction: float = 0.0) -> dict[str, Any]:
    """The first message of a stage whose name has one of the words, once it is so far; those before are read over."""
    for line in worker.stdout:
        message = json.loads(line)
        if any(word in message.get("stage", "") for word in words) and message["fraction"] >= fraction:
            return message
    raise AssertionError(f"The worker ended before '{words}'.")
