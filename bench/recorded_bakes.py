"""Bakes in Blender whose simulation runs once: reading and writing again with other settings needs no second one."""

import json
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from bpy.types import Object, Scene

from scripts.installed_extension import heft

_TICK_S = 0.02  # between two slices of a bake, as in the operator


class Bake(NamedTuple):
    action: Any
    curves: int
    keys: int
    blocked_s: float  # longest slice
    blocked_cpu_s: float  # of Blender's main thread alone: what it would be on a machine with nothing else to do


class RecordedBakes:
    """Bakes of one rig."""

    def __init__(self, armature: Object, scene: Scene, frames: range, folder: Path) -> None:
        self._armature, self._scene, self._frames, self._folder = armature, scene, frames, folder
        folder.mkdir()

    def bake(self, **settings: Any) -> Bake:
        rig = self._armature.heft
        rig.use_range, rig.frame_start, rig.frame_end = True, self._frames[0], self._frames[-1]
        rig.own_limits, rig.assist, rig.assist_limit = True, "LIMIT", 40.0  # one simulation, instead of a search
        for name, value in settings.items():
            setattr(rig, name, value)
        sessions = heft("addon.baking.bake_session")
        session = sessions.BakeSession(self._armature, self._scene, self._start)
        cpu_s = 0.0
        while True:
            began = time.thread_time()
            result = session.step()
            cpu_s = max(cpu_s, time.thread_time() - began)
            if isinstance(result, sessions.Outcome):
                break
            time.sleep(_TICK_S)
        if not result.baked:
            raise SystemExit(result.sentence)
        action = rig.takes[rig.active_take].action
        curves = heft("addon.compat").action_curves(action, self._armature)
        keys = sum(len(curve.keyframe_points) for curve in curves)
        return Bake(action, len(curves), keys, session.longest_block_s, cpu_s)

    def foot_skate(self, bake: Bake, *options: str) -> tuple[float, float]:
        """Of the take as Blender plays it [m/s], and the height of the floor that it was measured on [m]."""
        heft("addon.compat").assign_action(self._armature, bake.action)
        rig = heft("addon.reading.read_rig").read_rig(self._armature, self._scene)
        reading = heft("addon.reading.read_motion").read_motion(self._armature, self._scene, rig, self._frames)
        motion = heft("addon.generators").run_to_end(reading)
        clip, report = self._folder / "played.npz", self._folder / "played.json"
        heft("sim_core.motion.clip_npz").save_npz(clip, motion.clip)
        run_worker("inspect", str(clip), "--report", str(report), "--progress", "none", *options)
        measured = json.loads(report.read_text(encoding="utf-8"))
        return measured["summary"]["foot_skate_m_s"], measured["ground"]["point_m"][2]

    def _start(self, arguments: Sequence[str], folder: Path) -> Any:
        """The worker, or what it once wrote."""
        files = [folder / name for name in ("out.npz", "take.npz")]
        report = self._folder / "report.json"
        if not report.exists():
            job = heft("addon.baking.bake_session").start_worker(arguments, folder)
            return SimpleNamespace(
                poll=lambda: [self._keep(event, files) for event in job.poll()], kill=job.kill, cancel=job.cancel
            )
        for file in files:
            shutil.copy(self._folder / file.name, file)
        content = json.loads(report.read_text(encoding="utf-8"))
        done = heft("addon.baking.bake_job").Finished(output=files[0], report=content, kept=True)
        return SimpleNamespace(poll=lambda: [done], kill=lambda: None, cancel=lambda: None)

    def _keep(self, event: Any, files: Sequence[Path]) -> Any:
        if isinstance(event, heft("addon.baking.bake_job").Finished):
            for file in files:
                shutil.copy(file, self._folder)
            (self._folder / "report.json").write_text(json.dumps(event.report), encoding="utf-8")
        return event


def run_worker(*arguments: str) -> None:
    surroundings = heft("addon.baking.worker_environment")
    command = surroundings.worker_command(arguments)
    done = subprocess.run(command, env=surroundings.worker_environment(), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
