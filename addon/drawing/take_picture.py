"""A small picture of a figure on its way down, from the side: three moments of a take, the earlier the fainter; no bpy
here.

It is kept as compressed bytes, so that the file stays small.
"""

import zlib

import numpy as np
from numpy.typing import NDArray

from ...sim_core.reporting.take import Take
from .body_outlines import PosedShapes, joint_outlines, link_outlines, posed_shapes
from .colours import BODY, INK, Colour
from .flat_geometry import DIRECTIONS, Floats
from .view_projection import View

SIZE = 96  # pixels to a side
_FAINTEST = 0.3  # of the first of them
_LEAST_M = 1.0  # that is seen: a curled-up body is no giant
_MARGIN_M = 0.12  # beyond the joints: a head, a hand
_LINE = 1.1  # pixels around each part
_FAR = 0.55  # how bright what is farthest away is
_UP = np.array([0.0, 0.0, 1.0])


def draw_picture(take: Take, first: int, last: int) -> bytes:
    """Of the figure in these two rows, and halfway down between them."""
    height = take.com_after[first : last + 1] @ _UP
    halfway = first + int(np.abs(height - 0.5 * (height[0] + height[-1])).argmin())
    rows = np.unique([first, halfway, last])
    figures = [posed_shapes(take, take.after_positions[row], take.after_rotations[row], 1.0) for row in rows]
    view = _beside(take, first, np.concatenate([figure.ends for figure in figures]))
    pixels = np.zeros((SIZE, SIZE, 4))
    for figure, opacity in zip(figures, np.linspace(1.0, _FAINTEST, len(figures))[::-1], strict=True):
        alone = np.zeros((SIZE, SIZE, 4))
        _paint_figure(alone, take, figure, view)
        covers = opacity * alone
        pixels = covers + pixels * (1.0 - covers[..., 3:])
    return zlib.compress(np.round(255.0 * pixels).astype(np.uint8).tobytes(), 9)


def picture_pixels(kept: bytes) -> NDArray[np.float32] | None:
    """(SIZE, SIZE, 4) from below, colours multiplied by their opacity; None for what is no picture."""
    try:
        pixels = np.frombuffer(zlib.decompress(kept), dtype=np.uint8)
        return pixels.reshape(SIZE, SIZE, 4).astype(np.float32) / 255.0
    except (zlib.error, ValueError):
        return None


def _paint_figure(pixels: Floats, take: Take, shapes: PosedShapes, view: View) -> None:
    outlines = link_outlines(shapes, view)
    for outline in joint_outlines(take, shapes, view):
        _paint(pixels, outline, _FAR)
    for brightness, outline in zip(np.linspace(_FAR, 1.0, len(outlines.pixels)), outlines.pixels[::-1], strict=True):
        _paint(pixels, outline, float(brightness))  # the nearest last


def _beside(take: Take, first: int, ends: Floats) -> View:
    """Without perspective, at right angles to where the figure goes, which is to the right."""
    way = (take.com_after[-1] - take.com_after[first]).astype(np.float64) * (1.0 - _UP)
    right = way / np.linalg.norm(way) if np.linalg.norm(way) > 1e-6 else np.array([1.0, 0.0, 0.0])
    away = np.cross(_UP, right)  # from the viewer
    middle = 0.5 * (ends.min(axis=(0, 1)) + ends.max(axis=(0, 1)))
    across = float(np.ptp(ends @ right))
    half = 0.5 * max(across, float(np.ptp(ends @ _UP)), _LEAST_M) + _MARGIN_M
    matrix = np.zeros((4, 4))
    for line, axis in enumerate((right, _UP, away)):
        matrix[line, :3], matrix[line, 3] = axis / half, -axis @ middle / half
    matrix[3, 3] = 1.0
    return View(matrix=matrix, size=(SIZE, SIZE), eye=middle - 10.0 * away, direction=away, is_perspective=False)


def _paint(pixels: Floats, outline: Floats, brightness: float) -> None:
    """A convex patch over what is there, with a dark line along its edge."""
    low = np.clip(np.floor(outline.min(axis=0)).astype(int) - 1, 0, SIZE)
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 1, 0, SIZE)
    part = pixels[low[1] : high[1], low[0] : high[0]]  # rows from below
    points = np.stack(np.meshgrid(*(np.arange(*ends) + 0.5 for ends in zip(low, high, strict=True))), axis=-1)
    beyond = (points @ DIRECTIONS.T - np.sum(outline * DIRECTIONS, axis=-1)).max(axis=-1, initial=-np.inf)
    for grow, colour in ((0.0, INK), (-_LINE, _dimmed(brightness))):
        opacity = np.clip(grow - beyond + 0.5, 0.0, 1.0)[..., None]
        part *= 1.0 - opacity
        part += opacity * np.array(colour)


def _dimmed(brightness: float) -> Colour:
    red, green, blue, opacity = BODY
    return (brightness * red, brightness * green, brightness * blue, opacity)
