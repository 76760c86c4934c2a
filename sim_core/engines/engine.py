"""What Heft asks of a physics engine, and which engines this installation has.

An engine simulates one body on one scene. q and v are the body's (see body.py); all else is in the world.
"""

import importlib
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

from ..arrays import Floats, Ints
from ..body import Body
from ..errors import EngineMissingError, SettingsError, SimulationError
from ..scene import Scene

GROUND = -1  # in Contacts.others
ROOT_DOFS = 6
_FASTEST = 1e5  # [m/s, rad/s] a simulation that reaches this has exploded, finite or not


class State(NamedTuple):
    q: Floats  # (nq,)
    v: Floats  # (nv,)


class Wrench(NamedTuple):
    """A force and a torque from outside on one link, held during one step."""

    link: int
    force: Floats  # (3,) [N]
    torque: Floats  # (3,) [N m]
    point: Floats  # (3,) where the force acts [m]


class Contacts(NamedTuple):
    """What touched during the last step; nothing right after a reset.

    A contact with the ground is one row. A contact of two links is two rows, one from the view of each, with
    opposite normals and forces, so that the rows of a link hold everything that pushes on it.
    """

    links: Ints  # (K,)
    others: Ints  # (K,) the other link, or GROUND
    positions: Floats  # (K, 3) [m]
    normals: Floats  # (K, 3) from the other to the link
    forces: Floats  # (K, 3) on the link, normal and friction together [N]
    distances: Floats  # (K,) negative where the shapes overlap [m]


class ContactPoint(NamedTuple):
    """One touching point as engines find it, before it is written out for each of its links."""

    link: int
    other: int  # or GROUND
    position: Floats  # (3,)
    normal: Floats  # (3,) from the other to the link
    force: Floats  # (3,) on the link
    distance: float


def contacts_of(points: Iterable[ContactPoint]) -> Contacts:
    rows: list[ContactPoint] = []
    # Engines list points in an order that depends on what happened before; the contacts must not.
    for point in sorted(points, key=lambda point: (point.link, point.other, *point.position)):
        rows.append(point)
        if point.other != GROUND:
            rows.append(
                ContactPoint(
                    point.other, point.link, point.position, -point.normal, -point.force, point.distance
                )
            )
    return Contacts(
        links=np.array([row.link for row in rows], dtype=np.int64),
        others=np.array([row.other for row in rows], dtype=np.int64),
        positions=np.array([row.position for row in rows], dtype=np.float64).reshape(-1, 3),
        normals=np.array([row.normal for row in rows], dtype=np.float64).reshape(-1, 3),
        forces=np.array([row.force for row in rows], dtype=np.float64).reshape(-1, 3),
        distances=np.array([row.distance for row in rows], dtype=np.float64),
    )


@dataclass(frozen=True, eq=False)
class SavedState:
    """All an engine needs to go on from a moment bit for bit; only the engine that made it can read it."""

    state: State
    contacts: Contacts


class Engine(Protocol):
    """Call load first, then reset; arrays that come out are copies and stay as they are."""

    def load(self, body: Body, scene: Scene, step_s: float) -> None: ...

    def reset(self, state: State) -> State:
        """Start anew from a state with unit quaternions; what happened before leaves no trace."""

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = ()) -> State:
        """One step further. torques are (nv,), zero for the six dofs of the root, which nothing drives."""

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


def _check_finite(what: str, arrays: Sequence[Floats], limit: float = np.inf) -> None:
    if not all((np.abs(array) < limit).all() for array in arrays):  # false for numbers that are none, too
        raise SimulationError(
            f"{what} left all bounds during the simulation; lower the gains or forces, or take shorter steps."
        )


EngineName: TypeAlias = Literal["bullet", "mujoco"]
EngineChoice: TypeAlias = Literal["auto", "bullet", "mujoco"]


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


def make_engine(name: EngineChoice = "auto") -> Engine:
    if name != "auto" and name not in _BACKENDS:
        choices = ", ".join(["auto", *_BACKENDS])
        raise SettingsError(f"Engine '{name}' is not known; choose one of {choices}.")
    available = available_engines()
    if name == "auto" and not available:
        commands = " or ".join(f"'{backend.install}'" for backend in _BACKENDS.values())
        raise EngineMissingError(f"No physics engine is installed; run {commands}.")
    chosen: EngineName = available[0] if name == "auto" else name
    if chosen not in available:
        raise EngineMissingError(
            f"Engine '{chosen}' is not installed (installed: {', '.join(available) or 'none'});"
            f" run '{_BACKENDS[chosen].install}' or choose another."
        )
    return _load_engine(chosen)


def _load_engine(name: EngineName) -> Engine:
    try:
        module = importlib.import_module(f"{__package__}.{name}")
    except ImportError as error:
        raise EngineMissingError(
            f"Engine '{name}' is installed but does not start ({error});"
            f" reinstall it with '{_BACKENDS[name].install}' or choose another."
        ) from error
    return cast(Engine, getattr(module, _BACKENDS[name].class_name)())
