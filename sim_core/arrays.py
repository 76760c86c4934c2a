"""Names for the arrays that the code passes around; shapes stand in comments, as `# (T, J, 3)`."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def frozen(values: ArrayLike) -> Floats:
    """A read-only float copy, for the fields of frozen dataclasses."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
