"""What is physical and what is not in a clip, frame by frame, from its keyframes alone."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..body.body import Body
from ..constants import FLIGHT_FORCE
from ..dynamics import kinematics
from ..dynamics.contact_fit import fit_contacts
from ..dynamics.momentum import required_wrench
from ..dynamics.state_space import central_velocities
from ..motion.clip import Clip
from ..posing.body_motion import body_positions
from ..posing.surface import touch
from ..progress import Progress
from ..scene import Scene
from ..world.surface import Surface

NEAR_GROUND = 0.02  # m: a point this near to the ground is in contact with it
FORCE_WINDOW_S = 0.07  # forces are fitted over this stretch, long enough to see through the noise of 120 fps keys


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameMeasures:
    """One row a frame; what a frame cannot tell is nan."""

    skate: Floats  # (T,) mean speed of the sole points that stay near the ground [m/s]
    skating_points: Floats  # (T,) how many those are
    lowest: Floats  # (T,) the lowest body point over the terrain [m]
    flight: Bools  # (T,) truly in the air
    physics_error: Floats  # (T,) wrench that no contact explains, in body weights
    vertical_force: Floats  # (T,) that the motion needs, in body weights
    jerk: Floats  # (T,) mean over joints [m/s^3]
    fastest_joint: Floats  # (T,) [rad/s]
    fastest_link: Ints  # (T,) which link that is


@dataclass(frozen=True, kw_only=True)
class Measures:
    """The clip in five numbers, as in the report."""

    foot_skate_m_s: float
    penetration_m: float
    float_m: float
    physics_error_bw: float
    jerk_m_s3: float


def measure_frames(clip: Clip, body: Body, scene: Scene, progress: Progress = lambda fraction: None) -> FrameMeasures:
    q = body_positions(clip, body)
    motion = kinematics.motion(body, q, central_velocities(body, q, clip.fps))
    times = np.arange(len(clip)) / clip.fps
    surface = scene.surface(times)
    contact = touch(body, motion.pose, surface)
    lowest = contact.distances.min(axis=1)
    weight = body.mass * scene.gravity
    needed = required_wrench(
        motion.pose.com,
        motion.angular_momentum,
        mass=body.mass,
        rate=clip.fps,
        gravity=scene.gravity,
        window_s=FORCE_WINDOW_S,
    )
    error = np.empty(len(clip))
    near = contact.distances < NEAR_GROUND
    for frame in range(len(clip)):
        fit = fit_contacts(
            needed.force[frame],
            needed.torque[frame],
            motion.pose.com[frame],
            contact.points[frame],
            near[frame],
            weight,
            scene,
            surface=scene.surface(times[frame]),
        )
        error[frame] = (np.linalg.norm(fit.force_left) + np.linalg.norm(fit.torque_left)) / weight
        progress((frame + 1) / len(clip))
    vertical = needed.force @ scene.ground.normal / weight
    skate, count = _skate(motion.pose.points(body.soles.links, body.soles.local), surface, clip.fps)
    turn = np.linalg.norm(motion.angular_velocities - _of_parents(body, motion.angular_velocities), axis=-1)
    return FrameMeasures(
        skate=skate,
        skating_points=count,
        lowest=lowest,
        flight=(lowest > NEAR_GROUND) & (vertical < FLIGHT_FORCE),
        physics_error=error,
        vertical_force=vertical,
        jerk=_jerk(motion.pose.origins, clip.fps),
        fastest_joint=turn.max(axis=1),
        fastest_link=turn.argmax(axis=1),
    )


def summarise(frames: FrameMeasures) -> Measures:
    grounded = frames.lowest[~frames.flight]
    weights = frames.skating_points
    skate = float(np.nansum(frames.skate * weights) / weights.sum()) if weights.sum() else 0.0
    return Measures(
        foot_skate_m_s=skate,
        penetration_m=float(np.mean(np.maximum(-grounded, 0.0))) if len(grounded) else 0.0,
        float_m=float(np.mean(np.maximum(grounded, 0.0))) if len(grounded) else 0.0,
        physics_error_bw=float(np.mean(frames.physics_error)),
        jerk_m_s3=float(np.nanmean(frames.jerk)) if np.isfinite(frames.jerk).any() else 0.0,
    )


def _skate(soles: Floats, surface: Surface, fps: float) -> tuple[Floats, Floats]:
    """Speed over the ground of sole points that are near it in this frame and in the one before."""
    near = surface.distance(soles) < NEAR_GROUND  # (T, S)
    both = near[1:] & near[:-1]
    carried = surface.velocities(soles)
    moved = soles[1:] - soles[:-1] - 0.5 * (carried[1:] + carried[:-1]) / fps
    along = moved - (moved @ surface.normal)[..., None] * surface.normal
    speed = np.linalg.norm(along, axis=-1) * fps
    count = np.zeros(len(soles))
    count[1:] = both.sum(axis=1)
    skate = np.full(len(soles), np.nan)
    some = count > 0
    skate[some] = (speed * both).sum(axis=1)[some[1:]] / count[some]
    return skate, count


def _jerk(origins: Floats, fps: float) -> Floats:
    """Third differences of the joints' places: a pop in a single frame shows in full."""
    jerk = np.full(len(origins), np.nan)
    if len(origins) >= 4:
        third = np.linalg.norm(np.diff(origins, n=3, axis=0), axis=-1) * fps**3
        jerk[2 : len(origins) - 1] = third.mean(axis=1)
    return jerk


def _of_parents(body: Body, per_link: Floats) -> Floats:
    above = per_link[:, np.maximum(body.parents, 0)].copy()
    above[:, body.parents < 0] = 0.0
    return above
