"""A Dask cluster as who carries out trials, where one machine is not enough; the only file that knows Dask."""

from concurrent.futures import Future
from typing import Any

from ..errors import EngineMissingError, SettingsError
from .simulator import Setup
from .trial import Attempt, Trial
from .work import carry_out

_ANSWERS_WITHIN_S = 10.0


class Cluster:
    """Reached by its scheduler's address; every worker needs Heft and its engine in the same versions."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise EngineMissingError(
                "A cluster needs Dask, which is not installed; run 'pip install distributed' or leave --scheduler out."
            ) from error
        try:
            self._client = Client(address, timeout=_ANSWERS_WITHIN_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise SettingsError(
                f"No Dask scheduler answers at '{address}' ({type(error).__name__}); check the address, or leave "
                "--scheduler out."
            ) from error
        self._executor = self._client.get_executor()
        self._shared: tuple[Setup, Any] | None = None

    def submit(self, setup: Setup, trial: Trial) -> "Future[Attempt]":
        if self._shared is None or self._shared[0] is not setup:
            self._shared = (setup, self._client.scatter(setup, broadcast=True, hash=False))  # once to every worker
        submitted: Future[Attempt] = self._executor.submit(carry_out, self._shared[1], trial)
        return submitted

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()
