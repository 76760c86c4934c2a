"""The pictures of takes, as Blender shows pictures in panels: made from what their actions keep."""

import zlib

import bpy.utils.previews
from bpy.types import Action

from ..drawing.take_picture import SIZE, picture_pixels
from ..takes.takes import picture_of

_previews: bpy.utils.previews.ImagePreviewCollection | None = None  # Blender's own store; lives from register on


def take_icon(action: Action) -> int | None:
    """For `icon_value`; None where the take has no picture."""
    kept = picture_of(action)
    if not kept or _previews is None:
        return None
    name = str(zlib.crc32(kept))
    if name not in _previews:
        pixels = picture_pixels(kept)
        if pixels is None:
            return None
        preview = _previews.new(name)
        preview.icon_size = preview.image_size = (SIZE, SIZE)
        preview.icon_pixels_float = preview.image_pixels_float = pixels.ravel().tolist()
    return _previews[name].icon_id


def register() -> None:
    global _previews
    _previews = bpy.utils.previews.new()


def unregister() -> None:
    global _previews
    if _previews is not None:
        bpy.utils.previews.remove(_previews)
    _previews = None
