"""Where a recovery step lands, by the laws of the inverted pendulum."""

import numpy as np
import pytest

from sim_core.controllers.tracking.recovery_step import (
    Pendulum,
    StepRules,
    later,
    loaded_cost,
    nearest_pressure,
    planned_step,
)
from sim_core.controllers.tracking.recovery_swing import Swing
from sim_core.reference.foot_paths import FlatFoot

RULES = StepRules()
W, LEG = 3.2, 0.9
SOLE = np.array([[-0.05, -0.04], [0.17, -0.04], [0.17, 0.04], [-0.05, 0.04]])
LEFT, RIGHT = (SOLE + np.array([0.0, y]) for y in (0.1, -0.1))
OUTWARDS = np.array([0.0, 1.0])  # of the left foot
UP = np.array([0.0, 0.0, 1.0])


def _fallen(pendulum: Pendulum, pressure: np.ndarray, seconds: float) -> Pendulum:
    """c'' = w^2 (c - z), in closed form."""
    away, w = pendulum.place - pressure, pendulum.w
    grown, turned = np.cosh(w * seconds), np.sinh(w * seconds)
    return Pendulum(
        pressure + away * grown + pendulum.velocity / w * turned,
        away * w * turned + pendulum.velocity * grown,
        w,
    )


def _pushed(angle_deg: float, speed: float) -> Pendulum:
    angle = np.radians(angle_deg)
    return Pendulum(np.array([0.06, 0.0]), speed * np.array([np.cos(angle), np.sin(angle)]), W)


@pytest.mark.parametrize("angle_deg", range(0, 360, 45))
def test_the_capture_point_runs_away_from_the_pressure(angle_deg):
    start, pressure = _pushed(angle_deg, 0.6), np.array([0.1, -0.1])
    np.testing.assert_allclose(
        later(start.capture, pressure, W, 0.3), _fallen(start, pressure, 0.3).capture, atol=1e-12
    )


@pytest.mark.parametrize("angle_deg", [20, 60, 90, 120])
def test_who_steps_there_comes_to_rest_over_the_foot(angle_deg):
    start = _pushed(angle_deg, 0.55)
    seconds = RULES.time / W
    rules = StepRules(beyond_m=0.0)
    place = planned_step(start, seconds, LEFT, RIGHT, OUTWARDS, LEG, rules).place
    pressure = nearest_pressure(start.capture, [RIGHT], rules.inside_m)
    landed = _fallen(start, pressure, seconds)
    at_rest = _fallen(landed, place, 2.0)
    np.testing.assert_allclose(landed.capture, place, atol=1e-9)
    assert np.linalg.norm(at_rest.velocity) < 0.01
    assert np.linalg.norm(at_rest.place - place) < 0.01


@pytest.mark.parametrize("angle_deg", range(0, 360, 30))
@pytest.mark.parametrize("speed", [0.3, 0.8, 2.0])
def test_feet_do_not_go_through_each_other_nor_too_far(angle_deg, speed):
    place = planned_step(_pushed(angle_deg, speed), 0.26, LEFT, RIGHT, OUTWARDS, LEG, RULES).place
    apart = place - RIGHT.mean(axis=0)
    assert np.linalg.norm(apart) <= RULES.farthest_m * LEG + 1e-9
    if np.linalg.norm(apart) < RULES.farthest_m * LEG - 1e-9:
        assert apart[1] > RULES.apart_m * LEG - 1e-9 or abs(apart[0]) > RULES.crosses_ahead_m * LEG - 1e-9


def test_a_push_to_the_left_is_caught_by_the_left_foot_although_it_bears():
    start = _pushed(90, 0.7)
    left = planned_step(start, 0.26, LEFT, RIGHT, OUTWARDS, LEG, RULES)
    right = planned_step(start, 0.26, RIGHT, LEFT, -OUTWARDS, LEG, RULES)
    assert left.cost + loaded_cost(1.0, LEG, RULES) < right.cost + loaded_cost(0.0, LEG, RULES)


def test_pressure_lies_within_the_soles():
    inside = np.array([0.05, -0.1])
    np.testing.assert_allclose(nearest_pressure(inside, [LEFT, RIGHT], 0.0), inside)
    np.testing.assert_allclose(nearest_pressure(np.array([0.05, -1.0]), [LEFT, RIGHT], 0.0), [0.05, -0.14], atol=1e-9)


def test_a_foot_leaves_where_it_stood_rises_and_comes_down_at_its_goal():
    level = np.array([1.0, 0.0, 0.0, 0.0])
    tilted = np.array([np.cos(0.2), np.sin(0.2), 0.0, 0.0])
    goal = np.array([0.4, 0.1, 0.08])
    swing = Swing(0, 0.0, 0.26, np.array([0.0, 0.0, 0.08]), goal, 0.07, {3: tilted}, FlatFoot({3: level}, SOLE))
    np.testing.assert_allclose(swing.place(UP), swing.start)
    np.testing.assert_allclose(swing.place(UP, 0.26), goal, atol=1e-9)
    assert swing.place(UP, 0.13)[2] == pytest.approx(0.15)
    assert swing.place(UP, 0.35)[2] < goal[2]  # it feels for the ground
    np.testing.assert_allclose(swing.turn(3), tilted, atol=1e-12)
    np.testing.assert_allclose(swing.turn(3, 0.26), level, atol=1e-12)
