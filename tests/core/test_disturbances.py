"""Pushes: on a segment, on a bone of the rig, or on a bone that rides on one."""

import numpy as np
import pytest

from sim_core.disturbances import Push, Stance
from sim_core.engines.engine import State
from sim_core.errors import SettingsError
from sim_core.motion.skeleton import make_skeleton
from sim_core.simulation.disturbances import on_segments
from sim_core.simulation.outside_forces import OutsideForces
from tests.makers import figure_body

BODY = figure_body()
# The body's own bones, a finger that rides on a hand, and a root above everything.
NAMES = ["Root", *(link.bone for link in BODY.links), "Finger"]
PARENTS = [-1, *(link.parent + 1 for link in BODY.links), NAMES.index(BODY.links[BODY.index("hand_l")].bone)]
SKELETON = make_skeleton(NAMES, PARENTS, np.zeros((len(NAMES), 3)))


def push(bone: str, **changes: object) -> Push:
    return Push(**({"bone": bone, "at_s": 0.2, "for_s": 0.1, "force": (1.0, 2.0, 3.0)} | changes))


@pytest.mark.parametrize(
    ("name", "segment"),
    [("chest", "chest"), (BODY.links[BODY.index("head")].bone, "head"), ("Finger", "hand_l"), ("Root", "pelvis")],
)
def test_a_name_finds_its_segment(name, segment):
    (found,) = on_segments([push(name)], BODY, SKELETON, end_s=1.0).pushes
    assert found == push(segment)


def test_unknown_names_and_late_pushes_are_refused():
    with pytest.raises(SettingsError, match=r"'finge'.*Nearest: 'Finger'"):
        on_segments([push("finge")], BODY, SKELETON, end_s=1.0)
    with pytest.raises(SettingsError, match=r"comes at 0.2 s, and the clip ends at 0.10 s"):
        on_segments([push("chest")], BODY, SKELETON, end_s=0.1)


def stance(at_s: float, **changes: object) -> Stance:
    return Stance(**({"foot": "left", "at_s": at_s, "for_s": 0.3, "what": "stands"} | changes))


def test_stances_need_no_bone_and_may_meet_but_not_contradict_each_other():
    beside = [stance(0.1), stance(0.4, what="swings"), stance(0.05), stance(0.2, foot="right", what="slides")]
    assert on_segments(beside, BODY, SKELETON, end_s=1.0).stances == tuple(beside)
    with pytest.raises(SettingsError, match=r"The left foot stands from 0.1 s on and swings from 0.3 s on.*overlap"):
        on_segments([stance(0.1), stance(0.3, what="swings")], BODY, SKELETON, end_s=1.0)
    with pytest.raises(SettingsError, match=r"The stance of the left foot comes at 2 s, and the clip ends at 1.00 s"):
        on_segments([stance(2.0)], BODY, SKELETON, end_s=1.0)


@pytest.mark.parametrize("changes", [{"at_s": -0.1}, {"for_s": 0.0}, {"at_s": np.nan}, {"force": (0.0, np.inf, 0.0)}])
def test_a_push_that_makes_no_sense(changes):
    with pytest.raises(SettingsError, match="A push on 'chest' needs"):
        push("chest", **changes)


@pytest.mark.parametrize(("time_s", "acts"), [(0.19, False), (0.2, True), (0.29, True), (0.31, False)])
def test_a_push_acts_in_its_time_at_the_centre_of_mass(time_s, acts):
    found = OutsideForces([push("head")], BODY).wrenches(time_s, State(BODY.zero_q, np.zeros(BODY.nv)))
    assert len(found) == acts
    for wrench in found:
        assert wrench.link == BODY.index("head")
        np.testing.assert_array_equal(wrench.force, [1.0, 2.0, 3.0])
        np.testing.assert_array_equal(wrench.torque, np.zeros(3))
