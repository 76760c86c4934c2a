"""Triangles, lines and words onto the screen; the only drawing code that knows Blender's gpu module."""

from collections.abc import Iterator
from contextlib import contextmanager

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from .colours import Colour
from .flat_geometry import Floats, Triangles

_FONT = 0


def ui_scale() -> float:
    """How many pixels of this screen make one of the interface's."""
    return bpy.context.preferences.system.ui_scale


@contextmanager
def blending(depth_test: str = "NONE", depth_mask: bool = False) -> Iterator[None]:
    """Translucent drawing; leaves the state in which Blender calls its handlers."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set(depth_test)
    gpu.state.depth_mask_set(depth_mask)
    try:
        yield
    finally:
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")
        gpu.state.blend_set("NONE")


def paint_flat(triangles: Triangles) -> None:
    """Triangles in the pixels of the region, over all else; for POST_PIXEL."""
    if len(triangles.points):
        with blending():
            _draw_triangles(np.pad(triangles.points, ((0, 0), (0, 0), (0, 1))), triangles.colours)


def paint_in_front(triangles: Triangles, size: tuple[int, int]) -> None:
    """Triangles in pixels with a depth of their own (-1 is nearest), in front of the scene; for POST_VIEW."""
    if not len(triangles.points):
        return
    width, height = size
    points = triangles.points * np.array([2.0 / width, 2.0 / height, 1.0]) - np.array([1.0, 1.0, 0.0])
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(Matrix.Identity(4))
        gpu.matrix.load_projection_matrix(Matrix.Identity(4))
        with blending(depth_test="LESS", depth_mask=True):
            _draw_triangles(points, triangles.colours)


def paint_on_ground(corners: Floats, fill: Colour, line: Colour, width: float, size: tuple[int, int]) -> None:
    """A convex polygon (K, 3) of the world: faint where something stands before it; for POST_VIEW."""
    corners = np.ascontiguousarray(corners, dtype=np.float32)
    fan = [(0, k, k + 1) for k in range(1, len(corners) - 1)]
    plain = gpu.shader.from_builtin("UNIFORM_COLOR")
    thick = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    inside = batch_for_shader(plain, "TRIS", {"pos": corners}, indices=fan) if fan else None
    around = batch_for_shader(thick, "LINE_STRIP", {"pos": np.concatenate([corners, corners[:1]])})
    for depth_test, opacity in (("NONE", 0.35), ("LESS_EQUAL", 1.0)):
        with blending(depth_test=depth_test):
            if inside is not None and fill[3] > 0.0:
                plain.bind()
                plain.uniform_float("color", (*fill[:3], fill[3] * opacity))
                inside.draw(plain)
            thick.bind()
            thick.uniform_float("viewportSize", size)
            thick.uniform_float("lineWidth", width)
            thick.uniform_float("color", (*line[:3], line[3] * opacity))
            around.draw(thick)


def text_size(text: str, points: float) -> tuple[float, float]:
    blf.size(_FONT, points)
    return blf.dimensions(_FONT, text)


def write(text: str, x: float, y: float, points: float, colour: Colour) -> None:
    """One line of text from its lower left corner, with a soft shadow."""
    blf.size(_FONT, points)
    blf.color(_FONT, *colour)
    blf.enable(_FONT, blf.SHADOW)
    blf.shadow(_FONT, 3, 0.0, 0.0, 0.0, 0.9)
    blf.shadow_offset(_FONT, 0, 0)
    blf.position(_FONT, x, y, 0.0)
    blf.draw(_FONT, text)
    blf.disable(_FONT, blf.SHADOW)


def _draw_triangles(points: Floats, colours: Floats) -> None:
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    content = {
        "pos": np.ascontiguousarray(points.reshape(-1, 3), dtype=np.float32),
        "color": np.ascontiguousarray(colours.reshape(-1, 4), dtype=np.float32),
    }
    batch = batch_for_shader(shader, "TRIS", content)
    shader.bind()
    batch.draw(shader)
