"""The kinds of rolls and their choices, in the words of the command line; no bpy here."""

from typing import Literal, NamedTuple

Kind = Literal["CLIP", "FORWARD", "BACKWARD", "SIDEWAYS", "SHOULDER"]
Then = Literal["STAND", "CLIP", "ROLL"]

KIND_ITEMS = [
    ("CLIP", "Clip's Own Roll", "The roll that the animation has: it is found, and may be repeated"),
    ("FORWARD", "Forward", "Over a round back, heels over head"),
    ("BACKWARD", "Backward", "From sitting down over the back and the hands"),
    ("SIDEWAYS", "Sideways", "Lying stretched out, as a log rolls"),
    ("SHOULDER", "Shoulder", "From one shoulder across the back to the other hip"),
]
REPEAT_ITEMS = [
    ("NUMBER", "Number", "So many rolls"),
    ("DISTANCE", "Distance", "As many rolls as lead so far"),
]
THEN_ITEMS = [
    ("STAND", "Stands Up", "It comes to stand after the last roll"),
    ("CLIP", "Back into the Clip", "It gets up into the frames that follow, where the roll has led it"),
    ("ROLL", "Rolls On", "The last frame is in the middle of a roll"),
]


class Preset(NamedTuple):
    name: str
    meaning: str
    kind: Kind
    rolls: int
    then: Then


PRESETS: dict[str, Preset] = {
    "GYMNAST": Preset("Gymnast", "Forward once, from standing to standing", "FORWARD", 1, "STAND"),
    "PARKOUR": Preset("Parkour", "Over a shoulder once, and on with the clip", "SHOULDER", 1, "CLIP"),
    "LOG": Preset("Log", "Sideways, five times", "SIDEWAYS", 5, "STAND"),
    "BACKWARD": Preset("Backward", "Backward once, from standing to standing", "BACKWARD", 1, "STAND"),
}


def is_made(kind: str) -> bool:
    """Whether the roll is made for the character, where the animation need not have one."""
    return kind != "CLIP"
