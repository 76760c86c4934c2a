"""The built zip, installed into a throw-away user folder of the Blender that runs as this process.

Tests, samples, demo and benchmarks all run the extension as a user gets it. Import this before bpy.
"""

import atexit
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from scripts.build_extension import ROOT, this_platform

PACKAGE = "bl_ext.user_default.heft"


def use_temporary_user_folder() -> None:
    """Blender reads it when bpy is first imported. Spaces and letters beyond ASCII are what users have in paths."""
    folder = tempfile.mkdtemp(prefix="heft üser ")
    os.environ["BLENDER_USER_RESOURCES"] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def leave(status: int) -> NoReturn:
    """End this process at once: once it generated a Rigify rig, Blender hangs (4.5) or crashes (4.2) as it ends."""
    import bpy

    for folder in (os.environ["BLENDER_USER_RESOURCES"], bpy.app.tempdir):
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def zip_to_install() -> Path:
    """HEFT_ZIP, else the newest one built for this platform."""
    if named := os.environ.get("HEFT_ZIP"):
        return Path(named).resolve()
    name = f"*-{this_platform().replace('-', '_')}.zip"
    zips = [*ROOT.glob(f"build/zip/{name}"), *ROOT.glob(f"dist/{name}")]
    if not zips:
        raise SystemExit("There is no zip of the extension to install: run 'make zip', or set HEFT_ZIP to one.")
    return max(zips, key=lambda path: path.stat().st_mtime)


def install(zip_path: Path, *, linked: bool = False) -> Path:
    """The folder it was installed to; the extension is enabled. `linked`: with these sources in place of the zip's."""
    import bpy

    folder = Path(os.environ["BLENDER_USER_RESOURCES"]) / "extensions" / "user_default" / "heft"
    bpy.ops.extensions.package_install_files(filepath=str(zip_path), repo="user_default", enable_on_install=not linked)
    if linked:
        # Not the whole folder: the zip's manifest must stay, it lists the wheels.
        for name in ("addon", "sim_core"):
            shutil.rmtree(folder / name)
            (folder / name).symlink_to(ROOT / name, target_is_directory=True)
        bpy.ops.preferences.addon_enable(module=PACKAGE)
    # The operators finish happily with a zip for another platform, and with an add-on that raises.
    if PACKAGE not in bpy.context.preferences.addons:
        raise SystemExit(f"Blender did not enable {zip_path.name}; the lines above say why.")
    return folder


def heft(name: str) -> ModuleType:
    """heft("addon.reading.read_rig") is that module of the installed extension."""
    return importlib.import_module(f"{PACKAGE}.{name}")
