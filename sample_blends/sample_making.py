"""What samples have in common: a clip, a character that moves by it and has a body, light, camera and a text."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Object, Scene
from mathutils import Vector

from sample_blends import rig_making, scenery
from sample_blends.figure import Figure, figure_of
from sample_blends.mannequin import add_mannequin
from scripts.installed_extension import heft

EVERY = 2  # clips have 60 frames a second, and a sample is easier to work with at 30
_VIEW = Vector((1.0, -0.55, 0.28))


def clip_of(sample: str, *, seconds: float | None = None) -> Any:
    """One of Heft's own clips, whole or for so long; the installed worker makes it."""
    surroundings = heft("addon.baking.worker_environment")
    length = [] if seconds is None else ["--seconds", str(seconds)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{sample}.bvh"
        command = surroundings.worker_command(["sample", sample, "-o", str(path), *length])
        subprocess.run(command, env=surroundings.worker_environment(), check=True)
        return heft("sim_core.motion.motion_file").clip_from_bvh(heft("sim_core.motion.bvh").read_bvh(path)).clip


def character(scene: Scene, clip: Any) -> Object:
    bones = rig_making.bones_of(clip.skeleton)
    armature = rig_making.add_armature("Character", bones)
    armature.data.display_type = "STICK"
    last = rig_making.key_clip(armature, bones, clip, every=EVERY)
    rig_making.play_range(scene, clip, last, every=EVERY)
    return armature


def dressed(scene: Scene, armature: Object) -> Figure:
    """With a body."""
    figure = figure_of(armature, scene)
    add_mannequin(armature, figure)
    armature.show_in_front = True
    return figure


def on_ground(scene: Scene, armature: Object, *, slope_deg: float = 0.0) -> Figure:
    """With a body, on a plane."""
    figure = dressed(scene, armature)
    start, end = path_of(scene, armature, figure)
    along = figure.front if (end - start).length < 0.3 else (end - start).normalized()
    ground = scenery.add_ground(scene, along, start.lerp(end, 0.5), slope_deg=slope_deg, pivot=start)
    armature.heft.ground = ground
    return figure


def finish(scene: Scene, armature: Object, figure: Figure, words: str) -> None:
    start, end = path_of(scene, armature, figure)
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


def path_of(scene: Scene, armature: Object, figure: Figure) -> tuple[Vector, Vector]:
    """Where the pelvis starts and ends, on the floor."""
    places = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        place = armature.matrix_world @ armature.pose.bones[figure.bones["pelvis"]].head
        places.append(Vector((place.x, place.y, 0.0)))
    return places[0], places[1]
