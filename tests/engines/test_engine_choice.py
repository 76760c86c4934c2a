"""Which engine is taken, and what is said where one is missing."""

import importlib
import importlib.util
import subprocess
import sys

import pytest

from sim_core.engines import engine as engines
from sim_core.errors import EngineMissingError, SettingsError

_PACKAGES = {"bullet": "pybullet", "mujoco": "mujoco"}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch):
    """Pretend that only these engines are installed."""

    def pretend(*names: str) -> None:
        packages = {_PACKAGES[name] for name in names}
        monkeypatch.setattr(importlib.util, "find_spec", lambda package: object() if package in packages else None)

    return pretend


def test_bullet_is_the_default_where_both_are_installed(installed) -> None:
    installed("mujoco", "bullet")
    assert engines.available_engines() == ("bullet", "mujoco")


@pytest.mark.parametrize("name", ["bullet", "mujoco"])
def test_auto_takes_the_one_that_is_there(installed, name: str) -> None:
    if name not in engines.available_engines():
        pytest.skip(f"Engine '{name}' is not installed.")
    installed(name)
    engine = engines.make_engine("auto")
    assert type(engine).__module__.endswith("." + name)
    engine.close()


def test_a_missing_engine_is_named_with_what_is_installed_and_how_to_get_it(installed) -> None:
    installed("mujoco")
    with pytest.raises(EngineMissingError) as caught:
        engines.make_engine("bullet")
    assert str(caught.value) == (
        "Engine 'bullet' is not installed (installed: mujoco); run 'pip install pybullet==3.2.7' or choose another."
    )


def test_no_engine_at_all_lists_both_commands(installed) -> None:
    installed()
    with pytest.raises(EngineMissingError, match=r"pip install pybullet.* or .*pip install mujoco.*\.$"):
        engines.make_engine("auto")


def test_an_engine_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ImportError("a library is missing")

    monkeypatch.setattr(importlib, "import_module", fail)
    with pytest.raises(EngineMissingError, match=r"does not start \(a library is missing\); reinstall"):
        engines.make_engine(engines.available_engines()[0])


def test_an_unknown_engine_lists_the_choices() -> None:
    with pytest.raises(SettingsError, match=r"^Engine 'havok' is not known; choose one of auto, bullet, mujoco\.$"):
        engines.make_engine("havok")  # type: ignore[arg-type]


def _run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)


def test_neither_package_is_imported_before_it_is_needed() -> None:
    loaded = "[name for name in ('pybullet', 'mujoco') if name in sys.modules]"
    assert _run(f"import sys, sim_core.engines.engine; print({loaded})").stdout == "[]\n"


@pytest.mark.parametrize("name", engines.available_engines())
def test_engines_print_nothing(name: str) -> None:
    done = _run(
        "import numpy as np\n"
        "from sim_core.engines.engine import State, make_engine\n"
        "from sim_core.scene import Scene\n"
        "from tests.makers import figure_body, random_state\n"
        "body = figure_body()\n"
        "print('before')\n"
        f"engine = make_engine('{name}')\n"
        "engine.load(body, Scene(), 0.002)\n"
        "engine.reset(State(*random_state(body, 0)))\n"
        "engine.step(np.zeros(body.nv))\n"
        "engine.restore(engine.save())\n"
        "engine.close()\n"
        "print('after')\n"
    )
    assert done.stdout == "before\nafter\n"
    assert done.stderr == ""
