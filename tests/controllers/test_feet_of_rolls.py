"""Feet of who rolls: counted on before they touch, let go where they leave, and put under the weight as they come."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.controllers.rolling.bearing_soles import BearingSoles
from sim_core.controllers.rolling.contact_choice import Touching
from sim_core.controllers.rolling.contact_motion import contact_velocities
from sim_core.controllers.rolling.feet_under import FeetUnder
from sim_core.controllers.rolling.roll_frame import frame_on
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.kinematics import pose
from sim_core.roll_span import RollSpan
from sim_core.rolling.anatomical_pose import posed
from sim_core.rolling.stand_feet import lowest
from sim_core.scene import Scene
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from tests.makers import figure_body

BODY = figure_body(hinges=False)
SOLES = BODY.soles
LEFT, RIGHT, HAND = BODY.index("foot_l"), BODY.index("foot_r"), BODY.index("hand_l")
UP = np.array([0.0, 0.0, 1.0])
FRAME = frame_on(RollSpan(0, 1, 1, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])), UP)
ROWS = 4
NEITHER, BOTH, LEFT_ALONE = (False, False), (True, True), (True, False)


def _at(above: float) -> np.ndarray:
    q = posed(BODY, {})
    q[2] += above - lowest(BODY, q)
    return q


def _dynamics(q: np.ndarray, v: np.ndarray | None = None):
    return Dynamics(BODY).evaluate(q, np.zeros(BODY.nv) if v is None else v)


def _on(*links: int, friction: float = 0.8) -> Touching:
    count = len(links)
    return Touching(
        np.array(links, dtype=np.int64), np.zeros((count, 3)), np.tile(UP, (count, 1)), np.full(count, friction)
    )


def _reference(q: np.ndarray, bears: tuple = BOTH, at_first: tuple | None = None, v: np.ndarray | None = None):
    """The left and the right foot bear in all rows, or otherwise at first."""
    rows = np.repeat(q[None], ROWS, axis=0)
    feet = np.tile(bears, (ROWS, 1))
    feet[0] = bears if at_first is None else at_first
    return SimpleNamespace(
        q=rows, v=np.zeros((ROWS, BODY.nv)) if v is None else np.repeat(v[None], ROWS, axis=0),
        com=pose(BODY, rows).com, com_velocity=np.zeros((ROWS, 3)), rate=500.0, contacts=SimpleNamespace(feet=feet),
    )  # fmt: skip


def _slab(top: float, **its) -> Thing:
    """Below the left foot, which is at negative x."""
    solid = Cuboid(half_extents=np.array([1.0, 1.0, 0.5]), centre=np.array([-1.0, 0.0, top - 0.5]))
    return Thing(name="slab", solids=(solid,), **its)


def _counted(q: np.ndarray, found: Touching | None = None, bears: tuple = BOTH, things: tuple = ()) -> Touching:
    scene = Scene(things=things)
    soles = BearingSoles(BODY, _reference(q, bears), scene)
    return soles.and_others(0, _on() if found is None else found, _dynamics(q), scene.surface(0.0))


def test_corners_of_soles_that_bear_are_contacts_a_little_above_the_ground():
    counted = _counted(_at(0.01))
    np.testing.assert_array_equal(counted.links, SOLES.links)
    np.testing.assert_allclose(counted.points[:, 2], 0.01, atol=1e-4)
    np.testing.assert_allclose(counted.normals, np.tile(UP, (len(SOLES), 1)))
    assert _counted(_at(0.03)).number == 0


def test_of_a_sole_that_is_tilted_the_near_corners_are_contacts():
    """Turned about its left edge, which is 1 cm above the ground: corners are as high as they are far to the right."""
    q, per_m = _at(0.0), 0.1
    turn = rotations.about_axis(1, np.array(-np.arcsin(per_m)))
    edge = pose(BODY, q).points(SOLES.links, SOLES.local)[:, 0].min() * np.array([1.0, 0.0, 0.0])
    q[:3], q[3:7] = edge + 0.01 * UP + rotations.rotate(turn, q[:3] - edge), rotations.multiply(turn, q[3:7])
    outer = SOLES.left & (SOLES.local[:, 0] < 0.0)
    inner = SOLES.left & ~outer
    heights = pose(BODY, q).points(SOLES.links, SOLES.local)[:, 2]
    assert heights[outer] == pytest.approx(0.01, abs=1e-3)
    assert heights[inner] == pytest.approx(0.019, abs=1e-3)
    assert heights[~SOLES.left].min() > 0.02
    assert _counted(q).number == np.count_nonzero(SOLES.left)


def test_a_foot_that_does_not_bear_is_left_as_it_touches():
    counted = _counted(_at(0.01), _on(RIGHT, friction=0.5), LEFT_ALONE)
    np.testing.assert_array_equal(counted.links, [RIGHT, *SOLES.links[SOLES.left]])
    assert counted.frictions[0] == 0.5
    touched = _on(LEFT, RIGHT)
    assert _counted(_at(0.01), touched, NEITHER) is touched


def test_corners_take_the_place_of_what_touches_of_their_links_alone():
    counted = _counted(_at(0.01), _on(LEFT, HAND, RIGHT, friction=0.5))
    np.testing.assert_array_equal(counted.links, [HAND, *SOLES.links])
    assert counted.frictions[0] == 0.5
    np.testing.assert_array_equal(counted.points[0], np.zeros(3))
    assert (counted.frictions[1:] == Scene().friction).all()


def test_corners_have_the_friction_of_what_is_below_them():
    counted = _counted(_at(0.015), things=(_slab(0.005, friction=0.3),))
    np.testing.assert_array_equal(counted.frictions, np.where(SOLES.left, 0.3, Scene().friction))


def _moving(q: np.ndarray, found: Touching, v: np.ndarray | None = None, pace: float = 1.0, things: tuple = ()):
    """Beside a reference that stands on the ground, and whose rows move with v."""
    moment = SimpleNamespace(row=0, pace=pace)
    surface = Scene(things=things).surface(0.0)
    return contact_velocities(BODY, _reference(_at(0.0), v=v), moment, found, _dynamics(q), surface, UP)


def _corners(q: np.ndarray) -> Touching:
    points = pose(BODY, q).points(SOLES.links, SOLES.local)
    return _on(*SOLES.links)._replace(points=points)


def test_contacts_are_carried_along_by_what_they_are_on():
    q = _at(0.0)
    belt = _slab(1e-6, belt=np.array([0.3, -0.4, 0.0]))
    found = _moving(q, _corners(q), things=(belt,))
    np.testing.assert_allclose(found, np.where(SOLES.left[:, None], [0.3, -0.4, 0.0], 0.0), atol=1e-9)


@pytest.mark.parametrize("pace", [0.5, 1.0, 2.0])
def test_a_heel_rises_as_fast_as_in_the_reference_and_the_ball_of_its_foot_stays(pace):
    """In a body that is elsewhere and faces elsewhere: what rises is the same point of it."""
    v = np.zeros(BODY.nv)
    v[BODY.v_slice["foot_l"]] = [-4.0, 0.0, 0.0]  # the toes go down
    there = _at(0.0)
    q = there.copy()
    q[:3] += [1.0, 2.0, 0.0]
    q[3:7] = rotations.multiply(rotations.about_axis(2, np.array(1.3)), q[3:7])
    asked = _dynamics(there, v).point_jacobian(SOLES.links, _corners(there).points).velocity[:, 2]
    heels = asked > 0.1
    assert set(SOLES.links[heels]) == {LEFT}
    found = _moving(q, _corners(q), v, pace)
    np.testing.assert_allclose(found[:, :2], 0.0)
    np.testing.assert_allclose(found[:, 2], np.where(heels, pace * asked, 0.0), atol=1e-9)


@pytest.mark.parametrize("rising", [-0.3, 0.0, 0.04])
def test_what_does_not_leave_comes_down_by_a_tenth_of_its_height_in_a_hundredth_of_a_second(rising):
    q, v = _at(0.01), np.zeros(BODY.nv)
    v[2] = rising
    np.testing.assert_allclose(_moving(q, _corners(q), v), np.tile([0.0, 0.0, -0.1], (len(SOLES), 1)), atol=1e-3)


def test_what_is_in_the_ground_is_not_pushed_out():
    q = _at(-0.01)
    np.testing.assert_array_equal(_moving(q, _corners(q)), np.zeros((len(SOLES), 3)))


def test_where_nothing_touches_nothing_moves():
    assert _moving(_at(0.5), _on()).shape == (0, 3)


def _under(velocity: np.ndarray, *touching: int, bears: tuple = BOTH, at_first: tuple = NEITHER):
    q = _at(0.1)
    v = np.zeros(BODY.nv)
    v[:3] = velocity
    feet = FeetUnder(BODY, _reference(q, bears, at_first), 9.81)
    return feet.wishes(0, _dynamics(q, v), 0.5, _on(*touching), FRAME, 200.0, 30.0)


def test_feet_are_put_where_the_weight_goes_faster_than_it_should():
    ahead, aside = 0.3, -0.2
    wishes = _under(np.array([ahead, aside, 0.0]))
    fall_s = np.sqrt(0.5 / 9.81)
    assert [wish.target[0] for wish in wishes] == pytest.approx(200.0 * fall_s * np.array([ahead, aside] * 2), rel=1e-3)


def test_who_is_as_fast_as_it_should_has_its_feet_where_they_are_and_those_that_stand_stay():
    assert [wish.target[0] for wish in _under(np.zeros(3))] == pytest.approx([0.0] * 4, abs=1e-6)
    assert len(_under(np.zeros(3), RIGHT)) == 2


def test_a_foot_that_bears_by_now_or_not_at_all_goes_its_own_way():
    assert len(_under(np.zeros(3), at_first=LEFT_ALONE)) == 2
    assert _under(np.zeros(3), at_first=BOTH) == []
    assert _under(np.zeros(3), bears=NEITHER) == []
