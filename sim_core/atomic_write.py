"""Writing a file whole or not at all."""

import contextlib
import os
import secrets
from pathlib import Path

from .errors import MotionFileError


def replace_file(path: str | Path, content: bytes) -> None:
    """Put content at path; whatever fails on the way, path holds either its old content or all of the new."""
    target = Path(os.path.realpath(path))  # a link stays a link, and its target is replaced
    if target.is_dir():
        raise MotionFileError(f"'{path}' is a folder; give the name of a file to write.")
    if not target.parent.is_dir():
        raise MotionFileError(f"The folder '{target.parent}' does not exist; make it first.")
    if target.exists() and not os.access(target, os.W_OK):
        raise MotionFileError(f"'{path}' is write-protected; allow writing, or choose another name.")
    draft = target.parent / f".heft-{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        _write(draft, content)
        os.replace(draft, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MotionFileError(f"'{path}' could not be written ({reason}); check folder and disk.") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _write(path: Path, content: bytes) -> None:
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # a full disk may report itself only here
