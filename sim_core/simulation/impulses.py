"""How hard each part of a body is hit: the largest impulse over 10 ms.

Peak forces of stiff contacts depend on the step and the engine; what reaches a part over 10 ms does not.
"""

from collections.abc import Mapping

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..rig.segments import TRUNK, kind
from .recording import GroundContacts

FELT_S = 0.01
# How much a blow counts (Brown 2012, 6.2: the head ten times; neck and spine in addition).
PROTECTED = 10.0
_COUNTS = {"head": PROTECTED, "neck": 3.0, **{part: 3.0 for part in TRUNK[1:-1]}}


def peak_impulses(contacts: GroundContacts, steps: int, body: Body, rate: float) -> Floats:
    """(N,) [N s] of each link, during the first so many steps."""
    force = np.zeros((steps, len(body), 3))
    mine = contacts.steps < steps
    np.add.at(force, (contacts.steps[mine], contacts.links[mine]), contacts.forces[mine])
    width = min(max(1, round(FELT_S * rate)), steps)
    total = np.concatenate([np.zeros((1, len(body), 3)), np.cumsum(force, axis=0)])
    felt = np.linalg.norm(total[width:] - total[:-width], axis=-1) / rate
    peaks: Floats = felt.max(axis=0, initial=0.0)
    return peaks


def weights_of(body: Body, spared: Mapping[str, float] | None = None) -> Floats:
    """(N,) how much a blow on each link counts; a person may say otherwise of some."""
    counts = {**_COUNTS, **(spared or {})}
    return np.array([counts.get(name, counts.get(kind(name), 1.0)) for name in body.names])


def head_impulse(peaks: Floats, body: Body) -> float:
    """[N s]"""
    return max((float(peaks[i]) for i, name in enumerate(body.names) if name in ("head", "neck")), default=0.0)
