"""The controller that the settings ask for."""

from ..body.body import Body
from ..reference.reference import Reference
from ..reference.reference_forces import ReferenceForces
from ..scene import Scene
from ..settings import BakeSettings
from .controller import Controller
from .falling.fall_gains import FallGains
from .falling.falling import Falling
from .rolling.roll_gains import RollGains
from .rolling.rolling import Rolling
from .stable_pd import StablePd
from .tracking.heft_gains import Gains
from .tracking.presets import make_tracker
from .tracking.tracker import Tracker
from .virtual_actuator.va_gains import VaGains
from .virtual_actuator.virtual_actuators import VirtualActuators


def make_controller(
    body: Body,
    reference: Reference,
    forces: ReferenceForces | None,  # costly, and only the baseline needs them
    scene: Scene,
    settings: BakeSettings,
    assist_limit: float,  # of assist_size [N]
) -> Controller:
    if reference.fall is not None:
        fall = FallGains().stiffer(settings.stiffness)
        fall = fall.limp() if settings.fall.style == "limp" else fall
        return Tracker(body, scene, Falling(body, reference, scene, fall, Gains()), assist_limit, reference.rate)
    if settings.motion == "roll":
        rolling = Rolling(body, reference, scene, RollGains().stiffer(settings.stiffness), Gains())
        return Tracker(body, scene, rolling, assist_limit, reference.rate)
    if settings.controller == "qp":
        return make_tracker(
            body,
            reference,
            scene,
            preset=settings.qp.preset,
            balance=settings.qp.balance,
            stiffness=settings.stiffness,
            assist_limit=assist_limit,
        )
    if settings.controller == "va":
        gains = VaGains().stiffer(settings.stiffness)
        return VirtualActuators(
            body, reference, scene, settings.va, gains, assist_limit, has_reference=settings.motion == "track"
        )
    assert forces is not None
    return StablePd(body, reference, forces, scene, settings.pd, assist_limit, stiffness=settings.stiffness)
