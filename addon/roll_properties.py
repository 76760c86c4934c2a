"""What is kept of the roll of a rig."""

import math

from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
)
from bpy.types import Action, Object, PropertyGroup

from .rolls.kinds import KIND_ITEMS, REPEAT_ITEMS, THEN_ITEMS

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class HeftRollPose(PropertyGroup):
    """A pose to roll through."""

    action: PointerProperty(
        name="Pose",
        description="A pose of the pose library, or any other action: its first frame is the pose",
        type=Action,
        override=_OVERRIDE,
    )


class HeftRoll(PropertyGroup):
    kind: EnumProperty(name="Kind", description="Which roll", items=KIND_ITEMS, default="CLIP", override=_OVERRIDE)
    repeat: EnumProperty(
        name="Repeat by",
        description="What tells how often it rolls",
        items=REPEAT_ITEMS,
        default="NUMBER",
        override=_OVERRIDE,
    )
    rolls: IntProperty(
        name="Rolls",
        description="How often it rolls. The take is as long as that takes",
        default=1,
        min=1,
        soft_max=20,
        max=100,
        override=_OVERRIDE,
    )
    distance: FloatProperty(
        name="Distance",
        description="How far it rolls, in metres",
        default=3.0,
        min=0.2,
        soft_max=20.0,
        max=200.0,
        precision=1,
        step=50,
        override=_OVERRIDE,
    )
    speed: FloatProperty(
        name="Speed",
        description="How fast it rolls, as a factor: 1 is usual",
        default=1.0,
        min=0.3,
        max=2.0,
        precision=2,
        step=5,
        override=_OVERRIDE,
    )
    use_frame: BoolProperty(
        name="Begin at Frame",
        description="Let the animation play up to a frame and roll from there; otherwise from its first frame on",
        default=False,
        override=_OVERRIDE,
    )
    frame: IntProperty(name="Frame", description="The frame at which the roll begins", default=1, override=_OVERRIDE)
    direction: FloatProperty(
        name="Direction",
        description="Where to, from where the character faces at that frame; to the left where positive",
        subtype="ANGLE",
        default=0.0,
        min=-math.pi,
        max=math.pi,
        override=_OVERRIDE,
    )
    handle: PointerProperty(
        name="Handle",
        description=(
            "An object that shows the way instead: at the character by its arrow (local Z), and if it stands farther "
            "away the roll goes to it"
        ),
        type=Object,
        override=_OVERRIDE,
    )
    then: EnumProperty(
        name="Then",
        description="What follows the last roll",
        items=THEN_ITEMS,
        default="STAND",
        override=_OVERRIDE,
    )
    poses: CollectionProperty(type=HeftRollPose, override=_OVERRIDE_LIST)
    active_pose: IntProperty(name="Pose", default=0, options={"SKIP_SAVE"}, override=_OVERRIDE)
