"""What Heft asks of a physics engine, and which engines this installation has.

An engine simulates one body in one scene. q and v are the body's (see body.py); all else is in the world.
"""

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

import numpy as np

from ..arrays import Bools, Floats, Ints, frozen
from ..body.body import Body
from ..errors import EngineMissingError, SettingsError, SimulationError
from ..scene import Scene
from ..settings import EngineChoice, EngineName
from ..world.ground import GROUND as GROUND

ROOT_DOFS = 6
SLIPPERY = 0.1  # of the usual friction, for links that slide on purpose
_FASTEST = 1e5  # [m/s, rad/s] a simulation that reaches this has exploded, finite or not


THING_COLUMNS = 13
NO_THINGS = frozen(np.zeros((0, THING_COLUMNS)))


class State(NamedTuple):
    q: Floats  # (nq,)
    v: Floats  # (nv,)
    # (L, 13) of the scene's loose things, in their order: where the frame of each is and how it is turned (wxyz), its
    # velocity, and its angular velocity, all in the world. One that has not appeared waits as it will appear.
    things: Floats = NO_THINGS


class Wrench(NamedTuple):
    """A force and a torque from outside on one link, held during one step."""

    link: int
    force: Floats  # (3,) [N]
    torque: Floats  # (3,) [N m]
    point: Floats  # (3,) where the force acts [m]


class Contacts(NamedTuple):
    """What touched during the last step; nothing right after a reset.

    A contact with the ground or a thing is one row. A contact of two links is two rows, one from the view of each, with
    opposite normals and forces, so that the rows of a link hold everything that pushes on it. What touches no link is
    not listed.
    """

    links: Ints  # (K,)
    others: Ints  # (K,) the other link, or GROUND, which here stands for things, too
    positions: Floats  # (K, 3) [m]
    normals: Floats  # (K, 3) from the other to the link
    forces: Floats  # (K, 3) on the link, normal and friction together [N]
    distances: Floats  # (K,) negative where the shapes overlap [m]
    things: Ints  # (K,) the number of the thing in scene.things; GROUND where it is the endless plane or a link


def no_contacts() -> Contacts:
    none, nowhere = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    return Contacts(none, none, nowhere, nowhere, nowhere, np.zeros(0), none)


def of_links(points: Contacts) -> Contacts:
    """Without what things do among themselves."""
    mine = points.links != GROUND
    return points if mine.all() else Contacts(*(column[mine] for column in points))


def from_both_sides(points: Contacts) -> Contacts:
    """Contacts from touching points, each listed once as the engine found it."""
    mutual = points.others != GROUND
    both = _with_counterparts(points, mutual) if mutual.any() else points
    # Engines list points in an order that depends on what happened before; the contacts must not.
    order = np.lexsort((*both.positions.T, both.things, both.others, both.links))
    return Contacts(*(column[order] for column in both))


def _with_counterparts(points: Contacts, mutual: Bools) -> Contacts:
    links, others = points.links, points.others
    return Contacts(
        links=np.concatenate([links, others[mutual]]),
        others=np.concatenate([others, links[mutual]]),
        positions=np.concatenate([points.positions, points.positions[mutual]]),
        normals=np.concatenate([points.normals, -points.normals[mutual]]),
        forces=np.concatenate([points.forces, -points.forces[mutual]]),
        distances=np.concatenate([points.distances, points.distances[mutual]]),
        things=np.concatenate([points.things, points.things[mutual]]),
    )


@dataclass(frozen=True, eq=False)
class SavedState:
    """All an engine needs to go on from a moment bit for bit; only the engine that made it can read it."""

    state: State
    contacts: Contacts


class Engine(Protocol):
    """Call load first, then reset; arrays that come out are copies and stay as they are."""

    def load(self, body: Body, scene: Scene, step_s: float) -> None: ...

    def reset(self, state: State, at_s: float = 0.0) -> State:
        """Start anew from a state with unit quaternions; what happened before leaves no trace.

        The first step begins at a time after the first simulated frame, to the nearest whole step: that is where things
        that move by themselves are, and which loose ones have appeared.
        """

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = (), slippery: Sequence[int] = ()) -> State:
        """One step further. torques are (nv,), zero for the six dofs of the root, which nothing drives.

        Links that are slippery have `SLIPPERY` of their friction during this step.
        """

    def contacts(self) -> Contacts: ...

    def save(self) -> SavedState: ...

    def restore(self, saved: SavedState) -> State: ...

    def close(self) -> None: ...


def check_drive(torques: Floats, wrenches: Sequence[Wrench]) -> None:
    """What goes into a step must be finite: engines answer numbers that are not with silence or a crash."""
    if torques[:ROOT_DOFS].any():
        raise ValueError("The first six torques belong to the root, which nothing drives; use a Wrench.")
    _check_finite("The torques", (torques,))
    for wrench in wrenches:
        _check_finite("The outside forces", (wrench.force, wrench.torque, wrench.point))


def check_state(state: State) -> None:
    _check_finite("The body's pose", (state.q,))
    _check_finite("The body's speed", (state.v,), limit=_FASTEST)
    _check_finite("The loose things", (state.things,), limit=_FASTEST)


def _check_finite(what: str, arrays: Sequence[Floats], limit: float = np.inf) -> None:
    if not all((np.abs(array) < limit).all() for array in arrays):  # false for numbers that are none, too
        raise SimulationError(
            f"{what} left all bounds during the simulation; lower the gains or forces, or take shorter steps."
        )


class _Backend(NamedTuple):
    package: str  # that must be importable
    class_name: str  # in the module of this package that has the engine's name
    install: str


_BACKENDS: dict[EngineName, _Backend] = {  # the first one installed is the default
    "bullet": _Backend("pybullet", "BulletEngine", "pip install pybullet==3.2.7"),
    "mujoco": _Backend("mujoco", "MujocoEngine", "pip install mujoco==3.8.1"),
}


def available_engines() -> tuple[EngineName, ...]:
    """The engines whose package is installed, the default first."""
    return tuple(name for name, backend in _BACKENDS.items() if importlib.util.find_spec(backend.package))


def choose_engine(choice: EngineChoice = "auto") -> EngineName:
    """The engine that a choice stands for; raises where it is unknown or not installed."""
    if choice != "auto" and choice not in _BACKENDS:
        choices = ", ".join(["auto", *_BACKENDS])
        raise SettingsError(f"Engine '{choice}' is not known; choose one of {choices}.")
    available = available_engines()
    if choice == "auto" and not available:
        commands = " or ".join(f"'{backend.install}'" for backend in _BACKENDS.values())
        raise EngineMissingError(f"No physics engine is installed; run {commands}.")
    chosen: EngineName = available[0] if choice == "auto" else choice
    if chosen not in available:
        raise EngineMissingError(
            f"Engine '{chosen}' is not installed (installed: {', '.join(available) or 'none'});"
            f" run '{_BACKENDS[chosen].install}' or choose another."
        )
    return chosen


def make_engine(choice: EngineChoice = "auto") -> Engine:
    return _load_engine(choose_engine(choice))


def _load_engine(name: EngineName) -> Engine:
    try:
        module = importlib.import_module(f"{__package__}.{name}")
    except ImportError as error:
        raise EngineMissingError(
            f"Engine '{name}' is installed but does not start ({error});"
            f" reinstall it with '{_BACKENDS[name].install}' or choose another."
        ) from error
    return cast(Engine, getattr(module, _BACKENDS[name].class_name)())
