"""A source whose frames are made anew from its own: played in another order, with simulated bones placed elsewhere."""

from dataclasses import replace

import numpy as np

from ..arrays import Floats, Ints
from .clip import Clip
from .source_clip import SourceClip


def of_rows(source: SourceClip, rows: Ints) -> SourceClip:
    """Its frames in another order, any of them as often as it is named."""
    clip, document = source.clip, source.document
    return replace(
        source,
        clip=replace(clip, positions=clip.positions[rows], rotations=clip.rotations[rows]),
        document=None if document is None else replace(document, values=document.values[rows]),
    )


def with_clip(source: SourceClip, clip: Clip, first: int) -> SourceClip:
    """With frames of another clip in place of all from the first on; as many."""
    positions, turns = source.clip.positions.copy(), source.clip.rotations.copy()
    positions[first:], turns[first:] = clip.positions, clip.rotations
    return replace(source, clip=replace(source.clip, positions=positions, rotations=turns))


def nearest_rows(places: Floats, count: int) -> Ints:
    """The frames nearest to places between them."""
    rows: Ints = np.clip(np.round(places), 0, count - 1).astype(np.int64)
    return rows
