"""The bench of virtual actuators: what it asks can be asked, and its page tells what came of it."""

from collections import Counter
from pathlib import Path

import pytest

from bench.va_experiments import PARTS, TERMS, TUNED_ON, experiments, terms, trials
from bench.va_page import page, verdict
from bench.va_rows import Found, Row
from bench.world_rows import Job, command
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from tests.bench.figures import FIGURES


def row(**changes: object) -> Row:
    found = Found(
        figures=FIGURES,
        pelvis_mean_bw=0.0,
        pelvis_peak_bw=0.0,
        foot_mean_nm=12.0,
        foot_peak_nm=80.0,
        kept_s=3.0,
        kept_joint_deg=2.0,
        displaced_m=0.1,
        came_m=(0.1, -0.2),
    )
    content: dict[str, object] = {
        "part": "unfallable",
        "name": "1: walk",
        "case": "walk",
        "group": "walk",
        "number": 0,
        "published": "",
        "engine": "mujoco",
        "with_assist": False,
        "options": (),
        "code": "",
        "found": found,
    }
    return Row(**(content | changes))  # type: ignore[arg-type]


WITHOUT_FOLDER = [part for part in PARTS if part != "unfallable"]  # that one draws its clips from the folder


@pytest.mark.parametrize("part", WITHOUT_FOLDER)
def test_names_are_told_apart(part):
    names = Counter(trial.world.name for trial in trials(part, None))
    assert set(names.values()) == {1}


def test_no_clip_that_was_tuned_on_is_asked_for():
    asked = {trial.world.part.clip for part in WITHOUT_FOLDER for trial in trials(part, None)}
    assert not asked & set(TUNED_ON.split())


def test_what_is_asked_is_understood(tmp_path):
    for trial in [*experiments(), *terms()]:
        arguments = command(Job(trial.world, "mujoco", "draft", Path("clips"), tmp_path))
        assert settings_from(make_parser().parse_args(arguments)).controller == "va"


def test_every_term_is_switched_off_somewhere():
    assert {trial.case for trial in terms()} == set(TERMS)


def test_the_page_counts_who_fell():
    text = page([row(), row(name="2: run", number=1)], ["mujoco"])
    assert "**0 of 2 fell.**" in text
    assert verdict(row()) == "✔ with foot torque alone"


def test_a_bake_that_was_not_to_be_had_is_told():
    lost = row(found=None, message="no such clip")
    assert verdict(lost) == "✘ no such clip"
    assert "1 could not be baked" in page([row(), lost], ["mujoco"])
