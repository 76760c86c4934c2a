"""python -m scripts.build_extension: the extension's zips, one a platform, in dist/.

Only what runs in Blender goes in, with its wheels listed in the manifest. Blender's own builder makes and checks the
zips; it lives inside the bpy module, so this must run in a Python that has it. The same sources and wheels give the
same bytes.

A quick zip for trying things: --platform linux-x64 --python cp311
"""

import argparse
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from scripts.wheels import PLATFORMS, PYTHONS, fetch_wheels, read_pins, wanted_wheels

ROOT = Path(__file__).resolve().parent.parent
_FILES = ("__init__.py", "LICENSE")
_FOLDERS = ("addon", "sim_core")
_MANIFEST = "blender_manifest.toml"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first date a zip can hold


def this_platform() -> str:
    system = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}.get(platform.system(), platform.system())
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return f"{system}-{machine}"


def main() -> None:
    options = _read_options()
    platforms = [this_platform()] if options.platform == ["here"] else options.platform
    wheels = list(wanted_wheels(read_pins(ROOT / "constraints.txt"), platforms, options.python))
    files = fetch_wheels(wheels, ROOT / "wheels")
    staged = ROOT / "build" / "extension"
    _stage(staged, platforms, files)
    for zip_path in _build(staged, options.output, platforms):
        _settle(zip_path)
        run_blender_tool("validate", str(zip_path))
        print(f"{zip_path} {zip_path.stat().st_size / 1e6:.1f} MB")


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choices = ("here", *PLATFORMS)
    parser.add_argument("--platform", nargs="+", choices=choices, default=PLATFORMS, help="here: this machine's")
    parser.add_argument("--python", nargs="+", choices=PYTHONS, default=PYTHONS, help="wheels for these Pythons only")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="FOLDER")
    return parser.parse_args()


def _stage(folder: Path, platforms: Sequence[str], wheels: Sequence[Path]) -> None:
    """The extension as a folder, with links instead of copies of the wheels."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "wheels").mkdir(parents=True)
    for name in _FILES:
        shutil.copy(ROOT / name, folder)
    for name in _FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for wheel in wheels:
        (folder / "wheels" / wheel.name).hardlink_to(wheel)
    (folder / _MANIFEST).write_text(full_manifest((ROOT / _MANIFEST).read_text(), platforms, wheels))


def full_manifest(manifest: str, platforms: Sequence[str], wheels: Sequence[Path]) -> str:
    """Platforms and wheels stand before the first table, or TOML would make them part of it."""
    head, table, rest = manifest.partition("\n[")
    listed = "".join(f'  "./wheels/{wheel.name}",\n' for wheel in wheels)
    quoted = ", ".join(f'"{platform}"' for platform in platforms)
    return f"{head}platforms = [{quoted}]\nwheels = [\n{listed}]\n{table}{rest}"


def _build(staged: Path, output: Path, platforms: Sequence[str]) -> list[Path]:
    output.mkdir(parents=True, exist_ok=True)
    run_blender_tool("validate", str(staged))
    run_blender_tool("build", "--split-platforms", "--source-dir", str(staged), "--output-dir", str(output))
    endings = [platform.replace("-", "_") for platform in platforms]
    return [file for ending in endings for file in output.glob(f"*-{ending}.zip")]


def _settle(zip_path: Path) -> None:
    """Rewrites a zip in alphabetical order without dates, so that building twice gives the same bytes."""
    settled = zip_path.with_suffix(".settled")
    with zipfile.ZipFile(zip_path) as source, zipfile.ZipFile(settled, "w") as target:
        for item in sorted(source.infolist(), key=lambda item: item.filename):
            entry = zipfile.ZipInfo(item.filename, _LONG_AGO)
            entry.compress_type, entry.external_attr = item.compress_type, 0o644 << 16
            target.writestr(entry, source.read(item), compresslevel=9)
    settled.replace(zip_path)


def run_blender_tool(*arguments: str) -> None:
    spec = find_spec("bpy")
    if spec is None or spec.origin is None:
        raise SystemExit(
            "The extension is built by Blender's own builder: run this in a Python that has the bpy module."
        )
    tool = next(Path(spec.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    if subprocess.run([sys.executable, str(tool), *arguments], stdout=subprocess.DEVNULL).returncode:
        raise SystemExit(f"Blender's builder refused: {' '.join(arguments)}")


if __name__ == "__main__":
    main()
