"""Whether a clip plays at its true rate, by what gravity and legs allow.

At twice the true rate everything accelerates four times too hard: free fall comes out near 4 g, and a body whose foot
stands still would have to be pulled down by the ground. A walk at twice its pace breaks no law, but no one steps so
fast without leaving the ground: that is said, and left to the person.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import binary_opening, label
from scipy.signal import find_peaks

from ..arrays import Bools, Floats
from ..body.body import Body
from ..constants import GRAVITY
from ..dynamics.kinematics import Pose, pose
from ..filters import derivative, low_pass
from ..motion.clip import Clip
from ..motion.motion_guesses import Guess
from ..posing.body_motion import body_positions, normalised
from ..posing.surface import touch
from ..posing.upright import is_upright
from ..scene import Ground
from ..settings import ReferenceSettings
from .repair import bridge_flips

_SMOOTH_HZ = 6.0
_IN_THE_AIR_M = 0.04  # above the level that the body keeps coming back to
_SHORTEST_FLIGHT_S = 0.08
_PARABOLA_M = 0.006  # a flight's centre of mass keeps to a parabola this well,
_PARABOLA_SHARE = 0.065  # or, where it is high, within this share of its height
_ONE_G = (7.0, 13.0)  # m/s^2: what a rough centre of mass makes of gravity
_FOUR_G = (28.0, 50.0)
_STILL_M_S = 0.4
_PLANTED_S = 0.12  # a foot at the top of a jump is still for less
_PULLED = 0.15  # of body weight: the ground bears less than this, or would have to pull
_PULLED_S = 0.03  # jitter pulls for less
_PULLED_SHARE = 0.025  # of all frames; true clips without flight stay below 0.015
_SHORTEST_STRIDE_S = 0.8  # of a walk: 2.5 steps a second
_STRIDES = 3


class RateCheck(NamedTuple):
    guess: Guess | None  # a rate to use instead of the file's
    suspicion: str | None  # a sentence, where the file's rate is used but looks wrong


def check_frame_rate(clip: Clip, body: Body) -> RateCheck:
    q = bridge_flips(body, body_positions(clip, body), clip.fps, ReferenceSettings().fastest_rad_s).q
    now = pose(body, normalised(low_pass(q, clip.fps, _SMOOTH_HZ), body))
    half = clip.fps / 2.0
    falls = _free_falls(clip, body, now)
    if any(_ONE_G[0] < fall < _ONE_G[1] for fall in falls):
        return RateCheck(None, None)
    fast = [fall for fall in falls if _FOUR_G[0] < fall < _FOUR_G[1]]
    if fast:
        found = np.median(fast) / GRAVITY
        why = f"Free fall comes out at {found:.1f} g, so {_half_rate(half)}"
        return RateCheck(Guess(name="fps", value=half, reason=why), None)
    planted = _planted_feet(body, now, clip.fps)
    pulled = 0.0 if _turns_over(body, now) else _pulled_share(now.com, planted.any(axis=1), clip.fps)
    if pulled > _PULLED_SHARE:
        why = (
            f"In {100 * pulled:.0f} % of the frames the body drops faster than it can fall while a foot stands still, "
            f"so {_half_rate(half)}"
        )
        return RateCheck(Guess(name="fps", value=half, reason=why), None)
    stride = _walking_stride(body, now, planted, clip.fps)
    if stride is not None and stride < _SHORTEST_STRIDE_S:
        why = (
            f"Steps come {2 / stride:.1f} a second without leaving the ground, which is twice a walk's pace; if the "
            f"clip plays too fast, its true rate is {half:g} fps."
        )
        return RateCheck(None, why)
    return RateCheck(None, None)


def _half_rate(half: float) -> str:
    return f"the true rate is taken to be {half:g} fps, half the file's; the result keeps the file's frame time."


def _free_falls(clip: Clip, body: Body, now: Pose) -> list[float]:
    """The downward acceleration of every flight that keeps to a parabola [m/s^2]."""
    lowest = touch(body, now, Ground()).distances.min(axis=1)
    flights, count = label(lowest - np.percentile(lowest, 20) > _IN_THE_AIR_M)
    falls = []
    for flight in range(1, count + 1):
        rows = np.flatnonzero(flights == flight)
        if len(rows) < 4 or len(rows) / clip.fps < _SHORTEST_FLIGHT_S:
            continue
        times = (rows - rows.mean()) / clip.fps
        parabola = np.polyfit(times, now.com[rows, 2], 2)
        strays = np.std(np.polyval(parabola, times) - now.com[rows, 2])
        if strays < max(_PARABOLA_M, _PARABOLA_SHARE * np.ptp(now.com[rows, 2])):
            falls.append(float(-2.0 * parabola[0]))
    return falls


def _planted_feet(body: Body, now: Pose, fps: float) -> Bools:
    """(T, 2) left and right: some point of the sole stands still, wherever the ground is."""
    soles = now.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(np.gradient(soles, 1.0 / fps, axis=0), axis=-1)
    still = np.stack([speeds[:, side].min(axis=1) for side in (body.soles.left, ~body.soles.left)], axis=1) < _STILL_M_S
    planted: Bools = binary_opening(still, np.ones((max(1, int(_PLANTED_S * fps)), 1)))
    return planted


def _turns_over(body: Body, now: Pose) -> bool:
    """Whether the chest is ever below the hips: who throws himself down into a roll pulls his feet after him."""
    return bool(np.any(now.origins[:, body.index("chest"), 2] < now.origins[:, 0, 2]))


def _pulled_share(com: Floats, planted: Bools, fps: float) -> float:
    edge = int(0.07 * fps)  # filters know little about the first and last frames
    inside = slice(edge, len(com) - edge)
    bears = 1.0 + derivative(com, fps, 2, 0.05)[inside, 2] / GRAVITY
    if len(bears) == 0:
        return 0.0
    pulled = binary_opening((bears < _PULLED) & planted[inside], np.ones(max(1, int(_PULLED_S * fps))))
    return float(np.mean(pulled))


def _walking_stride(body: Body, now: Pose, planted: Bools, fps: float) -> float | None:
    """The median time from swing to swing of the same foot, where the clip walks and never leaves the ground."""
    if np.mean(is_upright(body, now)) < 0.5 or np.mean(planted.any(axis=1)) < 0.97:
        return None
    strides: list[float] = []
    for side in "lr":
        ankle = low_pass(now.origins[:, body.index(f"foot_{side}")], fps, 5.0)
        speed = np.linalg.norm(np.gradient(ankle, 1.0 / fps, axis=0), axis=1)
        swings, _ = find_peaks(speed, height=1.0, prominence=0.7)
        strides += list(np.diff(swings) / fps)
    return float(np.median(strides)) if len(strides) >= _STRIDES else None
