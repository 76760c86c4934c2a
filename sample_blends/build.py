"""python -m sample_blends.build [NAME ...]: makes the sample scenes, in a Python with bpy and after `make zip`."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts import installed_extension

if __name__ == "__main__":
    installed_extension.use_temporary_user_folder()  # before bpy, which the modules below import

import bpy
from bpy.types import Scene

from sample_blends import rig_making, rigify_making, world_samples
from sample_blends.sample_making import EVERY, character, clip_of, finish, on_ground

FOLDER = Path(__file__).parent
_WORKSPACES = ("Layout", "Animation")

_WALK_ON_SLOPE = """A WALK ON A SLOPE

The walk was captured on a flat floor; this ground rises by 5 degrees. Play it: the feet sink into the hill.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. World is set to the collection "Ground".
3. Press Bake to Physics. It takes about a minute; Esc cancels.
4. Play it again: the walk goes up the hill. Compare shows the source as a ghost, the result in numbers below.

The source action is untouched: press Use on another take, or on the source, to go back.
"""
_PUSHED = """PUSHED WHILE STANDING

The character stands still. At frame 30 somebody shoves it at the chest, for a fifth of a second.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. Look at the push under Motion > Disturbances: where, when, how hard. Change it if you like.
3. Press Bake to Physics. It takes about a minute; Esc cancels.
4. Play it: the body gives way and finds its balance again.
"""
_RIGIFY = """A RIGIFY CHARACTER

A generated Rigify human that walks by its FK controls.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. Heft reads the deform bones and writes to the FK controls, so that you can go on animating. Under Keys, Keys On
   can be set to the deform bones instead.
3. Press Bake to Physics. It takes about a minute; Esc cancels.

The IK controls are hidden. For Rigify's own panel, run the text "rig_ui.py".
"""

_ROLL = """TWO ROLLS OUT OF ONE

The character rolls once, and the ground knows nothing of it. Motion is set to Roll, Kind to Clip's Own Roll and Rolls
to 2.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. See the box Roll under Motion: how often, and how fast.
3. Press Bake to Physics. It takes about a minute; Esc cancels.
4. Play it: the character rolls twice. The take is longer than the source, and the scene already plays long enough.

The source action is untouched: press Use on the source to go back.
"""
_PUSHED_OVER = """PUSHED OVER

The character stands still. At frame 20 somebody shoves it so hard that no step could catch it. Motion is set to Fall.
Six takes were baked with Six Takes: the list under Takes shows each on its way down.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. Press the circle in front of a take, and play: each falls in another way. Result says how hard head and body are hit.
3. Under Motion, in the box Fall, choose another style, or one of the presets, and press Bake to Physics or Six Takes.

The source action is untouched: press Use on the source to go back.
"""


def walk_on_slope(scene: Scene) -> None:
    armature = character(scene, clip_of("walk", seconds=3.0))
    figure = on_ground(scene, armature, slope_deg=5.0)
    finish(scene, armature, figure, _WALK_ON_SLOPE)


def pushed_while_standing(scene: Scene) -> None:
    armature = character(scene, clip_of("stand", seconds=3.0))
    figure = on_ground(scene, armature)
    push = armature.heft.pushes.add()
    push.name, push.segment, push.frame, push.frames = "Shove", "chest", 30, 6
    push.force = 200.0 * figure.left
    finish(scene, armature, figure, _PUSHED)


def rigify_walk(scene: Scene) -> None:
    clip = clip_of("walk", seconds=2.0)
    armature = rigify_making.add_rigify_person()
    armature.name = armature.data.name = "Character"
    rigify_making.tidy_up(armature)
    last = rigify_making.key_rigify(armature, clip, every=EVERY)
    rig_making.play_range(scene, clip, last, every=EVERY)
    figure = on_ground(scene, armature)
    finish(scene, armature, figure, _RIGIFY)


def two_rolls(scene: Scene) -> None:
    armature = character(scene, clip_of("roll"))
    figure = on_ground(scene, armature)
    armature.heft.motion = "ROLL"
    armature.heft.roll.rolls = 2
    finish(scene, armature, figure, _ROLL)
    scene.frame_end *= 3  # room for the second roll, and to get up


def pushed_over(scene: Scene) -> None:
    armature = character(scene, clip_of("stand", seconds=2.0))
    figure = on_ground(scene, armature)
    push = armature.heft.pushes.add()
    push.name, push.segment, push.frame, push.frames = "Shove", "chest", 20, 6
    push.force = 500.0 * figure.left + 300.0 * figure.front
    armature.heft.motion, armature.heft.budget_choice = "FALL", "DRAFT"
    scene.view_layers[0].objects.active = armature
    bpy.ops.heft.six_takes()
    finish(scene, armature, figure, _PUSHED_OVER)
    scene.frame_end = max(take.frame_end for take in armature.heft.takes)


SAMPLES: dict[str, Callable[[Scene], None]] = {
    "walk_on_slope": walk_on_slope,
    "pushed_while_standing": pushed_while_standing,
    "rigify_walk": rigify_walk,
    "two_rolls": two_rolls,
    "pushed_over": pushed_over,
    "walk_over_hill": world_samples.walk_over_hill,
    "stairs": world_samples.stairs,
    "obstacles": world_samples.obstacles,
    "rubble": world_samples.rubble,
    "moving_ground": world_samples.moving_ground,
    "ice_and_push": world_samples.ice_and_push,
    "thrown_and_in_the_way": world_samples.thrown_and_in_the_way,
    "cup_kept_level": world_samples.cup_kept_level,
}


def main(names: Sequence[str]) -> None:
    """Those that are named, or all."""
    installed_extension.install(installed_extension.zip_to_install(), linked=os.environ.get("HEFT_LINK") == "1")
    for name, make in SAMPLES.items():
        if names and name not in names:
            continue
        bpy.ops.wm.read_homefile(use_factory_startup=True)
        _clear()
        make(bpy.context.scene)
        path = FOLDER / f"{name}.blend"
        path.unlink(missing_ok=True)  # or Blender keeps a .blend1 of it
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True, relative_remap=True)
        print(f"{path} {path.stat().st_size / 1000:.0f} kB")


def _clear() -> None:
    """Nothing but a scene and the workspaces of an animator: samples are kept small."""
    data = bpy.data
    bulk = [*data.objects, *data.meshes, *data.lights, *data.cameras, *data.materials, *data.brushes]
    screens = [item for item in (*data.workspaces, *data.screens) if item.name not in _WORKSPACES]
    data.batch_remove([*bulk, *screens])


if __name__ == "__main__":
    main(sys.argv[1:])
    installed_extension.leave(0)
