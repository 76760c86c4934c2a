"""What would become of a body that went limp: the same moment, simulated without will."""

from collections.abc import Sequence

from ..body.body import Body
from ..controllers.limp import Limp
from ..engines.engine import Contacts, State, make_engine
from ..errors import SimulationError
from ..scene import Scene
from ..settings import EngineName
from .outside_forces import OutsideForce, OutsideForces
from .recording import GroundContacts
from .stretch import on_ground


def limp_contacts(
    body: Body,
    scene: Scene,
    engine_name: EngineName,
    state: State,
    at_s: float,
    steps: int,
    step_s: float,
    outside: Sequence[OutsideForce] = (),
) -> GroundContacts:
    """What it touches with during so many steps; fewer where the engine breaks down."""
    engine = make_engine(engine_name)
    borne: list[Contacts] = []
    try:
        engine.load(body, scene, step_s)
        now, limp = engine.reset(state, at_s), Limp(body, scene.gravity, step_s)
        forces = OutsideForces(outside, body)
        for step in range(steps):
            now = engine.step(limp.torques(step, now), forces.wrenches(at_s + step * step_s, now))
            borne.append(engine.contacts())
    except SimulationError:
        pass
    finally:
        engine.close()
    return on_ground(borne)
