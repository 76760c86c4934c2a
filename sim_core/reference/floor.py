"""Where the floor is in a clip whose floor nobody told: as high as the feet keep coming back to."""

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..motion.motion_guesses import Guess
from ..posing.body_motion import body_positions
from ..posing.surface import touch
from ..posing.upright import is_upright
from ..scene import Ground

_UPRIGHT_S = 0.3  # of standing are enough to know the floor by the soles
_STILL_M_S = 0.25
_LOWEST = 10.0  # percentile: the lowest level that feet stand on, where stairs have several
_SAME_LEVEL_M = 0.04
_FLAT_M = 0.02  # a foot whose sole points are all within this height lies flat
_FLAT_S = 0.3  # of flat feet are enough to know the floor by them


def guess_floor(clip: Clip, body: Body) -> Guess:
    """The height of the floor in the clip's own world [m]."""
    now = pose(body, body_positions(clip, body))
    soles = now.points(body.soles.links, body.soles.local)
    upright = is_upright(body, now)
    if upright.sum() >= _UPRIGHT_S * clip.fps:
        height, by = _level(soles, body, upright, clip.fps), "soles of the standing figure"
    else:  # flesh is softer than the body's shapes, so what lies on the floor seems to reach below it
        height, by = float(np.median(touch(body, now, Ground()).distances.min(axis=1))), "body's lowest points"
    where = f"{1000 * abs(height):.0f} mm {'above' if height > 0 else 'below'} zero"
    return Guess(name="floor", value=height, reason=f"The floor is {where}, by the {by}.")


def flat_points(heights: Floats, body: Body) -> Bools:
    """(T, P) sole points of feet that lie flat; a toe that points may dip below the floor, a whole sole does not."""
    flat = np.empty(heights.shape, dtype=bool)
    for mine in (body.soles.left, ~body.soles.left):
        flat[:, mine] = (np.ptp(heights[:, mine], axis=1) < _FLAT_M)[:, None]
    return flat


def _level(soles: Floats, body: Body, upright: Bools, fps: float) -> float:
    """The height of soles (T, P, 3) that stand still, at the lowest level where they do; half of them are below it."""
    still = np.linalg.norm(np.gradient(soles, 1.0 / fps, axis=0), axis=-1) < _STILL_M_S
    flat = still & flat_points(soles[..., 2], body)
    if np.sum(upright & flat.any(axis=1)) >= _FLAT_S * fps:
        still = flat
    standing = upright & still.any(axis=1)
    if not standing.any():
        return float(np.percentile(soles[upright, :, 2].min(axis=1), _LOWEST))
    heights = np.where(still, soles[..., 2], np.inf)[standing].min(axis=1)
    base = np.percentile(heights, _LOWEST)
    return float(np.median(heights[np.abs(heights - base) < _SAME_LEVEL_M]))
