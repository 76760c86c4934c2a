"""The profile of a solve: the situation that it promises, and parts that add up."""

import numpy as np
import pytest

from bench import qp_speed
from sim_core.controllers.tracking.row import row_at
from sim_core.controllers.tracking.stance import soles_of
from sim_core.controllers.tracking.tracked_motion import track_motion
from sim_core.dynamics.dynamics import Dynamics


@pytest.fixture(scope="module")
def someone():
    return qp_speed.standing(qp_speed._SETTLED + 3)


def test_twenty_links_stand_on_eight_contacts(someone):
    assert len(someone.body) == 20
    motion, dynamics = track_motion(someone.body, someone.reference, someone.scene), Dynamics(someone.body)
    for state in someone.states:
        now = dynamics.evaluate(state.q, state.v)
        soles = soles_of(someone.body, now, someone.scene.ground, row_at(motion, 0), near_m=0.01)
        assert soles.bearing.sum() == 8


@pytest.mark.parametrize("assist_bw", [0.0, 0.2])
def test_every_part_takes_time_and_all_together_the_tick(someone, assist_bw):
    profile = qp_speed.profile(someone, assist_bw)
    assert profile.failed == 0
    assert all(times.min() > 0.0 for times in profile.parts.values())
    np.testing.assert_allclose(sum(profile.parts.values()), profile.tick)
    assert np.all(profile.assembly_and_solve < profile.tick)


def test_what_was_measured_is_left_as_it_was(someone):
    before = [getattr(owner, name) for calls in qp_speed.PARTS.values() for owner, name in calls]
    qp_speed.profile(someone, 0.0)
    assert before == [getattr(owner, name) for calls in qp_speed.PARTS.values() for owner, name in calls]
