"""One bone's rotation or location as a curve with few keys, and what its channels do to the points below it."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, Floats, Ints
from . import hermite
from .channels import turn_per_channel
from .puppet import Puppet

_STEADY = 1e-3  # how much a channel that moves no point (the length of a quaternion) is kept, beside those that do
_SLOPES = 1e-3  # how much the slope of the motion itself is asked for, beside its places


@dataclass(kw_only=True, eq=False)
class Curve:
    """Mutable: knots, nodes and samples change while keys are sought; the rest stays."""

    bone: int
    turns: bool  # a rotation; otherwise a location
    wanted: Floats  # (T, C) the channels as given
    slopes: Floats  # (T, C) of the channels as given, per frame
    effect: Floats  # (T, 3, C) turn of the bone in the world [rad], or way [m], per unit of each channel
    metric: Floats  # (T, C, C) what a change of the channels costs, in squared tolerances summed over points
    steady: float
    reach: Floats  # (T,) most tolerances that a point below moves per radian or metre
    pinned: Bools  # (T,) frames whose values are kept exactly
    first_knots: Ints  # to begin with
    knots: Ints  # (K,)
    nodes: Floats  # (K, 2, C) value and slope
    samples: Floats  # (T, C) the curve at every frame

    @property
    def still(self) -> bool:
        return len(self.knots) == 1

    def guess(self, knots: Ints) -> Floats:
        return np.stack([self.wanted[knots], self.slopes[knots]], axis=1)

    def loose(self, knots: Ints) -> Bools:
        return np.stack([~self.pinned[knots], np.ones(len(knots), dtype=bool)], axis=1)

    def fit_alone(self, knots: Ints) -> None:
        """The curve nearest to the channels as given, whatever the other bones do."""
        pull = (self.metric @ self.wanted[:, :, None])[..., 0]
        nodes = hermite.fit(knots, self.metric, pull, self.guess(knots), self.loose(knots), _SLOPES * self.steady)
        self.knots, self.nodes = knots, nodes
        self.resample()

    def resample(self) -> None:
        self.samples = hermite.sample(self.knots, self.nodes, np.arange(len(self.wanted)))

    def strain_alone(self) -> Floats:
        """(T,) a bound on how many tolerances any point is off by this curve alone."""
        moved = (self.effect @ (self.samples - self.wanted)[:, :, None])[..., 0]
        strain: Floats = np.linalg.norm(moved, axis=-1) * self.reach
        return strain


def make_curve(puppet: Puppet, bone: int, turns: bool, pinned: Bools, keys: Ints | None = None) -> Curve:
    """The curve of a puppet that is still in the poses as given; it starts with a single key, or with those given."""
    track = puppet.rig.tracks[bone]
    wanted = track.rotation if turns else track.location
    assert wanted is not None
    every = slice(0, puppet.rig.frames)
    points = puppet.subtree(bone)
    weight = puppet.weight[:, points]
    if turns:
        frame = puppet.world[bone, :, :3, :3]
        effect = frame / np.linalg.norm(frame, axis=1, keepdims=True) @ turn_per_channel(track.rotation_kind, wanted)
        arms = puppet.points[:, points] - puppet.world[bone, :, None, :3, 3]
        spread = (arms * weight[..., None]).transpose(0, 2, 1) @ arms
        cost = np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread
        reach = np.sqrt(np.max(np.einsum("tpi,tpi->tp", arms, arms) * weight, axis=1))
    else:
        effect = puppet.before_basis(bone, every)[:, :3, :3]
        cost = np.sum(weight, axis=1)[:, None, None] * np.eye(3)
        reach = np.sqrt(np.max(weight, axis=1))
    metric = effect.transpose(0, 2, 1) @ cost @ effect
    channels = wanted.shape[1]
    steady = float(np.mean(np.trace(metric, axis1=1, axis2=2))) / channels
    metric = metric + _STEADY * steady * np.eye(channels)
    return Curve(
        bone=bone,
        turns=turns,
        wanted=wanted,
        slopes=np.gradient(wanted, axis=0) if len(wanted) > 1 else np.zeros_like(wanted),
        effect=effect,
        metric=metric,
        steady=steady,
        reach=reach,
        pinned=pinned,
        first_knots=np.flatnonzero(pinned) if keys is None or len(keys) == 1 else keys,
        knots=np.zeros(1, dtype=np.int64),
        nodes=np.stack([wanted[:1], np.zeros_like(wanted[:1])], axis=1),
        samples=np.repeat(wanted[:1], len(wanted), axis=0),
    )


def pull_back(puppet: Puppet, curve: Curve, window: slice) -> Floats:
    """(F, C) how the points below the bone, as they are off now, pull at its channels."""
    points = puppet.subtree(curve.bone)
    off = (puppet.wanted[window, points] - puppet.points[window, points]) * puppet.weight[window, points, None]
    if curve.turns:
        arms = puppet.points[window, points] - puppet.world[curve.bone, window, None, :3, 3]
        m = arms.transpose(0, 2, 1) @ off
        pull = np.stack([m[:, 1, 2] - m[:, 2, 1], m[:, 2, 0] - m[:, 0, 2], m[:, 0, 1] - m[:, 1, 0]], axis=-1)
    else:
        pull = off.sum(axis=1)
    back: Floats = (pull[:, None] @ curve.effect[window])[:, 0]
    return back


class Proposal:
    """A curve with other knots between two of its knots, fitted to what the other bones do now."""

    def __init__(self, puppet: Puppet, curve: Curve, knots: Ints, guess: Floats, loose: Bools) -> None:
        window = slice(int(knots[0]), int(knots[-1]) + 1)
        now = curve.samples[window]
        pull = (curve.metric[window] @ now[:, :, None])[..., 0] + pull_back(puppet, curve, window)
        pull += _STEADY * curve.steady * (curve.wanted[window] - now)
        self.curve, self.window, self.knots = curve, window, knots
        self.nodes = hermite.fit(knots, curve.metric[window], pull, guess, loose, _SLOPES * curve.steady)
        self.samples = hermite.sample(knots, self.nodes, np.arange(window.start, window.stop))
        world = puppet.world_with(curve.bone, window, curve.turns, self.samples)
        self.change, self.points = puppet.points_with(curve.bone, window, world)
        points = puppet.subtree(curve.bone)
        off = self.points - puppet.wanted[window, points]
        self.strain = np.max(np.einsum("tpi,tpi->tp", off, off) * puppet.weight[window, points], axis=1)  # (F,)

    def accept(self, puppet: Puppet, start: int, end: int) -> None:
        """Takes what is proposed between two frames that are knots both now and then, and unchanged."""
        curve, window = self.curve, slice(start, end + 1)
        inside = (self.knots >= start) & (self.knots <= end)
        before, after = curve.knots < start, curve.knots > end
        curve.nodes = np.concatenate([curve.nodes[before], self.nodes[inside], curve.nodes[after]])
        curve.knots = np.concatenate([curve.knots[before], self.knots[inside], curve.knots[after]])
        own = slice(start - self.window.start, end + 1 - self.window.start)
        curve.samples[window] = self.samples[own]
        puppet.move(curve.bone, window, self.change[own], self.points[own])
