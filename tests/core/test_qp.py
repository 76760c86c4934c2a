"""Small quadratic programs: both solvers find the same optimum."""

import numpy as np
import pytest
from scipy.optimize import nnls

from sim_core import qp


def _problem(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(6, 24)), rng.normal(size=6)


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_an_active_set_method_finds(seed):
    A, b = _problem(seed)
    expected, _ = nnls(np.concatenate([A, 0.05 * np.eye(24)]), np.concatenate([b, np.zeros(24)]))
    np.testing.assert_allclose(qp.nonnegative_least_squares(A, b, 0.05), expected, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_second_solver_catches_what_the_first_gives_up(seed, monkeypatch):
    A, b = _problem(seed)
    expected = qp.nonnegative_least_squares(A, b, 0.05)
    monkeypatch.setattr(qp, "_by_daqp", lambda *given: None)
    np.testing.assert_allclose(qp.nonnegative_least_squares(A, b, 0.05), expected, atol=1e-5)
