"""States and small helpers that the parts of the engine contract share."""

from dataclasses import replace

import numpy as np

from sim_core.body.body import Body, Box
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import State
from sim_core.scene import Ground
from tests.makers import figure_body, random_state

STEP_S = 0.002
NOTHING = np.zeros(3)


def limp_figure() -> Body:
    """The figure with limbs that pass through each other, as random poses make them touch."""
    return replace(figure_body(), collision_pairs=())


def high_up(body: Body, seed: int, speed: float = 1.0) -> State:
    q, v = random_state(body, seed, speed)
    q[2] += 50.0
    return State(q, v)


def at_height(body: Body, height: float) -> State:
    q = body.zero_q.copy()
    q[2] = height
    return State(q, np.zeros(body.nv))


def still(body: Body) -> np.ndarray:
    return np.zeros(body.nv)


def lowest_distance(body: Body, q: np.ndarray, ground: Ground) -> float:
    pose = kinematics.pose(body, q)
    distances = []
    for index, link in enumerate(body.links):
        is_box = isinstance(link.shape, Box)
        local = link.shape.corners if is_box else np.stack([link.shape.start, link.shape.end])
        points = pose.points(np.full(len(local), index), local)
        distances.append(ground.distance(points).min() - (0.0 if is_box else link.shape.radius))
    return min(distances)


def damping_torques(dynamics: Dynamics, state: State) -> np.ndarray:
    """Slow every joint with a time constant of an eighth of a second, whatever its inertia."""
    joint_rates = np.concatenate([np.zeros(6), state.v[6:]])
    torques = -8.0 * dynamics.evaluate(state.q, state.v).M @ joint_rates
    torques[:6] = 0.0
    return torques
