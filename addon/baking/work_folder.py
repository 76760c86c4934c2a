"""The folder through which Blender and the worker hand each other files."""

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

_TRIES, _EVERY_S = 50, 0.1


@contextmanager
def work_folder() -> Iterator[Path]:
    """Below the temporary folder that is set in Blender; gone afterwards, or soon after."""
    folder = Path(tempfile.mkdtemp(prefix="heft-", dir=bpy.app.tempdir))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():  # Windows holds on to files of a process that is just being ended
            threading.Thread(target=_remove_patiently, args=(folder,), daemon=True).start()


def _remove_patiently(folder: Path) -> None:
    for _ in range(_TRIES):
        time.sleep(_EVERY_S)
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
