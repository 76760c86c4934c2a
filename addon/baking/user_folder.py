"""The folder in which the extension may write, and what it notes there when it fails."""

import contextlib
import tempfile
import traceback
from pathlib import Path

import bpy

_PACKAGE = __package__.rpartition(".addon")[0]  # the extension, as Blender calls it


def user_folder(name: str = "") -> Path | None:
    """A folder of the person's own that outlives updates of the extension; None where there can be none."""
    try:
        return Path(bpy.utils.extension_path_user(_PACKAGE, path=name, create=True))
    except (ValueError, OSError):
        return None


def note_fault(error: BaseException) -> str:
    """Write down where a fault of our own happened; returns the sentence that tells the person."""
    path = (user_folder() or Path(tempfile.gettempdir())) / "heft-fault.txt"
    where = ""
    with contextlib.suppress(OSError):
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8", errors="backslashreplace")
        where = f" with the file '{path}'"
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"Heft met a fault of its own ({said[:200]}); nothing was changed, and it helps to report it{where}."
