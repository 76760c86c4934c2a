"""Clips as .npz files of plain arrays, for the worker process; nothing in them is ever executed."""

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..atomic_write import replace_file
from ..errors import MotionFileError, RigError
from .clip import Clip
from .skeleton import Skeleton

FORMAT_VERSION = 1
# What numpy and zipfile raise, together, on files that are damaged or something else.
UNREADABLE = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, RigError),
)


def save_npz(path: str | Path, clip: Clip) -> None:
    """Write the file whole or not at all."""
    replace_file(path, npz_bytes(clip))


def npz_bytes(clip: Clip) -> bytes:
    skeleton = clip.skeleton
    buffer = io.BytesIO()
    np.savez(
        buffer,
        format_version=np.array(FORMAT_VERSION),
        names=np.array(skeleton.names, dtype=np.str_),
        parents=skeleton.parents,
        offsets=skeleton.offsets,
        rest_rotations=skeleton.rest_rotations,
        tip_parents=skeleton.tip_parents,
        tip_offsets=skeleton.tip_offsets,
        translates=skeleton.translates,
        fps=np.array(clip.fps),
        positions=clip.positions,
        rotations=clip.rotations,
    )
    return buffer.getvalue()


def load_npz(path: str | Path) -> Clip:
    path = Path(path)
    if not path.is_file():
        raise MotionFileError(f"'{path}' is not there, or not a file; check the name.")
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _clip_from(arrays)
    except UNREADABLE as error:
        raise MotionFileError(f"'{path.name}' is no whole clip ({error}); make it again.") from error


def _clip_from(arrays: dict[str, NDArray[np.generic]]) -> Clip:
    version = int(arrays["format_version"])  # type: ignore[call-overload]
    if version != FORMAT_VERSION:
        raise ValueError(f"it has format {version}, and this program reads format {FORMAT_VERSION}")
    skeleton = Skeleton(
        names=tuple(str(name) for name in arrays["names"]),
        parents=arrays["parents"].astype(np.int64),
        offsets=arrays["offsets"].astype(float),
        rest_rotations=arrays["rest_rotations"].astype(float),
        tip_parents=arrays["tip_parents"].astype(np.int64),
        tip_offsets=arrays["tip_offsets"].astype(float),
        translates=arrays["translates"].astype(bool),
    )
    clip = Clip(
        skeleton=skeleton,
        fps=float(arrays["fps"]),  # type: ignore[arg-type]
        positions=arrays["positions"].astype(float),
        rotations=arrays["rotations"].astype(float),
    )
    _check(clip)
    return clip


def _check(clip: Clip) -> None:
    bones, tips, frames = len(clip.skeleton), len(clip.skeleton.tip_parents), len(clip)
    wanted = {
        "parents": (clip.skeleton.parents, (bones,)),
        "offsets": (clip.skeleton.offsets, (bones, 3)),
        "rest_rotations": (clip.skeleton.rest_rotations, (bones, 4)),
        "tip_offsets": (clip.skeleton.tip_offsets, (tips, 3)),
        "translates": (clip.skeleton.translates, (bones,)),
        "positions": (clip.positions, (frames, bones, 3)),
        "rotations": (clip.rotations, (frames, bones, 4)),
    }
    for name, (array, shape) in wanted.items():
        if array.shape != shape:
            raise ValueError(f"'{name}' has the shape {array.shape} where {shape} is needed")
        if not np.all(np.isfinite(array)):
            raise ValueError(f"'{name}' holds values that are not numbers")
    if not 0.0 < clip.fps < np.inf:
        raise ValueError(f"its frame rate is {clip.fps}")
    if np.any((clip.skeleton.tip_parents < 0) | (clip.skeleton.tip_parents >= bones)):
        raise ValueError("a tip hangs on a bone that is not there")
