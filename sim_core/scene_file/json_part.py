"""A part of a scene file that knows where it stands, so that what is wrong with it can be said in a sentence."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ..arrays import Floats
from ..errors import SettingsError
from .scene_objects import Triple

_SHORTEST_SHOWN = 60  # letters of a wrong value that are repeated


@dataclass(frozen=True, kw_only=True)
class JsonPart:
    file: str  # the scene's name
    value: Any
    where: str = ""  # keys that lead to it, as "ground.point"
    owner: str = ""  # the object it belongs to

    def refuse(self, said: str) -> NoReturn:
        """Said of this part: 'needs ..., not ...'."""
        of = f" of '{self.owner}'" if self.owner else ""
        subject = f"'{self.where}'{of}" if self.where else f"'{self.owner}'" if self.owner else "the file"
        raise SettingsError(f"In the scene '{self.file}', {subject} {said}.")

    def has(self, key: str) -> bool:
        return self.value.get(key) is not None

    def part(self, key: str) -> "JsonPart":
        where = f"{self.where}.{key}" if self.where else key
        return JsonPart(file=self.file, value=self.value.get(key), where=where, owner=self.owner)

    def items(self) -> list["JsonPart"]:
        if not isinstance(self.value, list):
            self.refuse(f"needs a list in square brackets, not {self._shown()}")
        return [
            JsonPart(file=self.file, value=value, where=f"{self.where}[{k}]", owner=self.owner)
            for k, value in enumerate(self.value)
        ]

    def check_keys(self, known: Sequence[str]) -> None:
        names = [f"'{self.where}.{key}'" if self.where else f"'{key}'" for key in known]
        expected = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        if not isinstance(self.value, dict):
            self.refuse(f"needs {expected} in braces, not {self._shown()}")
        for key in self.value:
            if key not in known:
                of = f" of '{self.owner}'" if self.owner else ""
                where = f"{self.where}.{key}" if self.where else key
                raise SettingsError(
                    f"The scene '{self.file}' holds '{where}'{of}, which Heft does not know; it takes {expected}."
                )

    def text(self) -> str:
        if not (isinstance(self.value, str) and self.value):
            self.refuse(f"needs a name in quotes, not {self._shown()}")
        return str(self.value)

    def number(self, low: float = -math.inf, high: float = math.inf) -> float:
        if not _is_number(self.value):
            self.refuse(f"needs a number, not {self._shown()}")
        if not low <= self.value <= high:
            bounds = f"{low:g} or more" if high == math.inf else f"a number from {low:g} to {high:g}"
            self.refuse(f"takes {bounds}, not {self.value:g}")
        return float(self.value)

    def size(self, largest: float = 1e4) -> float:
        """A number above zero."""
        value = self.number()
        if not 0.0 < value <= largest:
            self.refuse(f"takes a number above 0, to {largest:g}, not {value:g}")
        return value

    def whole(self, low: int, high: int) -> int:
        value = self.number(low, high)
        if value != round(value):
            self.refuse(f"takes a whole number, not {value:g}")
        return round(value)

    def triple(self) -> Triple:
        if not _is_row(self.value, 3):
            self.refuse(f"needs three numbers, as [0, 0, 1], not {self._shown()}")
        x, y, z = (float(part) for part in self.value)
        return x, y, z

    def direction(self, meaning: str) -> Triple:
        vector = self.triple()
        if not 0.0 < np.linalg.norm(vector) < np.inf:
            self.refuse(f"has no direction; give one {meaning}")
        return vector

    def rows(self, width: int, fewest: int = 1) -> Floats:
        """(N, width) numbers."""
        if not (isinstance(self.value, list) and len(self.value) >= fewest):
            self.refuse(f"needs {fewest} rows or more of {width} numbers each, not {self._shown()}")
        for k, row in enumerate(self.value):
            if not _is_row(row, width):
                self.refuse(f"needs {width} numbers in every row, and row {k + 1} is {_shown(row)}")
        return np.array(self.value, dtype=np.float64)

    def numbers(self, width: int) -> Floats:
        """(width,) numbers."""
        if not _is_row(self.value, width):
            self.refuse(f"needs {width} numbers in square brackets, not {self._shown()}")
        return np.array(self.value, dtype=np.float64)

    def _shown(self) -> str:
        return _shown(self.value)


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHORTEST_SHOWN else f"{text[:_SHORTEST_SHOWN]}..."


def _is_row(value: Any, width: int) -> bool:
    return isinstance(value, list) and len(value) == width and all(_is_number(part) for part in value)


def _is_number(value: Any) -> bool:
    # The comparison also holds off whole numbers that no float can tell.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30
