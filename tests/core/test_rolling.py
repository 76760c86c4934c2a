"""Rolls: how far a body has turned, the roll of a clip found and repeated, and what becomes of a person's wishes."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import read_performance
from sim_core.dynamics import kinematics
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import central_velocities
from sim_core.errors import SettingsError
from sim_core.motion.source_clip import write_new
from sim_core.performance import Performance
from sim_core.rolling.excursion import excursion, mean_spin, whole_inertia
from sim_core.rolling.find_roll import find_roll
from sim_core.rolling.join import joined
from sim_core.rolling.plan_roll import plan_roll
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.settings import BakeSettings, RollSettings

FPS = 60.0
needs_captured = pytest.mark.skipif(
    not has_captured_samples(), reason="Needs PyBullet's motions; 'make test' installs them."
)


@pytest.fixture(scope="module")
def standing(tmp_path_factory) -> Performance:
    path = tmp_path_factory.mktemp("rolls") / "stand.bvh"
    write_new(path, make_sample("stand", 2.0))
    return read_performance(path, BakeSettings(motion="roll", roll=RollSettings(kind="forward")))


def _spun(performance: Performance, axis, turns: float, seconds: float = 1.0):
    """The first pose turned about an axis through its centre of mass, as a rigid body."""
    body, q0 = performance.body, _positions(performance)[0]
    times = np.arange(round(seconds * FPS) + 1) / FPS
    turn = rotations.exp(2.0 * np.pi * turns * times[:, None] / seconds * np.asarray(axis))
    com = pose(body, q0).com
    q = np.tile(q0, (len(times), 1))
    q[:, :3] = com + rotations.rotate(turn, q0[:3] - com)
    q[:, 3:7] = rotations.continuous(rotations.multiply(turn, q0[3:7]))
    return q


def _positions(performance: Performance):
    from sim_core.posing.body_motion import body_positions

    return body_positions(performance.motion, performance.body)


def _turned(body, q):
    return excursion(mean_spin(body, kinematics.motion(body, q, central_velocities(body, q, FPS))), FPS)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.8, 0.0)])
def test_the_excursion_of_a_rigid_body_is_the_angle_it_turned_by(standing, axis):
    turned = _turned(standing.body, _spun(standing, axis, 1.0))
    np.testing.assert_allclose(turned[-1], 2.0 * np.pi * np.asarray(axis), atol=0.05)


def test_inertia_turns_with_the_body(standing):
    body, q = standing.body, _spun(standing, (0.0, 1.0, 0.0), 0.25)
    first, last = (whole_inertia(body, pose(body, row)) for row in (q[0], q[-1]))
    R = rotations.to_matrix(rotations.exp(np.array([0.0, 0.5 * np.pi, 0.0])))
    np.testing.assert_allclose(last, R @ first @ R.T, atol=1e-9)


def test_who_stands_does_not_roll(standing):
    q = np.tile(_positions(standing)[0], (90, 1))
    with pytest.raises(SettingsError, match="No roll was found in the clip"):
        find_roll(standing.body, q, FPS)


@needs_captured
@pytest.mark.parametrize("rolls", [1, 3])
def test_the_roll_of_a_clip_is_found_and_repeated(tmp_path, rolls):
    path = tmp_path / "roll.bvh"
    write_new(path, make_sample("roll"))
    found = read_performance(path, BakeSettings(motion="roll", roll=RollSettings(rolls=rolls)))
    assert len(found.rolls) == rolls
    q = _positions(found)
    turned = _turned(found.body, q)
    for span in found.rolls:
        went = (turned[span.last] - turned[span.first]) @ span.axis
        assert went > 1.4 * np.pi
    com = pose(found.body, q).com
    way = (com[found.rolls[-1].last] - com[found.rolls[0].first]) @ found.rolls[0].ahead
    assert way > 0.5 * rolls
    jumps = np.linalg.norm(np.diff(pose(found.body, q).origins, axis=0), axis=-1).max() * FPS
    source = read_performance(path, BakeSettings())
    usual = np.linalg.norm(np.diff(pose(source.body, _positions(source)).origins, axis=0), axis=-1).max() * FPS
    assert jumps < 1.6 * usual  # no seam is a jump


def _planned(performance, **settings):
    q = np.tile(_positions(performance)[0], (60, 1))
    return plan_roll(performance.body, q, FPS, 0.0, RollSettings(**settings), first_number=1)


def test_a_roll_goes_where_it_is_told_to(standing):
    ahead = _planned(standing, kind="forward").spans[0].ahead
    left = _planned(standing, kind="forward", direction_deg=90.0).spans[0].ahead
    back = _planned(standing, kind="backward").spans[0].ahead
    assert np.cross(ahead, left)[2] == pytest.approx(1.0)
    assert back @ ahead == pytest.approx(-1.0)


def test_a_distance_is_as_many_rolls_as_come_nearest(standing):
    one = _planned(standing, kind="forward", rolls=1)
    com = pose(standing.body, one.q).com
    length = (com[one.spans[0].last] - com[one.spans[0].first]) @ one.spans[0].ahead
    assert _planned(standing, kind="forward", distance_m=3.1 * length).spans[0].rolls == 3


def test_a_roll_in_the_midst_of_a_clip_leads_back_into_it(standing):
    alone = _planned(standing, kind="forward", rolls=1)
    within = _planned(standing, kind="forward", rolls=1, at=31, then="clip")
    assert within.spans[0].first == alone.spans[0].first + 30
    assert within.source[0] == 0
    assert within.source[-1] == 59
    steps = np.linalg.norm(np.diff(pose(standing.body, within.q).com, axis=0), axis=1) * FPS
    assert steps.max() < 4.0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "forward", "at": 99}, "Frame 99 is none to roll from: choose one from 1 to 60"),
        ({"kind": "sideways", "at": 10}, "begins and ends lying"),
        ({"kind": "sideways", "then": "stand"}, "begins and ends lying"),
    ],
)
def test_what_cannot_be_done_is_said(standing, settings, words):
    with pytest.raises(SettingsError, match=words):
        _planned(standing, **settings)


def test_motions_that_are_joined_go_on_at_their_speed(standing):
    body, q = standing.body, np.tile(_positions(standing)[0], (40, 1))
    moving = q.copy()
    moving[:, 0] += np.arange(40) / FPS  # 1 m/s
    result = joined(body, moving, q, 20)
    speed = np.diff(pose(body, result).com[:, 0]) * FPS
    assert len(result) == 60
    np.testing.assert_allclose(speed[:18], 1.0, atol=1e-6)
    np.testing.assert_allclose(speed[-15:], 0.0, atol=1e-6)
    assert (np.diff(speed) < 1e-6).all()
