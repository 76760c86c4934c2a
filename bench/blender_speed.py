"""What Heft costs inside Blender: reading and writing a big rig, how long it holds up the interface, fewer keys.

Run from the repository's root in a Python with the bpy module, after `make zip`: python -m bench.blender_speed
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from scripts import installed_extension
from scripts.build_extension import ROOT

if __name__ == "__main__":
    installed_extension.use_temporary_user_folder()  # before bpy

import bpy

from scripts.installed_extension import heft

_SAMPLE = ROOT / "sample_blends" / "walk_on_slope.blend"
_FRAMES, _BONES, _TRIES = 300, 60, 3
_TICK_S = 0.05  # between two slices of a bake, as in the operator


class Cost(NamedTuple):
    wall_s: float
    cpu_s: float


def main() -> None:
    installed_extension.install(installed_extension.zip_to_install())
    print(f"Blender {bpy.app.version_string}")
    read, write = _reading_and_writing()
    print(
        f"  {_FRAMES} frames x {_BONES} bones: read {read.wall_s:.2f} s, write {write.wall_s:.2f} s, together "
        f"{read.wall_s + write.wall_s:.2f} s, of which CPU {read.cpu_s + write.cpu_s:.2f} s (should be under 1)"
    )
    blocked_s, keys, every = _bake()
    print(f"  longest hold-up of the interface during a bake: {1000 * blocked_s:.0f} ms (should be under 50)")
    print(f"  keys within 2 mm: {keys} instead of {every}, {every / keys:.1f} times fewer (should be over 5)")


def _reading_and_writing() -> tuple[Cost, Cost]:
    armature, scene = _open_sample()
    _add_bones(armature, _BONES - len(armature.data.bones))
    rig = heft("addon.reading.read_rig").read_rig(armature, scene)
    run_to_end, writing = heft("addon.generators").run_to_end, heft("addon.writing.write_action")
    frames = range(1, _FRAMES + 1)

    def read() -> Any:
        return run_to_end(heft("addon.reading.read_motion").read_motion(armature, scene, rig, frames))

    motion = read()

    def write() -> None:
        settings = writing.WriteSettings(name="Speed")
        names = motion.rig.skeleton.names
        run_to_end(writing.write_action(armature, scene, motion, motion.clip, names, None, settings))

    return _quickest(read), _quickest(write)


def _bake() -> tuple[float, int, int]:
    """Longest hold-up [s], keys of a reduced take, and the keys it would have with one on every frame."""
    armature, scene = _open_sample()
    settings = armature.heft
    settings.keys, settings.tolerance_mm = "REDUCED", 2.0
    settings.assist, settings.assist_limit = "LIMIT", 40.0  # one simulation, instead of a search
    sessions = heft("addon.baking.bake_session")
    session = sessions.BakeSession(armature, scene)
    while not isinstance(result := session.step(), sessions.Outcome):
        time.sleep(_TICK_S)
    if not result.baked:
        raise SystemExit(result.sentence)
    take = settings.takes[settings.active_take]
    curves = heft("addon.compat").action_curves(take.action, armature)
    keys = sum(len(curve.keyframe_points) for curve in curves)
    return session.longest_block_s, keys, len(curves) * (take.frame_end - take.frame_start + 1)


def _open_sample() -> tuple[Any, Any]:
    bpy.ops.wm.open_mainfile(filepath=str(_SAMPLE))
    return bpy.context.object, bpy.context.scene


def _add_bones(armature: Any, count: int) -> None:
    """Fingers, so to speak."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    hand = bones["LeftForeArm"]
    for index in range(count):
        bone = bones.new(f"finger {index}")
        bone.parent = hand
        bone.head, bone.tail = hand.tail, hand.tail + 0.1 * (hand.tail - hand.head)
    bpy.ops.object.mode_set(mode="OBJECT")


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
