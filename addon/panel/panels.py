"""All panels of the sidebar, in the order of the work."""

import bpy

from . import (
    body_check,
    panel_bake,
    panel_character,
    panel_motion,
    panel_result,
    panel_view,
    panel_why,
    status_icons,
    take_icons,
)

_CLASSES = (
    *panel_character.CLASSES,
    *panel_motion.CLASSES,
    *panel_bake.CLASSES,
    *panel_result.CLASSES,
    *panel_why.CLASSES,
    *panel_view.CLASSES,
)


def register() -> None:
    status_icons.register()
    take_icons.register()
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
    take_icons.unregister()
    status_icons.unregister()
    body_check.forget()
