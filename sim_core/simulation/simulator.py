"""Who carries out trials: an engine and controllers for one body on one scene, made once in every process."""

from collections.abc import Callable
from dataclasses import dataclass

from ..body.body import Body
from ..controllers.choose_controller import make_controller
from ..controllers.controller import Controller
from ..engines.engine import make_engine
from ..progress import Progress
from ..reference.reference import Reference
from ..reference.reference_forces import ReferenceForces
from ..scene import Scene
from ..settings import BakeSettings, EngineName
from .health import health_of
from .outside_forces import OutsideForce
from .simulate import simulate_stretch
from .trial import Attempt, Leg, Trial


@dataclass(frozen=True, kw_only=True, eq=False)
class Setup:
    """All that a simulation needs to know; it can be pickled."""

    body: Body
    scene: Scene
    readings: tuple[Reference, ...]  # of the same clip; the first is what results are held against
    forces: ReferenceForces | None  # of the first, for the baseline controller
    outside: tuple[OutsideForce, ...]
    settings: BakeSettings
    engine: EngineName

    @property
    def reference(self) -> Reference:
        return self.readings[0]

    @property
    def weight(self) -> float:
        """[N]"""
        return self.body.mass * self.scene.gravity


class Simulator:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._controllers: dict[int, Controller] = {}  # by reading
        self._engine = make_engine(setup.engine)
        self._engine.load(setup.body, setup.scene, setup.settings.step_s)

    def close(self) -> None:
        self._engine.close()

    @property
    def resumable(self) -> bool:
        return self._controller(0).resumable

    def run(self, trial: Trial, progress: Progress) -> Attempt:
        setup, moment = self._setup, trial.start
        whole = trial.windows[-1].until - trial.start.step
        legs: list[Leg] = []
        for window in trial.windows:
            controller = self._controller(window.variation.reading)
            controller.adjust(window.variation, window.assist_limit)
            stretch = simulate_stretch(
                setup.body,
                setup.reference,
                controller,
                self._engine,
                setup.outside,
                moment,
                window.until,
                _part(progress, (moment.step - trial.start.step) / whole, (window.until - moment.step) / whole),
                stop_at_failure=trial.stop_at_failure,
            )
            legs.append(Leg(window, stretch, health_of(stretch, setup.body, setup.reference, setup.scene)))
            if stretch.broken or (stretch.failure is not None and trial.stop_at_failure):
                break
            moment = stretch.end
        return Attempt(tuple(legs))

    def _controller(self, reading: int) -> Controller:
        if reading not in self._controllers:
            setup = self._setup
            self._controllers[reading] = make_controller(
                setup.body, setup.readings[reading], setup.forces, setup.scene, setup.settings, 0.0
            )
        return self._controllers[reading]


def _part(progress: Progress, begin: float, share: float) -> Callable[[float], None]:
    return lambda fraction: progress(begin + share * fraction)
