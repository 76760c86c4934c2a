"""Where the worker process finds Python, Heft and its libraries."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from ...sim_core.errors import HeftError
from .user_folder import user_folder

_COMPILED = "compiled"
_ROOT = Path(__file__).parents[2]  # the folder in which `python -m sim_core` works


def worker_command(arguments: Sequence[str]) -> list[str]:
    return [worker_python(), "-m", "sim_core", *arguments]


def worker_python() -> str:
    """The Python that Blender brings along. Some builds name themselves as sys.executable."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    prefix = Path(sys.prefix)
    candidates = [
        Path(sys.executable or ""),
        *(prefix / "bin" / name for name in (version, "python3", "python")),
        *(prefix / name for name in ("bin/python.exe", "python.exe", "Scripts/python.exe")),
    ]
    for path in candidates:
        if path.name.lower().startswith("python") and path.is_file():
            return str(path)
    raise HeftError(
        f"This Blender has no Python program of its own in '{prefix}'; install Blender from blender.org and try again."
    )


def worker_environment() -> dict[str, str]:
    """This process's environment, with the worker's own way to its libraries.

    Only PYTHONPATH leads to them: the person's own Python packages may not get in the way.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    folders = [_ROOT, *_wheel_folders(), Path(np.__file__).parents[1]]
    return environment | {
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(map(str, folders))),
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",  # the worker's own folder, which is a temporary one, is no place to import from
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **_compiled_files(),
    }


def forget_compiled() -> None:
    """After a failure: a disk that was full leaves half of a compiled file, on which every later worker would fail."""
    folder = user_folder(_COMPILED)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _wheel_folders() -> list[Path]:
    """Where Blender unpacks the wheels of extensions; it puts this folder on its own path."""
    local = Path(bpy.utils.user_resource("EXTENSIONS")) / ".local"
    return [Path(entry) for entry in sys.path if local in Path(entry).parents]


def _compiled_files() -> dict[str, str]:
    """Compiled files go into the person's folder: the extension's own may be write-protected, and is left alone."""
    folder = user_folder(_COMPILED)
    return {"PYTHONDONTWRITEBYTECODE": "1"} if folder is None else {"PYTHONPYCACHEPREFIX": str(folder)}
