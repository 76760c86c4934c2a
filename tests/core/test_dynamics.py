"""Equations of motion and Jacobians: against MuJoCo, finite differences and the laws of mechanics."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.constants import GRAVITY
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.momentum import net_wrench
from sim_core.dynamics.spatial import ANGULAR, LINEAR
from sim_core.dynamics.state_space import integrate
from sim_core.dynamics.topology import topology_of
from tests.general_bodies import (
    central_difference,
    each_body,
    each_seed,
    every_dof,
    mujoco,
    mujoco_at,
    needs_mujoco,
)
from tests.makers import figure_body, random_state

WIDTH = 1e-6


def some_points(body, state, seed=0):
    """Two points on every link: links (2 N,), local and world points (2 N, 3)."""
    links = np.repeat(np.arange(len(body)), 2)
    local = np.random.default_rng(seed).normal(0.0, 0.3, (len(links), 3))
    return links, local, state.points(links, local)


# ---- against MuJoCo ----


@needs_mujoco
@each_body
@each_seed
def test_mass_matrix_bias_com_and_momentum_are_mujocos(body, seed):
    q, v = random_state(body, seed, speed=2.0)
    model, data = mujoco_at(body, q, v)
    state = Dynamics(body).evaluate(q, v)
    M = np.zeros((body.nv, body.nv))
    mujoco.mj_fullM(model, M, data.qM)
    np.testing.assert_allclose(state.M, M, rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.bias, data.qfrc_bias, rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.com, data.subtree_com[1], rtol=0, atol=1e-9)
    mujoco.mj_subtreeVel(model, data)
    np.testing.assert_allclose(state.momentum[LINEAR], body.mass * data.subtree_linvel[1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.momentum[ANGULAR], data.subtree_angmom[1], rtol=0, atol=1e-9)
    momentum_matrix = np.zeros((3, body.nv))
    mujoco.mj_angmomMat(model, data, momentum_matrix, 1)
    np.testing.assert_allclose(state.momentum_matrix[ANGULAR], momentum_matrix, rtol=0, atol=1e-9)


@needs_mujoco
@each_body
@each_seed
def test_jacobians_and_drifts_are_mujocos(body, seed):
    q, v = random_state(body, seed)
    model, data = mujoco_at(body, q, v)
    state = Dynamics(body).evaluate(q, v)
    links, _, points = some_points(body, state)
    of_points, of_links = state.point_jacobian(links, points), state.rotation_jacobian(links)
    for k, (link, point) in enumerate(zip(links, points, strict=True)):
        linear, angular = np.zeros((3, body.nv)), np.zeros((3, body.nv))
        mujoco.mj_jac(model, data, linear, angular, point, link + 1)
        np.testing.assert_allclose(of_points.J[k], linear, rtol=0, atol=1e-9)
        np.testing.assert_allclose(of_links.J[k], angular, rtol=0, atol=1e-9)
        mujoco.mj_jacDot(model, data, linear, angular, point, link + 1)
        np.testing.assert_allclose(of_points.drift[k], linear @ v, rtol=0, atol=1e-9)
        np.testing.assert_allclose(of_links.drift[k], angular @ v, rtol=0, atol=1e-9)


@needs_mujoco
@each_body
def test_inverse_dynamics_is_mujocos(body):
    q, v = random_state(body, 9)
    model, data = mujoco_at(body, q, v)
    data.qacc[:] = np.random.default_rng(1).normal(size=body.nv)
    force = np.zeros(body.nv)
    mujoco.mj_rne(model, data, 1, force)
    ours = Dynamics(body).inverse_dynamics(q, v, data.qacc.copy())
    np.testing.assert_allclose(ours, force, rtol=0, atol=1e-9)


# ---- finite differences ----


@each_body
@each_seed
def test_point_and_com_jacobians_are_derivatives(body, seed):
    q, v = random_state(body, seed)
    state = Dynamics(body).evaluate(q, v)
    links, local, points = some_points(body, state)
    ahead = kinematics.pose(body, every_dof(body, q, WIDTH))
    behind = kinematics.pose(body, every_dof(body, q, -WIDTH))
    slopes = (ahead.points(links, local) - behind.points(links, local)) / (2.0 * WIDTH)
    task = state.point_jacobian(links, points)
    np.testing.assert_allclose(task.J, np.moveaxis(slopes, 0, -1), atol=1e-8)
    com_slopes = (ahead.com - behind.com) / (2.0 * WIDTH)
    np.testing.assert_allclose(state.com_jacobian.J[0], com_slopes.T, atol=1e-8)
    np.testing.assert_allclose(task.velocity, task.J @ v, atol=1e-12)


@each_body
@each_seed
def test_rotation_jacobians_are_derivatives(body, seed):
    q, v = random_state(body, seed)
    state = Dynamics(body).evaluate(q, v)
    links = np.arange(len(body))
    ahead = kinematics.pose(body, every_dof(body, q, WIDTH)).R_world_link
    behind = kinematics.pose(body, every_dof(body, q, -WIDTH)).R_world_link
    turns = rotations.log(rotations.from_matrix(ahead @ behind.swapaxes(-1, -2))) / (2.0 * WIDTH)
    task = state.rotation_jacobian(links)
    np.testing.assert_allclose(task.J, np.moveaxis(turns, 0, -1), atol=1e-8)
    np.testing.assert_allclose(task.velocity, kinematics.motion(body, q, v).angular_velocities, atol=1e-12)


@each_body
@each_seed
def test_drifts_are_rates_at_constant_velocity(body, seed):
    """With v held constant the whole rate of J v is the drift."""
    q, v = random_state(body, seed)
    dynamics = Dynamics(body)
    state = dynamics.evaluate(q, v)
    links, local, points = some_points(body, state)

    def at(t):
        moved = dynamics.evaluate(integrate(body, q, t * v), v)
        of_points = moved.point_jacobian(links, moved.points(links, local))
        return np.concatenate(
            [
                (of_points.J @ v).ravel(),
                (moved.rotation_jacobian(links).J @ v).ravel(),
                moved.com_jacobian.J[0] @ v,
                moved.momentum_matrix @ v,
            ]
        )

    drifts = np.concatenate(
        [
            state.point_jacobian(links, points).drift.ravel(),
            state.rotation_jacobian(links).drift.ravel(),
            state.com_jacobian.drift[0],
            state.momentum_drift,
        ]
    )
    np.testing.assert_allclose(drifts, central_difference(at), rtol=1e-7, atol=2e-6)


@each_body
def test_momentum_matrix_is_the_momentum_of_small_moves(body):
    """Each column is summed over the finite differences of the links, which know nothing of the matrix."""
    q, v = random_state(body, 4)
    state = Dynamics(body).evaluate(q, v)
    here = kinematics.pose(body, q)
    ahead, behind = (kinematics.pose(body, every_dof(body, q, step)) for step in (WIDTH, -WIDTH))
    velocities = (ahead.link_coms - behind.link_coms) / (2.0 * WIDTH)  # (nv, N, 3)
    turns = ahead.R_world_link @ behind.R_world_link.swapaxes(-1, -2)
    spins = rotations.log(rotations.from_matrix(turns)) / (2.0 * WIDTH)
    R = here.R_world_link
    inertias = R @ np.stack([link.inertia for link in body.links]) @ R.swapaxes(-1, -2)
    linear = np.einsum("n,jnk->kj", body.masses, velocities)
    own = np.einsum("nab,jnb->aj", inertias, spins)
    orbital = np.einsum("n,jnk->kj", body.masses, np.cross(here.link_coms - here.com, velocities))
    np.testing.assert_allclose(state.momentum_matrix, np.concatenate([linear, own + orbital]), atol=1e-7)


@each_body
def test_gravity_is_the_slope_of_the_potential(body):
    q, _ = random_state(body, 6)
    still = Dynamics(body).evaluate(q, np.zeros(body.nv))
    heights = [kinematics.pose(body, every_dof(body, q, step)).com[:, 2] for step in (WIDTH, -WIDTH)]
    slope = body.mass * GRAVITY * (heights[0] - heights[1]) / (2.0 * WIDTH)
    np.testing.assert_allclose(still.bias, slope, atol=1e-6)


# ---- laws ----


@each_body
@each_seed
def test_mass_matrix_is_symmetric_positive_and_the_kinetic_energy(body, seed):
    q, v = random_state(body, seed)
    state = Dynamics(body).evaluate(q, v)
    np.testing.assert_array_equal(state.M, state.M.T)
    assert np.linalg.eigvalsh(state.M).min() > 0.0
    motion = kinematics.motion(body, q, v)
    com_velocities = motion.point_velocities(np.arange(len(body)), motion.pose.link_coms)
    energy = 0.0
    for i, link in enumerate(body.links):
        spin_link = motion.pose.R_world_link[i].T @ motion.angular_velocities[i]
        energy += 0.5 * spin_link @ link.inertia @ spin_link
        energy += 0.5 * link.mass * com_velocities[i] @ com_velocities[i]
    assert 0.5 * v @ state.M @ v == pytest.approx(energy, rel=1e-12)


@each_body
@each_seed
def test_inverse_dynamics_undoes_forward_dynamics(body, seed):
    q, v = random_state(body, seed)
    dynamics = Dynamics(body)
    state = dynamics.evaluate(q, v)
    force = np.random.default_rng(seed).normal(0.0, 20.0, body.nv)
    acceleration = np.linalg.solve(state.M, force - state.bias)
    np.testing.assert_allclose(dynamics.inverse_dynamics(q, v, acceleration), force, atol=1e-8)


def test_inverse_dynamics_over_a_clip_is_that_of_its_frames():
    body = figure_body()
    dynamics = Dynamics(body)
    q, v = (np.stack(part) for part in zip(*(random_state(body, seed) for seed in range(6)), strict=True))
    a = np.random.default_rng(0).normal(size=v.shape)
    clip = dynamics.inverse_dynamics(q, v, a)
    for t in range(len(q)):
        np.testing.assert_allclose(clip[t], dynamics.inverse_dynamics(q[t], v[t], a[t]), atol=1e-11)


@each_body
@each_seed
def test_momentum_changes_by_the_outside_wrench_alone(body, seed):
    """Joint torques cannot move the centre of mass or spin the body; forces at points and gravity can."""
    rng = np.random.default_rng(seed)
    q, v = random_state(body, seed)
    state = Dynamics(body).evaluate(q, v)
    links, _, points = some_points(body, state)
    forces = rng.normal(0.0, 50.0, points.shape)
    torques = rng.normal(0.0, 30.0, body.nv)
    torques[body.v_slice[body.names[0]]] = 0.0
    outside = state.generalised_force(links, points, forces)
    acceleration = np.linalg.solve(state.M, torques + outside - state.bias)
    rate = state.momentum_matrix @ acceleration + state.momentum_drift
    wrench = net_wrench(points, forces, state.com)
    np.testing.assert_allclose(rate[LINEAR], wrench.force - [0.0, 0.0, body.mass * GRAVITY], atol=1e-8)
    np.testing.assert_allclose(rate[ANGULAR], wrench.torque, atol=1e-8)


@each_body
def test_generalised_force_is_the_jacobian_transposed(body):
    q, v = random_state(body, 8)
    state = Dynamics(body).evaluate(q, v)
    links, _, points = some_points(body, state)
    forces = np.random.default_rng(2).normal(0.0, 50.0, points.shape)
    expected = np.einsum("kij,ki->j", state.point_jacobian(links, points).J, forces)
    np.testing.assert_allclose(state.generalised_force(links, points, forces), expected, atol=1e-10)
    nothing = state.generalised_force(links[:0], points[:0], forces[:0])
    np.testing.assert_array_equal(nothing, np.zeros(body.nv))


@each_body
def test_generalised_forces_of_many_rows_are_those_of_each(body):
    dynamics = Dynamics(body)
    rows = [random_state(body, seed) for seed in range(3)]
    states = [dynamics.evaluate(q, v) for q, v in rows]
    links, local, _ = some_points(body, states[0])
    points = np.stack([state.points(links, local) for state in states])
    forces = np.random.default_rng(2).normal(0.0, 50.0, points.shape)
    expected = [state.generalised_force(links, *row) for state, *row in zip(states, points, forces, strict=True)]
    found = dynamics.generalised_forces(np.stack([q for q, _ in rows]), links, points, forces)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def energy_of(state, gravity):
    return 0.5 * state.v @ state.M @ state.v + state.mass * gravity * state.com[2]


def fly(dynamics, q, v, *, step_s, steps):
    """Free motion by a Runge-Kutta method of order 4 in the tangent space of each step (Munthe-Kaas 1998)."""
    body = dynamics.body
    turning = topology_of(body).rotation_v

    def rates(step, v):
        state = dynamics.evaluate(integrate(body, q, step), v)
        rate = v.copy()  # of the step: v, but for rotations that have already turned
        turn, spin = step[turning], v[turning]
        rate[turning] = spin + np.cross(turn, spin) / 2.0 + np.cross(turn, np.cross(turn, spin)) / 12.0
        return np.concatenate([rate, np.linalg.solve(state.M, -state.bias)])

    for _ in range(steps):
        start = np.concatenate([np.zeros(body.nv), v])
        k1 = rates(*np.split(start, 2))
        k2 = rates(*np.split(start + 0.5 * step_s * k1, 2))
        k3 = rates(*np.split(start + 0.5 * step_s * k2, 2))
        k4 = rates(*np.split(start + step_s * k3, 2))
        step, v = np.split(start + step_s / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), 2)
        q = integrate(body, q, step)
    return dynamics.evaluate(q, v)


@each_body
def test_free_flight_keeps_energy_and_momentum(body):
    q, v = random_state(body, 5)
    dynamics = Dynamics(body)
    start = dynamics.evaluate(q, v)
    steps, step_s = 100, 1e-3
    end = fly(dynamics, q, v, step_s=step_s, steps=steps)
    kinetic = 0.5 * v @ start.M @ v
    assert abs(energy_of(end, GRAVITY) - energy_of(start, GRAVITY)) < 1e-8 * kinetic
    fall = steps * step_s * body.mass * GRAVITY
    expected = start.momentum - np.array([0.0, 0.0, fall, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(end.momentum, expected, rtol=0, atol=1e-7)


def test_gravity_can_be_another():
    body = figure_body()
    q, _ = random_state(body, 0)
    moon = Dynamics(body, gravity=1.62).evaluate(q, np.zeros(body.nv))
    assert moon.bias[2] == pytest.approx(body.mass * 1.62)
    np.testing.assert_allclose(moon.momentum_drift, 0.0, atol=1e-9)


def test_evaluation_leaves_its_inputs_alone():
    body = figure_body()
    q, v = random_state(body, 0)
    kept = q.copy(), v.copy()
    Dynamics(body).evaluate(q, v)
    np.testing.assert_array_equal(q, kept[0])
    np.testing.assert_array_equal(v, kept[1])


def test_a_state_outlives_changes_of_its_inputs():
    body = figure_body()
    q, v = random_state(body, 0)
    state = Dynamics(body).evaluate(q, v)
    links, _, points = some_points(body, state)
    before = state.point_jacobian(links, points)
    q[:], v[:] = 0.0, 0.0
    for now, then in zip(state.point_jacobian(links, points), before, strict=True):
        np.testing.assert_array_equal(now, then)
