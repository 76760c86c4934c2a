"""Options of the command line, and the settings they stand for."""

import pytest

from sim_core.errors import SettingsError
from sim_core.option_values import settings_from
from sim_core.options import make_parser, progress_asked
from sim_core.scene import Push, PushInFrames
from sim_core.settings import BakeSettings, ClipSettings, GroundSettings, OfBodyWeight, QpSettings


def settings(*options: str) -> BakeSettings:
    return settings_from(make_parser().parse_args(["bake", "clip.bvh", "-o", "out.bvh", *options]))


def test_nothing_said_means_the_defaults():
    assert settings() == BakeSettings()
    assert settings_from(make_parser().parse_args(["inspect", "clip.bvh"])) == BakeSettings()


def test_everything_said():
    found = settings(
        *("--start", "3", "--end", "40", "--fps", "60", "--up", "z", "--scale", "0.01", "--height", "1.8"),
        *("--mass", "80", "--floor", "-0.1", "--t-pose", "1", "--bone", "thigh_l=Left=Thigh", "--bone", "head=Kopf"),
        *("--friction", "0.5", "--engine", "mujoco", "--assist", "150", "--budget", "9", "--seed", "4"),
        *("--push", "bone=Left Hand,at=1.2,for=0.2,force=0:-120:1e2", "--push", "at=0,for=1,bone=chest,force=1:2:3"),
    )
    assert found.clip == ClipSettings(
        metres_per_unit=0.01,
        up="z",
        fps=60.0,
        height_m=1.8,
        mass_kg=80.0,
        floor_m=-0.1,
        t_pose_frames=1,
        start=3,
        end=40,
        bones=(("thigh_l", "Left=Thigh"), ("head", "Kopf")),
    )
    assert found.pushes == (
        Push(bone="Left Hand", at_s=1.2, for_s=0.2, force=(0.0, -120.0, 100.0)),
        Push(bone="chest", at_s=0.0, for_s=1.0, force=(1.0, 2.0, 3.0)),
    )
    assert (found.friction, found.engine, found.assist, found.budget, found.seed) == (0.5, "mujoco", 150.0, 9.0, 4)


def test_a_push_in_frames():
    found = settings("--push", "bone=chest,frame=30,frames=6,force=0:120:0")
    assert found.pushes == ()
    assert found.pushes_in_frames == (PushInFrames(bone="chest", frame=30, frames=6, force=(0.0, 120.0, 0.0)),)


@pytest.mark.parametrize("timing", ["at=1,frames=6", "frame=1.5,frames=6", "frame=1", "frame=1,frames=6,at=1,for=1"])
def test_a_push_that_mixes_frames_and_seconds_is_refused(timing):
    with pytest.raises(SettingsError, match=r"^--push takes .*, not .*\.$"):
        settings("--push", f"bone=chest,{timing},force=0:120:0")


@pytest.mark.parametrize(
    ("text", "assist"), [("least", "least"), ("none", "none"), ("0", 0.0), ("20%", OfBodyWeight(share=0.2))]
)
def test_assist(text, assist):
    assert settings("--assist", text).assist == assist


@pytest.mark.parametrize("text", ["-1", "-1%", "1001%", "nan%", "%", "twenty%"])
def test_assist_that_makes_no_sense_is_refused(text):
    with pytest.raises(SettingsError, match=r"^--assist takes .*not .*\.$"):
        settings(f"--assist={text}")


def test_stiffness():
    assert settings("--stiffness", "0.5").stiffness == 0.5
    with pytest.raises(SettingsError, match=r"--stiffness takes a number from 0\.1 to 10, not 0\."):
        settings("--stiffness", "0")


def test_the_tracking_controller_is_what_drives_the_body_unless_asked():
    assert (settings().controller, settings().qp) == ("qp", QpSettings(preset="heft", balance="none"))
    assert settings("--controller", "qp", "--preset", "heft") == settings()
    assert settings("--controller", "pd").controller == "pd"
    assert settings("--preset", "yu").qp == QpSettings(preset="yu")
    assert settings("--preset", "mcsim").qp == QpSettings(preset="mcsim", balance="none")
    for balance in ("none", "full-state", "three-link"):
        assert settings("--preset", "mcsim", "--balance", balance).qp == QpSettings(preset="mcsim", balance=balance)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--controller", "pd", "--preset", "heft"], "--preset is for --controller qp, not pd; leave it out, or "),
        (["--controller", "pd", "--balance", "none"], "--balance is for --controller qp, not pd; leave it out, or "),
        (["--balance", "three-link"], "--balance is for --preset mcsim, not heft; leave it out, or "),
        (["--preset", "yu", "--balance", "none"], "--balance is for --preset mcsim, not yu; leave it out, or "),
    ],
)
def test_a_choice_that_would_have_no_effect_is_refused(options, sentence):
    with pytest.raises(SettingsError, match=rf"^{sentence}[^.]*\.$"):
        settings(*options)


def test_slope():
    assert settings("--slope", "-5", "--slope-heading", "90").ground == GroundSettings(
        slope_deg=-5.0, slope_heading_deg=90.0
    )
    with pytest.raises(SettingsError, match="--slope takes a number from -45 to 45, not 50"):
        settings("--slope", "50")


def test_options_only_by_their_whole_names():
    with pytest.raises(SettingsError, match="--eng"):
        settings("--eng", "mujoco")


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ([], "bar"),
        (["bake", "--progress", "json"], "json"),
        (["--nonsense", "--progress=json", "-o"], "json"),
        (["--progress"], "bar"),
        (["--progress", "none"], "none"),
    ],
)
def test_who_listens_is_known_whatever_else_is_wrong(arguments, kind):
    assert progress_asked(arguments) == kind


@pytest.mark.parametrize("option", ["--throw"])
def test_what_is_still_to_be_built_is_said_to_be_so(option):
    with pytest.raises(SettingsError, match=f"{option} is not available"):
        settings(option, "5")
    with pytest.raises(SettingsError, match=f"{option} is not available"):
        settings(f"{option}=5")
