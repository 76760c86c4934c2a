"""How long a bake may look for a better take: the same choices in the panel and on the command line."""

from pathlib import Path

import bpy
import pytest

from tests.blender import rigs


@pytest.fixture
def walker(walk_motion):
    armature = rigs.from_clip(walk_motion)
    bpy.context.view_layer.objects.active = armature
    return armature


def arguments(heft, armature):
    choices = heft("addon.baking.bake_choices").read_choices(armature, bpy.context.scene)
    module = heft("addon.baking.worker_arguments")
    return module.worker_arguments(choices, module.WorkerFiles(Path("x")))


@pytest.mark.parametrize(
    ("chosen", "said", "meant"),
    [
        ({}, "good", "good"),
        ({"budget_choice": "DRAFT"}, "draft", "draft"),
        ({"budget_choice": "GOOD", "budget_s": 7}, "good", "good"),
        ({"budget_choice": "BEST"}, "best", "best"),
        ({"budget_choice": "SECONDS"}, "60", 60.0),
        ({"budget_choice": "SECONDS", "budget_s": 90}, "90", 90.0),
    ],
)
def test_the_budget_of_the_panel_is_that_of_the_command_line(heft, walker, chosen, said, meant):
    for name, value in chosen.items():
        setattr(walker.heft, name, value)
    given = arguments(heft, walker)
    assert given[given.index("--budget") :][:2] == ["--budget", said]
    assert given.count("--budget") == 1
    assert "--workers" not in given
    settings = heft("sim_core.option_values").settings_from(heft("sim_core.options").make_parser().parse_args(given))
    assert settings.budget == meant


def test_every_choice_of_the_command_line_can_be_chosen(heft):
    items = [identifier for identifier, _, _ in heft("addon.budget_choice").BUDGET_ITEMS]
    parse = heft("sim_core.option_values").budget_of
    assert [parse(item.lower()) for item in items if item != "SECONDS"] == ["draft", "good", "best"]


@pytest.mark.parametrize("number", [0, 2, 60])
def test_a_file_that_holds_the_number_of_an_earlier_version(heft, walker, number, tmp_path):
    """Where a choice of the same name would be empty, or another one by chance."""
    group = walker.heft
    stored = group.bl_system_properties_get(do_create=True) if hasattr(group, "bl_system_properties_get") else group
    stored["budget"] = number
    path = str(tmp_path / "earlier.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    walker = bpy.data.objects["Walker"]
    assert walker.heft.budget_choice == "GOOD"
    given = arguments(heft, walker)
    assert given[given.index("--budget") :][:2] == ["--budget", "good"]
