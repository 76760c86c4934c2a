"""What a clip was captured on, by its own feet: objects as a scene file has them, and a sentence for each kind."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..motion.clip import Clip
from ..reference.untwist import with_sound_feet
from ..scene_file.scene_objects import BoxShape, MeshShape, SceneObject, Triple
from ..staging.placement import Stage
from .found import FoundBox, FoundRamp
from .obstacles import find_obstacles
from .ramps import find_ramps
from .stances import feet_of, stances_of
from .steps import find_steps

_RAISED_M = 0.08  # above the floor; captures are not more exact
_DECIMALS = 3
_FACES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
_SAME_RISE = 0.35  # of a rise: stairs' differ by less


class Proposal(NamedTuple):
    objects: tuple[SceneObject, ...]
    sentences: tuple[str, ...]


def propose(clip: Clip, body: Body, stage: Stage) -> Proposal:
    """Nothing where the clip is as well off on its floor."""
    feet = feet_of(with_sound_feet(clip, body), body, stage)
    stances = stances_of(feet)
    on_floor = [stance for stance in stances if stance.height <= _RAISED_M]
    raised = [stance for stance in stances if stance.height > _RAISED_M]
    ramps, others = find_ramps(raised, on_floor)
    steps = find_steps(others, feet)
    obstacles = [] if steps or ramps else find_obstacles(stances, feet)
    objects = [
        *(_ramp_object(_numbered("Slope", k, len(ramps)), ramp, stage) for k, ramp in enumerate(ramps)),
        *(_box_object(_numbered("Step", k, len(steps)), box, stage) for k, box in enumerate(steps)),
        *(_box_object(_numbered("Obstacle", k, len(obstacles)), box, stage) for k, box in enumerate(obstacles)),
    ]
    sentences = [
        *(_ramp_sentence(ramp) for ramp in ramps),
        *_step_sentences(steps),
        *(f"An obstacle to step over, {100 * box.top:.0f} cm high." for box in obstacles),
    ]
    return Proposal(tuple(objects), tuple(sentences) or ("By its feet, nothing but the floor was under the clip.",))


def _numbered(name: str, k: int, count: int) -> str:
    return name if count == 1 else f"{name} {k + 1}"


def _box_object(name: str, box: FoundBox, stage: Stage) -> SceneObject:
    size = np.array([*(box.high - box.low), box.top])
    centre = np.array([*(0.5 * (box.low + box.high)), 0.5 * box.top])
    return SceneObject(
        name=name,
        shape=BoxShape(size=_triple(np.abs(stage.source.in_own_axes(size)))),
        position=_place(centre, stage),
        heading_deg=_heading(stage),
    )


def _ramp_object(name: str, ramp: FoundRamp, stage: Stage) -> SceneObject:
    """A wedge down to the floor, its origin where the path starts."""
    vertices = np.array(
        [
            [x, y, max(ramp.height(float(x)), 0.0) * top - 0.01 * (1 - top)]
            for top in (0, 1)
            for x in (ramp.low[0], ramp.high[0])
            for y in (ramp.low[1], ramp.high[1])
        ]
    )
    triangles = np.concatenate([_FACES[:, [0, 1, 2]], _FACES[:, [0, 2, 3]]])
    return SceneObject(
        name=name,
        shape=MeshShape(vertices=np.round(stage.source.in_own_axes(vertices), _DECIMALS), triangles=triangles),
        position=_place(np.zeros(3), stage),
        heading_deg=_heading(stage),
    )


def _place(along_path: Floats, stage: Stage) -> Triple:
    start = np.array([*stage.path[0, :2], stage.floor_m])
    return _triple(stage.source.in_own_axes(start + rotations.rotate(stage.path_turn, along_path)))


def _heading(stage: Stage) -> float:
    return round(float(np.degrees(np.arctan2(stage.onward[1], stage.onward[0]))), _DECIMALS)


def _triple(vector: Floats) -> Triple:
    x, y, z = (round(float(value), _DECIMALS) + 0.0 for value in vector)
    return x, y, z


def _ramp_sentence(ramp: FoundRamp) -> str:
    way = "up" if ramp.slope > 0.0 else "down"
    return (
        f"A slope {way} of {np.degrees(np.arctan(abs(ramp.slope))):.1f} degrees over "
        f"{ramp.high[0] - ramp.low[0]:.1f} m."
    )


def _step_sentences(steps: list[FoundBox]) -> list[str]:
    tops = sorted({round(box.top, 2) for box in steps})
    levels = [tops[0]] if tops else []
    for top in tops[1:]:
        if top - levels[-1] > _RAISED_M:
            levels.append(top)
    if len(levels) < 2:
        return [f"A block {100 * box.top:.0f} cm high." for box in steps]
    rises = np.diff([0.0, *levels])
    if np.ptp(rises) < _SAME_RISE * rises.mean():
        return [f"Stairs: {len(levels)} steps of {100 * rises.mean():.0f} cm."]
    return [f"Blocks {', '.join(f'{100 * level:.0f}' for level in levels)} cm high."]
