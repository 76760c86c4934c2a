"""The tracking controllers by name."""

from ...body.body import Body
from ...reference.reference import Reference
from ...scene import Scene
from ...settings import BalanceName, PresetName
from ..controller import Controller
from .heft import Heft
from .heft_gains import Gains
from .mcsim import McSim, McSimGains
from .tracker import Tracker
from .yu import YuController, YuGains


def make_tracker(
    body: Body,
    reference: Reference,
    scene: Scene,
    *,
    preset: PresetName,
    balance: BalanceName,
    stiffness: float,
    assist_limit: float,  # of assist_size [N]
) -> Controller:
    if preset == "yu":
        return YuController(body, reference, scene, YuGains(), assist_limit, stiffness=stiffness)
    if preset == "mcsim":
        mcsim = McSim(body, reference, scene, McSimGains().stiffer(stiffness), balance)
        return Tracker(body, scene, mcsim, assist_limit, reference.rate)
    return Tracker(body, scene, Heft(body, reference, scene, Gains().stiffer(stiffness)), assist_limit, reference.rate)
