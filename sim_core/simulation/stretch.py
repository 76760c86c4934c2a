"""A piece of a simulation: from one moment on, as far as it went."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..controllers.controller import SolveCount
from ..engines.engine import GROUND, Contacts, State, no_contacts
from ..rig.segments import kind
from ..scene import Scene
from .outside_forces import Facing
from .recording import Failure, GroundContacts, Recording

_SIDES = ("_l", "_r", "")  # left limbs, right limbs, trunk and head


class Moment(NamedTuple):
    """All that what follows depends on. Any process, on any machine, goes on from it in the same way."""

    step: int
    row: int  # of the reference, that is followed at this step
    state: State
    contacts: Contacts  # of the step before
    memory: object  # of the controller; None where it begins anew
    displaced: Floats  # (3,) how far beside the reference that one follows it [m]
    facings: tuple[Facing, ...] = ()  # of pushes that have begun


@dataclass(frozen=True, kw_only=True, eq=False)
class Stretch:
    """One row a physics step, each with the state at its beginning and what acted during it."""

    first: int  # step
    q: Floats  # (R, nq)
    v: Floats  # (R, nv)
    things: Floats  # (R, L, 13) the loose ones, as in a State
    assist: Floats  # (R, 6) force and torque
    foot_torque: Floats  # (R, 2, 3)
    torque_ratio: Floats  # (R,)
    rows: Ints  # (R,) of the reference, that were followed
    displaced: Floats  # (R, 3) how far beside the reference it was followed, for steps of recovery [m]
    contacts: GroundContacts  # steps counted from the first
    end: Moment  # after the last row
    failure: Failure | None
    failed_step: int | None
    broken: bool  # nothing can go on from its end
    solve_count: SolveCount | None
    cpu_s: float

    def __len__(self) -> int:
        return len(self.q)


def recording_of(stretches: Sequence[Stretch], body: Body, scene: Scene, rate: float) -> Recording:
    """Stretches one after another as one recording, with the state after the last as its last row."""
    last = stretches[-1]
    failed = next((one for one in stretches if one.failure is not None), None)
    steps = sum(len(one) for one in stretches)
    contacts = contacts_of(stretches, 0)
    rest = () if last.broken else (last.end.state.q[None],)
    at_rest = () if last.broken else (last.end.state.v[None],)
    things_at_rest = () if last.broken else (last.end.state.things[None],)
    displaced = () if last.broken else (last.end.displaced[None],)
    last_row = () if last.broken else (np.array([last.end.row]),)
    padding = np.zeros((len(rest), 6))
    assist = np.concatenate([*(one.assist for one in stretches), padding])
    counts = [one.solve_count for one in stretches if one.solve_count is not None]
    return Recording(
        rate=rate,
        q=np.concatenate([*(one.q for one in stretches), *rest]),
        v=np.concatenate([*(one.v for one in stretches), *at_rest]),
        things=np.concatenate([*(one.things for one in stretches), *things_at_rest]),
        assist_force=assist[:, :3],
        assist_torque=assist[:, 3:],
        foot_torque=np.concatenate([*(one.foot_torque for one in stretches), np.zeros((len(rest), 2, 3))]),
        torque_ratio=np.concatenate([*(one.torque_ratio for one in stretches), padding[:, 0]]),
        rows=np.concatenate([*(one.rows for one in stretches), *last_row]),
        displaced=np.concatenate([*(one.displaced for one in stretches), *displaced]),
        ground_force=_by_side(contacts, body, scene, steps + len(rest)),
        ground_contacts=contacts,
        failure=None if failed is None else failed.failure,
        failed_at_s=None if failed is None or failed.failed_step is None else failed.failed_step / rate,
        solve_count=SolveCount(*(sum(parts) for parts in zip(*counts, strict=True))) if counts else None,
        cpu_s=sum(one.cpu_s for one in stretches),
    )


def contacts_of(stretches: Sequence[Stretch], first: int) -> GroundContacts:
    """Of stretches one after another, steps counted from the first."""
    return GroundContacts(
        np.concatenate([one.contacts.steps + one.first - first for one in stretches]),
        *(np.concatenate([getattr(one.contacts, name) for one in stretches]) for name in GroundContacts._fields[1:]),
    )


def on_ground(borne: Sequence[Contacts]) -> GroundContacts:
    """The contacts with ground and things, of the contacts of every step."""
    everything = [*borne, no_contacts()]  # a simulation may end before its first step
    steps = np.repeat(np.arange(len(everything)), [len(contacts.links) for contacts in everything])
    others, links, positions, forces, things = (
        np.concatenate([getattr(contacts, name) for contacts in everything])
        for name in ("others", "links", "positions", "forces", "things")
    )
    ground = others == GROUND
    return GroundContacts(steps[ground], links[ground], positions[ground], forces[ground], things[ground])


def _by_side(contacts: GroundContacts, body: Body, scene: Scene, steps: int) -> Floats:
    """(steps, 3) what the ground bears of each side of the body."""
    side_of_link = np.array([_SIDES.index(link.name[len(kind(link.name)) :]) for link in body.links])
    cells: Ints = contacts.steps * len(_SIDES) + side_of_link[contacts.links]
    along = contacts.forces @ scene.ground.normal
    borne: Floats = np.bincount(cells, weights=along, minlength=steps * len(_SIDES)).astype(float)
    return borne.reshape(steps, len(_SIDES))
