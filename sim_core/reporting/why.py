"""What a bake had to give up, and why: assist that was needed, or a performance that was lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..body.body import Body
from ..disturbances import Pull, Push, Throw
from ..performance import Performance
from ..reference.reference import Reference
from ..rig.segments import in_words
from ..simulation.recording import Recording
from .fall_side import fall_side
from .given_up import GivenUp, assisted_stretches
from .outlook import Outlook
from .reasons import explain

_PUSHED_S = 1.0  # a push fells whoever falls so soon after it
_ADVICE = {
    Push: "Push less hard, or for fewer frames.",
    Pull: "Pull less hard, or for fewer frames.",
    Throw: "Throw it more slowly, or a lighter one.",
}
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
    blows: Sequence[Push | Pull | Throw],
    tried: Mapping[int, int],  # variations, by the step of the window that they were tried for
) -> tuple[Reason, ...]:
    rate = recording.rate

    def told(one: GivenUp) -> GivenUp:
        return _with_blow(replace(one, variations=_tried(one, tried, performance, rate)), blows, performance)

    stretches = [told(one) for one in assisted_stretches(recording.pelvis_assist_weights(weight), rate, performance)]
    if recording.failed_at_s is not None:
        step = min(round(recording.failed_at_s * rate), len(recording.q) - 1)
        frame = performance.frame_at(recording.failed_at_s)
        stretches = [one for one in stretches if one.last < frame]
        lost = GivenUp(
            first=frame,
            last=performance.frame_at((reference.clip_steps - 1) / rate),
            what="lost",
            failure=recording.failure,
            side=fall_side(body, recording.q[step], reference.q[recording.rows[step]]),
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


def _with_blow(stretch: GivenUp, blows: Sequence[Push | Pull | Throw], performance: Performance) -> GivenUp:
    """With the push, pull or throw that it is due to, in words."""
    before = round(_PUSHED_S * performance.asked.fps)
    for blow in blows:
        ends_s = blow.at_s if isinstance(blow, Throw) else blow.at_s + blow.for_s
        begins, ends = (performance.frame_at(time_s) for time_s in (blow.at_s, ends_s))
        if begins <= stretch.last and stretch.first <= ends + before:
            return replace(stretch, push=_in_words(blow), push_advice=_ADVICE[type(blow)])
    return stretch


def _in_words(blow: Push | Pull | Throw) -> str:
    where = in_words(blow.bone)
    if isinstance(blow, Throw):
        return f"the ball of {blow.mass:g} kg thrown at the {where}"
    if isinstance(blow, Pull):
        return f"the pull of {blow.force:.0f} N on the {where}"
    return f"the push of {np.linalg.norm(blow.force):.0f} N on the {where}"


def _tried(stretch: GivenUp, tried: Mapping[int, int], performance: Performance, rate: float) -> int:
    before = round(_REWOUND_S * performance.asked.fps)
    return sum(
        count
        for step, count in tried.items()
        if stretch.first - before <= performance.frame_at(step / rate) <= stretch.last
    )
