"""How near a result stays to its source, on results that were changed by known amounts."""

import numpy as np
import pytest

from sim_core.reporting.tracking import track
from tests.clips import moved, person, turned


def test_a_clip_is_no_distance_from_itself():
    clip, body = person()
    found = track(clip, clip, body)
    assert found.joint_deg == pytest.approx(0.0, abs=1e-6)
    assert found.mpjpe_root_mm == found.mpjpe_global_mm == found.root_drift_m == 0.0


def test_a_shift_of_the_whole_figure_shows_only_in_the_world():
    clip, body = person()
    found = track(clip, moved(clip, [0.3, 0.4, 1.2]), body)
    assert found.joint_deg == pytest.approx(0.0, abs=1e-6)
    assert found.mpjpe_root_mm == pytest.approx(0.0, abs=1e-9)
    assert found.mpjpe_global_mm == pytest.approx(1300.0)
    assert found.root_drift_m == pytest.approx(0.5)  # along the ground


def test_the_drift_is_the_largest_of_all_frames():
    clip, body = person()
    path = np.zeros((len(clip), 3))
    path[11, 1] = 0.25
    assert track(clip, moved(clip, path), body).root_drift_m == pytest.approx(0.25)


def test_one_joint_turned_is_shared_out_over_all_joints():
    clip, body = person()
    found = track(clip, turned(clip, "LeftForeArm", np.tile([0.0, 0.2, 0.0], (len(clip), 1))), body)
    joints = len(body) - 1
    assert found.joint_deg == pytest.approx(np.degrees(0.2) / joints)
    wrist_moved = 2.0 * np.sin(0.1) * np.linalg.norm(body.links[body.index("hand_l")].offset)
    assert found.mpjpe_root_mm == pytest.approx(1000.0 * wrist_moved / joints, rel=1e-3)
    assert found.root_drift_m == 0.0


def test_a_turn_of_the_whole_figure_is_no_turn_of_joints():
    clip, body = person()
    found = track(clip, turned(clip, "Hips", np.tile([0.0, 0.0, 0.3], (len(clip), 1))), body)
    assert found.joint_deg == pytest.approx(0.0, abs=1e-6)
    assert found.mpjpe_root_mm > 1.0
