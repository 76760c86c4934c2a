"""What properties of a rig share, and those that a roll and a fall both have: when it begins, which way it goes."""

import math
from typing import Any

from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import Object

# Shots are animated on overrides of linked characters: without this, Blender lets nothing be changed there.
OVERRIDE = {"LIBRARY_OVERRIDABLE"}
OVERRIDE_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


def use_frame_property(description: str) -> Any:
    return BoolProperty(name="Begin at Frame", description=description, default=False, override=OVERRIDE)


def frame_property(what: str) -> Any:
    return IntProperty(name="Frame", description=f"The frame at which the {what} begins", default=1, override=OVERRIDE)


def direction_property() -> Any:
    return FloatProperty(
        name="Direction",
        description="Where to, from where the character faces at that frame; to the left where positive",
        subtype="ANGLE",
        default=0.0,
        min=-math.pi,
        max=math.pi,
        override=OVERRIDE,
    )


def handle_property(what: str) -> Any:
    return PointerProperty(
        name="Handle",
        description=(
            "An object that shows the way instead: at the character by its arrow (local Z), and if it stands farther "
            f"away the {what} goes to it"
        ),
        type=Object,
        override=OVERRIDE,
    )
