"""Every test that asks for an engine runs on all of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sim_core.engines.engine import Engine


@pytest.fixture(params=["bullet", "mujoco"])
def engine(request: pytest.FixtureRequest) -> Iterator["Engine"]:
    from sim_core.engines.engine import available_engines, make_engine  # Blender's own Python has no scipy

    if request.param not in available_engines():
        pytest.skip(f"Engine '{request.param}' is not installed; 'make test' installs both.")
    engine = make_engine(request.param)
    yield engine
    engine.close()
