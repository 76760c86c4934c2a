"""Who falls lies on the ground, not in it, and once it rests it does not move any more.

Flesh gives way under a body, and engines keep what lies creeping, by hairs; a person sees both. The recording knows
what bore: the keys keep that in its place, raise what is below the ground by the smallest change of the whole pose, and
from the moment of rest on are one pose, into which the last of the fall settles.
"""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.state_space import difference, integrate
from ..reference.lie_on_ground import lie_on_ground
from ..rolling.roll_times import eased
from ..scene import Scene
from .recording import Recording

_SETTLES_S = 0.3  # before it rests: where limbs go then they go in any case, and stop without a jerk


def raised(q: Floats, recording: Recording, body: Body, scene: Scene, fps: float) -> Floats:
    """The frames q (T, nq) of a recording with nothing of the body in the ground."""
    bore = np.zeros((len(recording.q), len(body)), dtype=bool)
    bore[recording.ground_contacts.steps, recording.ground_contacts.links] = True
    times = np.arange(len(q)) / fps
    steps = np.minimum(np.round(times * recording.rate).astype(int), len(bore) - 1)
    return lie_on_ground(q, body, scene.surface(times), fps, bore[steps])


def settled_at(rests_at_s: float, q: Floats, body: Body, fps: float) -> Floats:
    """The frames q (T, nq) of a fall, which lie still from then on."""
    first = min(int(np.ceil(rests_at_s * fps)), len(q) - 1)
    settles = eased((np.arange(len(q)) / fps - rests_at_s) / _SETTLES_S + 1.0)
    still = integrate(body, q, settles[:, None] * difference(body, q[first], q))
    still[first:] = still[first]
    return still
