"""A bake that has to rewind gives the same keys on every run, by however many processes, and on a cluster."""

import hashlib
from dataclasses import replace
from typing import NamedTuple

import pytest

from sim_core.bake import bake
from sim_core.disturbances import Push
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.progress import Silent
from sim_core.reporting.report import Report
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings
from sim_core.simulation import allowance
from sim_core.simulation.crew import Crew
from sim_core.simulation.trial import Attempt

pytest.importorskip("mujoco", reason="Runs where MuJoCo is installed.")

PUSH = Push(bone="chest", at_s=0.05, for_s=0.2, force=(0.0, 500.0, 0.0))  # who only stands there falls
SETTINGS = BakeSettings(engine="mujoco", budget="good", workers=1, disturbances=(PUSH,), hold_s=0.2)
SECONDS = 0.4
SIMULATED_S = 10.0  # enough for one generation of variations


class Stages(Silent):
    def __init__(self) -> None:
        self.heard: set[str] = set()

    def stage(self, name: str, fraction: float, overall: float) -> None:
        self.heard.add(name)


@pytest.fixture(scope="module", autouse=True)
def small_budget():
    """Counted in simulated seconds; processes get nothing but trials, so they need not know."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(allowance, "_GOOD_TIMES", 0.0)
        patch.setattr(allowance, "_GOOD_LEAST_S", SIMULATED_S)
        yield


class Baked(NamedTuple):
    keys: bytes
    trials: list[str]  # digests of all that was tried, in order
    report: Report


@pytest.fixture(scope="module")
def bake_pushed():
    """What was tried is compared as well: a search that finds nothing better still has to try the same."""
    tried: list[str] = []
    perform = Crew.perform

    def noted(crew, trials, progress):
        attempts = perform(crew, trials, progress)
        tried.extend(_digest(attempt) for attempt in attempts)
        return attempts

    def baked(listener: Silent | None = None, **changes) -> Baked:
        settings = replace(SETTINGS, **changes)
        source = SourceClip(clip=make_sample("stand", SECONDS), t_pose_frames=0, guesses=(), notes=())
        tried.clear()
        result = bake(prepare(source, settings.clip, settings.friction), settings, listener)
        return Baked(result.clip.positions.tobytes() + result.clip.rotations.tobytes(), list(tried), result.report)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Crew, "perform", noted)
        yield baked


def _digest(attempt: Attempt) -> str:
    digest = hashlib.sha256()
    for leg in attempt.legs:
        for array in (leg.stretch.q, leg.stretch.v, leg.stretch.assist, leg.stretch.contacts.forces):
            digest.update(array.tobytes())
    return digest.hexdigest()


@pytest.fixture(scope="module")
def alone(bake_pushed) -> Baked:
    stages = Stages()
    baked = bake_pushed(stages)
    assert any("variations" in stage for stage in stages.heard)
    assert len(set(baked.trials)) > 16
    return baked


def _assert_same(one: Baked, other: Baked) -> None:
    assert one.trials == other.trials
    assert one.keys == other.keys
    assert one.report.timing.rollouts_s == other.report.timing.rollouts_s


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_processes_and_runs_give_the_same_keys(bake_pushed, alone, workers):
    _assert_same(bake_pushed(workers=workers), alone)


def test_a_cluster_gives_the_same_keys(bake_pushed, alone):
    distributed = pytest.importorskip("distributed", reason="Runs where Dask is installed: pip install distributed.")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        _assert_same(bake_pushed(scheduler=cluster.scheduler_address), alone)
