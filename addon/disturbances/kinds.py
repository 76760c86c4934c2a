"""The kinds of disturbances and their choices, in the words of the command line; no bpy here."""

from typing import Literal

Kind = Literal["PUSH", "THROW", "PULL", "KEEP_LEVEL", "TURN", "STANCE"]
Space = Literal["WORLD", "CHARACTER"]
Side = Literal["LEFT", "RIGHT", "FRONT", "BACK", "DIRECTION"]
Foot = Literal["LEFT", "RIGHT"]
FootDoes = Literal["STANDS", "SWINGS", "SLIDES"]

KIND_ITEMS = [
    ("PUSH", "Push", "A force on a part of the body for some frames", "FORCE_FORCE", 0),
    ("THROW", "Throw", "A ball that hits a part of the body", "SPHERE", 1),
    ("PULL", "Pull", "A part of the body is drawn towards a point", "CON_TRACKTO", 2),
    ("KEEP_LEVEL", "Keep Level", "A part of the body stays upright, as if it held a full cup", "MATFLUID", 3),
    ("TURN", "Turn", "The character goes on in another direction", "CON_ROTLIKE", 4),
    ("STANCE", "Stance", "Says what a foot does, where Heft reads the animation otherwise", "CON_FLOOR", 5),
]
SPACE_ITEMS = [
    ("WORLD", "World", "Along the axes of the world"),
    ("CHARACTER", "Character", "X forward, Y to the left and Z up, as the character stands at that moment"),
]
FROM_ITEMS = [
    ("LEFT", "Left", "From the left of the character"),
    ("RIGHT", "Right", "From the right of the character"),
    ("FRONT", "Front", "From in front of the character"),
    ("BACK", "Back", "From behind the character"),
    ("DIRECTION", "Direction", "From a direction in the world"),
]
FOOT_ITEMS = [
    ("LEFT", "Left", "The left foot of the character"),
    ("RIGHT", "Right", "The right foot of the character"),
]
FOOT_DOES_ITEMS = [
    ("STANDS", "Stands", "It stays where it is and bears weight"),
    ("SWINGS", "Swings", "It bears nothing and moves freely, however near the ground it is"),
    ("SLIDES", "Slides", "It bears weight and slides on purpose, with little friction, as on ice"),
]
NAMES: dict[str, str] = {identifier: name for identifier, name, *_ in KIND_ITEMS}
ICONS: dict[str, str] = {identifier: icon for identifier, _, _, icon, _ in KIND_ITEMS}

WITH_BONE = frozenset({"PUSH", "THROW", "PULL", "KEEP_LEVEL"})
WITH_HANDLE = frozenset({"PUSH", "THROW", "PULL"})
