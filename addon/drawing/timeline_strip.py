"""Two thin rows over the frames of the timeline, source above result, coloured by what is worst in each frame."""

import numpy as np
from bpy.types import Context, SpaceDopeSheetEditor

from . import colours, frame_quality
from .colours import Colour
from .draw_handlers import DrawHandlers, Drawing
from .flat_geometry import Triangles, joined, patches, rectangles
from .frame_quality import Quality, level_colours
from .paint import paint_flat, text_size, ui_scale, write
from .shown_take import ShownTake, selected_take
from .strip_geometry import EDGE, Layout, columns, layout

_LABEL, _CAPTION = 9.0, 11.0  # sizes of text [points]
_MARK = 2.5  # height of the line along frames at which something was given up [pixels]
_BESIDE = 8.0  # from the playhead to the caption [pixels]


def draw(context: Context) -> None:
    if not context.scene.heft_view.show_strip:
        return
    shown = selected_take(context)
    if shown is None:
        return
    pixel = ui_scale()
    place = layout(context.region.height, pixel, bool(context.scene.timeline_markers))
    _draw_strip(context, shown, place, pixel)


def _draw_strip(context: Context, shown: ShownTake, place: Layout, pixel: float) -> None:
    region, take, edge = context.region, shown.take, EDGE * pixel
    sides = (("Before", frame_quality.before(take)), ("After", frame_quality.after(take)))
    first, pitch = _frames_in_pixels(context, shown.frame_start)
    left, right = first - 0.5 * pitch, first + (len(take) - 0.5) * pitch
    if right < 0.0 or left > region.width:
        return
    parts = [_box(left - edge, right + edge, place.bottom - edge, place.top + edge, colours.INK)]
    for (low, high), (_, quality) in zip(place.rows(), sides, strict=True):
        seen = columns(quality.worst, first, pitch, region.width)
        parts.append(rectangles(seen.left, seen.right, low, high, level_colours(seen.levels)))
    parts += _given_up_marks(shown, first, pitch, place, pixel)
    playhead = first + (context.scene.frame_current_final - shown.frame_start) * pitch
    parts.append(_box(playhead - 0.5 * pixel, playhead + 0.5 * pixel, place.bottom, place.top, colours.PAPER))
    paint_flat(joined(parts))
    if place.has_labels:
        _draw_labels([name for name, _ in sides], left, place, pixel)
    row = shown.row(context.scene)
    if place.has_caption and row is not None:
        _draw_caption(sides, row, playhead, place, pixel, region.width)


def _given_up_marks(shown: ShownTake, first: float, pitch: float, place: Layout, pixel: float) -> list[Triangles]:
    """A line along the frames at which something was given up, which the panel explains."""
    low, high = place.bottom, place.bottom + min(_MARK * pixel, 0.4 * place.row)
    marks = []
    for item in shown.given_up:
        left = first + (item.first_frame - shown.frame_start - 0.5) * pitch
        right = first + (item.last_frame - shown.frame_start + 0.5) * pitch
        marks.append(_box(left, max(right, left + pixel), low, high, colours.PAPER))
    return marks


def _frames_in_pixels(context: Context, frame: int) -> tuple[float, float]:
    """Where a frame is in the region, and from one frame to the next; the view is linear, so two frames tell."""
    to_region = context.region.view2d.view_to_region
    # Blender answers in whole pixels: the second frame is far away, so that the rounding is shared by many.
    near, far = (to_region(frame + ahead, 0.0, clip=False)[0] for ahead in (0, 10_000))
    return float(near), (far - near) / 10_000.0


def _draw_labels(names: list[str], left: float, place: Layout, pixel: float) -> None:
    """Before the first frame, or at the region's edge where that is out of sight."""
    size = _LABEL * pixel
    widest = max(text_size(name, size)[0] for name in names)
    x = max(left - widest - 6.0 * pixel, 4.0 * pixel)
    for (low, high), name in zip(place.rows(), names, strict=True):
        if x + widest > left:
            paint_flat(_box(x - 2.0 * pixel, x + widest + 2.0 * pixel, low, high, colours.faded(colours.INK, 0.8)))
        write(name, x, low + 0.5 * (high - low) - 0.36 * size, size, colours.PAPER)


def _draw_caption(
    sides: tuple[tuple[str, Quality], ...], row: int, playhead: float, place: Layout, pixel: float, width: int
) -> None:
    """What is worst in the current frame, beside the playhead."""
    size = _CAPTION * pixel
    said = [
        (f"{name}: {quality.in_words(row)}", _colour_at(quality, row))
        for name, quality in sides
        if quality.in_words(row)
    ]
    if not said:
        return
    lengths = [text_size(text, size)[0] + 12.0 * pixel for text, _ in said]
    x = playhead + _BESIDE * pixel
    if x + sum(lengths) > width:
        x = playhead - _BESIDE * pixel - sum(lengths)
    y = place.top + 6.0 * pixel
    ends = np.array([[[x, y + 0.35 * size], [x + sum(lengths) - 12.0 * pixel, y + 0.35 * size]]])
    paint_flat(patches(ends, colours.faded(colours.INK, 0.7), 0.75 * size))
    for (text, colour), length in zip(said, lengths, strict=True):
        write(text, x, y, size, colour)
        x += length


def _colour_at(quality: Quality, row: int) -> Colour:
    red, green, blue, opacity = level_colours(quality.worst[row : row + 1])[0]
    return (red, green, blue, opacity)


def _box(left: float, right: float, low: float, high: float, colour: Colour) -> Triangles:
    return rectangles(np.array([left]), np.array([right]), low, high, np.array([colour]))


_handlers = DrawHandlers("The timeline strip", (Drawing(SpaceDopeSheetEditor, "POST_PIXEL", draw),))


def register() -> None:
    _handlers.add()


def unregister() -> None:
    _handlers.remove()
