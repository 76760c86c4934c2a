"""Data of Blender by name and number: between two slices of time it may be renamed or gone, and a reference a crash."""

from typing import Any

from bpy.types import ID


def find_again(collection: Any, name: str, uid: int) -> ID | None:
    """The one with that number in this session, whatever it is called by now."""
    found = collection.get(name)
    if found is not None and found.session_uid == uid:
        return found
    return next((item for item in collection if item.session_uid == uid), None)
