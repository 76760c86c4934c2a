"""Motions that take the time they take: their takes may have more or fewer frames than the source; no bpy here."""

from ..sim_core.errors import SettingsError

_WORDS = {"ROLL": "roll", "FALL": "fall"}


def own_time(motion: str) -> str:
    """As in a sentence, "roll" or "fall", for a motion of the panel or of a report; empty for all others."""
    return _WORDS.get(motion.upper(), "")


def check_begin(what: str, at: int | None, first: int, last: int) -> None:
    """Of a bake whose simulated frames are first to last; None is as the worker finds it."""
    if at is not None and not first <= at <= last:
        raise SettingsError(
            f"The {what} begins at frame {at}, and frames {first} to {last} are simulated; let it begin at one of "
            "these."
        )
