"""All bones and watched points of a rig over time; one bone's channels change, and everything below it follows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats, Ints
from .channels import channel_rotations
from .track import Track

SIDE_M = 0.05  # points this far from each bone's head, along X and Z, are watched too: they tell how it is turned


@dataclass(frozen=True, kw_only=True, eq=False)
class Rig:
    """The tracks with every parent right before all that hangs on it, so that a bone's subtree is a slice."""

    tracks: tuple[Track, ...]
    rows: Ints  # (J,) where each of these tracks was in the list given
    parents: Ints  # (J,)
    ends: Ints  # (J,) the subtree of bone b is b .. ends[b]
    before: tuple[Floats, ...]  # each (T, 4, 4)
    frames: int


class Puppet:
    """The rig in motion: where its bones and points are now, and where the points belong.

    Made in poses that nobody has asked for yet: `pose_afresh` poses it, `settle` says that it is right so.
    """

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.channels = [(track.rotation, track.location) for track in rig.tracks]
        self.world = np.zeros((len(rig.tracks), rig.frames, 4, 4))
        self.offsets = _watched(rig)  # of each bone, (N, 3)
        counts = [len(points) for points in self.offsets]
        self.owner = np.repeat(np.arange(len(counts)), counts)  # (P,) the bone of each point
        self.first_point = np.concatenate([[0], np.cumsum(counts)])  # of each bone, and one past the last
        self.points = np.zeros((rig.frames, len(self.owner), 3))
        self.wanted = self.points
        self.planted = np.zeros(self.points.shape[:2], dtype=bool)
        self.weight = np.ones(self.points.shape[:2])  # 1 / tolerance^2: squared errors become parts of the allowed

    def settle(self, tolerance_m: float, planted: Bools | None, planted_share: float) -> None:
        """The points belong where they are now; `planted` (T, J) is in the order of the tracks as they were given."""
        self.wanted = self.points.copy()
        if planted is not None:
            self.planted = np.asarray(planted, dtype=bool)[:, self.rig.rows][:, self.owner]
        self.weight = 1.0 / np.square(np.where(self.planted, tolerance_m * planted_share, tolerance_m))

    def subtree(self, bone: int) -> slice:
        """The points of the bone and of all below it."""
        return slice(int(self.first_point[bone]), int(self.first_point[self.rig.ends[bone]]))

    def strain(self, window: slice, points: slice) -> Floats:
        """Squared distances from where points belong, as parts of the tolerance squared: (window, points)."""
        off = self.points[window, points] - self.wanted[window, points]
        squared: Floats = np.einsum("tpi,tpi->tp", off, off) * self.weight[window, points]
        return squared

    def before_basis(self, bone: int, window: slice) -> Floats:
        """The bone's frame before its channels act (F, 4, 4)."""
        parent = self.rig.parents[bone]
        own = self.rig.before[bone][window]
        return own if parent < 0 else self.world[parent, window] @ own

    def world_with(self, bone: int, window: slice, turns: bool, samples: Floats) -> Floats:
        """Where the bone would be in these frames with another rotation (or location) (F, 4, 4)."""
        rotation, location = (None if own is None else own[window] for own in self.channels[bone])
        rotation, location = (samples, location) if turns else (rotation, samples)
        return self.before_basis(bone, window) @ basis_matrices(self.rig.tracks[bone], rotation, location)

    def points_with(self, bone: int, window: slice, world: Floats) -> tuple[Floats, Floats]:
        """(change of the world, points of the subtree) if the bone were there."""
        change = world @ np.linalg.inv(self.world[bone, window])
        moved = self.points[window, self.subtree(bone)] @ change[:, :3, :3].transpose(0, 2, 1)
        return change, moved + change[:, None, :3, 3]

    def move(self, bone: int, window: slice, change: Floats, points: Floats) -> None:
        self.world[bone : self.rig.ends[bone], window] = change @ self.world[bone : self.rig.ends[bone], window]
        self.points[window, self.subtree(bone)] = points

    def set_channels(self, bone: int, turns: bool, samples: Floats) -> None:
        """The array itself is kept: later changes in it are seen. Bones move only with `move` or `pose_afresh`."""
        rotation, location = self.channels[bone]
        self.channels[bone] = (samples, location) if turns else (rotation, samples)

    def pose_afresh(self) -> Iterator[None]:
        """Forward kinematics of every frame, from the channels."""
        for bone, parent in enumerate(self.rig.parents):
            own = self.rig.before[bone] @ basis_matrices(self.rig.tracks[bone], *self.channels[bone])
            world = own if parent < 0 else self.world[parent] @ own
            self.world[bone] = world
            points = slice(int(self.first_point[bone]), int(self.first_point[bone + 1]))
            self.points[:, points] = self.offsets[bone] @ world[:, :3, :3].transpose(0, 2, 1) + world[:, None, :3, 3]
            yield


def arrange(tracks: Sequence[Track], frames: int) -> Rig:
    """The tracks in depth-first order."""
    children: dict[int, list[int]] = {}
    for row, track in enumerate(tracks):
        children.setdefault(track.parent, []).append(row)
    rows: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        row = waiting.pop()
        rows.append(row)
        waiting.extend(reversed(children.get(row, [])))
    place = {row: bone for bone, row in enumerate(rows)}
    parents = np.array([place.get(tracks[row].parent, -1) for row in rows], dtype=np.int64)
    ends = np.arange(1, len(rows) + 1)
    for bone in range(len(rows) - 1, -1, -1):
        if parents[bone] >= 0:
            ends[parents[bone]] = max(ends[parents[bone]], ends[bone])
    return Rig(
        tracks=tuple(tracks[row] for row in rows),
        rows=np.array(rows, dtype=np.int64),
        parents=parents,
        ends=ends,
        before=tuple(np.broadcast_to(tracks[row].before, (frames, 4, 4)) for row in rows),
        frames=frames,
    )


def basis_matrices(track: Track, rotation: Floats | None, location: Floats | None) -> Floats:
    """What a bone's channels make of its frame: (F, 4, 4), or (1, 4, 4) of a bone without any."""
    frames = max((len(channels) for channels in (rotation, location) if channels is not None), default=1)
    matrices = np.tile(np.eye(4), (frames, 1, 1))
    if rotation is not None:
        matrices[:, :3, :3] = rotations.to_matrix(channel_rotations(track.rotation_kind, rotation))
    if location is not None:
        matrices[:, :3, 3] = location
    return matrices


def _watched(rig: Rig) -> list[Floats]:
    """The points to watch on each bone: its head, those of its track, and some to its sides."""
    offsets = []
    scales: list[Floats] = []  # metres in a bone's unit along each of its axes: channels may be in other units
    for track, parent, before in zip(rig.tracks, rig.parents, rig.before, strict=True):
        scale = np.linalg.norm(before[0, :3, :3], axis=0) * (np.mean(scales[parent]) if parent >= 0 else 1.0)
        scales.append(scale)
        sides = np.diag(SIDE_M / np.maximum(scale, 1e-9))[[0, 2]]
        offsets.append(np.concatenate([np.zeros((1, 3)), np.reshape(track.points, (-1, 3)), sides]))
    return offsets
