"""What physics sees in the current frame of the take: shapes, centre of mass, support area, forces and assist."""

from typing import NamedTuple

import numpy as np
from bpy.types import Context, SpaceView3D

from ...sim_core.reporting.take import Take
from . import colours
from .arrow_painting import paint_arrows, write_beside
from .body_outlines import link_outlines, posed_shapes
from .colours import Colour, faded, lightened
from .draw_handlers import DrawHandlers, Drawing
from .figure_painting import solid
from .flat_geometry import Floats, dashes, disc, joined, patches, quarters
from .paint import paint_flat, paint_in_front, paint_on_ground, ui_scale
from .shown_take import forget, playing_take, view_of
from .view_projection import View, circle

_DEPTHS = (-0.9999, -0.999)  # of the shapes: before all else
_METRES_PER_BODY_WEIGHT = 0.5
_LEAST_FORCE, _LEAST_ASSIST = 0.01, 0.005  # of body weight: less is not worth an arrow
_LIFT = 0.004  # over the ground, so that a floor does not swallow what lies on it [m]
_RING = 0.06  # radius of the mark under the centre of mass [m]
_COM_DISC = 8.0  # radius of the mark at the centre of mass [pixels]
_FULL_SIZE, _SMALLEST = 160.0, 0.4  # marks shrink where a metre has fewer pixels than this, down to a share


class _Frame(NamedTuple):
    """One frame of a take in a viewport."""

    take: Take
    row: int
    view: View
    units_per_metre: float
    letter: float  # one of the interface's pixels on this screen, for words
    pixel: float  # the same for marks and lines, which shrink with a small figure

    @property
    def body_weight(self) -> float:
        return self.take.mass_kg * self.take.gravity

    def place(self, metres: Floats) -> Floats:
        """A point of the take in Blender's units."""
        return self.units_per_metre * np.asarray(metres, dtype=np.float64)

    def on_ground(self, metres: Floats) -> Floats:
        """The point of the ground under or over a point of the take [m]."""
        normal, point = self.take.ground_normal.astype(np.float64), self.take.ground_point
        height = float((metres - point) @ normal)
        # Weight acts straight down, also on a slope.
        return metres - np.array([0.0, 0.0, height / max(float(normal[2]), 1e-3)]) + _LIFT * normal


def _frame(context: Context) -> _Frame | None:
    if not (context.scene.heft_view.show_overlay and context.space_data.overlay.show_overlays):
        return None
    shown = playing_take(context)
    row = None if shown is None else shown.row(context.scene)
    if shown is None or row is None:
        return None
    view, screen = view_of(context), ui_scale()
    metre = shown.units_per_metre * view.pixels_per_unit(shown.units_per_metre * shown.take.com_after[row]) / screen
    shrink = min(max(metre / _FULL_SIZE, _SMALLEST), 1.0) if np.isfinite(metre) else 1.0
    return _Frame(shown.take, row, view, shown.units_per_metre, screen, screen * shrink)


def draw_in_scene(context: Context) -> None:
    """What lies on the ground, and the body over it."""
    frame = _frame(context)
    if frame is None:
        return
    settings = context.scene.heft_view
    if settings.show_support:
        _draw_support(frame)
    if settings.show_com:
        _draw_com_ring(frame)
    if settings.show_shapes:
        _draw_shapes(frame)


def draw_in_pixels(context: Context) -> None:
    """Marks and arrows, over all else."""
    frame = _frame(context)
    if frame is None:
        return
    settings = context.scene.heft_view
    if settings.show_com:
        _draw_com(frame)
    if settings.show_forces:
        _draw_forces(frame)
        _draw_push(frame)
        _draw_pull(frame)
    if settings.show_assist:
        _draw_assist(frame)


def _draw_support(frame: _Frame) -> None:
    corners = frame.take.support(frame.row)
    if len(corners) >= 3:
        corners = frame.place(corners + _LIFT * frame.take.ground_normal)
        fill, line = faded(colours.SUPPORT, 0.28), faded(colours.SUPPORT, 0.95)
        paint_on_ground(corners, fill, line, 2.0 * frame.pixel, frame.view.size)


def _draw_com_ring(frame: _Frame) -> None:
    under = frame.on_ground(frame.take.com_after[frame.row].astype(np.float64))
    if not np.isfinite(under).all():
        return
    normal = frame.take.ground_normal.astype(np.float64)
    for radius, fill in ((_RING, 0.0), (0.18 * _RING, 0.95)):
        corners = frame.place(circle(under, normal, radius))
        paint_on_ground(
            corners, faded(colours.PAPER, fill), faded(colours.PAPER, 0.95), 2.0 * frame.pixel, frame.view.size
        )


def _draw_shapes(frame: _Frame) -> None:
    take, row = frame.take, frame.row
    shapes = posed_shapes(take, take.after_positions[row], take.after_rotations[row], frame.units_per_metre)
    outlines = link_outlines(shapes, frame.view)
    planted = take.planted[row, outlines.links][:, None]
    fill = np.where(planted, faded(colours.FORCE, 0.30), faded(colours.BODY, 0.16))
    line = np.where(planted, faded(colours.FORCE, 0.95), faded(colours.BODY, 0.85))
    paint_in_front(solid(outlines.pixels, fill, line, 2.0 * frame.pixel, _DEPTHS), frame.view.size)


def _draw_com(frame: _Frame) -> None:
    """The quartered disc that engineers use, and a dashed line to where the weight meets the ground."""
    com = frame.take.com_after[frame.row].astype(np.float64)
    at, under = frame.view.pixels(frame.place(np.stack([com, frame.on_ground(com)])))
    if not (np.isfinite(at).all() and np.isfinite(under).all()):
        return
    radius = _COM_DISC * frame.pixel
    line = dashes(at, under, 6.0 * frame.pixel)
    quarter_colours = np.array([colours.INK, colours.PAPER, colours.INK, colours.PAPER])
    paint_flat(
        joined(
            [
                patches(line, colours.SHADE, 1.4 * frame.pixel),
                patches(line, faded(colours.PAPER, 0.9), 0.7 * frame.pixel),
                patches(disc(at, radius + 3.0 * frame.pixel), colours.SHADE),
                patches(disc(at, radius + 1.6 * frame.pixel), colours.PAPER),
                patches(quarters(at, radius), quarter_colours),
            ]
        )
    )


def _draw_forces(frame: _Frame) -> None:
    force = frame.take.contact_force[frame.row].astype(np.float64) / frame.body_weight
    points = frame.take.contact_point[frame.row].astype(np.float64)
    bears = (np.linalg.norm(force, axis=-1) > _LEAST_FORCE) & np.isfinite(points).all(axis=-1)
    tails = points[bears]
    _draw_arrows(frame, tails, tails + _METRES_PER_BODY_WEIGHT * force[bears], colours.FORCE)


def _draw_push(frame: _Frame) -> None:
    """The arrow ends at the skin: a push goes in."""
    force, point = frame.take.push_force[frame.row].astype(np.float64), frame.take.push_point[frame.row]
    newtons = float(np.linalg.norm(force))
    if newtons < _LEAST_FORCE * frame.body_weight or not np.isfinite(point).all():
        return
    tail = point - _METRES_PER_BODY_WEIGHT * force / frame.body_weight
    tails, tips = _draw_arrows(frame, tail[None], point[None].astype(np.float64), colours.PUSH, held="tip")
    write_beside(frame.letter, tails, tips, f"{newtons:.0f} N", lightened(colours.PUSH))


def _draw_pull(frame: _Frame) -> None:
    """The arrow begins at the segment: a pull goes out."""
    force, point = frame.take.pull_force[frame.row].astype(np.float64), frame.take.pull_point[frame.row]
    newtons = float(np.linalg.norm(force))
    if newtons < _LEAST_FORCE * frame.body_weight or not np.isfinite(point).all():
        return
    tip = point + _METRES_PER_BODY_WEIGHT * force / frame.body_weight
    tails, tips = _draw_arrows(frame, point[None].astype(np.float64), tip[None], colours.PUSH)
    write_beside(frame.letter, tails, tips, f"{newtons:.0f} N", lightened(colours.PUSH))


def _draw_assist(frame: _Frame) -> None:
    share = float(frame.take.assist_bw[frame.row])
    if not share > _LEAST_ASSIST:
        return
    pelvis = frame.take.after_positions[frame.row, 0].astype(np.float64)
    force = frame.take.assist_force[frame.row].astype(np.float64) / frame.body_weight
    tip = pelvis + _METRES_PER_BODY_WEIGHT * force
    tails, tips = _draw_arrows(frame, pelvis[None], tip[None], colours.ASSIST, clear_of=_COM_DISC + 4.0)
    write_beside(frame.letter, tips, tails, f"{100.0 * share:.0f} % assist", lightened(colours.ASSIST))


def _draw_arrows(
    frame: _Frame, tails: Floats, tips: Floats, colour: Colour, held: str = "tail", clear_of: float = 0.0
) -> tuple[Floats, Floats]:
    """Between points of the take [m]; gives their ends in pixels."""
    ends = frame.place(tails), frame.place(tips)
    return paint_arrows(frame.view, frame.pixel, *ends, colour, held=held, clear_of=clear_of)


_handlers = DrawHandlers(
    "The overlay",
    (Drawing(SpaceView3D, "POST_VIEW", draw_in_scene), Drawing(SpaceView3D, "POST_PIXEL", draw_in_pixels)),
)


def register() -> None:
    _handlers.add()


def unregister() -> None:
    _handlers.remove()
    forget()
