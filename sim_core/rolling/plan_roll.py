"""From what is asked for to a motion that rolls."""

from ..arrays import Floats
from ..body.body import Body
from ..settings import RollSettings
from .find_roll import find_roll
from .repeat_roll import Rolled, repeat_roll

_MOST_ROLLS = 100


def plan_roll(body: Body, q: Floats, fps: float, floor_m: float, roll: RollSettings, *, first_number: int) -> Rolled:
    """The motion q (T, nq) of a clip with its roll repeated, or a roll that begins in it."""
    found = find_roll(body, q, fps)
    return repeat_roll(body, q, fps, found, roll.rolls or 1)
