"""Assist, contact force, skate and physics error over the frames, each curve under the moments it belongs to."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..arrays import Floats
from . import picture_style as style
from .bake_result import BakeResult
from .contact_sheet import place_of
from .measure import FrameMeasures, summarise
from .moments import Story

_TOP, _PITCH, _HEIGHT = 428, 98, 80  # upper edge of the first plot, from plot to plot, and their height [pixels]
_HEADROOM = 1.2
_USUAL_PERCENT, _SPIKE = 98.0, 2.5  # values so many times over this percentile are spikes
_BEARS = 0.05  # of body weight: a side that carries more is in contact


class _Curve(NamedTuple):
    values: Floats  # (T,)
    colour: str
    said: str  # in the margin: what the curve is, or its mean


class _Plot(NamedTuple):
    name: str
    unit: str
    least: float  # what the axis shows at least
    curves: list[_Curve]
    filled: bool = False
    barred: bool = False  # bars say where a curve is above zero


def draw_curves(figure: Figure, story: Story, result: BakeResult) -> None:
    for row, plot in enumerate(_plots(result)):
        axes = _axes(figure, story, row, plot)
        for curve in plot.curves:
            if plot.filled:
                axes.fill_between(np.arange(story.frames), curve.values, color=curve.colour, alpha=0.25, linewidth=0)
            axes.plot(curve.values, color=curve.colour, linewidth=style.points(1.7), solid_joinstyle="round")
            _name_spikes(axes, curve)
        if plot.barred:
            _draw_contact_bars(axes, plot.curves)
        _draw_margins(axes, plot)
        if story.lost_frame is not None:
            axes.axvspan(story.lost_frame, axes.get_xlim()[1], color=style.FAULT_TINT, linewidth=0, zorder=0)
            axes.axvline(story.lost_frame, color=style.FAULT, linewidth=style.points(1.2))
    _number_frames(figure.axes[-1], story)


def _plots(result: BakeResult) -> list[_Plot]:
    before, after, report = result.before, result.after, result.report
    weight = result.performance.body.mass * result.performance.scene.gravity
    assist = 100.0 * _per_frame(result, result.recording.assist_weights(weight))
    left, right, trunk = (_per_frame(result, side) / weight for side in result.recording.ground_force.T)
    helped = f"mean {100.0 * report.assist.mean_bw:.1f}\npeak {100.0 * report.assist.peak_bw:.0f}"
    wrong = [100.0 * measures.physics_error for measures in (before, after)]
    return [
        _Plot("Assist", "% of body weight", 5.0, [_Curve(assist, style.FAULT, helped)], filled=True),
        _Plot(
            "Contact force",
            "body weights",
            1.5,
            [
                _Curve(left, style.LEFT_SIDE, "left"),
                _Curve(right, style.RIGHT_SIDE, "right"),
                *([_Curve(trunk, style.TRUNK, "trunk")] if trunk.any() else []),
            ],
            barred=True,
        ),
        _Plot(
            "Foot skate",
            "m/s",
            0.2,
            [
                _Curve(before.skate, style.BEFORE, f"{_skate_in_words(before)} before"),
                _Curve(after.skate, style.AFTER, f"{_skate_in_words(after)} after"),
            ],
        ),
        _Plot(
            "Physics error",
            "% of body weight",
            20.0,
            [
                _Curve(wrong[0], style.BEFORE, f"{wrong[0].mean():.0f} before"),
                _Curve(wrong[1], style.AFTER, f"{wrong[1].mean():.0f} after"),
            ],
        ),
    ]


def _skate_in_words(measures: FrameMeasures) -> str:
    """The mean; feet that never come near the ground have none."""
    return f"{summarise(measures).foot_skate_m_s:.2f}" if measures.skating_points.any() else "–"


def _per_frame(result: BakeResult, values: Floats) -> Floats:
    """(T,) means of what was recorded at every step (S,) over each frame's time; nan after the recording's end."""
    rate, motion = result.recording.rate, result.performance.motion
    ends = np.clip((np.arange(len(motion) + 1) - 0.5) / motion.fps, 0.0, len(values) / rate)
    sums = np.interp(ends, np.arange(len(values) + 1) / rate, np.concatenate([[0.0], np.cumsum(values)]) / rate)
    lasts = np.diff(ends)
    means: Floats = np.diff(sums) / np.where(lasts > 0.0, lasts, np.nan)
    return means


def _axes(figure: Figure, story: Story, row: int, plot: _Plot) -> Axes:
    bottom = _TOP - row * _PITCH - _HEIGHT
    axes = figure.add_axes(
        (
            style.LEFT / style.WIDTH,
            bottom / style.HEIGHT,
            (style.RIGHT - style.LEFT) / style.WIDTH,
            _HEIGHT / style.HEIGHT,
        )
    )
    start, end = place_of(story, 0.0), place_of(story, story.frames - 1.0)
    per_pixel = (story.frames - 1.0) / (end - start)
    axes.set_xlim((style.LEFT - start) * per_pixel, (style.RIGHT - start) * per_pixel)
    axes.set_ylim(0.0, _top(plot))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=3, min_n_ticks=2))
    axes.grid(axis="y", color=style.HAIRLINE, linewidth=style.points(1.0))
    for x in (moment.frame for moment in story.moments):
        axes.axvline(x, color=style.HAIRLINE, linewidth=style.points(1.0), zorder=0.5)
    axes.set_axisbelow(True)
    axes.patch.set_visible(False)
    for edge in ("left", "right", "top"):
        axes.spines[edge].set_visible(False)
    axes.spines["bottom"].set(color=style.QUIET, linewidth=style.points(1.0))
    axes.tick_params(axis="both", length=0, labelsize=7.5, labelcolor=style.QUIET)
    axes.tick_params(axis="x", labelbottom=False)
    axes.tick_params(axis="y", pad=3)
    return axes


def _top(plot: _Plot) -> float:
    """The axis' upper end: the highest value, unless a few spikes would press all else to the ground."""
    values = np.concatenate([curve.values for curve in plot.curves])
    values = values[np.isfinite(values)]
    if not len(values):
        return _HEADROOM * plot.least
    usual = float(np.percentile(values, _USUAL_PERCENT))
    return _HEADROOM * max(plot.least, min(float(values.max()), _SPIKE * usual))


def _name_spikes(axes: Axes, curve: _Curve) -> None:
    """What leaves the plot is said in numbers, where it does."""
    top = axes.get_ylim()[1]
    if np.isfinite(curve.values).any() and np.nanmax(curve.values) > top:
        frame = int(np.nanargmax(curve.values))
        peak = float(curve.values[frame])
        said = f" ↑ {peak:.0f}" if peak >= 10.0 else f" ↑ {peak:.1f}"
        axes.text(frame, 0.86 * top, said, color=curve.colour, va="top", fontsize=8)


def _draw_contact_bars(axes: Axes, curves: list[_Curve]) -> None:
    """A thin bar along the top wherever a side bears on the ground."""
    for row, curve in enumerate(curves):
        bears = np.nan_to_num(curve.values) > _BEARS
        height = 0.98 - 0.06 * row
        axes.fill_between(
            np.arange(len(bears)),
            height,
            height - 0.045,
            where=bears.tolist(),
            step="mid",
            color=curve.colour,
            linewidth=0,
            transform=axes.get_xaxis_transform(),
        )


def _draw_margins(axes: Axes, plot: _Plot) -> None:
    width = style.RIGHT - style.LEFT
    beside = axes.transAxes
    left, right = -36.0 / width, 1.0 + (style.WIDTH - style.MARGIN - style.RIGHT) / width
    axes.text(left, 0.62, plot.name, transform=beside, color=style.INK, ha="right", va="center", fontsize=9)
    axes.text(left, 0.38, plot.unit, transform=beside, color=style.QUIET, ha="right", va="center", fontsize=7.5)
    for row, curve in enumerate(plot.curves):
        axes.text(
            right,
            0.95 - 0.24 * row,
            curve.said,
            transform=beside,
            color=curve.colour,
            ha="right",
            va="top",
            fontsize=8.5,
            linespacing=1.4,
        )


def _number_frames(axes: Axes, story: Story) -> None:
    axes.set_xticks(
        [moment.frame for moment in story.moments],
        labels=[str(story.first_frame + moment.frame) for moment in story.moments],
    )
    axes.tick_params(axis="x", labelbottom=True, labelsize=9, pad=5)
