"""What a body does that is about to fall while its clip would just stand there: it steps, and goes on from there.

The balance plan answers a push with the steps that the clip takes anyway. Where none is due, and the capture point
leaves the feet, no pressure brings the body back: one foot is set where it is caught, or several one after another.
From then on the clip is followed where that has led: all of it is displaced, feet that stand stay where they stand
until the clip's own next step, and legs are bent to fit.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d

from ... import rotations
from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import motion as kinematics_of
from ...dynamics.kinematics import pose
from ...dynamics.state_space import difference
from ...engines.engine import GROUND, Contacts
from ...reference.foot_paths import flat_foot, foot_parts
from ...reference.sinking import leg_length
from ...reference.support import outline, support_of
from ...scene import Scene
from .ground_map import GroundMap
from .recovery_step import Pendulum, Planned, StepRules, loaded_cost, nearest_pressure, planned_step
from .recovery_swing import Swing
from .row import Row, row_at
from .stepping_pose import SteppingPose
from .tracked_motion import TrackedMotion

_SIDES = "lr"
_DUE_S = 0.6  # a foot that the clip itself sets down sooner is left to the balance plan
_STEADY_M = 0.02  # a clip whose own capture point gets farther out of its feet is about to step by itself
_OUTSIDE_M = 0.03  # of the feet, and
_BESIDE_M = 0.06  # beside the clip's own: the capture point of a body that falls
_BEARS_M = 0.02  # a sole point as low as this bears
_LANDS_FROM = 0.6  # of a step: a foot that is down by then has landed,
_LANDED_M = 0.006
_LATEST = 1.5  # and at this time in any case
_STANDS_S = 0.04  # between two steps
_AIMS_UNTIL_S = 0.05  # before it lands, a foot's goal may change


class Following(NamedTuple):
    """What to follow at one moment."""

    row: Row
    steered: Bools  # (2,) feet that go their own way, not the clip's
    leading: Floats | None  # (3,) acceleration of the centre of mass along the ground; None where balance decides


class ReactionMemory(NamedTuple):
    anchor: Floats  # (3,) how far the clip is displaced by the steps that have landed
    swing: Swing | None
    led_to: Floats  # (3,) the displacement that the step under way leads to
    stood_s: float  # since the last of them landed; infinite where there was none


_NOTHING = ReactionMemory(np.zeros(3), None, np.zeros(3), np.inf)


class Reaction:
    def __init__(self, body: Body, motion: TrackedMotion, scene: Scene, axes: Floats, tick: int) -> None:
        self._body, self._motion, self._axes, self._tick = body, motion, axes, tick
        self._tick_s = tick / motion.reference.rate
        self._map = GroundMap(scene)
        self._pose = SteppingPose(body, scene.ground.normal)
        self._rules = StepRules()
        self._legs = [leg_length(body, side) for side in _SIDES]
        self._mine = (body.soles.left, ~body.soles.left)
        self._own = self._own_capture()
        self._may = _undisturbed(motion) & self._steady(scene)
        self.memory = _NOTHING

    def reset(self) -> None:
        self.memory = _NOTHING

    def displace(self, by: Floats) -> None:
        """Goes on as if a step had led there a while ago."""
        if by.any():
            self.memory = ReactionMemory(by, None, by, _STANDS_S)

    @property
    def displacement(self) -> Floats:
        """(3,) of the clip, now: it goes along with the foot that steps."""
        m = self.memory
        displaced: Floats = m.anchor if m.swing is None else m.anchor + m.swing.eased() * (m.led_to - m.anchor)
        return displaced

    def follow(self, step: int, dynamics: DynamicsState, contacts: Contacts, beside: Floats) -> Following:
        """At a step of the clip, with feet that stand, or stood last, so far beside their marks (2, 3)."""
        pendulum = self._map.pendulum(dynamics.com, dynamics.com_velocity)
        soles = dynamics.points(self._body.soles.links, self._body.soles.local)
        self._proceed(step, soles)
        if self.memory.swing is None:
            self._begin(step, dynamics, contacts, soles, pendulum)
        elif self.memory.swing.left_s > _AIMS_UNTIL_S:
            self._aim(step, soles, pendulum)
        row, swing = row_at(self._motion, step), self.memory.swing
        steered = np.arange(2) == (-1 if swing is None else swing.side)
        if swing is None and not np.isfinite(self.memory.stood_s):
            return Following(row, steered, None)
        row = self._displaced(step, row, dynamics, beside, steered)
        if swing is None:
            return Following(row, steered, None)
        stands = self._map.flat(soles[self._mine[1 - swing.side]])
        pressure = nearest_pressure(pendulum.capture, [stands], 0.0)
        return Following(row, steered, self._map.vector(pendulum.w**2 * (pendulum.place - pressure)))

    def _own_capture(self) -> Floats:
        """(S, 2) the clip's own capture point."""
        reference = self._motion.reference
        moving = zip(reference.com, reference.com_velocity, strict=True)
        return np.array([self._map.pendulum(com, velocity).capture for com, velocity in moving])

    def _steady(self, scene: Scene) -> Bools:
        """(S,) where the clip's own capture point stays over its feet for a while."""
        reference = self._motion.reference
        support = support_of(self._body, pose(self._body, reference.q), scene.ground, reference.contacts, 0.0)
        excess = np.linalg.norm(self._own - support.nearest(self._own), axis=1)
        excess[~support.exists] = np.inf
        steady: Bools = _most_ahead(excess, round(_DUE_S * reference.rate)) < _STEADY_M
        return steady

    def _proceed(self, step: int, soles: Floats) -> None:
        """Time goes on, and a foot that has come down has landed."""
        m = self.memory
        if m.swing is None:
            self.memory = m._replace(stood_s=m.stood_s + self._tick_s)
            return
        swing = m.swing._replace(elapsed_s=m.swing.elapsed_s + self._tick_s)
        low = float(self._map.ground.distance(soles[self._mine[swing.side]]).min())
        if swing.share > _LATEST or (swing.share > _LANDS_FROM and low < _LANDED_M):
            led_to = self._between(step, [soles[mine].mean(axis=0) for mine in self._mine])
            self.memory = ReactionMemory(led_to, None, led_to, 0.0)
        else:
            self.memory = m._replace(swing=swing)

    def _between(self, step: int, middles: list[Floats]) -> Floats:
        """(3,) how far the clip is displaced whose feet come to lie at these places, each as it bears."""
        shares, meant = self._motion.load_shares[step], self._motion.soles[step]
        moved = sum(
            (
                share * (middle - meant[mine].mean(axis=0))
                for share, middle, mine in zip(shares, middles, self._mine, strict=True)
            ),
            np.zeros(3),
        )
        return self._map.along(moved)

    def _begin(self, step: int, dynamics: DynamicsState, contacts: Contacts, soles: Floats, pendulum: Pendulum) -> None:
        if not self._may[step] or self.memory.stood_s < _STANDS_S:
            return
        own = self._own[step] + self._map.direction(self.memory.anchor)
        if np.linalg.norm(pendulum.capture - own) < _BESIDE_M:
            return
        low = self._map.ground.distance(soles) < _BEARS_M
        down = self._motion.reference.contacts.feet[step]
        standing = [self._map.flat(soles[low & mine]) for mine, stands in zip(self._mine, down, strict=True) if stands]
        support = outline([some for some in standing if len(some)])
        if support is None:
            return
        out = float(np.linalg.norm(pendulum.capture - support.nearest(pendulum.capture[None])[0]))
        if out < _OUTSIDE_M:
            return
        seconds = self._rules.time / pendulum.w
        loads = self._loads(contacts)
        plans = [self._planned(step, side, seconds, soles, pendulum) for side in range(2)]
        costs = [plan.cost + loaded_cost(loads[side], self._legs[side], self._rules) for side, plan in enumerate(plans)]
        side = int(np.argmin(costs))
        reference, link = self._motion.reference, self._motion.feet[side]
        now = kinematics_of(self._body, reference.q[step], reference.v[step])
        parts = foot_parts(self._body, _SIDES[side])
        swing = Swing(
            side=side,
            elapsed_s=0.0,
            lasts_s=seconds,
            start=dynamics.origins[link],
            goal=dynamics.origins[link],
            lift_m=self._rules.lift_m * self._legs[side],
            turns={part: rotations.from_matrix(dynamics.R_world_link[part]) for part in parts},
            flat=flat_foot(self._body, now, _SIDES[side], self._map.ground),
        )
        self.memory = self.memory._replace(swing=swing)
        self._aim(step, soles, pendulum)

    def _aim(self, step: int, soles: Floats, pendulum: Pendulum) -> None:
        swing = self.memory.swing
        assert swing is not None
        plan = self._planned(step, swing.side, swing.left_s, soles, pendulum)
        middle = self._map.on_ground(plan.place)
        flat = swing.flat.soles
        lowest = float((flat @ self._map.normal).min())
        goal = middle - self._map.along(flat.mean(axis=0)) - lowest * self._map.normal
        middles = [soles[mine].mean(axis=0) for mine in self._mine]
        middles[swing.side] = middle
        self.memory = self.memory._replace(swing=swing._replace(goal=goal), led_to=self._between(step, middles))

    def _planned(self, step: int, side: int, seconds: float, soles: Floats, pendulum: Pendulum) -> Planned:
        left = self._map.direction(self._axes[step, :, 1])
        left = left / np.linalg.norm(left)
        foot, other = (self._map.flat(soles[self._mine[one]]) for one in (side, 1 - side))
        return planned_step(pendulum, seconds, foot, other, left if side == 0 else -left, self._legs[side], self._rules)

    def _loads(self, contacts: Contacts) -> Floats:
        """(2,) shares of the weight."""
        along = np.where(contacts.others == GROUND, contacts.forces @ self._map.normal, 0.0)
        feet = np.array([along[np.isin(contacts.links, foot_parts(self._body, side))].sum() for side in _SIDES])
        shares: Floats = feet / max(float(feet.sum()), 1e-9)
        return shares

    def _displaced(self, step: int, row: Row, dynamics: DynamicsState, beside: Floats, steered: Bools) -> Row:
        """The clip's moment where steps have led it: legs reach for the feet as they stand or go."""
        body, normal = self._body, self._map.normal
        swing, by = self.memory.swing, self.displacement
        steps = np.minimum([step, step + self._tick], len(self._motion.reference) - 1)
        q = self._motion.reference.q[steps].copy()
        q[:, :3] += by
        ankles = self._motion.foot_places[steps] + by
        turns: dict[int, Floats] = {}
        for side in range(2):
            if swing is not None and swing.side == side:
                ankles[:, side] = swing.place(normal), swing.place(normal, self._tick_s)
                turns = {part: np.stack([swing.turn(part), swing.turn(part, self._tick_s)]) for part in swing.turns}
            elif row.down[side]:
                ankles[:, side] += self._map.along(dynamics.origins[self._motion.feet[side]] - ankles[0, side])
            else:
                ankles[:, side] += _left(row, side) * beside[side]
        q = self._pose.with_feet(q, ankles, turns, row.down | steered)
        heights = (pose(body, q).com - self._motion.reference.com[steps]) @ normal
        displaced = row._replace(
            q=q[0],
            v=difference(body, q[1], q[0]) / self._tick_s,
            com=row.com + by + heights[0] * normal,
            com_velocity=row.com_velocity + (heights[1] - heights[0]) / self._tick_s * normal,
            soles=row.soles + by,
            foot_places=row.foot_places + by,
        )
        return displaced if swing is None else self._with_swing(displaced, swing)

    def _with_swing(self, row: Row, swing: Swing) -> Row:
        """One foot in the air, on its own way."""
        side, dt = swing.side, self._tick_s
        before, here, after = (swing.place(self._map.normal, seconds) for seconds in (-dt, 0.0, dt))
        turn = rotations.to_matrix(swing.turn(int(self._motion.feet[side])))
        mine = np.arange(2) == side
        return row._replace(
            down=row.down & ~mine,
            foot_places=np.where(mine[:, None], here, row.foot_places),
            foot_velocities=np.where(mine[:, None], (after - before) / (2.0 * dt), row.foot_velocities),
            foot_accelerations=np.where(mine[:, None], (after - 2.0 * here + before) / dt**2, row.foot_accelerations),
            foot_turns=np.where(mine[:, None, None], turn, row.foot_turns),
            foot_spins=np.where(mine[:, None], 0.0, row.foot_spins),
        )


def _undisturbed(motion: TrackedMotion) -> Bools:
    """(S,) where the body is on its feet, and none of them is about to land."""
    down = motion.reference.contacts.feet
    lands = np.zeros(len(down), dtype=bool)
    lands[1:] = (down[1:] & ~down[:-1]).any(axis=1)
    due = _most_ahead(lands.astype(float), round(_DUE_S * motion.reference.rate)) > 0.0
    may: Bools = motion.load_shares.any(axis=1) & ~due
    return may


def _most_ahead(values: Floats, steps: int) -> Floats:
    """(S,) the most of each value and of so many that follow it."""
    size = 2 * (steps // 2) + 1
    most: Floats = maximum_filter1d(values, size, origin=-(size // 2), mode="nearest")
    return most


def _left(row: Row, side: int) -> float:
    """How much of the way beside its mark a foot that swings has still to make up for."""
    until, since = row.until_landing[side], row.since_leaving[side]
    if not np.isfinite(since + until):
        return 0.0
    share = since / max(since + until, 1e-9)
    return float(1.0 - share**2 * (3.0 - 2.0 * share))
