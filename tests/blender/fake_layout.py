"""A layout that notes what a panel draws: without a window Blender has none to hand out."""

from types import SimpleNamespace
from typing import Any

import bpy

_ICONS = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())
_CONTAINERS = ("row", "column", "box", "split", "grid_flow")


class FakeLayout:
    """Raises where Blender would: unknown properties, operators and icons. `said` is all text, in order."""

    def __init__(self, notes: "FakeLayout | None" = None) -> None:
        first = notes is None
        self.said: list[str] = [] if first else notes.said
        self.operators: list[str] = [] if first else notes.operators
        self.buttons: list[tuple[str, SimpleNamespace]] = [] if first else notes.buttons  # with what they are given
        self.properties: list[str] = [] if first else notes.properties
        self.greyed: list[str] = [] if first else notes.greyed  # of the properties
        self.subdued: list[str] = [] if first else notes.subdued  # of what is said
        self.pressed: list[str] = [] if first else notes.pressed  # of the buttons, what stands on them
        self.pictures: list[int] = [] if first else notes.pictures
        self.enabled, self.active = first or notes.enabled, first or notes.active

    def __getattr__(self, name: str) -> Any:
        if name not in _CONTAINERS:
            raise AttributeError(name)
        return lambda **_: FakeLayout(self)

    def separator(self, **_: Any) -> None: ...

    def label(self, *, text: str = "", icon: str = "NONE", icon_value: int = 0, translate: bool = True) -> None:
        assert icon in _ICONS
        self.said.append(text)
        if not self.active:
            self.subdued.append(text)

    def prop(self, data: Any, name: str, **settings: Any) -> None:
        assert settings.get("icon", "NONE") in _ICONS
        assert name in data.bl_rna.properties
        self.properties.append(name)
        if not self.enabled:
            self.greyed.append(name)
        self.said.append(settings.get("text", data.bl_rna.properties[name].name))

    def prop_search(self, data: Any, name: str, owner: Any, collection: str, **settings: Any) -> None:
        assert collection in owner.bl_rna.properties
        self.prop(data, name, **settings)

    def operator(self, name: str, *, text: str | None = None, icon: str = "NONE", **settings: Any) -> SimpleNamespace:
        assert icon in _ICONS
        room, _, own = name.partition(".")
        operator = getattr(bpy.types, f"{room.upper()}_OT_{own}")
        self.operators.append(name)
        self.said.append(operator.bl_label if text is None else text)
        if settings.get("depress"):
            self.pressed.append(self.said[-1])
        self.buttons.append((name, SimpleNamespace()))
        return self.buttons[-1][1]

    def operator_menu_enum(self, name: str, prop: str, *, text: str | None = None, icon: str = "NONE") -> None:
        self.operator(name, text=text, icon=icon)

    def template_icon(self, icon_value: int, scale: float = 1.0) -> None:
        self.pictures.append(icon_value)

    def progress(self, *, factor: float, type: str, text: str) -> None:
        self.said.append(text)

    def template_list(self, kind: str, _id: str, data: Any, name: str, owner: Any, active: str, **_: Any) -> None:
        lists = getattr(bpy.types, kind)
        for index, item in enumerate(getattr(data, name)):
            lists.draw_item(None, None, FakeLayout(self), data, item, 0, owner, active, index)


def draw(panel: type, context: Any) -> FakeLayout:
    """What the panel draws, its header first."""
    layout = FakeLayout()
    stand_in = SimpleNamespace(layout=layout)
    if hasattr(panel, "settings_layout"):
        stand_in.settings_layout = lambda context: panel.settings_layout(stand_in, context)
    for part in ("draw_header", "draw_header_preset", "draw"):
        if part in vars(panel):
            vars(panel)[part](stand_in, context)
    return layout


def drawn(armature: Any, panel: str = "motion") -> FakeLayout:
    """What a panel of Heft's draws for an armature, in a sidebar of the usual width."""
    real = bpy.context
    context = SimpleNamespace(
        active_object=armature,
        scene=real.scene,
        window_manager=real.window_manager,
        preferences=real.preferences,
        region=SimpleNamespace(width=292),
    )
    return draw(getattr(bpy.types, f"HEFT_PT_{panel}"), context)
