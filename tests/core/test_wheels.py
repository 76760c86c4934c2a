"""Which wheels an extension carries, and how their files are told apart."""

import tomllib
from pathlib import Path

import pytest

from scripts.build_extension import ROOT, full_manifest
from scripts.wheels import PLATFORMS, PYTHONS, Wheel, read_pins, wanted_wheels

PINS = read_pins(ROOT / "constraints.txt")


def test_every_platform_and_python_has_a_mujoco_and_no_numpy() -> None:
    wheels = list(wanted_wheels(PINS, PLATFORMS, PYTHONS))
    pairs = {(wheel.platform, wheel.python) for wheel in wheels if wheel.package == "mujoco"}
    assert pairs >= {(platform, python) for platform in PLATFORMS for python in ("cp311", "cp313")}
    assert not [wheel for wheel in wheels if wheel.package == "numpy"]


def test_python_311_comes_last_for_every_package_and_platform() -> None:
    last = {(wheel.package, wheel.platform): wheel.python for wheel in wanted_wheels(PINS, PLATFORMS, PYTHONS)}
    assert set(last.values()) == {"cp311", "py3"}


@pytest.mark.parametrize(
    ("file", "matches"),
    [
        ("scipy-1.15.3-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", True),
        ("scipy-1.15.3-cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", False),
        ("scipy-1.15.30-cp311-cp311-manylinux_2_17_x86_64.whl", False),
        ("scipy-1.15.3-cp311-cp311-manylinux_2_17_aarch64.whl", False),
        ("scipy-1.15.3-cp311-cp311-win_amd64.whl", False),
        ("SciPy-1.15.3-cp311-cp311-manylinux_2_28_x86_64.whl", True),
    ],
)
def test_wheel_knows_its_file(file: str, matches: bool) -> None:
    wheel = Wheel(package="scipy", version="1.15.3", python="cp311", platform="linux-x64")
    assert wheel.matches(Path(file)) == matches


def test_manifest_lists_wheels_before_its_first_table() -> None:
    sources = (ROOT / "blender_manifest.toml").read_text()
    manifest = tomllib.loads(full_manifest(sources, ["linux-x64"], [Path("a-1-py3-none-any.whl")]))
    assert manifest["wheels"] == ["./wheels/a-1-py3-none-any.whl"]
    assert manifest["platforms"] == ["linux-x64"]
    assert manifest["permissions"] == tomllib.loads(sources)["permissions"]
    assert "wheels" not in tomllib.loads(sources)
