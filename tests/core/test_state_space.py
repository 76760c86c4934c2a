"""Differences of states and steps between them."""

import numpy as np

from sim_core.dynamics.state_space import difference, integrate
from tests.general_bodies import each_body, each_seed, mujoco, mujoco_at, needs_mujoco
from tests.makers import figure_body, random_state


@each_body
@each_seed
def test_a_difference_integrates_to_its_end(body, seed):
    q_from, _ = random_state(body, seed)
    q_to, _ = random_state(body, seed + 100)
    reached = integrate(body, q_from, difference(body, q_to, q_from))
    assert np.abs(difference(body, reached, q_to)).max() < 1e-12


@each_body
def test_a_step_is_its_own_difference(body):
    q, v = random_state(body, 3)
    step = 0.3 * v
    np.testing.assert_allclose(difference(body, integrate(body, q, step), q), step, atol=1e-12)


@each_body
def test_both_broadcast_over_time(body):
    q = np.stack([random_state(body, seed)[0] for seed in range(4)])
    steps = difference(body, q, q[0])
    assert steps.shape == (4, body.nv)
    for one, step in zip(q, steps, strict=True):
        np.testing.assert_allclose(difference(body, one, q[0]), step, atol=1e-15)
    assert integrate(body, q[0], steps).shape == (4, body.nq)
    assert np.abs(difference(body, integrate(body, q[0], steps), q)).max() < 1e-12


def test_opposite_quaternions_are_the_same_state():
    body = figure_body(hinges=False)
    q, _ = random_state(body, 0)
    flipped = q.copy()
    flipped[3:] *= -1.0
    np.testing.assert_allclose(difference(body, flipped, q), 0.0, atol=1e-12)


@needs_mujoco
@each_body
@each_seed
def test_they_agree_with_mujoco(body, seed):
    q, v = random_state(body, seed)
    q_to, _ = random_state(body, seed + 50)
    model, _ = mujoco_at(body, q, v)
    theirs = np.zeros(body.nv)
    mujoco.mj_differentiatePos(model, theirs, 1.0, q, q_to)
    np.testing.assert_allclose(difference(body, q_to, q), theirs, rtol=0, atol=1e-9)
    moved = q.copy()
    mujoco.mj_integratePos(model, moved, v, 0.1)
    np.testing.assert_allclose(integrate(body, q, 0.1 * v), moved, rtol=0, atol=1e-9)
