"""Round lights in green, yellow and red: Blender has no coloured labels."""

import bpy.utils.previews
import numpy as np

_SIZE = 32  # pixels; Blender scales it to the size of the text
_RADIUS = 0.30  # of the size
_COLOURS = {
    "GREEN": (0.30, 0.78, 0.40),
    "YELLOW": (0.96, 0.76, 0.22),
    "RED": (0.93, 0.33, 0.31),
    "GREY": (0.50, 0.50, 0.50),
}
_previews: bpy.utils.previews.ImagePreviewCollection | None = None  # Blender's own store; lives from register on


def light(colour: str) -> int:
    """For `icon_value`: the light of this colour."""
    return _previews[colour].icon_id if _previews is not None else 0


def register() -> None:
    global _previews
    _previews = bpy.utils.previews.new()
    for name, colour in _COLOURS.items():
        preview = _previews.new(name)
        preview.icon_size = (_SIZE, _SIZE)
        preview.icon_pixels_float = _disc(colour).ravel().tolist()


def unregister() -> None:
    global _previews
    if _previews is not None:
        bpy.utils.previews.remove(_previews)
    _previews = None


def _disc(colour: tuple[float, float, float]) -> np.ndarray:
    """A disc with a soft edge of one pixel; Blender takes colours multiplied by their alpha."""
    axis = np.arange(_SIZE) + 0.5 - _SIZE / 2
    distance = np.hypot(axis[:, None], axis[None, :])
    alpha = np.clip(_RADIUS * _SIZE - distance + 0.5, 0.0, 1.0)
    return alpha[..., None] * np.array((*colour, 1.0))
