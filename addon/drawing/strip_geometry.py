"""Frames as columns of pixels, and where in an editor they fit; no bpy here."""

from typing import NamedTuple

import numpy as np

from .flat_geometry import Floats

# All in pixels of the interface.
_SCRUB = 22.0  # the frame numbers at the top of an editor
_SCROLLBAR = 9.0  # at its bottom
_MARKERS = 22.0  # above that, where the scene has markers
_ROW, _LEAST_ROW, _GAP, EDGE = 12.0, 5.0, 1.0, 1.0
_THIN_ROW = 2.5  # two of them fit over the frame numbers
_LETTERS, _CAPTION = 8.0, 15.0  # the least height of a row with letters in it, and of a line of text over the rows


class Layout(NamedTuple):
    """Where the rows lie in a region, counted from its bottom [pixels of the screen]."""

    bottom: float  # of the lower row
    row: float  # height of each
    gap: float  # between them
    has_labels: bool  # there is room for letters in a row
    has_caption: bool  # and for a line of text above

    @property
    def top(self) -> float:
        return self.bottom + 2.0 * self.row + self.gap

    def rows(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Bottom and top of the upper row, then of the lower one."""
        middle = self.bottom + self.row + self.gap
        return (middle, middle + self.row), (self.bottom, self.bottom + self.row)


def layout(height: int, pixel: float, has_markers: bool) -> Layout:
    """Above scrollbar and markers; in an editor too low for that, two thin lines over its frame numbers."""
    bottom = (_SCROLLBAR + (_MARKERS if has_markers else 0.0) + EDGE) * pixel
    free = height - _SCRUB * pixel - bottom - EDGE * pixel
    row = min(_ROW * pixel, 0.5 * (free - _GAP * pixel))
    if row < _LEAST_ROW * pixel:
        thin = _THIN_ROW * pixel
        return Layout(height - 2.0 * thin, thin, 0.0, False, False)
    above = free - 2.0 * row - _GAP * pixel
    return Layout(bottom, row, _GAP * pixel, row >= _LETTERS * pixel, above >= _CAPTION * pixel)


class Columns(NamedTuple):
    left: Floats  # (N,) [pixels]
    right: Floats
    levels: Floats  # (N,)


def columns(levels: Floats, first: float, pitch: float, width: int) -> Columns:
    """The frames that can be seen in a region of this width, where frame k is centred at first + k * pitch.

    Where frames are narrower than a pixel, a pixel shows the worst of its frames, so that a single bad one is seen.
    """
    if pitch < 1.0:
        return _crowded(levels, first, pitch, width)
    left = first + (np.arange(len(levels)) - 0.5) * pitch
    seen = (left + pitch > 0.0) & (left < width)
    return Columns(left[seen], left[seen] + pitch, levels[seen])


def _crowded(levels: Floats, first: float, pitch: float, width: int) -> Columns:
    pixel = np.floor(first + np.arange(len(levels)) * pitch).astype(np.int64)
    seen = (pixel >= 0) & (pixel < width)
    pixel, levels = pixel[seen], levels[seen]
    if not len(pixel):
        return Columns(np.empty(0), np.empty(0), np.empty(0))
    starts = np.flatnonzero(np.diff(pixel, prepend=pixel[0] - 1))
    left = pixel[starts].astype(np.float64)
    return Columns(left, left + 1.0, np.fmax.reduceat(levels, starts))
