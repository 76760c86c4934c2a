"""What is kept of the roll of a rig."""

from bpy.props import CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import Action, PropertyGroup

from .rolls.kinds import KIND_ITEMS, REPEAT_ITEMS, THEN_ITEMS
from .shared_properties import (
    OVERRIDE,
    OVERRIDE_LIST,
    direction_property,
    frame_property,
    handle_property,
    use_frame_property,
)


class HeftRollPose(PropertyGroup):
    """A pose to roll through."""

    action: PointerProperty(
        name="Pose",
        description="A pose of the pose library, or any other action: its first frame is the pose",
        type=Action,
        override=OVERRIDE,
    )


class HeftRoll(PropertyGroup):
    kind: EnumProperty(name="Kind", description="Which roll", items=KIND_ITEMS, default="CLIP", override=OVERRIDE)
    repeat: EnumProperty(
        name="Repeat by",
        description="What tells how often it rolls",
        items=REPEAT_ITEMS,
        default="NUMBER",
        override=OVERRIDE,
    )
    rolls: IntProperty(
        name="Rolls",
        description="How often it rolls. The take is as long as that takes",
        default=1,
        min=1,
        soft_max=20,
        max=100,
        override=OVERRIDE,
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
        override=OVERRIDE,
    )
    speed: FloatProperty(
        name="Speed",
        description="How fast it rolls, as a factor: 1 is usual",
        default=1.0,
        min=0.3,
        max=2.0,
        precision=2,
        step=5,
        override=OVERRIDE,
    )
    use_frame: use_frame_property(
        "Let the animation play up to a frame and roll from there; otherwise from its first frame on"
    )
    frame: frame_property("roll")
    direction: direction_property()
    handle: handle_property("roll")
    then: EnumProperty(
        name="Then",
        description="What follows the last roll",
        items=THEN_ITEMS,
        default="STAND",
        override=OVERRIDE,
    )
    poses: CollectionProperty(type=HeftRollPose, override=OVERRIDE_LIST)
    active_pose: IntProperty(name="Pose", default=0, options={"SKIP_SAVE"}, override=OVERRIDE)
