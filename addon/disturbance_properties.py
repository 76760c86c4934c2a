"""What is kept of a disturbance. The class and the list have the name of the first kind there was: files hold it."""

import math

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty
from bpy.types import Object, PropertyGroup

from ..sim_core.rig.segments import SEGMENTS, in_words
from .disturbances.kinds import FOOT_DOES_ITEMS, FOOT_ITEMS, FROM_ITEMS, KIND_ITEMS, SPACE_ITEMS
from .shared_properties import OVERRIDE
from .view_properties import redraw

_SEGMENT_ITEMS = [(segment, in_words(segment).capitalize(), "") for segment in SEGMENTS]


class HeftPush(PropertyGroup):
    kind: EnumProperty(
        name="Kind",
        description="What happens to the character",
        items=KIND_ITEMS,
        default="PUSH",
        update=redraw,
        override=OVERRIDE,
    )
    segment: EnumProperty(
        name="Bone",
        description="The part of the body that it happens to",
        items=_SEGMENT_ITEMS,
        default="chest",
        update=redraw,
        override=OVERRIDE,
    )
    frame: IntProperty(
        name="Frame",
        description="The frame at which it begins, or at which something thrown hits",
        default=1,
        update=redraw,
        override=OVERRIDE,
    )
    frames: IntProperty(
        name="Frames",
        description="How many frames it lasts",
        default=6,
        min=1,
        soft_max=60,
        update=redraw,
        override=OVERRIDE,
    )
    whole_clip: BoolProperty(
        name="Whole Clip",
        description="From the first frame to the last",
        default=True,
        update=redraw,
        override=OVERRIDE,
    )
    force: FloatVectorProperty(
        name="Force",
        description="How hard and which way, in newtons; a firm shove is about 150",
        size=3,
        subtype="XYZ",
        default=(0.0, 150.0, 0.0),
        soft_min=-500.0,
        soft_max=500.0,
        precision=0,
        step=1000,
        update=redraw,
        override=OVERRIDE,
    )
    space: EnumProperty(
        name="Space",
        description="Along whose axes the force acts",
        items=SPACE_ITEMS,
        default="WORLD",
        update=redraw,
        override=OVERRIDE,
    )
    strength: FloatProperty(
        name="Force",
        description="How hard, in newtons: of a push along its handle's arrow, or of a pull at most",
        default=150.0,
        min=0.0,
        soft_max=500.0,
        precision=0,
        step=1000,
        update=redraw,
        override=OVERRIDE,
    )
    mass: FloatProperty(
        name="Mass",
        description="How heavy the thrown ball is, in kilograms",
        default=4.0,
        min=0.01,
        soft_max=20.0,
        max=1000.0,
        precision=1,
        step=50,
        update=redraw,
        override=OVERRIDE,
    )
    speed: FloatProperty(
        name="Speed",
        description="How fast the ball is when it hits, in metres per second",
        default=5.0,
        min=0.1,
        soft_max=30.0,
        max=100.0,
        precision=1,
        step=50,
        update=redraw,
        override=OVERRIDE,
    )
    side: EnumProperty(
        name="From",
        description="Where the ball comes from",
        items=FROM_ITEMS,
        default="LEFT",
        update=redraw,
        override=OVERRIDE,
    )
    direction: FloatVectorProperty(
        name="Direction",
        description="The direction that the ball comes from, along the world's axes",
        size=3,
        subtype="XYZ",
        default=(1.0, 0.0, 0.0),
        soft_min=-1.0,
        soft_max=1.0,
        update=redraw,
        override=OVERRIDE,
    )
    to: FloatVectorProperty(
        name="To",
        description="The point in the world that the bone is drawn to",
        size=3,
        subtype="TRANSLATION",
        default=(0.0, 0.0, 1.0),
        update=redraw,
        override=OVERRIDE,
    )
    angle: FloatProperty(
        name="Angle",
        description="How far the way bends, to the left where positive",
        subtype="ANGLE",
        default=math.radians(30.0),
        min=-math.pi,
        max=math.pi,
        update=redraw,
        override=OVERRIDE,
    )
    foot: EnumProperty(
        name="Foot",
        description="Whose stance it is",
        items=FOOT_ITEMS,
        default="LEFT",
        update=redraw,
        override=OVERRIDE,
    )
    foot_does: EnumProperty(
        name="What It Does",
        description="What the foot does in these frames, whatever Heft reads from the animation",
        items=FOOT_DOES_ITEMS,
        default="STANDS",
        update=redraw,
        override=OVERRIDE,
    )
    handle: PointerProperty(
        name="Handle",
        description=(
            "An object to aim with, animated or not: a push goes where its arrow (local Z) points, a throw comes from "
            "where it stands, a pull leads to it"
        ),
        type=Object,
        update=redraw,
        override=OVERRIDE,
    )
