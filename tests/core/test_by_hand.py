"""What a person says about feet goes before what is found, and shapes the feet."""

import numpy as np
import pytest

from sim_core.disturbances import FootDoes, Stance
from sim_core.dynamics.kinematics import pose
from sim_core.reference.by_hand import by_hand
from sim_core.reference.reference import Reference, build_reference
from sim_core.scene import Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, drawing_a_foot, moved, turned, walking

RATE = 500.0
HOLD_S = 0.4


def _stance(what: FootDoes, at_s: float, for_s: float, foot="left") -> Stance:
    return Stance(foot=foot, at_s=at_s, for_s=for_s, what=what)


def _reference(someone: Person, *stances: Stance) -> Reference:
    settings = ReferenceSettings(stances=stances)
    return build_reference(someone.clip, someone.body, Scene(), settings, rate=RATE, hold_s=HOLD_S)


def _rows(at_s: float, for_s: float) -> slice:
    return slice(round(at_s * RATE), round((at_s + for_s) * RATE))


def _left_soles(someone: Person, reference: Reference) -> np.ndarray:
    """(S, P, 3)"""
    soles = someone.body.soles
    return pose(someone.body, reference.q).points(soles.links, soles.local)[:, soles.left]


def test_rows_are_those_of_the_time():
    said = by_hand([_stance("stands", 0.1, 0.2), _stance("slides", 0.2, 9.0, "right")], rows=100, rate=100.0)
    assert np.flatnonzero(said.stands[:, 0]).tolist() == list(range(10, 30))
    assert np.flatnonzero(said.slides[:, 1]).tolist() == list(range(20, 100))
    assert not said.swings.any()
    assert not said.stands[:, 1].any()
    assert not said.slides[:, 0].any()
    np.testing.assert_array_equal(said.up, said.slides)


def test_what_is_said_goes_before_what_is_found():
    said = by_hand([_stance("stands", 0.1, 0.2), _stance("swings", 0.3, 0.2)], rows=100, rate=100.0)
    up, down = np.zeros((100, 2), dtype=bool), np.ones((100, 2), dtype=bool)
    assert np.flatnonzero(said.over(up)[:, 0]).tolist() == list(range(10, 30))
    assert np.flatnonzero(~said.over(down)[:, 0]).tolist() == list(range(30, 50))
    assert said.over(down)[:, 1].all()


@pytest.mark.parametrize("what", ["swings", "slides"])
def test_a_foot_that_stood_is_labelled_and_pinned_no_more(what):
    someone = crouching(frames=121, fps=60.0)
    creep = np.linspace(0.0, 0.1, 121)[:, None] * [1.0, 0.0, 0.0]
    creeping = Person(moved(someone.clip, creep), someone.body)
    rows = _rows(0.6, 0.8)
    found, said = _reference(creeping), _reference(creeping, _stance(what, 0.6, 0.8))
    left = [someone.body.index(name) for name in ("foot_l", "toes_l")]
    assert found.contacts.feet.all()
    assert not said.contacts.feet[rows, 0].any()
    assert not said.contacts.links[rows][:, left].any()
    assert said.contacts.feet[:, 1].all()
    assert said.contacts.feet[: rows.start, 0].all()
    assert said.contacts.feet[rows.stop :, 0].all()
    assert said.contacts.slides[rows, 0].all() == said.contacts.slides[:, 0].any() == (what == "slides")
    middle = slice(rows.start + 50, rows.stop - 50)
    travels = [np.ptp(_left_soles(creeping, one)[middle, :, 0], axis=0).max() for one in (found, said)]
    assert travels[0] < 2e-3
    assert travels[1] > 0.01


def test_a_foot_that_hovered_is_put_down_where_it_stands():
    clip, body = crouching(frames=121, fps=60.0, depth=0.1)
    bend = np.tile([0.45, 0.0, 0.0], (121, 1))
    hovering = Person(turned(turned(clip, "LeftLeg", bend), "LeftFoot", -bend), body)
    found, said = _reference(hovering), _reference(hovering, _stance("stands", 0.5, 1.0))
    rows = _rows(0.7, 0.6)
    assert _left_soles(hovering, found)[rows, :, 2].min() > 0.05
    assert not found.contacts.feet[rows, 0].any()
    assert said.contacts.feet[_rows(0.5, 1.0), 0].all()
    assert np.abs(_left_soles(hovering, said)[rows, :, 2].min(axis=1)).max() < 0.01


def test_a_foot_that_slides_stays_on_the_ground_and_goes_its_way():
    """Where it is not said, a foot that glides so low is taken for one that swings, and lifted."""
    drawn = drawing_a_foot(height=0.005)
    found, said = _reference(drawn), _reference(drawn, _stance("slides", 0.4, 0.2))
    rows = _rows(0.45, 0.1)
    assert _left_soles(drawn, found)[rows, :, 2].min(axis=1).max() > 0.02
    assert np.abs(_left_soles(drawn, said)[rows, :, 2].min(axis=1)).max() < 0.006
    assert said.contacts.slides[_rows(0.4, 0.2), 0].all()
    middle = _left_soles(drawn, said).mean(axis=1)
    assert np.linalg.norm(middle[round(0.6 * RATE)] - middle[round(0.4 * RATE)]) > 0.2


def test_a_foot_that_is_said_to_swing_at_the_end_takes_its_step_while_the_end_is_held():
    someone = crouching(frames=61, fps=60.0)
    said = _reference(someone, _stance("swings", 0.8, 1.0))
    assert not said.contacts.feet[_rows(0.8, 0.2), 0].any()
    assert len(said) == len(_reference(someone))


def test_a_force_that_must_come_from_somewhere_does_not_come_from_a_foot_that_is_up():
    path = np.linspace(0.0, 1.0, 60)[:, None] * [0.0, -1.0, 0.0]  # 2 m/s, so that both feet slide
    clip, body = crouching(frames=60, fps=120.0)
    sliding = Person(moved(clip, path), body)
    for foot, column in (("left", 0), ("right", 1)):
        feet = _reference(sliding, _stance("swings", 0.0, 0.4, foot)).contacts.feet[_rows(0.1, 0.2)]
        assert not feet[:, column].any()
        assert feet[:, 1 - column].all()


def test_nothing_said_changes_nothing():
    someone = walking(seconds=1.5)
    swing = np.flatnonzero(~_reference(someone).contacts.feet[:, 0])
    already = _stance("swings", swing[10] / RATE, 0.02)
    for said in (_reference(someone), _reference(someone, already)):
        np.testing.assert_array_equal(said.q, _reference(someone).q)
