"""MuJoCo behind the engine interface; the only file that imports it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from .. import rotations
from ..arrays import Floats, Ints
from ..body.body import Body
from ..scene import Scene
from .driven import HEAVY, Drive, is_driven
from .engine import (
    GROUND,
    SLIPPERY,
    Contacts,
    SavedState,
    State,
    Wrench,
    check_drive,
    check_state,
    from_both_sides,
    no_contacts,
    of_links,
)
from .loose import LooseThings
from .mjcf import body_to_mjcf

# All that a step reads: time, q, v, the solver's warm start and the applied forces.
_SAVED_PARTS = int(mujoco.mjtState.mjSTATE_INTEGRATION)
# MuJoCo writes every warning into a log file in the working directory; check_state says what matters instead.
mujoco.set_mju_user_warning(lambda message: None)


@dataclass(frozen=True, eq=False)
class _Saved(SavedState):
    owner: "MujocoEngine"
    physics: Floats
    step: int


class _FreeBody(NamedTuple):
    """Of a thing: where its pose and velocity stand among all others."""

    q: slice
    v: slice


class _Frictions:
    """Of everything in a model, as it is usual or with links that are slippery.

    Every step sets what it needs, so that nothing of it is part of a saved state.
    """

    def __init__(self, model: mujoco.MjModel, link_of_geom: Ints) -> None:
        self._model, self._link_of_geom = model, link_of_geom
        self._geoms, self._pairs, self._priority = (
            part.copy() for part in (model.geom_friction, model.pair_friction, model.geom_priority)
        )
        self._differ = bool((self._geoms != self._geoms[0]).any())
        self._slippery: frozenset[int] = frozenset()

    def rub(self, data: mujoco.MjData, slippery: frozenset[int]) -> None:
        """During the step that begins with this data."""
        if slippery != self._slippery:
            self._make_usual()
            self._make_slippery(slippery)
        if slippery and self._differ:
            self._rub_on_what_is_below(data)

    def _make_usual(self) -> None:
        self._model.geom_friction[:] = self._geoms
        self._model.pair_friction[:] = self._pairs
        self._model.geom_priority[:] = self._priority

    def _make_slippery(self, slippery: frozenset[int]) -> None:
        model = self._model
        mine = np.isin(self._link_of_geom, list(slippery))
        model.geom_friction[mine] *= SLIPPERY
        # Of two geoms of one priority the larger friction counts: that of what a slippery link slides on.
        model.geom_priority[mine] = self._priority.max() + 1
        model.pair_friction *= SLIPPERY ** (mine[model.pair_geom1] * 1.0 + mine[model.pair_geom2])[:, None]
        self._slippery = slippery

    def _rub_on_what_is_below(self, data: mujoco.MjData) -> None:
        """A slippery link has one friction for all that it touches: by what it presses on most."""
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_collision(self._model, data)
        for one, other in data.contact.geom[np.argsort(-data.contact.dist, kind="stable")]:  # the deepest last
            mine, below = (other, one) if self._link_of_geom[one] == GROUND else (one, other)
            if self._link_of_geom[mine] in self._slippery and self._link_of_geom[below] == GROUND:
                self._model.geom_friction[mine] = SLIPPERY * self._geoms[below]


class MujocoEngine:
    def load(self, body: Body, scene: Scene, step_s: float) -> None:
        self._model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, scene, step_s))
        self._data = mujoco.MjData(self._model)
        self._step_s, self._nq, self._nv = step_s, body.nq, body.nv
        # Body 0 of the model is the world; the links follow in the body's own depth-first order, then the things.
        owners = self._model.geom_bodyid.astype(np.int64) - 1
        self._link_of_geom: Ints = np.where(owners < len(body), owners, GROUND)
        self._thing_of_geom: Ints = np.where(owners < len(body), GROUND, owners - len(body))
        self._frictions = _Frictions(self._model, self._link_of_geom)
        self._loose = LooseThings(scene, step_s)
        self._loose_bodies = [self._free_body(len(body) + 1 + number) for number in self._loose.numbers]
        self._drives = [
            (self._free_body(len(body) + 1 + number), Drive(thing, step_s))
            for number, thing in enumerate(scene.things)
            if is_driven(thing)
        ]
        if (
            scene.things
        ):  # the solver is done when little is left to gain, in proportion to this; heavy things are no part
            self._model.stat.meaninertia = self._model.dof_M0[: body.nv].mean()
        self._now = 0  # step
        self._contacts: Contacts | None = no_contacts()

    def reset(self, state: State, at_s: float = 0.0) -> State:
        mujoco.mj_resetData(self._model, self._data)
        self._now = round(at_s / self._step_s)
        self._data.qpos[: self._nq] = state.q
        self._data.qvel[: self._nv] = state.v
        for row, thing in enumerate(state.things):
            self._place(row, thing)
        self._keep_waiting()
        self._contacts = no_contacts()
        return self._state()

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = (), slippery: Sequence[int] = ()) -> State:
        check_drive(torques, wrenches)
        data = self._data
        data.qfrc_applied[: self._nv] = torques
        data.xfrc_applied[:] = 0.0
        self._drive()
        if wrenches:
            mujoco.mj_kinematics(self._model, data)  # a step leaves xipos where it was before it
        for wrench in wrenches:
            body = wrench.link + 1
            lever = wrench.point - data.xipos[body]
            data.xfrc_applied[body, :3] += wrench.force
            data.xfrc_applied[body, 3:] += wrench.torque + rotations.cross(lever, wrench.force)
        self._frictions.rub(data, frozenset(slippery))
        mujoco.mj_step(self._model, data)
        self._contacts = None
        self._now += 1
        if self._loose_bodies:
            for row in self._loose.appearing(self._now):
                self._place(row, self._loose.initial[row])
            self._keep_waiting()
        state = self._state()
        check_state(state)
        return state

    def contacts(self) -> Contacts:
        if self._contacts is None:
            self._contacts = self._read_contacts()
        return self._contacts

    def save(self) -> SavedState:
        physics = np.empty(mujoco.mj_stateSize(self._model, _SAVED_PARTS))
        mujoco.mj_getState(self._model, self._data, physics, _SAVED_PARTS)
        return _Saved(self._state(), self.contacts(), self, physics, self._now)

    def restore(self, saved: SavedState) -> State:
        if not isinstance(saved, _Saved) or saved.owner is not self:
            raise ValueError("The saved state comes from another engine.")
        mujoco.mj_setState(self._model, self._data, saved.physics, _SAVED_PARTS)
        self._now, self._contacts = saved.step, saved.contacts
        return self._state()

    def close(self) -> None:
        self.__dict__.clear()  # the model and its data are freed with their last reference

    def _free_body(self, body: int) -> _FreeBody:
        joint = self._model.body_jntadr[body]
        q, v = int(self._model.jnt_qposadr[joint]), int(self._model.jnt_dofadr[joint])
        return _FreeBody(slice(q, q + 7), slice(v, v + 6))

    def _drive(self) -> None:
        """Puts things that move by themselves where they are now, and pushes them to where they go."""
        data = self._data
        for body, drive in self._drives:
            motion = drive.at(self._now)
            before = np.concatenate([motion.velocity, motion.spin])
            after = np.concatenate([motion.next_velocity, motion.next_spin])
            data.qpos[body.q] = np.concatenate([motion.position, motion.turn])
            data.qvel[body.v] = before
            data.qfrc_applied[body.v] = HEAVY * (after - before) / self._step_s

    def _place(self, row: int, thing: Floats) -> None:
        """MuJoCo's free bodies turn in their own axes."""
        body, spin = self._loose_bodies[row], rotations.rotate(rotations.inverse(thing[3:7]), thing[10:])
        self._data.qpos[body.q] = thing[:7]
        self._data.qvel[body.v] = np.concatenate([thing[7:10], spin])

    def _keep_waiting(self) -> None:
        for row in np.flatnonzero(self._loose.waiting(self._now)):
            self._place(row, self._loose.away[row])

    def _state(self) -> State:
        q, v = self._data.qpos[: self._nq].copy(), self._data.qvel[: self._nv].copy()
        return State(q, v, self._things()) if self._loose_bodies else State(q, v)

    def _things(self) -> Floats:
        q = np.array([self._data.qpos[body.q] for body in self._loose_bodies])
        v = np.array([self._data.qvel[body.v] for body in self._loose_bodies])
        spins = rotations.rotate(q[:, 3:], v[:, 3:])
        return self._loose.shown(np.concatenate([q, v[:, :3], spins], axis=1), self._now)

    def _read_contacts(self) -> Contacts:
        count, found = self._data.ncon, self._data.contact
        if count == 0:
            return no_contacts()
        wrenches = np.empty((count, 6))  # in the contacts' frames
        for k in range(count):
            mujoco.mj_contactForce(self._model, self._data, k, wrenches[k])
        # The first row of a contact's frame is its normal, from the first geom to the second, the pushed one.
        frames = found.frame.reshape(count, 3, 3)
        forces = np.einsum("ki,kij->kj", wrenches[:, :3], frames)
        first, second = self._link_of_geom[found.geom].T
        second_is_ground = second == GROUND
        sign = np.where(second_is_ground, -1.0, 1.0)[:, None]
        points = Contacts(
            links=np.where(second_is_ground, first, second),
            others=np.where(second_is_ground, second, first),
            positions=found.pos.copy(),
            normals=sign * frames[:, 0],
            forces=sign * forces,
            distances=found.dist.copy(),
            things=self._thing_of_geom[found.geom].max(axis=1),
        )
        return from_both_sides(of_links(points))
