"""The conditions of McSim's experiments (da Silva, Abe, Popovic 2008, sections 7.2 and 7.3), one tuple an experiment.

A mass or a foot is wrong beside the performer's, whom nobody can weigh: the published controller knows the body that it
drives. Its friction is what it believes, and the simulator's is 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias

from bench.body_changes import heavy_left_leg, heavy_legs, heavy_upper_body, longer_feet
from sim_core.body.body import Body
from sim_core.controllers.tracking.mcsim import McSimGains
from sim_core.scene import Scene

TRUE_FRICTION = 1.0  # Figure 5
AS_PUBLISHED = McSimGains()
Nudge: TypeAlias = tuple[float, float]


class World(NamedTuple):
    """A body and a scene: the true ones, or those that a controller believes in."""

    body: Body
    scene: Scene


def _same(body: Body) -> Body:
    return body


@dataclass(frozen=True, kw_only=True)
class Condition:
    name: str
    change: Callable[[Body], Body] = _same
    known: bool = True  # to the controller, and to the reference it tracks
    believed_friction: float = TRUE_FRICTION
    gains: McSimGains = AS_PUBLISHED
    nudge_m_s: Nudge = (0.0, 0.0)  # what the pelvis starts faster than the reference, along X and Y

    @property
    def is_normal(self) -> bool:
        """The paper's standard, under whatever name."""
        return replace(self, name=NORMAL.name) == NORMAL

    @property
    def stiffness(self) -> float:
        """The same change of gains for a preset that is not McSim: of its joints' stiffness."""
        return self.gains.k_os / AS_PUBLISHED.k_os

    def worlds(self, world: World) -> tuple[World, World]:
        """The true one, and what the controller believes."""
        true = World(world.body if self.change is _same else self.change(world.body), world.scene)
        believed = true if self.known else world
        if self.believed_friction != TRUE_FRICTION:
            believed = World(believed.body, replace(world.scene, friction=self.believed_friction))
        return true, believed


@dataclass(frozen=True, kw_only=True)
class Experiment:
    title: str
    published: str  # what the paper says came of it
    conditions: tuple[Condition, ...]
    in_space: bool = True  # repeated without the rail, too
    of_any_preset: bool = True  # makes sense for presets other than McSim


NORMAL = Condition(name="as it is")
CHANCE = Experiment(
    title="Chance",
    published="does not ask. Here the same body starts 1 cm/s off the reference's velocity, which nobody would see. "
    "Differences in the other tables that are no larger than these tell nothing.",
    conditions=(
        NORMAL,
        *(
            Condition(name=f"pelvis {x:+g}, {y:+g} cm/s", nudge_m_s=(0.01 * x, 0.01 * y))
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0))
        ),
    ),
)
MASSES = Experiment(
    title="Masses (Figure 4)",
    published="finds McSim “more sensitive to errors in the mass properties of the legs” than of the upper body. It "
    "changes the model, which the controller knows. The rows “unknown” are a harder question of our own: there the "
    "controller still believes in the old masses.",
    conditions=(
        NORMAL,
        Condition(name="left leg ×2", change=heavy_left_leg),
        Condition(name="upper body ×2, legs ×½", change=heavy_upper_body),
        Condition(name="both legs ×2", change=heavy_legs),
        Condition(name="left leg ×2, unknown", change=heavy_left_leg, known=False),
        Condition(name="upper body ×2, legs ×½, unknown", change=heavy_upper_body, known=False),
        Condition(name="both legs ×2, unknown", change=heavy_legs, known=False),
    ),
)
FRICTION = Experiment(
    title="Friction, believed of a true 1.0 (Figure 5)",
    published="says that from 0.5 to 1.5 the error is “not greatly effected”; above the true friction it is worse, "
    "“but only slightly”.",
    conditions=tuple(
        Condition(name=f"{friction:g}", believed_friction=friction)
        for friction in (0.5, 0.75, TRUE_FRICTION, 1.25, 1.5)
    ),
)
FEET = Experiment(
    title="Length of the feet (Figure 6)",
    published="finds McSim “robust to small discrepancies in foot size”; slightly better with shorter feet, perhaps "
    "the performer's. The model is changed, and the controller knows its feet.",
    conditions=(
        NORMAL,
        *(
            Condition(name=f"{100 * metres:+.0f} cm", change=partial(longer_feet, metres=metres))
            for metres in (0.04, -0.04, -0.08)
        ),
    ),
)
STIFFNESS = Experiment(
    title="Gain on accelerations, k_os (Tables 1 and A.1)",
    published="says that 300 to 2000 “typically work”. Heft's joints are made stiffer by the same factors.",
    conditions=tuple(
        Condition(name=f"{k_os:g}", gains=replace(AS_PUBLISHED, k_os=k_os)) for k_os in (300.0, 600.0, 1000.0, 2000.0)
    ),
    in_space=False,
)
PD_SCALE = Experiment(
    title="Scale of the PD component, k (Tables 1 and A.1)",
    published="says that 0.005 to 0.5 worked “for most 2D motions”.",
    conditions=tuple(
        Condition(name=f"{scale:g}", gains=replace(AS_PUBLISHED, pd_scale=scale)) for scale in (0.005, 0.02, 0.05, 0.5)
    ),
    in_space=False,
    of_any_preset=False,
)
SOLVE_RATE = Experiment(
    title="Solves of the QP a second (Figure 1)",
    published="uses 40 to 100.",
    conditions=tuple(
        Condition(name=f"{rate:g} Hz", gains=replace(AS_PUBLISHED, solves_per_s=rate)) for rate in (40.0, 60.0, 100.0)
    ),
    in_space=False,
    of_any_preset=False,
)
EXPERIMENTS = (CHANCE, MASSES, FRICTION, FEET, STIFFNESS, PD_SCALE, SOLVE_RATE)
