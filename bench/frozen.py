"""A body that holds its pose, whatever happens: what falls are measured against, beside one that goes limp."""

from collections.abc import Sequence

import numpy as np

from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.controllers.stable_springs import StableSprings
from sim_core.engines.engine import Contacts, State, make_engine
from sim_core.scene import Scene
from sim_core.settings import EngineName
from sim_core.simulation.impulses import peak_impulses
from sim_core.simulation.outside_forces import OutsideForce, OutsideForces
from sim_core.simulation.stretch import on_ground

_FULL_AT_RAD = 0.5  # from its pose: a joint pulls with all its strength
_DAMPING_S = 0.1
STEP_S = 0.002


def frozen_peaks(
    body: Body,
    scene: Scene,
    engine_name: EngineName,
    state: State,
    at_s: float,
    seconds: float,
    outside: Sequence[OutsideForce],
) -> Floats:
    """(N,) [N s] the largest impulse on each link."""
    engine, forces = make_engine(engine_name), OutsideForces(outside, body)
    most, borne = body.torque_limit, list[Contacts]()
    stiffness = most / _FULL_AT_RAD
    springs = StableSprings(body, scene.gravity, STEP_S, stiffness, _DAMPING_S * stiffness)
    try:
        engine.load(body, scene, STEP_S)
        now = engine.reset(state, at_s)
        for step in range(round(seconds / STEP_S)):
            now = engine.step(
                np.clip(springs.torques(step, now, state.q), -most, most), forces.wrenches(at_s + step * STEP_S, now)
            )
            borne.append(engine.contacts())
    finally:
        engine.close()
    return peak_impulses(on_ground(borne), len(borne), body, 1.0 / STEP_S)
