"""How a bake ended, as a sentence for a person; a fault of any kind becomes one, too."""

from dataclasses import dataclass
from typing import Literal

from ...sim_core.errors import Cancelled, HeftError
from .user_folder import note_fault


@dataclass(frozen=True, kw_only=True)
class Outcome:
    sentence: str
    kind: Literal["INFO", "WARNING", "ERROR"]
    baked: bool  # there is a new take


def failure(error: Exception) -> Outcome:
    if isinstance(error, Cancelled):
        return Outcome(sentence=str(error), kind="INFO", baked=False)
    if isinstance(error, HeftError):
        said = str(error)
    elif isinstance(error, ReferenceError):
        said = "The character was deleted or exchanged while it was baked; nothing was changed."
    elif isinstance(error, MemoryError):
        said = "There is not enough memory for so many frames; bake fewer at a time."
    elif isinstance(error, OSError):
        where = f" in '{error.filename}'" if error.filename else ""
        said = (
            f"A temporary file cannot be used{where} ({error.strerror or error}); make room on the disk and bake again."
        )
    else:
        said = note_fault(error)
    return Outcome(sentence=" ".join(said.split()), kind="ERROR", baked=False)
