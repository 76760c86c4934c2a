"""A clip brought onto another ground: soles as they were over the old one, legs whole, nothing else bent."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.motion.clip import Clip
from sim_core.posing.body_motion import body_positions
from sim_core.reference.onto_ground import onto_ground
from sim_core.reporting.tracking import track
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Ground
from tests.clips import body_of, moved, person

FLOOR = Ground()
WALK = make_sample("walk", 1.5)
WALKER = body_of(WALK)


def _slope(degrees: float, along: tuple[float, float] = (0.0, -1.0)) -> Ground:
    tilt = np.radians(degrees)
    return Ground(normal=np.array([-np.sin(tilt) * along[0], -np.sin(tilt) * along[1], np.cos(tilt)]))


def _soles(clip: Clip, ground: Ground) -> np.ndarray:
    soles = WALKER.soles
    return ground.distance(pose(WALKER, body_positions(clip, WALKER)).points(soles.links, soles.local))


def test_on_its_own_ground_a_clip_is_left_alone():
    assert onto_ground(WALK, WALKER, FLOOR, FLOOR) is WALK


@pytest.mark.parametrize("ground", [_slope(5), _slope(-5), _slope(12), _slope(-12), _slope(8, (1.0, 0.0))])
def test_soles_are_over_the_slope_as_they_were_over_the_floor(ground):
    adapted = onto_ground(WALK, WALKER, FLOOR, ground)
    np.testing.assert_allclose(_soles(adapted, ground), _soles(WALK, FLOOR), atol=1e-6)


def test_a_walk_uphill_rises_with_the_slope_and_a_little_less():
    ground = _slope(5)
    before, after = (body_positions(clip, WALKER)[:, :3] for clip in (WALK, onto_ground(WALK, WALKER, FLOOR, ground)))
    np.testing.assert_allclose(after[:, :2], before[:, :2], atol=1e-9)
    sunk = before[:, 2] + ground.height(before) - after[:, 2]
    assert -1e-9 <= sunk.min() <= sunk.max() < 0.05
    assert np.abs(np.diff(sunk)).max() * WALK.fps < 0.1  # m/s: slowly, so that no force comes of it


def test_only_legs_bend():
    adapted = onto_ground(WALK, WALKER, FLOOR, _slope(5))
    legs = [i for i, link in enumerate(WALKER.links) if link.name[:-2] in ("thigh", "shin", "foot", "toes")]
    columns = np.concatenate([np.r_[WALKER.q_slice[WALKER.names[i]]] for i in legs])
    before, after = body_positions(WALK, WALKER), body_positions(adapted, WALKER)
    np.testing.assert_allclose(
        np.delete(after, [2, *columns], axis=1), np.delete(before, [2, *columns], axis=1), atol=1e-9
    )
    assert track(WALK, adapted, WALKER).joint_deg < 6.0


def test_a_lower_floor_moves_the_clip_as_one_piece():
    lower = Ground(point=np.array([0.0, 0.0, -0.7]))
    adapted = onto_ground(WALK, WALKER, FLOOR, lower)
    np.testing.assert_allclose(
        adapted.world().positions - WALK.world().positions,
        np.broadcast_to([0, 0, -0.7], (*WALK.positions.shape,)),
        atol=1e-9,
    )


def test_who_lies_turns_with_the_ground():
    standing, body = person(frames=5)
    lying = moved(standing, [0.0, 0.0, 0.0])
    turn = rotations.about_axis(0, np.array(0.5 * np.pi))
    lying.positions[:, 0] = rotations.rotate(turn, lying.positions[:, 0]) * [1.0, 1.0, 0.0] + [0.0, 0.0, 0.12]
    lying.rotations[:, 0] = rotations.multiply(turn, lying.rotations[:, 0])
    ground = _slope(10)
    adapted = onto_ground(lying, body, FLOOR, ground)
    trunk = [lying.skeleton.index(body.links[body.index(name)].bone) for name in ("pelvis", "chest", "head")]
    before, after = lying.world().positions[:, trunk], adapted.world().positions[:, trunk]
    np.testing.assert_allclose(ground.distance(after), FLOOR.distance(before), atol=0.02)
