"""Before and after in one picture: the character at several frames of its way, source above, bake below."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object
from mathutils import Matrix, Vector

from scripts.installed_extension import heft

_POSES = 7
_SIZE = (1500, 580)  # of one row, in pixels
_ABOVE = 0.16  # how far the camera looks down, as a slope
_MARGIN_M = 0.25
_TITLE = 0.22  # of a row, for the words above the heads
_INK = (0.05, 0.06, 0.08, 1.0)
_UP = Vector((0.0, 0.0, 1.0))


def before_and_after(armature: Object, take: Any, report: Mapping[str, Any], path: Path) -> Path:
    scene = bpy.context.scene
    scene.world = scene.world or bpy.data.worlds.new("World")
    scene.world.color = (0.80, 0.84, 0.88)
    scene.render.resolution_x, scene.render.resolution_y = _SIZE
    scene.render.resolution_percentage = 100
    scene.display.render_aa = "8"
    scene.display.shading.show_shadows = False  # two minutes a row without a graphics card
    frames = np.linspace(take.frame_start, take.frame_end, _POSES).round().astype(int).tolist()
    source, baked = (_exposures(armature, action, frames) for action in (take.source, take.action))
    camera = _side_view(scene, [*source, *baked])
    armature.hide_render = True
    for child in armature.children:
        child.hide_render = True
    rows = [
        _row(camera, source, baked, "Before", _words(report["before"])),
        _row(
            camera,
            baked,
            source,
            "After",
            f"{_words(report['after'])}, assist {_percent(report['assist']['mean_bw'])}",
        ),
    ]
    _save(np.concatenate(rows[::-1]), path)  # Blender counts rows from the bottom
    return path


def _words(measures: Mapping[str, float]) -> str:
    return (
        f"Foot skate {100 * measures['foot_skate_m_s']:.0f} cm/s, "
        f"penetration {1000 * measures['penetration_m']:.0f} mm, "
        f"floating {1000 * measures['float_m']:.0f} mm, "
        f"physics error {_percent(measures['physics_error_bw'])} of body weight"
    )


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _row(camera: Object, shown: list[Object], hidden: list[Object], title: str, words: str) -> np.ndarray:
    """Pixels (height, width, 4)."""
    scene = bpy.context.scene
    for item in (*shown, *hidden):
        item.hide_render = item in hidden
    labels = [_label(camera, title, 0.030, 0.025, 0.042), _label(camera, words, 0.0175, 0.025, 0.068)]
    scene.render.filepath = str(Path(bpy.app.tempdir) / f"{title}.png")
    bpy.ops.render.render(write_still=True)
    bpy.data.batch_remove(labels)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.empty(4 * image.size[0] * image.size[1], dtype=np.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels


def _exposures(armature: Object, action: Action, frames: list[int]) -> list[Object]:
    """The character playing an action, one still for each frame."""
    heft("addon.compat").assign_action(armature, action)
    mannequin = next(child for child in armature.children if child.type == "MESH")
    return [_exposure(mannequin, frame) for frame in frames]


def _exposure(mannequin: Object, frame: int) -> Object:
    scene = bpy.context.scene
    scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = mannequin.evaluated_get(depsgraph)
    copy = bpy.data.objects.new("Exposure", bpy.data.meshes.new_from_object(evaluated, depsgraph=depsgraph))
    copy.matrix_world = evaluated.matrix_world
    scene.collection.objects.link(copy)
    return copy


def _side_view(scene: Any, copies: list[Object]) -> Object:
    """Across the way, wide enough for all of it."""
    bpy.context.view_layer.update()
    corners = np.array([copy.matrix_world @ Vector(corner) for copy in copies for corner in copy.bound_box])
    first, last = (Vector(copies[index].matrix_world @ Vector(copies[index].bound_box[0])) for index in (0, -1))
    way = ((last - first) * Vector((1.0, 1.0, 0.0))).normalized()
    direction = (way.cross(_UP) + _ABOVE * _UP).normalized()
    turn = direction.to_track_quat("Z", "Y")
    seen = corners @ np.array(turn.to_matrix())  # right, up, towards the camera
    low, high = seen.min(axis=0), seen.max(axis=0)
    width = max(high[0] - low[0] + 2 * _MARGIN_M, (high[1] - low[1] + _MARGIN_M) / (1.0 - _TITLE) * _SIZE[0] / _SIZE[1])
    height = width * _SIZE[1] / _SIZE[0]
    centre = Vector((0.5 * (low[0] + high[0]), low[1] - _MARGIN_M + 0.5 * height, high[2] + 5.0))
    camera = bpy.data.objects.new("Side", bpy.data.cameras.new("Side"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", width
    camera.matrix_world = Matrix.LocRotScale(turn @ centre, turn, None)
    scene.collection.objects.link(camera)
    scene.camera = camera
    return camera


def _label(camera: Object, words: str, size: float, left: float, top: float) -> Object:
    """Right before the camera; sizes and places in parts of the picture's width, from its upper left."""
    width = camera.data.ortho_scale
    curve = bpy.data.curves.new("Label", "FONT")
    curve.body, curve.size = words, size * width
    ink = bpy.data.materials.new("Ink")
    ink.diffuse_color = _INK
    curve.materials.append(ink)
    label = bpy.data.objects.new("Label", curve)
    corner = Vector((-0.5 * width, 0.5 * width * _SIZE[1] / _SIZE[0], -1.0))
    label.matrix_world = camera.matrix_world @ Matrix.Translation(corner + width * Vector((left, -top, 0.0)))
    bpy.context.scene.collection.objects.link(label)
    return label


def _save(pixels: np.ndarray, path: Path) -> None:
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("Before and after", width, height)
    image.pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
