"""Wrenches on the whole body: the Jacobian against finite differences, and what supports give back against statics."""

from typing import NamedTuple

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.controllers.virtual_actuator.supports import Borne, Supports, generalised, shared_out, whole_body_torque
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.dynamics_state import DynamicsState
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.momentum import net_wrench
from sim_core.dynamics.spatial import ANGULAR
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import ROOT_DOFS
from tests.general_bodies import each_body, each_seed
from tests.makers import figure_body, random_state

UP = np.array([0.0, 0.0, 1.0])
SMALL = 1e-5
LEVER_M = 0.05


class Asked(NamedTuple):
    force: np.ndarray
    torque: np.ndarray


def _asked(seed: int) -> Asked:
    rng = np.random.default_rng(seed)
    return Asked(rng.normal(0.0, 100.0, 3), rng.normal(0.0, 30.0, 3))


def _composite_inertia(body: Body, q: np.ndarray) -> np.ndarray:
    """(3, 3) about the centre of mass, link by link."""
    now, whole = pose(body, q), np.zeros((3, 3))
    for link, R, com in zip(body.links, now.R_world_link, now.link_coms, strict=True):
        arm = com - now.com
        whole += R @ link.inertia @ R.T + link.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return whole


class Moved(NamedTuple):
    """What unit velocities of all dofs do."""

    com: np.ndarray  # (nv, 3)
    angular_momentum: np.ndarray  # (nv, 3) about the centre of mass


def _by_differences(body: Body, q: np.ndarray) -> Moved:
    now = pose(body, q)
    ahead, behind = (pose(body, integrate(body, q, sign * SMALL * np.eye(body.nv))) for sign in (1.0, -1.0))
    velocities = (ahead.link_coms - behind.link_coms) / (2.0 * SMALL)
    turns = rotations.from_matrix(ahead.R_world_link @ np.swapaxes(behind.R_world_link, -1, -2))
    spins = rotations.log(turns) / (2.0 * SMALL)
    momentum = np.zeros((body.nv, 3))
    for k, link in enumerate(body.links):
        R = now.R_world_link[k]
        momentum += link.mass * np.cross(now.link_coms[k] - now.com, velocities[:, k])
        momentum += spins[:, k] @ (R @ link.inertia @ R.T)
    return Moved((ahead.com - behind.com) / (2.0 * SMALL), momentum)


def _supports(
    dynamics: DynamicsState, body: Body, names: list[str], shares: list[float] | None = None, lever_m: float = LEVER_M
) -> Supports:
    links = np.array([body.index(name) for name in names])
    shares = [1.0] * len(names) if shares is None else shares
    return Supports(
        links, dynamics.origins[links] - 0.05 * UP, np.ones(len(names)), np.array(shares), np.full(len(names), lever_m)
    )


def _state(body: Body, seed: int) -> DynamicsState:
    return Dynamics(body).evaluate(*random_state(body, seed))


def _points(*places: tuple[float, float, float], shares: list[float] | None = None) -> Supports:
    """Feet at places, with the centre of mass 1 m above the origin."""
    count = len(places)
    return Supports(
        np.arange(count),
        np.array(places),
        np.ones(count),
        np.ones(count) if shares is None else np.array(shares),
        np.full(count, LEVER_M),
    )


COM = UP
WEIGHT = 700.0 * UP


@each_body
@each_seed
def test_the_whole_bodys_jacobian_is_that_of_finite_differences(body, seed):
    """Eq. B.5: velocity of the centre of mass, and angular momentum over the inertia of all of it."""
    q, v = random_state(body, seed)
    asked, moved = _asked(seed), _by_differences(body, q)
    found = whole_body_torque(Dynamics(body).evaluate(q, v), *asked)
    spins = moved.angular_momentum @ np.linalg.inv(_composite_inertia(body, q))
    np.testing.assert_allclose(found, moved.com @ asked.force + spins @ asked.torque, rtol=1e-5, atol=1e-4)


@each_body
@each_seed
@pytest.mark.parametrize("foot", ["foot_l", "foot_r"])
def test_on_one_foot_torques_do_the_work_of_the_wrench(body, seed, foot):
    """Appendix B: a Jacobian with its root in that foot. While the foot is held still, joints do all the work."""
    q, _ = random_state(body, seed)
    dynamics = Dynamics(body).evaluate(q, np.zeros(body.nv))
    supports, asked = _supports(dynamics, body, [foot]), _asked(seed)
    borne = shared_out(supports, dynamics.com, *asked, UP)
    torques = whole_body_torque(dynamics, *asked) - generalised(dynamics, supports, borne)
    np.testing.assert_allclose(torques[:ROOT_DOFS], 0.0, atol=1e-3)
    v = np.random.default_rng(seed + 100).normal(size=body.nv)
    link = supports.links
    twist = np.concatenate(
        [dynamics.point_jacobian(link, dynamics.origins[link]).J[0], dynamics.rotation_jacobian(link).J[0]]
    )
    v[:ROOT_DOFS] = -np.linalg.solve(twist[:, :ROOT_DOFS], twist[:, ROOT_DOFS:] @ v[ROOT_DOFS:])
    moving = Dynamics(body).evaluate(q, v)
    spin = np.linalg.solve(_composite_inertia(body, q), moving.momentum[ANGULAR])
    work = asked.force @ moving.com_velocity + asked.torque @ spin
    assert torques[ROOT_DOFS:] @ v[ROOT_DOFS:] == pytest.approx(work, rel=1e-5, abs=1e-3)


@each_seed
@pytest.mark.parametrize(
    "names",
    [["foot_r"], ["foot_l", "foot_r"], ["foot_l", "foot_r", "hand_l"], ["foot_l", "foot_r", "hand_l", "shin_r"]],
)
def test_what_supports_give_is_what_was_asked_and_leaves_nothing_at_the_root(seed, names):
    body = figure_body()
    dynamics, asked = _state(body, seed), _asked(seed)
    supports = _supports(dynamics, body, names, list(np.random.default_rng(seed).uniform(0.1, 1.0, len(names))))
    borne = shared_out(supports, dynamics.com, *asked, UP)
    given = net_wrench(supports.points, borne.forces, dynamics.com)
    np.testing.assert_allclose(given.force, asked.force, atol=1e-2)
    np.testing.assert_allclose(given.torque + borne.moments.sum(axis=0), asked.torque, atol=1e-2)
    torques = whole_body_torque(dynamics, *asked) - generalised(dynamics, supports, borne)
    np.testing.assert_allclose(torques[:ROOT_DOFS], 0.0, atol=2e-2)


def test_what_supports_do_is_the_work_of_their_forces():
    body = figure_body()
    dynamics = _state(body, 3)
    supports = _supports(dynamics, body, ["foot_l", "hand_r"])
    rng = np.random.default_rng(0)
    borne = Borne(rng.normal(size=(2, 3)), rng.normal(size=(2, 3)))
    velocities = dynamics.point_jacobian(supports.links, supports.points).velocity
    spins = dynamics.rotation_jacobian(supports.links).velocity
    work = np.sum(borne.forces * velocities) + np.sum(borne.moments * spins)
    assert generalised(dynamics, supports, borne) @ dynamics.v == pytest.approx(work)


def test_two_equal_feet_bear_alike_and_the_nearer_one_more():
    middle = shared_out(_points((0.1, 0, 0), (-0.1, 0, 0)), COM, WEIGHT, np.zeros(3), UP)
    np.testing.assert_allclose(middle.forces[:, 2], 350.0, rtol=1e-4)
    beside = shared_out(_points((0.05, 0, 0), (-0.15, 0, 0)), COM, WEIGHT, np.zeros(3), UP)
    assert beside.forces[0, 2] > 1.5 * beside.forces[1, 2] > 0.0


def test_a_support_that_would_have_to_pull_is_left():
    """The centre of mass is beside both feet."""
    borne = shared_out(_points((0.1, 0, 0), (0.3, 0, 0)), COM, WEIGHT, np.zeros(3), UP)
    np.testing.assert_allclose(borne.forces[1], 0.0, atol=0.1)
    np.testing.assert_allclose(borne.moments[1], 0.0, atol=0.1)
    np.testing.assert_allclose(borne.forces[0], WEIGHT, atol=0.1)
    np.testing.assert_allclose(borne.moments[0], [0.0, 70.0, 0.0], atol=0.1)


@pytest.mark.parametrize("share", [0.0, 0.01])
def test_a_support_bears_no_more_than_its_share(share):
    borne = shared_out(_points((0.1, 0, 0), (-0.1, 0, 0), shares=[1.0, share]), COM, WEIGHT, np.zeros(3), UP)
    assert np.linalg.norm(borne.forces[1]) < 0.1 + 10.0 * share * np.linalg.norm(WEIGHT)
    assert np.linalg.norm(borne.moments[1]) < 0.1 + 10.0 * share * LEVER_M * np.linalg.norm(WEIGHT)
    assert _points((0.1, 0, 0), shares=[share]).exist == (share > 0.0)


def test_a_point_bears_no_moment():
    supports = _points((0.1, 0, 0), (-0.1, 0, 0), (0, 0.2, 0))._replace(levers=np.array([LEVER_M, LEVER_M, 0.0]))
    borne = shared_out(supports, COM, WEIGHT, np.array([5.0, 0.0, 2.0]), UP)
    np.testing.assert_array_equal(borne.moments[2], 0.0)
    assert np.abs(borne.moments[:2]).max() > 0.1
