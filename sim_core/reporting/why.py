"""What a bake had to give up, and why: assist that was needed, or a performance that was lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..body.body import Body
from ..performance import Performance
from ..reference.reference import Reference
from ..rig.segments import in_words
from ..scene import Push
from ..simulation.recording import Recording
from .fall_side import fall_side
from .given_up import GivenUp, assisted_stretches
from .outlook import Outlook
from .reasons import explain

_PUSHED_S = 1.0  # a push fells whoever falls so soon after it
_REWOUND_S = 1.0  # variations for a fall are tried so long before it


@dataclass(frozen=True, kw_only=True)
class Reason:
    first_frame: int  # as the person counts, both included
    last_frame: int
    assist_mean_bw: float
    assist_peak_bw: float
    lost: bool
    sentence: str
    advice: tuple[str, ...]


def reasons_of(
    recording: Recording,
    reference: Reference,
    body: Body,
    performance: Performance,
    outlook: Outlook,
    *,
    weight: float,  # [N]
    limit_bw: float | None,  # of the assist that was allowed; None is as much as it takes
    pushes: Sequence[Push],
    tried: Mapping[int, int],  # variations, by the step of the window that they were tried for
) -> tuple[Reason, ...]:
    rate = recording.rate

    def told(one: GivenUp) -> GivenUp:
        return replace(one, variations=_tried(one, tried, performance, rate), push=_push(one, pushes, performance))

    stretches = [told(one) for one in assisted_stretches(recording.assist_weights(weight), rate, performance)]
    if recording.failed_at_s is not None:
        step = min(round(recording.failed_at_s * rate), len(recording.q) - 1)
        frame = performance.frame_at(recording.failed_at_s)
        stretches = [one for one in stretches if one.last < frame]
        lost = GivenUp(
            first=frame,
            last=performance.frame_at((reference.clip_steps - 1) / rate),
            what="lost",
            failure=recording.failure,
            side=fall_side(body, recording.q[step], reference.q[step]),
            limit_bw=limit_bw,
        )
        stretches.append(told(lost))
    return tuple(
        Reason(
            first_frame=said.first,
            last_frame=said.last,
            assist_mean_bw=stretch.mean_bw,
            assist_peak_bw=stretch.peak_bw,
            lost=stretch.what == "lost",
            sentence=said.sentence,
            advice=said.advice,
        )
        for stretch, said in zip(stretches, explain(stretches, outlook), strict=True)
    )


def _push(stretch: GivenUp, pushes: Sequence[Push], performance: Performance) -> str | None:
    """The push that a stretch is due to, in words."""
    before = round(_PUSHED_S * performance.asked.fps)
    for push in pushes:
        begins, ends = (performance.frame_at(time_s) for time_s in (push.at_s, push.at_s + push.for_s))
        if begins <= stretch.last and stretch.first <= ends + before:
            return f"the push of {np.linalg.norm(push.force):.0f} N on the {in_words(push.bone)}"
    return None


def _tried(stretch: GivenUp, tried: Mapping[int, int], performance: Performance, rate: float) -> int:
    before = round(_REWOUND_S * performance.asked.fps)
    return sum(
        count
        for step, count in tried.items()
        if stretch.first - before <= performance.frame_at(step / rate) <= stretch.last
    )
