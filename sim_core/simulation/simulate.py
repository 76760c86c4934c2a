"""The loop: controller and engine in turn, one physics step at a time."""

import time
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..controllers.controller import Controller
from ..engines.engine import Contacts, Engine, State, Wrench, no_contacts
from ..engines.loose import initial_things
from ..errors import SimulationError
from ..progress import Progress
from ..reference.reference import Reference
from ..scene import Scene
from .gates import end_failure, path_failure
from .outside_forces import OutsideForce, OutsideForces
from .recording import Failure, Recording
from .stretch import Moment, Stretch, on_ground, recording_of

_REPORT_EVERY = 50  # steps
_LONGER = 1.0  # of its rolls' own time: what a body may take more that rolls at its own pace


def beginning(reference: Reference, scene: Scene) -> Moment:
    state = State(reference.q[0], reference.v[0], initial_things(scene))
    return Moment(0, 0, state, no_contacts(), None, np.zeros(3))


def last_step(reference: Reference) -> int:
    """The step at which a simulation of the whole reference, hold included, is over; who rolls may take longer."""
    if reference.fall is not None:
        return reference.fall.last
    rolling = sum(span.last - span.first for span in reference.rolls)
    return len(reference) - 1 + round(_LONGER * rolling)


def simulate_stretch(
    body: Body,
    reference: Reference,
    controller: Controller,
    engine: Engine,
    outside: Sequence[OutsideForce],
    start: Moment,
    until: int,
    progress: Progress,
    *,
    stop_at_failure: bool,
) -> Stretch:
    """Runs a loaded engine from a moment until a step is reached.

    The engine begins anew: what its solver remembers of earlier steps is no part of a moment, so that every engine goes
    on from it in the same way wherever it runs.
    """
    began = time.process_time()
    state = engine.reset(start.state, start.step / reference.rate)
    contacts = start.contacts
    forces = OutsideForces(outside, body, start.facings)
    if start.memory is None:
        controller.reset()
        controller.resume(start.row, start.displaced)
    else:
        controller.recall(start.memory)
    rows = until - start.step
    q, v = np.empty((rows, body.nq)), np.empty((rows, body.nv))
    things = np.empty((rows, *state.things.shape))
    assist = np.zeros((rows, 6))
    foot_torque = np.zeros((rows, 2, 3))
    followed = np.zeros(rows, dtype=np.int64)
    displaced = np.zeros((rows, 3))
    ratio = np.zeros(rows)
    borne: list[Contacts] = []
    limit = np.maximum(body.torque_limit, 1e-9)
    failure: Failure | None = None
    failed_step: int | None = None
    broken, over, done = not np.isfinite(state.q).all(), False, 0
    if broken:
        failure, failed_step = "broke down", start.step
    for step in range(start.step, start.step if broken else until):
        row = step - start.step
        displaced[row], followed[row] = controller.displacement, controller.row(step)
        if reference.rolls and followed[row] >= len(reference) - 1:  # at its own pace, and done before its time
            over = True
            break
        falls = reference.fall is not None and followed[row] >= reference.fall.first
        if failure is None and followed[row] < reference.clip_steps and not falls:
            target = reference.q[followed[row]]
            failure = path_failure(state.q, target, displaced[row], rolls=reference.rolls_at(int(followed[row])))
            failed_step = None if failure is None else step
            if failure is not None and stop_at_failure:
                break
        q[row], v[row], things[row] = state
        command = controller.compute(step, state, contacts)
        wrenches = forces.wrenches(step / reference.rate, state)
        if command.assist is not None:
            wrenches.append(command.assist)
            assist[row] = [*command.assist.force, *command.assist.torque]
        if command.foot_torques is not None:
            wrenches += _on_feet(body, command.foot_torques, state)
            foot_torque[row] = command.foot_torques
        ratio[row] = np.max(np.abs(command.torques) / limit)
        done = row + 1
        try:
            state = engine.step(command.torques, wrenches, command.slippery)
        except SimulationError:  # a trial that breaks down is a lost one, not the person's fault
            failure, failed_step, broken = failure or "broke down", failed_step if failure else step, True
            break
        contacts = engine.contacts()
        borne.append(contacts)
        if row % _REPORT_EVERY == 0:
            progress(row / rows)
    ended = start.step + done
    if failure is None and reference.fall is None and (over or until == last_step(reference)):
        if controller.row(ended) < reference.clip_steps:
            failure = "got stuck"
        elif not reference.ends_rolling:
            failure = end_failure(body, reference, state, contacts, controller.displacement)
        failed_step = None if failure is None else ended - (len(reference) - reference.clip_steps)
    return Stretch(
        first=start.step,
        q=q[:done],
        v=v[:done],
        things=things[:done],
        assist=assist[:done],
        foot_torque=foot_torque[:done],
        torque_ratio=ratio[:done],
        rows=followed[:done],
        displaced=displaced[:done],
        contacts=on_ground(borne),
        end=Moment(
            until if over else ended,
            controller.row(ended),
            start.state if broken else state,
            contacts,
            controller.memory(),
            controller.displacement,
            forces.facings,
        ),
        failure=failure,
        failed_step=failed_step,
        broken=broken,
        solve_count=controller.solve_count,
        cpu_s=time.process_time() - began,
    )


def _on_feet(body: Body, torques: Floats, state: State) -> list[Wrench]:
    feet = (body.index("foot_l"), body.index("foot_r"))
    return [Wrench(foot, np.zeros(3), torque, state.q[:3]) for foot, torque in zip(feet, torques, strict=True)]


def simulate(
    body: Body,
    reference: Reference,
    controller: Controller,
    engine: Engine,
    scene: Scene,
    outside: Sequence[OutsideForce],
    progress: Progress,
    *,
    stop_at_failure: bool,
) -> Recording:
    """The whole reference, hold included, in one stretch."""
    whole = simulate_stretch(
        body,
        reference,
        controller,
        engine,
        outside,
        beginning(reference, scene),
        last_step(reference),
        progress,
        stop_at_failure=stop_at_failure,
    )
    return recording_of([whole], body, scene, reference.rate)
