"""Disturbances on the worker's command line, where they are refused in a sentence if they cannot be; no bpy here."""

from collections.abc import Callable, Iterable

from ...sim_core.errors import SettingsError
from .disturbance import Disturbance, Triple


def disturbance_options(
    disturbances: Iterable[Disturbance], first: int, last: int, *, goes_on: bool = False
) -> list[str]:
    """For a bake whose simulated frames are first to last; how far one goes on for longer, only the worker knows."""
    return [_option(item, first, last, goes_on) for item in disturbances]


def _option(item: Disturbance, first: int, last: int, goes_on: bool) -> str:
    is_in = first <= item.frame and (goes_on or item.frame <= last)
    if not (item.kind == "KEEP_LEVEL" and item.whole_clip) and not is_in:
        raise SettingsError(
            f"A {item.word} comes at frame {item.frame}, and frames {first} to {last} are simulated; "
            f"move the {item.word}, remove it, or bake more frames."
        )
    return _OPTIONS[item.kind](item)


def _push(item: Disturbance) -> str:
    space = ",space=character" if item.space == "CHARACTER" else ""
    return f"--push=bone={item.segment},{_frames(item)},force={_triple(item.force)}{space}"


def _throw(item: Disturbance) -> str:
    if item.side == "DIRECTION" and not any(item.direction):
        raise SettingsError("A throw comes from no direction; set one, or choose a side of the character.")
    side = _triple(item.direction) if item.side == "DIRECTION" else item.side.lower()
    return f"--throw=target={item.segment},frame={item.frame},mass={item.mass:.9g},speed={item.speed:.9g},from={side}"


def _pull(item: Disturbance) -> str:
    if "," in item.by:
        raise SettingsError(f"A pull follows '{item.by}', which has a comma in its name; give it another name.")
    where = f"by={item.by}" if item.by else f"to={'/'.join(map(_triple, item.points))}"
    return f"--pull=bone={item.segment},{_frames(item)},{where},force={item.strength:.9g}"


def _keep_level(item: Disturbance) -> str:
    when = "" if item.whole_clip else f",{_frames(item)}"
    return f"--keep-level=bone={item.segment}{when}"


def _turn(item: Disturbance) -> str:
    return f"--turn={item.degrees:.9g},frame={item.frame}"


def _stance(item: Disturbance) -> str:
    return f"--stance=foot={item.foot.lower()},is={item.foot_does.lower()},{_frames(item)}"


_OPTIONS: dict[str, Callable[[Disturbance], str]] = {
    "PUSH": _push,
    "THROW": _throw,
    "PULL": _pull,
    "KEEP_LEVEL": _keep_level,
    "TURN": _turn,
    "STANCE": _stance,
}


def _frames(item: Disturbance) -> str:
    return f"frame={item.frame},frames={item.frames}"


def _triple(values: Triple) -> str:
    return ":".join(f"{value:.9g}" for value in values)
