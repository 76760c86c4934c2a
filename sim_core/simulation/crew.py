"""Trials carried out by several processes, on this machine or on a cluster, always with the same results.

A trial depends on nothing but itself and the setup, so it does not matter who carries it out, nor when.
"""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event

from ..errors import SimulationError
from ..progress import Progress
from .cluster import Cluster
from .simulator import Setup, Simulator
from .trial import Attempt, Trial
from .work import begin, carry_out

_LOOK_EVERY_S = 0.05


class Crew:
    """As a context; processes are started when there is first something to share."""

    def __init__(self, setup: Setup, workers: int, cluster: Cluster | None = None) -> None:
        self._setup, self._workers = setup, workers
        self._local = Simulator(setup)
        self._cluster = cluster
        self._pool: ProcessPoolExecutor | None = None
        self._stop: Event | None = None
        self.cpu_s = 0.0  # of all trials, wherever they ran

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self._local.close()
        if self._stop is not None:
            self._stop.set()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        if self._cluster is not None:
            self._cluster.close()

    @property
    def setup(self) -> Setup:
        return self._setup

    @property
    def resumable(self) -> bool:
        return self._local.resumable

    def equip(self, setup: Setup) -> None:
        """Another setup, before there are processes that know the old one."""
        assert self._pool is None
        self._local.close()
        self._setup, self._local = setup, Simulator(setup)

    def perform(self, trials: Sequence[Trial], progress: Progress) -> list[Attempt]:
        """In the order of the trials."""
        attempts = self._performed(trials, progress)
        self.cpu_s += sum(leg.stretch.cpu_s for attempt in attempts for leg in attempt.legs)
        return attempts

    def _performed(self, trials: Sequence[Trial], progress: Progress) -> list[Attempt]:
        if len(trials) == 1 or (self._workers == 1 and self._cluster is None):
            return [
                self._local.run(trial, lambda fraction, k=k: progress((k + fraction) / len(trials)))  # type: ignore[misc]
                for k, trial in enumerate(trials)
            ]
        futures = self._submitted(trials)
        try:
            return self._collected(futures, progress)
        except BaseException:
            for future in futures:
                future.cancel()
            raise

    def _submitted(self, trials: Sequence[Trial]) -> "list[Future[Attempt]]":
        if self._cluster is not None:
            return [self._cluster.submit(self._setup, trial) for trial in trials]
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._stop = context.Event()
            self._pool = ProcessPoolExecutor(self._workers, context, begin, (self._setup, self._stop))
        return [self._pool.submit(carry_out, None, trial) for trial in trials]

    def _collected(self, futures: "Sequence[Future[Attempt]]", progress: Progress) -> list[Attempt]:
        left = set(futures)
        while left:
            _, left = wait(left, timeout=_LOOK_EVERY_S)
            progress(1.0 - len(left) / len(futures))
        try:
            return [future.result() for future in futures]
        except BrokenProcessPool as error:
            raise SimulationError(
                "A process of the simulation was ended from outside; close other programs if memory is short, or bake "
                "with --workers 1."
            ) from error
