"""The versions of what takes part in a bake, as a table names them."""

import platform
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("numpy", "mujoco", "pybullet", "daqp", "heft")


def versions_in_words() -> str:
    """What is not installed is left out."""
    said = [f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            said.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(said)
