"""What Heft costs inside Blender: reading and writing a big rig, how long it holds up the interface, fewer keys.

Run from the repository's root in a Python with the bpy module, after `make zip`: python -m bench.blender_speed
HEFT_LINK=1 runs these sources instead of the zip's.
"""

import contextlib
import io
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from scripts import installed_extension

if __name__ == "__main__":
    installed_extension.use_temporary_user_folder()  # before bpy

import bpy
from bpy.types import Object, Scene
from mathutils import Vector

from bench.recorded_bakes import RecordedBakes, run_worker
from sample_blends.rig_making import add_armature, bones_of, key_clip, play_range
from sample_blends.rigify_making import add_rigify_person, key_rigify
from scripts.installed_extension import heft

_FRAMES, _BONES, _TRIES = 300, 60, 3


class Cost(NamedTuple):
    wall_s: float
    cpu_s: float


def main() -> None:
    zip_path = installed_extension.zip_to_install()
    installed_extension.install(zip_path, linked=os.environ.get("HEFT_LINK") == "1")
    with tempfile.TemporaryDirectory(prefix="heft-bench-") as folder:
        work = Path(folder)
        walk = work / "walk.npz"
        run_worker("sample", "walk", "-o", str(walk), "--seconds", "5.2")
        clip = heft("sim_core.motion.clip_npz").load_npz(walk)
        _reading_and_writing(clip)
        _fewer_keys(clip, work)
        _hold_ups(clip, work)
    installed_extension.leave(0)


def _reading_and_writing(clip: Any) -> None:
    armature, scene = _big_rig(clip)
    reading, writing = heft("addon.reading.read_motion"), heft("addon.writing.write_action")
    rig = heft("addon.reading.read_rig").read_rig(armature, scene)
    run_to_end = heft("addon.generators").run_to_end

    def read() -> Any:
        return run_to_end(reading.read_motion(armature, scene, rig, range(1, _FRAMES + 1)))

    motion = read()

    def write() -> None:
        settings, names = writing.WriteSettings(name="Speed"), motion.rig.skeleton.names
        run_to_end(writing.write_action(armature, scene, motion, motion.clip, names, None, settings))

    read_cost, write_cost = _quickest(read), _quickest(write)
    wall_s, cpu_s = (sum(costs) for costs in zip(read_cost, write_cost, strict=True))
    print(f"Blender {bpy.app.version_string}, {_FRAMES} frames x {_BONES} bones")
    print(
        f"  read {read_cost.wall_s:.2f} s, write {write_cost.wall_s:.2f} s, together {wall_s:.2f} s (CPU {cpu_s:.2f})"
    )


def _fewer_keys(clip: Any, work: Path) -> None:
    """On a walk that was really baked, as Blender plays it before and after keys were taken away."""
    print("  keys within 2 mm on a baked walk: fps, keys, of, times fewer, foot skate before and after [m/s]")
    for every in (2, 1):
        armature, scene = _walker(clip, every=every)
        bakes = RecordedBakes(armature, scene, range(1, scene.frame_end + 1), work / f"walk every {every}")
        all_keys, few_keys = bakes.bake(keys="EVERY"), bakes.bake(keys="REDUCED", tolerance_mm=2.0)
        before, floor_m = bakes.foot_skate(all_keys)
        after, _ = bakes.foot_skate(few_keys, "--floor", str(floor_m))
        ratio = all_keys.keys / few_keys.keys
        fps = scene.render.fps
        print(f"    {fps:3d} {few_keys.keys:6d} {all_keys.keys:6d} {ratio:6.1f} {before:8.4f} {after:8.4f}")


def _hold_ups(clip: Any, work: Path) -> None:
    print("  longest hold-up of the interface during a bake [ms]: by the clock, and CPU of the main thread")
    frames = range(1, _FRAMES + 1)
    for kind, make, targets in (
        (f"{_BONES} bones", _big_rig, ("AUTO",)),
        ("Rigify", _rigify, ("DEFORM", "CONTROLS")),
    ):
        armature, scene = make(clip)
        bakes = RecordedBakes(armature, scene, frames, work / kind)
        for target in targets:
            for keys in ("EVERY", "REDUCED"):
                bake = bakes.bake(keys=keys, target=target)
                name = ", ".join([kind, *([] if target == "AUTO" else [target.lower()]), keys.lower()])
                print(f"    {name:28s} {1000 * bake.blocked_s:4.0f} {1000 * bake.blocked_cpu_s:4.0f}", flush=True)


def _walker(clip: Any, *, every: int = 1, extra: int = 0) -> tuple[Object, Scene]:
    """The sample's own rig; with `extra` bones, fingers so to speak."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bones = bones_of(clip.skeleton)
    hand = next(bone for bone in bones if bone.name == "LeftForeArm")
    tail = hand.tail + Vector((0.0, -0.03, 0.0))
    bones += [
        replace(hand, name=f"finger {place}", parent=hand.name, head=hand.tail, tail=tail) for place in range(extra)
    ]
    armature = add_armature("Walker", bones)
    scene = bpy.context.scene
    play_range(scene, clip, key_clip(armature, bones, clip, every=every), every=every)
    return armature, scene


def _big_rig(clip: Any) -> tuple[Object, Scene]:
    return _walker(clip, extra=_BONES - len(clip.skeleton.names))


def _rigify(clip: Any) -> tuple[Object, Scene]:
    bpy.ops.wm.read_homefile(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):  # Rigify tells of every step
        rig = add_rigify_person()
    play_range(bpy.context.scene, clip, key_rigify(rig, clip))
    return rig, bpy.context.scene


def _quickest(work: Callable[[], Any]) -> Cost:
    """Of some tries: the machine may be busy with other things."""
    costs = []
    for _ in range(_TRIES):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        costs.append(Cost(time.perf_counter() - wall, time.process_time() - cpu))
    return min(costs)


if __name__ == "__main__":
    main()
