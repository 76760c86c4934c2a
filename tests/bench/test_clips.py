"""The clips of the tables: where they belong, which are found, and at which rate they are read."""

from pathlib import Path

import pytest

from bench.clips import BenchClip, find_clips, read_clip
from sim_core.samples.catalogue import has_captured_samples
from sim_core.settings import BakeSettings
from tests.mocap import MOCAP, needs_mocap


def test_clips_know_their_group_and_half():
    assert (BenchClip("07_05", None).group, BenchClip("07_05", None).half) == ("steady", "tuning")
    assert (BenchClip("spinkick", None).group, BenchClip("spinkick", None).half) == ("lively", "check")
    assert (BenchClip("90_33", None).group, BenchClip("90_33", None).half) == ("beyond", "tuning")
    assert (BenchClip("90_17", None).group, BenchClip("90_17", None).half) == ("beyond", "check")


def test_clips_are_named_without_their_origin_and_come_in_the_order_of_the_lists(tmp_path):
    for name in ("cmu_16_08", "cmu_07_05", "own"):
        (tmp_path / f"{name}.bvh").touch()
    names = [clip.name for clip in find_clips(tmp_path) if clip.path is not None]
    assert names == ["07_05", "16_08", "own"]
    assert [clip.name for clip in find_clips(tmp_path, ["own"])] == ["own"]
    assert any(clip.name == "walk" for clip in find_clips(tmp_path)) == has_captured_samples()


def test_a_name_that_is_no_clip_is_said():
    with pytest.raises(SystemExit, match="99_99"):
        find_clips(None, ["99_99"])


@needs_mocap
def test_files_that_say_the_wrong_rate_are_read_at_the_true_one():
    clip = BenchClip("141_09", Path(MOCAP / "cmu_141_09.bvh"))
    assert read_clip(clip, BakeSettings()).motion.fps == 60.0
