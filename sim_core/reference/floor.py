"""Where the floor is in a clip whose floor nobody told: as high as the feet keep coming back to."""

import numpy as np

from ..body.body import Body
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..motion.motion_guesses import Guess
from ..posing.body_motion import body_positions
from ..posing.surface import touch
from ..scene import Ground

_UPRIGHT = 0.35  # of body height: hips above the ankles
_UPRIGHT_S = 0.3  # of standing are enough to know the floor by the soles
_PERCENTILE = 20.0  # a fifth of those frames may dip lower: noise, and feet that sink into a mat
_WORTH_SAYING_M = 0.02


def guess_floor(clip: Clip, body: Body) -> Guess:
    """The height of the floor in the clip's own world [m]."""
    now = pose(body, body_positions(clip, body))
    soles = now.points(body.soles.links, body.soles.local)[..., 2].min(axis=1)
    ankles = now.origins[:, [body.index("foot_l"), body.index("foot_r")], 2].min(axis=1)
    upright = now.origins[:, 0, 2] - ankles > _UPRIGHT * body.height
    if upright.sum() >= _UPRIGHT_S * clip.fps:
        height, by = float(np.percentile(soles[upright], _PERCENTILE)), "soles of the standing figure"
    else:  # flesh is softer than the body's shapes, so what lies on the floor seems to reach below it
        height, by = float(np.median(touch(body, now, Ground()).distances.min(axis=1))), "body's lowest points"
    where = "near" if abs(height) < _WORTH_SAYING_M else f"{abs(height):.2f} m {'above' if height > 0 else 'below'}"
    return Guess(name="floor", value=height, reason=f"The floor is taken to be {where} zero, by the {by}.")
