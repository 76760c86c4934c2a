"""From what is asked for to a motion that rolls."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..errors import SettingsError
from ..posing.heading import facing_of
from ..settings import RollSettings
from .find_roll import find_roll
from .made_rolls import made_roll
from .pose_cycle import PoseCycle, cycle_of_poses
from .repeat_roll import Rolled, repeat_roll


def plan_roll(
    body: Body,
    q: Floats,
    fps: float,
    floor_m: float,
    roll: RollSettings,
    *,
    first_number: int,  # that the person gives to the first frame
    poses: Floats | None = None,  # (K, nq) to roll through, of a roll that is made
) -> Rolled:
    """The motion q (T, nq) of a clip with its roll repeated, or a roll that begins in it."""
    if roll.kind == "clip":
        return repeat_roll(body, q, fps, find_roll(body, q, fps), roll.rolls or 1)
    frame = 0 if roll.at is None else roll.at - first_number
    if not 0 <= frame < len(q):
        raise SettingsError(
            f"Frame {roll.at} is none to roll from: choose one from {first_number} to {first_number + len(q) - 1}."
        )
    heading = facing_of(body, pose(body, q[frame])) + np.radians(roll.direction_deg)
    cycle = None if poses is None else _cycle(body, poses)
    here = pose(body, q[frame]).com
    rolled = made_roll(
        body,
        roll.kind,
        roll.rolls or 1,
        fps=fps,
        begin_q=q[frame],
        heading=heading + (np.pi if roll.kind == "backward" else 0.0),
        place=np.array([here[0], here[1], floor_m]),
        speed=roll.speed,
        cycle=cycle,
        ends="roll" if roll.then == "roll" else None,
    )
    return rolled._replace(source=np.full(len(rolled.q), frame))


def _cycle(body: Body, poses: Floats) -> PoseCycle:
    if len(poses) < 2:
        raise SettingsError("A roll needs two poses or more; add another.")
    return cycle_of_poses(body, poses)
