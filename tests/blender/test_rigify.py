"""Rigify's basic human: a take on its deform bones, or on the controls an animator works with."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from bpy.types import Object

from tests.blender import rigs
from tests.blender.writing import Writer

LIMBS = ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
SIMULATED = [
    *("DEF-spine", "DEF-spine.001", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006"),
    *(f"DEF-{limb}.{side}" for limb in LIMBS for side in "LR"),
]
FRAMES = range(5, 20)


@pytest.fixture
def writer(heft: Callable[[str], Any]) -> Writer:
    return Writer(heft)


@pytest.fixture
def person(walk_motion: Any) -> Object:
    return rigs.rigify_rig(walk_motion, every=4)


@pytest.fixture
def stretched_person(person: Object) -> Object:
    """Arms and legs on IK, a hand pulled farther than its arm is long."""
    for bone in person.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"] = 0.0
    for name, frame, place in (
        ("hand_ik.L", 1, (0.1, 0, 0)),
        ("hand_ik.L", 20, (0.6, 0, 0)),
        ("foot_ik.R", 10, (0, 0, 0.2)),
    ):
        person.pose.bones[name].location = place
        person.pose.bones[name].keyframe_insert("location", frame=frame)
    return person


@pytest.mark.parametrize("target", ["DEFORM", "CONTROLS"])
def test_every_deform_bone_is_where_the_bake_has_it(writer: Writer, person: Object, target: str) -> None:
    outside = range(20, 28)
    source = writer.read(person, outside)
    motion = writer.read(person, FRAMES)
    result = writer.bake(motion, SIMULATED, "DEF-spine", degrees=12.0)
    written = writer.take(person, motion, result, SIMULATED, target=target)
    assert writer.far(result, writer.read(person, FRAMES)) == {}
    assert written.warnings == ()
    np.testing.assert_allclose(writer.read(person, outside).clip.positions, source.clip.positions, atol=1e-5)


@pytest.mark.parametrize("target", ["DEFORM", "CONTROLS"])
def test_limbs_on_ik_that_stretch(writer: Writer, stretched_person: Object, target: str) -> None:
    motion = writer.read(stretched_person, FRAMES)
    result = writer.bake(motion, SIMULATED, "DEF-spine", degrees=12.0)
    written = writer.take(stretched_person, motion, result, SIMULATED, target=target)
    assert writer.far(result, writer.read(stretched_person, FRAMES)) == {}
    if target == "CONTROLS":
        limbs = ("upper_arm_parent.L", "upper_arm_parent.R", "thigh_parent.L", "thigh_parent.R")
        assert written.switched == {f'pose.bones["{limb}"]["IK_FK"]': 0.0 for limb in limbs}


def test_controls_have_the_keys(writer: Writer, person: Object) -> None:
    motion = writer.read(person, FRAMES)
    writer.take(person, motion, writer.bake(motion, SIMULATED, "DEF-spine", degrees=12.0), SIMULATED, target="CONTROLS")
    keyed = {path.split('"')[1] for path, _ in writer.curves(person)}
    assert {"torso", "head", "neck", "shoulder.L", "hand_fk.R", "toe_fk.L", "spine_fk.003"} <= keyed
    assert not [name for name in keyed if name.startswith(("DEF-", "ORG-", "MCH-"))]


@pytest.mark.parametrize("target", ["DEFORM", "CONTROLS"])
def test_few_keys_keep_every_deform_bone_in_its_place(writer: Writer, person: Object, target: str) -> None:
    motion = writer.read(person, range(1, 31))
    result = writer.bake(motion, SIMULATED, "DEF-spine", degrees=12.0)
    written = writer.take(person, motion, result, SIMULATED, target=target, keys="REDUCED", tolerance_mm=2.0)
    off = result.world().positions - writer.read(person, motion.frames).clip.world().positions
    assert np.max(np.linalg.norm(off, axis=-1)) < 0.0025
    assert written.key_count < written.every_frame_key_count / 2
    assert written.warnings == ()


def test_only_one_arm(writer: Writer, person: Object) -> None:
    motion = writer.read(person, FRAMES)
    result = writer.bake(motion, SIMULATED, "DEF-spine", degrees=12.0)
    chosen = frozenset({"upper_arm_fk.L", "DEF-forearm.L"})
    writer.take(person, motion, result, SIMULATED, target="CONTROLS", only=chosen)
    far = writer.far(motion.clip, writer.read(person, FRAMES))
    assert far
    assert all(name.startswith(("DEF-upper_arm.L", "DEF-forearm.L", "DEF-hand.L")) for name in far)


def test_a_rig_without_known_controls_says_so(writer: Writer, walk_motion: Any) -> None:
    walker = rigs.from_clip(walk_motion, every=4)
    motion = writer.read(walker, FRAMES)
    result = writer.bake(motion, ["Hips", "Chest"], "Hips")
    written = writer.take(walker, motion, result, ["Hips", "Chest"], target="CONTROLS")
    assert "no controls" in written.warnings[0]
    assert writer.far(result, writer.read(walker, FRAMES)) == {}
    assert bpy.data.actions
