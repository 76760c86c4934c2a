"""What takes have to show, read once and kept for the next redraw."""

from typing import NamedTuple

from bpy.types import Action

from ...sim_core.errors import HeftError
from ...sim_core.reporting.take import Take, load_take
from ..drawing.draw_handlers import say_later
from .given_up import GivenUp
from .result_words import read_result

_KEPT = 4  # takes: enough to go between some of them without a pause


class TakeData(NamedTuple):
    take: Take
    metres_per_unit: float  # of Blender's units
    given_up: tuple[GivenUp, ...]


class TakeCache:
    def __init__(self) -> None:
        self._read: dict[int, TakeData | None] = {}  # by the action's number in this session, oldest first

    def data_of(self, action: Action) -> TakeData | None:
        """None where the action is no take, or a damaged one, which is said once."""
        if "heft_take" not in action:
            return None
        number = action.session_uid
        if number not in self._read:
            while len(self._read) >= _KEPT:
                self._read.pop(next(iter(self._read)))
            self._read[number] = _read(action)
        return self._read[number]

    def clear(self) -> None:
        self._read.clear()


def _read(action: Action) -> TakeData | None:
    try:
        result = read_result(action.get("heft_report", ""))
        return TakeData(
            load_take(bytes(action["heft_take"])),
            float(action.get("heft_units", 1.0)),
            () if result is None else result.given_up,
        )
    except (HeftError, TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, HeftError) else "What it has to show is damaged; bake it again."
        say_later(f"'{action.name}' cannot be shown. {reason}", "WARNING")
        return None
