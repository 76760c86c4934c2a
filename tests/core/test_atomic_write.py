"""Files whole or not at all, one or several, with nothing left beside them."""

import os

import pytest

from sim_core.atomic_write import check_writable, replace_file, replace_files
from sim_core.errors import MotionFileError, SettingsError


def test_a_file_is_replaced(tmp_path):
    path = tmp_path / "a"
    for content in (b"old", b"new", b""):
        replace_file(path, content)
        assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["a"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_all_or_none(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(MotionFileError, match="does not exist"):
        replace_files({tmp_path / "a": b"new", tmp_path / "gone" / "b": b"new"})
    assert (tmp_path / "a").read_bytes() == b"old"

    def changes_its_mind():
        assert len(os.listdir(tmp_path)) == 3  # both drafts are there
        raise SettingsError("No.")

    with pytest.raises(SettingsError):
        replace_files({tmp_path / "a": b"new", tmp_path / "b": b"new"}, changes_its_mind)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_check_leaves_no_trace(tmp_path):
    (tmp_path / "old").write_bytes(b"old")
    check_writable([tmp_path / "old", tmp_path / "new"], tmp_path / "source")
    assert os.listdir(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


def test_devices_are_never_replaced():
    with pytest.raises(MotionFileError, match="not a plain file"):
        replace_file(os.devnull, b"")
