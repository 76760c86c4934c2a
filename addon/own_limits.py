"""Whether a rig has limits of its own in place of the dial. Before there was a dial, what was set were limits."""

from bpy.types import PropertyGroup

# What is kept: a box that is not ticked could not tell that nobody has said.
LIMITS_ITEMS = [
    ("UNSAID", "Unsaid", "The dial, unless a file of an earlier version has set limits"),
    ("DIAL", "Dial", "Those that the dial Realism stands for"),
    ("OWN", "Own", "Those under Advanced"),
]


def has_own_limits(rig: PropertyGroup) -> bool:
    if rig.limits_choice == "UNSAID":
        return bool(rig.is_property_set("assist"))
    return bool(rig.limits_choice == "OWN")


def say_own_limits(rig: PropertyGroup, own: bool) -> None:
    rig.limits_choice = "OWN" if own else "DIAL"
