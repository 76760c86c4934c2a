"""MuJoCo behind the engine interface; the only file that imports it."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..scene import Scene
from .engine import (
    GROUND,
    Contacts,
    SavedState,
    State,
    Wrench,
    check_drive,
    check_state,
    from_both_sides,
    no_contacts,
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
        self._contacts: Contacts | None = no_contacts()

    def reset(self, state: State) -> State:
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = state.q
        self._data.qvel[:] = state.v
        self._contacts = no_contacts()
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
        )
        return from_both_sides(points)
