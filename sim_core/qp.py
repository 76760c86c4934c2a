"""Small dense quadratic programs: daqp first, OSQP when it fails. The only file that knows the solvers."""

import daqp
import numpy as np
from scipy import sparse

from .arrays import Floats

_UNBOUNDED = 1e30
_PRECISE = 1e-9


def nonnegative_least_squares(A: Floats, b: Floats, ridge: float) -> Floats:
    """The x >= 0 that minimises |A x - b|^2 + |ridge x|^2; a ridge above zero makes it the only one."""
    H = A.T @ A + ridge**2 * np.eye(A.shape[1])
    f = -(A.T @ b)
    x = _by_daqp(H, f)
    return np.maximum(_by_osqp(H, f) if x is None else x, 0.0)


def _by_daqp(H: Floats, f: Floats) -> Floats | None:
    """The x >= 0 that minimises x H x / 2 + f x; None where the solver gives up."""
    count = len(f)
    bounds = np.full(count, _UNBOUNDED), np.zeros(count)
    x, _, status, _ = daqp.solve(H, f, np.zeros((0, count)), *bounds, np.zeros(count, np.int32))
    return np.asarray(x) if status > 0 else None


def _by_osqp(H: Floats, f: Floats) -> Floats:
    import osqp  # slow to load, and hardly ever needed

    count = len(f)
    solver = osqp.OSQP()
    solver.setup(
        sparse.csc_matrix(np.triu(H)),
        f,
        sparse.identity(count, format="csc"),
        np.zeros(count),
        np.full(count, np.inf),
        eps_abs=_PRECISE,
        eps_rel=_PRECISE,
        max_iter=100_000,
        verbose=False,
    )
    return np.asarray(solver.solve(raise_error=False).x)
