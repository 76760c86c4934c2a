"""What a curve of the new action holds before and after the baked frames: the source's motion, frame by frame."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...sim_core.arrays import Floats, Ints
from .curve_keys import LINEAR, Keys, baked_keys, joined, key_frames, read_keys, steady_handles, with_last_interpolation

if TYPE_CHECKING:
    from bpy.types import FCurve


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameRange:
    """The baked frames, and how far the source's motion goes beyond them (the range itself, where it does not)."""

    start: int
    end: int
    source_start: int
    source_end: int

    @property
    def before(self) -> Ints:
        return np.arange(min(self.source_start, self.start), self.start)

    @property
    def after(self) -> Ints:
        return np.arange(self.end + 1, max(self.source_end, self.end) + 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class OutsideKeys:
    before: Keys
    after: Keys


def keys_of_source(curve: "FCurve", frames: FrameRange) -> OutsideKeys:
    """The source's own keys outside the range; samples where the range cuts through a piece of the curve.

    Modifiers and straight extrapolation reach across keys, so that such curves are sampled altogether.
    """
    if not len(curve.keyframe_points) or len(curve.modifiers) or curve.extrapolation == "LINEAR":
        return OutsideKeys(before=_sampled(curve, frames.before), after=_sampled(curve, frames.after))
    places = key_frames(curve)
    before = after = baked_keys([], [])
    if np.any((places < frames.start) | (places > frames.end)):
        keys = steady_handles(read_keys(curve))
        before = keys.where(places < frames.start)
        after = keys.where(places > frames.end) if len(frames.after) else after
    if len(frames.before):
        first = int(np.floor(before.frames[-1])) + 1 if len(before) else frames.start - 1
        cut = _sampled(curve, np.arange(first, frames.start))
        before = joined([with_last_interpolation(before, LINEAR), cut])
    if len(frames.after):
        last = int(np.ceil(after.frames[0])) if len(after) else frames.end + 2
        cut = _sampled(curve, np.arange(frames.end + 1, last))
        after = joined([cut, after])
    return OutsideKeys(before=before, after=after)


def keys_of_values(frames: FrameRange, before: Floats, after: Floats) -> OutsideKeys:
    """Keys for values that the source had at every frame before and after; what stays put needs one key."""
    return OutsideKeys(
        before=_thinned(frames.before, before, keep=-1),
        after=_thinned(frames.after, after, keep=0),
    )


def _thinned(frames: Ints, values: Floats, keep: int) -> Keys:
    if len(frames) and np.ptp(values) == 0.0:
        return baked_keys(frames[[keep]], values[[keep]])
    return baked_keys(frames, values)


def _sampled(curve: "FCurve", frames: Ints) -> Keys:
    return baked_keys(frames, [curve.evaluate(frame) for frame in frames])
