"""The topple-free foot: torque from outside for a standing foot that the ground alone would let topple (eq. 13, 14).

The ground holds a foot against the torque of its ankle as long as its pressure stays under the sole. What is beyond
that, the paper adds from outside: all that exceeds thr_min, up to thr_max. Here no more is added than the ground really
lacks, so that most of a stand needs none; it follows its need within some milliseconds, so that it never chatters; and
the ankle pulls no harder than ground and help together hold, so that a foot stays flat even where no help is allowed.
"""

from typing import NamedTuple

import numpy as np

from ...arrays import Bools, Floats
from ...body.body import Body
from ...dynamics.dynamics_state import DynamicsState
from ...dynamics.kinematics import pose
from ...rotations import cross
from ...settings import VaSettings
from .supports import Borne
from .va_gains import VaGains

_TURNING = 0.04  # [m] a sole turns on the spot like a ring of this radius
_ENOUGH = 1e4  # [N m] where there is no limit
_BEARS = 0.4  # of the weight: a foot that bears as much may have all the help
_LIES, _TIP = 0.35, 0.7  # how much one end of a sole is above the other, of its length
_SIDES = "lr"


class Hold(NamedTuple):
    """What the ground can do against each ankle, in the axes of its sole."""

    R_world_sole: Floats  # (2, 3, 3)
    R_foot_sole: Floats  # (2, 3, 3)
    lower: Floats  # (2, 3) torque of the ankle on the foot [N m]
    upper: Floats  # (2, 3)
    stands: Bools  # (2,)
    most: Floats  # (2,) help that each may have: little for a foot that bears little [N m]


class FootMemory(NamedTuple):
    helped: Floats  # (2, 3) torque from outside, in the axes of the soles
    beyond_s: float  # for how long more than thr_max was asked for


class Steadied(NamedTuple):
    torques: Floats  # (nv,)
    foot_torques: Floats  # (2, 3) from outside, in the world [N m]


class ToppleFreeFoot:
    def __init__(self, body: Body, settings: VaSettings, gains: VaGains, step_s: float) -> None:
        self._settings, self._step_s = settings, step_s
        self._keep = 0.5 ** (step_s / gains.comp_s)
        self._patience_s, self._sole_share = gains.patience_s, gains.sole_share
        self._links = np.array([body.index(f"foot_{side}") for side in _SIDES])
        self._mine = (body.soles.left, ~body.soles.left)
        self._dofs = np.array([np.arange(3) + body.v_slice[f"foot_{side}"].start for side in _SIDES])  # (2, 3)
        soles = [_sole_of(body, side) for side in range(2)]
        self._R_foot_sole, self._middles, self._halves = (np.array(each) for each in zip(*soles, strict=True))
        self.reset()

    def reset(self) -> None:
        self.memory = FootMemory(np.zeros((2, 3)), 0.0)

    @property
    def gives_up(self) -> bool:
        return self.memory.beyond_s > self._patience_s

    def flatness(self, heights: Floats) -> Floats:
        """(2,) from 0, on a tip or an edge, to 1, by how high (P,) the points of the soles are to be: who stands on the
        tips of his toes has no sole to be kept from toppling."""
        rise = np.array([np.ptp(heights[mine]) for mine in self._mine])
        flat: Floats = np.clip((_TIP - rise / (2.0 * self._halves[:, 0])) / (_TIP - _LIES), 0.0, 1.0)
        return flat

    def bearable(self, dynamics: DynamicsState, borne: Borne, normal: Floats, friction: float) -> Borne:
        """What ground and help can really give: forces within the friction cone, pressure under the sole."""
        forces, moments = borne.forces.copy(), borne.moments.copy()
        along = np.maximum(forces @ normal, 0.0)
        across = forces - (forces @ normal)[:, None] * normal
        slips = np.linalg.norm(across, axis=1)
        across *= np.minimum(1.0, friction * along / np.maximum(slips, 1e-9))[:, None]
        forces = along[:, None] * normal + across
        R = dynamics.R_world_link[self._links] @ self._R_foot_sole
        helped = max(min(self._settings.thr_max, _ENOUGH) - self._settings.thr_min, 0.0)
        for side in range(2):
            reach = np.array([self._halves[side][1], self._halves[side][0], friction * _TURNING])
            room = self._sole_share * along[side] * reach + helped
            moments[side] = R[side] @ np.clip(moments[side] @ R[side], -room, room)
        return Borne(forces, moments)

    def hold(
        self,
        dynamics: DynamicsState,
        forces: Floats,
        shares: Floats,
        flat: Floats,
        normal: Floats,
        weight: float,
        friction: float,
    ) -> Hold:
        """For the forces (2, 3) that the ground is to give each foot."""
        R = dynamics.R_world_link[self._links] @ self._R_foot_sole
        lower, upper = np.zeros((2, 3)), np.zeros((2, 3))
        for side in range(2):
            if shares[side] <= 0.0:
                continue
            middle, half = self._middles[side], self._sole_share * self._halves[side]
            force = forces[side] @ R[side]
            force[2] = max(force[2], 0.0)
            around = cross(middle, force)  # the ground's moment about the ankle, from the middle of what bears
            room = force[2] * np.array([half[1], half[0], friction * _TURNING])
            room = room + (1.0 - flat[side]) * _ENOUGH
            lower[side], upper[side] = -around - room, -around + room
        load = np.maximum(forces @ normal, 0.0)
        most = (
            flat
            * np.minimum(1.0, load / (_BEARS * weight))
            * max(min(self._settings.thr_max, _ENOUGH) - self._settings.thr_min, 0.0)
        )
        return Hold(R, self._R_foot_sole, lower, upper, shares > 0.0, most)

    def steadied(self, torques: Floats, hold: Hold) -> Steadied:
        """The torques that feet stand, with what they need for it from outside."""
        settings, torques = self._settings, torques.copy()
        stands = hold.stands[:, None]
        wanted = np.where(stands, (torques[self._dofs][:, None] @ hold.R_foot_sole)[:, 0], 0.0)
        lacking = np.where(stands, wanted - np.clip(wanted, hold.lower, hold.upper), 0.0)
        sizes = np.sqrt((wanted**2).sum(axis=1))
        # Eq. 14, of what the ground lacks, and for a foot that bears.
        allowed = np.minimum(np.minimum(sizes, settings.thr_max) - settings.thr_min, hold.most)
        share = np.clip(allowed / np.maximum(np.sqrt((lacking**2).sum(axis=1)), 1e-9), 0.0, 1.0)
        helped = share[:, None] * lacking
        helped = helped + self._keep * (self.memory.helped - helped)
        beyond = bool(sizes.max() >= settings.thr_max)
        self.memory = FootMemory(helped, self.memory.beyond_s + self._step_s if beyond else 0.0)
        bound = np.clip(wanted, hold.lower + np.minimum(helped, 0.0), hold.upper + np.maximum(helped, 0.0))
        bound = (hold.R_foot_sole @ bound[:, :, None])[:, :, 0]
        torques[self._dofs] = np.where(stands, bound, torques[self._dofs])
        return Steadied(torques, -(hold.R_world_sole @ helped[:, :, None])[:, :, 0])


class _Sole(NamedTuple):
    """Seen from the ankle, when all joints are at rest."""

    R_foot_sole: Floats  # (3, 3) along the sole, across it, and up
    middle: Floats  # (3,) in these axes
    half: Floats  # (3,) as far as it reaches from there


def _sole_of(body: Body, side: int) -> _Sole:
    now = pose(body, body.zero_q)
    mine = body.soles.left == (side == 0)
    foot = body.index(f"foot_{_SIDES[side]}")
    points = now.points(body.soles.links, body.soles.local)[mine]
    local = (points - now.origins[foot]) @ now.R_world_link[foot]
    along, _, up = np.linalg.svd(local - local.mean(axis=0))[2]
    along = along if along @ local.mean(axis=0) >= 0.0 else -along
    up = up if up @ local.mean(axis=0) <= 0.0 else -up
    axes = np.stack([along, cross(up, along), up], axis=1)
    low, high = (local @ axes).min(axis=0), (local @ axes).max(axis=0)
    return _Sole(axes, 0.5 * (low + high), 0.5 * (high - low))
