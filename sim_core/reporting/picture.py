"""A bake as one picture: before and after on their ground, and what it cost over the frames.

Only the modules behind this one need matplotlib, and they are imported when a picture is drawn.
"""

import importlib.util
from pathlib import Path

from ..errors import PictureError, SettingsError
from .bake_result import BakeResult

_INSTALL = "pip install matplotlib==3.10.8"


def check_picture(path: Path) -> None:
    """Says at once, before a long bake, whether its picture could be drawn."""
    if path.suffix.lower() != ".png":
        raise SettingsError(f"The picture '{path.name}' must be a .png file.")
    if importlib.util.find_spec("matplotlib") is None:
        raise PictureError(f"A picture needs matplotlib, which is not installed; run '{_INSTALL}' or leave it out.")


def picture_png(result: BakeResult) -> bytes:
    from .picture_page import page_png

    return page_png(result)
