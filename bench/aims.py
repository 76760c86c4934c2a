"""What all clips together are to reach, and which bakes miss it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.bake_rows import Figures, Row

MOST_ASSIST_BW = 0.05  # on average over a clip that needs help


class Aim(NamedTuple):
    name: str
    wish: str
    who_misses: str  # what a list of them is called
    share: float  # of the bakes that it is about
    concerns: Callable[[Figures], bool]
    met: Callable[[Figures], bool]


class Tally(NamedTuple):
    met: int
    of: int
    missed: tuple[Row, ...]

    def in_words(self, aim: Aim) -> str:
        """Bold where it is too few."""
        if not self.of:
            return "none"
        said = f"{self.met} of {self.of} ({100.0 * self.met / self.of:.1f} %)"
        return said if self.met >= aim.share * self.of else f"**{said}**"


def unassisted(figures: Figures) -> bool:
    """Kept by physics alone, in every frame of the clip."""
    return figures.completed and figures.frames_helped == 0 and figures.assist_mean_bw == 0.0


def helped_after_the_clip(figures: Figures) -> bool:
    """Not in any frame, but in the half second in which the last pose is held, to see whether the body stands."""
    return unassisted(figures) and figures.assist_hold_bw > 0.0


AIMS = (
    Aim("kept to the end", "at least 95 %", "Lost", 0.95, lambda f: True, lambda f: f.completed),
    Aim("no assist at all", "at least 75 %", "Not without assist", 0.75, lambda f: True, unassisted),
    Aim(
        "the rest: kept, with little assist",
        f"at most {100 * MOST_ASSIST_BW:.0f} % of body weight on average",
        "Lost, or with more assist than that",
        1.0,
        lambda f: not unassisted(f),
        lambda f: f.completed and f.assist_mean_bw <= MOST_ASSIST_BW,
    ),
)


def tally(aim: Aim, rows: Sequence[Row]) -> Tally:
    """A clip that could not be baked misses everything."""
    concerned = [row for row in rows if row.figures is None or aim.concerns(row.figures)]
    missed = [row for row in concerned if row.figures is None or not aim.met(row.figures)]
    return Tally(len(concerned) - len(missed), len(concerned), tuple(missed))
