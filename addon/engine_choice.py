"""Which physics engines this Blender can use, found without loading any of them."""

from functools import cache
from importlib.util import find_spec

# Enum identifier, the Python module it needs, its name for a person.
_ENGINES = (("BULLET", "pybullet", "PyBullet"), ("MUJOCO", "mujoco", "MuJoCo"))


@cache
def installed_engines() -> dict[str, str]:
    """Enum identifier and name of every engine that can be loaded, the preferred one first."""
    return {identifier: name for identifier, module, name in _ENGINES if find_spec(module) is not None}


def engine_items() -> list[tuple[str, str, str]]:
    """The choices, each saying whether it is installed."""
    installed = installed_engines()
    first = next(iter(installed.values()), "none")
    items = [("AUTO", f"Automatic ({first})", "The engine that works best here")]
    for identifier, _, name in _ENGINES:
        if identifier in installed:
            items.append((identifier, name, f"Simulate with {name}"))
        else:
            items.append((identifier, f"{name} (missing)", f"{name} is not installed"))
    return items
