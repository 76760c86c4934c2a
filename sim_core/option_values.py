"""The settings that the command line's options stand for."""

import argparse

from .disturbance_options import disturbances_from
from .errors import SettingsError
from .fall_values import fall_from
from .options import SCENE_BY_FEET
from .realism import Help, help_at
from .roll_values import roll_from
from .scene_file.read_object import FRICTION
from .scene_file.read_scene import SceneFile, read_scene
from .settings import Assist, BakeSettings, Budget, ClipSettings, GroundSettings, OfBodyWeight, QpSettings, VaSettings


def settings_from(options: argparse.Namespace) -> BakeSettings:
    _check_range("--scale", options.scale, 1e-6, 1e6)
    _check_range("--fps", options.fps, 1.0, 2000.0)
    _check_range("--height", options.height, 0.3, 10.0)
    _check_range("--mass", options.mass, 1.0, 1000.0)
    _check_range("--floor", options.floor, -1e6, 1e6)
    _check_range("--friction", options.friction, *FRICTION)
    _check_range("--t-pose", options.t_pose, 0, 1_000_000)
    clip = ClipSettings(
        metres_per_unit=options.scale,
        up=options.up,
        fps=options.fps,
        height_m=options.height,
        mass_kg=options.mass,
        floor_m=options.floor,
        t_pose_frames=options.t_pose,
        start=options.start,
        end=options.end,
        first_number=options.first_frame,
        bones=tuple(_pair("--bone", text) for text in options.bone),
    )
    ground, friction = _ground(options)
    if options.command == "inspect":
        return BakeSettings(clip=clip, ground=ground, friction=friction)
    _check_range("--workers", options.workers, 1, 1024)
    _check_range("--stiffness", options.stiffness, 0.1, 10.0)
    helped = _help(options)
    return BakeSettings(
        clip=clip,
        ground=ground,
        friction=friction,
        engine=options.engine,
        motion=options.motion,
        seconds=_seconds(options),
        roll=roll_from(options),
        fall=fall_from(options),
        controller=options.controller,
        qp=_qp(options),
        va=helped.va,
        stiffness=options.stiffness,
        disturbances=disturbances_from(options),
        realism=options.realism,
        assist=helped.assist,
        budget=budget_of(options.budget),
        seed=options.seed,
        workers=options.workers,
        scheduler=options.scheduler,
    )


def _seconds(options: argparse.Namespace) -> float | None:
    seconds: float | None = options.seconds
    _check_range("--seconds", seconds, 0.1, 600.0)
    if seconds is not None and options.motion != "hold":
        raise SettingsError(f"--seconds is for --motion hold, not {options.motion}; leave it out, or give --end.")
    if seconds is not None and options.end is not None:
        raise SettingsError("--seconds and --end both tell how long the pose is held; give one of them.")
    return seconds


def _help(options: argparse.Namespace) -> Help:
    """How far help from outside may go: what an option says goes before where the dial stands."""
    _check_range("--realism", options.realism, 0.0, 1.0)
    usual = Help(VaSettings(), "least") if options.realism is None else help_at(options.realism)
    if options.foot_torque is not None and options.controller != "va":
        raise SettingsError(
            f"--foot-torque is for --controller va, not {options.controller}; leave it out, or choose that controller."
        )
    return Help(
        usual.va if options.foot_torque is None else _foot_torque(options.foot_torque),
        usual.assist if options.assist is None else _assist(options.assist),
    )


def _foot_torque(text: str) -> VaSettings:
    expected = "--foot-torque takes two numbers in newton metres such as 20:200, the first not above the second"
    parts = [_number(expected, part) for part in text.split(":")]
    if len(parts) != 2 or not 0.0 <= parts[0] <= parts[1] or parts[0] == float("inf"):
        raise SettingsError(f"{expected}, not '{text}'.")
    return VaSettings(thr_min=parts[0], thr_max=parts[1])


def _qp(options: argparse.Namespace) -> QpSettings:
    for option, value in (("--preset", options.preset), ("--balance", options.balance)):
        if value is not None and options.controller != "qp":
            raise SettingsError(
                f"{option} is for --controller qp, not {options.controller}; leave it out, or choose that controller."
            )
    preset = options.preset or QpSettings().preset
    if options.balance is not None and preset != "mcsim":
        raise SettingsError(f"--balance is for --preset mcsim, not {preset}; leave it out, or choose that preset.")
    return QpSettings(preset=preset, balance=options.balance or QpSettings().balance)


def _ground(options: argparse.Namespace) -> tuple[GroundSettings, float]:
    """The ground and its friction; what an option says goes before what the scene says."""
    _check_range("--slope", options.slope, -45.0, 45.0)
    _check_range("--slope-heading", options.slope_heading, -360.0, 360.0)
    find_objects = str(options.scene) == SCENE_BY_FEET
    scene = SceneFile() if options.scene is None or find_objects else read_scene(options.scene)
    if find_objects and (options.slope is not None or options.slope_heading is not None):
        raise SettingsError("--slope and --scene auto both tell the ground; give one of them.")
    if (scene.ground is not None or scene.bottomless) and (
        options.slope is not None or options.slope_heading is not None
    ):
        raise SettingsError("--slope and the scene's 'ground' both tell the ground; give one of them.")
    friction = next(value for value in (options.friction, scene.friction, BakeSettings().friction) if value is not None)
    ground = GroundSettings(
        slope_deg=options.slope or 0.0,
        slope_heading_deg=options.slope_heading or 0.0,
        plane=scene.ground,
        bottomless=scene.bottomless,
        objects=scene.objects,
        find_objects=find_objects,
        gravity=GroundSettings().gravity if scene.gravity is None else scene.gravity,
    )
    return ground, friction


def _check_range(option: str, value: float | None, low: float, high: float, unit: str = "") -> None:
    if value is not None and not low <= value <= high:
        raise SettingsError(f"{option} takes a number from {low:g} to {high:g}{unit}, not {value:g}{unit}.")


def _assist(text: str) -> Assist:
    if text == "least":
        return "least"
    if text == "none":
        return "none"
    expected = "--assist takes least, none, a limit in newtons or one such as 20% of body weight"
    if text.endswith("%"):
        percent = _number(expected, text.removesuffix("%"))
        _check_range("--assist", percent, 0.0, 1000.0, unit=" %")
        return OfBodyWeight(share=percent / 100.0)
    newtons = _number(expected, text)
    _check_range("--assist", newtons, 0.0, 1e6)
    return newtons


def budget_of(text: str) -> Budget:
    named: dict[str, Budget] = {"draft": "draft", "good": "good", "best": "best"}
    if text in named:
        return named[text]
    seconds = _number("--budget takes draft, good, best or a number of seconds", text)
    _check_range("--budget", seconds, 0.0, 1e9)
    return seconds


def _number(expected: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SettingsError(f"{expected}, not '{text}'.") from None


def _pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise SettingsError(f"{option} takes NAME=VALUE, not '{text}'.")
    return name, value
