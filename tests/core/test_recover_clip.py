"""From the body back to the rig: the way there and back is exact, and bones that are not simulated keep their own."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import integrate
from sim_core.errors import RigError
from sim_core.motion.clip import Clip
from sim_core.posing.body_motion import body_positions, link_bones
from sim_core.posing.recover_clip import adrift, carrier_of, recover_clip
from tests.clips import HANG_ELSEWHERE, body_of, family_clip, moved, stirred
from tests.rig_families import families

FAMILIES = families()
# With bones in between (CMU, Rigify), with a root above the pelvis (HumanIK, Unreal, Biped), with twisted frames.
each_family = pytest.mark.parametrize("family", FAMILIES)


def _moving(family: str) -> tuple[Clip, Body]:
    """Every bone moves, simulated or not, and the figure goes somewhere."""
    still = family_clip(FAMILIES[family], frames=12)
    path = np.linspace(0.0, 1.0, 12)[:, None] * [0.3, -0.8, 0.1]
    return moved(stirred(still, seed=5, angle=0.4), path), body_of(still)


def _elsewhere(body: Body, q: np.ndarray) -> np.ndarray:
    """Another motion of the same body."""
    return integrate(body, q, np.random.default_rng(6).normal(0.0, 0.2, (len(q), body.nv)))


def _same_motion(a: Clip, b: Clip) -> None:
    np.testing.assert_allclose(a.positions, b.positions, rtol=0, atol=1e-9)
    assert rotations.angle_between(a.rotations, b.rotations).max() < 1e-7
    np.testing.assert_allclose(a.world().positions, b.world().positions, rtol=0, atol=1e-9)


@each_family
def test_there_and_back_is_the_source_itself(family):
    source, body = _moving(family)
    _same_motion(recover_clip(source, body, body_positions(source, body)), source)


def test_there_and_back_where_the_pelvis_itself_translates():
    source, body = _moving("HumanIK")
    pelvis = source.skeleton.index(body.links[0].bone)
    assert pelvis > 0
    own = source.skeleton.translates.copy()
    own[pelvis] = True
    source = replace(source, skeleton=replace(source.skeleton, translates=own))
    source.positions[:, pelvis] += np.random.default_rng(1).normal(0.0, 0.1, (len(source), 3))
    _same_motion(recover_clip(source, body, body_positions(source, body)), source)
    changed = recover_clip(source, body, _elsewhere(body, body_positions(source, body)))
    np.testing.assert_array_equal(changed.positions[:, 0], source.positions[:, 0])  # only the pelvis was moved


@each_family
def test_the_pelvis_lands_on_its_target_and_links_turn_as_the_body_does(family):
    source, body = _moving(family)
    q = _elsewhere(body, body_positions(source, body))
    world, bones = recover_clip(source, body, q).world(), link_bones(source, body)
    np.testing.assert_allclose(world.positions[:, bones[0]], q[:, :3], rtol=0, atol=1e-12)
    turned = rotations.to_matrix(world.rotations[:, bones])
    np.testing.assert_allclose(turned, pose(body, q).R_world_link, rtol=0, atol=1e-9)


@each_family
def test_bones_that_are_not_simulated_keep_their_own_rotation(family):
    source, body = _moving(family)
    result = recover_clip(source, body, _elsewhere(body, body_positions(source, body)))
    others = np.setdiff1d(np.arange(len(source.skeleton)), link_bones(source, body))
    np.testing.assert_array_equal(result.rotations[:, others], source.rotations[:, others])
    still = np.flatnonzero(~source.skeleton.translates)
    np.testing.assert_array_equal(result.positions[:, still], source.positions[:, still])


@each_family
def test_joints_stay_together(family):
    """A limb starts where the body's own limb starts, whatever the simulation did and wherever the rig hangs it."""
    source = family_clip(FAMILIES[family], frames=12)
    if family in HANG_ELSEWHERE:
        freed = replace(source.skeleton, translates=np.ones(len(source.skeleton), dtype=bool))
        source = replace(source, skeleton=freed)
    body = body_of(source)
    q = _elsewhere(body, body_positions(source, body))
    world = recover_clip(source, body, q).world()
    np.testing.assert_allclose(world.positions[:, link_bones(source, body)], pose(body, q).origins, atol=1e-9)


@pytest.mark.parametrize("family", HANG_ELSEWHERE)
def test_limbs_that_hang_elsewhere_are_known(family):
    source = family_clip(FAMILIES[family], frames=12)
    assert adrift(source.skeleton, body_of(source))


def test_the_source_is_never_touched():
    source, body = _moving("CMU")
    before = source.positions.copy(), source.rotations.copy()
    recover_clip(source, body, _elsewhere(body, body_positions(source, body)))
    np.testing.assert_array_equal(source.positions, before[0])
    np.testing.assert_array_equal(source.rotations, before[1])


def test_a_rig_that_cannot_be_moved_is_refused_in_words():
    skeleton = FAMILIES["HumanIK"].skeleton()
    fixed = replace(skeleton, translates=np.zeros(len(skeleton), dtype=bool))
    with pytest.raises(RigError, match="position channels"):
        carrier_of(fixed, 1)


def test_the_carrier_is_the_nearest_bone_that_can_be_moved():
    skeleton = FAMILIES["HumanIK"].skeleton()
    assert carrier_of(skeleton, 1) == 0
    assert carrier_of(replace(skeleton, translates=np.ones(len(skeleton), dtype=bool)), 1) == 1
