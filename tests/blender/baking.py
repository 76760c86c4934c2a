"""What the tests of bakes share: a walking rig, workers that misbehave, and what a file looks like from outside."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy

LAST_FRAME = 16

# A worker that plays back what a real one once wrote; `{fault}` happens in the middle.
PROGRAM = """
import json, os, shutil, signal, sys, time
def say(**message): print(json.dumps(message), flush=True)
arguments = sys.argv[2:]
def given(option): return arguments[arguments.index(option) + 1]
def result(**changes):
    shutil.copy(os.path.join(sys.argv[1], 'out.npz'), given('-o'))
    shutil.copy(os.path.join(sys.argv[1], 'take.npz'), given('--take'))
    report = json.load(open(os.path.join(sys.argv[1], 'report.json')))
    say(**dict(type='result', output=given('-o'), report=report, exit_status=0) | changes)
say(type='progress', stage='Simulating', fraction=0.0, overall=0.1)
{fault}
result()
"""

# What goes wrong in a worker -> the code that does it, and how the sentence begins that tells of it.
FAULTS = {
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "The simulation was ended from outside (signal 9)"),
    "crashed": ("os.kill(os.getpid(), signal.SIGSEGV)", "The simulation crashed (signal 11"),
    "hangs": ("time.sleep(600)", "The simulation said nothing for 1 seconds"),
    "garbage": ("while True: os.write(1, os.urandom(65536))", "The simulation sent something that Heft cannot read"),
    "no result": ("sys.exit(0)", "The simulation ended without a result (exit status 0)"),
    "not a number": (
        "say(type='error', message='The simulation left the realm of numbers at 0.2 s; try another engine.', "
        "exit_status=2); sys.exit(2)",
        "The simulation left the realm of numbers at 0.2 s; try another engine.",
    ),
    "full disk": (
        "say(type='error', message='out.npz could not be written (No space left on device).', "
        "exit_status=2); sys.exit(2)",
        "out.npz could not be written (No space left on device).",
    ),
    "no file": ("say(type='result', output=given('-o'), report={}, exit_status=0); sys.exit(0)", "The result of the"),
    "no take": (
        "shutil.copy(os.path.join(sys.argv[1], 'out.npz'), given('-o'))\n"
        "say(type='result', output=given('-o'), report={}, exit_status=0); sys.exit(0)",
        "The simulation's result cannot be used (",
    ),
    "half a file": (
        "open(given('-o'), 'wb').write(open(os.path.join(sys.argv[1], 'out.npz'), 'rb').read()[:5000])\n"
        "say(type='result', output=given('-o'), report={}, exit_status=0); sys.exit(0)",
        "The simulation's result cannot be used (",
    ),
}


def import_walk(clip: Path) -> Any:
    """The armature of a BVH file, selected and active, set to a short and quick bake."""
    bpy.ops.import_anim.bvh(filepath=str(clip), update_scene_fps=True, use_fps_scale=False)
    armature = bpy.context.object
    rig = armature.heft
    rig.use_range, rig.frame_start, rig.frame_end = True, 1, LAST_FRAME
    rig.own_limits, rig.assist, rig.assist_limit = True, "LIMIT", 40.0  # one simulation, instead of a search
    return armature


def fake_worker(heft: Callable[[str], ModuleType], recorded: Path, fault: str = "", **settings: Any) -> Any:
    """To be given to a BakeSession in place of the real one."""

    def start(arguments: Sequence[str], folder: Path) -> Any:
        command = fake_command(recorded, fault)(arguments)
        return heft("addon.baking.bake_job").BakeJob(command, os.environ, folder, **settings)

    return start


def fake_command(recorded: Path, fault: str = "") -> Callable[[Sequence[str]], list[str]]:
    """To be put in place of `worker_command`, for what goes through operators."""
    return lambda given: [sys.executable, "-c", PROGRAM.replace("{fault}", fault), str(recorded), *given]


def run(session: Any, timeout_s: float = 60.0, after_step: Callable[[Any], None] = lambda status: None) -> Any:
    """Step until the end, as little as possible at a time; returns the outcome."""
    deadline = time.monotonic() + timeout_s
    while not hasattr(result := session.step(0.0), "sentence"):
        assert time.monotonic() < deadline, result
        after_step(result)
        if result.waits:
            time.sleep(0.01)
    assert session.step() is result
    assert result.sentence.endswith(".")
    assert "\n" not in result.sentence
    return result


def everything() -> dict[str, Any]:
    """The file as a person may notice it: what is in it, every key, what the rig plays, the current frame."""
    kinds = [name for name in dir(bpy.data) if isinstance(getattr(bpy.data, name), bpy.types.bpy_prop_collection)]
    names = {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in kinds if kind != "window_managers"}
    rigs = {
        item.name: (
            item.animation_data.action.name if item.animation_data and item.animation_data.action else None,
            [(take.name, take.action) for take in item.heft.takes],
            [tuple(value for row in bone.matrix_basis for value in row) for bone in item.pose.bones],
            sorted(scene.name for scene in item.users_scene),
        )
        for item in bpy.data.objects
        if item.type == "ARMATURE"
    }
    keys = {action.name: curve_bytes(action) for action in bpy.data.actions}
    return {"names": names, "rigs": rigs, "keys": keys, "frame": bpy.context.scene.frame_current}


def curves_of(action: Any) -> list[Any]:
    if hasattr(action, "layers") and bpy.app.version >= (4, 4, 0):
        return [
            curve
            for layer in action.layers
            for strip in layer.strips
            for bag in strip.channelbags
            for curve in bag.fcurves
        ]
    return list(action.fcurves)


def curve_bytes(action: Any) -> bytes:
    """Every key of an action, with its handles and kind, as it lies in memory."""
    import numpy as np

    parts = []
    for curve in curves_of(action):
        parts.append(f"{curve.data_path}[{curve.array_index}]".encode())
        for name, size in (("co", 2), ("handle_left", 2), ("handle_right", 2)):
            values = np.empty(size * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get(name, values)
            parts.append(values.tobytes())
        parts.append("".join(key.interpolation + key.type for key in curve.keyframe_points).encode())
    return b"|".join(parts)


def children() -> set[int]:
    """Processes that this one started and that still run."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(stat.parent.name))
    return found


def work_folders() -> list[Path]:
    return list(Path(bpy.app.tempdir).glob("heft-*"))


def wait_until(condition: Callable[[], bool], timeout_s: float = 5.0) -> bool:
    deadline = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def random_moments(count: int, seed: int) -> list[float]:
    generator = random.Random(seed)
    return [generator.random() for _ in range(count)]


def report_of(action: Any) -> dict[str, Any]:
    return json.loads(action["heft_report"])
