"""BVH texts that tests share: a small biped, and the same with anything exchanged."""

import numpy as np

from sim_core.motion.bvh import BvhDocument, parse_bvh

# name, parent, offset in centimetres, end site: a T-pose of 170 cm, Y up, facing +Z.
JOINTS = [
    ("Hips", None, (0, 0, 0), None),
    ("LeftUpLeg", "Hips", (10, -3, 0), None),
    ("LeftLeg", "LeftUpLeg", (0, -43, 0), None),
    ("LeftFoot", "LeftLeg", (0, -42, 0), (0, -8, 15)),
    ("RightUpLeg", "Hips", (-10, -3, 0), None),
    ("RightLeg", "RightUpLeg", (0, -43, 0), None),
    ("RightFoot", "RightLeg", (0, -42, 0), (0, -8, 15)),
    ("Spine", "Hips", (0, 10, 0), None),
    ("Chest", "Spine", (0, 20, 0), None),
    ("Head", "Chest", (0, 24, 0), (0, 20, 0)),
    ("LeftArm", "Chest", (18, 16, 0), None),
    ("LeftForeArm", "LeftArm", (28, 0, 0), None),
    ("LeftHand", "LeftForeArm", (26, 0, 0), (12, 0, 0)),
    ("RightArm", "Chest", (-18, 16, 0), None),
    ("RightForeArm", "RightArm", (-28, 0, 0), None),
    ("RightHand", "RightForeArm", (-26, 0, 0), (-12, 0, 0)),
]
ROOT_CHANNELS = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
JOINT_CHANNELS = "3 Zrotation Yrotation Xrotation"


def biped_text(
    *,
    frames: int = 6,
    joint_channels: str = JOINT_CHANNELS,
    frame_time: str = "0.0333333",
    scale: float = 1.0,
) -> str:
    lines = ["HIERARCHY"]
    _add_joint(lines, 0, 0, joint_channels, scale)
    values = biped_values(frames, int(joint_channels.split()[0]), scale)
    lines += ["MOTION", f"Frames: {frames}", f"Frame Time: {frame_time}"]
    lines += [" ".join(f"{value:.6f}" for value in row) for row in values]
    return "\n".join(lines) + "\n"


def biped(**options: object) -> BvhDocument:
    return parse_bvh(biped_text(**options), "biped.bvh")  # type: ignore[arg-type]


def biped_values(frames: int, per_joint: int, scale: float = 1.0) -> np.ndarray:
    """Smooth motion: arms hang, legs swing, the figure walks along +Z."""
    time = np.arange(frames) / 30.0
    values = np.zeros((frames, 6 + per_joint * (len(JOINTS) - 1)))
    values[:, 1], values[:, 2] = 96.0 * scale, 120.0 * scale * time
    for joint in range(1, len(JOINTS)):
        swing = 20.0 * np.sin(6.0 * time + joint)
        for channel in range(per_joint):
            values[:, 6 + per_joint * (joint - 1) + channel] = swing / (1 + channel) + 3.0 * channel
    return values


def _add_joint(lines: list[str], index: int, depth: int, joint_channels: str, scale: float) -> None:
    name, parent, offset, tip = JOINTS[index]
    tabs = "\t" * depth
    lines += [
        f"{tabs}{'JOINT' if parent else 'ROOT'} {name}",
        f"{tabs}{{",
        f"{tabs}\t{_offset(offset, scale)}",
    ]
    lines += [f"{tabs}\tCHANNELS {joint_channels if parent else ROOT_CHANNELS}"]
    for child, row in enumerate(JOINTS):
        if row[1] == name:
            _add_joint(lines, child, depth + 1, joint_channels, scale)
    if tip:
        lines += [f"{tabs}\tEnd Site", f"{tabs}\t{{", f"{tabs}\t\t{_offset(tip, scale)}", f"{tabs}\t}}"]
    lines.append(f"{tabs}}}")


def _offset(offset: tuple[float, float, float], scale: float) -> str:
    return "OFFSET " + " ".join(f"{scale * value:.6f}" for value in offset)
