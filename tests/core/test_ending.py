"""The end of a clip: who stands stays, and who would fall takes the step that stops them."""

import numpy as np
import pytest

from sim_core.dynamics.kinematics import motion, pose
from sim_core.dynamics.state_space import central_velocities
from sim_core.posing.body_motion import body_positions
from sim_core.reference.ending import with_ending
from sim_core.reference.foot_paths import FootPath, set_foot
from sim_core.reference.shift_body import shift_pelvis, standing
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from tests.clips import crouching

RATE = 500.0
HOLD_S = 0.5
SCENE = Scene()


def _on_left_leg(speed_m_s: float) -> tuple[np.ndarray, object]:
    """(S, nq) forward over the left foot at this speed, the right foot in the air behind it."""
    clip, body = crouching(frames=51, fps=RATE, depth=0.12)
    q = body_positions(clip, body)
    shift = np.zeros((len(q), 3))
    shift[:, 0] = 0.1 * -np.sign(pose(body, q[0]).origins[body.index("thigh_r"), 0])  # over the left foot
    shift[:, 1] = -speed_m_s * (np.arange(len(q)) / RATE)  # the plain rig faces -Y
    q = shift_pelvis(standing(q, body, np.ones((len(q), 2), dtype=bool), RATE), shift, body, SCENE.ground)
    foot = body.index("foot_r")
    ankle = pose(body, q).origins[:, foot] + [0.0, 0.1, 0.12]
    set_foot(q, FootPath(ankle, {}), body, "r")
    return q, body


def _ended(q: np.ndarray, body) -> np.ndarray:
    return with_ending(q, body, SCENE, ReferenceSettings(), RATE, HOLD_S)


def _soles(q: np.ndarray, body, left: bool) -> np.ndarray:
    return pose(body, q).points(body.soles.links, body.soles.local)[:, body.soles.left == left]


def test_who_walks_puts_the_foot_down_where_the_body_stops():
    q, body = _on_left_leg(speed_m_s=0.9)
    ended = _ended(q, body)
    right, left = _soles(ended, body, left=False), _soles(ended, body, left=True)
    assert right[len(q) - 1, :, 2].min() > 0.04
    np.testing.assert_allclose(right[-50:, :, 2], 0.0, atol=3e-3)
    np.testing.assert_allclose(left[len(q) :], np.tile(left[len(q) - 1], (len(ended) - len(q), 1, 1)), atol=5e-3)
    end = motion(body, ended[-1], central_velocities(body, ended[-3:], RATE)[-1])
    capture = end.pose.com + end.linear_momentum / body.mass * np.sqrt(end.pose.com[2] / 9.81)
    ahead, behind = right[-1, :, 1].min(), left[-1, :, 1].max()
    assert ahead < capture[1] < behind


def test_nothing_snaps_on_the_way():
    q, body = _on_left_leg(speed_m_s=0.9)
    ended = _ended(q, body)
    assert np.abs(central_velocities(body, ended, RATE)).max() < 15.0


def test_who_balances_on_one_leg_keeps_the_other_up():
    q, body = _on_left_leg(speed_m_s=0.0)
    ended = _ended(q, body)
    np.testing.assert_allclose(ended[-1], q[-1], atol=1e-3)


def test_on_both_feet_the_body_glides_on_and_the_feet_stay():
    clip, body = crouching(frames=51, fps=RATE, depth=0.12)
    q = body_positions(clip, body)
    shift = np.zeros((len(q), 3))
    shift[:, 1] = -0.3 * np.arange(len(q)) / RATE
    q = shift_pelvis(standing(q, body, np.ones((len(q), 2), dtype=bool), RATE), shift, body, SCENE.ground)
    ended = _ended(q, body)
    assert ended[-1, 1] - q[-1, 1] == pytest.approx(-0.3 * np.sqrt(pose(body, q[-1]).com[2] / 9.81), rel=0.3)
    for left in (True, False):
        soles = _soles(ended, body, left)
        np.testing.assert_allclose(soles[-1], soles[len(q) - 1], atol=2e-3)


def test_on_a_slope_the_foot_lies_on_the_slope():
    q, body = _on_left_leg(speed_m_s=0.9)
    tilt = np.radians(5.0)
    normal = np.array([0.0, np.sin(tilt), np.cos(tilt)])
    ground = Ground(point=_soles(q[-1:], body, left=True)[0].mean(axis=0), normal=normal)
    ended = with_ending(q, body, Scene(ground=ground), ReferenceSettings(), RATE, HOLD_S)
    np.testing.assert_allclose(ground.distance(_soles(ended, body, left=False)[-1]), 0.0, atol=5e-3)
