"""Which feet bear on the ground: by height, by speed, and by the force that the motion needs."""

import numpy as np
import pytest

from sim_core.dynamics import kinematics
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import central_velocities
from sim_core.posing.body_motion import body_positions
from sim_core.posing.surface import touch
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


def _bent(*turns: tuple[str, float]) -> Person:
    """Someone with bones turned about the side axis, lowest point on the ground."""
    clip, body = person(frames=60, fps=FPS)
    for bone, angle in turns:
        clip = turned(clip, bone, np.tile([angle, 0.0, 0.0], (60, 1)))
    lowest = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min()
    return Person(moved(clip, np.array([0.0, 0.0, -lowest])), body)


def _touching(someone: Person) -> set[str]:
    links = _labels(someone).links
    return {name for i, name in enumerate(someone.body.names) if links[:, i].any()}


def test_shins_bear_by_their_knees():
    kneeling = _bent(("LeftLeg", 1.57), ("RightLeg", 1.57), ("LeftFoot", 1.57), ("RightFoot", 1.57))
    assert {"shin_l", "shin_r"} <= _touching(kneeling)
    assert not {"thigh_l", "thigh_r"} & _touching(kneeling)
    # With bent ankles the shins of one who stands end lower than in a T-pose, near to the ground all the same.
    assert not {"shin_l", "shin_r"} & _touching(_bent(("LeftLeg", 0.4), ("RightLeg", 0.4)))


def test_hands_bear_and_forearms_above_them_do_not():
    clip, body = person(frames=60, fps=FPS)
    for bone, angle in (("LeftArm", -1.57), ("RightArm", 1.57)):  # overhead, from a T-pose
        clip = turned(clip, bone, np.tile([0.0, angle, 0.0], (60, 1)))
    clip = turned(clip, "Hips", np.tile([np.pi, 0.0, 0.0], (60, 1)))
    lowest = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min()
    assert _touching(Person(moved(clip, np.array([0.0, 0.0, -lowest])), body)) == {"hand_l", "hand_r"}


def test_no_foot_is_needed_where_something_else_bears():
    kneeling = _bent(("LeftLeg", 1.57), ("RightLeg", 1.57), ("LeftFoot", 2.0), ("RightFoot", 2.0))
    lifted = Person(moved(kneeling.clip, np.array([0.0, 0.0, 0.05])), kneeling.body)
    assert _labels(lifted, force=STANDING).links.any(axis=1).all()
    assert not _labels(lifted, force=STANDING).feet.any()


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


def test_a_hand_that_is_near_bears_where_no_foot_is():
    clip, body = person(frames=60, fps=FPS)
    for bone, angle in (("LeftArm", -1.57), ("RightArm", 1.57)):
        clip = turned(clip, bone, np.tile([0.0, angle, 0.0], (60, 1)))
    clip = turned(clip, "Hips", np.tile([np.pi, 0.0, 0.0], (60, 1)))
    lowest = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min()
    hovering = Person(moved(clip, np.array([0.0, 0.0, 0.09 - lowest])), body)
    bearing = {body.names[i] for i in np.flatnonzero(_labels(hovering).links.any(axis=0))}
    assert bearing <= {"hand_l", "hand_r"}
    assert _labels(hovering).links.any(axis=1).all()
    assert not _labels(hovering, force=0.0).links.any()
