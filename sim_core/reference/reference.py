"""The clip as something to track: filtered, on the floor, with velocities, momentum and contacts at every step."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from ..arrays import Bools, Floats
from ..body.body import Body
from ..dynamics import kinematics
from ..dynamics.momentum import Wrench, required_wrench
from ..dynamics.state_space import central_velocities
from ..fall_span import FallSpan
from ..filters import low_pass
from ..motion.clip import Clip
from ..posing.body_motion import body_positions, normalised
from ..posing.surface import surface_points, touch
from ..progress import Progress
from ..rig.segments import HEAD, TRUNK
from ..roll_span import RollSpan
from ..scene import Ground, Scene
from ..settings import ReferenceSettings
from .by_hand import by_hand
from .calm_legs import calm_legs
from .contacts import ContactLabels, label_contacts
from .ending import with_ending
from .feasible import feasible
from .floor import flat_points
from .ground_feet import fit_feet
from .keep_level import Level, keep_level, level_of
from .lie_on_ground import lie_on_ground
from .onto_terrain import onto_terrain
from .out_of_ground import out_of_ground
from .pin_feet import pin_feet
from .repair import bridge_flips
from .rest_hands import rest_hands
from .roll_on_terrain import roll_on_terrain
from .still import over_its_feet, stayed
from .untwist import untwist

_FORCE_WINDOW_S = 0.05
_NOISE_S = 0.04
_ROLLS_TO_ITS_END_S = 0.1
_STOPS_ON_TERRAIN_S = 0.4  # longer than on the ground that a clip was made for: steps down carry on
_STANCE_SPREAD_M = 0.02  # sole points this much above the lowest still stand on the same floor


@dataclass(frozen=True, kw_only=True, eq=False)
class Reference:
    """One row a physics step; rows beyond `clip_steps` hold the last pose."""

    rate: float
    clip_steps: int  # rows that belong to the clip
    q: Floats  # (S, nq)
    v: Floats  # (S, nv)
    a: Floats  # (S, nv)
    com: Floats  # (S, 3)
    com_velocity: Floats  # (S, 3)
    angular_momentum: Floats  # (S, 3) about the centre of mass
    needed: Wrench  # (S, 3) each: what contact must give, about the centre of mass
    contacts: ContactLabels
    flipped: dict[str, int]  # frames that were bridged, per link
    turned_over: dict[str, int]  # frames whose foot was turned over, and was turned back
    levels: tuple[Level, ...] = ()  # what is kept level
    rolls: tuple[RollSpan, ...] = ()  # where it is followed by how far it has turned
    fall: FallSpan | None = None  # from where on the body falls

    def __len__(self) -> int:
        return len(self.q)

    @property
    def ends_rolling(self) -> bool:
        """Whether its last frame rolls: then there is nothing to come to rest in."""
        return bool(self.rolls) and self.rolls[-1].last >= self.clip_steps - _ROLLS_TO_ITS_END_S * self.rate

    def rolls_at(self, row: int) -> bool:
        return any(span.first <= row < span.last for span in self.rolls)


def build_reference(
    clip: Clip,
    body: Body,
    scene: Scene,
    settings: ReferenceSettings,
    *,
    rate: float,
    hold_s: float,
    made_for: Ground | None = None,
    progress: Progress = lambda fraction: None,
) -> Reference:
    """A clip that was made for another ground than the scene's is mended on that one, and then brought onto this."""
    rolls = tuple(span.at_rate(rate / clip.fps) for span in settings.rolls)
    own = scene if made_for is None else replace(scene, ground=made_for, things=())
    untwisted = untwist(body, body_positions(clip, body), clip.fps)
    repaired = bridge_flips(body, untwisted.q, clip.fps, settings.fastest_rad_s)
    smooth = low_pass(repaired.q, clip.fps, settings.cutoff_hz)
    q = _resampled(normalised(smooth, body), clip.fps, rate, body)
    progress(0.2)
    q = _on_floor(q, body, own, settings, rate)
    progress(0.3)
    ground = own.surface(np.arange(len(q)) / rate)
    q = out_of_ground(q, body, ground, rate)
    progress(0.4)
    slides = _labels(q, body, own, rate, settings).slides  # before feet are lifted that swing or slide low
    q = fit_feet(q, body, ground, rate)
    progress(0.5)
    dragged = by_hand(settings.stances, len(q), rate).slides
    q = pin_feet(q, body, ground, rate, _labels(q, body, own, rate, settings).feet, dragged)
    progress(0.6)
    q = rest_hands(q, body, ground, rate, _labels(q, body, own, rate, settings).links)
    clip_steps = len(q)
    stop_s = hold_s if made_for is None or hold_s <= 0.0 else hold_s + _STOPS_ON_TERRAIN_S
    if settings.still:
        q = stayed(q[clip_steps // 2], clip_steps + round(stop_s * rate))
    else:
        q = with_ending(q, body, _where_it_ends(q, own), settings, rate, stop_s)
    contacts = _with_slides(_labels(q, body, own, rate, settings), slides)
    if made_for is not None:
        walked = onto_terrain(q, contacts, body, made_for, scene, rate)
        q = roll_on_terrain(q, walked, body, made_for, scene, rate, rolls)
    progress(0.8)
    surface = scene.surface(np.arange(len(q)) / rate)
    if settings.feasible:
        if settings.still:
            q = over_its_feet(q, body, contacts, scene, rate)
        else:
            q = feasible(q, body, contacts, scene, rate, clip_steps=clip_steps)
        q = rest_hands(q, body, surface, rate, contacts.links)  # they went along with the pelvis
    q = calm_legs(q, body, rate)
    if made_for is None or surface is scene.ground:
        q = lie_on_ground(q, body, scene.ground, rate, contacts.links)
    if settings.still:
        q = stayed(q[0], len(q))  # to the last bit, whatever filters left
    levels = tuple(level_of(asked, body, q, rate) for asked in settings.levels)
    q = keep_level(q, body, levels)
    moving = _moving(q, body, scene, rate)
    return Reference(
        rate=rate,
        clip_steps=clip_steps,
        q=q,
        v=moving.v,
        a=_without_noisy_ends(np.gradient(moving.v, 1.0 / rate, axis=0), rate),
        com=moving.motion.pose.com,
        com_velocity=moving.motion.linear_momentum / body.mass,
        angular_momentum=moving.motion.angular_momentum,
        needed=moving.needed,
        contacts=contacts,
        flipped=repaired.flipped,
        turned_over=untwisted.flipped,
        levels=levels,
        rolls=rolls,
    )


class _Moving(NamedTuple):
    v: Floats
    motion: kinematics.Motion
    needed: Wrench


def _moving(q: Floats, body: Body, scene: Scene, rate: float) -> _Moving:
    v = central_velocities(body, q, rate)
    motion = kinematics.motion(body, q, v)
    needed = required_wrench(
        motion.pose.com,
        motion.angular_momentum,
        mass=body.mass,
        rate=rate,
        gravity=scene.gravity,
        window_s=_FORCE_WINDOW_S,
    )
    return _Moving(v, motion, needed)


def _labels(q: Floats, body: Body, scene: Scene, rate: float, settings: ReferenceSettings) -> ContactLabels:
    moving = _moving(q, body, scene, rate)
    vertical = moving.needed.force @ scene.ground.normal / (body.mass * scene.gravity)
    surface = scene.surface(np.arange(len(q)) / rate)
    return label_contacts(body, moving.motion, surface, vertical, rate, settings)


def _with_slides(contacts: ContactLabels, slides: Bools) -> ContactLabels:
    """With those (S, 2) of the clip's own rows: who comes to rest slides no more."""
    rest = np.zeros((len(contacts.feet) - len(slides), 2), dtype=bool)
    return contacts._replace(slides=np.concatenate([slides, rest]) & ~contacts.feet)


def _where_it_ends(q: Floats, scene: Scene) -> Scene:
    """The ground at the end of a motion, without what else is in the scene: who comes to rest steps no farther."""
    if not scene.things:
        return scene
    below = scene.surface(len(q)).height(q[-1, :3])
    return replace(scene, things=(), ground=Ground(point=np.array([*q[-1, :2], below]), normal=scene.ground.normal))


def _without_noisy_ends(accelerations: Floats, rate: float) -> Floats:
    """Those of the first and last frames are the filter's: the nearest sound ones are held."""
    noise = min(round(_NOISE_S * rate), (len(accelerations) - 1) // 2)
    return accelerations[np.clip(np.arange(len(accelerations)), noise, len(accelerations) - 1 - noise)]


def _resampled(q: Floats, fps: float, rate: float, body: Body) -> Floats:
    times = np.arange(len(q)) / fps
    steps = int(np.floor(times[-1] * rate + 1e-9)) + 1
    return normalised(CubicSpline(times, q, axis=0)(np.arange(steps) / rate), body)


def _on_floor(q: Floats, body: Body, scene: Scene, settings: ReferenceSettings, rate: float) -> Floats:
    """Lifted and lowered slowly, so that standing feet stand on the ground although the capture's floor wanders."""
    motion = kinematics.motion(body, q, central_velocities(body, q, rate))
    soles = motion.pose.points(body.soles.links, body.soles.local)
    speeds = np.linalg.norm(motion.point_velocities(body.soles.links, soles), axis=-1)
    heights = scene.surface(np.arange(len(q)) / rate).distance(soles)
    low = heights < np.minimum(heights.min(axis=1) + _STANCE_SPREAD_M, settings.floor_wander_m)[:, None]
    standing = low & (speeds < settings.contact_speed_m_s)
    flat = flat_points(heights, body) & (speeds < settings.contact_speed_m_s) & (heights < settings.floor_wander_m)
    standing = np.where(flat.any(axis=1, keepdims=True), flat, standing)
    found = np.where(standing, heights, np.inf).min(axis=1)
    trunk = _height_of_trunk(motion, body, scene, settings)
    # Drawn-up feet of who lies are bent out of the floor; they do not lift the back off it.
    found = np.minimum(np.where(np.isfinite(trunk), np.maximum(found, np.minimum(trunk, 0.0)), found), trunk)
    known = np.flatnonzero(np.isfinite(found))
    if len(known) == 0:
        return q
    found = found[known]
    wander = np.interp(np.arange(len(q)), known, found)
    wander = np.clip(
        low_pass(wander, rate, settings.floor_cutoff_hz), -settings.floor_wander_m, settings.floor_wander_m
    )
    lowered = q.copy()
    lowered[:, :3] -= wander[:, None] * scene.ground.normal
    return lowered


def _height_of_trunk(motion: kinematics.Motion, body: Body, scene: Scene, settings: ReferenceSettings) -> Floats:
    """(S,) over the ground, where trunk or head lie on it as nearly as captures tell; infinite elsewhere.

    Arms and knees of captures go far into the ground, and say nothing of it.
    """
    surface = surface_points(body)
    mine = np.flatnonzero(np.isin(np.array(body.names)[surface.links], [*TRUNK, *HEAD]))
    contact = touch(body, motion.pose, scene.surface(0.0))
    speeds = np.linalg.norm(motion.point_velocities(surface.links[mine], contact.points[:, mine]), axis=-1)
    heights = contact.distances[:, mine]
    lies = (np.abs(heights) < settings.floor_wander_m) & (speeds < settings.contact_speed_m_s)
    lowest: Floats = np.where(lies, heights, np.inf).min(axis=1)
    return lowest
