"""How much help a character may get: the dial, limits of one's own in its place, and what the worker makes of them."""

from pathlib import Path

import bpy
import pytest

from tests.blender import rigs
from tests.blender.baking import import_walk, report_of
from tests.blender.fake_layout import drawn

NAMES = ["Unfallable", "Plausible", "Realistic"]  # from left to right


@pytest.fixture
def walker(walk_motion):
    armature = rigs.from_clip(walk_motion, every=10)
    bpy.context.view_layer.objects.active = armature
    return armature


def give(armature, chosen):
    for name, value in chosen.items():
        setattr(armature.heft, name, value)


def arguments(heft, armature):
    choices = heft("addon.baking.bake_choices").read_choices(armature, bpy.context.scene)
    module = heft("addon.baking.worker_arguments")
    return module.worker_arguments(choices, module.WorkerFiles(Path("x")))


def help_given(told):
    """Of the arguments, those that say how far help may go."""
    names = ("--realism", "--assist", "--foot-torque")
    return {name: told[told.index(name) + 1] for name in names if name in told}


def settings_of(heft, told):
    return heft("sim_core.option_values").settings_from(heft("sim_core.options").make_parser().parse_args(told))


class TestCommandLine:
    @pytest.mark.parametrize(
        ("chosen", "told"),
        [
            ({}, {"--realism": "0.5"}),
            ({"realism": 1.0}, {"--realism": "1"}),
            ({"realism": 0.0, "controller": "VA"}, {"--realism": "0"}),
            ({"own_limits": True}, {"--assist": "least"}),
            ({"own_limits": True, "assist": "NONE", "realism": 0.0}, {"--assist": "none"}),
            ({"own_limits": True, "assist": "LIMIT", "assist_limit": 15}, {"--assist": "15%"}),
            ({"own_limits": True, "controller": "VA"}, {"--assist": "least", "--foot-torque": "20:200"}),
            (
                {"own_limits": True, "controller": "VA", "foot_torque_from": 0, "foot_torque_to": 0},
                {"--assist": "least", "--foot-torque": "0:inf"},
            ),
            ({"own_limits": True, "foot_torque_from": 300}, {"--assist": "least"}),  # no matter to other controllers
            ({"own_limits": False, "assist": "NONE", "assist_limit": 15}, {"--realism": "0.5"}),
        ],
    )
    def test_either_the_dial_or_numbers(self, heft, walker, chosen, told):
        give(walker, chosen)
        given = arguments(heft, walker)
        assert help_given(given) == told
        settings_of(heft, given)  # the worker understands it

    def test_the_places_with_names_are_those_of_the_worker(self, heft):
        places, worker = heft("addon.realism_choice").PLACES, heft("sim_core.realism")
        assert [place.name for place in places.values()] == NAMES
        assert [places[name.upper()].realism for name in NAMES] == [
            worker.UNFALLABLE,
            worker.PLAUSIBLE,
            worker.REALISTIC,
        ]

    def test_what_the_numbers_begin_with_is_what_the_worker_has(self, heft, walker):
        usual = heft("sim_core.settings").VaSettings()
        assert (walker.heft.foot_torque_from, walker.heft.foot_torque_to) == (usual.thr_min, usual.thr_max)

    def test_foot_torque_that_ends_before_it_begins(self, heft, walker):
        give(walker, {"own_limits": True, "controller": "VA", "foot_torque_from": 300})
        with pytest.raises(Exception, match="Foot Torque goes from 300 up to 200 N m; under Advanced"):
            arguments(heft, walker)


class TestEarlierVersions:
    """Their files hold an assist, and nothing of a dial."""

    @pytest.mark.parametrize(
        ("stored", "told"),
        [
            ({}, {"--realism": "0.5"}),  # nobody had chosen anything
            ({"assist": 0}, {"--assist": "least"}),
            ({"assist": 1, "assist_limit": 15.0}, {"--assist": "15%"}),
            ({"assist": 2}, {"--assist": "none"}),
            ({"assist_limit": 15.0}, {"--realism": "0.5"}),  # it counts with a choice only
        ],
    )
    def test_what_they_said_still_counts(self, heft, walker, stored, told, tmp_path):
        group = walker.heft
        kept = group.bl_system_properties_get(do_create=True) if hasattr(group, "bl_system_properties_get") else group
        for name, value in stored.items():
            kept[name] = value
        path = str(tmp_path / "earlier.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        walker = bpy.data.objects["Walker"]
        assert help_given(arguments(heft, walker)) == told
        assert walker.heft.own_limits == ("assist" in stored)

    def test_until_the_box_is_touched(self, heft, walker, tmp_path):
        walker.heft.assist = "NONE"
        assert walker.heft.own_limits
        walker.heft.own_limits = False
        path = str(tmp_path / "now.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        walker = bpy.data.objects["Walker"]
        assert not walker.heft.own_limits
        assert help_given(arguments(heft, walker)) == {"--realism": "0.5"}

    def test_the_numbers_of_controllers_stay(self, heft, walker):
        """A file holds numbers; Baseline was the second choice before there were three."""
        group = walker.heft
        kept = group.bl_system_properties_get(do_create=True) if hasattr(group, "bl_system_properties_get") else group
        kept["controller"] = 1
        assert walker.heft.controller == "PD"


def test_on_an_override_of_a_linked_character(heft, walker, tmp_path):
    walker.heft.friction = 0.7  # Blender 5.0 keeps no settings where the character has none of its own
    path = str(tmp_path / "character.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Walker"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    own = wanted.objects[0].override_create(remap_local_usages=True)
    give(own, {"own_limits": True, "assist": "NONE", "realism": 0.25})
    shot = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    bpy.ops.wm.open_mainfile(filepath=shot)
    own = next(item for item in bpy.data.objects if item.override_library is not None)
    assert (own.heft.own_limits, own.heft.assist, own.heft.realism) == (True, "NONE", 0.25)


class TestPanel:
    def test_buttons_over_a_slider(self, walker):
        layout = drawn(walker, "motion")
        assert [text for text in layout.said if text in NAMES] == NAMES
        assert layout.operators == ["heft.set_realism"] * 3
        assert layout.pressed == ["Plausible"]
        assert "realism" in layout.properties
        assert not {"assist", "assist_limit"} & set(layout.properties)

    @pytest.mark.parametrize("name", NAMES)
    def test_a_button_turns_the_dial(self, walker, name):
        walker.heft.realism = 0.3
        assert drawn(walker, "motion").pressed == []
        bpy.ops.heft.set_realism(place=name.upper())
        assert drawn(walker, "motion").pressed == [name]

    @pytest.mark.parametrize(
        ("realism", "words"),
        [
            (0.0, "All the help it takes not to fall."),
            (0.004, "All the help it takes not to fall."),  # as the dial shows it
            (0.2, "Strong help; only a hard blow fells it."),
            (0.5, "Some help where it would fall."),
            (0.7, "A little help where it would fall."),
            (1.0, "No help: pure physics, it may fall."),
        ],
    )
    def test_a_line_in_words(self, walker, realism, words):
        walker.heft.realism = realism
        assert words in " ".join(drawn(walker, "motion").said)

    def test_limits_of_ones_own_grey_the_dial(self, walker):
        walker.heft.own_limits = True
        layout = drawn(walker, "motion")
        assert "realism" in layout.greyed
        assert layout.pressed == []
        assert "Advanced > Own Limits is on." in " ".join(layout.said)
        assert not bpy.ops.heft.set_realism.poll()

    @pytest.mark.parametrize(
        ("chosen", "shown"),
        [
            ({}, {"own_limits"}),
            ({"controller": "VA"}, {"own_limits"}),
            ({"own_limits": True}, {"own_limits", "assist"}),
            ({"own_limits": True, "assist": "LIMIT"}, {"own_limits", "assist", "assist_limit"}),
            (
                {"own_limits": True, "controller": "VA"},
                {"own_limits", "assist", "foot_torque_from", "foot_torque_to"},
            ),
        ],
    )
    def test_numbers_are_under_advanced_when_asked_for(self, walker, chosen, shown):
        give(walker, chosen)
        numbers = {"own_limits", "assist", "assist_limit", "foot_torque_from", "foot_torque_to"}
        assert numbers & set(drawn(walker, "advanced").properties) == shown


@pytest.mark.parametrize(("realism", "limit_bw"), [(1.0, 0.0), (0.5, 0.4), (0.75, 0.2)])
def test_a_bake_helps_no_more_than_the_dial_says(walk_clip, realism, limit_bw):
    armature = import_walk(walk_clip)
    give(armature, {"own_limits": False, "realism": realism, "budget_choice": "DRAFT"})
    assert bpy.ops.heft.bake() == {"FINISHED"}
    report = report_of(armature.heft.takes[0].action)
    assert report["realism"] == realism
    assert report["assist"]["limit_bw"] <= limit_bw + 1e-6
    assert report["assist"]["peak_bw"] <= limit_bw + 1e-6
