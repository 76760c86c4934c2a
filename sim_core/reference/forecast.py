"""Before any simulation: which stretches of a reference will be hard, why, and how hard every moment is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import uniform_filter1d

from ..arrays import Floats, Ints
from ..body.body import Body
from ..progress import Progress
from ..scene import Scene
from .hard_stretches import NOTICED_BW, OVER_STRENGTH, HardStretch, overstrained, unexplained
from .reference import Reference
from .row_needs import ROWS_HZ, RowNeeds, row_needs

_SHORTEST_FLIGHT_S = 0.1
_FALLS = 0.5  # of body weight needed upward: with more it does not fly, but stands on something that is not there
_HARD_LANDING_M_S = 3.0  # a fall from half a metre: nobody lands faster without rolling on or sinking deep
_LANDING_S = 0.2
_TOUCHDOWN_S = 0.1  # labels of contact may be early: for so long the body may still fall freely
_NOISE_S = 0.05  # filters make up the forces of a clip's first and last moments
_NEARBY_S = 0.1  # moments that are one as far as difficulty goes


@dataclass(frozen=True, kw_only=True)
class Flight:
    """A stretch in the air in which the body falls, as bodies do."""

    first_step: int
    last_step: int
    landing_m_s: float | None  # towards the ground at its end; None where the clip ends before it

    @property
    def begins_before_the_clip(self) -> bool:
        return self.first_step == 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Forecast:
    steps: Ints  # (R,) the steps of the reference that were looked at, ending included
    difficulty: Floats  # (R,) 0 is easy; from about 1 on, stretches are reported if they last
    stretches: tuple[HardStretch, ...]  # of the clip's own steps, in their order
    flights: tuple[Flight, ...]

    def difficulty_at(self, steps: Ints) -> Floats:
        at: Floats = np.interp(steps, self.steps, self.difficulty)
        return at


def forecast(body: Body, reference: Reference, scene: Scene, progress: Progress = lambda fraction: None) -> Forecast:
    needs = row_needs(body, reference, scene, progress)
    own = _sound_rows(needs, reference.clip_steps)
    flights = _flights(own)
    stretches = [*unexplained(own, scene.friction), *overstrained(own, body), *_hard_landings(flights, reference)]
    return Forecast(
        steps=needs.steps,
        difficulty=_difficulty(needs),
        stretches=tuple(sorted(stretches, key=lambda stretch: (stretch.first_step, stretch.last_step))),
        flights=tuple(flights),
    )


def _sound_rows(needs: RowNeeds, clip_steps: int) -> RowNeeds:
    """The clip's own rows; those at its ends are like the nearest that can be trusted."""
    count = int(np.searchsorted(needs.steps, clip_steps))
    noise = min(round(_NOISE_S * ROWS_HZ) + 1, (count - 1) // 2)
    rows = np.clip(np.arange(count), noise, count - 1 - noise)
    return RowNeeds._make(part[rows] for part in needs)._replace(steps=needs.steps[:count])


def _difficulty(needs: RowNeeds) -> Floats:
    """(R,) smoothed as vectors, so that noise, which tugs to and fro, does not count."""
    rows = round(_NEARBY_S * ROWS_HZ) | 1
    smooth = (uniform_filter1d(part, rows, axis=0) for part in (needs.force_left, needs.torque_left))
    left = sum(np.linalg.norm(part, axis=1) for part in smooth)
    over = np.maximum(uniform_filter1d(needs.strength, rows) - 1.0, 0.0) / (OVER_STRENGTH - 1.0)
    difficulty: Floats = np.maximum(left / NOTICED_BW, over)
    return difficulty


def _flights(needs: RowNeeds) -> list[Flight]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ~needs.touching, [False]]).astype(int)))
    touchdown = round(_TOUCHDOWN_S * ROWS_HZ)
    flights = []
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if stop - start >= _SHORTEST_FLIGHT_S * ROWS_HZ and np.median(needs.upward[start:stop]) < _FALLS:
            lands = stop < len(needs.steps)
            flights.append(
                Flight(
                    first_step=int(needs.steps[start]),
                    last_step=int(needs.steps[stop - 1]),
                    landing_m_s=float(needs.sinking[start : stop + touchdown].max()) if lands else None,
                )
            )
    return flights


def _hard_landings(flights: Sequence[Flight], reference: Reference) -> list[HardStretch]:
    return [
        HardStretch(
            first_step=flight.last_step,
            last_step=min(flight.last_step + round(_LANDING_S * reference.rate), reference.clip_steps - 1),
            reason="lands hard",
            size=flight.landing_m_s,
            needs_bw=0.0,
        )
        for flight in flights
        if flight.landing_m_s is not None and flight.landing_m_s > _HARD_LANDING_M_S
    ]
