"""Tests inside a real Blender, on the extension as a user installs it.

    .venv-bpy/4.5.15/bin/python -m pytest tests/blender       (make test builds the zip first; make zip does only that)

The zip (HEFT_ZIP, else the newest one built) is installed once a session, about 6 s, into a temporary user folder.
HEFT_LINK=1 then puts links to these sources in its place: edit and run again without building; wheels still come from
the zip. Every test starts in an empty file with the extension enabled. Import its code through the fixture `heft`,
never as `addon` or `sim_core`: those would be other modules than the ones Blender runs.
"""

import importlib.metadata
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from scripts import installed_extension

try:
    importlib.metadata.version("bpy")
except importlib.metadata.PackageNotFoundError:
    collect_ignore_glob = ["*"]  # the type checker's fake bpy imports as well, and every test would fail
else:
    installed_extension.use_temporary_user_folder()

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(config: pytest.Config) -> None:
        session = config.pluginmanager.get_plugin("session")
        installed_extension.leave(int(session.exitstatus) if session is not None else pytest.ExitCode.INTERNAL_ERROR)


@pytest.fixture(scope="session")
def extension_zip() -> Path:
    try:
        return installed_extension.zip_to_install()
    except SystemExit as problem:
        pytest.exit(str(problem), returncode=2)


@pytest.fixture(scope="session", autouse=True)
def installed(extension_zip: Path) -> Iterator[Path]:
    """The folder the extension was installed to, enabled."""
    import bpy

    try:
        yield installed_extension.install(extension_zip, linked=os.environ.get("HEFT_LINK") == "1")
    except SystemExit as problem:
        pytest.fail(str(problem))
    bpy.ops.preferences.addon_disable(module=installed_extension.PACKAGE)


@pytest.fixture(autouse=True)
def empty_file(installed: Path) -> None:
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)


@pytest.fixture(scope="session")
def heft(installed: Path) -> Callable[[str], ModuleType]:
    """heft("addon.reading.read_rig") is that module of the installed extension."""
    return installed_extension.heft


@pytest.fixture(scope="session")
def run_worker(heft: Callable[[str], ModuleType]) -> Callable[..., str]:
    """run_worker("sample", "walk", "-o", "walk.bvh"): what the installed worker printed."""
    surroundings = heft("addon.baking.worker_environment")

    def run(*arguments: str) -> str:
        command = surroundings.worker_command(arguments)
        done = subprocess.run(command, env=surroundings.worker_environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def walk_clip(run_worker: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of captured walking."""
    clip = tmp_path_factory.mktemp("clips") / "walk.bvh"
    run_worker("sample", "walk", "-o", str(clip), "--seconds", "2")
    return clip


@pytest.fixture(scope="session")
def walk_motion(
    heft: Callable[[str], ModuleType], run_worker: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """The same walk as a clip of the installed extension, for the makers in rigs.py."""
    clip = tmp_path_factory.mktemp("clips") / "walk.npz"
    run_worker("sample", "walk", "-o", str(clip), "--seconds", "2")
    return heft("sim_core.motion.clip_npz").load_npz(clip)


@pytest.fixture(scope="session")
def reading(heft: Callable[[str], ModuleType]) -> SimpleNamespace:
    """What the tests of reading call."""
    return SimpleNamespace(
        read_rig=heft("addon.reading.read_rig").read_rig,
        read_motion=heft("addon.reading.read_motion").read_motion,
        run_to_end=heft("addon.generators").run_to_end,
        RigError=heft("sim_core.errors").RigError,
    )


@pytest.fixture
def walker(walk_motion: Any) -> Any:
    """A plain armature "Walker" that walks over 13 frames."""
    from tests.blender import rigs

    return rigs.from_clip(walk_motion, every=10)


@pytest.fixture(scope="session")
def recorded(
    heft: Callable[[str], ModuleType], walk_clip: Path, tmp_path_factory: pytest.TempPathFactory, installed: Path
) -> Path:
    """What a real worker wrote for the walk, for fake ones to play back."""
    import bpy

    from tests.blender.baking import import_walk, run

    folder = tmp_path_factory.mktemp("recorded")
    session_module = heft("addon.baking.bake_session")
    bpy.ops.wm.read_homefile(use_empty=True)

    def start(arguments: Sequence[str], work: Path) -> Any:
        job = session_module.start_worker(arguments, work)
        poll = job.poll

        def keep() -> Any:
            events = poll()
            for event in events:
                if hasattr(event, "report"):
                    (folder / "report.json").write_text(json.dumps(event.report))
                    for name in ("out.npz", "take.npz"):
                        shutil.copy(work / name, folder)
            return events

        job.poll = keep
        return job

    outcome = run(session_module.BakeSession(import_walk(walk_clip), bpy.context.scene, start))
    assert outcome.baked, outcome
    return folder
