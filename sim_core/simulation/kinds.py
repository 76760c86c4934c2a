"""What kind of motion a moment of a clip belongs to, by the reference's own numbers."""

from typing import Literal, TypeAlias, get_args

import numpy as np

from ..body.body import Body
from ..reference.reference import Reference

Kind: TypeAlias = Literal["stand", "walk", "run", "jump", "turn", "floor"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_AROUND_S = 0.5
_ON_OTHERS = 0.2  # of the time around, on more than feet: on the floor
_IN_THE_AIR = 0.08  # of the time around
_RUNS_M_S = 1.5
_TURNS_RAD_S = 2.0
_WALKS_M_S = 0.35


def kind_at(reference: Reference, body: Body, step: int) -> Kind:
    around = round(_AROUND_S * reference.rate)
    rows = slice(max(0, step - around), step + around + 1)
    others = np.ones(len(body), dtype=bool)
    others[body.soles.links] = False
    on_others = reference.contacts.links[rows][:, others].any(axis=1)
    if on_others.mean() > _ON_OTHERS:
        return "floor"
    speed = float(np.linalg.norm(reference.com_velocity[rows, :2], axis=1).mean())
    flies = ~reference.contacts.feet[rows].any(axis=1) & ~on_others
    if flies.mean() > _IN_THE_AIR:
        return "run" if speed > _RUNS_M_S else "jump"
    spin = np.linalg.norm(reference.v[rows, 3:6], axis=1).mean()
    if spin > _TURNS_RAD_S:
        return "turn"
    return "walk" if speed > _WALKS_M_S else "stand"
