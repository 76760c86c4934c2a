"""How long something will still take, from how far it is."""

import math

_UNKNOWN_FOR_S = 3.0
_UNKNOWN_BELOW = 0.1  # of the whole: first estimates are wild
_HALF_LIFE_S = 1.0  # of the difference between what is shown and what was estimated last


class TimeLeft:
    """Smoothed, so that the number a person reads does not jump about; counts down by itself between estimates."""

    def __init__(self) -> None:
        self._started: float | None = None
        self._first = 0.0  # how far it was at the first call
        self._updated = 0.0
        self._end: float | None = None  # when it should be done

    def after(self, overall: float, now: float) -> float | None:
        """Seconds that are left, or None while it is too early to tell."""
        if overall <= 0.0:  # a program that loads its libraries says nothing of how fast it works
            return None
        if self._started is None:
            self._started, self._first = now, overall
        elapsed, done = now - self._started, overall - self._first
        if elapsed < _UNKNOWN_FOR_S or done < _UNKNOWN_BELOW:
            return None
        estimate = now + elapsed * (1.0 - overall) / done
        if self._end is None:
            self._end = estimate
        else:
            self._end += (estimate - self._end) * (1.0 - math.exp2((self._updated - now) / _HALF_LIFE_S))
        self._updated = now
        return max(self._end - now, 0.0)
