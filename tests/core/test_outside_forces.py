"""Forces from outside by their laws: a pull is a bounded spring, a push of the character's own turns with it."""

import pickle

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import bake
from sim_core.disturbances import Pull, Push
from sim_core.dynamics.kinematics import motion, pose
from sim_core.engines.engine import State
from sim_core.errors import SettingsError
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.posing.body_motion import body_positions
from sim_core.reporting.make_take import make_take
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Scene
from sim_core.settings import BakeSettings
from sim_core.simulation.outside_forces import OutsideForces, drawn
from sim_core.world.solids import Ball
from sim_core.world.thing import Loose, Thing
from sim_core.world.track import Track
from tests.clips import person

PERSON = person()
BODY = PERSON.body
SOURCE = SourceClip(clip=PERSON.clip, t_pose_frames=0, guesses=(), notes=())
HAND = BODY.index("hand_r")
RNG = np.random.default_rng(3)
STATE = State(BODY.zero_q, RNG.normal(0.0, 0.3, BODY.nv))
MOVING = motion(BODY, STATE.q, STATE.v)
PLACE = MOVING.pose.link_coms[HAND]
VELOCITY = MOVING.point_velocities(np.array([HAND]), PLACE[None])[0]


def pull(**changes: object) -> Pull:
    return Pull(**({"bone": "hand_r", "at_s": 0.5, "for_s": 1.0, "to": ((0.0, 0.0, 1.0),), "force": 60.0} | changes))


def force_of(asked: Pull, time_s: float, scene: Scene | None = None) -> np.ndarray:
    (wrench,) = OutsideForces([drawn(asked, scene or Scene(), SOURCE)], BODY).wrenches(time_s, STATE)
    assert wrench.link == HAND
    np.testing.assert_allclose(wrench.point, PLACE, atol=1e-12)
    return wrench.force


def test_a_pull_is_a_spring_to_a_point_that_rests():
    point = PLACE + np.array([0.01, -0.02, 0.03])
    expected = 550.0 * (point - PLACE) - 50.0 * VELOCITY  # eq. 15
    np.testing.assert_allclose(force_of(pull(to=(tuple(point),), force=1e6), 0.7), expected, atol=1e-6)


def test_a_pull_goes_with_a_point_that_moves():
    begin, end = PLACE + np.array([0.1, 0.0, 0.0]), PLACE + np.array([0.3, 0.0, 0.0])
    way = pull(to=(tuple(begin), tuple(end)), force=1e6)
    expected = 550.0 * np.array([0.2, 0.0, 0.0]) + 50.0 * ([0.2, 0.0, 0.0] - VELOCITY)
    np.testing.assert_allclose(force_of(way, 1.0), expected, atol=1e-6)


@pytest.mark.parametrize("most", [5.0, 60.0])
def test_a_pull_is_never_harder_than_it_may_be_and_keeps_its_direction(most):
    far = pull(to=((30.0, 0.0, 1.0),), force=most)
    force, free = force_of(far, 0.6), force_of(pull(to=far.to, force=1e9), 0.6)
    assert np.linalg.norm(force) == pytest.approx(most)
    np.testing.assert_allclose(force / most, free / np.linalg.norm(free), atol=1e-9)


@pytest.mark.parametrize(("time_s", "acts"), [(0.49, 0), (0.5, 1), (1.49, 1), (1.51, 0)])
def test_a_pull_acts_in_its_time(time_s, acts):
    forces = OutsideForces([drawn(pull(), Scene(), SOURCE)], BODY)
    assert len(forces.wrenches(time_s, STATE)) == acts


def test_a_pull_travels_between_processes():
    there = drawn(pull(to=((0.0, 0.0, 1.0), (0.5, 0.0, 1.0))), Scene(), SOURCE)
    back = pickle.loads(pickle.dumps(there))
    found = [OutsideForces([one], BODY).wrenches(0.8, STATE)[0].force for one in (there, back)]
    np.testing.assert_array_equal(*found)


def test_a_pull_by_a_thing_follows_it():
    times, turns = np.array([0.0, 2.0]), np.tile(rotations.IDENTITY, (2, 1))
    way = Track(times=times, positions=PLACE + np.array([[0.0, 0, 0], [0.4, 0, 0]]), turns=turns)
    rope = Thing(name="rope", solids=(Ball(radius=0.1),), moves=way)
    ball = Thing(name="ball", solids=(Ball(radius=0.1),), loose=Loose(mass=1.0))
    scene = Scene(things=(rope, ball))
    expected = 550.0 * np.array([0.2, 0.0, 0.0]) + 50.0 * ([0.2, 0.0, 0.0] - VELOCITY)
    found = force_of(pull(to=(), by="rope", force=1e6), 1.0, scene)
    np.testing.assert_allclose(found, expected, atol=1e-3)
    with pytest.raises(
        SettingsError, match=r"goes by 'robe', which is not in the scene; choose one of 'rope', 'ball'\."
    ):
        drawn(pull(to=(), by="robe"), scene, SOURCE)
    with pytest.raises(SettingsError, match="which is loose"):
        drawn(pull(to=(), by="ball"), scene, SOURCE)
    with pytest.raises(SettingsError, match="the scene has no things"):
        drawn(pull(to=(), by="rope"), Scene(), SOURCE)


def test_a_push_of_the_character_keeps_the_direction_in_which_it_began():
    forces = OutsideForces([Push(bone="chest", at_s=0.0, for_s=1.0, force=(10.0, 20.0, 30.0), space="character")], BODY)
    # The person faces -Y with its left to +X; turned by a quarter to the left it faces +X.
    q = BODY.zero_q.copy()
    q[3:7] = rotations.multiply(rotations.about_axis(2, np.array(0.5 * np.pi)), q[3:7])
    (begins,) = forces.wrenches(0.0, State(q, np.zeros(BODY.nv)))
    np.testing.assert_allclose(begins.force, [10.0, 20.0, 30.0], atol=1e-9)
    (later,) = forces.wrenches(0.5, State(BODY.zero_q, np.zeros(BODY.nv)))
    np.testing.assert_array_equal(later.force, begins.force)
    (resumed,) = OutsideForces(forces._forces, BODY, forces.facings).wrenches(
        0.5, State(BODY.zero_q, np.zeros(BODY.nv))
    )
    np.testing.assert_array_equal(resumed.force, begins.force)


def test_a_hand_is_pulled_to_its_point_and_the_take_shows_it():
    clip = make_sample("stand", 1.5)
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    wrist = clip.world().positions[0, clip.skeleton.index("RightForeArm")]
    # Forward, where the figure faces -Y.
    asked = Pull(bone="hand_r", at_s=0.3, for_s=1.2, to=(tuple(wrist + np.array([0.0, -0.4, 0.1])),), force=25.0)
    settings = BakeSettings(engine="mujoco", budget="draft", assist="none", disturbances=(asked,))
    result = bake(prepare(source, settings.clip, settings.friction), settings)
    assert result.report.completed
    (summary,) = result.report.pulls
    assert summary.bone == "forearm_r"  # this figure has no hands
    assert 0.0 < summary.mean_n <= summary.peak_n <= 25.0 + 1e-9
    body = result.performance.body
    before, after = (
        pose(body, body_positions(one, body)).link_coms[-1, body.index("forearm_r")] for one in (clip, result.clip)
    )
    assert after[1] < before[1] - 0.03
    take = make_take(result)
    assert not take.pull_force[: round(0.25 * take.fps)].any()
    assert np.linalg.norm(take.pull_force[-10:], axis=1).min() > 5.0
    assert not take.push_force.any()
    assert np.isfinite(take.pull_point[-10:]).all()
