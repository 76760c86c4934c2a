"""python -m sample_blends.build: makes the sample scenes, in a Python with the bpy module and after `make zip`."""

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts import installed_extension

if __name__ == "__main__":
    installed_extension.use_temporary_user_folder()  # before bpy, which the modules below import

import bpy
from bpy.types import Object, Scene
from mathutils import Vector

from sample_blends import rig_making, rigify_making, scenery
from sample_blends.figure import Figure, figure_of
from sample_blends.mannequin import add_mannequin
from scripts.installed_extension import heft

FOLDER = Path(__file__).parent
_EVERY = 2  # clips have 60 frames a second, and a sample is easier to work with at 30
_WORKSPACES = ("Layout", "Animation")
_VIEW = Vector((1.0, -0.55, 0.28))

_WALK_ON_SLOPE = """A WALK ON A SLOPE

The walk was captured on a flat floor; this ground rises by 5 degrees. Play it: the feet sink into the hill.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. Ground is set to the collection "Ground".
3. Press Bake to Physics. It takes about a minute; Esc cancels.
4. Play it again: the walk goes up the hill. Compare shows the source as a ghost, the result in numbers below.

The source action is untouched: press Use on another take, or on the source, to go back.
"""
_PUSHED = """PUSHED WHILE STANDING

The character stands still. At frame 30 somebody shoves it at the chest, for a fifth of a second.

1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. Look at the push under Motion: where, when, how hard. Change it if you like.
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


def walk_on_slope(scene: Scene) -> None:
    armature = _character(scene, _clip("walk", seconds=3.0))
    figure = _dressed(scene, armature, slope_deg=5.0)
    _finish(scene, armature, figure, _WALK_ON_SLOPE)


def pushed_while_standing(scene: Scene) -> None:
    armature = _character(scene, _clip("stand", seconds=3.0))
    figure = _dressed(scene, armature)
    push = armature.heft.pushes.add()
    push.name, push.segment, push.frame, push.frames = "Shove", "chest", 30, 6
    push.force = 200.0 * figure.left
    _finish(scene, armature, figure, _PUSHED)


def rigify_walk(scene: Scene) -> None:
    clip = _clip("walk", seconds=2.0)
    armature = rigify_making.add_rigify_person()
    armature.name = armature.data.name = "Character"
    rigify_making.tidy_up(armature)
    last = rigify_making.key_rigify(armature, clip, every=_EVERY)
    rig_making.play_range(scene, clip, last, every=_EVERY)
    figure = _dressed(scene, armature)
    _finish(scene, armature, figure, _RIGIFY)


SAMPLES: dict[str, Callable[[Scene], None]] = {
    "walk_on_slope": walk_on_slope,
    "pushed_while_standing": pushed_while_standing,
    "rigify_walk": rigify_walk,
}


def main() -> None:
    installed_extension.install(installed_extension.zip_to_install())
    for name, make in SAMPLES.items():
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


def _clip(sample: str, *, seconds: float) -> Any:
    """One of Heft's own clips; the installed worker makes it."""
    surroundings = heft("addon.baking.worker_environment")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{sample}.bvh"
        command = surroundings.worker_command(["sample", sample, "-o", str(path), "--seconds", str(seconds)])
        subprocess.run(command, env=surroundings.worker_environment(), check=True)
        return heft("sim_core.motion.motion_file").clip_from_bvh(heft("sim_core.motion.bvh").read_bvh(path)).clip


def _character(scene: Scene, clip: Any) -> Object:
    bones = rig_making.bones_of(clip.skeleton)
    armature = rig_making.add_armature("Character", bones)
    armature.data.display_type = "STICK"
    last = rig_making.key_clip(armature, bones, clip, every=_EVERY)
    rig_making.play_range(scene, clip, last, every=_EVERY)
    return armature


def _dressed(scene: Scene, armature: Object, *, slope_deg: float = 0.0) -> Figure:
    """With a body, on a ground."""
    figure = figure_of(armature, scene)
    add_mannequin(armature, figure)
    armature.show_in_front = True
    start, end = _path(scene, armature, figure)
    along = figure.front if (end - start).length < 0.3 else (end - start).normalized()
    ground = scenery.add_ground(scene, along, start.lerp(end, 0.5), slope_deg=slope_deg, pivot=start)
    armature.heft.ground = ground
    return figure


def _finish(scene: Scene, armature: Object, figure: Figure, words: str) -> None:
    start, end = _path(scene, armature, figure)
    middle = start.lerp(end, 0.5) + Vector((0.0, 0.0, 0.5 * figure.height))
    side = figure.left * _VIEW.x + figure.front * -_VIEW.y + Vector((0.0, 0.0, _VIEW.z))
    distance = 3.2 + 0.9 * (end - start).length
    scenery.add_light(scene)
    scenery.add_camera(scene, middle, side, 2.0 + distance)
    scenery.set_look(scene)
    readme = bpy.data.texts.new("READ ME")
    readme.write(words)
    readme.cursor_set(0)
    scenery.set_interface(readme, middle, side, distance)
    scene.frame_set(scene.frame_start)
    for item in scene.objects:
        item.select_set(item == armature)
    scene.view_layers[0].objects.active = armature


def _path(scene: Scene, armature: Object, figure: Figure) -> tuple[Vector, Vector]:
    """Where the pelvis starts and ends, on the floor."""
    places = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        place = armature.matrix_world @ armature.pose.bones[figure.bones["pelvis"]].head
        places.append(Vector((place.x, place.y, 0.0)))
    return places[0], places[1]


if __name__ == "__main__":
    main()
    installed_extension.leave(0)
