"""The way of an object that moves, from what the scene file says of it."""

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..scene_file.scene_objects import PosesInFrames, SceneObject, Shake, Slide
from ..world.track import Poses, Track
from .placement import Stage

_EASED_IN_S = 0.5
_SAMPLES_A_SECOND = 100.0
_AFTERWARDS_S = 5.0  # what shakes goes on for this long after the clip's end


def track_of(each: SceneObject, place: Poses, stage: Stage) -> Track | None:
    if not each.moves:
        return None
    if isinstance(each.moves, PosesInFrames):
        return _in_frames(each.moves, place, stage)
    return _swinging(each.moves, place, stage)


def _in_frames(moves: PosesInFrames, place: Poses, stage: Stage) -> Track:
    count = len(moves.positions if moves.positions is not None else moves.rotations)  # type: ignore[arg-type]
    positions, turns = np.tile(place.positions, (count, 1)), np.tile(place.turns, (count, 1))
    if moves.positions is not None:
        positions = stage.source.from_own_axes(moves.positions)
    if moves.rotations is not None:
        turns = rotations.continuous(stage.turn_from_own_axes(moves.rotations))
    times = (moves.frame - stage.first_frame + np.arange(count)) / stage.fps
    return Track(times=times, positions=positions, turns=turns)


def _swinging(moves: tuple[Shake | Slide, ...], place: Poses, stage: Stage) -> Track:
    """About and along the object's own axes, as it is placed."""
    end_s = stage.end_s + _AFTERWARDS_S
    times = np.linspace(0.0, end_s, int(np.ceil(end_s * _SAMPLES_A_SECOND)) + 1)
    slid, shaken = np.zeros((2, len(times), 3))
    for swing in moves:
        vector = swing.along if isinstance(swing, Slide) else swing.axis
        own = stage.source.from_own_axes(np.array(vector))
        size = swing.metres if isinstance(swing, Slide) else np.radians(swing.degrees)
        course = _eased(times) * size * np.sin(2.0 * np.pi * swing.hertz * times)
        (slid if isinstance(swing, Slide) else shaken)[:] += course[:, None] * own / np.linalg.norm(own)
    return Track(
        times=times,
        positions=place.to_world(slid),
        turns=rotations.multiply(place.turns, rotations.exp(shaken)),
    )


def _eased(times: Floats) -> Floats:
    share = np.clip(times / _EASED_IN_S, 0.0, 1.0)
    eased: Floats = share**2 * (3.0 - 2.0 * share)
    return eased
