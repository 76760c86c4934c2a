"""What would become of a body that went limp: the same moment, simulated without will."""

from ..body.body import Body
from ..controllers.limp import Limp
from ..engines.engine import Contacts, State, make_engine
from ..errors import SimulationError
from ..scene import Scene
from ..settings import EngineName
from .recording import GroundContacts
from .stretch import on_ground


def limp_contacts(
    body: Body, scene: Scene, engine_name: EngineName, state: State, at_s: float, steps: int, step_s: float
) -> GroundContacts:
    """What it touches with during so many steps; fewer where the engine breaks down."""
    engine = make_engine(engine_name)
    borne: list[Contacts] = []
    try:
        engine.load(body, scene, step_s)
        now, limp = engine.reset(state, at_s), Limp(body, scene.gravity, step_s)
        for step in range(steps):
            now = engine.step(limp.torques(step, now))
            borne.append(engine.contacts())
    except SimulationError:
        pass
    finally:
        engine.close()
    return on_ground(borne)
