"""One synthetic skeleton per rig family: the names, hierarchy and helper bones that real rigs have."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sim_core import rotations
from sim_core.motion.skeleton import Skeleton, make_skeleton
from tests import rig_rows as rows

# An adult in T-pose, facing -Y, Z up, left is +X [m]; the right side is the mirror image.
POINTS = {
    "floor": (0, 0, 0), "hips": (0, 0, 0.98), "s1": (0, 0.01, 1.06), "s2": (0, 0.02, 1.17),
    "s3": (0, 0.02, 1.28), "s4": (0, 0.02, 1.35), "s5": (0, 0.02, 1.40), "neck": (0, 0.01, 1.50),
    "neck2": (0, 0, 1.55),
    "head": (0, 0, 1.60), "crown": (0, 0, 1.78), "face": (0, -0.09, 1.65), "back": (0, 0.2, 1.2),
    "clavicle": (0.03, 0, 1.45), "shoulder": (0.18, 0.02, 1.45), "mid_arm": (0.32, 0.02, 1.45),
    "elbow": (0.46, 0.03, 1.45), "mid_forearm": (0.59, 0.025, 1.45), "wrist": (0.72, 0.02, 1.45),
    "knuckle": (0.81, 0.02, 1.45), "finger": (0.85, 0.02, 1.45), "fingertip": (0.90, 0.02, 1.45),
    "thumb": (0.75, -0.02, 1.44), "thumbtip": (0.79, -0.06, 1.42), "sword": (0.74, -0.9, 1.45),
    "hip": (0.09, 0, 0.92), "mid_thigh": (0.095, 0, 0.71),
    "knee": (0.10, -0.01, 0.50),
    "mid_shin": (0.105, 0, 0.30), "ankle": (0.11, 0.02, 0.09), "ball": (0.12, -0.11, 0.02),
    "toe": (0.125, -0.18, 0.02),
    "heel": (0.13, 0.05, 0.02), "pole": (0.1, -0.6, 0.5),
    "eye": (0.03, -0.08, 1.66), "bust": (0.08, -0.1, 1.3), "hem": (0.15, -0.1, 0.6),
}  # fmt: skip
_LEFT_RIGHT = ("Left", "Right")
_END_OF = {"head": "crown", "ball": "toe", "ankle": "ball", "wrist": "knuckle", "finger": "fingertip"}


@dataclass(frozen=True)
class Rig:
    """A family's bones, as in rig_rows, and how its skeletons differ from the plain one."""

    family: str
    rows: Sequence[str]
    sides: tuple[str, str] = ("", "")
    tips: bool = True
    twisted: bool = False  # bones with frames of their own instead of the world's
    facing: float = 0.0  # turned about Z [rad]
    lying: bool = False  # a rest pose in a Y-up file
    expected: dict[str, str] = field(default_factory=dict, init=False)

    def skeleton(self) -> Skeleton:
        placed = self._placed()
        turn = rotations.from_euler(np.array([-np.pi / 2 if self.lying else 0.0, self.facing]), (0, 2))
        return skeleton_at(placed, turn=turn, tips=self.tips, twisted=self.twisted)

    def _placed(self) -> list[tuple[str, str, np.ndarray, np.ndarray | None]]:
        placed = []
        for row in self.rows:
            segment, name, parent, point = (part.replace("~", " ") for part in row.split())
            for k, side in enumerate(self.sides):
                own, above = (text.replace("@", side).replace("#", side[:1]) for text in (name, parent))
                mirror = np.array([-1.0 if k else 1.0, 1.0, 1.0])
                end = _END_OF.get(point)
                tip = None if end is None else mirror * POINTS[end]
                placed.append((own, above, mirror * POINTS[point], tip))
                if segment != "-":
                    self.expected[segment.replace("@", "_l" if k == 0 else "_r")] = own
                if "@" not in name and "#" not in name:
                    break
        return placed


def skeleton_at(
    placed: Sequence[tuple[str, str, np.ndarray, np.ndarray | None]],
    *,
    turn: np.ndarray = rotations.IDENTITY,
    tips: bool = True,
    twisted: bool = False,
) -> Skeleton:
    """A skeleton from bones at places in the world: name, parent, head, tip of a last bone."""
    rng = np.random.default_rng(7)
    names = [row[0] for row in placed]
    parents = [-1 if row[1] == "-" else names.index(row[1]) for row in placed]
    heads = np.array([rotations.rotate(turn, np.asarray(row[2], dtype=float)) for row in placed])
    count = len(names)
    frames = np.tile(rotations.IDENTITY, (count, 1))
    if twisted:
        frames = rotations.normalise(rng.normal(size=(count, 4)))
    offsets, rest = heads.copy(), frames.copy()
    for bone, parent in enumerate(parents):
        if parent >= 0:
            back = rotations.inverse(frames[parent])
            offsets[bone] = rotations.rotate(back, heads[bone] - heads[parent])
            rest[bone] = rotations.multiply(back, frames[bone])
    ends = []
    for bone, row in enumerate(placed):
        if tips and row[3] is not None and bone not in parents:
            away = rotations.rotate(turn, row[3]) - heads[bone]
            ends.append((bone, rotations.rotate(rotations.inverse(frames[bone]), away)))
    return make_skeleton(names, parents, offsets, rest_rotations=rest, tips=ends)


OLD_BIPED = [
    row.replace("Bip01", "Bip001")
    .replace("pelvis Bip001~Pelvis", "- Bip001~Pelvis")
    .replace("abdomen Bip001~Spine", "pelvis Bip001~Spine")
    .replace("spine Bip001~Spine1", "abdomen Bip001~Spine1")
    .replace("Thigh Bip001~Pelvis", "Thigh Bip001~Spine")
    for row in rows.BIPED
]
REFERENCE_ROOT = ["- Character1_Reference - floor"] + [
    row.replace("Character1_Hips - ", "Character1_Hips Character1_Reference ") for row in rows.humanik("Character1_")
]
LAFAN1 = [row.replace("@ToeBase", "@Toe") for row in rows.humanik() if "HandIndex" not in row and "Thumb" not in row]
NEURON = [*rows.humanik(), "- @InHandIndex @Hand knuckle"]
SEVEN_SPINES_ADRIFT = [  # every deforming bone hangs on the root
    " ".join([*row.split()[:2], "root", row.split()[3]]) if row.split()[1].startswith("DEF-") else row
    for row in rows.RIGIFY_DEF
]


def families() -> dict[str, Rig]:
    lr, dot = ("L", "R"), ("l", "r")
    return {
        "CMU": Rig("CMU", rows.CMU, _LEFT_RIGHT, lying=True),
        "Acclaim": Rig("CMU (Acclaim)", rows.ACCLAIM, dot),
        "Mixamo": Rig("Mixamo", rows.humanik("mixamorig:", ends=True), _LEFT_RIGHT, tips=False, twisted=True),
        "Mixamo 1": Rig("Mixamo", rows.humanik("mixamorig1:"), _LEFT_RIGHT, facing=2.0),
        "Mixamo glTF": Rig("Mixamo", rows.humanik("mixamorig"), _LEFT_RIGHT),
        "Mixamo Char_": Rig("Mixamo", rows.humanik("Char_", ends=True), _LEFT_RIGHT, tips=False),
        "Rigify DEF": Rig("Rigify (DEF)", rows.RIGIFY_DEF, lr, twisted=True),
        "Rigify DEF adrift": Rig("Rigify (DEF)", SEVEN_SPINES_ADRIFT, lr, facing=1.0),
        "Rigify metarig": Rig("Rigify (metarig)", rows.RIGIFY_META, lr, twisted=True),
        "Unreal": Rig("Unreal", rows.UNREAL, dot, tips=False, twisted=True, facing=np.pi / 2),
        "Auto-Rig Pro": Rig("Auto-Rig Pro", rows.AUTO_RIG_PRO, dot, twisted=True),
        "VRoid": Rig("VRoid", rows.VROID, lr, facing=np.pi),
        "VRM": Rig("VRM", rows.VRM, ("left", "right"), lying=True),
        "HumanIK": Rig("HumanIK", REFERENCE_ROOT, _LEFT_RIGHT, twisted=True),
        "Bandai-Namco": Rig("Bandai-Namco", rows.BANDAI, lr, lying=True),
        "Rokoko": Rig("Rokoko", rows.ROKOKO, _LEFT_RIGHT, lying=True),
        "3ds Max Biped": Rig("3ds Max Biped", rows.BIPED, lr, tips=False, twisted=True),
        "3ds Max Biped, old": Rig("3ds Max Biped", OLD_BIPED, lr, tips=False),
        "Daz": Rig("Daz Genesis", rows.DAZ, dot),
        "SMPL": Rig("SMPL", rows.SMPL, lr, lying=True),
        "Xsens BVH": Rig("Xsens", rows.XSENS_BVH, _LEFT_RIGHT, lying=True),
        "Xsens FBX": Rig("Xsens", rows.XSENS_FBX, _LEFT_RIGHT),
        "LAFAN1": Rig("LAFAN1", LAFAN1, _LEFT_RIGHT, twisted=True),
        "Perception Neuron": Rig("Perception Neuron", NEURON, _LEFT_RIGHT),
    }


def renamed(rig: Rig, new_names: Sequence[str]) -> tuple[Skeleton, dict[str, str]]:
    """The rig's skeleton under other names, and its expected segments under them."""
    skeleton = rig.skeleton()
    names = dict(zip(skeleton.names, new_names, strict=True))
    renamed_skeleton = make_skeleton(
        list(new_names),
        skeleton.parents.tolist(),
        skeleton.offsets,
        rest_rotations=skeleton.rest_rotations,
        tips=list(zip(skeleton.tip_parents.tolist(), skeleton.tip_offsets, strict=True)),
    )
    return renamed_skeleton, {segment: names[name] for segment, name in rig.expected.items()}
