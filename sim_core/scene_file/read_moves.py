"""How an object of a scene file moves: pose for pose, or by shakes and slides."""

import numpy as np

from .json_part import JsonPart
from .scene_objects import Moves, PosesInFrames, Shake, Slide

_POSE_KEYS = ("frame", "positions", "rotations")
_MOST_HERTZ = 20.0
_STILL = 1e-9


def read_moves(part: JsonPart) -> Moves:
    if isinstance(part.value, list):
        if not part.value:
            part.refuse("is empty; give the object a motion, or leave it out")
        return tuple(_swing(item) for item in part.items())
    part.check_keys((*_POSE_KEYS, "shake", "slide"))
    if part.has("shake") or part.has("slide"):
        return (_swing(part),)
    return _poses(part)


def _swing(part: JsonPart) -> Shake | Slide:
    part.check_keys(("shake", "slide"))
    if part.has("shake") == part.has("slide"):
        part.refuse("needs either 'shake' or 'slide'; make a list of them for more")
    if part.has("shake"):
        shake = part.part("shake")
        shake.check_keys(("axis", "degrees", "hertz"))
        return Shake(
            axis=shake.part("axis").direction("to turn about"),
            degrees=shake.part("degrees").size(180.0),
            hertz=shake.part("hertz").size(_MOST_HERTZ),
        )
    slide = part.part("slide")
    slide.check_keys(("along", "metres", "hertz"))
    return Slide(
        along=slide.part("along").direction("to go along"),
        metres=slide.part("metres").size(100.0),
        hertz=slide.part("hertz").size(_MOST_HERTZ),
    )


def _poses(part: JsonPart) -> PosesInFrames:
    if not (part.has("positions") or part.has("rotations")):
        part.refuse("has no 'positions' and no 'rotations'; animate the object, or leave 'moves' out")
    frame = part.part("frame").whole(-(10**9), 10**9)
    positions = part.part("positions").rows(3) if part.has("positions") else None
    turns = part.part("rotations").rows(4) if part.has("rotations") else None
    if positions is not None and turns is not None and len(positions) != len(turns):
        part.refuse(f"has {len(positions)} positions and {len(turns)} rotations; give one of each for every frame")
    if turns is not None:
        if (np.linalg.norm(turns, axis=1) < _STILL).any():
            part.part("rotations").refuse("has a rotation of four zeros; give quaternions as [w, x, y, z]")
        turns = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    given = [rows for rows in (positions, turns) if rows is not None]
    if all(np.ptp(rows, axis=0).max() < _STILL for rows in given):
        part.refuse("has no motion, every frame is the same; animate the object, or leave 'moves' out")
    return PosesInFrames(frame=frame, positions=positions, rotations=turns)
