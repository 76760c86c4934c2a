"""The balance strategies of McSim's thesis by control theory: right linear models, and gains that hold them."""

import numpy as np
import pytest

from sim_core.body.build_body import build_body
from sim_core.controllers.tracking.full_state_feedback import linearise, riccati_step
from sim_core.controllers.tracking.three_link_balance import Groups, models_of
from sim_core.controllers.tracking.three_link_model import ThreeLinkModel, regulate
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import difference, integrate
from sim_core.posing.body_motion import body_positions
from sim_core.rig.bone_map import map_bones
from sim_core.samples.made_clips import make_clip
from sim_core.scene import Scene

SCENE = Scene()
CLIP = make_clip("stand", 0.2)
BODY = build_body(CLIP, map_bones(CLIP.skeleton, clip=CLIP).bones)
Q = body_positions(CLIP, BODY)[0]
DYNAMICS = Dynamics(BODY, SCENE.gravity)
STANCES = [(True, False), (False, True), (True, True)]
COSTS = {"angle_cost": 1.0, "rate_cost": 0.1, "control_cost": 1e-3}


def _models(feet: tuple[bool, bool]) -> list[ThreeLinkModel]:
    return models_of(BODY, Q, Groups(BODY, *feet), SCENE)


@pytest.mark.parametrize("feet", STANCES)
def test_the_model_weighs_what_the_body_weighs_and_is_as_high(feet):
    for model in _models(feet):
        assert model.mass == pytest.approx(BODY.mass)
        assert model.com_height == pytest.approx(pose(BODY, Q).com[2])
        upright = model.potential(np.zeros(3), SCENE.gravity)
        assert upright == pytest.approx(BODY.mass * SCENE.gravity * pose(BODY, Q).com[2])


@pytest.mark.parametrize("feet", STANCES)
def test_gravity_topples_the_model_as_its_energy_says(feet):
    model, nudge = _models(feet)[0], 1e-4
    for link in range(3):
        lean = nudge * np.eye(3)[link]
        energies = [model.potential(angles, SCENE.gravity) for angles in (-lean, np.zeros(3), lean)]
        curvature = (energies[0] - 2.0 * energies[1] + energies[2]) / nudge**2
        assert model.toppling(SCENE.gravity)[link, link] == pytest.approx(-curvature, abs=1e-3)


@pytest.mark.parametrize("feet", STANCES)
def test_leaning_stiffly_the_model_has_the_bodys_own_inertia_about_the_ground(feet):
    """But for where the centres of its links lie along the ground: upright, they lie above each other."""
    now, groups = pose(BODY, Q), Groups(BODY, *feet)
    inertias = np.stack([link.inertia for link in BODY.links])
    world = now.R_world_link @ inertias @ now.R_world_link.swapaxes(-1, -2)
    centred = now.link_coms - groups.members.T @ (groups.shares @ now.link_coms) * [1.0, 1.0, 0.0]
    for model, axis, across in zip(_models(feet), (0, 1), (1, 0), strict=True):
        arms = centred[:, across] ** 2 + centred[:, 2] ** 2
        assert model.inertia.sum() == pytest.approx(world[:, axis, axis].sum() + BODY.masses @ arms)


@pytest.mark.parametrize("feet", STANCES)
def test_hip_torques_alone_hold_the_model_upright(feet):
    for model in _models(feet):
        regulator = regulate(model, SCENE.gravity, 0.01, **COSTS)
        assert np.abs(np.linalg.eigvals(regulator.closed)).max() < 1.0
        used = model.masses > 0.0
        state = 0.02 * np.concatenate([used, np.zeros(3)])
        for _ in range(1000):
            state = regulator.closed @ state
        np.testing.assert_allclose(state, 0.0, atol=1e-4)


def test_the_linear_dynamics_foretell_the_next_state():
    rng = np.random.default_rng(0)
    v, a = rng.normal(0.0, 0.5, BODY.nv), rng.normal(0.0, 1.0, BODY.nv)
    step_s, small = 0.01, 1e-4
    model = linearise(DYNAMICS, Q, v, a, step_s)
    force = DYNAMICS.inverse_dynamics(Q, v, a)

    def one_step(q: np.ndarray, rate: np.ndarray, beyond: np.ndarray) -> np.ndarray:
        state = DYNAMICS.evaluate(q, rate)
        return rate + step_s * np.linalg.solve(state.M, force + beyond - state.bias)

    nudge_q, nudge_v, nudge_u = (small * rng.normal(size=BODY.nv) for _ in range(3))
    moved = one_step(integrate(BODY, Q, nudge_q), v + nudge_v, nudge_u) - one_step(Q, v, np.zeros(BODY.nv))
    foretold = model.A @ np.concatenate([nudge_q, nudge_v]) + model.B @ nudge_u
    assert np.linalg.norm(foretold[BODY.nv :] - moved) < 0.01 * np.linalg.norm(moved)
    np.testing.assert_allclose(foretold[: BODY.nv], nudge_q + step_s * nudge_v, atol=1e-12)
    assert np.isclose(np.linalg.norm(difference(BODY, integrate(BODY, Q, nudge_q), Q)), np.linalg.norm(nudge_q))


def test_full_state_gains_hold_every_error_but_the_roots_place():
    still = np.zeros(BODY.nv)
    model = linearise(DYNAMICS, Q, still, still, 0.02)
    cost = np.ones(2 * BODY.nv)
    cost[:3] = 0.0
    value = np.diag(cost)
    for _ in range(400):
        gain, value = riccati_step(model, value, cost, 1e-5)
    sizes = np.sort(np.abs(np.linalg.eigvals(model.A - model.B @ gain)))
    np.testing.assert_allclose(sizes[-3:], 1.0, atol=1e-6)  # nothing brings the root back to its place
    assert sizes[-4] < 1.0 - 1e-4
    assert np.abs(gain[:, :3]).max() < 1e-6
