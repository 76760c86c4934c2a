"""The ways to fall and their choices, in the words of the command line; no bpy here."""

from typing import Literal, NamedTuple

Where = Literal["CARRIED", "DIRECTION"]
Style = Literal["BRACE", "ROLL", "STUNT", "LIMP"]
Then = Literal["LIE", "UP", "CLIP"]

WHERE_ITEMS = [
    ("CARRIED", "Where It Is Carried", "Its own speed and what pushes it tell where it falls to"),
    ("DIRECTION", "A Direction", "It falls that way, as far as its balance lets it"),
]
STYLE_ITEMS = [
    ("BRACE", "Brace", "It catches itself with hands, hips and shoulders, and keeps its head up"),
    ("ROLL", "Roll On", "It turns the fall into a roll, over a shoulder and the back, as in judo"),
    ("STUNT", "Stunt", "It throws arms and legs about and lands broadly, for the camera"),
    ("LIMP", "Limp", "It does nothing to save itself, as who faints or is knocked out"),
]
THEN_ITEMS = [
    ("LIE", "Lie", "It comes to rest where it fell, and lies still"),
    ("UP", "Get Up", "It gets up again, and stands"),
    ("CLIP", "Go On", "It gets up again, and the clip goes on where the fall has led it"),
]
MOST_PROTECTED = 4  # bones: who spares everything spares nothing


class Preset(NamedTuple):
    name: str
    meaning: str
    style: Style
    strength: float
    reaction_s: float


PRESETS: dict[str, Preset] = {
    "PUSHED": Preset("Pushed Over", "Awake and well: it braces itself at once", "BRACE", 1.0, 0.0),
    "FAINTS": Preset("Faints", "All its muscles let go", "LIMP", 1.0, 0.0),
    "UKEMI": Preset("Ukemi Roll", "Trained: it rolls the fall off", "ROLL", 1.2, 0.0),
    "DRUNK": Preset("Drunk", "Weak and late: it braces itself, but not soon and not well", "BRACE", 0.3, 0.3),
    "STUNT": Preset("Stunt", "A show fall with arms and legs in the air", "STUNT", 1.2, 0.0),
}


def style_name(style: str) -> str:
    """As the panel says it; of a report or of the panel."""
    return next((name for identifier, name, _ in STYLE_ITEMS if identifier == style.upper()), style)
