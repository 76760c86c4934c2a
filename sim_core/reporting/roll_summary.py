"""How a roll went: how often, where to, how fast, and how hard it was for the head."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import motion
from ..engines.engine import State
from ..reference.reference import Reference
from ..rig.segments import HEAD
from ..rolling.excursion import excursion, mean_spin
from ..scene import Scene
from ..settings import EngineName, RollKind
from ..simulation.ragdoll import limp_contacts
from ..simulation.recording import GroundContacts, Recording

_LOOK_HZ = 100.0
_FELT_S = 0.01  # a force counts as what is felt over this time
_TURN = 2.0 * np.pi
_LONGEST_LIMP_S = 4.0


@dataclass(frozen=True, kw_only=True)
class RollSummary:
    kind: RollKind
    asked: int
    rolls: float  # by how far the whole body turned about the roll's axis, until it was lost or done
    distance_m: float
    direction_off_deg: float  # of where it went, from where it was to go
    speeds_m_s: tuple[float, ...]  # of each whole roll
    head_peak_n: float  # largest force of ground and things on head and neck, over 10 ms
    head_limp_n: float  # and that on a body that goes limp as the roll begins


def roll_summary(
    kind: RollKind, recording: Recording, reference: Reference, body: Body, scene: Scene, engine: EngineName
) -> RollSummary:
    first, last = _rolling_steps(recording, reference)
    every = max(1, round(recording.rate / _LOOK_HZ))
    rows = slice(first, last + 1, every)
    moving = motion(body, recording.q[rows], recording.v[rows])
    span = reference.rolls[0]
    turned = excursion(mean_spin(body, moving), recording.rate / every) @ span.axis
    com = moving.pose.com
    went = (com[-1] - com[0])[:2]
    off = np.degrees(np.arccos(np.clip(went @ span.ahead[:2] / max(float(np.linalg.norm(went)), 1e-9), -1.0, 1.0)))
    step_s = 1.0 / recording.rate
    state = State(recording.q[first], recording.v[first], recording.things[first])
    # Who is lost early is compared with a limp body that had the time to fall.
    steps = round(_LONGEST_LIMP_S * recording.rate)
    steps = min(steps, last - first) if recording.completed else steps
    limp = limp_contacts(body, scene, engine, state, first * step_s, steps, step_s)
    asked = sum(max(1, round(one.rolls)) for one in reference.rolls)
    return RollSummary(
        kind=kind,
        asked=asked,
        rolls=asked * float(turned.max(initial=0.0)) / _meant(body, reference),
        distance_m=float(np.linalg.norm(went)),
        direction_off_deg=float(off),
        speeds_m_s=_speeds(turned, com @ span.ahead, recording.rate / every),
        head_peak_n=head_peak(recording.ground_contacts, _followed(recording), body, recording.rate),
        head_limp_n=head_peak(limp, steps, body, recording.rate),
    )


def _meant(body: Body, reference: Reference) -> float:
    """[rad] by how much the reference turns, from its first roll to its last: in a clip not always by whole turns."""
    rows = slice(reference.rolls[0].first, reference.rolls[-1].last + 1)
    spins = mean_spin(body, motion(body, reference.q[rows], reference.v[rows]))
    return max(float(excursion(spins, reference.rate)[-1] @ reference.rolls[0].axis), 1.0)


def head_peak(contacts: GroundContacts, steps: int, body: Body, rate: float) -> float:
    """[N] the largest mean over 10 ms."""
    heads = [i for i, name in enumerate(body.names) if name in HEAD]
    mine = np.isin(contacts.links, heads) & (contacts.steps < steps)
    force = np.zeros((steps, 3))
    np.add.at(force, contacts.steps[mine], contacts.forces[mine])
    width = max(1, round(_FELT_S * rate))
    means = np.lib.stride_tricks.sliding_window_view(np.linalg.norm(force, axis=1), min(width, steps)).mean(axis=1)
    return float(means.max(initial=0.0))


def _rolling_steps(recording: Recording, reference: Reference) -> tuple[int, int]:
    """The first step at which it rolls, and the last; who is lost may tumble on, which is no rolling."""
    rolls = (recording.rows >= reference.rolls[0].first) & (recording.rows < reference.rolls[-1].last)
    steps = np.flatnonzero(rolls[: _followed(recording)])
    return (int(steps[0]), int(steps[-1])) if len(steps) > 1 else (0, max(_followed(recording) - 1, 1))


def _followed(recording: Recording) -> int:
    """Steps until it was lost, or all."""
    if recording.failed_at_s is None:
        return len(recording.rows)
    return min(int(recording.failed_at_s * recording.rate) + 1, len(recording.rows))


def _speeds(turned: Floats, along: Floats, rate: float) -> tuple[float, ...]:
    rising = np.maximum.accumulate(turned)
    ends = np.searchsorted(rising, _TURN * np.arange(int(rising[-1] / _TURN + 0.1) + 1))
    ends = np.minimum(ends, len(along) - 1)
    return tuple(float((along[b] - along[a]) * rate / max(b - a, 1)) for a, b in pairwise(ends))
