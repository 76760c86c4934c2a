"""What a bake is to reach for each kind of clip: a figure of the report, its limit, and whether that is met."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from bench.bake_rows import Figures
from bench.clips import Group
from sim_core.settings import EngineName

SHARE_KEPT = 0.8  # of a group's clips, with no more assist than its limit
_DRIFT_M, _DRIFT_OVER_S = 0.3, 10.0
_CPU: dict[EngineName, float] = {"mujoco": 0.5, "bullet": 0.8}  # s per simulated s

Number: TypeAlias = Callable[[Figures], float]


class Target(NamedTuple):
    name: str
    unit: str
    wish: str  # the limit in words
    figure: Number
    limit: Number | None  # None where the group has no such target
    decimals: int
    of_kept: bool = True  # says nothing of a performance that was lost

    def met(self, figures: Figures) -> bool:
        if self.of_kept and not figures.completed:
            return False
        return self.limit is None or self.figure(figures) <= self.limit(figures)

    def cell(self, figures: Figures) -> str:
        """The figure beside its limit, bold where it is missed."""
        said = f"{self.figure(figures):.{self.decimals}f}"
        if self.limit is None:
            return said
        said += f" / {self.limit(figures):.{self.decimals}f}"
        return said if self.met(figures) else f"**{said}**"


def targets_of(group: Group, engine: EngineName) -> list[Target]:
    """The first is that of the assist."""
    steady, lively, beyond = group == "steady", group == "lively", group == "beyond"
    targets = [
        _fixed("assist", "% of weight", lambda f: 100.0 * f.assist_mean_bw, 5.0 if lively else 0.0, 1),
        _fixed("joint error", "deg", lambda f: f.joint_deg, 7.0 if lively else 4.0, 1),
        _fixed("MPJPE root", "mm", lambda f: f.mpjpe_root_mm, 30.0 if steady else None, 0),
        Target(
            "drift",
            "m",
            f"at most {_DRIFT_M} m over {_DRIFT_OVER_S:.0f} s",
            lambda f: f.root_drift_m,
            _drift_limit if steady else None,
            2,
        ),
        Target(
            "skate",
            "m/s",
            "at most a third of the source's or 0.03 m/s",
            lambda f: f.after.foot_skate_m_s,
            lambda f: max(f.before.foot_skate_m_s / 3, 0.03),
            3,
        ),
        _fixed("penetration", "mm", lambda f: 1000.0 * f.after.penetration_m, 3.0, 1),
        Target(
            "physics error",
            "% of weight",
            "at most a fifth of the source's or 2 % of weight",
            lambda f: 100.0 * f.after.physics_error_bw,
            lambda f: max(100.0 * f.before.physics_error_bw / 5, 2.0),
            1,
        ),
        Target("jerk", "m/s^3", "at most the source's", lambda f: f.after.jerk_m_s3, lambda f: f.before.jerk_m_s3, 0),
        _fixed("CPU", "s per simulated s", lambda f: f.cpu_s_per_simulated_s, _CPU[engine], 2)._replace(of_kept=False),
    ]
    return [target._replace(limit=None) for target in targets] if beyond else targets


class Share(NamedTuple):
    """How many clips meet a target, and how the kept ones stand on average."""

    met: int
    of: int
    mean: float  # nan where no clip was kept

    def in_words(self, target: Target, wanted: float = 0.0) -> str:
        if not self.of:
            return "none baked"
        said = f"{self.met} of {self.of} ({100.0 * self.met / self.of:.0f} %)"
        said = said if self.met >= wanted * self.of else f"**{said}**"
        return said if np.isnan(self.mean) else f"{said}, mean {self.mean:.{target.decimals}f}"


def share_of(target: Target, baked: Sequence[Figures | None]) -> Share:
    """None is a clip that could not be baked: it meets nothing."""
    figures = [one for one in baked if one is not None]
    counted = [target.figure(one) for one in figures if one.completed or not target.of_kept]
    mean = float(np.mean(counted)) if counted else float("nan")
    return Share(sum(target.met(one) for one in figures), len(baked), mean)


def _fixed(name: str, unit: str, figure: Number, limit: float | None, decimals: int) -> Target:
    """The same limit for every clip."""
    if limit is None:
        return Target(name, unit, "", figure, None, decimals)
    return Target(name, unit, f"at most {limit:g} {unit}", figure, lambda figures: limit, decimals)


def _drift_limit(figures: Figures) -> float:
    """Shorter clips may use all of it; longer ones drift on at the same pace."""
    return _DRIFT_M * max(1.0, figures.seconds / _DRIFT_OVER_S)
