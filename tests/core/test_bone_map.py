"""Every rig family, rigs without names, the recorded clips, and what is no biped."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.errors import RigError
from sim_core.motion.bvh import read_bvh
from sim_core.motion.clip import Clip
from sim_core.motion.motion_file import clip_from_bvh
from sim_core.motion.skeleton import Skeleton, make_skeleton
from sim_core.rig.bone_map import BoneMap, map_bones
from sim_core.rig.segments import SEGMENTS
from tests.mocap import MOCAP, needs_mocap
from tests.rig_families import Rig, families, renamed, skeleton_at

FAMILIES = families()
# Rigs whose shape is whole: no mechanism beside the body, tips at the ends, clavicles that hang on the chest.
SHAPELY = [name for name in FAMILIES if not name.startswith(("Rigify DEF", "3ds Max", "Unreal"))]
CMU_BONES = {
    "pelvis": "Hips", "abdomen": "LowerBack", "spine": "Spine",
    "chest": "Spine1", "neck": "Neck1", "head": "Head",
} | {
    f"{part}_{side[0].lower()}": side + bone
    for side in ("Left", "Right")
    for part, bone in {
        "clavicle": "Shoulder", "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand",
        "thigh": "UpLeg", "shin": "Leg", "foot": "Foot", "toes": "ToeBase",
    }.items()
}  # fmt: skip


def named(skeleton: Skeleton, found: BoneMap) -> dict[str, str]:
    return {segment: skeleton.names[mapped.bone] for segment, mapped in found.segments.items()}


def nameless(rig: Rig) -> tuple[Skeleton, dict[str, str]]:
    order = np.random.default_rng(3).permutation(len(rig.skeleton()))
    return renamed(rig, [f"bone_{k}" for k in order])


def in_a_heap(skeleton: Skeleton) -> tuple[Skeleton, Clip]:
    """The same rig with a meaningless rest pose, as LAFAN1 has, and a clip that stands."""
    clip_rotations = np.tile(skeleton.rest_rotations, (3, 1, 1))
    heap = replace(skeleton, rest_rotations=np.tile(rotations.IDENTITY, (len(skeleton), 1)))
    return heap, Clip(skeleton=heap, fps=30.0, positions=np.tile(heap.offsets, (3, 1, 1)), rotations=clip_rotations)


def with_names(skeleton: Skeleton, rename: dict[str, str]) -> Skeleton:
    return replace(skeleton, names=tuple(rename.get(name, name) for name in skeleton.names))


def without(skeleton: Skeleton, *parts: str) -> Skeleton:
    """The skeleton without the bones whose names hold one of the parts, and all that hangs on them."""
    keep: list[int] = []
    for bone, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[bone])
        if not any(part in name for part in parts) and (parent < 0 or parent in keep):
            keep.append(bone)
    tips = zip(skeleton.tip_parents.tolist(), skeleton.tip_offsets, strict=True)
    return make_skeleton(
        [skeleton.names[bone] for bone in keep],
        [-1 if skeleton.parents[bone] < 0 else keep.index(int(skeleton.parents[bone])) for bone in keep],
        skeleton.offsets[keep],
        rest_rotations=skeleton.rest_rotations[keep],
        tips=[(keep.index(bone), offset) for bone, offset in tips if bone in keep],
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_mapped_by_its_names(name: str) -> None:
    rig = FAMILIES[name]
    skeleton = rig.skeleton()
    found = map_bones(skeleton)
    assert named(skeleton, found) == rig.expected
    assert found.family == rig.family
    assert found.warnings == ()
    assert found.confidence >= 0.7
    assert all(mapped.how == "name" for mapped in found.segments.values())
    assert len(found.missing) == len(SEGMENTS) - len(rig.expected)


@pytest.mark.parametrize("name", SHAPELY)
def test_meaningless_names_are_mapped_by_shape(name: str) -> None:
    skeleton, expected = nameless(FAMILIES[name])
    found = map_bones(skeleton)
    assert named(skeleton, found) == expected
    assert found.family == "by shape"
    assert found.confidence < 0.7
    assert "shape" in found.warnings[0]


@pytest.mark.parametrize("facing", [0.0, 0.7, 2.0, np.pi, -1.4])
@pytest.mark.parametrize("lying", [False, True])
def test_shape_knows_left_whichever_way_the_figure_faces(facing: float, lying: bool) -> None:
    plain = FAMILIES["VRM"]
    skeleton, expected = nameless(Rig("", plain.rows, plain.sides, twisted=True, facing=facing, lying=lying))
    assert named(skeleton, map_bones(skeleton)) == expected


@pytest.mark.parametrize("name", ["Mixamo", "HumanIK", "LAFAN1", "Rigify metarig"])
def test_a_clip_helps_where_the_rest_pose_is_a_heap(name: str) -> None:
    rig = FAMILIES[name]
    heap, clip = in_a_heap(rig.skeleton())
    found = map_bones(heap, clip=clip)
    assert named(heap, found) == rig.expected
    assert found.warnings == ()
    blind, expected = nameless(rig)
    blind, clip = in_a_heap(blind)
    assert named(blind, map_bones(blind, clip=clip)) == expected


def test_names_alone_do_where_the_rest_pose_is_a_heap() -> None:
    rig = FAMILIES["LAFAN1"]
    heap, _ = in_a_heap(rig.skeleton())
    assert named(heap, map_bones(heap)) == rig.expected


def test_swapped_names_are_kept_and_said() -> None:
    rig = FAMILIES["Mixamo"]
    skeleton = rig.skeleton()
    swap = {name: name.replace("Left", "?").replace("Right", "Left").replace("?", "Right") for name in skeleton.names}
    swapped = with_names(skeleton, swap)
    found = map_bones(swapped)
    assert named(swapped, found) == rig.expected
    assert found.confidence <= 0.5
    assert len(found.warnings) == 2
    assert 'The bone "mixamorig:LeftUpLeg" lies on the right side of the body' in found.warnings[0]
    assert 'The bone "mixamorig:LeftArm" lies on the right side' in found.warnings[1]


def test_swapped_arms_alone_are_said() -> None:
    skeleton = FAMILIES["Unreal"].skeleton()
    arms = ("clavicle", "upperarm", "lowerarm", "hand")
    swap = {name: name[:-1] + {"l": "r", "r": "l"}[name[-1]] for name in skeleton.names if name.startswith(arms)}
    found = map_bones(with_names(skeleton, swap))
    assert len(found.warnings) == 1
    assert '"upperarm_l" lies on the right side' in found.warnings[0]
    assert found.segments["thigh_l"].confidence == 1.0
    assert found.segments["upper_arm_l"].confidence == 0.5


def test_unnamed_arms_are_completed_by_shape_on_the_side_the_legs_name() -> None:
    rig = FAMILIES["VRM"]
    skeleton = rig.skeleton()
    odd = {name: f"zz_{k}" for k, name in enumerate(skeleton.names) if "Arm" in name or "Shoulder" in name}
    found = map_bones(with_names(skeleton, odd))
    assert named(skeleton, found) == rig.expected
    assert found.segments["forearm_l"].how == "shape"
    assert found.segments["shin_l"].how == "name"
    assert "left forearm" in found.warnings[0]


def test_what_the_user_gives_wins() -> None:
    skeleton = FAMILIES["Unreal"].skeleton()
    found = map_bones(skeleton, given={"chest": "spine_03", "toes_l": "ik_foot_l"})
    assert named(skeleton, found)["chest"] == "spine_03"
    assert found.segments["chest"].how == "given"
    assert named(skeleton, found)["spine"] == "spine_02"
    assert named(skeleton, found)["neck"] == "neck_01"
    assert named(skeleton, found)["toes_l"] == "ik_foot_l"
    bones = [mapped.bone for mapped in found.segments.values()]
    assert len(set(bones)) == len(bones)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"thigh_l": "thigh_left"}, r'"thigh_left", chosen for the left thigh, .* Nearest: "thigh_l"\.'),
        ({"thihg_l": "thigh_l"}, r'no body segment "thihg_l"\. Nearest: "thigh_l"'),
        ({"thigh_l": "thigh_l", "shin_l": "thigh_l"}, r"both left thigh and left shin"),
    ],
)
def test_a_choice_that_makes_no_sense_is_explained(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(RigError, match=sentence):
        map_bones(FAMILIES["Unreal"].skeleton(), given=given)


def test_a_missing_head_and_missing_toes_are_said() -> None:
    skeleton = without(FAMILIES["Bandai-Namco"].skeleton(), "Neck", "Toes")
    found = map_bones(skeleton)
    assert "head" not in found.segments
    assert any("No head" in sentence for sentence in found.warnings)
    assert (
        "The rig has no bone for the left toes and the right toes: the foot is simulated as one piece." in found.missing
    )


def quadruped(names: dict[str, str] | None = None) -> Skeleton:
    """A dog, facing -Y: hind legs and front legs reach the ground, the trunk lies level."""
    at = {
        "hips": (0, 0.4, 0.6), "back": (0, 0.1, 0.62), "withers": (0, -0.2, 0.62), "neck": (0, -0.35, 0.7),
        "skull": (0, -0.5, 0.8), "tail": (0, 0.5, 0.6), "tail2": (0, 0.75, 0.5),
    }  # fmt: skip
    rows = [("hips", "-"), ("back", "hips"), ("withers", "back"), ("neck", "withers"), ("skull", "neck")]
    rows += [("tail", "hips"), ("tail2", "tail")]
    for side, x in (("l", 0.1), ("r", -0.1)):
        for leg, y, carrier in (("hind", 0.42, "hips"), ("front", -0.22, "withers")):
            points = [(x, y, 0.52), (x, y - 0.03, 0.28), (x, y + 0.03, 0.06), (x, y - 0.04, 0.01)]
            above = carrier
            for k, point in enumerate(points):
                name = f"{leg}{k}_{side}"
                at[name] = point
                rows.append((name, above))
                above = name
    names = names or {}
    placed = [
        (names.get(name, name), names.get(parent, parent), np.array(at[name], dtype=float), None)
        for name, parent in rows
    ]
    return skeleton_at(placed)


def dog_named_as_a_person() -> Skeleton:
    front = {0: "Arm", 1: "ForeArm", 2: "Hand"}
    hind = {0: "UpLeg", 1: "Leg", 2: "Foot", 3: "Toe"}
    names = {"hips": "Hips", "back": "Spine", "withers": "Spine1", "neck": "Neck", "skull": "Head"}
    for short, side in (("l", "Left"), ("r", "Right")):
        names |= {f"front{k}_{short}": side + bone for k, bone in front.items()}
        names |= {f"hind{k}_{short}": side + bone for k, bone in hind.items()}
    return quadruped(names)


def chain_of(count: int) -> Skeleton:
    return make_skeleton([f"rope_{k}" for k in range(count)], range(-1, count - 1), np.tile([0, 0, 0.1], (count, 1)))


def lone_hand() -> Skeleton:
    rows = [("forearm.L", "-", np.zeros(3), None), ("hand.L", "forearm.L", np.array([0.26, 0, 0]), None)]
    for k, finger in enumerate(("thumb", "index", "middle", "ring", "pinky")):
        above = "hand.L"
        for joint in (1, 2, 3):
            here = np.array([0.3 + 0.035 * joint, 0.02 * k, 0.0])
            rows.append((f"{finger}.0{joint}.L", above, here, here + np.array([0.02, 0, 0])))
            above = f"{finger}.0{joint}.L"
    return skeleton_at(rows)


def chair() -> Skeleton:
    rows = [("seat", "-", np.array([0, 0, 0.5]), None)]
    for x in (-0.2, 0.2):
        for y in (-0.2, 0.2):
            rows.append((f"leg_{x}_{y}", "seat", np.array([x, y, 0.5]), np.array([x, y, 0.0])))
    return skeleton_at(rows)


@pytest.mark.parametrize(
    ("skeleton", "sentence"),
    [
        (quadruped(), "stands on four legs"),
        (dog_named_as_a_person(), "stands on four legs .*LeftHand"),
        (without(FAMILIES["Mixamo"].skeleton(), "UpLeg"), "Arms were found .*LeftArm.* but no legs"),
        (without(FAMILIES["Mixamo"].skeleton(), "Shoulder"), "Legs were found .*LeftUpLeg.* but no arms"),
        (without(FAMILIES["Mixamo"].skeleton(), "RightUpLeg"), "for: right thigh, right shin, right foot"),
        (without(nameless(FAMILIES["VRM"])[0], "bone_12"), "No bone|A body was looked for"),
        (chain_of(12), "All 12 bones .* single chain"),
        (chain_of(1), "only the bone"),
        (lone_hand(), "no legs|for: "),
        (chair(), "no legs and no arms"),
    ],
    ids="quadruped dog no-legs no-arms one-leg nameless-cripple rope one-bone hand chair".split(),  # noqa: SIM905
)
def test_what_is_no_biped_is_refused_in_words(skeleton: Skeleton, sentence: str) -> None:
    with pytest.raises(RigError, match=sentence) as refused:
        map_bones(skeleton)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_person_crawling_in_the_clip_is_still_a_person() -> None:
    skeleton = FAMILIES["Mixamo 1"].skeleton()
    crawl = np.tile(skeleton.rest_rotations, (2, 1, 1))
    for side in ("Left", "Right"):
        crawl[:, skeleton.index(f"mixamorig1:{side}UpLeg")] = rotations.exp(np.array([1.5, 0.0, 0.0]))
    clip = Clip(skeleton=skeleton, fps=30.0, positions=np.tile(skeleton.offsets, (2, 1, 1)), rotations=crawl)
    assert map_bones(skeleton, clip=clip).warnings == ()


def test_a_sword_in_one_hand_is_not_an_arm() -> None:
    rig = FAMILIES["VRM"]
    armed = Rig("", [*rig.rows, "- sword leftHand sword"], rig.sides)
    skeleton, expected = nameless(armed)
    assert named(skeleton, map_bones(skeleton)) == expected


@needs_mocap
@pytest.mark.parametrize("path", sorted(MOCAP.glob("*.bvh")), ids=lambda path: path.stem)
def test_recorded_clips_map_to_exactly_these_bones(path) -> None:
    clip = clip_from_bvh(read_bvh(path)).clip
    found = map_bones(clip.skeleton, clip=clip)
    assert named(clip.skeleton, found) == CMU_BONES
    assert (found.family, found.warnings, found.missing, found.confidence) == ("CMU", (), (), 1.0)
    nameless_skeleton = replace(clip.skeleton, names=tuple(f"bone_{k}" for k in range(len(clip.skeleton))))
    by_shape = map_bones(nameless_skeleton)
    assert by_shape.bones == found.bones
    assert by_shape.family == "by shape"
