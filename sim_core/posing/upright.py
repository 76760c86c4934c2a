"""Whether a figure stands or crouches on its feet, rather than sits, crawls or lies."""

from ..arrays import Bools
from ..body.body import Body
from ..dynamics.kinematics import Pose

_HIPS_OVER_ANKLES = 0.35  # of body height


def is_upright(body: Body, pose: Pose) -> Bools:
    """(T,) for poses over time."""
    ankles = pose.origins[:, [body.index("foot_l"), body.index("foot_r")], 2].min(axis=1)
    upright: Bools = pose.origins[:, 0, 2] - ankles > _HIPS_OVER_ANKLES * body.height
    return upright
