"""Writing files whole or not at all."""

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from .errors import MotionFileError, SettingsError


def replace_file(path: str | Path, content: bytes) -> None:
    """Put content at path; whatever fails on the way, path holds either its old content or all of the new."""
    replace_files({Path(path): content})


def replace_files(contents: Mapping[Path, bytes], no_way_back: Callable[[], None] = lambda: None) -> None:
    """Put every content at its path, in their order, once all of them are on the disk.

    `no_way_back` is called at the last moment at which nothing has happened yet, and may raise.
    """
    drafts = {path: _draft_of(path) for path in contents}
    try:
        for path, content in contents.items():
            with _explained(path):
                _write(drafts[path], content)
        no_way_back()
        for path, draft in drafts.items():
            with _explained(path):
                os.replace(draft, os.path.realpath(path))
    finally:
        for draft in drafts.values():
            with contextlib.suppress(OSError):
                draft.unlink()


def check_writable(paths: Sequence[Path], source: Path) -> None:
    """Says before a long run, instead of after it, that its files could not be written."""
    for number, path in enumerate(paths):
        if _same(path, source):
            raise SettingsError(f"The output '{path}' is the source itself, which is never touched; choose another.")
        if any(_same(path, other) for other in paths[:number]):
            raise SettingsError(f"'{path}' is asked for twice; give every output a name of its own.")
        check_target(path)


def check_target(path: Path) -> None:
    """Raises where a file could not be written, by trying to."""
    draft = _draft_of(path)
    try:
        with _explained(path):
            _write(draft, b"")
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _draft_of(path: Path) -> Path:
    """A name beside the target, where the target may be replaced."""
    with _explained(path):
        target = Path(os.path.realpath(path))  # a link stays a link, and its target is replaced
        if target.is_dir():
            raise MotionFileError(f"'{path}' is a folder; give the name of a file to write.")
        if target.parent.exists() and not target.parent.is_dir():
            raise MotionFileError(f"'{path}' lies below '{target.parent}', which is no folder; choose another place.")
        if not target.parent.is_dir():
            raise MotionFileError(f"The folder '{target.parent}' does not exist; make it first.")
        if target.exists() and not target.is_file():  # a device would be replaced by a file
            raise MotionFileError(f"'{path}' is not a plain file; choose another name.")
        if target.exists() and not os.access(target, os.W_OK):
            raise MotionFileError(f"'{path}' is write-protected; allow writing, or choose another name.")
    return target.parent / f".heft-{os.getpid()}-{secrets.token_hex(4)}.tmp"


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise MotionFileError(f"'{path}' could not be written ({reason}); check its name, folder and disk.") from error


def _same(one: Path, other: Path) -> bool:
    with _explained(one):
        return os.path.realpath(one) == os.path.realpath(other) or (
            one.exists() and other.exists() and one.samefile(other)
        )


def _write(path: Path, content: bytes) -> None:
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # a full disk may report itself only here
