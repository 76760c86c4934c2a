"""Forward kinematics, velocities and momentum: against MuJoCo, finite differences, clips frame by frame."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics import kinematics
from sim_core.dynamics.pieces import _FRAMES_AT_ONCE
from sim_core.dynamics.state_space import integrate
from tests.general_bodies import central_difference, each_body, each_seed, mujoco, mujoco_at, needs_mujoco
from tests.makers import figure_body, random_state


@needs_mujoco
@each_body
@each_seed
def test_links_stand_where_mujoco_puts_them(body, seed):
    q, v = random_state(body, seed)
    _, data = mujoco_at(body, q, v)
    pose = kinematics.pose(body, q)
    np.testing.assert_allclose(pose.origins, data.xpos[1:], rtol=0, atol=1e-9)
    np.testing.assert_allclose(pose.R_world_link, data.xmat[1:].reshape(-1, 3, 3), rtol=0, atol=1e-9)
    np.testing.assert_allclose(pose.link_coms, data.xipos[1:], rtol=0, atol=1e-9)
    np.testing.assert_allclose(pose.com, data.subtree_com[1], rtol=0, atol=1e-9)


@needs_mujoco
@each_body
@each_seed
def test_velocities_and_momentum_are_mujocos(body, seed):
    q, v = random_state(body, seed)
    model, data = mujoco_at(body, q, v)
    motion = kinematics.motion(body, q, v)
    for link in range(len(body)):
        theirs = np.zeros(6)  # angular, linear at the link's origin
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, link + 1, theirs, 0)
        np.testing.assert_allclose(motion.angular_velocities[link], theirs[:3], rtol=0, atol=1e-9)
        np.testing.assert_allclose(motion.linear_velocities[link], theirs[3:], rtol=0, atol=1e-9)
    mujoco.mj_subtreeVel(model, data)
    np.testing.assert_allclose(motion.linear_momentum, body.mass * data.subtree_linvel[1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.angular_momentum, data.subtree_angmom[1], rtol=0, atol=1e-9)


@each_body
def test_velocities_are_the_rates_of_the_pose(body):
    q, v = random_state(body, 1)
    motion = kinematics.motion(body, q, v)

    def pose_at(t):
        return kinematics.pose(body, integrate(body, q, t * v))

    rate = central_difference(lambda t: pose_at(t).R_world_link)
    spin = rate @ motion.pose.R_world_link.swapaxes(-1, -2)
    np.testing.assert_allclose(spin, rotations.skew(motion.angular_velocities), atol=1e-7)
    origin_rate = central_difference(lambda t: pose_at(t).origins)
    np.testing.assert_allclose(origin_rate, motion.linear_velocities, atol=1e-7)
    com_velocity = central_difference(lambda t: pose_at(t).com)
    np.testing.assert_allclose(com_velocity, motion.linear_momentum / body.mass, atol=1e-7)
    local = np.random.default_rng(0).normal(size=(len(body), 3))
    links = np.arange(len(body))
    point_rate = central_difference(lambda t: pose_at(t).points(links, local))
    ours = motion.point_velocities(links, motion.pose.points(links, local))
    np.testing.assert_allclose(ours, point_rate, atol=1e-6)


@each_body
def test_momentum_is_the_sum_over_links(body):
    q, v = random_state(body, 2)
    motion = kinematics.motion(body, q, v)
    pose = motion.pose
    links = np.arange(len(body))
    com_velocities = motion.point_velocities(links, pose.link_coms)
    np.testing.assert_allclose(motion.linear_momentum, body.masses @ com_velocities, atol=1e-12)
    total = np.zeros(3)
    for i, link in enumerate(body.links):
        inertia_world = pose.R_world_link[i] @ link.inertia @ pose.R_world_link[i].T
        total += inertia_world @ motion.angular_velocities[i]
        total += link.mass * np.cross(pose.link_coms[i] - pose.com, com_velocities[i])
    np.testing.assert_allclose(motion.angular_momentum, total, atol=1e-12)


@pytest.mark.parametrize("frames", [1, 3, _FRAMES_AT_ONCE, 2 * _FRAMES_AT_ONCE + 5])
def test_a_clip_is_its_states_one_by_one(frames):
    body = figure_body()
    states = [random_state(body, seed) for seed in range(7)]
    q = np.stack([states[t % 7][0] for t in range(frames)])
    v = np.stack([states[t % 7][1] for t in range(frames)])
    clip = kinematics.motion(body, q, v)
    for t in {0, frames // 2, frames - 1}:
        single = kinematics.motion(body, q[t], v[t])
        for ours, expected in zip((*clip.pose, *clip[1:]), (*single.pose, *single[1:]), strict=True):
            np.testing.assert_allclose(ours[t], expected, atol=1e-12)
    np.testing.assert_array_equal(kinematics.pose(body, q).com, clip.pose.com)


def test_two_leading_dimensions_and_points():
    body = figure_body()
    q = np.stack([[random_state(body, 3 * i + j)[0] for j in range(3)] for i in range(2)])
    pose = kinematics.pose(body, q)
    assert pose.origins.shape == (2, 3, len(body), 3)
    soles = pose.points(body.soles.links, body.soles.local)
    alone = kinematics.pose(body, q[1, 2]).points(body.soles.links, body.soles.local)
    np.testing.assert_allclose(soles[1, 2], alone, atol=1e-14)


def test_no_frames_give_no_frames():
    body = figure_body()
    assert kinematics.pose(body, np.zeros((0, body.nq))).origins.shape == (0, len(body), 3)


def test_rotations_stay_rotations_when_quaternions_are_not_quite_unit():
    body = figure_body()
    q, _ = random_state(body, 0)
    loose = q.copy()
    loose[3:7] *= 1.001
    expected = kinematics.pose(body, q).origins
    np.testing.assert_allclose(kinematics.pose(body, loose).origins, expected, atol=1e-12)
