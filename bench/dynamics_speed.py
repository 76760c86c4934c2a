"""How long one evaluation of the dynamics takes at 20 links, beside MuJoCo's own routines for the same.

Run from the repository's root: python -m bench.dynamics_speed
"""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.mjcf import body_to_mjcf
from sim_core.scene import Scene
from tests.makers import figure_body, random_state

REPEATS = 2000
CLIP_FRAMES = 5000


class Timing(NamedTuple):
    what: str
    best_ms: float
    median_ms: float


def measure() -> list[Timing]:
    """Our dynamics and MuJoCo's, on a body with hinges and on one with balls only, then a whole clip."""
    timings = []
    for body in (figure_body(), figure_body(hinges=False)):
        size = f"{len(body)} links, {body.nv} dof"
        q, v = random_state(body, 0)
        dynamics = Dynamics(body)
        state = dynamics.evaluate(q, v)
        links = body.soles.links[:8]
        points = state.points(links, body.soles.local[:8])
        timings.append(_timed(f"FK + M + bias + centroidal, {size}", partial(dynamics.evaluate, q, v)))
        by_mujoco = _mujoco_evaluation(body, q, v)
        if by_mujoco is not None:
            timings.append(_timed(f"  the same by MuJoCo, {size}", by_mujoco))
        timings.append(_timed(f"Jacobians of 8 points, {size}", partial(state.point_jacobian, links, points)))
    body = figure_body()
    q, v = random_state(body, 0)
    clip_q, clip_v = np.tile(q, (CLIP_FRAMES, 1)), np.tile(v, (CLIP_FRAMES, 1))
    clip = f"of {CLIP_FRAMES} frames"
    timings.append(_timed(f"FK {clip}", partial(kinematics.pose, body, clip_q), 10))
    timings.append(_timed(f"FK + velocities + momentum {clip}", partial(kinematics.motion, body, clip_q, clip_v), 10))
    return timings


def _mujoco_evaluation(body: Body, q: Floats, v: Floats) -> Callable[[], object] | None:
    """MuJoCo's routines for the same: poses, M, bias, momentum and its matrix; None if it is missing."""
    try:
        import mujoco
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, Scene(), 0.002))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    M, bias = np.zeros((body.nv, body.nv)), np.zeros(body.nv)
    com_matrix, spin_matrix = np.zeros((3, body.nv)), np.zeros((3, body.nv))

    def run() -> None:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, M, data.qM)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, bias)
        mujoco.mj_subtreeVel(model, data)
        mujoco.mj_jacSubtreeCom(model, data, com_matrix, 1)
        mujoco.mj_angmomMat(model, data, spin_matrix, 1)

    return run


def _timed(what: str, run: Callable[[], object], repeats: int = REPEATS) -> Timing:
    times = np.empty(repeats)
    run()
    for i in range(repeats):
        start = time.perf_counter()
        run()
        times[i] = time.perf_counter() - start
    return Timing(what, 1e3 * float(times.min()), 1e3 * float(np.median(times)))


def main() -> None:
    timings = measure()
    width = max(len(timing.what) for timing in timings)
    print(f"{'':{width}}  {'best ms':>9} {'median ms':>9}")
    for timing in timings:
        print(f"{timing.what:{width}}  {timing.best_ms:9.3f} {timing.median_ms:9.3f}")


if __name__ == "__main__":
    main()
