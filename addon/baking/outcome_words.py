"""How a bake ended, in the sentence that the panel shows; no bpy here."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Ended(NamedTuple):
    sentence: str
    kind: Literal["INFO", "WARNING"]


def is_lost(report: Mapping[str, Any], kept: bool) -> bool:
    """Not only unfinished: a take that was stopped is none that failed."""
    return not kept and (_stopped_at(report) is None or report.get("fell_at_frame") is not None)


def how_it_ended(report: Mapping[str, Any], *, kept: bool, plays: str, first: int, last: int) -> Ended:
    """`plays` says what now plays which take; frames are the scene's, as the worker was told."""
    stopped_at, lost = _stopped_at(report), is_lost(report, kept)
    why = f"the character {report.get('why') or 'was lost'}{_where(report)}"
    if stopped_at is not None:
        return Ended(
            f"{plays}, {_rest_in_words(stopped_at, first, last)}.{f' Before that {why}.' if lost else ''}",
            "WARNING" if lost else "INFO",
        )
    if lost and report.get("stopped"):
        return Ended(
            f"Stopped, and in the best so far {why}; let it search longer, or allow more help under Realism.",
            "WARNING",
        )
    if lost:
        return Ended(
            f"The take was written, but {why}; allow more help under Realism, or bake fewer frames.", "WARNING"
        )
    if report.get("stopped"):
        return Ended(f"{plays}, frames {first} to {last}: stopped, with the best so far.", "INFO")
    return Ended(f"{plays}, frames {first} to {last}.", "INFO")


def _rest_in_words(stopped_at: int, first: int, last: int) -> str:
    if stopped_at < first:
        return "stopped before its first frame was simulated; all frames are the source's"
    rest = f"frame {last} is" if stopped_at + 1 >= last else f"frames {stopped_at + 1} to {last} are"
    return f"stopped at frame {stopped_at}; {rest} the source's"


def _stopped_at(report: Mapping[str, Any]) -> int | None:
    """The last simulated frame of a take that was stopped; None where all were simulated."""
    frame = report.get("simulated_to_frame")
    return frame if isinstance(frame, int) else None


def _where(report: Mapping[str, Any]) -> str:
    frame = report.get("fell_at_frame")
    return f" at frame {frame}" if isinstance(frame, int) else ""
