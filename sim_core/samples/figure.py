"""The figure of all samples: 14 bones with DeepMimic's proportions, names and axes as most BVH files have them.

Every bone's frame has x to the figure's left, y up and z forward when it stands; the arms hang down.
Joint places: Peng et al. 2018, "DeepMimic", humanoid3d, which is 1.69 m tall by the length of its legs.
"""

from typing import TypeAlias

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body import anthropometry
from ..motion.skeleton import Skeleton, make_skeleton

THIGH, SHIN = 0.421546, 0.40987  # [m]
ANKLE_HEIGHT = anthropometry.ANKLE_HEIGHT * (THIGH + SHIN) / anthropometry.LEG_LENGTH  # [m] above the sole

# Turns a figure that stands along Y, as its bones do, into a world with Z up, where it faces -Y as Blender's front view
# expects.
STANDING = rotations.about_axis(0, np.array(0.5 * np.pi))

_Limb: TypeAlias = tuple[tuple[str, str | None, tuple[float, float, float]], ...]  # bone, parent, place on it [m]

_TRUNK: _Limb = (
    ("Hips", None, (0.0, 0.0, 0.0)),
    ("Chest", "Hips", (0.0, 0.236151, 0.0)),
    ("Neck", "Chest", (0.0, 0.223894, 0.0)),
    ("Head", "Neck", (0.0, 0.1, 0.0)),
)
_LEFT_ARM: _Limb = (
    ("Arm", "Chest", (0.18311, 0.2435, -0.02405)),
    ("ForeArm", "Arm", (0.0, -0.274788, 0.0)),
)
_LEFT_LEG: _Limb = (
    ("UpLeg", "Hips", (0.084887, 0.0, 0.0)),
    ("Leg", "UpLeg", (0.0, -THIGH, 0.0)),
    ("Foot", "Leg", (0.0, -SHIN, 0.0)),
)
_TIPS = {
    "Head": (0.0, 0.233, 0.0),  # the top of the head, at the figure's height
    "ForeArm": (0.0, -0.3, 0.0),  # the palm
    "Foot": (0.0, -ANKLE_HEIGHT, 0.2),  # the toes, on the sole
}
_MIRROR = np.array([-1.0, 1.0, 1.0])


def make_figure() -> Skeleton:
    """Bones in depth-first order, as a BVH file lists them."""
    names: list[str] = []
    parents: list[int] = []
    offsets: list[Floats] = []
    limbs = [("", _TRUNK), *((side, limb) for limb in (_LEFT_ARM, _LEFT_LEG) for side in ("Left", "Right"))]
    for side, limb in limbs:
        for name, parent, offset in limb:
            above = parent if parent in names else f"{side}{parent}"
            parents.append(-1 if parent is None else names.index(above))
            names.append(side + name)
            offsets.append(np.array(offset) * (_MIRROR if side == "Right" else 1.0))
    offsets[0] = np.array([0.0, 0.0, ANKLE_HEIGHT + THIGH + SHIN])  # the root's place is in the world, Z up
    rest = np.tile(rotations.IDENTITY, (len(names), 1))
    rest[0] = STANDING
    tips = [(bone, _TIPS[kind]) for bone, name in enumerate(names) if (kind := _without_side(name)) in _TIPS]
    return make_skeleton(names, parents, np.array(offsets), rest_rotations=rest, tips=tips)


def _without_side(name: str) -> str:
    return name.removeprefix("Left").removeprefix("Right")
