"""A clip as a body's coordinates: the links stand where the bones stand."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.kinematics import pose
from sim_core.motion.clip import Clip
from sim_core.motion.skeleton import make_skeleton
from sim_core.posing.body_motion import body_positions, link_bones, normalised
from tests.clips import HANG_ELSEWHERE, body_of, family_clip, stirred
from tests.makers import figure_body
from tests.rig_families import families

FAMILIES = families()


@pytest.mark.parametrize("family", FAMILIES)
def test_links_stand_where_their_bones_stand(family):
    """Bones between two links are held still: only there a body can follow a rig exactly."""
    still = family_clip(FAMILIES[family])
    body = body_of(still)
    moving = stirred(still, seed=2)
    bones = link_bones(still, body)
    turns = still.rotations.copy()
    turns[:, bones] = moving.rotations[:, bones]
    clip = Clip(skeleton=still.skeleton, fps=still.fps, positions=still.positions, rotations=turns)
    now, world = pose(body, body_positions(clip, body)), clip.world()
    np.testing.assert_allclose(now.R_world_link, rotations.to_matrix(world.rotations[:, bones]), atol=1e-9)
    if family not in HANG_ELSEWHERE:
        np.testing.assert_allclose(now.origins, world.positions[:, bones], atol=1e-9)


def test_quaternions_never_flip_over_time():
    clip = family_clip(FAMILIES["CMU"], frames=200)
    body = body_of(clip)
    spin = np.linspace(0.0, 6.0 * np.pi, 200)[:, None] * [0.0, 0.0, 1.0]
    turns = clip.rotations.copy()
    turns[:, 0] = rotations.multiply(rotations.exp(spin), turns[:, 0]) * np.where(np.arange(200) % 3, 1, -1)[:, None]
    q = body_positions(Clip(skeleton=clip.skeleton, fps=30.0, positions=clip.positions, rotations=turns), body)
    for link in body.links:
        stop = body.q_slice[link.name].stop
        assert np.all(np.sum(q[1:, stop - 4 : stop] * q[:-1, stop - 4 : stop], axis=1) > 0.9)


def test_a_hinge_takes_what_lies_along_its_axis():
    body = figure_body()
    parents = [link.parent for link in body.links]
    offsets = np.array([link.offset for link in body.links])
    skeleton = make_skeleton(body.names, parents, offsets)
    angles = np.linspace(0.0, 5.0, 50)  # beyond a half turn, without a jump
    turns = np.tile(rotations.IDENTITY, (50, len(body), 1))
    for i, link in enumerate(body.links):
        turns[:, i] = link.frame
    knee = body.links[body.index("shin_l")]
    turns[:, body.index("shin_l")] = rotations.multiply(knee.frame, rotations.about_axis(0, angles))
    positions = np.tile(offsets, (50, 1, 1))
    q = body_positions(Clip(skeleton=skeleton, fps=30.0, positions=positions, rotations=turns), body)
    np.testing.assert_allclose(q[:, body.q_slice["shin_l"]][:, 0], angles, atol=1e-9)
    np.testing.assert_allclose(q[:, body.q_slice["shin_r"]], 0.0, atol=1e-9)


def test_normalised_brings_quaternions_to_unit_length_and_leaves_the_rest():
    body = figure_body()
    q = np.tile(body.zero_q, (3, 1))
    q[:, :3] = 7.0
    q[:, body.q_slice["shin_l"]] = 3.0
    longer = q.copy()
    longer[:, body.q_slice["head"]] *= 1.5
    longer[:, 3:7] *= 0.5
    np.testing.assert_allclose(normalised(longer, body), q)
    assert longer[0, 3] == 0.5  # what was given stays as it was
