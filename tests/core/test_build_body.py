"""The body of a rig by what every body obeys: masses, inertias, symmetry, scale, shapes, order."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.body.body import Body, Box
from sim_core.body.build_body import build_body
from sim_core.dynamics.kinematics import pose
from sim_core.errors import RigError
from sim_core.motion.clip import Clip
from sim_core.motion.source_clip import read_source
from sim_core.posing.body_motion import body_positions
from sim_core.rig.bone_map import map_bones
from sim_core.rig.segments import REQUIRED, SEGMENTS, kind
from sim_core.settings import ClipSettings
from tests.clips import PLAIN, body_of, family_clip, person, plain_clip, scaled
from tests.mocap import MOCAP, needs_mocap
from tests.rig_families import families

FAMILIES = families()
CLIPS = sorted(path.name for path in MOCAP.glob("*.bvh")) or ["none"]
_OPTIONAL = [segment for segment in SEGMENTS if segment not in REQUIRED]


def _plain() -> tuple[Clip, dict[str, int]]:
    clip = plain_clip()
    return clip, map_bones(clip.skeleton, clip=clip).bones


PLAIN_CLIP, PLAIN_BONES = _plain()


def assert_sane(body: Body) -> None:
    """What holds for every body that can be simulated."""
    assert body.links[0].parent == -1
    ancestry: list[int] = []
    for i, link in enumerate(body.links):
        assert link.parent < i
        while ancestry and ancestry[-1] != link.parent:
            ancestry.pop()
        assert link.parent < 0 or ancestry, "links are not in depth-first order"
        ancestry.append(i)
        assert link.mass > 0.0
        moments = np.linalg.eigvalsh(link.inertia)
        np.testing.assert_allclose(link.inertia, link.inertia.T, atol=1e-12)
        assert moments[0] > 0.0
        assert moments[0] + moments[1] >= moments[2]
        for numbers in (link.offset, link.com, link.joint.neutral, link.joint.lower, link.joint.upper):
            assert np.isfinite(numbers).all()
        assert np.all(link.joint.lower < link.joint.upper)
        assert np.all(link.joint.torque_limit > 0.0)
        _assert_sane_shape(link.shape, body.height)
    assert all(a < b and body.links[b].parent != a for a, b in body.collision_pairs)


def _assert_sane_shape(shape, height: float) -> None:
    if isinstance(shape, Box):
        assert np.all(shape.half_extents > 0.001 * height)
        assert np.all(shape.half_extents < 0.15 * height)
        np.testing.assert_allclose(shape.R_link_box.T @ shape.R_link_box, np.eye(3), atol=1e-9)
        assert np.linalg.det(shape.R_link_box) == pytest.approx(1.0)
    else:
        assert 0.003 * height < shape.radius < 0.1 * height
        assert np.linalg.norm(shape.end - shape.start) < 0.35 * height


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rig_family_gives_a_body(family):
    clip = family_clip(FAMILIES[family])
    body = body_of(clip)
    assert_sane(body)
    assert 13 <= len(body) <= 22
    assert body.mass == pytest.approx(63.0, abs=1.0)  # the same person in every family
    soles = pose(body, body_positions(clip, body)).points(body.soles.links, body.soles.local)[..., 2]
    assert np.ptp(soles) < 1e-6  # a rig that stands, stands flat
    assert abs(soles.mean()) < 0.01


@needs_mocap
@pytest.mark.parametrize("name", CLIPS)
def test_every_captured_clip_gives_a_grown_person(name):
    source = read_source(MOCAP / name, ClipSettings())
    body = body_of(source.clip.frames(source.t_pose_frames, len(source.clip)))
    assert_sane(body)
    assert 40.0 <= body.mass <= 120.0
    assert 1.4 <= body.height <= 2.1
    assert len(body) == 22


def test_masses_sum_to_the_whole_that_is_asked_for():
    body = build_body(PLAIN_CLIP, PLAIN_BONES, mass=80.0)
    assert body.mass == pytest.approx(80.0)
    lighter = build_body(PLAIN_CLIP, PLAIN_BONES, mass=40.0)
    np.testing.assert_allclose(lighter.masses, 0.5 * body.masses)
    np.testing.assert_allclose(lighter.torque_limit, 0.5 * body.torque_limit)


@pytest.mark.parametrize("missing", _OPTIONAL)
def test_the_mass_of_a_missing_segment_goes_to_one_heir(missing):
    whole = build_body(PLAIN_CLIP, PLAIN_BONES)
    fewer = build_body(PLAIN_CLIP, {segment: bone for segment, bone in PLAIN_BONES.items() if segment != missing})
    assert_sane(fewer)
    assert fewer.mass == pytest.approx(whole.mass)
    gained = {name: fewer.masses[i] - whole.masses[whole.index(name)] for i, name in enumerate(fewer.names)}
    heirs = [name for name, more in gained.items() if more > 1e-9]
    assert len(heirs) == 1
    assert gained[heirs[0]] == pytest.approx(whole.masses[whole.index(missing)])
    neighbours = [link.name for link in whole.links if link.parent >= 0 and whole.names[link.parent] == missing]
    neighbours.append(whole.names[whole.links[whole.index(missing)].parent])
    assert heirs[0] in neighbours or kind(missing) in ("spine", "abdomen", "head")  # the trunk stands in for these


def test_the_least_rig_gives_a_body_of_the_required_segments():
    body = build_body(PLAIN_CLIP, {segment: PLAIN_BONES[segment] for segment in REQUIRED})
    assert_sane(body)
    assert set(body.names) == set(REQUIRED)
    assert body.mass == pytest.approx(build_body(PLAIN_CLIP, PLAIN_BONES).mass)


@pytest.mark.parametrize("segment", [name for name in SEGMENTS if name not in ("pelvis", "shin_l", "foot_l")])
def test_bones_without_length_still_give_a_body(segment):
    assert_sane(build_body(_with_offsets({segment: np.zeros(3)}), PLAIN_BONES))


@pytest.mark.parametrize("ball", [(0.0, 0.0, -0.07), (0.0, -0.02, -0.2), (0.0, -0.05, -0.3), (0.0, -0.001, 0.0)])
def test_toes_below_the_ankle_still_give_feet(ball):
    """Toes straight below the ankle, at it, or far below as on high heels."""
    clip = _with_offsets({"toes_l": np.array(ball), "toes_r": np.array(ball)})
    body = build_body(clip, PLAIN_BONES)
    assert_sane(replace(body, height=3.0 * body.height))  # such feet may be out of proportion
    soles = pose(body, body_positions(clip, body)).points(body.soles.links, body.soles.local)[0, :, 2]
    assert np.ptp(soles) < 1e-6


def _with_offsets(offsets: dict[str, np.ndarray]) -> Clip:
    skeleton = PLAIN_CLIP.skeleton
    places, positions = skeleton.offsets.copy(), PLAIN_CLIP.positions.copy()
    for segment, offset in offsets.items():
        places[PLAIN_BONES[segment]] = positions[:, PLAIN_BONES[segment]] = offset
    return replace(PLAIN_CLIP, skeleton=replace(skeleton, offsets=places), positions=positions)


def test_a_rig_without_tips_has_hands_feet_and_head_all_the_same():
    bare = replace(PLAIN_CLIP.skeleton, tip_parents=np.zeros(0, dtype=np.int64), tip_offsets=np.zeros((0, 3)))
    body = build_body(replace(PLAIN_CLIP, skeleton=bare), PLAIN_BONES)
    assert_sane(body)
    head = body.links[body.index("head")]
    assert head.com[2] > 0.05  # upwards, as the frames of this rig are the world's


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_a_few_frames_are_enough(frames):
    assert_sane(build_body(PLAIN_CLIP.frames(0, frames), PLAIN_BONES))


def test_left_is_the_mirror_image_of_right():
    body = person().body
    mirror = np.diag([-1.0, 1.0, 1.0])  # the rig faces -Y and its frames are the world's
    for left in body.links:
        if not left.name.endswith("_l"):
            continue
        right = body.links[body.index(left.name[:-2] + "_r")]
        assert left.mass == pytest.approx(right.mass)
        np.testing.assert_allclose(left.offset, mirror @ right.offset, atol=1e-9)
        np.testing.assert_allclose(left.com, mirror @ right.com, atol=1e-9)
        np.testing.assert_allclose(left.inertia, mirror @ right.inertia @ mirror, atol=1e-9)
        np.testing.assert_allclose(left.joint.torque_limit, right.joint.torque_limit)


@pytest.mark.parametrize("factor", [0.5, 1.3])
def test_lengths_scale_with_the_rig_and_masses_with_its_square(factor):
    body, other = body_of(PLAIN_CLIP), body_of(scaled(PLAIN_CLIP, factor))
    assert other.height == pytest.approx(factor * body.height)
    assert other.mass == pytest.approx(factor**2 * body.mass)  # the same body mass index
    np.testing.assert_allclose(other.soles.local, factor * body.soles.local, atol=1e-9)
    for one, two in zip(body.links, other.links, strict=True):
        np.testing.assert_allclose(two.offset, factor * one.offset, atol=1e-9)
        np.testing.assert_allclose(two.joint.lower, one.joint.lower, atol=1e-6)
        if not isinstance(one.shape, Box):
            assert two.shape.radius == pytest.approx(factor * one.shape.radius)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_figure_of_no_human_size_is_refused_in_words(factor):
    with pytest.raises(RigError, match="set the scale"):
        body_of(scaled(PLAIN_CLIP, factor))


def test_the_body_stands_at_rest_where_the_rig_stands():
    """Whatever bone frames a family has, the same links end up in the same places."""
    places = []
    for family in (PLAIN, "Mixamo", "HumanIK"):
        clip = family_clip(FAMILIES[family])
        body = body_of(clip)
        now = pose(body, body_positions(clip, body)[0])
        places.append((now.link_coms, now.com))
    for coms, com in places[1:]:
        np.testing.assert_allclose(coms, places[0][0], atol=0.01)  # hands end in other tips
        np.testing.assert_allclose(com, places[0][1], atol=1e-3)
