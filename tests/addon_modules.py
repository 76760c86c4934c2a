"""Modules of the add-on that need no Blender, imported past its __init__, which does."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).parents[1]
_EXTENSION = "heft_past_init"


def addon_module(name: str) -> ModuleType:
    """addon_module("drawing.strip_geometry"), with the add-on and the core in one package, as Blender has them."""
    for package, folder in ((_EXTENSION, _ROOT), (f"{_EXTENSION}.addon", _ROOT / "addon")):
        if package not in sys.modules:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = [str(folder)]
    return importlib.import_module(f"{_EXTENSION}.addon.{name}")
