"""The dial from realistic to unfallable, and the options that go before it."""

from itertools import pairwise

import numpy as np
import pytest

from sim_core.errors import SettingsError
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.realism import PLAUSIBLE, REALISTIC, UNFALLABLE, Help, help_at
from sim_core.settings import BakeSettings, OfBodyWeight, VaSettings


def settings(*options: str) -> BakeSettings:
    return settings_from(make_parser().parse_args(["bake", "clip.bvh", "-o", "out.bvh", *options]))


def _share(found: Help) -> float:
    """Of body weight, that the pelvis may be helped with."""
    if isinstance(found.assist, OfBodyWeight):
        return found.assist.share
    return {"none": 0.0, "least": np.inf}[found.assist]


def test_realistic_is_no_help_at_all():
    found = help_at(REALISTIC)
    assert found.assist == "none"
    assert found.va.thr_min == found.va.thr_max


def test_the_middle_is_the_papers():
    found = help_at(PLAUSIBLE)
    assert found.va == VaSettings(thr_min=20.0, thr_max=200.0) == VaSettings()
    assert isinstance(found.assist, OfBodyWeight)


def test_unfallable_has_no_limit():
    assert help_at(UNFALLABLE) == Help(VaSettings(thr_min=0.0, thr_max=float("inf")), "least")


def test_less_realism_is_more_help_everywhere():
    places = [help_at(realism) for realism in np.linspace(1.0, 0.0, 41)]
    for before, after in pairwise(places):
        assert after.va.thr_min < before.va.thr_min
        assert after.va.thr_max >= before.va.thr_max
        assert _share(after) > _share(before)
        assert 0.0 <= after.va.thr_min <= after.va.thr_max


@pytest.mark.parametrize("place", [PLAUSIBLE, REALISTIC])
def test_the_dial_does_not_jump(place):
    """Up to unfallable, where all limits end."""
    little = 1e-6
    below, here, above = (help_at(place + by) for by in (-little, 0.0, little))
    for other in (below, above):
        assert other.va.thr_min == pytest.approx(here.va.thr_min, abs=0.01)
        assert other.va.thr_max == pytest.approx(here.va.thr_max, abs=0.01)
        assert _share(other) == pytest.approx(_share(here), abs=1e-4)


def test_the_dial_on_the_command_line():
    for realism in (0.0, 0.25, 0.5, 0.9, 1.0):
        for controller in ("va", "qp", "pd"):
            found = settings("--controller", controller, "--realism", str(realism))
            assert (found.realism, found.va, found.assist) == (realism, *help_at(realism))
    assert (settings().realism, settings("--controller", "va").va) == (None, VaSettings())


def test_what_is_said_goes_before_the_dial():
    usual = help_at(0.3)
    found = settings("--controller", "va", "--realism", "0.3", "--assist", "none")
    assert (found.va, found.assist) == (usual.va, "none")
    found = settings("--controller", "va", "--realism", "0.3", "--foot-torque", "5:50")
    assert (found.va, found.assist) == (VaSettings(thr_min=5.0, thr_max=50.0), usual.assist)
    found = settings("--controller", "va", "--realism", "1", "--foot-torque", "0:inf", "--assist", "10%")
    assert (found.va, found.assist) == (VaSettings(thr_min=0.0, thr_max=float("inf")), OfBodyWeight(share=0.1))


@pytest.mark.parametrize("realism", ["-0.1", "1.1", "nan", "inf"])
def test_a_place_that_the_dial_does_not_have_is_refused(realism):
    with pytest.raises(SettingsError, match=r"^--realism takes a number from 0 to 1, not [^.]*(\.\d)?\.$"):
        settings(f"--realism={realism}")


@pytest.mark.parametrize("controller", ["qp", "pd"])
def test_foot_torque_is_for_its_own_controller(controller):
    said = rf"^--foot-torque is for --controller va, not {controller}; leave it out, or [^.]*\.$"
    with pytest.raises(SettingsError, match=said):
        settings("--controller", controller, "--foot-torque", "20:200")


@pytest.mark.parametrize(
    "text", ["20", "20:", ":200", "200:20", "-5:20", "a:b", "20:200:300", "nan:200", "20:nan", "inf:inf", ""]
)
def test_foot_torque_that_makes_no_sense_is_refused(text):
    with pytest.raises(SettingsError, match=r"^--foot-torque takes two numbers in newton metres .*, not .*\.$"):
        settings("--controller", "va", f"--foot-torque={text}")
