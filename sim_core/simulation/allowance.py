"""How much a search may still simulate."""

import time

from ..settings import Budget

# Good is counted in simulated seconds, not by the clock: then the same input gives the same result on every machine.
# On two cores it is about ten times the clip's length.
_GOOD_TIMES = 30.0
_GOOD_LEAST_S = 200.0  # of short clips, which need as many tries as long ones


class Allowance:
    def __init__(self, budget: Budget, clip_s: float, good_least_s: float = _GOOD_LEAST_S) -> None:
        self._budget = budget
        self._began = time.perf_counter()
        self._simulated_s = 0.0
        self._good_s = max(_GOOD_TIMES * clip_s, good_least_s)

    @property
    def most_simulated_s(self) -> float:
        """That a search may take beyond one pass; of one without end, as long as a good one."""
        return self._good_s if self.searches else 0.0

    @property
    def simulated_s(self) -> float:
        return self._simulated_s

    def spend(self, simulated_s: float) -> None:
        self._simulated_s += simulated_s

    @property
    def searches(self) -> bool:
        """Whether anything is tried beyond one pass."""
        return self._budget != "draft"

    @property
    def is_spent(self) -> bool:
        return self.fraction_left <= 0.0

    @property
    def fraction_left(self) -> float:
        if self._budget == "draft":
            return 0.0
        if self._budget == "best":
            return 1.0
        if self._budget == "good":
            return max(0.0, 1.0 - self._simulated_s / self._good_s)
        return max(0.0, 1.0 - (time.perf_counter() - self._began) / max(self._budget, 1e-9))
