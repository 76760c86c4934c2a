"""Small takes to draw."""

from types import ModuleType

import numpy as np

NAMES = ("pelvis", "chest", "shin_l", "foot_l")


def made_take(module: ModuleType, frames: int = 6, **changes):
    """A pelvis, a round chest, a shin and a foot that float by at 1 m/s; `module` is the one whose Take it shall be."""
    links = len(NAMES)
    origins = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.3], [0.1, 0.0, 0.5], [0.1, 0.0, 0.1]])
    moved = origins + np.arange(frames)[:, None, None] * np.array([0.0, 1.0 / 24.0, 0.0])
    still = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, links, 4))
    capsule = np.zeros((links, 7))
    capsule[0] = [-0.1, 0, 0, 0.1, 0, 0, 0.1]
    capsule[1] = [0, 0, 0.1, 0, 0, 0.1, 0.12]  # a ball
    capsule[2] = [0, 0, 0, 0, 0, -0.3, 0.05]
    box = np.zeros((links, 15))
    box[3] = [0, 0.05, -0.06, *np.eye(3).ravel(), 0.04, 0.12, 0.04]
    nothing = np.zeros((frames, 3))
    fields = {
        "fps": 24.0,
        "mass_kg": 70.0,
        "gravity": 9.81,
        "ground_point": np.zeros(3),
        "ground_normal": np.array([0.0, 0.0, 1.0]),
        "link_names": NAMES,
        "link_bones": NAMES,
        "box_mask": np.array([False, False, False, True]),
        "capsule": capsule,
        "box": box,
        "before_positions": moved,
        "before_rotations": still,
        "after_positions": moved,
        "after_rotations": still,
        "com_before": moved[:, 0],
        "com_after": moved[:, 0],
        "contact_force": np.zeros((frames, links, 3)),
        "contact_point": np.full((frames, links, 3), np.nan),
        "planted": np.zeros((frames, links), dtype=bool),
        "support_starts": np.zeros(frames + 1, dtype=np.int32),
        "support_points": np.zeros((0, 3)),
        "assist_force": nothing,
        "assist_torque": nothing,
        "assist_bw": np.zeros(frames),
        "push_force": nothing,
        "push_point": np.full((frames, 3), np.nan),
        "pull_force": nothing,
        "pull_point": np.full((frames, 3), np.nan),
        **{f"{what}_{side}": np.zeros(frames) for what in ("skate", "error", "height") for side in ("before", "after")},
    }
    return module.Take(**(fields | changes))
