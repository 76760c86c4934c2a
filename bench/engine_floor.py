"""What the bare engine costs: the floor under every bake's time."""

import time
from typing import NamedTuple

import numpy as np

from sim_core.body.body import Body
from sim_core.engines.engine import State, available_engines, make_engine
from sim_core.scene import Scene
from sim_core.settings import EngineName


class EngineFloor(NamedTuple):
    engine: EngineName
    step_s: float
    cpu_s_per_simulated_s: float


def measure_engine_floor(
    body: Body, engine_name: EngineName, *, step_s: float = 0.002, duration_s: float = 1.0
) -> EngineFloor:
    """Steps and state reads alone, of a body dropped from 5 cm above the ground, without control."""
    engine = make_engine(engine_name)
    engine.load(body, Scene(), step_s)
    q = body.zero_q.copy()
    q[2] = 0.55 * body.height + 0.05
    engine.reset(State(q, np.zeros(body.nv)))
    torques = np.zeros(body.nv)
    steps = round(duration_s / step_s)
    start = time.process_time()
    for _ in range(steps):
        engine.step(torques)
    cpu_s = time.process_time() - start
    engine.close()
    return EngineFloor(engine_name, step_s, cpu_s / (steps * step_s))


def measure_engine_floors(body: Body, *, step_s: float = 0.002) -> list[EngineFloor]:
    return [measure_engine_floor(body, name, step_s=step_s) for name in available_engines()]
