"""The states that bakes passed through, kept for Re-Simulate From Here: on this computer, never in the .blend.

They are only worth time: when they are gone, the whole take can be baked again.
"""

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from .user_folder import user_folder

MOST_TAKES = 20
MOST_BYTES = 500_000_000
_FOLDER, _ENDING = "states", ".npz"


def new_take_id() -> str:
    return str(uuid.uuid4())


def kept_states(take_id: str) -> Path | None:
    """The file with the states of a take; None where it is gone or was never kept."""
    path = _path(take_id)
    return path if path is not None and path.is_file() else None


def keep_states(written: Path, take_id: str) -> None:
    """Copies what the worker wrote; where that is impossible the take is none the worse for it."""
    path = _path(take_id)
    if path is None:
        return
    half = path.with_suffix(".half")
    with contextlib.suppress(OSError):
        try:
            if written.stat().st_size <= MOST_BYTES:
                shutil.copyfile(written, half)
                os.replace(half, path)
        finally:
            half.unlink(missing_ok=True)
    _prune(path.parent)


@contextlib.contextmanager
def forgotten_unless_done(take_id: str) -> Iterator[None]:
    """A bake that fails leaves no states: they would take the place of those of a take."""
    try:
        yield
    except BaseException:
        path = kept_states(take_id)
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        raise


def _path(take_id: str) -> Path | None:
    """None for what is no id: it comes out of a .blend, and must not lead out of the folder."""
    try:
        name = str(uuid.UUID(take_id))
    except ValueError:
        return None
    folder = user_folder(_FOLDER)
    return None if folder is None else folder / f"{name}{_ENDING}"


def _prune(folder: Path) -> None:
    """Only the newest stay, as many as are allowed."""
    files: list[tuple[int, int, Path]] = []  # when it was written, its size
    for path in folder.glob(f"*{_ENDING}"):
        with contextlib.suppress(OSError):  # another Blender was faster
            found = path.stat()
            files.append((found.st_mtime_ns, found.st_size, path))
    taken = 0
    for place, (_, size, path) in enumerate(sorted(files, reverse=True)):
        taken += size
        if place >= MOST_TAKES or taken > MOST_BYTES:
            with contextlib.suppress(OSError):  # Windows: it is being read
                path.unlink(missing_ok=True)
