"""The loop: controller and engine in turn, one physics step at a time."""

import time
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..controllers.controller import Controller
from ..engines.engine import GROUND, Contacts, Engine, State, no_contacts
from ..errors import SimulationError
from ..progress import Progress
from ..reference.reference import Reference
from ..rig.segments import kind
from ..scene import Push, Scene
from .disturbances import push_wrenches
from .gates import end_failure, path_failure
from .recording import Failure, GroundContacts, Recording

_SIDES = ("_l", "_r", "")  # left limbs, right limbs, trunk and head
_REPORT_EVERY = 50  # steps


def simulate(
    body: Body,
    reference: Reference,
    controller: Controller,
    engine: Engine,
    scene: Scene,
    pushes: Sequence[Push],
    progress: Progress,
    *,
    stop_at_failure: bool,
) -> Recording:
    """Runs a loaded engine over the whole reference, hold included."""
    began = time.process_time()
    steps = len(reference)
    state = engine.reset(State(reference.q[0], reference.v[0]))
    controller.reset()
    q = np.empty((steps, body.nq))
    assist = np.zeros((steps, 6))
    ratio = np.zeros(steps)
    borne: list[Contacts] = []
    limit = np.maximum(body.torque_limit, 1e-9)
    failure: Failure | None = None
    failed_at: int | None = None
    contacts = engine.contacts()
    step = 0
    for step in range(steps):
        q[step] = state.q
        if failure is None and step < reference.clip_steps:
            failure = path_failure(state.q, reference.q[step])
            failed_at = None if failure is None else step
        if step == steps - 1 or (failure is not None and stop_at_failure):
            break
        command = controller.compute(step, state, contacts)
        wrenches = push_wrenches(pushes, body, step / reference.rate, state)
        if command.assist is not None:
            wrenches.append(command.assist)
            assist[step] = [*command.assist.force, *command.assist.torque]
        ratio[step] = np.max(np.abs(command.torques) / limit)
        try:
            state = engine.step(command.torques, wrenches)
        except SimulationError:  # a trial that breaks down is a lost one, not the person's fault
            failure, failed_at = failure or "broke down", failed_at if failure else step
            break
        contacts = engine.contacts()
        borne.append(contacts)
        if step % _REPORT_EVERY == 0:
            progress(step / steps)
    if failure is None:
        failure = end_failure(body, reference, state, contacts)
        failed_at = None if failure is None else reference.clip_steps - 1
    rows = slice(0, step + 1)
    ground_contacts = _on_ground(borne)
    return Recording(
        rate=reference.rate,
        q=q[rows],
        assist_force=assist[rows, :3],
        assist_torque=assist[rows, 3:],
        torque_ratio=ratio[rows],
        ground_force=_by_side(ground_contacts, body, scene, step + 1),
        ground_contacts=ground_contacts,
        failure=failure,
        failed_at_s=None if failed_at is None else failed_at / reference.rate,
        solve_count=controller.solve_count,
        cpu_s=time.process_time() - began,
    )


def _on_ground(borne: Sequence[Contacts]) -> GroundContacts:
    """The contacts with the ground, of the contacts of every step."""
    everything = [*borne, no_contacts()]  # a simulation may end before its first step
    steps = np.repeat(np.arange(len(everything)), [len(contacts.links) for contacts in everything])
    others, links, positions, forces = (
        np.concatenate([getattr(contacts, name) for contacts in everything])
        for name in ("others", "links", "positions", "forces")
    )
    ground = others == GROUND
    return GroundContacts(steps[ground], links[ground], positions[ground], forces[ground])


def _by_side(contacts: GroundContacts, body: Body, scene: Scene, steps: int) -> Floats:
    """(steps, 3) what the ground bears of each side of the body."""
    side_of_link = np.array([_SIDES.index(link.name[len(kind(link.name)) :]) for link in body.links])
    cells: Ints = contacts.steps * len(_SIDES) + side_of_link[contacts.links]
    along = contacts.forces @ scene.ground.normal
    borne: Floats = np.bincount(cells, weights=along, minlength=steps * len(_SIDES)).astype(float)
    return borne.reshape(steps, len(_SIDES))
