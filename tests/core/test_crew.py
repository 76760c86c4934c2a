"""Who carries out trials must not matter: the same bits in this process, in others, and on a cluster."""

import os
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from sim_core.controllers.variation import AS_IT_IS
from sim_core.errors import Cancelled, EngineMissingError, SettingsError
from sim_core.reference.reference import build_reference
from sim_core.scene import Scene
from sim_core.settings import BakeSettings
from sim_core.simulation.cluster import Cluster
from sim_core.simulation.crew import Crew
from sim_core.simulation.draw_variations import draw
from sim_core.simulation.simulate import beginning
from sim_core.simulation.simulator import Setup, Simulator
from sim_core.simulation.trial import Attempt, Trial, Window
from tests.clips import crouching

STEP_S = 0.002


@pytest.fixture(scope="module", params=["bullet", "mujoco"])
def setup(request) -> Setup:
    package = {"bullet": "pybullet", "mujoco": "mujoco"}[request.param]
    pytest.importorskip(package, reason=f"Runs where this engine is installed: pip install {package}.")
    clip, body = crouching(frames=40, fps=60.0)
    settings = BakeSettings(engine=request.param)
    reference = build_reference(clip, body, Scene(), settings.reference, rate=1.0 / STEP_S, hold_s=0.1)
    return Setup(
        body=body,
        scene=Scene(),
        readings=(reference,),
        forces=None,
        outside=(),
        settings=settings,
        engine=request.param,
    )


def _trials(setup: Setup, count: int = 4) -> list[Trial]:
    """From a moment in the midst of the clip, each in its own way."""
    rng = np.random.default_rng(7)
    first = Trial(beginning(setup.reference, setup.scene), (Window(60, AS_IT_IS, 0.0),))
    simulator = Simulator(setup)
    start = simulator.run(first, _silent).legs[-1].stretch.end
    simulator.close()
    return [Trial(start, tuple(Window(k, draw(AS_IT_IS, rng, 1), 30.0) for k in (110, 160))) for _ in range(count)]


def _silent(fraction: float) -> None:
    """Nobody is listening."""


def _bits(attempts: list[Attempt]) -> list[bytes]:
    return [
        b"".join(array.tobytes() for array in (leg.stretch.q, leg.stretch.assist, leg.stretch.contacts.forces))
        for attempt in attempts
        for leg in attempt.legs
    ]


def test_a_trial_is_the_same_whoever_came_before_it(setup):
    trials = _trials(setup)
    with Crew(setup, workers=1) as crew:
        forwards = crew.perform(trials, _silent)
        backwards = crew.perform(trials[::-1], _silent)[::-1]
    assert _bits(forwards) == _bits(backwards)
    assert len(set(_bits(forwards))) == len(_bits(forwards))


def test_other_processes_give_the_same_bits(setup):
    trials = _trials(setup)
    with Crew(setup, workers=1) as alone, Crew(setup, workers=2) as two:
        assert _bits(alone.perform(trials, _silent)) == _bits(two.perform(trials, _silent))
        assert two.cpu_s > 0.0


def test_a_cancel_does_not_wait_for_the_trials(setup):
    def cancelled(fraction: float) -> None:
        raise Cancelled("enough")

    with Crew(setup, workers=2) as crew:
        crew.perform(_trials(setup, count=2), _silent)
        with pytest.raises(Cancelled):
            crew.perform(_trials(setup, count=40), cancelled)
        began = time.monotonic()
    assert time.monotonic() - began < 5.0  # a machine that is busy; it takes a moment


def test_processes_end_with_their_parent():
    program = (
        "import multiprocessing, os, signal, sys, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from sim_core.simulation.work import begin\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    pool = ProcessPoolExecutor(1, context, begin, (None, context.Event()))\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=False)
    child = int(done.stdout)
    deadline = time.monotonic() + 30.0
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(child)


def _lives(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_dask_cluster_gives_the_same_bits(setup):
    distributed = pytest.importorskip("distributed", reason="Runs where Dask is installed: pip install distributed.")
    trials = _trials(setup)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Crew(setup, 1, Cluster(cluster.scheduler_address)) as far,
        Crew(setup, 1) as here,
    ):
        assert _bits(far.perform(trials, _silent)) == _bits(here.perform(trials, _silent))


def test_no_cluster_and_no_dask_are_said(monkeypatch):
    pytest.importorskip("distributed", reason="Runs where Dask is installed: pip install distributed.")
    monkeypatch.setattr("sim_core.simulation.cluster._ANSWERS_WITHIN_S", 0.2)
    with pytest.raises(SettingsError, match="No Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineMissingError, match="pip install distributed"):
        Cluster("tcp://127.0.0.1:1")


def test_another_setup_is_heeded_before_there_are_processes(setup):
    with Crew(setup, 1) as crew:
        crew.equip(replace(setup, readings=(setup.reference, setup.reference)))
        (trial,) = _trials(setup, count=1)
        again = Trial(trial.start, tuple(w._replace(variation=w.variation._replace(reading=1)) for w in trial.windows))
        assert _bits(crew.perform([trial], _silent)) == _bits(crew.perform([again], _silent))
