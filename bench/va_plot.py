"""The picture of the dial: what is kept, and with how much help, from realistic to unfallable."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bench.mcsim_plot import LEGEND, style
from bench.va_rows import Found, Row
from sim_core.reporting.picture_style import INK
from sim_core.settings import EngineName

_COLOURS: Mapping[EngineName, str] = {"mujoco": "#2f6db3", "bullet": "#e39a2d"}
_FEWEST = 2  # places of the dial, to draw a line


class DialPoint(NamedTuple):
    """Means over the clips at one place of the dial."""

    realism: float
    clips: int
    kept: float  # share of the clips
    foot_nm: float
    pelvis_bw: float
    joint_deg: float
    jerk: float  # after, in times before


def dial_points(rows: Sequence[Row], engine: EngineName) -> list[DialPoint]:
    """From realistic to unfallable."""
    found: dict[float, list[Found]] = {}
    for row in rows:
        if row.part == "dial" and row.engine == engine and row.found is not None:
            found.setdefault(float(row.case), []).append(row.found)
    return [_point(realism, found[realism]) for realism in sorted(found, reverse=True)]


def jerk_ratio(found: Found) -> float:
    figures = found.figures
    return figures.after.jerk_m_s3 / max(figures.before.jerk_m_s3, 1e-9)


def _point(realism: float, found: Sequence[Found]) -> DialPoint:
    def mean(figure: Callable[[Found], float]) -> float:
        return float(np.mean([figure(one) for one in found]))

    return DialPoint(
        realism=realism,
        clips=len(found),
        kept=mean(lambda one: one.figures.completed),
        foot_nm=mean(lambda one: one.foot_mean_nm),
        pelvis_bw=mean(lambda one: one.pelvis_mean_bw),
        joint_deg=mean(lambda one: one.kept_joint_deg),
        jerk=mean(jerk_ratio),
    )


def draw_dial(path: Path, rows: Sequence[Row]) -> bool:
    """Whether there was enough to draw."""
    curves = {engine: dial_points(rows, engine) for engine in _COLOURS}
    if all(len(points) < _FEWEST for points in curves.values()):
        return False
    figure = Figure(figsize=(12.0, 3.2), dpi=110, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    panels: dict[str, tuple[str, Callable[[DialPoint], float]]] = {
        "kept": ("% of the clips", lambda point: 100.0 * point.kept),
        "artificial torque on the feet": ("N m, mean", lambda point: point.foot_nm),
        "assist at the pelvis": ("% of body weight, mean", lambda point: 100.0 * point.pelvis_bw),
        "joint error until lost": ("degrees, mean", lambda point: point.joint_deg),
    }
    axes = figure.subplots(1, len(panels))
    for ax, (title, (unit, value)) in zip(axes, panels.items(), strict=True):
        for engine, points in curves.items():
            ax.plot(
                [point.realism for point in points],
                [value(point) for point in points],
                "o-",
                color=_COLOURS[engine],
                label=engine,
                linewidth=1.5,
                markersize=4,
            )
        ax.set_xlim(1.03, -0.03)
        ax.set_ylim(bottom=0.0)
        style(ax, title, "realism", unit)
    axes[0].legend(loc="lower right", **LEGEND)
    figure.suptitle("The dial, pushed with 150 N for 0.2 s", color=INK, fontsize=12, x=0.01, ha="left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Software": None})
    return True
