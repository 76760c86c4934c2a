"""MuJoCo behind the engine interface; the only file that imports it."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from ..arrays import Floats
from ..body import Body
from ..scene import Scene
from .engine import (
    GROUND,
    ContactPoint,
    Contacts,
    SavedState,
    State,
    Wrench,
    check_drive,
    check_state,
    contacts_of,
)
from .mjcf import body_to_mjcf

# All that a step reads: time, q, v, the solver's warm start and the applied forces.
_SAVED_PARTS = int(mujoco.mjtState.mjSTATE_INTEGRATION)
# MuJoCo writes every warning into a log file in the working directory; check_state says what matters instead.
mujoco.set_mju_user_warning(lambda message: None)


@dataclass(frozen=True, eq=False)
class _Saved(SavedState):
    owner: "MujocoEngine"
    physics: Floats


class MujocoEngine:
    def load(self, body: Body, scene: Scene, step_s: float) -> None:
        self._model = mujoco.MjModel.from_xml_string(body_to_mjcf(body, scene, step_s))
        self._data = mujoco.MjData(self._model)
        # Body 0 of the model is the world, and the links follow in the body's own depth-first order.
        self._link_of_geom = self._model.geom_bodyid.astype(np.int64) - 1
        self._contacts: Contacts | None = contacts_of([])

    def reset(self, state: State) -> State:
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = state.q
        self._data.qvel[:] = state.v
        self._contacts = contacts_of([])
        return self._state()

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = ()) -> State:
        check_drive(torques, wrenches)
        data = self._data
        data.qfrc_applied[:] = torques
        data.xfrc_applied[:] = 0.0
        if wrenches:
            mujoco.mj_kinematics(self._model, data)  # a step leaves xipos where it was before it
        for wrench in wrenches:
            body = wrench.link + 1
            lever = wrench.point - data.xipos[body]
            data.xfrc_applied[body, :3] += wrench.force
            data.xfrc_applied[body, 3:] += wrench.torque + np.cross(lever, wrench.force)
        mujoco.mj_step(self._model, data)
        self._contacts = None
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
        return _Saved(self._state(), self.contacts(), self, physics)

    def restore(self, saved: SavedState) -> State:
        if not isinstance(saved, _Saved) or saved.owner is not self:
            raise ValueError("The saved state comes from another engine.")
        mujoco.mj_setState(self._model, self._data, saved.physics, _SAVED_PARTS)
        self._contacts = saved.contacts
        return self._state()

    def close(self) -> None:
        self.__dict__.clear()  # the model and its data are freed with their last reference

    def _state(self) -> State:
        return State(self._data.qpos.copy(), self._data.qvel.copy())

    def _read_contacts(self) -> Contacts:
        found = self._data.contact
        points = []
        wrench = np.empty(
            6
        )  # in the contact's frame: its first row is the normal, from the first geom to the second
        for k in range(self._data.ncon):
            mujoco.mj_contactForce(self._model, self._data, k, wrench)
            frame = found.frame[k].reshape(3, 3)
            first, second = (int(link) for link in self._link_of_geom[found.geom[k]])
            normal, force = frame[0].copy(), wrench[:3] @ frame
            if second == GROUND:
                first, second, normal, force = second, first, -normal, -force
            points.append(
                ContactPoint(second, first, found.pos[k].copy(), normal, force, float(found.dist[k]))
            )
        return contacts_of(points)
