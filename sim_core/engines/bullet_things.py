"""The things of a scene in a Bullet world.

What moves by itself is a heavy body that is put where it belongs before every step: Bullet's own static bodies have no
velocity, and would not carry what stands on them.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Floats
from ..scene import Scene
from ..world.solids import HeightField
from ..world.thing import Thing
from . import friction
from .driven import Drive, Motion, is_driven
from .height_grid import height_grid
from .loose import LooseThings
from .principal import principal_frame
from .quiet import quiet
from .urdf_things import inertia_of, thing_file

with quiet():
    import pybullet

_BASE = -1
_FIXED_GROUP = 2  # Bullet's own for static bodies, which do not meet each other
_FAR_AWAY, _ROOM = 1e4, 1e3  # [m]
_FASTEST = 1e6


class _LooseBody(NamedTuple):
    """Bullet describes a body by its principal frame."""

    number: int  # in the world
    com: Floats  # (3,)
    axes: Floats  # (4,)


class _DrivenBody(NamedTuple):
    number: int
    drive: Drive


class BulletThings:
    def __init__(self, client: int, scene: Scene, step_s: float) -> None:
        self._client = client
        self._loose_things = LooseThings(scene, step_s)
        self._rise = np.array([0.0, 0.0, scene.gravity * step_s])  # what gravity takes from a driven body in a step
        self._loose: list[_LooseBody] = []
        self._driven: list[_DrivenBody] = []
        self.thing_of_body: dict[int, int] = {}
        for number, thing in enumerate(scene.things):
            for body in self._add(thing, scene, step_s):
                self.thing_of_body[body] = number

    def _add(self, thing: Thing, scene: Scene, step_s: float) -> list[int]:
        fields = [solid for solid in thing.solids if isinstance(solid, HeightField)]
        bodies = [self._add_height_field(thing, field) for field in fields]
        if len(fields) < len(thing.solids):
            bodies.append(self._add_solids(thing))
        coefficient = friction.of_thing(thing, scene)
        for body in bodies:
            self._change(
                body,
                lateralFriction=friction.grip(coefficient, scene),
                spinningFriction=0.5 * friction.grip(coefficient, scene) * scene.patch_m,
                restitution=0.0,
            )
        if thing.loose is not None:
            properties = inertia_of(thing)
            axes = principal_frame(properties.inertia).rotation
            self._loose.append(_LooseBody(bodies[0], properties.com, axes))
        elif is_driven(thing):
            self._driven.append(_DrivenBody(bodies[0], Drive(thing, step_s)))
            pybullet.setCollisionFilterGroupMask(
                bodies[0], _BASE, _FIXED_GROUP, ~_FIXED_GROUP, physicsClientId=self._client
            )
        return bodies

    def _add_solids(self, thing: Thing) -> int:
        with thing_file(thing) as path:
            body: int = pybullet.loadURDF(
                str(path),
                thing.position.tolist(),
                _xyzw(thing.turn),
                flags=pybullet.URDF_USE_INERTIA_FROM_FILE,
                physicsClientId=self._client,
            )
        self._change(body, linearDamping=0.0, angularDamping=0.0, maxJointVelocity=_FASTEST)
        self._change(body, activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING)
        return body

    def _add_height_field(self, thing: Thing, field: HeightField) -> int:
        """Bullet's rows run along x, and its shape is around its middle, upwards too."""
        grid = height_grid(field)
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_HEIGHTFIELD,
            meshScale=[grid.cell, grid.cell, 1.0],
            heightfieldData=grid.heights.T.ravel().tolist(),
            numHeightfieldRows=grid.heights.shape[0],
            numHeightfieldColumns=grid.heights.shape[1],
            physicsClientId=self._client,
        )
        place = thing.position + grid.middle
        body: int = pybullet.createMultiBody(0.0, shape, basePosition=place.tolist(), physicsClientId=self._client)
        return body

    def _change(self, body: int, **values: Any) -> None:
        pybullet.changeDynamics(body, _BASE, **values, physicsClientId=self._client)

    def scatter(self) -> None:
        """Everything that is not fixed goes far away from everything else."""
        bodies = [*(loose.number for loose in self._loose), *(driven.number for driven in self._driven)]
        for row, body in enumerate(bodies):
            self._put(body, np.array([_ROOM * (row + 1), 0.0, _FAR_AWAY]), rotations.IDENTITY)

    def reset(self, things: Floats, step: int) -> None:
        for row, thing in enumerate(things):
            self._place(row, thing)
        for driven in self._driven:
            motion = driven.drive.at(step)
            self._put(driven.number, motion.position, motion.turn)
        self._keep_waiting(step)

    def drive(self, step: int) -> None:
        """Puts things that move by themselves where they are when a step begins."""
        for driven in self._driven:
            motion = driven.drive.at(step)
            self._put(driven.number, motion.position, motion.turn)
            self._hurry(driven.number, motion)

    def step_done(self, step: int) -> None:
        """Before the next one."""
        if not self._loose:
            return
        for row in self._loose_things.appearing(step):
            self._place(row, self._loose_things.initial[row])
        self._keep_waiting(step)

    def read(self, near: Floats, step: int) -> Floats:
        """(L, 13); `near` chooses the signs of quaternions, which Bullet loses."""
        things = np.empty((len(self._loose), near.shape[1]))
        for row, body in enumerate(self._loose):
            position, xyzw = pybullet.getBasePositionAndOrientation(body.number, physicsClientId=self._client)
            linear, spin = (np.array(v) for v in pybullet.getBaseVelocity(body.number, physicsClientId=self._client))
            turn = rotations.multiply(np.roll(xyzw, 1), rotations.inverse(body.axes))
            turn = -turn if turn @ near[row, 3:7] < 0.0 else turn
            lever = rotations.rotate(turn, body.com)
            things[row] = np.concatenate([position - lever, turn, linear - np.cross(spin, lever), spin])
        return self._loose_things.shown(things, step)

    def _place(self, row: int, thing: Floats) -> None:
        body, position, turn, linear, spin = self._loose[row], thing[:3], thing[3:7], thing[7:10], thing[10:]
        lever = rotations.rotate(turn, body.com)
        self._put(body.number, position + lever, rotations.multiply(turn, body.axes))
        pybullet.resetBaseVelocity(
            body.number, (linear + np.cross(spin, lever)).tolist(), spin.tolist(), physicsClientId=self._client
        )

    def _keep_waiting(self, step: int) -> None:
        for row in np.flatnonzero(self._loose_things.waiting(step)):
            self._place(row, self._loose_things.away[row])

    def _put(self, body: int, position: Floats, turn: Floats) -> None:
        pybullet.resetBasePositionAndOrientation(body, position.tolist(), _xyzw(turn), physicsClientId=self._client)

    def _hurry(self, body: int, motion: Motion) -> None:
        """The velocity with which a step is to end; gravity is about to take its part of it."""
        spin = rotations.rotate(motion.turn, motion.next_spin)
        velocity = motion.next_velocity + self._rise
        pybullet.resetBaseVelocity(body, velocity.tolist(), spin.tolist(), physicsClientId=self._client)


def _xyzw(turn: Floats) -> list[float]:
    xyzw: list[float] = np.roll(turn, -1).tolist()
    return xyzw
