"""An engine that gives up where the body falls: what is lost need not be simulated on."""

from collections.abc import Sequence

from sim_core import rotations
from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.engines.engine import Contacts, Engine, SavedState, State, Wrench
from sim_core.errors import SimulationError
from sim_core.reference.reference import Reference
from sim_core.scene import Scene
from sim_core.simulation.gates import FARTHEST_RAD

_FALLEN_M = 0.25  # the pelvis this much off its height is no longer carried by the legs


class EndsAtFall:
    """Over another engine, for one run from a reset on; a fall ends the recording as an engine's breakdown does."""

    def __init__(self, engine: Engine, reference: Reference) -> None:
        self._engine, self._reference = engine, reference
        self._step = 0

    def load(self, body: Body, scene: Scene, step_s: float) -> None:
        self._engine.load(body, scene, step_s)

    def reset(self, state: State, at_s: float = 0.0) -> State:
        self._step = 0
        return self._engine.reset(state, at_s)

    def step(self, torques: Floats, wrenches: Sequence[Wrench] = (), slippery: Sequence[int] = ()) -> State:
        state = self._engine.step(torques, wrenches)
        self._step += 1
        if fallen(state.q, self._reference.q[self._step]):
            raise SimulationError("The body has fallen; nothing of the performance is left to simulate.")
        return state

    def contacts(self) -> Contacts:
        return self._engine.contacts()

    def save(self) -> SavedState:
        raise NotImplementedError("A run that ends at a fall is never rewound.")

    def restore(self, saved: SavedState) -> State:
        raise NotImplementedError("A run that ends at a fall is never rewound.")

    def close(self) -> None:
        self._engine.close()


def fallen(q: Floats, reference_q: Floats) -> bool:
    """Wherever the pelvis has got to, it is far from the height or the turn that the reference has."""
    off_height = abs(q[2] - reference_q[2]) > _FALLEN_M
    return bool(off_height or not rotations.angle_between(q[3:7], reference_q[3:7]) <= FARTHEST_RAD)
