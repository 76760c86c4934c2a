"""How physical a frame is, on one scale: 0 is good, 1 deserves a look, 2 is bad; no bpy here."""

from typing import NamedTuple

import numpy as np

from ...sim_core.reporting.take import Take
from . import colours
from .flat_geometry import Floats


class Measure(NamedTuple):
    """One thing that can be wrong with a frame."""

    name: str
    warning: float  # from here on it deserves a look
    bad: float
    per_si: float  # of what is said
    unit: str

    def levels(self, values: Floats) -> Floats:
        """Between the marks in proportion; nan stays nan."""
        levels: Floats = np.interp(values, [0.0, self.warning, self.bad], [0.0, 1.0, 2.0])
        return np.where(np.isnan(values), np.nan, levels)

    def in_words(self, value: float) -> str:
        return f"{self.name} {self.per_si * value:.0f} {self.unit}"


ERROR = Measure("physics error", 0.10, 0.25, 100.0, "%")  # of body weight
SKATE = Measure("foot skate", 0.15, 0.60, 100.0, "cm/s")  # in single frames: a sole that rolls off is fast for a moment
ASSIST = Measure("assist", 0.10, 0.40, 100.0, "%")  # of body weight
_STOPS = np.array([colours.GOOD, colours.WARNING, colours.BAD])


class Quality(NamedTuple):
    """What is wrong with each frame of one side of a take, the source or the result."""

    measures: tuple[Measure, ...]
    values: Floats  # (Q, F)

    @property
    def levels(self) -> Floats:
        """(Q, F)"""
        return np.stack([measure.levels(row) for measure, row in zip(self.measures, self.values, strict=True)])

    @property
    def worst(self) -> Floats:
        """(F,) the worst level of each frame; nan where nothing is known of it."""
        return np.fmax.reduce(self.levels, axis=0)

    def in_words(self, row: int) -> str:
        """What is worst in a frame, with its number; the frame is good where that is small."""
        levels = self.levels[:, row]
        if np.isnan(levels).all():
            return ""
        worst = int(np.nanargmax(levels))
        if levels[worst] < 0.5:
            return "good"
        return self.measures[worst].in_words(float(self.values[worst, row]))


def before(take: Take) -> Quality:
    return Quality((ERROR, SKATE), np.stack([take.error_before, take.skate_before]))


def after(take: Take) -> Quality:
    return Quality((ERROR, SKATE, ASSIST), np.stack([take.error_after, take.skate_after, take.assist_bw]))


def level_colours(levels: Floats) -> Floats:
    """(F, 4) from green over amber to red; grey where nothing is known."""
    known = np.nan_to_num(levels)
    shades = np.stack([np.interp(known, [0.0, 1.0, 2.0], _STOPS[:, channel]) for channel in range(4)], axis=-1)
    return np.where(np.isnan(levels)[:, None], np.array(colours.UNKNOWN), shades)
