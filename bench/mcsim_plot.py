"""The picture beside the tables: the paper's figures 4 to 6 again, its Table 4, and the gains it calls insensitive."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy.ndimage import uniform_filter1d

from bench.mcsim_conditions import Experiment
from bench.mcsim_qp_times import QpTime
from bench.mcsim_trials import Outcome, Setup
from sim_core.arrays import Floats
from sim_core.reporting.picture_style import HAIRLINE, INK, QUIET

_COLOURS = ("#2f6db3", "#e39a2d", "#4f9d69", "#8e5ea2")
_SETUP_COLOURS: dict[Setup, str] = {"mcsim on a rail": "#e39a2d", "mcsim": "#d3202f", "heft": "#2f6db3"}
_LEAST_ERROR, _MOST_ERROR = 1e-3, 30.0  # [rad^2]
_SMOOTH_S = 0.1  # contacts chatter, and seven curves are to be told apart
LEGEND: dict[str, Any] = {"fontsize": 8.5, "frameon": False, "labelcolor": INK, "borderaxespad": 0.0}


class Panel(NamedTuple):
    """One condition after the other, of one experiment with one set-up."""

    experiment: Experiment
    setup: Setup
    outcomes: Sequence[Outcome]


class Sweep(NamedTuple):
    """For each value of a gain the share of the clips' time that the body was on its feet."""

    title: str
    values: Sequence[float]
    shares: Mapping[Setup, Sequence[float]]


def draw(
    path: Path,
    clip: str,
    rate: float,
    panels: Sequence[Sequence[Panel]],
    times: Sequence[QpTime],
    sweeps: Sequence[Sweep],
) -> None:
    """A row of names, a row of panels a set-up, and a row with times and gains below."""
    rows, columns = len(panels) + 2, len(panels[0])
    heights = [0.36, *[1.0] * (rows - 1)]
    figure = Figure(figsize=(4.9 * columns, 2.9 * sum(heights)), dpi=110, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, height_ratios=heights)
    for axes, row in zip(grid[1:-1], panels, strict=True):
        for ax, panel in zip(axes, row, strict=True):
            _errors(ax, panel, rate)
    for names, drawn, panel in zip(grid[0], grid[1], panels[0], strict=True):
        names.axis("off")
        names.set_title(panel.experiment.title, fontsize=11.5, color=INK, loc="left", fontweight="bold")
        legend = names.legend(*drawn.get_legend_handles_labels(), loc="upper left", ncols=2, **LEGEND)
        legend.set_in_layout(False)  # a wide one would make its column wide
    _qp(grid[-1][0], times)
    for ax, sweep in zip(grid[-1][1:], sweeps, strict=True):
        _sweep(ax, sweep)
    figure.suptitle(
        f"McSim's experiments again: squared joint error on “{clip}” until the fall (×), solver times, gains",
        color=INK,
        fontsize=14,
        x=0.01,
        ha="left",
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def style(ax: Any, title: str, across: str, up: str) -> None:
    ax.set_title(title, fontsize=10, color=INK, loc="left")
    ax.set_xlabel(across, fontsize=8.5, color=QUIET)
    ax.set_ylabel(up, fontsize=8.5, color=QUIET)
    ax.tick_params(colors=QUIET, labelsize=8)
    ax.grid(color=HAIRLINE, linewidth=0.8)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(HAIRLINE)


def _errors(ax: Any, panel: Panel, rate: float) -> None:
    colours = iter(_COLOURS * 2)
    changes: dict[object, str] = {}  # one colour a change, known or not
    for condition, outcome in zip(panel.experiment.conditions, panel.outcomes, strict=True):
        change = (condition.change, condition.believed_friction)
        if change not in changes:
            changes[change] = INK if condition.is_normal else next(colours)
        colour = changes[change]
        error = np.clip(_smooth(outcome.squared_error, rate), 1.1 * _LEAST_ERROR, 0.9 * _MOST_ERROR)
        seconds = np.arange(len(error)) / rate
        line = "-" if condition.known else ":"
        ax.semilogy(seconds, error, line, color=colour, linewidth=1.6, label=condition.name)
        if not outcome.stands and len(error):
            ax.semilogy(seconds[-1], error[-1], "x", color=colour, markersize=8, mew=2.2)
    whole_s = max(outcome.whole_s for outcome in panel.outcomes)
    ax.set_xlim(0.0, 1.01 * whole_s)
    ax.set_ylim(_LEAST_ERROR, _MOST_ERROR)
    style(ax, panel.setup, "seconds", "squared error (rad²)")


def _smooth(error: Floats, rate: float) -> Floats:
    smooth: Floats = uniform_filter1d(error, round(_SMOOTH_S * rate), mode="nearest") if len(error) else error
    return smooth


def _qp(ax: Any, times: Sequence[QpTime]) -> None:
    variables = [row.variables for row in times]
    columns = (
        ("published, 2008 (SQOPT)", [row.published_ms for row in times], _SETUP_COLOURS["mcsim"]),
        ("the same program here (daqp)", [row.as_published_ms for row in times], _SETUP_COLOURS["mcsim on a rail"]),
        ("Heft's solver, elimination included", [row.reduced_ms for row in times], _SETUP_COLOURS["heft"]),
    )
    for name, milliseconds, colour in columns:
        ax.loglog(variables, milliseconds, "o-", color=colour, label=name, linewidth=1.5, markersize=5)
    ax.set_xticks([36, 50, 70, 100, 150], ["36", "50", "70", "100", "150"])
    ax.set_xticks([], minor=True)
    ax.legend(**LEGEND)
    style(ax, "time of one QP", "variables, as the paper counts them", "ms")


def _sweep(ax: Any, sweep: Sweep) -> None:
    for setup, shares in sweep.shares.items():
        ax.semilogx(
            sweep.values, 100.0 * np.array(shares), "o-", color=_SETUP_COLOURS[setup], label=setup, linewidth=1.5
        )
    ax.set_xticks(list(sweep.values), [f"{value:g}" for value in sweep.values])
    ax.set_xticks([], minor=True)
    ax.set_ylim(0.0, 105.0)
    ax.legend(loc="lower left", **LEGEND)
    style(ax, f"{sweep.title}: how long on its feet", "value", "% of the clips")
