"""Which feet bear on the ground: by height, by speed, and by the force that the motion needs."""

import numpy as np
import pytest

from sim_core.dynamics import kinematics
from sim_core.dynamics.state_space import central_velocities
from sim_core.posing.body_motion import body_positions
from sim_core.reference.contacts import ContactLabels, label_contacts
from sim_core.scene import Ground
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, moved, person, turned

FPS = 120.0
STANDING = 1.0  # the force that standing needs, in body weights


def _labels(someone: Person, force: float = STANDING) -> ContactLabels:
    body = someone.body
    q = body_positions(someone.clip, body)
    motion = kinematics.motion(body, q, central_velocities(body, q, FPS))
    return label_contacts(body, motion, Ground(), np.full(len(q), force), FPS, ReferenceSettings())


def _someone(path=(0.0, 0.0, 0.0)) -> Person:
    clip, body = person(frames=60, fps=FPS)
    return Person(moved(clip, np.asarray(path)), body)


def test_standing_on_both_feet():
    labels = _labels(_someone())
    assert labels.feet.all()
    assert labels.feet.shape == (60, 2)


def test_only_feet_and_toes_of_someone_who_stands_touch():
    someone = _someone()
    touching = {name for i, name in enumerate(someone.body.names) if _labels(someone).links[:, i].any()}
    assert touching == {"foot_l", "foot_r", "toes_l", "toes_r"}


def test_flying_feet_touch_nothing():
    assert not _labels(_someone((0.0, 0.0, 0.3)), force=0.0).feet.any()
    assert not _labels(_someone((0.0, 0.0, 0.06)), force=0.0).feet.any()


def test_a_foot_that_is_near_bears_the_force_that_must_come_from_somewhere():
    assert _labels(_someone((0.0, 0.0, 0.06)), force=STANDING).feet.any(axis=1).all()
    assert not _labels(_someone((0.0, 0.0, 0.3)), force=STANDING).feet.any()


@pytest.mark.parametrize(("side", "column"), [("Left", 0), ("Right", 1)])
def test_a_raised_foot_does_not_touch(side, column):
    clip, body = crouching(frames=60, fps=FPS)
    raised = turned(clip, f"{side}Leg", np.tile([0.8, 0.0, 0.0], (60, 1)))
    labels = _labels(Person(raised, body))
    assert not labels.feet[:, column].any()
    assert labels.feet[:, 1 - column].all()


def test_a_fast_foot_does_not_bear_unless_it_must():
    path = np.linspace(0.0, 1.0, 60)[:, None] * [0.0, -1.0, 0.0]  # 2 m/s
    assert not _labels(_someone(path), force=0.0).feet.any()
    assert _labels(_someone(path), force=STANDING).feet.any(axis=1).all()


def test_blinks_are_not_believed():
    path = np.zeros((60, 3))
    path[30:33, 2] = 0.1  # off the ground for 25 ms
    assert _labels(_someone(path), force=0.0).feet[20:28].all()
    path = np.full((60, 3), [0.0, 0.0, 0.3])
    path[30, 2] = 0.0
    assert not _labels(_someone(path), force=0.0).feet.any()
