"""What happens to the character from outside."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..body.body import Body
from ..dynamics.kinematics import pose
from ..engines.engine import State, Wrench
from ..errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Push:
    """A steady force on a segment for a while, at its centre of mass."""

    segment: str
    at_s: float  # seconds after the first simulated frame
    for_s: float
    force: tuple[float, float, float]  # world, Z-up [N]

    def __post_init__(self) -> None:
        if not (self.at_s >= 0 and self.for_s > 0 and np.all(np.isfinite(self.force))):
            raise SettingsError(
                f"A push on {self.segment} needs at >= 0 s, for > 0 s and a force of plain numbers; "
                f"found at={self.at_s:g}, for={self.for_s:g}, force={self.force}."
            )


def check_pushes(pushes: Sequence[Push], body: Body) -> None:
    for push in pushes:
        if push.segment not in body.names:
            raise SettingsError(
                f"A push names the bone '{push.segment}', which this body does not have; choose one of "
                f"{', '.join(body.names)}."
            )


def push_wrenches(pushes: Sequence[Push], body: Body, time_s: float, state: State) -> list[Wrench]:
    """The outside wrenches that act at a moment."""
    acting = [push for push in pushes if push.at_s <= time_s < push.at_s + push.for_s]
    if not acting:
        return []
    coms = pose(body, state.q).link_coms
    return [
        Wrench(
            link=body.index(push.segment),
            force=np.array(push.force),
            torque=np.zeros(3),
            point=coms[body.index(push.segment)],
        )
        for push in acting
    ]
