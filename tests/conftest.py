"""Every test that asks for an engine runs on all of them."""

from collections.abc import Iterator

import pytest

from sim_core.engines.engine import Engine, available_engines, make_engine


@pytest.fixture(params=["bullet", "mujoco"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param not in available_engines():
        pytest.skip(f"Engine '{request.param}' is not installed; 'make test' installs both.")
    engine = make_engine(request.param)
    yield engine
    engine.close()
