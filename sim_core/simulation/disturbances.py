"""What happens to the character from outside."""

import difflib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..body.body import Body
from ..dynamics.kinematics import pose
from ..engines.engine import State, Wrench
from ..errors import SettingsError
from ..motion.skeleton import Skeleton
from ..scene import Push


def pushes_on_segments(pushes: Sequence[Push], body: Body, skeleton: Skeleton, end_s: float) -> tuple[Push, ...]:
    """The pushes with segments for bones; raises where there is no such bone, or no time for the push."""
    for push in pushes:
        if push.at_s > end_s:
            raise SettingsError(
                f"The push on '{push.bone}' comes at {push.at_s:g} s, and the clip ends at {end_s:.2f} s; let it come "
                "earlier."
            )
    return tuple(replace(push, bone=_segment_of(push.bone, body, skeleton)) for push in pushes)


def _segment_of(name: str, body: Body, skeleton: Skeleton) -> str:
    """The segment of this name, or the one that the bone of this name belongs to or rides on."""
    if name in body.names:
        return name
    if name not in skeleton.names:
        by_lower = {known.lower(): known for known in (*skeleton.names, *body.names)}
        near = by_lower[difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.0)[0]]
        raise SettingsError(f"A push names the bone '{name}', which is not in the rig. Nearest: '{near}'.")
    segments = {link.bone: link.name for link in body.links}
    bone = skeleton.index(name)
    while bone >= 0 and skeleton.names[bone] not in segments:
        bone = int(skeleton.parents[bone])
    return segments[skeleton.names[bone]] if bone >= 0 else body.names[0]


def push_wrenches(pushes: Sequence[Push], body: Body, time_s: float, state: State) -> list[Wrench]:
    """The outside wrenches that act at a moment, of pushes on segments."""
    acting = [push for push in pushes if push.at_s <= time_s < push.at_s + push.for_s]
    if not acting:
        return []
    coms = pose(body, state.q).link_coms
    return [
        Wrench(
            link=body.index(push.bone),
            force=np.array(push.force),
            torque=np.zeros(3),
            point=coms[body.index(push.bone)],
        )
        for push in acting
    ]
