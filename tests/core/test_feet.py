"""What a clip says of its feet: the sole is where the foot stands, whatever the rest pose has."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.feet import measure_feet
from sim_core.body.rig_geometry import RigGeometry
from sim_core.motion.clip import Clip
from sim_core.rig.bone_map import map_bones
from tests.clips import moved, plain_clip, turned

HEIGHT = 1.7


def _rig(clip: Clip) -> RigGeometry:
    return RigGeometry(clip=clip, bones=map_bones(clip.skeleton, clip=clip).bones)


def test_a_flat_foot_has_its_sole_down_and_its_toes_ahead():
    foot = measure_feet(_rig(plain_clip()), HEIGHT)["l"]
    np.testing.assert_allclose(foot.up, [0, 0, 1], atol=1e-9)
    assert foot.forward @ [0, -1, 0] > 0.99
    assert 0.02 < foot.ankle_height < 0.12
    assert 0.03 < foot.toe_length < 0.1


def test_directions_are_unit_and_lie_in_the_sole():
    foot = measure_feet(_rig(plain_clip()), HEIGHT)["r"]
    for up, forward in ((foot.up, foot.forward), (foot.toe_up, foot.toe_forward)):
        assert np.linalg.norm(up) == pytest.approx(1.0)
        assert np.linalg.norm(forward) == pytest.approx(1.0)
        assert up @ forward == pytest.approx(0.0, abs=1e-9)


def test_the_sole_is_measured_where_the_foot_stands_and_not_at_rest():
    """A rest pose with its toes 20 degrees up; the clip stands with the foot's bone turned down by as much."""
    tilt = np.radians(20.0)
    clip = turned(plain_clip(), "LeftFoot", np.tile([tilt, 0.0, 0.0], (30, 1)))
    foot = measure_feet(_rig(clip), HEIGHT)["l"]
    np.testing.assert_allclose(rotations.rotate(rotations.exp(np.array([tilt, 0, 0])), foot.up), [0, 0, 1], atol=1e-6)


def test_a_foot_that_never_stands_still_has_the_sole_of_the_rest_pose():
    clip = turned(plain_clip(), "LeftFoot", np.tile([0.3, 0.0, 0.0], (30, 1)))
    running = moved(clip, np.linspace(0.0, 3.0, 30)[:, None] * [0.0, -1.0, 0.0])
    np.testing.assert_allclose(measure_feet(_rig(running), HEIGHT)["l"].up, [0, 0, 1], atol=0.02)


def test_a_foot_that_rests_on_its_toes_has_the_sole_of_the_rest_pose():
    """Tilted further than feet are mismeasured: the pose is meant."""
    clip = turned(plain_clip(), "LeftFoot", np.tile([1.0, 0.0, 0.0], (30, 1)))
    np.testing.assert_allclose(measure_feet(_rig(clip), HEIGHT)["l"].up, [0, 0, 1], atol=0.02)


@pytest.mark.parametrize("tips", [True, False])
def test_without_toes_the_ball_lies_ahead_of_the_ankle(tips):
    clip = plain_clip()
    bones = map_bones(clip.skeleton, clip=clip).bones
    if not tips:
        bare = replace(clip.skeleton, tip_parents=np.zeros(0, dtype=np.int64), tip_offsets=np.zeros((0, 3)))
        clip = replace(clip, skeleton=bare)
    toeless = {segment: bone for segment, bone in bones.items() if not segment.startswith("toes")}
    foot = measure_feet(RigGeometry(clip=clip, bones=toeless), HEIGHT)["l"]
    assert foot.ball @ [0, -1, 0] == pytest.approx(0.085 * HEIGHT, rel=0.02)
    assert foot.ball[2] < 0.0


@pytest.mark.parametrize("longer", [0.005, 0.02, 0.035])
def test_legs_that_are_not_the_same_length_stand_on_one_floor(longer):
    """As far as soles can take it up: they stay at least half as thick as feet are."""
    clip = plain_clip()
    shin = clip.skeleton.index("LeftFoot")
    longer_leg = clip.positions.copy()
    longer_leg[:, shin, 2] -= longer
    feet = measure_feet(_rig(replace(clip, positions=longer_leg)), HEIGHT)
    taken_up = feet["r"].ankle_height - feet["l"].ankle_height
    assert taken_up == pytest.approx(longer, abs=1e-6) if longer < 0.01 else taken_up > 0.01
    for foot in feet.values():
        assert foot.ankle_height + foot.ball @ foot.up > 0.005  # of the ball above the sole
