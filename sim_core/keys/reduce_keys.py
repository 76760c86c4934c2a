"""The fewest keys that keep every joint where it was.

    work = reduce_keys(tracks, tolerance_m=0.002, planted=planted, keep=(0, 119))
    reduced = yield from work                     # yields fractions, returns ReducedKeys

Watched are the head of every bone, the `points` of its track, and points a little to its sides, so that its roll is
kept too. `planted` says in which frames which bones stand still: they may leave their place by `planted_share` of the
tolerance, or less where they would slide more than before. Poses at the first and last frame and at the frames of
`keep` are kept exactly, with keys there. A curve that stays put has a single key.
"""

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..errors import SettingsError
from .curve import Curve, make_curve
from .puppet import Puppet, Rig, arrange
from .seek import seek_keys
from .thin import slide, thin
from .track import CurveKeys, ReducedKeys, Track, TrackKeys

STILL = 0.02  # of the tolerance: a curve that moves no point farther has a single key
SLIDES = 2  # how often keys are moved to better frames before the rest is thinned again
SPARING = 0.8  # of the tolerance: what may be spent at first, so that no bone takes all that bones share
MORE_SLIDING = 1.05  # planted points may move this much faster on average; soles, nearer to rest, notice it doubly
SLIDING = 0.003  # of the tolerance a frame: and this much, so that feet nailed to the ground may have few keys too
STRICTER = 0.25  # what is left of the planted share when points slide too much
ATTEMPTS = 3


def reduce_keys(
    tracks: Sequence[Track],
    *,
    tolerance_m: float = 0.002,
    planted: Bools | None = None,  # (T, tracks)
    planted_share: float = 0.25,
    keep: Sequence[int] = (),  # rows, from 0
) -> Generator[float, None, ReducedKeys]:
    """Yields its fraction after every few milliseconds of work."""
    frames = _frame_count(tracks)
    if tolerance_m <= 0.0 or planted_share <= 0.0:
        raise SettingsError("Keys cannot be reduced without a tolerance; choose one above zero, such as 2 mm.")
    rig = arrange(tracks, frames)
    pinned = np.zeros(frames, dtype=bool)
    pinned[[0, frames - 1, *keep]] = True
    keys: dict[tuple[int, bool], Ints] = {}
    for attempt in range(ATTEMPTS):
        puppet = Puppet(rig)
        for _ in puppet.pose_afresh():
            yield attempt / ATTEMPTS
        puppet.settle(tolerance_m, planted, planted_share * STRICTER**attempt)
        curves: list[Curve] = []
        for bone, turns in _keyed(rig):
            curves.append(make_curve(puppet, bone, turns, pinned, keys.get((bone, turns))))
            yield attempt / ATTEMPTS
        for fraction in _reduce(puppet, curves):
            yield (attempt + fraction) / ATTEMPTS
        keys = {(curve.bone, curve.turns): curve.knots for curve in curves}
        if not _slides_more(puppet, tolerance_m):
            break
    return _result(tracks, puppet, curves)


def _reduce(puppet: Puppet, curves: Sequence[Curve]) -> Iterator[float]:
    moving = []
    for curve in curves:
        puppet.set_channels(curve.bone, curve.turns, curve.samples)
        if curve.strain_alone().max() > STILL:
            moving.append(curve)
        yield 0.0
    for done, _ in enumerate(seek_keys(puppet, moving)):
        yield 0.4 * done / (done + 10.0 * len(curves))  # how long it takes is not known
    passes = [thin(puppet, moving, SPARING**2)]
    for _ in range(SLIDES):
        passes += [slide(puppet, moving, 1.0), thin(puppet, moving, 1.0)]
    for number, work in enumerate(passes):
        for fraction in work:
            yield 0.4 + 0.6 * (number + fraction) / len(passes)
    # Afresh from the keys themselves: what is reported is what a player of the curves sees.
    for curve in curves:
        curve.resample()
        puppet.set_channels(curve.bone, curve.turns, curve.samples)
        yield 1.0
    for _ in puppet.pose_afresh():
        yield 1.0


def _keyed(rig: Rig) -> Iterator[tuple[int, bool]]:
    for bone, track in enumerate(rig.tracks):
        if track.rotation is not None:
            yield bone, True
        if track.location is not None:
            yield bone, False


def _slides_more(puppet: Puppet, tolerance_m: float) -> bool:
    both = puppet.planted[1:] & puppet.planted[:-1]
    if not both.any():
        return False
    before, after = (np.linalg.norm(np.diff(p, axis=0), axis=-1)[both].mean() for p in (puppet.wanted, puppet.points))
    return bool(after > before * MORE_SLIDING + tolerance_m * SLIDING)


def _result(tracks: Sequence[Track], puppet: Puppet, curves: Sequence[Curve]) -> ReducedKeys:
    off: Floats = np.linalg.norm(puppet.points - puppet.wanted, axis=-1)
    keys = {
        (int(puppet.rig.rows[curve.bone]), curve.turns): CurveKeys(
            frames=curve.knots, values=curve.nodes[:, 0], slopes=curve.nodes[:, 1]
        )
        for curve in curves
    }
    return ReducedKeys(
        tracks=tuple(
            TrackKeys(name=track.name, rotation=keys.get((row, True)), location=keys.get((row, False)))
            for row, track in enumerate(tracks)
        ),
        error_m=float(off.max()),
        planted_error_m=float(np.max(off, where=puppet.planted, initial=0.0)),
        key_count=sum(len(curve.knots) * curve.wanted.shape[1] for curve in curves),
        every_frame_key_count=sum(curve.wanted.size for curve in curves),
    )


def _frame_count(tracks: Sequence[Track]) -> int:
    counts = {len(c) for track in tracks for c in (track.rotation, track.location) if c is not None}
    if len(counts) != 1:
        raise SettingsError("Keys can be reduced only where bones have channels, all with equally many frames.")
    return counts.pop()
