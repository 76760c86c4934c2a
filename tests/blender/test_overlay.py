"""Overlay, ghost and strip up to the graphics card: which take is drawn, where, and that an error is said only once.

There is no screen in these tests, so the functions that paint are replaced by ones that remember.
"""

import json
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.reports import given_up, made_report
from tests.takes import NAMES, made_take

FIRST, FRAMES = 11, 6


@pytest.fixture
def rig():
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.animation_data_create()
    return armature


@pytest.fixture
def give_take(rig, heft):
    """give_take(assist_bw=..., units=0.01): a take on the rig, in use."""
    module = heft("sim_core.reporting.take")

    def give(units=1.0, report=None, **changes):
        action = bpy.data.actions.new("Hero physical")
        action["heft_take"] = module.take_bytes(made_take(module, FRAMES, **changes))
        action["heft_units"] = units
        if report is not None:
            action["heft_report"] = json.dumps(report)
        take = rig.heft.takes.add()
        take.action, take.frame_start, take.frame_end = action, FIRST, FIRST + FRAMES - 1
        rig.heft.active_take = len(rig.heft.takes) - 1
        rig.animation_data.action = action
        bpy.context.scene.frame_set(FIRST + 2)
        return action

    return give


@pytest.fixture
def painted(heft, monkeypatch):
    """What was painted, as (how, arguments)."""
    seen = []
    for name in ("overlay", "arrow_painting", "ghost", "timeline_strip"):
        module = heft(f"addon.drawing.{name}")
        for how in ("paint_flat", "paint_in_front", "paint_on_ground", "write"):
            if hasattr(module, how):
                monkeypatch.setattr(module, how, lambda *given, how=how: seen.append((how, given)))
        if hasattr(module, "text_size"):
            monkeypatch.setattr(module, "text_size", lambda text, points: (0.6 * points * len(text), points))
        if hasattr(module, "ui_scale"):
            monkeypatch.setattr(module, "ui_scale", lambda: 1.0)
    return seen


def context(height=600):
    """From the side, 5 units away; a timeline of 10 pixels a frame."""
    camera = Matrix(((0, 1, 0, 0), (0, 0, 1, -1), (1, 0, 0, -5), (0, 0, 0, 1)))
    lens = Matrix(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, -0.02), (0, 0, -1, 0)))
    return SimpleNamespace(
        scene=bpy.context.scene,
        active_object=bpy.context.view_layer.objects.active,
        space_data=SimpleNamespace(overlay=SimpleNamespace(show_overlays=True)),
        region=SimpleNamespace(
            width=800,
            height=height,
            view2d=SimpleNamespace(view_to_region=lambda x, y, clip: (round(10 * x), 0)),
        ),
        region_data=SimpleNamespace(view_matrix=camera, perspective_matrix=lens @ camera, is_perspective=True),
    )


def draw_all(heft):
    heft("addon.drawing.overlay").draw_in_scene(context())
    heft("addon.drawing.ghost").draw(context())
    heft("addon.drawing.overlay").draw_in_pixels(context())


def words(painted):
    return [given[0] for how, given in painted if how == "write"]


def standing(**more):
    """Half of the weight on the foot, some assist, a support area."""
    force, point = np.zeros((FRAMES, len(NAMES), 3)), np.full((FRAMES, len(NAMES), 3), np.nan)
    force[:, 3, 2], point[:, 3] = 0.5 * 70.0 * 9.81, [0.1, 0.1, 0.0]
    return {
        "contact_force": force,
        "contact_point": point,
        "assist_bw": np.full(FRAMES, 0.12),
        "assist_force": np.tile([0.0, 0.0, 80.0], (FRAMES, 1)),
        "support_starts": np.arange(FRAMES + 1, dtype=np.int32) * 3,
        "support_points": np.tile([[0.0, 0, 0], [0.2, 0, 0], [0, 0.2, 0]], (FRAMES, 1)),
        **more,
    }


def test_no_handlers_without_a_screen_and_none_left_behind(heft):
    assert bpy.app.background
    for name in ("overlay", "ghost", "timeline_strip"):
        module = heft(f"addon.drawing.{name}")
        module.unregister()
        module.register()
        assert module._handlers._handles == []


def test_everything_is_drawn(heft, give_take, painted):
    give_take(
        **standing(push_force=np.tile([0.0, 150.0, 0.0], (FRAMES, 1)), push_point=np.tile([0, 0, 1.3], (FRAMES, 1)))
    )
    view = bpy.context.scene.heft_view
    view.show_shapes = view.compare = True
    draw_all(heft)
    assert [how for how, _ in painted].count("paint_on_ground") == 3, "support area, ring and dot"
    assert [how for how, _ in painted].count("paint_in_front") == 2, "shapes and ghost"
    assert words(painted) == ["150 N", "12 % assist"]


@pytest.mark.parametrize(
    ("name", "gone"),
    [("show_overlay", {"paint_on_ground", "paint_in_front", "write", "paint_flat"}), ("show_assist", {"write"})],
)
def test_what_is_switched_off_is_not_drawn(heft, give_take, painted, name, gone):
    give_take(**standing())
    setattr(bpy.context.scene.heft_view, name, False)
    draw_all(heft)
    assert not gone & {how for how, _ in painted}


def test_nothing_is_drawn_without_a_take(heft, rig, painted):
    draw_all(heft)
    heft("addon.drawing.timeline_strip").draw(context())
    bpy.context.view_layer.objects.active = None
    draw_all(heft)
    assert painted == []


@pytest.mark.parametrize("frame", [FIRST - 1, FIRST + FRAMES])
def test_nothing_is_drawn_outside_of_the_take(heft, give_take, painted, frame):
    give_take(**standing())
    bpy.context.scene.heft_view.compare = True
    bpy.context.scene.frame_set(frame)
    draw_all(heft)
    assert painted == []


def test_the_row_is_that_of_the_frame(heft, give_take, painted):
    give_take(assist_bw=np.arange(FRAMES) / 10)
    draw_all(heft)
    assert words(painted) == ["20 % assist"]


def test_metres_become_blender_units(heft, give_take, painted):
    give_take(units=0.01, **standing())
    heft("addon.drawing.overlay").draw_in_scene(context())
    support = next(given[0] for how, given in painted if how == "paint_on_ground")
    assert np.ptp(support[:, 0]) == pytest.approx(20.0)


def test_the_ghost_stands_where_it_was_put(heft, give_take, painted):
    give_take()
    view = bpy.context.scene.heft_view
    view.compare = True
    middles = []
    for offset in (0.0, 1.0):
        view.ghost_offset = (0.0, offset, 0.0)
        heft("addon.drawing.ghost").draw(context())
        middles.append(painted[-1][1][0].points[..., 0].mean())
    assert middles[1] - middles[0] == pytest.approx(400 / 5, rel=0.05), "a metre to the right, five metres away"


def test_going_back_to_the_source_hides_the_overlay_but_not_the_strip(heft, rig, give_take, painted):
    give_take(**standing())
    rig.animation_data.action = bpy.data.actions.new("Hero keys")
    draw_all(heft)
    assert painted == []
    heft("addon.drawing.timeline_strip").draw(context())
    assert painted


def test_the_strip_lies_over_its_frames(heft, give_take, painted):
    give_take(assist_bw=np.full(FRAMES, 0.5))
    heft("addon.drawing.timeline_strip").draw(context(height=120))
    rows = painted[0][1][0].points
    assert rows[..., 0].min() == pytest.approx(10 * (FIRST - 0.5) - 1.0)
    assert rows[..., 0].max() == pytest.approx(10 * (FIRST + FRAMES - 0.5) + 1.0)
    assert words(painted) == ["Before", "After", "Before: good", "After: assist 50 %"]


def test_the_strip_marks_where_something_was_given_up(heft, give_take, painted):
    strip = heft("addon.drawing.timeline_strip")
    marked = (FIRST + 2, FIRST + 3)
    corners = []
    for report in (made_report(), made_report(given_up=[given_up(*marked)])):
        give_take(report=report)
        painted.clear()
        strip.draw(context(height=120))
        corners.append(painted[0][1][0].points.reshape(-1, 2).tolist())
    plain, with_mark = corners
    extra = [point for point in with_mark if point not in plain]
    assert {x for x, _ in extra} == {10 * (marked[0] - 0.5), 10 * (marked[1] + 0.5)}


def test_a_take_is_read_once(heft, give_take, painted, monkeypatch):
    cache = heft("addon.takes.take_cache")
    reads, load = [], cache.load_take
    monkeypatch.setattr(cache, "load_take", lambda data: reads.append(1) or load(data))
    give_take(**standing())
    draw_all(heft)
    draw_all(heft)
    assert len(reads) == 1


def test_a_damaged_take_is_said_once_and_not_drawn(heft, give_take, painted, monkeypatch):
    said = []
    monkeypatch.setattr(heft("addon.takes.take_cache"), "say_later", lambda sentence, kind: said.append(sentence))
    give_take()["heft_take"] = b"garbage"
    draw_all(heft)
    draw_all(heft)
    assert painted == []
    assert len(said) == 1
    assert said[0].startswith("'Hero physical' cannot be shown.")


def test_an_unexpected_error_is_said_once_and_ends_the_drawing(heft, capfd, monkeypatch):
    module = heft("addon.drawing.draw_handlers")
    said, drawn = [], []
    monkeypatch.setattr(module.bpy.app.timers, "register", lambda run, first_interval: said.append(run), raising=False)

    def draw(_context):
        drawn.append(1)
        raise ZeroDivisionError("by zero")

    handlers = module.DrawHandlers("The overlay", ())
    for _ in range(3):
        handlers._draw(draw)
    assert len(drawn) == len(said) == 1
    said[0]()
    status = bpy.context.window_manager.heft
    assert status.sentence.startswith("The overlay cannot be drawn (ZeroDivisionError: by zero).")
    assert status.sentence_kind == "ERROR"
    assert "Traceback" not in "".join(capfd.readouterr())
