"""A rectangle of the page through which one sees a piece of the scene: its ground, and a figure on it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.transforms import Bbox, TransformedBbox

from ..arrays import Floats
from ..rig.segments import TRUNK, is_left, kind
from . import picture_style as style
from .figure_drawing import Part, side_of, within
from .moments import Story
from .things_drawing import ThingOutline

SEEN_M = 0.003  # a dip or gap of less is under a pixel, and within the softness of any contact
_HAZE_M = 0.12  # a limb this far behind the root is as pale as it gets, and as far before it as strong
_PALEST = 0.62
_MASS = (*TRUNK, "neck", "clavicle")


class Window(NamedTuple):
    """What is at `middle` and `base` appears in the middle of the rectangle, `ground` pixels over its lower edge."""

    lower: Floats  # (2,) corner on the page [pixels]
    upper: Floats  # (2,)
    ground: float
    middle: float  # place in the picture of the scene [m]
    base: float  # height in it [m]
    scale: float  # pixels per metre

    @property
    def corners(self) -> Floats:
        """(4, 2) around the rectangle."""
        (left, bottom), (right, top) = self.lower, self.upper
        return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])

    def pixels(self, points: Floats) -> Floats:
        """Points of the scene (..., 2) on the page."""
        anchor = np.array([0.5 * (self.lower[0] + self.upper[0]), self.lower[1] + self.ground])
        seen: Floats = anchor + self.scale * (points - np.array([self.middle, self.base]))
        return seen


def draw_ground(page: Axes, window: Window, story: Story) -> None:
    point = window.pixels(story.ground_point)
    earth = side_of(window.corners, point, -story.ground_normal)
    # Without smoothing, the bands of neighbouring windows join without a seam.
    page.fill(earth[:, 0], earth[:, 1], color=style.GROUND, linewidth=0, antialiased=False, zorder=1)
    x = np.array([window.lower[0], window.upper[0]])
    y = point[1] - (x - point[0]) * story.ground_normal[0] / story.ground_normal[1]
    (line,) = page.plot(x, y, color=style.GROUND_LINE, linewidth=style.points(1.2), solid_capstyle="butt", zorder=4)
    line.set_clip_box(TransformedBbox(Bbox([window.lower, window.upper]), page.transData))


def draw_things(page: Axes, window: Window, things: Sequence[ThingOutline]) -> None:
    """Behind all figures; what is loose in a colour of its own."""
    outlines = [within(window.pixels(thing.outline), window.lower, window.upper) for thing in things]
    fills = [style.LOOSE if thing.loose else style.THING for thing in things]
    paints = [
        _Paint(fill, style.GROUND_LINE if thing.edged else fill) for fill, thing in zip(fills, things, strict=True)
    ]
    _draw(page, outlines, paints, zorder=1.6)


def draw_ghost(page: Axes, window: Window, parts: Sequence[Part]) -> None:
    """Where the figure would be, behind all others."""
    _draw(page, _seen(window, parts), [_Paint(style.GHOST, style.GHOST)] * len(parts), zorder=2)


def draw_figure(page: Axes, window: Window, story: Story, parts: Sequence[Part]) -> None:
    """What of the figure is in the ground, is red."""
    outlines = _seen(window, parts)
    _draw(page, outlines, [_paint(story, part) for part in parts], zorder=3)
    level = window.pixels(story.ground_point) - SEEN_M * window.scale * story.ground_normal
    sunk = [side_of(outline, level, -story.ground_normal) for outline in outlines]
    _draw(page, sunk, [_Paint(style.FAULT, style.FAULT)] * len(sunk), zorder=3)


def _seen(window: Window, parts: Sequence[Part]) -> list[Floats]:
    return [within(window.pixels(part.outline), window.lower, window.upper) for part in parts]


class _Paint(NamedTuple):
    fill: str
    edge: str


def _draw(page: Axes, outlines: list[Floats], paints: list[_Paint], *, zorder: float) -> None:
    visible = [(outline, paint) for outline, paint in zip(outlines, paints, strict=True) if len(outline)]
    page.add_collection(
        PolyCollection(
            [outline for outline, _ in visible],
            facecolors=[paint.fill for _, paint in visible],
            edgecolors=[paint.edge for _, paint in visible],
            linewidths=style.points(0.9),
            zorder=zorder,
        ),
        autolim=False,
    )


def _paint(story: Story, part: Part) -> _Paint:
    """Limbs by the side of the body, paler the farther away, edged where they cross; all else as one mass."""
    name = story.body.links[part.link].name
    if name == "head":
        return _Paint(style.TRUNK, "white")
    if kind(name) in _MASS:
        return _Paint(style.TRUNK, style.TRUNK)
    own = style.LEFT_SIDE if is_left(name) else style.RIGHT_SIDE
    haze = _PALEST * float(np.clip(0.5 - 0.5 * part.depth / _HAZE_M, 0.0, 1.0))
    r, g, b = (channel + haze * (1.0 - channel) for channel in to_rgb(own))
    return _Paint(to_hex((r, g, b)), "white")
