"""The wheels an extension carries: which ones, and fetching those that are not in wheels/ yet.

They come from whatever index pip is configured with, at the versions of constraints.txt, and are never changed.
Blender brings numpy.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# pip's platform tags that each of Blender's platforms can load, oldest system first.
_PIP_PLATFORMS = {
    "linux-x64": ("manylinux2014_x86_64", "manylinux_2_24_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_11_0_arm64", "macosx_12_0_arm64"),
    "macos-x64": ("macosx_10_9_x86_64", "macosx_10_13_x86_64", "macosx_11_0_x86_64"),
}
_FILE_PLATFORM = {
    "linux-x64": r"manylinux\w*_x86_64",
    "windows-x64": r"win_amd64",
    "macos-arm64": r"macosx_\w+_arm64",
    "macos-x64": r"macosx_\w+_x86_64",
}
PLATFORMS = tuple(_PIP_PLATFORMS)

# Blender 4.2 to 5.0 is cp311, 5.1 and later cp313; distributions build theirs with whatever Python they have.
# cp311 stands last because Blender 4.2.0 takes the last wheel listed for a package, whatever its tag.
PYTHONS = ("cp314", "cp313", "cp311")

# With what these import at run time: mujoco needs typing_extensions, osqp needs jinja2, and that needs markupsafe.
_COMPILED = ("mujoco", "osqp", "daqp", "scipy", "markupsafe")
_PURE = ("typing_extensions", "jinja2", "cmaes")
_OTHER_VERSIONS = {("scipy", "cp314"): "1.17.1"}  # the first that is built for it


@dataclass(frozen=True, kw_only=True)
class Wheel:
    package: str
    version: str
    python: str  # "py3" where any will do
    platform: str  # "any" where any will do

    def matches(self, file: Path) -> bool:
        platform = r"any" if self.platform == "any" else rf"[\w.]*{_FILE_PLATFORM[self.platform]}[\w.]*"
        name = rf"{self.package}-{re.escape(self.version)}-[\w.]*{self.python}-\w+-{platform}\.whl"
        return re.fullmatch(name, file.name, re.IGNORECASE) is not None

    def find(self, folder: Path) -> Path | None:
        return next((file for file in sorted(folder.glob("*.whl")) if self.matches(file)), None)

    def fetch(self, folder: Path) -> None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        if self.platform != "any":
            command += ["--implementation", "cp", "--python-version", self.python.removeprefix("cp")]
            for tag in _PIP_PLATFORMS[self.platform]:
                command += ["--platform", tag]
        subprocess.run([*command, "--dest", str(folder), f"{self.package}=={self.version}"], check=True)


def read_pins(constraints: Path) -> dict[str, str]:
    lines = (line.split("==") for line in constraints.read_text().splitlines() if "==" in line)
    return {name.strip().lower(): version.strip() for name, version in lines}


def wanted_wheels(pins: dict[str, str], platforms: Sequence[str], pythons: Sequence[str]) -> Iterator[Wheel]:
    """In the order the manifest must list them."""
    for package in _PURE:
        yield Wheel(package=package, version=pins[package], python="py3", platform="any")
    for package in _COMPILED:
        for platform in platforms:
            for python in sorted(pythons, key=PYTHONS.index):
                if python != "cp314" or platform == "linux-x64":
                    version = _OTHER_VERSIONS.get((package, python), pins[package])
                    yield Wheel(package=package, version=version, python=python, platform=platform)
    if "linux-x64" in platforms and "cp311" in pythons:  # PyBullet has no other wheel
        yield Wheel(package="pybullet", version=pins["pybullet"], python="cp311", platform="linux-x64")


def fetch_wheels(wheels: Sequence[Wheel], folder: Path) -> list[Path]:
    """Files in the order of `wheels`; downloads those the folder lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for wheel in wheels:
        if wheel.find(folder) is None:
            print(f"fetching {wheel.package} {wheel.version} for {wheel.platform} {wheel.python}", flush=True)
            wheel.fetch(folder)
        file = wheel.find(folder)
        if file is None:
            raise SystemExit(
                f"pip fetched no wheel of {wheel.package} {wheel.version} for {wheel.platform} {wheel.python}."
            )
        files.append(file)
    return files
