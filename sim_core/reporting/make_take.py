"""The take of a bake, for the viewport: what the simulation's steps come to in each frame."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import rotations
from ..arrays import Bools, Floats, Ints
from ..body.body import Body, Box
from ..dynamics.kinematics import Pose, pose
from ..filters import without_blinks
from ..posing.body_motion import body_positions
from ..scene import Ground
from ..simulation.outside_forces import Drawn, OutsideForce, OutsideForces
from ..simulation.recording import GroundContacts, Recording
from .bake_result import BakeResult
from .support_area import outline
from .take import Take

_PLANTED = 0.05  # of body weight: a link that bears more stands on the ground rather than brushes it
_SLIDES_M_S = 0.5  # a foot that grazes the ground in its swing is faster
_STEADY_S = 0.05  # a foot neither stands nor lifts for less
_BEARS = 0.005  # of body weight: points that bear less are no corner of the support area


def make_take(result: BakeResult) -> Take:
    performance, recording = result.performance, result.recording
    body, scene, still = performance.body, performance.scene, performance.still_frames
    weight = body.mass * scene.gravity
    before = pose(body, body_positions(performance.asked, body))
    after = pose(body, body_positions(result.clip, body))
    frames = len(result.clip) - still
    spans = _spans(frames, performance.asked.fps, recording)
    ground = _ground_forces(recording.ground_contacts, spans, body, scene.ground, weight)
    pulls = [number for number, one in enumerate(result.outside) if isinstance(one, Drawn)]
    pushes = [number for number in range(len(result.outside)) if number not in pulls]
    pushed, pulled = (
        _felt(result.outside, numbers, spans, recording, body, after.link_coms[still:]) for numbers in (pushes, pulls)
    )
    planted = _planted(ground, after, still, performance.asked.fps)
    shapes = _shapes(body)
    assist = [recording.assist_force, recording.assist_torque, recording.assist_weights(weight)[:, None]]
    assist_force, assist_torque, assist_bw = (_padded(_means(each, spans), still, 0.0) for each in assist)
    return Take(
        fps=performance.asked.fps,
        mass_kg=body.mass,
        gravity=scene.gravity,
        ground_point=_single(scene.ground.point),
        ground_normal=_single(scene.ground.normal),
        link_names=body.names,
        link_bones=tuple(link.bone for link in body.links),
        box_mask=np.array([isinstance(link.shape, Box) for link in body.links]),
        capsule=_single(shapes.capsule),
        box=_single(shapes.box),
        before_positions=_single(before.origins),
        before_rotations=_turns(before),
        after_positions=_single(after.origins),
        after_rotations=_turns(after),
        com_before=_single(before.com),
        com_after=_single(after.com),
        contact_force=_padded(ground.force, still, 0.0),
        contact_point=_padded(ground.point, still, np.nan),
        planted=np.concatenate([np.zeros((still, len(body)), dtype=bool), planted]),
        support_starts=np.cumsum([0, *[0] * still, *map(len, ground.support)]).astype(np.int32),
        support_points=_single(np.concatenate([np.zeros((0, 3)), *ground.support])),
        assist_force=assist_force,
        assist_torque=assist_torque,
        assist_bw=assist_bw[:, 0],
        push_force=_padded(pushed.force, still, 0.0),
        push_point=_padded(pushed.point, still, np.nan),
        pull_force=_padded(pulled.force, still, 0.0),
        pull_point=_padded(pulled.point, still, np.nan),
        skate_before=_padded(result.before.skate, still, np.nan),
        skate_after=_padded(result.after.skate, still, np.nan),
        error_before=_padded(result.before.physics_error, still, np.nan),
        error_after=_padded(result.after.physics_error, still, np.nan),
        height_before=_padded(result.before.lowest, still, np.nan),
        height_after=_padded(result.after.lowest, still, np.nan),
    )


class _Spans(NamedTuple):
    """The steps around each frame: from the first one to before the last; none after a simulation has stopped."""

    first: Ints  # (F,)
    last: Ints  # (F,)

    @property
    def counts(self) -> Ints:
        """(F,) steps of each frame, at least one to divide by."""
        return np.maximum(self.last - self.first, 1)


def _spans(frames: int, fps: float, recording: Recording) -> _Spans:
    done = len(recording.q) - 1  # no step follows the last row
    edges = np.round((np.arange(frames + 1) - 0.5) / fps * recording.rate).astype(np.int64)
    first = np.clip(edges[:-1], 0, done)
    # Where frames come faster than steps, the one at hand counts for each of them.
    return _Spans(first, np.clip(np.maximum(edges[1:], edges[:-1] + 1), first, done))


def _means(values: Floats, spans: _Spans) -> Floats:
    """(F, D) of values (S, D) of every step."""
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    means: Floats = (sums[spans.last] - sums[spans.first]) / spans.counts[:, None]
    return means


class _GroundForces(NamedTuple):
    force: Floats  # (F, L, 3)
    point: Floats  # (F, L, 3)
    bearing: Bools  # (F, L)
    support: list[Floats]  # (K, 3) a frame


def _ground_forces(contacts: GroundContacts, spans: _Spans, body: Body, ground: Ground, weight: float) -> _GroundForces:
    frames, links = len(spans.first), len(body)
    force = np.zeros((frames, links, 3))
    pressure = np.zeros((frames, links))
    point = np.zeros((frames, links, 3))
    support = []
    along = np.maximum(contacts.forces @ ground.normal, 0.0)
    first, last = (np.searchsorted(contacts.steps, steps) for steps in spans)
    for frame, count in enumerate(spans.counts):
        rows = slice(first[frame], last[frame])
        link, push = contacts.links[rows], along[rows]
        np.add.at(force[frame], link, contacts.forces[rows] / count)
        np.add.at(pressure[frame], link, push / count)
        np.add.at(point[frame], link, push[:, None] * contacts.positions[rows] / count)
        bears = (push > _BEARS * weight) & (pressure[frame, link] > _PLANTED * weight)
        support.append(outline(contacts.positions[rows][bears], ground))
    with np.errstate(invalid="ignore"):
        point /= pressure[..., None]  # nan where nothing bears
    return _GroundForces(force, point, pressure > _PLANTED * weight, support)


def _planted(ground: _GroundForces, after: Pose, still: int, fps: float) -> Bools:
    """(F, L) links that bear load where the result does not slide."""
    R, origins = after.R_world_link[still:], after.origins[still:]
    local = np.swapaxes(R, -1, -2) @ (ground.point - origins)[..., None]  # nan where nothing bears
    last = len(R) - 1
    ahead, behind = np.minimum(np.arange(last + 1) + 1, last), np.maximum(np.arange(last + 1) - 1, 0)
    moved = (R[ahead] - R[behind]) @ local + (origins[ahead] - origins[behind])[..., None]
    speed = np.linalg.norm(moved[..., 0], axis=-1) * fps / (ahead - behind)[:, None]
    return without_blinks(ground.bearing & (speed < _SLIDES_M_S), fps, gap_s=_STEADY_S, touch_s=_STEADY_S)


class _Felt(NamedTuple):
    force: Floats  # (F, 3)
    point: Floats  # (F, 3)


def _felt(
    forces: Sequence[OutsideForce],
    numbers: Sequence[int],
    spans: _Spans,
    recording: Recording,
    body: Body,
    link_coms: Floats,
) -> _Felt:
    """All of some outside forces together."""
    acted = OutsideForces(forces, body)
    force = np.zeros((len(spans.first), 3))
    point = np.zeros((len(spans.first), 3))
    strength = np.zeros((len(spans.first), 1))
    for number in numbers:
        felt = acted.over(number, recording)
        each = np.zeros((len(recording.q), 3))
        each[felt.steps] = felt.forces
        mean = _means(each, spans)
        much = np.linalg.norm(mean, axis=1, keepdims=True)
        force += mean
        strength += much
        point += much * link_coms[:, body.index(forces[number].bone)]
    with np.errstate(invalid="ignore"):
        return _Felt(force, point / strength)  # nan where nothing acts


class _Shapes(NamedTuple):
    capsule: Floats  # (L, 7)
    box: Floats  # (L, 15)


def _shapes(body: Body) -> _Shapes:
    capsule, box = np.zeros((len(body), 7)), np.zeros((len(body), 15))
    for i, link in enumerate(body.links):
        shape = link.shape
        if isinstance(shape, Box):
            box[i] = [*shape.centre, *shape.R_link_box.ravel(), *shape.half_extents]
        else:
            capsule[i] = [*shape.start, *shape.end, shape.radius]
    return _Shapes(capsule, box)


def _turns(poses: Pose) -> NDArray[np.float32]:
    return _single(rotations.from_matrix(poses.R_world_link))


def _padded(values: Floats, still: int, with_: float) -> NDArray[np.float32]:
    """Values of the frames that are motion, after what stands for the still frames in front."""
    return _single(np.concatenate([np.full((still, *values.shape[1:]), with_), values]))


def _single(values: Floats) -> NDArray[np.float32]:
    return values.astype(np.float32)
