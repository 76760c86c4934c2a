"""Options of the command line, and the settings they stand for."""

import pytest

from sim_core.disturbances import InFrames, KeepLevel, Pull, Push, Stance, Throw, Turn
from sim_core.errors import SettingsError
from sim_core.option_values import settings_from
from sim_core.options import make_parser, progress_asked
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
    assert found.disturbances == (
        Push(bone="Left Hand", at_s=1.2, for_s=0.2, force=(0.0, -120.0, 100.0)),
        Push(bone="chest", at_s=0.0, for_s=1.0, force=(1.0, 2.0, 3.0)),
    )
    assert (found.friction, found.engine, found.assist, found.budget, found.seed) == (0.5, "mujoco", 150.0, 9.0, 4)


def test_a_push_in_frames():
    found = settings("--push", "bone=chest,frame=30,frames=6,force=0:120:0")
    (push,) = found.disturbances
    assert isinstance(push, InFrames)
    assert (push.frame, push.frames) == (30, 6)
    assert isinstance(push.of, Push)
    assert (push.of.bone, push.of.force) == ("chest", (0.0, 120.0, 0.0))


def test_everything_that_can_happen():
    found = settings(
        *("--push", "bone=chest,at=1,for=0.2,force=0:60:0,space=character"),
        *(
            "--pull",
            "bone=hand_r,at=1,for=2,to=0:0:1/0.5:0:1,force=60",
            "--pull",
            "bone=head,at=0,for=1,by=rope,force=5",
        ),
        *("--throw", "target=chest,at=1,mass=4,speed=5,from=left"),
        *("--throw", "target=head,at=2,mass=1,speed=5,from=1:0:0.5,radius=0.1"),
        *("--keep-level", "bone=hand_r", "--keep-level", "bone=hand_l,at=1,for=2"),
        *("--turn", "30,at=1", "--turn", "-60,at=2.5"),
        *("--stance", "foot=left,is=stands,at=1.2,for=0.2", "--stance", "is=slides,at=0,for=1,foot=right"),
    )
    assert found.disturbances == (
        Push(bone="chest", at_s=1.0, for_s=0.2, force=(0.0, 60.0, 0.0), space="character"),
        Pull(bone="hand_r", at_s=1.0, for_s=2.0, to=((0.0, 0.0, 1.0), (0.5, 0.0, 1.0)), force=60.0),
        Pull(bone="head", at_s=0.0, for_s=1.0, by="rope", force=5.0),
        Throw(bone="chest", at_s=1.0, mass=4.0, speed=5.0, comes_from="left"),
        Throw(bone="head", at_s=2.0, mass=1.0, speed=5.0, comes_from=(1.0, 0.0, 0.5), radius=0.1),
        KeepLevel(bone="hand_r"),
        KeepLevel(bone="hand_l", at_s=1.0, for_s=2.0),
        Turn(angle_deg=30.0, at_s=1.0),
        Turn(angle_deg=-60.0, at_s=2.5),
        Stance(foot="left", at_s=1.2, for_s=0.2, what="stands"),
        Stance(foot="right", at_s=0.0, for_s=1.0, what="slides"),
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--pull", "bone=chest,frame=30,frames=6,to=0:0:1,force=9"),
        ("--throw", "target=chest,frame=30,mass=4,speed=5,from=left"),
        ("--keep-level", "bone=hand_r,frame=30,frames=6"),
        ("--turn", "-30,frame=30"),
        ("--stance", "foot=left,is=swings,frame=30,frames=6"),
    ],
)
def test_whatever_happens_may_be_timed_in_frames(options):
    (found,) = settings(*options).disturbances
    assert isinstance(found, InFrames)
    assert (found.frame, found.frames) == (30, 6 if "frames" in options[1] else None)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--push", "bone=chest,at=1,for=1,force=0:0:1,space=local"], "space=world or space=character, not 'local'"),
        (["--pull", "bone=chest,at=1,for=1,force=5"], "to points or by a thing of the scene; give one of them"),
        (["--pull", "bone=chest,at=1,for=1,force=5,to=0:0:0,by=rope"], "give one of them"),
        (["--pull", "bone=chest,at=1,for=1,force=-5,to=0:0:0"], "a force above 0"),
        (["--pull", "bone=chest,at=1,for=1,force=5,to=0:0"], "--pull takes to= as x:y:z in metres, not '0:0'"),
        (["--pull", "bone=chest,at=1,to=0:0:0,force=5"], "--pull takes bone=.* or bone=hand_r,frame=30,frames=6"),
        (["--throw", "target=chest,at=1,mass=4,speed=5"], "--throw takes target="),
        (["--throw", "target=chest,at=1,mass=4,speed=5,from=above"], "left, right, front, back or x:y:z, not 'above'"),
        (["--throw", "target=chest,at=1,mass=4,speed=5,from=0:0:0"], "which is no direction"),
        (["--throw", "target=chest,at=1,mass=0,speed=5,from=left"], "mass, speed and radius above 0"),
        (["--throw", "target=chest,at=1,for=1,mass=4,speed=5,from=left"], "--throw takes target="),
        (["--keep-level", "hand_r"], "--keep-level takes bone=hand_r"),
        (["--keep-level", "bone=hand_r,at=1,for=0"], "for > 0 s"),
        (["--turn", "30"], "--turn takes 30,at=1.2 or 30,frame=30, not '30'"),
        (["--turn", "left,at=1"], "--turn takes an angle in degrees, not 'left'"),
        (["--turn", "270,at=1"], "from -180 to 180 degrees"),
        (["--stance", "foot=left,is=stands"], "--stance takes foot=.* or foot=left,is=stands,frame=30,frames=6"),
        (["--stance", "foot=left,at=1,for=1"], "--stance takes foot=left,is=stands"),
        (["--stance", "foot=middle,is=stands,at=1,for=1"], "foot=left or foot=right, not 'middle'"),
        (["--stance", "foot=left,is=flies,at=1,for=1"], "is=stands, is=swings or is=slides, not 'flies'"),
        (["--stance", "foot=left,is=stands,at=-1,for=1"], "A stance of the left foot needs at >= 0 s"),
        (["--stance", "foot=left,is=stands,at=1,for=0"], "for > 0 s"),
        (["--stance", "foot=left,is=stands,at=soon,for=1"], "--stance takes at= in seconds, not 'soon'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(options, said):
    with pytest.raises(SettingsError, match=said) as refused:
        settings(*options)
    assert str(refused.value).endswith(".")


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
