"""Small dense quadratic programs: daqp first, OSQP when it fails. The only file that knows the solvers."""

from typing import NamedTuple

import daqp
import numpy as np
from scipy import sparse

from .arrays import Floats

_UNBOUNDED = 1e30
_PRECISE = 1e-9
_EQUAL = 5  # what daqp calls it
_SINGULAR = 1e-14  # rows of torques and forces differ so much in size that its own tolerance takes them for the same


class Span(NamedTuple):
    lower: Floats
    upper: Floats


def nonnegative_least_squares(A: Floats, b: Floats, ridge: float) -> Floats:
    """The x >= 0 that minimises |A x - b|^2 + |ridge x|^2; a ridge above zero makes it the only one."""
    count = A.shape[1]
    H = A.T @ A + ridge**2 * np.eye(count)
    x = solve_qp(H, -(A.T @ b), np.zeros(count), np.full(count, np.inf))
    if x is None:
        raise ArithmeticError("No solver found the contact forces of a frame.")
    return np.maximum(x, 0.0)


def solve_qp(H: Floats, f: Floats, lower: Floats, upper: Floats) -> Floats | None:
    """The x within bounds that minimises x H x / 2 + f x; None where neither solver finds one."""
    below, above = np.maximum(lower, -_UNBOUNDED), np.minimum(upper, _UNBOUNDED)
    x = _by_daqp(H, f, below, above)
    return _by_osqp(H, f, below, above) if x is None else x


def solve_qp_with_rows(H: Floats, f: Floats, bounds: Span, rows: Floats, within: Span) -> Floats | None:
    """The x that minimises x H x / 2 + f x, its first numbers within bounds, and rows x within others.

    A row whose two bounds are equal is an equation. None where they contradict each other.
    """
    below = np.maximum(np.concatenate([bounds.lower, within.lower]), -_UNBOUNDED)
    above = np.minimum(np.concatenate([bounds.upper, within.upper]), _UNBOUNDED)
    sense = np.where(below == above, _EQUAL, 0).astype(np.int32)
    x, _, status, _ = daqp.solve(H, f, np.ascontiguousarray(rows), above, below, sense, sing_tol=_SINGULAR)
    return np.asarray(x) if status > 0 else None


def _by_daqp(H: Floats, f: Floats, below: Floats, above: Floats) -> Floats | None:
    x, _, status, _ = daqp.solve(H, f, np.zeros((0, len(f))), above, below, np.zeros(len(f), np.int32))
    return np.asarray(x) if status > 0 else None


def _by_osqp(H: Floats, f: Floats, below: Floats, above: Floats) -> Floats | None:
    import osqp  # slow to load, and hardly ever needed

    solver = osqp.OSQP()
    solver.setup(
        sparse.csc_matrix(np.triu(H)),
        f,
        sparse.csc_matrix(np.eye(len(f))),
        np.where(below <= -_UNBOUNDED, -np.inf, below),
        np.where(above >= _UNBOUNDED, np.inf, above),
        eps_abs=_PRECISE,
        eps_rel=_PRECISE,
        max_iter=20_000,
        verbose=False,
    )
    found = solver.solve(raise_error=False)
    return np.asarray(found.x) if found.info.status_val in (1, 2) else None  # solved, or solved less exactly
