"""How a fall went: where to, how hard which parts were hit, beside a body that goes limp."""

from dataclasses import dataclass

import numpy as np

from ..body.body import Body
from ..engines.engine import State
from ..rig.segments import in_words
from ..scene import Scene
from ..settings import EngineName, FallStyle
from ..simulation.impulses import head_impulse, peak_impulses, weights_of
from ..simulation.outside_forces import OutsideForce
from ..simulation.ragdoll import limp_contacts
from ..simulation.recording import GroundContacts, Recording
from ..simulation.search_fall import Fell

_LIMP_S = 3.0


@dataclass(frozen=True, kw_only=True)
class FallSummary:
    style: FallStyle
    at_s: float  # when it lost its balance, after the first simulated frame
    rests_at_s: float | None  # None where it does not come to rest
    head_ns: float  # largest impulse on head or neck over 10 ms [N s]
    blows_ns: float  # sum of the largest impulses on all parts, the head's ten times
    limp_head_ns: float  # and those on a body that goes limp as the fall begins
    limp_blows_ns: float
    hardest: tuple[tuple[str, float], ...]  # the parts that are hit hardest, and how hard [N s]
    tries: int
    first_blows_ns: float  # of the first try


def fall_summary(
    style: FallStyle,
    fell: Fell,
    body: Body,
    scene: Scene,
    engine: EngineName,
    outside: tuple[OutsideForce, ...],
) -> FallSummary:
    recording, weights = fell.searched.recording, weights_of(body)
    rate, first = recording.rate, fell.first_step
    peaks = peak_impulses(_since(recording, first), len(recording.q) - first, body, rate)
    state = State(recording.q[first], recording.v[first], recording.things[first])
    steps = round(_LIMP_S * rate)
    limp = peak_impulses(
        limp_contacts(body, scene, engine, state, first / rate, steps, 1.0 / rate, outside), steps, body, rate
    )
    hardest = [i for i in np.argsort(-peaks) if peaks[i] > 0.0][:3]
    return FallSummary(
        style=style,
        at_s=first / rate,
        rests_at_s=fell.rests_at_s,
        head_ns=head_impulse(peaks, body),
        blows_ns=float(peaks @ weights),
        limp_head_ns=head_impulse(limp, body),
        limp_blows_ns=float(limp @ weights),
        hardest=tuple((in_words(body.names[i]), float(peaks[i])) for i in hardest),
        tries=fell.found.rollouts,
        first_blows_ns=fell.found.history[0][1],
    )


def _since(recording: Recording, first: int) -> GroundContacts:
    contacts = recording.ground_contacts
    later = contacts.steps >= first
    return GroundContacts(
        contacts.steps[later] - first,
        contacts.links[later],
        contacts.positions[later],
        contacts.forces[later],
        contacts.things[later],
    )
