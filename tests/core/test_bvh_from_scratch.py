"""BVH documents for clips that came from no file: what is written is what was there, as the reader sees it."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.motion.bvh import format_bvh, parse_bvh, read_bvh, write_bvh
from sim_core.motion.bvh_from_scratch import bvh_from_scratch
from sim_core.motion.clip import Clip
from sim_core.motion.motion_file import clip_from_bvh
from sim_core.motion.skeleton import make_skeleton
from sim_core.samples.catalogue import make_sample


def _written_and_read(clip: Clip) -> Clip:
    document = parse_bvh(format_bvh(bvh_from_scratch(clip)), "scratch.bvh")
    return clip_from_bvh(document, metres_per_unit=0.01, up="y").clip


def _rig(*, seed: int = 0, stretching: bool = False) -> Clip:
    """A small tree in which bones have frames of their own and are not listed depth first."""
    rng = np.random.default_rng(seed)
    names = ["hips", "thigh_l", "thigh_r", "spine", "shin_l", "shin_r", "head"]
    parents = [-1, 0, 0, 0, 1, 2, 3]
    offsets = rng.normal(0.0, 0.4, (7, 3))
    skeleton = make_skeleton(
        names,
        parents,
        offsets,
        rest_rotations=rotations.exp(rng.normal(0.0, 1.0, (7, 3))),
        tips=[(6, (0.0, 0.2, 0.1)), (4, (0.1, 0.0, 0.0)), (5, (0.0, 0.0, 0.3)), (0, (0.3, 0.0, 0.0))],
    )
    frames = 12
    positions = np.tile(offsets, (frames, 1, 1))
    positions[:, 0] = np.cumsum(rng.normal(0.0, 0.1, (frames, 3)), axis=0)
    if stretching:
        positions[:, 6] += rng.normal(0.0, 0.01, (frames, 3))
    turns = rotations.exp(np.cumsum(rng.normal(0.0, 0.1, (frames, 7, 3)), axis=0))
    return Clip(skeleton=skeleton, fps=24.0, positions=positions, rotations=turns)


def _tips(clip: Clip) -> dict[str, np.ndarray]:
    """The path of each bone's tip in the world."""
    skeleton, world = clip.skeleton, clip.world()
    return {
        skeleton.names[bone]: world.positions[:, bone] + rotations.rotate(world.rotations[:, bone], offset[None])
        for bone, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True)
    }


def _paths(clip: Clip) -> dict[str, np.ndarray]:
    return dict(zip(clip.skeleton.names, np.moveaxis(clip.world().positions, 1, 0), strict=True))


@pytest.mark.parametrize("name", ["stand", "squat", "wave"])
def test_a_sample_comes_back_bone_by_bone(name):
    clip = make_sample(name)
    again = _written_and_read(clip)
    assert sorted(again.skeleton.names) == sorted(clip.skeleton.names)
    order = [again.skeleton.index(bone) for bone in clip.skeleton.names]
    assert again.fps == clip.fps
    np.testing.assert_allclose(again.positions[:, order], clip.positions, atol=1e-6)
    turned = rotations.angle_between(again.rotations[:, order], clip.rotations)
    assert np.degrees(turned).max() < 1e-4


@pytest.mark.parametrize("stretching", [False, True])
def test_any_rig_keeps_its_joints_and_tips_where_they_were(stretching):
    clip = _rig(stretching=stretching)
    again = _written_and_read(clip)
    for before, after in ((_paths(clip), _paths(again)), (_tips(clip), _tips(again))):
        assert before.keys() == after.keys()
        for bone, path in before.items():
            np.testing.assert_allclose(after[bone], path, atol=1e-6)


def test_the_rest_pose_of_the_file_is_that_of_the_rig():
    clip = _rig()
    again = _written_and_read(clip)
    for rig in (clip, again):
        rest = Clip(
            skeleton=rig.skeleton,
            fps=24.0,
            positions=rig.skeleton.offsets[None],
            rotations=rig.skeleton.rest_rotations[None],
        )
        if rig is clip:
            expected = _paths(rest)
    for bone, place in _paths(rest).items():
        np.testing.assert_allclose(place, expected[bone], atol=1e-6)


def test_only_the_root_and_stretching_bones_have_positions():
    channels = {
        name: len(names)
        for document in [bvh_from_scratch(_rig(stretching=True))]
        for name, names in zip(document.names, document.channels, strict=True)
    }
    assert {name for name, count in channels.items() if count == 6} == {"hips", "head"}
    assert set(channels.values()) == {3, 6}


def test_units_and_axes_are_those_that_blender_expects(tmp_path):
    write_bvh(tmp_path / "stand.bvh", bvh_from_scratch(make_sample("stand")))
    document = read_bvh(tmp_path / "stand.bvh")
    assert document.channels[0] == ("Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation")
    assert 80.0 < document.values[0, 1] < 100.0  # the hips' height in centimetres, along Y
    loaded = clip_from_bvh(document)
    assert (loaded.conversion.metres_per_unit, loaded.conversion.up) == (0.01, "y")  # as guessed


def test_names_that_would_break_the_file_are_made_harmless():
    skeleton = make_skeleton(["hips", "a{b}", "a(b)", "two\nlines"], [-1, 0, 0, 0], np.eye(4, 3))
    turns = np.tile(rotations.IDENTITY, (2, 4, 1))
    clip = Clip(skeleton=skeleton, fps=30.0, positions=np.tile(skeleton.offsets, (2, 1, 1)), rotations=turns)
    document = parse_bvh(format_bvh(bvh_from_scratch(clip)), "odd.bvh")
    assert document.names == ("hips", "a(b)", "a(b).001", "two lines")
