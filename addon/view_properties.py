"""What is shown: the pieces of the overlay on a scene, and how a bake is getting on."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import Context, PropertyGroup

_DRAWN_IN = {"VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR", "NLA_EDITOR"}


def redraw(_owner: PropertyGroup, context: Context) -> None:
    """Overlay and strip are drawn by handlers, which Blender does not call for a changed property."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in _DRAWN_IN:
                area.tag_redraw()


class HeftView(PropertyGroup):
    """The pieces of the overlay."""

    show_overlay: BoolProperty(
        name="Overlay", description="Draw the physics of the take in the viewport", default=True, update=redraw
    )
    show_shapes: BoolProperty(
        name="Body Shapes", description="The solid shapes that were simulated", default=False, update=redraw
    )
    show_com: BoolProperty(
        name="Centre of Mass",
        description="The point where the body's weight acts, and where it lies over the ground",
        default=True,
        update=redraw,
    )
    show_support: BoolProperty(
        name="Support Area",
        description="The area between the feet; over it the body is in balance",
        default=True,
        update=redraw,
    )
    show_forces: BoolProperty(
        name="Ground Forces",
        description="How hard the ground pushes back, as arrows at the feet",
        default=True,
        update=redraw,
    )
    show_assist: BoolProperty(
        name="Assist", description="The invisible hand, as a red arrow at the hips", default=True, update=redraw
    )
    show_disturbances: BoolProperty(
        name="Disturbances",
        description="What is set to happen to the character, as orange arrows in its frames",
        default=True,
        update=redraw,
    )
    show_strip: BoolProperty(
        name="Timeline Strip",
        description="Colour the frames of the timeline by how physical they are, before and after",
        default=True,
        update=redraw,
    )
    compare: BoolProperty(
        name="Compare", description="Show the source as a ghost beside the take", default=False, update=redraw
    )
    ghost_offset: FloatVectorProperty(
        name="Ghost Offset",
        description="How far from the character the ghost stands; 0 is in the same place",
        size=3,
        subtype="TRANSLATION",
        default=(0.0, 0.0, 0.0),
        update=redraw,
    )


class HeftStatus(PropertyGroup):
    """How the bake is getting on, and how the last one ended."""

    running: BoolProperty(options={"SKIP_SAVE"})
    stage: StringProperty(options={"SKIP_SAVE"})
    fraction: FloatProperty(min=0.0, max=1.0, options={"SKIP_SAVE"})
    time_left_s: FloatProperty(default=-1.0, options={"SKIP_SAVE"})  # negative: not known yet
    sentence: StringProperty(options={"SKIP_SAVE"})
    sentence_kind: EnumProperty(
        items=[("INFO", "Info", ""), ("WARNING", "Warning", ""), ("ERROR", "Error", "")], options={"SKIP_SAVE"}
    )
    cancel: BoolProperty(options={"SKIP_SAVE"})  # the person asked to stop


_CLASSES = (HeftView, HeftStatus)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.heft_view = PointerProperty(type=HeftView)
    bpy.types.WindowManager.heft = PointerProperty(type=HeftStatus)


def unregister() -> None:
    del bpy.types.WindowManager.heft
    del bpy.types.Scene.heft_view
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
