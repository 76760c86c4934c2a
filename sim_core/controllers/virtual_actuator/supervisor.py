"""Which feet the body stands on, and how far each is trusted (section 5 of the paper, figure 5).

With a clip, a foot stands that stands in the clip AND touches here; without one, a foot that touches and has the centre
of mass over its support zone, or each that touches where it is over neither. Trust comes and goes over a moment: the
paper names the jolts of a supervisor that switches.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...engines.engine import GROUND, Contacts
from ..tracking.row import Row
from ..tracking.stance import Soles, others_touching
from .supports import Supports
from .va_gains import VaGains

_TOUCHES_N = 10.0
_LEAST_SHARE = 0.05  # of its trust, that a foot keeps which bears nothing in the clip


class SupervisorMemory(NamedTuple):
    trust: Floats  # (N,) of each link, from 0 to 1; a foot's is that of all its parts
    loads: Floats  # (2,) what the ground bears of each foot, smoothed [N]


class Supervisor:
    def __init__(self, body: Body, tick_s: float, *, has_reference: bool) -> None:
        self._body, self._tick_s, self._has_reference = body, tick_s, has_reference
        self._feet = np.array([body.index("foot_l"), body.index("foot_r")])
        self._mine = (body.soles.left, ~body.soles.left)
        self.reset()

    def reset(self) -> None:
        self.memory = SupervisorMemory(np.full(len(self._body), np.nan), np.full(2, np.nan))

    def loads(self, planned: Floats) -> Floats:
        """(2,) what the ground bears of each foot; before anything is known of it, what is planned [N]."""
        return np.where(np.isnan(self.memory.loads), planned, self.memory.loads)

    def feet_down(self, row: Row, contacts: Contacts, normal: Floats) -> Bools:
        """(2,) feet that bear here and are meant to; where none of these does, whichever bears.

        Who lands early must not wait for the clip, or the legs would give way.
        """
        borne = loads(contacts, self._body, normal)
        before = self.memory.loads
        begins = bool(np.isnan(before).any())  # nothing is known of contacts yet
        smooth = 0.5 * (borne + before)
        if begins:
            smooth = borne if borne.any() else before
        self.memory = self.memory._replace(loads=smooth)
        touches = np.full(2, True) if begins else smooth > _TOUCHES_N
        if not self._has_reference:
            return touches
        meant = row.down & touches
        return meant if meant.any() or begins else touches

    def supports(
        self,
        load_shares: Floats,
        labels: Bools,
        soles: Soles,
        dynamics: DynamicsState,
        contacts: Contacts,
        gains: VaGains,
    ) -> Supports:
        """load_shares (2,) of the feet and labels (N,) of all links say what bears in the clip; the soles are those of
        feet that are down."""
        stands = soles.stands if self._has_reference else self._by_zones(soles, dynamics, gains.zone_m)
        others = others_touching(self._body, contacts)
        meant = labels[others.links] | np.full(len(others.links), not self._has_reference)
        links = np.unique(others.links[meant])
        trusted = np.zeros(len(self._body), dtype=bool)
        trusted[links] = True
        trusted[self._feet] = stands
        rate = self._tick_s / gains.ramp_s
        before = np.where(np.isnan(self.memory.trust), trusted, self.memory.trust)
        trust = np.clip(before + np.where(trusted, rate, -2.0 * rate), 0.0, 1.0)
        self.memory = self.memory._replace(trust=trust)
        meant_to = np.clip(2.0 * load_shares, _LEAST_SHARE, 1.0)
        # All that is to bear, whether it touches at this very moment or not: else a foot's middle would jump about.
        bearing = [soles.borne[(soles.bearing | soles.raised) & mine] for mine in self._mine]
        middles = [
            points.mean(axis=0) if len(points) else soles.points[mine].mean(axis=0)
            for points, mine in zip(bearing, self._mine, strict=True)
        ]
        places = [others.points[others.links == link].mean(axis=0) for link in links]
        feet = np.where(stands, trust[self._feet], 0.0)
        return Supports(
            links=np.concatenate([self._feet, links]).astype(np.int64),
            points=np.array([*middles, *places]),
            trust=np.concatenate([feet, trust[links]]),
            shares=np.concatenate([meant_to * feet, trust[links]]),
            levers=np.concatenate([np.full(2, gains.lever_m), np.zeros(len(links))]),
        )

    def _by_zones(self, soles: Soles, dynamics: DynamicsState, zone_m: float) -> Bools:
        """(2,) figure 5, right."""
        centres = np.array([soles.points[mine].mean(axis=0) for mine in self._mine])
        inside = np.linalg.norm((dynamics.com - centres)[:, :2], axis=1) < zone_m
        stands: Bools = soles.stands & (inside | ~inside.any())
        return stands


def loads(contacts: Contacts, body: Body, normal: Floats) -> Floats:
    """(2,) what the ground bears of each foot [N]."""
    along = np.where(contacts.others == GROUND, contacts.forces @ normal, 0.0)
    by_link = np.bincount(contacts.links, weights=along, minlength=len(body))
    left = np.unique(body.soles.links[body.soles.left])
    right = np.unique(body.soles.links[~body.soles.left])
    return np.array([by_link[left].sum(), by_link[right].sum()])
