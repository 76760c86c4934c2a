"""What a motion needs from outside, and what forces at points give."""

import numpy as np
import pytest

from sim_core.constants import GRAVITY
from sim_core.dynamics import kinematics
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.momentum import net_wrench, required_wrench
from sim_core.dynamics.state_space import difference, integrate
from sim_core.errors import MotionFileError
from tests.general_bodies import each_body
from tests.makers import random_state

RATE = 100.0
TIMES = np.arange(60) / RATE


def test_a_ballistic_flight_needs_nothing():
    com = np.outer(TIMES, [1.0, 0.5, 3.0]) - 0.5 * GRAVITY * np.outer(TIMES**2, [0.0, 0.0, 1.0])
    spin = np.tile([1.0, -2.0, 0.5], (len(TIMES), 1))
    needed = required_wrench(com, spin, mass=70.0, rate=RATE)
    np.testing.assert_allclose(needed.force, 0.0, atol=1e-6)
    np.testing.assert_allclose(needed.torque, 0.0, atol=1e-9)


def test_standing_still_needs_the_weight():
    needed = required_wrench(np.zeros((5, 3)), np.zeros((5, 3)), mass=70.0, rate=RATE)
    np.testing.assert_allclose(needed.force, np.tile([0.0, 0.0, 70.0 * GRAVITY], (5, 1)))
    moon = required_wrench(np.zeros((5, 3)), np.zeros((5, 3)), mass=70.0, rate=RATE, gravity=1.62)
    np.testing.assert_allclose(moon.force[:, 2], 70.0 * 1.62)


def test_growing_angular_momentum_needs_its_rate():
    needed = required_wrench(np.zeros((9, 3)), np.outer(np.arange(9), [0.1, 0.0, -0.2]), mass=1.0, rate=RATE)
    np.testing.assert_allclose(needed.torque, np.tile([10.0, 0.0, -20.0], (9, 1)), atol=1e-9)


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_too_few_frames_are_said(frames):
    with pytest.raises(MotionFileError, match=f"{frames} frames"):
        required_wrench(np.zeros((frames, 3)), np.zeros((frames, 3)), mass=1.0, rate=RATE)


@each_body
def test_the_required_wrench_is_the_root_force_of_inverse_dynamics(body):
    """Two ways to the same wrench: rates of momentum over frames, and Newton-Euler link by link."""
    rate = 2000.0
    t = np.arange(-20, 21)[:, None] / rate
    start, sway = random_state(body, 3)
    q = integrate(body, start, np.sin(3.0 * t) * sway)
    steps = rate * difference(body, q[1:], q[:-1])
    a = rate * (steps[1:] - steps[:-1])
    v = 0.5 * (steps[1:] + steps[:-1])
    motion = kinematics.motion(body, q[1:-1], v)
    com = motion.pose.com
    needed = required_wrench(com, motion.angular_momentum, mass=body.mass, rate=rate)
    root_force = Dynamics(body).inverse_dynamics(q[1:-1], v, a)[:, body.v_slice[body.names[0]]]
    force = root_force[:, :3]
    torque_at_root = (motion.pose.R_world_link[:, 0] @ root_force[:, 3:, None])[..., 0]
    torque = torque_at_root + np.cross(motion.pose.origins[:, 0] - com, force)
    inner = slice(2, -2)
    np.testing.assert_allclose(needed.force[inner], force[inner], rtol=1e-3, atol=0.3)
    np.testing.assert_allclose(needed.torque[inner], torque[inner], rtol=1e-3, atol=0.1)


def test_a_couple_is_the_same_about_any_point():
    points = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    forces = np.array([[0.0, 5.0, 0.0], [0.0, -5.0, 0.0]])
    for about in (np.zeros(3), np.array([3.0, -2.0, 1.0])):
        wrench = net_wrench(points, forces, about)
        np.testing.assert_allclose(wrench.force, 0.0)
        np.testing.assert_allclose(wrench.torque, [0.0, 0.0, 10.0])


def test_wrenches_over_time_are_those_of_each_frame():
    rng = np.random.default_rng(0)
    points, forces, about = rng.normal(size=(4, 6, 3)), rng.normal(size=(4, 6, 3)), rng.normal(size=(4, 3))
    clip = net_wrench(points, forces, about)
    for t in range(4):
        single = net_wrench(points[t], forces[t], about[t])
        np.testing.assert_allclose(clip.force[t], single.force)
        np.testing.assert_allclose(clip.torque[t], single.torque)
        by_hand = sum(np.cross(p - about[t], f) for p, f in zip(points[t], forces[t], strict=True))
        np.testing.assert_allclose(single.torque, by_hand)


def test_no_forces_give_no_wrench():
    wrench = net_wrench(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(3))
    np.testing.assert_array_equal(wrench.force, np.zeros(3))
    np.testing.assert_array_equal(wrench.torque, np.zeros(3))
