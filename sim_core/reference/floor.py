"""Where the floor is in a clip whose floor nobody told: as high as the body's lowest points keep coming back to."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.kinematics import pose
from ..motion.clip import Clip
from ..motion.motion_guesses import Guess
from ..posing.body_motion import body_positions
from ..posing.surface import touch
from ..scene import Ground

_PERCENTILE = 20.0  # a fifth of all frames may dip lower: noise, and feet that sink into a mat
_WORTH_SAYING_M = 0.02


def guess_floor(clip: Clip, body: Body) -> Guess:
    """The height of the floor in the clip's own world [m]."""
    lowest: Floats = touch(body, pose(body, body_positions(clip, body)), Ground()).distances.min(axis=1)
    height = float(np.percentile(lowest, _PERCENTILE))
    where = "near" if abs(height) < _WORTH_SAYING_M else f"{abs(height):.2f} m {'above' if height > 0 else 'below'}"
    why = f"The floor is taken to be {where} zero, where the body's lowest points keep coming back to."
    return Guess(name="floor", value=height, reason=why)
