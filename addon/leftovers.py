"""Data that Heft makes for a moment, and that undo may bring back long after it was removed.

A person who works on while a bake reads or writes makes undo steps, which hold what was there at that moment.
"""

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.types import ID

_MARK = "heft_temporary"


def mark(item: ID) -> None:
    """To be swept away wherever it turns up again."""
    item[_MARK] = True


def unmark(item: ID) -> None:
    item.pop(_MARK, None)


def sweep() -> None:
    """Remove what is marked; only while no bake is at work on Blender's data."""
    for items, item in list(_marked()):
        items.remove(item)


def marked() -> list[ID]:
    return [item for _, item in _marked()]


def _marked() -> Iterator[tuple[Any, ID]]:
    for items in (bpy.data.scenes, bpy.data.objects, bpy.data.actions):
        yield from ((items, item) for item in items if _MARK in item and item.library is None)
