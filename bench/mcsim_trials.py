"""One simulation of a clip under one condition, and what came of it."""

from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from bench.clips_to_simulate import reference_for
from bench.ends_at_fall import EndsAtFall
from bench.mcsim_conditions import TRUE_FRICTION, Condition, Experiment, Nudge, World
from bench.on_rail import OnRail
from bench.tracking_errors import step_errors
from sim_core.arrays import Floats
from sim_core.controllers.controller import Controller
from sim_core.controllers.tracking.mcsim import McSim, McSimGains
from sim_core.controllers.tracking.presets import make_tracker
from sim_core.controllers.tracking.tracker import Tracker
from sim_core.engines.engine import make_engine
from sim_core.performance import Performance
from sim_core.reference.reference import Reference
from sim_core.scene import Scene
from sim_core.settings import BakeSettings, EngineName
from sim_core.simulation.simulate import simulate

Setup: TypeAlias = Literal["mcsim on a rail", "mcsim", "heft"]
SETUPS: tuple[Setup, ...] = ("mcsim on a rail", "mcsim", "heft")


class Outcome(NamedTuple):
    whole_s: float  # of the clip
    kept_s: float  # until the gates of a bake say that the performance is lost
    on_feet_s: float  # until it falls, wherever it has got to: the published controller does not look at its place
    why: str
    joint_deg: float  # mean until the performance is lost
    help_bw: float  # mean of the rail's wrench, in body weights
    squared_error: Floats  # (S,) sum over the joints until the fall [rad^2]

    @property
    def stands(self) -> bool:
        return self.on_feet_s >= self.whole_s


def setups_for(experiment: Experiment) -> list[Setup]:
    return [
        setup
        for setup in SETUPS
        if (setup != "mcsim" or experiment.in_space) and (setup != "heft" or experiment.of_any_preset)
    ]


class Trials:
    """Of one clip; what several experiments share is simulated once."""

    def __init__(self, performance: Performance, settings: BakeSettings) -> None:
        self._performance, self._settings = performance, settings
        self._world = World(performance.body, Scene(ground=performance.scene.ground, friction=TRUE_FRICTION))
        self._worlds: dict[Condition, tuple[World, World]] = {}
        self._references: dict[World, Reference] = {}
        self._outcomes: dict[tuple[EngineName, Setup, World, World, McSimGains, Nudge], Outcome] = {}

    def outcome(self, engine_name: EngineName, setup: Setup, condition: Condition) -> Outcome:
        if condition not in self._worlds:
            self._worlds[condition] = condition.worlds(self._world)
        true, believed = self._worlds[condition]
        key = (engine_name, setup, true, believed, condition.gains, condition.nudge_m_s)
        if key not in self._outcomes:
            if believed not in self._references:
                self._references[believed] = reference_for(self._performance, *believed, self._settings)
            reference = self._references[believed]
            controller = _controller(setup, believed, reference, condition)
            self._outcomes[key] = _simulated(
                engine_name, true, reference, controller, condition.nudge_m_s, self._settings.step_s
            )
        return self._outcomes[key]


def _controller(setup: Setup, believed: World, reference: Reference, condition: Condition) -> Controller:
    body, scene = believed
    if setup == "heft":
        return make_tracker(
            body,
            reference,
            scene,
            preset="heft",
            balance="none",
            stiffness=condition.stiffness,
            assist_limit=0.0,
        )
    tracker = Tracker(body, scene, McSim(body, reference, scene, condition.gains), 0.0, reference.rate)
    return OnRail(tracker, reference, body.mass) if setup == "mcsim on a rail" else tracker


def _simulated(
    engine_name: EngineName, true: World, reference: Reference, controller: Controller, nudge: Nudge, step_s: float
) -> Outcome:
    body, scene = true
    engine = EndsAtFall(make_engine(engine_name), reference)
    engine.load(body, scene, step_s)
    recording = simulate(
        body, _nudged(reference, nudge), controller, engine, scene, (), lambda done: None, stop_at_failure=False
    )
    engine.close()
    whole, stood = reference.clip_steps, min(reference.clip_steps, len(recording.q))
    lost = whole if recording.failed_at_s is None else round(recording.failed_at_s * reference.rate)
    kept = max(min(lost, stood), 1) if lost < whole - 1 else whole
    errors = step_errors(body, reference, recording)
    return Outcome(
        whole_s=whole / reference.rate,
        kept_s=kept / reference.rate,
        on_feet_s=stood / reference.rate,
        why="" if kept == whole else "fell" if recording.failure == "broke down" else recording.failure or "",
        joint_deg=float(np.degrees(errors.joints[:kept].mean())),
        help_bw=float(recording.assist_weights(body.mass * scene.gravity)[:kept].mean()),
        squared_error=np.sum(errors.joints[:stood] ** 2, axis=1),
    )


def _nudged(reference: Reference, nudge: Nudge) -> Reference:
    """The reference with a pelvis that starts at another speed; only the simulation sees it."""
    v = reference.v.copy()
    v[0, :2] += nudge
    return replace(reference, v=v)
