"""A rectangle of the page through which one sees a piece of the scene: its ground, and a figure on it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from ..arrays import Floats
from ..rig.segments import SIDES, is_left
from . import picture_style as style
from .figure_drawing import Part, side_of, within
from .moments import Story

SEEN_M = 0.003  # a dip or gap of less is under a pixel, and within the softness of any contact
_HAZE_M = 0.12  # a limb this far behind the root is as pale as it gets, and as far before it as strong
_PALEST = 0.62


class Window(NamedTuple):
    """The ground at `middle` appears in the middle of the rectangle, `ground` pixels over its lower edge."""

    lower: Floats  # (2,) corner on the page [pixels]
    upper: Floats  # (2,)
    ground: float
    middle: float  # place in the scene [m]
    scale: float  # pixels per metre

    def pixels(self, points: Floats, story: Story) -> Floats:
        """Points of the scene (..., 2) on the page."""
        anchor = np.array([0.5 * (self.lower[0] + self.upper[0]), self.lower[1] + self.ground])
        origin = np.array([self.middle, story.ground_height(self.middle)])
        seen: Floats = anchor + self.scale * (points - origin)
        return seen


def draw_ground(page: Axes, window: Window, story: Story) -> None:
    point = window.pixels(story.ground_point, story)
    corners = [window.lower, [window.upper[0], window.lower[1]], window.upper, [window.lower[0], window.upper[1]]]
    earth = side_of(np.array(corners), point, -story.ground_normal)
    # Without smoothing, the bands of neighbouring windows join without a seam.
    page.fill(earth[:, 0], earth[:, 1], color=style.GROUND, linewidth=0, antialiased=False, zorder=1)
    x = np.array([window.lower[0], window.upper[0]])
    y = point[1] - (x - point[0]) * story.ground_normal[0] / story.ground_normal[1]
    page.plot(x, y, color=style.GROUND_LINE, linewidth=style.points(1.2), solid_capstyle="butt", zorder=4)


def draw_ghost(page: Axes, window: Window, story: Story, parts: Sequence[Part]) -> None:
    """Where the figure would be, behind all others."""
    _draw(page, _seen(window, story, parts), [to_rgb(style.GHOST)] * len(parts), edge="none", zorder=2)


def draw_figure(page: Axes, window: Window, story: Story, parts: Sequence[Part]) -> None:
    """What of the figure is in the ground, is red."""
    outlines = _seen(window, story, parts)
    _draw(page, outlines, [_colour(story, part) for part in parts], edge="white", zorder=3)
    level = window.pixels(story.ground_point, story) - SEEN_M * window.scale * story.ground_normal
    sunk = [side_of(outline, level, -story.ground_normal) for outline in outlines]
    _draw(page, sunk, [to_rgb(style.FAULT)] * len(sunk), edge="none", zorder=3)


def _seen(window: Window, story: Story, parts: Sequence[Part]) -> list[Floats]:
    return [within(window.pixels(part.outline, story), window.lower, window.upper) for part in parts]


def _draw(
    page: Axes, outlines: list[Floats], colours: list[tuple[float, float, float]], *, edge: str, zorder: int
) -> None:
    visible = [(outline, colour) for outline, colour in zip(outlines, colours, strict=True) if len(outline)]
    if not visible:
        return
    page.add_collection(
        PolyCollection(
            [outline for outline, _ in visible],
            facecolors=[colour for _, colour in visible],
            edgecolors=edge,
            linewidths=style.points(0.9),
            zorder=zorder,
        ),
        autolim=False,
    )


def _colour(story: Story, part: Part) -> tuple[float, float, float]:
    """By the side of the body, and paler the farther away."""
    name = story.body.links[part.link].name
    own = to_rgb((style.LEFT_SIDE if is_left(name) else style.RIGHT_SIDE) if name.endswith(SIDES) else style.TRUNK)
    haze = _PALEST * float(np.clip(0.5 - 0.5 * part.depth / _HAZE_M, 0.0, 1.0))
    r, g, b = (channel + haze * (1.0 - channel) for channel in own)
    return r, g, b
