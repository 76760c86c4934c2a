"""A roll on a slope: feet on both sides find the land, with the weight between them; who lies, lies as the land."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.posing.surface import touch
from sim_core.reference.roll_on_terrain import roll_on_terrain
from sim_core.rolling.made_rolls import made_roll
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Ground, Scene
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from tests.clips import body_of

RATE = 100.0
BODY = body_of(make_sample("stand", 1.0))
FLOOR = Ground()
FEET = [BODY.index("foot_l"), BODY.index("foot_r")]


def _on(normal, kind: str):
    """A roll along x as it was made, and on a plane."""
    made = made_roll(BODY, kind, 1, fps=RATE, ends="roll")
    scene = Scene(ground=Ground(normal=np.asarray(normal) / np.linalg.norm(normal)))
    return made, scene, roll_on_terrain(made.q, made.q, BODY, FLOOR, scene, RATE, made.spans)


@pytest.mark.parametrize("across", [-0.5, 0.5])
def test_both_feet_find_a_slant_and_the_weight_is_between_them(across):
    made, scene, q = _on((0.0, across, 1.0), "forward")
    first = made.spans[0].first
    flat, laid = pose(BODY, made.q[first]), pose(BODY, q[first])
    was = FLOOR.distance(flat.origins[FEET])
    np.testing.assert_allclose(scene.ground.distance(laid.origins[FEET]), was, atol=0.025)
    assert laid.com[1] == pytest.approx(laid.origins[FEET, 1].mean(), abs=0.03)
    np.testing.assert_allclose(laid.com[:2], flat.com[:2], atol=0.02)


@pytest.mark.parametrize("along", [-0.2, 0.2])
def test_the_weight_stays_over_the_feet_up_and_down_a_slope(along):
    made, _, q = _on((along, 0.0, 1.0), "forward")
    first = made.spans[0].first
    over = [now.com[0] - now.origins[FEET, 0].mean() for now in (pose(BODY, made.q[first]), pose(BODY, q[first]))]
    assert over[1] == pytest.approx(over[0], abs=0.04)


def test_who_rolls_lying_lies_as_the_land():
    made, scene, q = _on((0.3, 0.0, 1.0), "sideways")
    middle = (made.spans[0].first + made.spans[0].last) // 2
    turn = rotations.multiply(q[middle, 3:7], rotations.inverse(made.q[middle, 3:7]))
    np.testing.assert_allclose(rotations.rotate(turn, np.array([0.0, 0.0, 1.0])), scene.ground.normal, atol=0.05)
    lowest = touch(BODY, pose(BODY, q[middle : middle + 1]), scene.ground).distances.min()
    assert abs(lowest) < 0.03


def test_feet_are_drawn_in_over_a_beam():
    made = made_roll(BODY, "forward", 1, fps=RATE, ends="roll")
    solid = Cuboid(half_extents=np.array([5.0, 0.1, 0.5]))
    beam = Thing(name="beam", solids=(solid,), position=np.array([0.0, 0.0, -0.5]))
    scene = Scene(ground=Ground(point=np.array([0.0, 0.0, -1.0])), things=(beam,))
    q = roll_on_terrain(made.q, made.q, BODY, FLOOR, scene, RATE, made.spans)
    first = made.spans[0].first  # on the feet
    was, now = (np.abs(pose(BODY, one[first]).origins[FEET, 1]) for one in (made.q, q))
    assert (was > 0.105).all()
    assert (now < 0.105).all()
