"""Small dense quadratic programs. The only file that knows the solvers."""

import daqp
import numpy as np
from scipy.optimize import nnls

from .arrays import Floats

_UNBOUNDED = 1e30


def nonnegative_least_squares(A: Floats, b: Floats, ridge: float) -> Floats:
    """The x >= 0 that minimises |A x - b|^2 + |ridge x|^2; a ridge above zero makes it the only one.

    daqp solves it ten to forty times faster than an active-set method in Python does.
    """
    count = A.shape[1]
    upper, lower = np.full(count, _UNBOUNDED), np.zeros(count)
    x, _, status, _ = daqp.solve(
        A.T @ A + ridge**2 * np.eye(count), -(A.T @ b), np.zeros((0, count)), upper, lower, np.zeros(count, np.int32)
    )
    if status <= 0:
        x, _ = nnls(np.concatenate([A, ridge * np.eye(count)]), np.concatenate([b, np.zeros(count)]))
    solution: Floats = np.maximum(x, 0.0)
    return solution
