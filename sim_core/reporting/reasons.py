"""Why something had to be given up in a bake, one sentence for each stretch, and what would help."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from .given_up import GivenUp
from .outlook import FlightFrames, HardFrames, Outlook
from .reason_words import advice, cause, percent, weight_of

Moment: TypeAlias = Literal["take-off", "flight", "landing"]

_NEAR_S = 0.3  # a fall is seen so much later than its cause; a landing lasts so long, and so does a take-off
_MOST_SENTENCES = 5
_PEAKS = 1.5  # times the average: a peak higher than this is worth a mention
_ASSIST_STEP = 0.05
_MOST_ASSIST = 0.5  # of body weight: a character that hangs on more is no longer simulated
_SIDES = {"forward": "to the front", "backward": "to the back", "left": "to the left", "right": "to the right"}


@dataclass(frozen=True, kw_only=True)
class Explanation:
    first: int
    last: int
    sentence: str
    advice: tuple[str, ...]


class _Place(NamedTuple):
    """A given-up stretch as the forecast sees it."""

    why: HardFrames | None  # what weighs most of what is hard there
    moment: Moment | None  # of a jump
    landing: FlightFrames | None  # the flight that ends there


def explain(given_up: Sequence[GivenUp], outlook: Outlook) -> tuple[Explanation, ...]:
    """In the order of the stretches."""
    explanations = []
    for stretch in given_up:
        place = _place(stretch, outlook)
        sentence = f"{_frames(stretch.first, stretch.last)}: {_what_happened(stretch, place)}."
        advices = tuple(_advice(stretch, place, outlook))
        explanations.append(Explanation(first=stretch.first, last=stretch.last, sentence=sentence, advice=advices))
    return tuple(explanations)


def forecast_in_words(outlook: Outlook) -> list[str]:
    """At most five sentences for before a bake, the hardest stretch first; none where nothing looks hard."""

    def impulse(hard: HardFrames) -> float:
        return weight_of(hard) * (hard.last - hard.first + 1)

    hardest = sorted(outlook.hard, key=impulse, reverse=True)
    shown = hardest if len(hardest) <= _MOST_SENTENCES else hardest[: _MOST_SENTENCES - 1]
    words = [f"{_frames(hard.first, hard.last)} look{_s(hard)} hard: {cause(hard)}." for hard in shown]
    if len(shown) < len(hardest):
        words.append(f"{len(hardest) - len(shown)} more stretches look hard, but less so.")
    return words


def _what_happened(stretch: GivenUp, place: _Place) -> str:
    if stretch.push is not None:
        held = "" if stretch.what == "lost" else f"; {percent(stretch.mean_bw)} held it"
        return f"{stretch.push} is more than the character can catch{_tried(stretch)}{held}"
    if stretch.what == "lost":
        because = "" if place.why is None else f", as {cause(place.why)}"
        return f"{_how_it_failed(stretch, place.moment)}{because}{_tried(stretch)}"
    helped = percent(stretch.mean_bw)
    if stretch.peak_bw > _PEAKS * stretch.mean_bw and stretch.peak_bw >= 0.01:
        helped += f", {100 * stretch.peak_bw:.0f} % at its peak"
    if place.why is not None and place.moment is not None:
        return f"the {place.moment} needs {helped}; {cause(place.why)}"
    if place.why is not None:
        return f"{cause(place.why)}; it needs {helped}"
    if stretch.failure is None and stretch.side is None:
        return f"nothing in the source looks wrong, but it needs {helped}{_tried(stretch)}"
    return f"{_how_it_failed(stretch, place.moment)}{_tried(stretch)}; {helped} held it"


def _how_it_failed(stretch: GivenUp, moment: Moment | None) -> str:
    side = f" {_SIDES[stretch.side]}" if stretch.side is not None else ""
    after = f" in the {moment}" if moment is not None else ""
    if stretch.failure == "broke down":
        return f"the simulation breaks down{after}"
    if stretch.failure == "was still falling at its end":
        return f"the character is still falling{side} when the clip ends"
    if stretch.failure == "left the path" and stretch.side is None:
        return f"the character leaves its path{after}"
    return f"balance is lost{side}{after}"


def _tried(stretch: GivenUp) -> str:
    if stretch.variations == 0:
        return ""
    if stretch.variations == 1:
        return ", and another try did not bring it back"
    return f", and none of {stretch.variations} variations brought it back"


def _advice(stretch: GivenUp, place: _Place, outlook: Outlook) -> list[str]:
    if stretch.push is not None:
        return [stretch.push_advice]
    sentences = []
    if outlook.frames_before and place.landing is not None and place.landing.first <= outlook.first:
        sentences.append("Bake a longer range, so that the take-off is in it.")
    if place.why is not None:
        sentences.append(advice(place.why, outlook.friction))
    if stretch.what == "lost" and stretch.limit_bw is not None:
        needed = max(weight_of(place.why) if place.why is not None else 0.0, stretch.limit_bw + 0.5 * _ASSIST_STEP)
        if needed <= _MOST_ASSIST:
            sentences.append(f"Allow {100 * math.ceil(needed / _ASSIST_STEP - 1e-6) * _ASSIST_STEP:.0f} % assist.")
    return sentences


def _place(stretch: GivenUp, outlook: Outlook) -> _Place:
    near = round(_NEAR_S * outlook.fps)
    landing = next((f for f in outlook.flights if stretch.first - near <= f.last < stretch.last), None)
    # What fails has its cause there, or else just before; a landing, in all of the jump.
    since = stretch.first - near if landing is None else min(stretch.first, landing.first) - near
    there = [hard for hard in outlook.hard if hard.first <= stretch.last and hard.last >= stretch.first]
    before = [hard for hard in outlook.hard if hard.first <= stretch.last and hard.last >= since]
    why = max(there or before, key=weight_of, default=None)
    return _Place(why, "landing" if landing is not None else _moment(stretch, outlook, near), landing)


def _moment(stretch: GivenUp, outlook: Outlook, near: int) -> Moment | None:
    """Of a stretch in which nothing lands."""
    for flight in outlook.flights:
        if flight.first <= stretch.first <= flight.last:
            return "flight"
        if stretch.first < flight.first <= stretch.last + near:
            return "take-off"
    return None


def _frames(first: int, last: int) -> str:
    return f"Frame {first}" if first == last else f"Frames {first}-{last}"


def _s(hard: HardFrames) -> str:
    return "s" if hard.first == hard.last else ""
