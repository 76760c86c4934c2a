"""Feet of who rolls: put down where they are to bear, and under the weight as they come over."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim_core.controllers.rolling.contact_choice import Touching
from sim_core.controllers.rolling.feet_down import FeetDown
from sim_core.controllers.rolling.feet_under import FeetUnder
from sim_core.controllers.rolling.roll_frame import frame_on
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.kinematics import pose
from sim_core.roll_span import RollSpan
from sim_core.rolling.anatomical_pose import posed
from sim_core.rolling.stand_feet import lowest
from sim_core.world.ground import Ground
from tests.makers import figure_body

BODY = figure_body(hinges=False)
GROUND = Ground(point=np.zeros(3), normal=np.array([0.0, 0.0, 1.0]))
FRAME = frame_on(RollSpan(0, 1, 1, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])), GROUND.normal)
NOTHING = Touching(np.zeros(0, dtype=np.int64), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))
ROWS = 4


def _at(above: float) -> np.ndarray:
    q = posed(BODY, {})
    q[2] += above - lowest(BODY, q)
    return q


def _on(side: str) -> Touching:
    return Touching(np.array([BODY.index("foot" + side)]), np.zeros((1, 3)), GROUND.normal[None], np.ones(1))


def _reference(q: np.ndarray, bears: bool = True) -> SimpleNamespace:
    rows = np.repeat(q[None], ROWS, axis=0)
    feet = np.full((ROWS, 2), bears)
    return SimpleNamespace(
        q=rows, com=pose(BODY, rows).com, com_velocity=np.zeros((ROWS, 3)), rate=500.0,
        contacts=SimpleNamespace(feet=feet),
    )  # fmt: skip


def _down(above: float, found: Touching = NOTHING, bears: bool = True):
    q = _at(above)
    dynamics = Dynamics(BODY).evaluate(q, np.zeros(BODY.nv))
    feet = FeetDown(BODY, _reference(q, bears))
    return feet.wishes(0, dynamics, GROUND, found, GROUND.normal, 400.0, 20.0)


def test_a_foot_that_is_to_bear_goes_down_by_as_far_as_it_is_above_the_ground():
    for wish in (wishes := _down(0.02)):
        assert wish.target[0] == pytest.approx(-400.0 * 0.02, rel=0.05)
    assert len(wishes) == 2


def test_a_foot_that_touches_is_swung_or_is_far_away_goes_its_own_way():
    assert len(_down(0.02, _on("_l"))) == 1
    assert _down(0.02, bears=False) == []
    assert _down(0.2) == []


def _under(velocity: np.ndarray, found: Touching = NOTHING):
    q = _at(0.1)
    v = np.zeros(BODY.nv)
    v[:3] = velocity
    dynamics = Dynamics(BODY).evaluate(q, v)
    feet = FeetUnder(BODY, _reference(q), 9.81)
    return feet.wishes(0, dynamics, 0.5, found, FRAME, 200.0, 30.0)


def test_feet_are_put_where_the_weight_goes_faster_than_it_should():
    ahead, aside = 0.3, -0.2
    wishes = _under(np.array([ahead, aside, 0.0]))
    fall_s = np.sqrt(0.5 / 9.81)
    assert [wish.target[0] for wish in wishes] == pytest.approx(200.0 * fall_s * np.array([ahead, aside] * 2), rel=1e-3)


def test_who_is_as_fast_as_it_should_has_its_feet_where_they_are_and_those_that_stand_stay():
    assert [wish.target[0] for wish in _under(np.zeros(3))] == pytest.approx([0.0] * 4, abs=1e-6)
    assert len(_under(np.zeros(3), _on("_r"))) == 2
