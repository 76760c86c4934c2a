"""Joints stop where anatomy does."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.controllers.joint_limits import JointLimits
from tests.clips import person

BODY = person().body
LIMITS = JointLimits(BODY)
STIFFNESS = np.ones(BODY.nv)


def _neutral() -> np.ndarray:
    q = BODY.zero_q.copy()
    for link in BODY.links[1:]:
        q[BODY.q_slice[link.name]] = link.joint.neutral
    return q


def _bent(name: str, axis: int, angle: float) -> np.ndarray:
    """The neutral pose with one joint turned about one of its anatomical axes."""
    q = _neutral()
    joint = BODY.links[BODY.index(name)].joint
    q[BODY.q_slice[name]] = rotations.multiply(joint.neutral, rotations.exp(angle * joint.axes[axis]))
    return q


def test_nothing_holds_a_joint_within_its_limits():
    assert not LIMITS.torques(_neutral(), STIFFNESS).any()
    assert not LIMITS.torques(_bent("shin_l", 0, -1.5), STIFFNESS).any()  # a knee bends back a long way


@pytest.mark.parametrize("name", ["shin_l", "shin_r", "forearm_l", "thigh_r"])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("upper", [False, True])
def test_a_joint_beyond_its_limit_is_driven_back(name, axis, upper):
    joint = BODY.links[BODY.index(name)].joint
    angle = joint.upper[axis] + 0.1 if upper else joint.lower[axis] - 0.1
    if abs(angle) > 3.0:
        return  # past half a turn the other way round is nearer
    torques = LIMITS.torques(_bent(name, axis, angle), STIFFNESS)
    part = BODY.v_slice[name]
    along = joint.axes @ torques[part]
    assert along[axis] * angle < 0
    np.testing.assert_allclose(np.delete(along, axis), 0.0, atol=1e-9)
    assert not np.delete(torques, np.r_[part]).any()


def test_knees_bend_backwards_only():
    """A straight knee pushed forward is held; bent back it is free."""
    forward, back = (LIMITS.torques(_bent("shin_l", 0, angle), STIFFNESS) for angle in (0.5, -0.5))
    assert forward.any()
    assert not back.any()


def test_far_from_its_limits_no_acceleration_is_bounded():
    bounds = LIMITS.bounds(_bent("shin_l", 0, -1.0), np.zeros(BODY.nv))
    part = BODY.v_slice["shin_l"]
    flexion = BODY.links[BODY.index("shin_l")].joint.axes[0]
    assert not any(np.allclose(row[part], flexion) for row in bounds.J)


@pytest.mark.parametrize("speed", [0.0, 3.0, 12.0])
def test_a_joint_that_keeps_to_its_bound_stops_at_its_limit(speed):
    joint, part = BODY.links[BODY.index("thigh_r")].joint, BODY.v_slice["thigh_r"]
    angle, rate, step_s = joint.upper[0] - 0.19, speed, 0.002
    for _ in range(500):
        v = np.zeros(BODY.nv)
        v[part] = rate * joint.axes[0]
        bounds = LIMITS.bounds(_bent("thigh_r", 0, angle), v)
        mine = [i for i, row in enumerate(bounds.J) if np.allclose(row[part], joint.axes[0])]
        assert len(mine) == 1
        rate += step_s * bounds.upper[mine[0]]
        angle += step_s * rate
        assert angle < joint.upper[0] + 0.01
    assert abs(angle - joint.upper[0]) < 0.01
