"""The Blender side: reads rigs and actions, starts the worker, writes actions. The only room that may import bpy."""

from . import properties
from .baking import bake_operator, handlers, resimulate_operator, six_takes_operator
from .drawing import disturbance_preview, ghost, overlay, timeline_strip
from .panel import (
    bone_operators,
    disturbance_operators,
    explain_operator,
    fall_operators,
    go_to_frame_operator,
    object_panel,
    panels,
    realism_operator,
    roll_operators,
)
from .takes import take_operators

_MODULES = (
    properties,
    bone_operators,
    disturbance_operators,
    take_operators,
    explain_operator,
    go_to_frame_operator,
    realism_operator,
    roll_operators,
    fall_operators,
    bake_operator,
    resimulate_operator,
    six_takes_operator,
    handlers,
    overlay,
    timeline_strip,
    ghost,
    disturbance_preview,
    panels,
    object_panel,
)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
