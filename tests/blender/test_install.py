"""The zip as Blender sees it: valid, complete, and gone without a trace when it is disabled."""

import json
import os
import re
import subprocess
import sys
import threading
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

from scripts.build_extension import run_blender_tool, this_platform
from scripts.installed_extension import PACKAGE

_EXTENDED = ("Object", "Scene", "WindowManager", "Armature", "Action", "Bone", "PoseBone", "Collection", "ViewLayer")
_WHO_AM_I = """
import json, sys, numpy, scipy, daqp, osqp
from sim_core.engines.engine import available_engines, make_engine
for name in available_engines():
    make_engine(name).close()
print(json.dumps({"engines": available_engines(), "numpy": numpy.__file__, "scipy": scipy.__file__}))
"""


def test_blender_finds_the_zip_valid(extension_zip: Path) -> None:
    run_blender_tool("validate", str(extension_zip))


def test_zip_holds_what_runs_and_nothing_else(extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        names = archive.namelist()
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert {name.split("/")[0] for name in names} == {
        *("__init__.py", "LICENSE", "blender_manifest.toml"),
        *("addon", "sim_core", "wheels"),
    }
    assert not [name for name in names if "__pycache__" in name or name.startswith("wheels/numpy")]
    packed = {name for name in names if name.startswith("wheels/")}
    assert {wheel.removeprefix("./") for wheel in manifest["build"]["generated"]["wheels"]} == packed


def test_wheels_for_python_311_are_listed_last(extension_zip: Path) -> None:
    """Blender 4.2.0 takes the last wheel listed for a package."""
    with zipfile.ZipFile(extension_zip) as archive:
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    last = {Path(wheel).name.split("-")[0]: wheel for wheel in manifest["build"]["generated"]["wheels"]}
    assert {"mujoco", "osqp", "daqp", "scipy"} <= set(last)
    assert all(re.search("-cp311-|-py3-", wheel) for wheel in last.values())


def test_disabling_leaves_nothing_behind_and_enabling_brings_all_of_it_back(installed: Path) -> None:
    enabled = _traces()
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    rig.heft.friction = 0.5
    bpy.ops.preferences.addon_disable(module=PACKAGE)
    try:
        disabled = _traces()
    finally:
        bpy.ops.preferences.addon_enable(module=PACKAGE)
    assert disabled == {kind: [] for kind in disabled}
    assert _traces() == enabled
    assert {"types", "operators", "properties", "handlers"} <= {kind for kind, names in enabled.items() if names}
    assert rig.heft.friction == pytest.approx(0.5)


def test_worker_starts_in_a_bare_environment(
    heft: Callable[[str], ModuleType], installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in os.environ:
        if name != "BLENDER_USER_RESOURCES":  # where this Blender has its extensions
            monkeypatch.delenv(name)
    surroundings = heft("addon.baking.worker_environment")
    command = [surroundings.worker_python(), "-c", _WHO_AM_I]
    environment = surroundings.worker_environment()
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert "mujoco" in answer["engines"]
    if this_platform() == "linux-x64" and sys.version_info[:2] == (3, 11):
        assert "bullet" in answer["engines"]
    assert Path(answer["numpy"]).samefile(np.__file__)
    assert installed.parents[1] / ".local" in Path(answer["scipy"]).parents


def test_blender_keeps_its_own_numpy(installed: Path) -> None:
    assert installed.parents[1] not in Path(np.__file__).parents


def test_worker_writes_nothing_into_the_extension(
    installed: Path, run_worker: Callable[..., str], tmp_path: Path
) -> None:
    before = {path: path.stat().st_mtime for path in installed.rglob("*")}
    run_worker("sample", "stand", "-o", str(tmp_path / "stand.bvh"), "--seconds", "1")
    assert {path: path.stat().st_mtime for path in installed.rglob("*")} == before


def _traces() -> dict[str, list[str]]:
    """Everything in Blender that bears Heft's name or was made by its modules."""
    return {
        "types": sorted(name for name in dir(bpy.types) if name.lower().startswith("heft")),
        "operators": sorted(dir(bpy.ops.heft)),
        "properties": sorted(
            f"{owner}.{name}"
            for owner in _EXTENDED
            for name in getattr(bpy.types, owner).bl_rna.properties.keys()  # noqa: SIM118 - it gives names, iterating gives properties
            if "heft" in name
        ),
        "handlers": sorted(
            f"{name}: {function.__module__}.{function.__qualname__}"
            for name in dir(bpy.app.handlers)
            if isinstance(functions := getattr(bpy.app.handlers, name), list)
            for function in functions
            if _is_ours(function)
        ),
        "drawn into others": sorted(
            f"{name}: {function.__module__}"
            for name in dir(bpy.types)
            for function in getattr(getattr(getattr(bpy.types, name), "draw", None), "_draw_funcs", ())
            if _is_ours(function)
        ),
        "keymaps": sorted(
            item.idname
            for keymap in getattr(bpy.context.window_manager.keyconfigs.addon, "keymaps", ())
            for item in keymap.keymap_items
            if item.idname.startswith("heft.")
        ),
        "threads": sorted(thread.name for thread in threading.enumerate() if "heft" in thread.name.lower()),
    }


def _is_ours(function: Any) -> bool:
    return getattr(function, "__module__", "").startswith(PACKAGE)
