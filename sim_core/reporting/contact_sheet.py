"""Before and after as two rows of figures on the same ground, and under each figure its two feet enlarged."""

import numpy as np
from matplotlib.axes import Axes

from ..arrays import Bools, Floats
from . import picture_style as style
from .moments import Moment, Snapshot, Story
from .things_drawing import ThingOutline
from .window import SEEN_M, Window, draw_figure, draw_ghost, draw_ground, draw_things

_TOPS = {"Before": 1152, "After": 796}  # of the rows
_FIGURES = 200  # height over the ground
_EARTH = 12  # ground that is drawn under the figures
_FOOT, _GAP = 60, 4  # height of a foot's window, and the space over it
_FOOT_EARTH = 14
_FOOT_VIEW = (0.235, 0.078)  # of body height: what a foot's window shows, across and up
_HEADROOM = 1.02
_NEAR = 0.3  # of body height: a source no farther from the result is seen in the same window
_OVERLAP = 1.08  # outstretched hands may reach a little into the next cell


def draw_contact_sheet(page: Axes, story: Story) -> None:
    centres = column_centres(len(story.moments))
    cell = float(centres[1] - centres[0])
    scale = _scale(story, cell)
    numbers = _TOPS["Before"] + 15
    page.text(style.LEFT - 14, numbers, "frame", color=style.QUIET, ha="right", va="center", fontsize=9)
    for moment, centre in zip(story.moments, centres, strict=True):
        colour = style.QUIET if moment.kept else style.FAULT
        number = str(story.first_frame + moment.frame)
        page.text(centre, numbers, number, color=colour, ha="center", va="center", fontsize=9)
        for name, top in _TOPS.items():
            _draw_cell(page, story, moment, name == "After", centre, top, cell, scale)
    for name, top in _TOPS.items():
        _draw_labels(page, name, top)
    if story.lost_frame is not None:
        _draw_loss(page, story, story.lost_frame)


def column_centres(count: int) -> Floats:
    """(count,) where on the page the moments stand."""
    edges = np.linspace(style.LEFT, style.RIGHT, count + 1)
    centres: Floats = 0.5 * (edges[1:] + edges[:-1])
    return centres


def place_of(story: Story, frame: float) -> float:
    """Where on the page a frame of the motion (from 0) lies, in the contact sheet as in the curves."""
    centres = column_centres(len(story.moments))
    return float(centres[0] + (centres[-1] - centres[0]) * frame / (story.frames - 1))


def _scale(story: Story, cell: float) -> float:
    """Pixels per metre that let every figure fit; only those of the result, since a source that knows nothing of the
    ground it is on may be anywhere."""
    wide, high = 0.0, story.body.height
    for moment in story.moments:
        lower, upper = moment.after.box
        wide = max(wide, float(upper[0] - lower[0]))
        if moment.kept:  # a body that was thrown off may leave its row, but shrinks no other
            high = max(high, float(upper[1]) - base_of(story, moment.after))
    return min(_FIGURES / (_HEADROOM * high), _OVERLAP * cell / wide)


def base_of(story: Story, snapshot: Snapshot) -> float:
    """The height in the picture that a figure stands on [m]."""
    return story.base(snapshot, np.ones(len(snapshot.soles), dtype=bool), snapshot.middle, snapshot.lowest)


def _corner(story: Story, moment: Moment, after: bool) -> tuple[float, float]:
    """Where a window looks, to the right and up [m]: both rows at the same place, so that drift shows. Once the
    performance is lost they have none in common, and a source that is elsewhere is looked for there."""
    if after:
        return moment.after.middle, base_of(story, moment.after)
    if not moment.kept:
        return moment.before.middle, base_of(story, moment.before)
    source = np.array([moment.before.middle, moment.before.lowest])
    result = np.array(_corner(story, moment, True))
    near = np.abs(source - result) < _NEAR * story.body.height
    middle, base = np.where(near, result, source)
    return float(middle), float(base)


def _draw_cell(
    page: Axes, story: Story, moment: Moment, after: bool, centre: float, top: float, cell: float, scale: float
) -> None:
    snapshot = moment.after if after else moment.before
    half = np.array([0.5 * cell, 0.0])
    line = np.array([centre, top - _FIGURES])
    middle, base = _corner(story, moment, after)
    window = Window(
        lower=line - half - [0.0, _EARTH],
        upper=line + half + [0.0, _FIGURES],
        ground=_EARTH,
        middle=middle,
        base=base,
        scale=scale,
    )
    draw_ground(page, window, story)
    draw_things(page, window, moment.things)
    # Figures may reach over the sides of their cell, but stay in their row.
    roomy = window._replace(lower=window.lower - half, upper=window.upper + half)
    if after and moment.kept:
        draw_ghost(page, roomy, moment.before.parts)
    draw_figure(page, roomy, story, snapshot.parts)
    _draw_sunk_soles(page, window, snapshot, np.ones(len(story.body.soles), dtype=bool), size=3.5)
    for row, of_foot in enumerate((story.body.soles.left, ~story.body.soles.left)):
        bottom = top - _FIGURES - _EARTH - (row + 1) * (_FOOT + _GAP)
        _draw_foot(page, story, snapshot, moment.things, of_foot, centre, bottom, cell)


def _draw_foot(
    page: Axes,
    story: Story,
    snapshot: Snapshot,
    things: list[ThingOutline],
    of_foot: Bools,
    centre: float,
    bottom: float,
    cell: float,
) -> None:
    width = cell - 8.0
    across, upward = (share * story.body.height for share in _FOOT_VIEW)
    links = set(story.body.soles.links[of_foot])
    parts = [part for part in snapshot.parts if part.link in links]
    outlines = np.concatenate([part.outline for part in parts])
    middle = 0.5 * float(outlines[:, 0].min() + outlines[:, 0].max())
    window = Window(
        lower=np.array([centre - 0.5 * width, bottom]),
        upper=np.array([centre + 0.5 * width, bottom + _FOOT]),
        ground=_FOOT_EARTH,
        middle=middle,
        base=story.base(snapshot, of_foot, middle, float(snapshot.soles[of_foot, 1].min())),
        scale=min(width / across, (_FOOT - _FOOT_EARTH) / upward),
    )
    page.fill(*window.corners.T, color=style.AIR, linewidth=0, zorder=0)
    draw_ground(page, window, story)
    draw_things(page, window, things)
    draw_figure(page, window, story, parts)
    _draw_sunk_soles(page, window, snapshot, of_foot, size=5.0)
    height = float(snapshot.sole_heights[of_foot].min())
    if abs(height) > SEEN_M:
        page.text(
            window.upper[0] - 3.0,
            window.upper[1] - 8.0 if height < 0.0 else window.lower[1] + 0.5 * _FOOT_EARTH - 1.0,  # where no foot is
            _height_in_words(height),
            color=style.FAULT if height < 0.0 else style.QUIET,
            ha="right",
            va="center",
            fontsize=7.5,
            zorder=6,
        )


def _height_in_words(height: float) -> str:
    if height < 0.0:
        return f"{-1000.0 * height:.0f} mm deep"
    return f"{1000.0 * height:.0f} mm up" if height < 0.0995 else f"{100.0 * height:.0f} cm up"


def _draw_sunk_soles(page: Axes, window: Window, snapshot: Snapshot, which: Bools, *, size: float) -> None:
    dots = window.pixels(snapshot.soles[which & (snapshot.sole_heights < -SEEN_M)])
    inside = np.all((dots >= window.lower) & (dots <= window.upper), axis=1)
    page.plot(
        dots[inside, 0],
        dots[inside, 1],
        "o",
        color=style.FAULT,
        markersize=style.points(size),
        markeredgewidth=0,
        zorder=5,
    )


def _draw_loss(page: Axes, story: Story, frame: float) -> None:
    """A tint over all that comes after, from the moment that the performance was lost."""
    x = place_of(story, frame)
    top = _TOPS["After"]
    bottom = top - _FIGURES - _EARTH - 2 * (_FOOT + _GAP)
    lost = np.array([[x, bottom], [style.RIGHT, bottom], [style.RIGHT, top], [x, top]])
    page.fill(*lost.T, color=style.FAULT_TINT, linewidth=0, zorder=-1)
    page.plot([x, x], [bottom, top], color=style.FAULT, linewidth=style.points(1.2), zorder=1.5)
    said = f"lost at {story.first_frame + round(frame)}"
    page.text(x, top + 8, said, color=style.FAULT, ha="center", va="center", fontsize=8.5)


def _draw_labels(page: Axes, name: str, top: float) -> None:
    edge = style.LEFT - 14
    ground = top - _FIGURES
    colour = style.BEFORE if name == "Before" else style.AFTER
    page.text(edge, ground + 0.5 * _FIGURES, name, color=colour, ha="right", va="center", fontsize=14, weight="bold")
    if name == "After":
        shadow = ground + 0.5 * _FIGURES - 20
        page.text(edge, shadow, "shadow: before", color=style.QUIET, ha="right", va="center", fontsize=7.5)
    for row, (foot, side) in enumerate((("left foot", style.LEFT_SIDE), ("right foot", style.RIGHT_SIDE))):
        middle = ground - _EARTH - (row + 1) * (_FOOT + _GAP) + 0.5 * _FOOT
        page.text(edge, middle, foot, color=side, ha="right", va="center", fontsize=9)
