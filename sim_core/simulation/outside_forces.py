"""Forces on the character from outside, which are no assist: pushes, and springs that pull."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from ..arrays import Floats, Ints
from ..body.body import Body
from ..disturbances import Pull, Push
from ..dynamics.kinematics import motion, pose
from ..engines.engine import State, Wrench
from ..errors import SettingsError
from ..motion.source_clip import SourceClip
from ..posing.heading import axes_facing, facing_of
from ..rotations import IDENTITY
from ..scene import Scene
from ..world.track import Track
from .recording import Recording

# Da Silva, Dalbem et al. 2017, "Tunable Robustness", after eq. 15.
_STIFFNESS = 550.0  # [N/m]
_DAMPING = 50.0  # [N s/m]


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """A pull whose point has its way in the world."""

    pull: Pull
    way: Track

    @property
    def bone(self) -> str:
        return self.pull.bone

    @property
    def at_s(self) -> float:
        return self.pull.at_s

    @property
    def for_s(self) -> float:
        return self.pull.for_s

    def forces(self, times_s: Floats, places: Floats, velocities: Floats) -> Floats:
        """(..., 3) on what is at places and has velocities at some times [N]: eq. 15 of the paper, with a bound."""
        points = self.way.poses(times_s).positions
        forces = _STIFFNESS * (points - places) + _DAMPING * (self.way.velocities(times_s, points) - velocities)
        strengths = np.linalg.norm(forces, axis=-1, keepdims=True)
        bounded: Floats = forces * np.minimum(1.0, self.pull.force / np.maximum(strengths, 1e-12))
        return bounded


OutsideForce: TypeAlias = Push | Drawn


class Facing(NamedTuple):
    """Where the pelvis faced when a push of the character's own axes began."""

    force: int  # which of the outside forces
    angle: float  # of its forward direction in the plane [rad]


def drawn(pull: Pull, scene: Scene, source: SourceClip) -> Drawn:
    """Raises where the pull goes by a thing that is not there, or has no way of its own."""
    if pull.by is None:
        points = np.stack([source.from_own_axes(np.array(point)) for point in pull.to])
        times = pull.at_s + np.linspace(0.0, pull.for_s, len(points))
        return Drawn(pull=pull, way=Track(times=times, positions=points, turns=np.tile(IDENTITY, (len(points), 1))))
    thing = next((thing for thing in scene.things if thing.name == pull.by), None)
    if thing is None:
        known = ", ".join(f"'{thing.name}'" for thing in scene.things)
        raise SettingsError(
            f"The {pull.words} goes by '{pull.by}', which is not in the scene; "
            + (f"choose one of {known}." if known else "the scene has no things, so give a point with to=.")
        )
    if thing.loose is not None:
        raise SettingsError(f"The {pull.words} goes by '{pull.by}', which is loose; choose one that moves by itself.")
    still = Track(times=np.zeros(1), positions=thing.position[None], turns=thing.turn[None])
    return Drawn(pull=pull, way=thing.moves or still)


class OutsideForces:
    """The forces as they act, step after step; what they must remember is in `facings`."""

    def __init__(self, forces: Sequence[OutsideForce], body: Body, facings: Sequence[Facing] = ()) -> None:
        self._forces, self._body = forces, body
        self._angles = {known.force: known.angle for known in facings}

    @property
    def facings(self) -> tuple[Facing, ...]:
        return tuple(Facing(force, angle) for force, angle in self._angles.items())

    def wrenches(self, time_s: float, state: State) -> list[Wrench]:
        """Those that act at a moment."""
        wrenches = []
        for number, one in enumerate(self._forces):
            if not one.at_s <= time_s < one.at_s + one.for_s:
                continue
            link = self._body.index(one.bone)
            felt = self._felt(number, np.array([time_s]), state.q[None], state.v[None])
            wrenches.append(Wrench(link=link, force=felt.forces[0], torque=np.zeros(3), point=felt.points[0]))
        return wrenches

    def over(self, number: int, recording: Recording) -> "Felt":
        """One of the forces, at every step of a recording at which it acts."""
        one, rate = self._forces[number], recording.rate
        times = np.arange(len(recording.q)) / rate
        steps = np.flatnonzero((one.at_s <= times) & (times < one.at_s + one.for_s))
        if not len(steps):
            return Felt(steps, np.zeros((0, 3)), np.zeros((0, 3)))
        return self._felt(number, times[steps], recording.q[steps], recording.v[steps])._replace(steps=steps)

    def _felt(self, number: int, times_s: Floats, q: Floats, v: Floats) -> "Felt":
        one = self._forces[number]
        link = np.array([self._body.index(one.bone)])
        moving = motion(self._body, q, v)
        places = moving.pose.link_coms[:, link]
        if isinstance(one, Push):
            forces = np.tile(self._push(number, one, q), (len(q), 1))
        else:
            forces = one.forces(times_s, places[:, 0], moving.point_velocities(link, places)[:, 0])
        return Felt(np.arange(len(q)), forces, places[:, 0])

    def _push(self, number: int, push: Push, q: Floats) -> Floats:
        force = np.array(push.force)
        if push.space == "world":
            return force
        if number not in self._angles:
            self._angles[number] = facing_of(self._body, pose(self._body, q[0]))
        along: Floats = axes_facing(self._angles[number]) @ force
        return along


class Felt(NamedTuple):
    """An outside force as it was, one row a step."""

    steps: Ints  # (K,)
    forces: Floats  # (K, 3) [N]
    points: Floats  # (K, 3) where it acted


def facings_until(forces: Sequence[OutsideForce], body: Body, q: Floats, rate: float) -> tuple[Facing, ...]:
    """What is to be remembered after the simulated steps q (S, nq)."""
    begun = [
        (k, int(np.ceil(one.at_s * rate - 1e-9)))
        for k, one in enumerate(forces)
        if isinstance(one, Push) and one.space == "character"
    ]
    return tuple(Facing(k, facing_of(body, pose(body, q[step]))) for k, step in begun if step < len(q))
