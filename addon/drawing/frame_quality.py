"""How physical a frame is, on one scale: 0 is fine, 1 deserves a look, 2 is bad; no bpy here."""

from typing import NamedTuple

import numpy as np

from ...sim_core.reporting.take import Take
from ..takes import levels
from ..takes.levels import Level
from . import colours
from .flat_geometry import Floats


class Measure(NamedTuple):
    """One thing that can be wrong with a frame."""

    name: str
    level: Level
    per_si: float  # of what is said
    unit: str

    def levels(self, values: Floats) -> Floats:
        """Between fine and bad in proportion; nan stays nan."""
        return np.where(np.isnan(values), np.nan, np.interp(values, self.level, [0.0, 2.0]))

    def in_words(self, value: float) -> str:
        return f"{self.name} {self.per_si * value:.0f} {self.unit}"


ERROR = Measure("physics error", levels.PHYSICS_ERROR, 100.0, "%")  # of body weight
SKATE = Measure("foot skate", levels.SKATE_OF_FRAME, 100.0, "cm/s")
PENETRATION = Measure("penetration", levels.PENETRATION_OF_FRAME, 1000.0, "mm")
ASSIST = Measure("assist", levels.ASSIST, 100.0, "%")  # of body weight
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
        found = self.levels[:, row]
        if np.isnan(found).all():
            return ""
        worst = int(np.nanargmax(found))
        if found[worst] == 0.0:
            return "good"
        return self.measures[worst].in_words(float(self.values[worst, row]))


def before(take: Take) -> Quality:
    values = [take.error_before, take.skate_before, _depth(take.height_before)]
    return Quality((ERROR, SKATE, PENETRATION), np.stack(values))


def after(take: Take) -> Quality:
    values = [take.error_after, take.skate_after, _depth(take.height_after), take.assist_bw]
    return Quality((ERROR, SKATE, PENETRATION, ASSIST), np.stack(values))


def _depth(height: Floats) -> Floats:
    """How deep the body is in the ground, of the height of its lowest point over it."""
    return np.maximum(-height, 0.0)


def level_colours(levels: Floats) -> Floats:
    """(F, 4) from green over amber to red; grey where nothing is known."""
    known = np.nan_to_num(levels)
    shades = np.stack([np.interp(known, [0.0, 1.0, 2.0], _STOPS[:, channel]) for channel in range(4)], axis=-1)
    return np.where(np.isnan(levels)[:, None], np.array(colours.UNKNOWN), shades)
