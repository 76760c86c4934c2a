"""A body that lies in the ground is brought onto it; one that stands is left alone."""

import numpy as np

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.posing.surface import surface_points, touch
from sim_core.reference.out_of_ground import out_of_ground
from sim_core.rig.segments import HEAD, TRUNK
from sim_core.scene import Ground
from tests.clips import person

CLIP, BODY = person(frames=60, fps=30.0)
RATE = 30.0


def _lowest(q: np.ndarray, segments: tuple[str, ...]) -> np.ndarray:
    mine = np.isin(np.array(BODY.names)[surface_points(BODY).links], segments)
    return touch(BODY, pose(BODY, q), Ground()).distances[:, mine].min(axis=1)


def _lying(height: float) -> np.ndarray:
    q = body_positions(CLIP, BODY)
    q[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(-0.5 * np.pi)), q[:, 3:7])
    q[:, 2] = height
    return q


def test_who_stands_is_left_exactly_alone():
    q = body_positions(CLIP, BODY)
    np.testing.assert_array_equal(out_of_ground(q, BODY, Ground(), RATE), q)


def test_who_lies_in_the_ground_is_lifted_onto_it():
    q = _lying(0.03)
    assert _lowest(q, (*TRUNK, *HEAD)).max() < -0.02
    lifted = out_of_ground(q, BODY, Ground(), RATE)
    assert _lowest(lifted, (*TRUNK, *HEAD)).min() > -1e-3
    assert _lowest(lifted, (*TRUNK, *HEAD)).max() < 0.01


def test_knees_come_out_of_the_ground_without_the_body():
    q = _lying(0.15)
    downwards = _turn_that_lowers(q, "thigh_l")
    for name, angle in (("thigh_l", 0.4), ("thigh_r", 0.4), ("shin_l", -0.8), ("shin_r", -0.8)):
        part = BODY.q_slice[name]
        q[:, part] = rotations.multiply(q[:, part], rotations.about_axis(0, np.array(downwards * angle)))
    legs = ("thigh_l", "thigh_r", "shin_l", "shin_r")
    assert _lowest(q, legs).max() < -0.02
    lifted = out_of_ground(q, BODY, Ground(), RATE)
    assert _lowest(lifted, legs).min() > -0.01
    np.testing.assert_allclose(lifted[:, :3], q[:, :3])


def _turn_that_lowers(q: np.ndarray, name: str) -> float:
    """The sense about the side axis in which a leg of the lying body goes down."""
    part = BODY.q_slice[name]
    tried = q.copy()
    tried[:, part] = rotations.multiply(q[:, part], rotations.about_axis(0, np.array(0.4)))
    return 1.0 if _lowest(tried, (name,)).min() < _lowest(q, (name,)).min() else -1.0
