"""Bodies for tests of the dynamics, MuJoCo's model of them, and small steps of every dof."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.dynamics.state_space import integrate
from sim_core.engines.mjcf import body_to_mjcf
from sim_core.scene import Scene
from tests.makers import figure_body

try:
    import mujoco
except ImportError:
    mujoco = None

needs_mujoco = pytest.mark.skipif(
    mujoco is None, reason="MuJoCo is not installed; install it to compare the dynamics with it."
)


def crooked_body() -> Body:
    """The figure with frames turned at random and hinges about random axes, so that nothing is special."""
    rng = np.random.default_rng(7)
    body = figure_body()
    links = []
    for link in body.links:
        axes = rng.normal(size=(1, 3)) if link.joint.kind == "hinge" else link.joint.axes
        joint = replace(link.joint, axes=axes / np.linalg.norm(axes, axis=-1, keepdims=True))
        frame = link.frame if link.parent < 0 else rotations.exp(rng.normal(size=3))
        links.append(replace(link, frame=frame, joint=joint))
    return replace(body, links=tuple(links))


BODIES = {"figure": figure_body(), "all balls": figure_body(hinges=False), "crooked": crooked_body()}
each_body = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
each_seed = pytest.mark.parametrize("seed", range(5))


def mujoco_at(body: Body, q: np.ndarray, v: np.ndarray):
    """MuJoCo's model and data with everything computed for the state."""
    model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, Scene(), 0.002))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(model, data)
    return model, data


def central_difference(function, width: float = 1e-5) -> np.ndarray:
    """d function(t) / dt at 0."""
    return (function(width) - function(-width)) / (2.0 * width)


def every_dof(body: Body, q: np.ndarray, width: float) -> np.ndarray:
    """(nv, nq) the state moved a little along each dof."""
    return integrate(body, q, width * np.eye(body.nv))
