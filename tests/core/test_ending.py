"""The end of a clip: who stands stays, and who would fall takes the step that stops them."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import motion, pose
from sim_core.dynamics.state_space import central_velocities
from sim_core.posing.body_motion import body_positions
from sim_core.reference.ending import with_ending
from sim_core.reference.foot_paths import FootPath, set_foot
from sim_core.reference.last_frame import last_frame
from sim_core.reference.shift_body import shift_pelvis, standing
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from sim_core.simulation.gates import END_CAPTURE_M
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


def _capture(q: np.ndarray, body) -> np.ndarray:
    end = motion(body, q[-1], central_velocities(body, q[-3:], RATE)[-1])
    return end.pose.com + end.linear_momentum / body.mass * np.sqrt(end.pose.com[2] / SCENE.gravity)


def test_who_walks_puts_the_foot_down_where_the_body_stops():
    q, body = _on_left_leg(speed_m_s=0.9)
    ended = _ended(q, body)
    right, left = _soles(ended, body, left=False), _soles(ended, body, left=True)
    assert right[len(q) - 1, :, 2].min() > 0.04
    for soles in (left, right):
        np.testing.assert_allclose(soles[-15:, :, 2], 0.0, atol=3e-3)
    assert min(left[-1, :, 1].min(), right[-1, :, 1].min()) < _capture(ended, body)[1] < left[len(q) - 1, :, 1].min()


def test_feet_leave_the_ground_before_they_move():
    q, body = _on_left_leg(speed_m_s=0.9)
    ended = _ended(q, body)
    for left in (True, False):
        soles = _soles(ended, body, left)[len(q) :]
        speeds = np.linalg.norm(np.gradient(soles[..., :2], 1.0 / RATE, axis=0), axis=-1)
        assert speeds[soles[..., 2] < 2e-3].max() < 0.8


def test_who_runs_takes_the_time_to_stop_and_stops_over_its_feet():
    q, body = _on_left_leg(speed_m_s=3.0)
    ended = _ended(q, body)
    com = pose(body, ended).com[:, 1]
    speeds = -np.gradient(com, 1.0 / RATE)
    walked, _ = _on_left_leg(speed_m_s=0.9)
    assert len(ended) - len(q) > 1.3 * (len(_ended(walked, body)) - len(walked))
    assert speeds[-20:].max() < 0.35 * speeds[len(q) - 10]
    ahead = min(_soles(ended, body, left)[-1, :, 1].min() for left in (True, False))
    assert ahead < com[-1]
    assert ahead < _capture(ended, body)[1] + END_CAPTURE_M


def test_who_flies_falls_freely_and_lands_on_a_foot_ahead():
    clip, body = crouching(frames=51, fps=RATE, depth=0.12)
    q = body_positions(clip, body)
    times = np.arange(len(q)) / RATE
    q[:, 1] -= 1.5 * times
    q[:, 2] += 0.1 + 0.5 * times - 0.5 * SCENE.gravity * times**2
    ended = _ended(q, body)
    com = pose(body, ended).com
    lowest = np.minimum(*(_soles(ended, body, left)[:, :, 2].min(axis=1) for left in (True, False)))
    landed = int(np.argmax(lowest[len(q) :] < 1e-3)) + len(q)
    assert landed > len(q)
    falling = np.gradient(np.gradient(com[:, 2], 1.0 / RATE), 1.0 / RATE)[len(q) + 5 : landed - 10]
    np.testing.assert_allclose(falling, -SCENE.gravity, rtol=0.15)
    assert min(_soles(ended, body, left)[landed, :, 1].min() for left in (True, False)) < com[landed, 1]


def test_who_jumps_straight_up_lands_on_both_feet():
    clip, body = crouching(frames=51, fps=RATE, depth=0.12)
    q = body_positions(clip, body)
    times = np.arange(len(q)) / RATE
    q[:, 2] += 0.1 + 0.5 * times - 0.5 * SCENE.gravity * times**2
    ended = _ended(q, body)
    for left in (True, False):
        np.testing.assert_allclose(_soles(ended, body, left)[-25:, :, 2], 0.0, atol=3e-3)


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


def test_who_has_his_back_just_above_the_ground_lies_and_who_squats_does_not():
    clip, body = crouching(frames=51, fps=RATE, depth=0.3)
    squats = body_positions(clip, body)
    lies = squats.copy()
    lies[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(-0.5 * np.pi)), squats[:, 3:7])
    lies[:, 2] = 0.1 * body.height
    assert abs(pose(body, lies[-1]).origins[body.index("chest"), 2] - lies[-1, 2]) < 0.05
    assert last_frame(lies, body, SCENE, ReferenceSettings(), RATE).lies
    assert not last_frame(squats, body, SCENE, ReferenceSettings(), RATE).lies
