"""What is kept on a rig: how to bake it, and the takes it has."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Action, Collection, Context, Object, PropertyGroup

from . import view_properties
from .active_rig import animated_range
from .budget_choice import BUDGET_ITEMS
from .controller_choice import BALANCE_ITEMS, CONTROLLER_ITEMS, PRESET_ITEMS
from .disturbance_properties import HeftPush
from .engine_choice import engine_items
from .fall_properties import HeftFall, HeftFallBone
from .own_limits import LIMITS_ITEMS, has_own_limits, say_own_limits
from .roll_properties import HeftRoll, HeftRollPose
from .shared_properties import OVERRIDE, OVERRIDE_LIST
from .takes.takes import NO_TAKE


class HeftBoneChoice(PropertyGroup):
    """A bone that the person chose; `name` is the segment."""

    bone: StringProperty(name="Bone", description="The bone of this part of the body", override=OVERRIDE)


class HeftWorldObject(PropertyGroup):
    """What Blender's own rigid bodies do not have."""

    belt: FloatVectorProperty(
        name="Belt",
        description="How fast the surface runs, as on a treadmill, in metres per second along the object's own axes",
        size=3,
        subtype="XYZ",
        default=(0.0, 0.0, 0.0),
        soft_min=-5.0,
        soft_max=5.0,
        override=OVERRIDE,
    )


class HeftTakeObject(PropertyGroup):
    """A loose object, with the keys that it has in a take."""

    object: PointerProperty(name="Object", description="What was loose", type=Object, override=OVERRIDE)
    action: PointerProperty(name="Action", description="Its baked keys", type=Action, override=OVERRIDE)
    source: PointerProperty(name="Source", description="What it played before", type=Action, override=OVERRIDE)
    made: BoolProperty(name="Made", description="It is there for this take alone", override=OVERRIDE)


class HeftTake(PropertyGroup):
    action: PointerProperty(name="Action", description="The baked keys of this take", type=Action, override=OVERRIDE)
    source: PointerProperty(
        name="Source", description="The action that this take was baked from", type=Action, override=OVERRIDE
    )
    frame_start: IntProperty(name="First Frame", override=OVERRIDE)
    frame_end: IntProperty(name="Last Frame", override=OVERRIDE)
    completed: BoolProperty(
        name="Kept", description="Whether the performance was kept to the last frame", override=OVERRIDE
    )
    objects: CollectionProperty(type=HeftTakeObject, override=OVERRIDE_LIST)


def _begin_with_all_frames(rig: "HeftRig", _context: Context) -> None:
    """A range that nobody has set yet starts as that of the animation."""
    touched = rig.is_property_set("frame_start") or rig.is_property_set("frame_end")
    frames = None if touched or not rig.use_range else animated_range(rig.id_data)
    if frames is not None:
        rig.frame_start, rig.frame_end = frames.start, frames.end


class HeftRig(PropertyGroup):
    motion: EnumProperty(
        name="Motion",
        description="What the character should do with its animation",
        items=[
            ("TRACK", "Track", "Play the same performance, with weight, balance and real contact"),
            ("HOLD", "Hold Pose", "Keep the pose of the first frame to bake, and its balance: push it and see"),
            ("ROLL", "Roll", "Roll over the ground, once or often. The take is as long as that takes"),
            ("FALL", "Fall", "Fall down as a person falls, and lie still. The take is as long as that takes"),
        ],
        override=OVERRIDE,
    )
    roll: PointerProperty(name="Roll", description="How the character rolls", type=HeftRoll, override=OVERRIDE)
    fall: PointerProperty(name="Fall", description="How the character falls", type=HeftFall, override=OVERRIDE)
    ground: PointerProperty(
        name="World",
        description=(
            "A collection with everything to stand on or bump into: ground, stairs, obstacles, moving platforms. "
            "Objects with an active Rigid Body are loose. Empty: a flat floor under the feet"
        ),
        type=Collection,
        override=OVERRIDE,
    )
    use_range: BoolProperty(
        name="Own Range",
        description="Bake only some of the frames; otherwise all frames of the animation",
        default=False,
        update=_begin_with_all_frames,
        override=OVERRIDE,
    )
    frame_start: IntProperty(name="Start", description="The first frame to bake", default=1, override=OVERRIDE)
    frame_end: IntProperty(name="End", description="The last frame to bake", default=250, override=OVERRIDE)
    blend_in: IntProperty(
        name="Blend In",
        description="Over this many frames the take grows out of the source at its start",
        min=0,
        soft_max=60,
        override=OVERRIDE,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Over this many frames the take goes back into the source at its end",
        min=0,
        soft_max=60,
        override=OVERRIDE,
    )
    realism: FloatProperty(
        name="Realism",
        description="How much help from outside the character may get: 1 is none, and it may fall; at 0 it does not",
        subtype="FACTOR",
        default=0.5,
        min=0.0,
        max=1.0,
        precision=2,
        step=5,
        override=OVERRIDE,
    )
    own_limits: BoolProperty(
        name="Own Limits",
        description="Set in numbers how far help from outside may go, in place of the dial Realism",
        get=has_own_limits,
        set=say_own_limits,
        override=OVERRIDE,
    )
    limits_choice: EnumProperty(
        name="Limits", description="Whose limits of help count", items=LIMITS_ITEMS, override=OVERRIDE
    )
    assist: EnumProperty(
        name="Assist",
        description="How much an invisible hand may hold the character up where it could not stand by itself",
        items=[
            ("LEAST", "Least", "Keep the performance with as little outside force as it takes"),
            ("LIMIT", "Limit", "Never assist with more than this part of the body weight"),
            ("NONE", "None", "No assist at all: pure physics. The character may fall"),
        ],
        override=OVERRIDE,
    )
    assist_limit: FloatProperty(
        name="At Most",
        description="The strongest assist allowed, in percent of the body weight",
        subtype="PERCENTAGE",
        default=20.0,
        min=0.0,
        soft_max=100.0,
        max=1000.0,
        precision=0,
        override=OVERRIDE,
    )
    foot_torque_from: FloatProperty(
        name="Foot Torque From",
        description="A standing foot is steadied where its ankle has to bear more than this, in newton metres",
        default=20.0,
        min=0.0,
        soft_max=200.0,
        max=10000.0,
        precision=0,
        step=500,
        override=OVERRIDE,
    )
    foot_torque_to: FloatProperty(
        name="Up To",
        description=(
            "Where its ankle has to bear more than this, in newton metres, the foot is let go of, and the character "
            "falls. 0: never"
        ),
        default=200.0,
        min=0.0,
        soft_max=500.0,
        max=10000.0,
        precision=0,
        step=500,
        override=OVERRIDE,
    )
    # Not `budget`: files of earlier versions hold a number of that name, which Blender would read as a choice.
    budget_choice: EnumProperty(
        name="Budget",
        description="How long to look for a way without assist",
        items=BUDGET_ITEMS,
        default="GOOD",
        override=OVERRIDE,
    )
    budget_s: IntProperty(
        name="Seconds",
        description="How long variations are tried, in seconds by the clock",
        default=60,
        min=1,
        soft_max=600,
        override=OVERRIDE,
    )
    engine: EnumProperty(
        name="Engine",
        description="The physics engine that simulates the character",
        items=engine_items(),
        override=OVERRIDE,
    )
    controller: EnumProperty(
        name="Controller",
        description="What moves the muscles so that the character follows its animation",
        items=CONTROLLER_ITEMS,
        default="QP",
        override=OVERRIDE,
    )
    preset: EnumProperty(
        name="Preset",
        description="What the tracking controller cares about",
        items=PRESET_ITEMS,
        default="HEFT",
        override=OVERRIDE,
    )
    balance: EnumProperty(
        name="Balance",
        description="What helps McSim to stay on its feet",
        items=BALANCE_ITEMS,
        default="NONE",
        override=OVERRIDE,
    )
    friction: FloatProperty(
        name="Friction",
        description="Grip between the body and the ground. Ice 0.1, wet floor 0.4, sole on wood 0.8, rubber 1.0",
        default=0.8,
        min=0.01,
        soft_max=1.5,
        max=10.0,
        step=5,
        precision=2,
        override=OVERRIDE,
    )
    mass: FloatProperty(
        name="Weight",
        description="Weight of the character in kilograms. 0: guessed from its height",
        default=0.0,
        min=0.0,
        soft_max=150.0,
        max=1000.0,
        precision=1,
        step=100,
        override=OVERRIDE,
    )
    height: FloatProperty(
        name="Height",
        description="Height of the character in metres, where the scene's scale is wrong. 0: as it stands in the scene",
        default=0.0,
        min=0.0,
        soft_max=2.5,
        max=10.0,
        precision=2,
        step=1,
        override=OVERRIDE,
    )
    stiffness: FloatProperty(
        name="Stiffness",
        description="How tightly the muscles hold to the animation. Less is looser and heavier, more is crisper",
        default=1.0,
        min=0.1,
        max=10.0,
        soft_min=0.3,
        soft_max=3.0,
        precision=2,
        step=5,
        override=OVERRIDE,
    )
    seed: IntProperty(
        name="Seed",
        description="Of the variations that are tried: another seed tries others, the same one gives the same keys",
        min=0,
        override=OVERRIDE,
    )
    source_fps: FloatProperty(
        name="Frame Rate",
        description="The true frame rate of the animation, where it was imported at a wrong speed. 0: the scene's",
        default=0.0,
        min=0.0,
        soft_max=240.0,
        max=1000.0,
        precision=2,
        step=100,
        override=OVERRIDE,
    )
    bones: CollectionProperty(type=HeftBoneChoice, override=OVERRIDE_LIST)
    target: EnumProperty(
        name="Keys On",
        description="Which bones of a control rig receive the keys",
        items=[
            ("AUTO", "Automatic", "The controls where Heft knows them, otherwise the deform bones"),
            ("DEFORM", "Deform Bones", "The bones that move the mesh; the controls let go of them"),
            ("CONTROLS", "Controls", "The FK controls, so that you can go on animating"),
        ],
        override=OVERRIDE,
    )
    only_selected: BoolProperty(
        name="Only Selected Bones",
        description="Write keys for the selected bones only; all others keep the source",
        default=False,
        override=OVERRIDE,
    )
    keys: EnumProperty(
        name="Keys",
        description="How many keys the take has",
        items=[
            ("EVERY", "Every Frame", "One key on every frame, exactly as simulated"),
            ("REDUCED", "Reduced", "As few keys as keep every joint within the tolerance"),
        ],
        override=OVERRIDE,
    )
    tolerance_mm: FloatProperty(
        name="Tolerance (mm)",
        description="How far a joint may stray from the simulated motion, in millimetres",
        default=2.0,
        min=0.1,
        soft_max=20.0,
        max=200.0,
        precision=1,
        step=10,
        override=OVERRIDE,
    )
    pushes: CollectionProperty(type=HeftPush, override=OVERRIDE_LIST)
    active_push: IntProperty(name="Disturbance", default=0, options={"SKIP_SAVE"}, override=OVERRIDE)
    takes: CollectionProperty(type=HeftTake, override=OVERRIDE_LIST)
    active_take: IntProperty(
        name="Take", description="The take whose result is shown", default=NO_TAKE, min=NO_TAKE, override=OVERRIDE
    )


_CLASSES = (
    HeftBoneChoice,
    HeftPush,
    HeftRollPose,
    HeftRoll,
    HeftFallBone,
    HeftFall,
    HeftWorldObject,
    HeftTakeObject,
    HeftTake,
    HeftRig,
)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.heft = PointerProperty(type=HeftRig, override=OVERRIDE)
    bpy.types.Object.heft_world = PointerProperty(type=HeftWorldObject, override=OVERRIDE)
    view_properties.register()


def unregister() -> None:
    view_properties.unregister()
    del bpy.types.Object.heft_world
    del bpy.types.Object.heft
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
