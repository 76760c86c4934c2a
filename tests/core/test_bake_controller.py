"""Whichever controller drives the body: only what it needs is prepared, and the report says what drove and how well."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import bake as flow
from sim_core.controllers.controller import Command, SolveCount
from sim_core.controllers.whole_runs import WholeRuns
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.progress import Silent
from sim_core.reporting.bake_result import BakeResult
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings, QpSettings
from sim_core.simulation import simulator

SETTINGS = BakeSettings(engine="mujoco", assist="none", hold_s=0.02)
CLIP = make_sample("stand", 0.1)


class Limp(WholeRuns):
    """Does nothing, and says that it solved so many QPs."""

    def __init__(self, nv: int, solve_count: SolveCount) -> None:
        self._nothing = np.zeros(nv)
        self.solve_count = solve_count

    def reset(self) -> None: ...

    def compute(self, step, state, contacts) -> Command:
        return Command(self._nothing, None)


class Stages(Silent):
    def __init__(self) -> None:
        self.names: list[str] = []
        self.overall: list[float] = []

    def stage(self, name: str, fraction: float, overall: float) -> None:
        self.names.append(name)
        self.overall.append(overall)


def _bake(settings: BakeSettings, listener: Stages | None = None) -> BakeResult:
    source = SourceClip(clip=CLIP, t_pose_frames=0, guesses=(), notes=())
    return flow.bake(prepare(source, settings.clip, settings.friction), settings, listener)


@pytest.fixture
def solving(monkeypatch):
    """Bakes with a controller that solved so many QPs, and so many of them in vain."""

    def with_counts(solves: int, failed: int, settings: BakeSettings = SETTINGS, listener: Stages | None = None):
        def make(body, *_):
            return Limp(body.nv, SolveCount(solves, failed, 0.05))

        monkeypatch.setattr(simulator, "make_controller", make)
        return _bake(settings, listener)

    return with_counts


def test_the_report_says_what_drove_the_body(solving):
    told = solving(100, 0).report
    assert (told.controller, told.preset, told.balance) == ("qp", "heft", None)
    assert (told.qp.solves, told.qp.failed, told.qp.per_solve_ms) == (100, 0, pytest.approx(0.5))
    mcsim = replace(SETTINGS, qp=QpSettings(preset="mcsim", balance="three-link"))
    told = solving(100, 0, mcsim).report
    assert (told.controller, told.preset, told.balance) == ("qp", "mcsim", "three-link")


def test_the_baseline_has_no_preset_and_solves_nothing():
    told = _bake(replace(SETTINGS, controller="pd", qp=QpSettings(preset="mcsim"))).report
    assert (told.controller, told.preset, told.balance, told.qp) == ("pd", None, None, None)


@pytest.mark.parametrize(
    ("solves", "failed", "told"), [(1000, 10, False), (1000, 11, True), (3, 3, True), (0, 0, False)]
)
def test_many_failed_solves_are_told(solving, solves, failed, told):
    warnings = [text for text in solving(solves, failed).report.warnings if "no solution" in text]
    assert len(warnings) == told
    assert all(text.endswith(".") and text.count(". ") == 0 for text in warnings)


def test_only_the_baseline_waits_for_the_forces_of_its_reference(solving, monkeypatch):
    with_forces = Stages()
    _bake(replace(SETTINGS, controller="pd"), with_forces)
    assert "Preparing" in with_forces.names
    monkeypatch.setattr(flow, "reference_forces", lambda *_: pytest.fail("Nobody needs them."))
    without = Stages()
    solving(100, 0, SETTINGS, without)
    assert "Preparing" not in without.names
    for stages in (with_forces, without):
        assert stages.overall == sorted(stages.overall)
        assert stages.overall[-1] == pytest.approx(1.0)


def test_stiffness_means_the_baseline_too():
    loose, firm = (_bake(replace(SETTINGS, controller="pd", stiffness=factor)).recording.q for factor in (0.2, 5.0))
    assert not np.allclose(loose, firm[: len(loose)])
