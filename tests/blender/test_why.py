"""What was given up in a take: the sentences, what would help, and the way to their frames."""

import json
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.fake_layout import draw
from tests.blender.reports import given_up, made_report


@pytest.fixture
def rig():
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    return armature


def give_take(armature, report):
    action = bpy.data.actions.new("Hero Take 1")
    action["heft_report"] = json.dumps(report)
    take = armature.heft.takes.add()
    take.name, take.action = "Take 1", action
    armature.heft.active_take = len(armature.heft.takes) - 1


def drawn(armature, width=292):
    """What the panel draws; None where it is not there."""
    real = bpy.context
    context = SimpleNamespace(
        active_object=armature,
        scene=real.scene,
        window_manager=real.window_manager,
        preferences=real.preferences,
        region=SimpleNamespace(width=width),
    )
    panel = bpy.types.HEFT_PT_why
    return draw(panel, context) if panel.poll(context) else None


def test_sentences_with_their_advice_below(heft, rig, monkeypatch):
    text = heft("addon.panel.wrapped_text")  # without a window there are no letters to be measured
    monkeypatch.setattr(text.blf, "dimensions", lambda _font, line: (6.0 * len(line), 10.0))
    place = given_up(58, 66)
    give_take(rig, made_report(given_up=[place]))
    layout = drawn(rig)
    assert layout.said[0] == "1 place"
    assert " ".join(layout.said[1:]).split() == [*place["sentence"].split(), *" ".join(place["advice"]).split()]
    subdued = " ".join(layout.subdued)
    assert all(advice in subdued for advice in place["advice"])
    assert "Frames 58-66" not in subdued
    assert 6.0 * max(map(len, layout.said)) <= 292


@pytest.mark.parametrize(("count", "more"), [(3, None), (4, None), (5, "and 1 more"), (7, "and 3 more")])
def test_four_at_most(rig, count, more):
    give_take(rig, made_report(given_up=[given_up(10 * n, 10 * n + 4) for n in range(1, count + 1)]))
    layout = drawn(rig)
    assert layout.said[0] == f"{count} places"
    shown = [settings.frame for name, settings in layout.buttons if name == "heft.go_to_frame"]
    assert shown == [10 * n for n in range(1, min(count, 4) + 1)]
    assert [text for text in layout.said if text.startswith("and ")] == ([more] if more else [])


@pytest.mark.parametrize(
    ("changes", "light"),
    [
        ({}, "YELLOW"),
        ({"assist_mean_bw": 0.01}, "YELLOW"),  # a little was given up: that is not nothing
        ({"assist_mean_bw": 0.5}, "RED"),
        ({"lost": True, "assist_mean_bw": 0.0}, "RED"),
    ],
)
def test_lights(heft, changes, light):
    report = made_report(given_up=[given_up(58, 66, **changes)])
    (place,) = heft("addon.takes.result_words").read_result(json.dumps(report)).given_up
    assert place.light == light


def test_nothing_given_up_nothing_said(rig):
    assert drawn(None) is None
    assert drawn(rig) is None
    give_take(rig, made_report())
    assert drawn(rig) is None
    earlier = made_report()
    for name in ("budget", "stopped", "simulated_to_frame", "given_up"):
        del earlier[name]
    give_take(rig, earlier)
    assert drawn(rig) is None
    rig.heft.active_take = -1
    assert drawn(rig) is None


def test_the_arrow_leads_to_the_frame(rig):
    operator = bpy.types.HEFT_OT_go_to_frame
    assert operator.description(bpy.context, SimpleNamespace(frame=58)) == "Go to frame 58"
    assert bpy.ops.heft.go_to_frame(frame=58) == {"FINISHED"}
    assert bpy.context.scene.frame_current == 58


@pytest.mark.parametrize("broken", [[{}], [None], 7, "words", [given_up(1, 2, advice=None)]])
def test_a_broken_list_is_no_error(rig, broken):
    give_take(rig, made_report(given_up=broken))
    assert drawn(rig) is None


def test_a_take_that_was_stopped_is_not_one_that_was_lost(heft):
    read = heft("addon.takes.result_words").read_result
    result = read(json.dumps(made_report(completed=False, stopped=True, simulated_to_frame=62)))
    assert (result.headline, result.headline_light) == ("Stopped at frame 62; the rest is the source's", "YELLOW")
    lost = made_report(completed=False, stopped=True, simulated_to_frame=62, fell_at_frame=40, why="tipped over")
    result = read(json.dumps(lost))
    assert (result.headline, result.headline_light) == ("Lost at frame 40: it tipped over", "RED")
