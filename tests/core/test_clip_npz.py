"""Clips for the worker: nothing lost, nothing executed, a sentence for everything else."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim_core.errors import MotionFileError
from sim_core.motion.clip_npz import load_npz, save_npz
from sim_core.motion.motion_file import clip_from_bvh
from tests.bvh_samples import biped

CLIP = clip_from_bvh(biped()).clip


def test_nothing_is_lost(tmp_path):
    names = ("Hüfte", "mixamorig:leg", *CLIP.skeleton.names[2:])
    clip = replace(CLIP, skeleton=replace(CLIP.skeleton, names=names))
    save_npz(tmp_path / "clip.npz", clip)
    again = load_npz(tmp_path / "clip.npz")
    assert again.skeleton.names == names
    assert again.fps == clip.fps
    for field in ("positions", "rotations"):
        np.testing.assert_array_equal(getattr(again, field), getattr(clip, field))
    for field in ("parents", "offsets", "rest_rotations", "tip_parents", "tip_offsets", "translates"):
        stored = getattr(again.skeleton, field)
        np.testing.assert_array_equal(stored, getattr(clip.skeleton, field))
        assert stored.dtype == getattr(clip.skeleton, field).dtype


def test_the_same_clip_gives_the_same_bytes(tmp_path):
    save_npz(tmp_path / "a.npz", CLIP)
    save_npz(tmp_path / "b.npz", CLIP)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def stored_arrays(tmp_path):
    save_npz(tmp_path / "clip.npz", CLIP)
    with np.load(tmp_path / "clip.npz") as stored:
        return dict(stored)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("format_version", np.array(99), "format 99"),
        ("names", np.array(["only one"]), "."),
        ("names", np.array([None, 1], dtype=object), "."),
        ("fps", np.array(0.0), "frame rate"),
        ("fps", np.array([1.0, 2.0]), "."),
        ("positions", np.zeros((3, 4)), "positions"),
        ("rotations", np.full(CLIP.rotations.shape, np.nan), "not numbers"),
        ("parents", np.zeros(len(CLIP.skeleton), dtype=int), "root"),
        ("tip_parents", np.full(len(CLIP.skeleton.tip_parents), 999), "tip"),
        ("translates", None, "translates"),
    ],
)
def test_wrong_contents_get_a_sentence(tmp_path, name, value, message):
    arrays = stored_arrays(tmp_path)
    arrays.pop(name)
    if value is not None:
        arrays[name] = value
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(MotionFileError, match=message):
        load_npz(tmp_path / "wrong.npz")


def test_other_files_get_a_sentence(tmp_path):
    for name, content in {"empty": b"", "text": b"HIERARCHY", "zip": b"PK\x03\x04" + bytes(40)}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(MotionFileError, match=name):
            load_npz(tmp_path / name)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(MotionFileError):
        load_npz(tmp_path / "array.npy")
    with pytest.raises(MotionFileError, match="not there"):
        load_npz(tmp_path / "missing.npz")
    with pytest.raises(MotionFileError, match="does not exist"):
        save_npz(tmp_path / "nowhere" / "clip.npz", CLIP)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4), st.floats(0.2, 1.0))
@settings(
    derandomize=True,
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_damaged_files_raise_only_our_errors(tmp_path, flips, kept):
    save_npz(tmp_path / "clip.npz", CLIP)
    content = bytearray((tmp_path / "clip.npz").read_bytes())
    for where, byte in flips:
        content[int(where * (len(content) - 1))] = byte
    (tmp_path / "damaged.npz").write_bytes(content[: int(kept * len(content))])
    with contextlib.suppress(MotionFileError):
        load_npz(tmp_path / "damaged.npz")
