"""What is kept of the fall of a rig."""

from bpy.props import CollectionProperty, EnumProperty, FloatProperty, PointerProperty, StringProperty
from bpy.types import Object, PropertyGroup

from .falls.kinds import STYLE_ITEMS, THEN_ITEMS, WHERE_ITEMS
from .shared_properties import (
    OVERRIDE,
    OVERRIDE_LIST,
    direction_property,
    frame_property,
    handle_property,
    use_frame_property,
)


class HeftFallBone(PropertyGroup):
    """A bone that is spared."""

    bone: StringProperty(
        name="Protect",
        description="A bone that is spared as much as the head: an arm that was hurt, a hand that holds a baby",
        override=OVERRIDE,
    )


class HeftFall(PropertyGroup):
    use_frame: use_frame_property(
        "Let it fall at a frame; otherwise as it loses its balance, by a push or by what it does itself"
    )
    frame: frame_property("fall")
    where: EnumProperty(
        name="Where To",
        description="What tells where it falls to",
        items=WHERE_ITEMS,
        default="CARRIED",
        override=OVERRIDE,
    )
    direction: direction_property()
    handle: handle_property("fall")
    landing: PointerProperty(
        name="Land At",
        description="An object at the place where it should land, as near to it as its balance and its legs bring it",
        type=Object,
        override=OVERRIDE,
    )
    style: EnumProperty(name="Style", description="How it falls", items=STYLE_ITEMS, default="BRACE", override=OVERRIDE)
    protect: CollectionProperty(type=HeftFallBone, override=OVERRIDE_LIST)
    strength: FloatProperty(
        name="Strength",
        description="How strong it is while it falls, as a factor: 1 is usual, 0.3 is tired or drunk",
        default=1.0,
        min=0.1,
        max=2.0,
        precision=2,
        step=5,
        override=OVERRIDE,
    )
    reaction: FloatProperty(
        name="Reaction",
        description="Seconds until it reacts, beyond what anybody needs: 0 is awake, 0.3 is drunk or surprised",
        default=0.0,
        min=0.0,
        max=2.0,
        soft_max=0.6,
        precision=2,
        step=5,
        override=OVERRIDE,
    )
    then: EnumProperty(
        name="Then", description="What follows the fall", items=THEN_ITEMS, default="LIE", override=OVERRIDE
    )
