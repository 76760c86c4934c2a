"""Bullet behind the engine interface; only it and bullet_things.py import PyBullet and know xyzw."""

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..body.body import Body, Link
from ..scene import Scene
from .bullet_layout import BulletLayout
from .bullet_things import BulletThings
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
)
from .flesh import softness
from .loose import initial_things
from .quiet import quiet
from .urdf import urdf_file

with quiet():
    import pybullet

_SOLVER = {
    "numSubSteps": 0,
    "numSolverIterations": 50,
    "solverResidualThreshold": 0.0,  # always the same number of iterations
    "erp": 0.2,
    "contactERP": 0.2,
    "frictionERP": 0.2,
    "deterministicOverlappingPairs": 1,
    "enableFileCaching": 0,
}
# A link gives way like flesh, so that feet land softly and rest on all their corners: 1 mm under a body's weight.
# What falls from 0.1 m stops within millimetres, as it does in MuJoCo with the time constant in mjcf.py.
_FLESH = {
    "restitution": 0.0,
    "contactStiffness": 3e5,  # [N/m] of a point
    "contactDamping": 1e3,  # [N s/m]
}
_FASTEST_JOINT = 1e6  # Bullet clamps joint rates, at 100 rad/s unless told otherwise
_FAR_AWAY, _UPRIGHT = (0.0, 0.0, 1e4), (0.0, 0.0, 0.0, 1.0)  # [m], xyzw
_BASE = -1  # Bullet's number of link 0; link k is its k - 1


@dataclass(eq=False)
class _Connection:
    """One world inside the library. The library uses ids of closed worlds again, so closing is noted here."""

    client: int
    is_open: bool = True

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            pybullet.disconnect(physicsClientId=self.client)

    def forget(self, number: int) -> None:
        if self.is_open:
            pybullet.removeState(number, physicsClientId=self.client)


@dataclass(frozen=True, eq=False)
class _Saved(SavedState):
    connection: _Connection
    number: int  # under which the library keeps it
    step: int
    slippery: frozenset[int]


class BulletEngine:
    def __init__(self) -> None:
        self._connection: _Connection | None = None

    def load(self, body: Body, scene: Scene, step_s: float) -> None:
        self.close()
        with quiet():
            self._client = pybullet.connect(pybullet.DIRECT)
            self._connection = _Connection(self._client)
            pybullet.setPhysicsEngineParameter(fixedTimeStep=step_s, **_SOLVER, physicsClientId=self._client)
            pybullet.setGravity(0.0, 0.0, -scene.gravity, physicsClientId=self._client)
            self._ground = self._add_ground(scene)
            self._robot = self._add_body(body)
            self._things = BulletThings(self._client, scene, step_s)
        self._step_s, self._step = step_s, 0
        self._joints = list(range(len(body) - 1))
        self._layout = BulletLayout(body)
        self._friction = _friction(scene)
        self._slippery: frozenset[int] = frozenset()
        self._set_dynamics(body)
        self._release_motors(body)
        self._allow_pairs(body)
        self._now = State(body.zero_q, np.zeros(body.nv), initial_things(scene))
        self._contacts: Contacts | None = no_contacts()
        self._pristine = pybullet.saveState(physicsClientId=self._client)

    def reset(self, state: State, at_s: float = 0.0) -> State:
        # The state before the first step knows no contacts, whose forces Bullet would use as a first guess.
        client = self._client
        pybullet.restoreState(self._pristine, physicsClientId=client)
        # Pairs that touched before keep their place in the solver's list until they are apart, and order matters.
        pybullet.resetBasePositionAndOrientation(self._robot, _FAR_AWAY, _UPRIGHT, physicsClientId=client)
        self._things.scatter()
        pybullet.performCollisionDetection(physicsClientId=client)
        self._rub(frozenset())
        self._place(state)
        self._step = round(at_s / self._step_s)
        self._things.reset(state.things, self._step)
        self._now = state
        self._contacts = no_contacts()
        self._now = self._read_state()
        return self._now

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = (), slippery: Sequence[int] = ()) -> State:
        check_drive(torques, wrenches)
        client = self._client
        if frozenset(slippery) != self._slippery:
            self._forget_contacts()
            self._rub(frozenset(slippery))
        if self._joints:
            pybullet.setJointMotorControlMultiDofArray(
                self._robot,
                self._joints,
                pybullet.TORQUE_CONTROL,
                forces=self._layout.torques_to_bullet(torques),
                physicsClientId=client,
            )
        for wrench in wrenches:
            link = wrench.link + _BASE
            pybullet.applyExternalForce(
                self._robot, link, wrench.force, wrench.point, pybullet.WORLD_FRAME, physicsClientId=client
            )
            pybullet.applyExternalTorque(self._robot, link, wrench.torque, pybullet.WORLD_FRAME, physicsClientId=client)
        self._things.drive(self._step)
        pybullet.stepSimulation(physicsClientId=client)
        self._step += 1
        self._things.step_done(self._step)
        self._contacts = None
        self._now = self._read_state()
        check_state(self._now)
        return self._now

    def contacts(self) -> Contacts:
        if self._contacts is None:
            self._contacts = self._read_contacts()
        return self._contacts

    def save(self) -> SavedState:
        assert self._connection is not None
        number = pybullet.saveState(physicsClientId=self._client)
        saved = _Saved(self._now, self.contacts(), self._connection, number, self._step, self._slippery)
        weakref.finalize(saved, self._connection.forget, number)
        return saved

    def restore(self, saved: SavedState) -> State:
        if not isinstance(saved, _Saved) or saved.connection is not self._connection:
            raise ValueError("The saved state comes from another engine.")
        # Where things lie in piles Bullet lists the restored contacts in another order: equal but for rounding.
        pybullet.restoreState(saved.number, physicsClientId=self._client)
        self._rub(saved.slippery)
        self._now, self._contacts, self._step = saved.state, saved.contacts, saved.step
        return self._now

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _add_ground(self, scene: Scene) -> int:
        plane = pybullet.createCollisionShape(
            pybullet.GEOM_PLANE, planeNormal=scene.ground.normal.tolist(), physicsClientId=self._client
        )
        ground: int = pybullet.createMultiBody(
            0.0, plane, basePosition=scene.ground.point.tolist(), physicsClientId=self._client
        )
        return ground

    def _add_body(self, body: Body) -> int:
        flags = (
            pybullet.URDF_USE_INERTIA_FROM_FILE
            | pybullet.URDF_MAINTAIN_LINK_ORDER
            | pybullet.URDF_USE_SELF_COLLISION
            | pybullet.URDF_USE_SELF_COLLISION_INCLUDE_PARENT
        )
        with urdf_file(body) as path:
            robot: int = pybullet.loadURDF(str(path), flags=flags, physicsClientId=self._client)
        return robot

    def _set_dynamics(self, body: Body) -> None:
        # A call that also sets what belongs to the whole body sets the base, whatever link it names.
        rub = self._friction
        for index, link in enumerate(body.links):
            pybullet.changeDynamics(
                self._robot, index + _BASE, **rub, **_flesh(link), jointDamping=0.0, physicsClientId=self._client
            )
        pybullet.changeDynamics(self._ground, _BASE, **rub, restitution=0.0, physicsClientId=self._client)
        pybullet.changeDynamics(
            self._robot,
            _BASE,
            linearDamping=0.0,
            angularDamping=0.0,
            maxJointVelocity=_FASTEST_JOINT,
            activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=self._client,
        )

    def _release_motors(self, body: Body) -> None:
        """Bullet brakes every joint with a motor of its own until told to use no force."""
        for number, link in enumerate(body.links[1:]):
            pybullet.setJointMotorControlMultiDof(
                self._robot,
                number,
                pybullet.POSITION_CONTROL,
                targetPosition=[0.0] if link.joint.kind == "hinge" else [0.0, 0.0, 0.0, 1.0],
                positionGain=0.0,
                velocityGain=0.0,
                force=[0.0] * len(link.joint.axes),
                physicsClientId=self._client,
            )

    def _allow_pairs(self, body: Body) -> None:
        allowed = {frozenset(pair) for pair in body.collision_pairs}
        for a in range(len(body)):
            for b in range(a):
                may_touch = int(frozenset((a, b)) in allowed)
                pybullet.setCollisionFilterPair(
                    self._robot, self._robot, a + _BASE, b + _BASE, may_touch, physicsClientId=self._client
                )

    def _place(self, state: State) -> None:
        client = self._client
        base, joints = self._layout.to_bullet(state)
        pybullet.resetBasePositionAndOrientation(self._robot, base.position, base.xyzw, physicsClientId=client)
        pybullet.resetBaseVelocity(self._robot, base.linear, base.angular, physicsClientId=client)
        if self._joints:
            pybullet.resetJointStatesMultiDof(
                self._robot, self._joints, joints.positions, joints.rates, physicsClientId=client
            )

    def _forget_contacts(self) -> None:
        """Points that touch keep the friction with which they began to, for as long as they stay where they are."""
        pybullet.resetBasePositionAndOrientation(self._robot, _FAR_AWAY, _UPRIGHT, physicsClientId=self._client)
        pybullet.performCollisionDetection(physicsClientId=self._client)
        self._place(self._now)

    def _rub(self, slippery: frozenset[int]) -> None:
        """Makes these links slippery, and no others."""
        for link in slippery ^ self._slippery:
            share = SLIPPERY if link in slippery else 1.0
            rub = {name: share * value for name, value in self._friction.items()}
            pybullet.changeDynamics(self._robot, link + _BASE, **rub, physicsClientId=self._client)
        self._slippery = slippery

    def _read_state(self) -> State:
        client = self._client
        pose = pybullet.getBasePositionAndOrientation(self._robot, physicsClientId=client)
        velocity = pybullet.getBaseVelocity(self._robot, physicsClientId=client)
        joints = (
            pybullet.getJointStatesMultiDof(self._robot, self._joints, physicsClientId=client) if self._joints else ()
        )
        state = self._layout.from_bullet(pose, velocity, joints, near=self._now)
        return (
            state._replace(things=self._things.read(self._now.things, self._step)) if len(self._now.things) else state
        )

    def _read_contacts(self) -> Contacts:
        found = pybullet.getContactPoints(bodyA=self._robot, physicsClientId=self._client)
        touching = [point for point in found if point[9] > 0.0 or point[8] <= 0.0]  # others are only near
        if not touching:
            return no_contacts()
        _, _, bodies_b, links_a, links_b, positions, _, normals, distances, pushes, *friction = zip(
            *touching, strict=True
        )
        normals_out = np.array(normals)
        forces = np.array(pushes)[:, None] * normals_out
        for sizes, directions in (friction[0:2], friction[2:4]):
            forces += np.array(sizes)[:, None] * np.array(directions)
        points = Contacts(
            links=np.array(links_a) - _BASE,
            others=np.where(np.array(bodies_b) == self._robot, np.array(links_b) - _BASE, GROUND),
            positions=np.array(positions),
            normals=normals_out,
            forces=forces,
            distances=np.array(distances),
            things=np.array([self._things.thing_of_body.get(body, GROUND) for body in bodies_b]),
        )
        return from_both_sides(points)


def _flesh(link: Link) -> dict[str, float]:
    """Soft flesh is a weaker spring, with as much damping for its strength."""
    soft = softness(link)
    return {
        **_FLESH,
        "contactStiffness": _FLESH["contactStiffness"] / soft,
        "contactDamping": _FLESH["contactDamping"] / math.sqrt(soft),
    }


def _friction(scene: Scene) -> dict[str, float]:
    """Of each of two that touch. Bullet multiplies their lateral coefficients, and adds the products of each one's
    spinning with the other's lateral coefficient."""
    grip = math.sqrt(scene.friction)
    return {"lateralFriction": grip, "spinningFriction": 0.5 * grip * scene.patch_m}
