"""The picture of a bake: one PNG that is the same again, shows faults in red, and refuses before the bake."""

import importlib.util
import io
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim_core.bake import bake, read_performance
from sim_core.errors import HeftError, SettingsError
from sim_core.motion.source_clip import write_new
from sim_core.reporting import picture_style as style
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.moments import tell_story
from sim_core.reporting.picture import check_picture, picture_png
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings
from sim_core.world.solids import Cuboid
from sim_core.world.thing import Thing
from tests.clips import moved
from tests.command_line import ROOT, call

matplotlib = pytest.importorskip("matplotlib", reason="Pictures need matplotlib, which 'make test' installs.")

FRAMES = 31
BEFORE_ROW = slice(128, 480)  # pixels from the top
AFTER_ROW = slice(484, 824)
CURVES = slice(840, style.HEIGHT)


@pytest.fixture(scope="module")
def squat(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("picture") / "squat.bvh"
    write_new(path, make_sample("squat", 1.0).frames(20, 20 + FRAMES))
    return path


@pytest.fixture(scope="module")
def result(squat) -> BakeResult:
    settings = BakeSettings(engine="mujoco", assist=300.0)
    return bake(read_performance(squat, settings), settings)


@pytest.fixture(scope="module")
def png(result) -> bytes:
    return picture_png(result)


def pixels(content: bytes) -> np.ndarray:
    """(height, width, 3) of 0 to 255."""
    from matplotlib.image import imread

    return np.rint(255.0 * imread(io.BytesIO(content), format="png")[..., :3]).astype(int)


def count(image: np.ndarray, colour: str, within: int = 0) -> int:
    """Pixels of a colour, each channel within so much of it."""
    from matplotlib.colors import to_rgb

    return int(np.all(np.abs(image - np.rint(255.0 * np.array(to_rgb(colour)))) <= within, axis=-1).sum())


def chunks(content: bytes) -> list[bytes]:
    kinds, at = [], 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kinds.append(content[at + 4 : at + 8])
        at += 12 + length
    return kinds


def lost(result: BakeResult, at_s: float = 0.2) -> BakeResult:
    return replace(result, report=replace(result.report, completed=False, fell_at_s=at_s, why="tipped over"))


def with_source_moved(result: BakeResult, up: float) -> BakeResult:
    performance = result.performance
    asked = moved(performance.asked, [0.0, 0.0, up])
    return replace(result, performance=replace(performance, asked=asked))


def test_it_is_one_png_of_its_size(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (style.WIDTH, style.HEIGHT)


def test_both_rows_show_figures_on_ground(png):
    image = pixels(png)
    for row in (BEFORE_ROW, AFTER_ROW):
        for colour in (style.TRUNK, style.GROUND, style.GROUND_LINE):
            assert count(image[row], colour) > 500
        blueish = (image[row, :, 2] - image[row, :, 0]) > 40
        yellowish = (image[row, :, 0] - image[row, :, 2]) > 40
        assert blueish.sum() > 2000
        assert yellowish.sum() > 2000


def test_every_curve_is_drawn(result):
    ramp = np.linspace(0.0, 1.0, FRAMES)
    steps = result.recording.assist_force.shape
    helped = replace(result.recording, assist_force=np.broadcast_to(np.linspace(0.0, 100.0, steps[0])[:, None], steps))
    faulty = replace(result, before=replace(result.before, physics_error=ramp, skate=ramp), recording=helped)
    image = pixels(picture_png(faulty))[CURVES, style.LEFT : style.RIGHT]
    for colour in (style.FAULT, style.LEFT_SIDE, style.RIGHT_SIDE, style.BEFORE, style.AFTER):
        assert count(image, colour, within=20) > 100  # a slanting line is smoothed


def test_the_same_bytes_again_whatever_matplotlib_is_set_to(result, png):
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30.0, "savefig.dpi": 50}):
        assert picture_png(result) == png


def test_nothing_in_it_tells_when_or_by_what_it_was_made(png):
    assert set(chunks(png)) <= {b"IHDR", b"pHYs", b"IDAT", b"IEND"}


def test_what_is_in_the_ground_is_red(result):
    red = {
        up: count(pixels(picture_png(with_source_moved(result, up)))[BEFORE_ROW], style.FAULT) for up in (0.02, -0.03)
    }
    assert red[0.02] == 0
    assert red[-0.03] > 1000


def test_a_lost_performance_is_marked_from_where_it_was_lost(result, png):
    image = pixels(picture_png(lost(result)))
    assert count(pixels(png), style.FAULT_TINT) == 0
    tinted = np.flatnonzero(
        [count(image[AFTER_ROW, x : x + 1], style.FAULT_TINT) > 0 for x in range(style.LEFT, style.RIGHT)]
    )
    story = tell_story(lost(result))
    assert story.lost_frame == pytest.approx(0.2 * result.report.fps)
    assert [moment.kept for moment in story.moments] == [moment.frame < story.lost_frame for moment in story.moments]
    share = tinted[0] / (style.RIGHT - style.LEFT)
    assert share == pytest.approx(story.lost_frame / FRAMES, abs=0.06)


def test_moments_span_the_clip_and_are_numbered_as_in_the_file(result):
    later = replace(result, performance=replace(result.performance, first_frame=100))
    story = tell_story(later)
    assert story.first_frame == 101
    frames = [moment.frame for moment in story.moments]
    assert (frames[0], frames[-1]) == (0, FRAMES - 1)
    assert 8 <= len(frames) <= 12
    assert max(np.diff(frames)) - min(np.diff(frames)) <= 1


@pytest.mark.parametrize("name", ["bake.jpg", "bake", "bake.png.txt"])
def test_only_png(name):
    with pytest.raises(SettingsError, match=r"must be a \.png file"):
        check_picture(Path(name))


def test_without_matplotlib_it_says_so_before_the_bake(monkeypatch, capsys, squat, tmp_path):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "matplotlib" else found(name))
    with pytest.raises(HeftError, match=r"pip install matplotlib==3\.10\.8"):
        check_picture(tmp_path / "bake.png")

    def no_bake(*_: object) -> None:
        pytest.fail("It baked first.")

    monkeypatch.setattr("sim_core.commands.bake", no_bake)
    outcome = call(capsys, "bake", squat, "-o", tmp_path / "out.bvh", "--picture", tmp_path / "bake.png")
    assert outcome.status == 2
    assert "pip install matplotlib==3.10.8" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_matplotlib_is_loaded_only_to_draw():
    code = "import sys, sim_core.commands, sim_core.reporting.picture; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_things_of_the_scene_are_drawn_in_both_rows(result):
    post = Thing(
        name="post", solids=(Cuboid(half_extents=np.array([2.0, 2.0, 0.3])),), position=np.array([0.0, 0.0, -0.3])
    )
    image = pixels(picture_png(replace(result, scene=replace(result.scene, things=(post,)))))
    for row in (BEFORE_ROW, AFTER_ROW):
        assert count(image[row], style.THING) > 1000


def test_a_source_that_walks_below_the_ground_does_not_make_the_result_small(result, png):
    sunk = pixels(picture_png(with_source_moved(result, -1.0)))
    assert count(sunk[AFTER_ROW], style.TRUNK) == pytest.approx(count(pixels(png)[AFTER_ROW], style.TRUNK), rel=0.1)
