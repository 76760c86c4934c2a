"""How near a body is to falling, and how well it plays meanwhile: what a search ranks its tries by."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..body.body import Body
from ..controllers.controller import assist_size, foot_help_size
from ..dynamics.kinematics import motion, pose
from ..dynamics.state_space import difference
from ..reference.reference import Reference
from ..scene import Scene
from .stretch import Stretch

# Beyond these a body is on its way to fall, although it has not left its path yet.
_CAPTURE_M = 0.25
_TILT_RAD = 0.6
_HEIGHT_M = 0.15

# What counts as much as one of the others, in the cost.
_CAPTURE_UNIT_M = 0.15
_TILT_UNIT_RAD = 0.3
_HEIGHT_UNIT_M = 0.08
_SPIN_UNIT = 0.08  # [m^2/s] angular momentum over mass
_ERROR_UNIT_RAD = 0.14
_EFFORT_UNIT = 1.0  # of the strongest joint's strength, in the mean
_SKATE_UNIT_M_S = 0.3
_SAMPLE_S = 0.02
_NEAR_M = 0.02


class Health(NamedTuple):
    """At the end of a stretch, beside the reference; the last five over all of it."""

    capture: Floats  # (3,) where the body falls to, beside where it should [m]
    tilt_rad: float
    height_m: float
    spin: float
    error_rad: float
    effort: float
    skate_m_s: float
    assist_n: float  # mean [N]
    assist_peak_n: float

    @property
    def is_sound(self) -> bool:
        return bool(
            np.linalg.norm(self.capture) < _CAPTURE_M and self.tilt_rad < _TILT_RAD and self.height_m < _HEIGHT_M
        )

    @property
    def cost(self) -> float:
        falling = (
            (float(np.linalg.norm(self.capture)) / _CAPTURE_UNIT_M) ** 2
            + (self.tilt_rad / _TILT_UNIT_RAD) ** 2
            + (self.height_m / _HEIGHT_UNIT_M) ** 2
            + (self.spin / _SPIN_UNIT) ** 2
        )
        return falling + self.playing_cost

    @property
    def playing_cost(self) -> float:
        return (
            (self.error_rad / _ERROR_UNIT_RAD) ** 2
            + 0.3 * (self.effort / _EFFORT_UNIT) ** 2
            + 0.3 * (self.skate_m_s / _SKATE_UNIT_M_S) ** 2
        )


def health_of(stretch: Stretch, body: Body, reference: Reference, scene: Scene) -> Health:
    step = min(stretch.end.row, len(reference) - 1)
    state = stretch.end.state
    now = motion(body, state.q, state.v)
    displaced = stretch.end.displaced
    off = now.pose.com - reference.com[step] - displaced
    off_speed = now.linear_momentum / body.mass - reference.com_velocity[step]
    height = max(float(scene.surface(stretch.end.step / reference.rate).distance(reference.com[step])), 0.3)
    capture = off + off_speed * np.sqrt(height / scene.gravity)
    normal = scene.ground.normal
    helped = assist_size(stretch.assist[:, :3], stretch.assist[:, 3:]) + foot_help_size(stretch.foot_torque)
    return Health(
        capture=capture - (capture @ normal) * normal,
        tilt_rad=float(rotations.angle_between(state.q[3:7], reference.q[step, 3:7])),
        height_m=abs(float((state.q[:3] - reference.q[step, :3] - displaced) @ normal)),
        spin=float(np.linalg.norm(now.angular_momentum - reference.angular_momentum[step])) / body.mass,
        error_rad=_error(stretch, body, reference),
        effort=float(stretch.torque_ratio.mean()) if len(stretch) else 0.0,
        skate_m_s=_skate(stretch, body, reference, scene),
        assist_n=float(helped.mean()) if len(stretch) else 0.0,
        assist_peak_n=float(helped.max(initial=0.0)),
    )


def _sampled(stretch: Stretch, rate: float) -> slice:
    return slice(0, len(stretch), max(1, round(_SAMPLE_S * rate)))


def _error(stretch: Stretch, body: Body, reference: Reference) -> float:
    """Mean over joints and samples, as angles."""
    rows = _sampled(stretch, reference.rate)
    wanted = reference.q[np.minimum(stretch.rows, len(reference) - 1)][rows]
    if not len(wanted):
        return 0.0
    off = np.array([difference(body, a, b) for a, b in zip(wanted, stretch.q[rows], strict=True)])
    return float(np.mean([np.linalg.norm(off[:, body.v_slice[name]], axis=1) for name in body.names[1:]]))


def _skate(stretch: Stretch, body: Body, reference: Reference, scene: Scene) -> float:
    """Mean speed along the ground of sole points that are near it in two samples."""
    rows = _sampled(stretch, reference.rate)
    if len(range(*rows.indices(len(stretch)))) < 2:
        return 0.0
    points = pose(body, stretch.q[rows]).points(body.soles.links, body.soles.local)
    steps = stretch.first + np.arange(len(stretch))[rows]
    surface = scene.surface(steps / reference.rate)
    near = surface.distance(points) < _NEAR_M
    moved = np.diff(points, axis=0) * reference.rate / rows.step - surface.velocities(points)[1:]
    moved -= (moved @ scene.ground.normal)[..., None] * scene.ground.normal
    both = near[1:] & near[:-1]
    return float(np.linalg.norm(moved, axis=-1)[both].mean()) if both.any() else 0.0
