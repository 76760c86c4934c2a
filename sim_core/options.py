"""The command line's options, and the settings they stand for."""

import argparse
from pathlib import Path
from typing import NoReturn

from .errors import SettingsError
from .settings import Assist, BakeSettings, ClipSettings
from .simulation.disturbances import Push

_PUSH_EXAMPLE = "bone=chest,at=1.2,for=0.2,force=0:120:0"


class OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message[0].upper()}{message[1:]}; see '{self.prog} --help'.")


def make_parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="python -m sim_core",
        description="Bakes a clip into one that obeys gravity, contact and friction.",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="bake|inspect|sample", parser_class=OneLineParser
    )
    bake = commands.add_parser("bake", help="simulate a clip and write the result")
    bake.add_argument("clip", type=Path, metavar="CLIP.bvh")
    bake.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.bvh")
    _add_clip_options(bake)
    bake.add_argument("--motion", choices=["track"], default="track", help="what to do with the clip")
    bake.add_argument("--controller", choices=["pd"], default="pd")
    bake.add_argument("--engine", default="auto", help="auto, bullet or mujoco")
    bake.add_argument("--push", action="append", default=[], metavar=_PUSH_EXAMPLE, help="seconds, newtons (Z up)")
    bake.add_argument("--assist", default="least", metavar="least|none|NEWTONS", help="help from outside, at most")
    bake.add_argument("--budget", type=float, metavar="SECONDS", help="stop searching after this long")
    bake.add_argument("--seed", type=int, default=0)
    bake.add_argument("--report", type=Path, metavar="report.json")
    bake.add_argument("--picture", type=Path, metavar="report.png", help="before and after as one picture")
    bake.add_argument("--progress", choices=["bar", "json", "none"], default="bar")
    inspect = commands.add_parser("inspect", help="say what is unphysical in a clip, before any bake")
    inspect.add_argument("clip", type=Path, metavar="CLIP.bvh")
    _add_clip_options(inspect)
    inspect.add_argument("--report", type=Path, metavar="inspection.json", help="every number of every frame")
    inspect.add_argument("--progress", choices=["bar", "json", "none"], default="bar")
    sample = commands.add_parser("sample", help="write a clip to try Heft on")
    sample.add_argument("name")
    sample.add_argument("-o", "--output", type=Path, required=True, metavar="CLIP.bvh")
    return parser


def _add_clip_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--start", type=int, metavar="F", help="first frame, counted from 1")
    parser.add_argument("--end", type=int, metavar="F", help="last frame, included")
    parser.add_argument("--fps", type=float, help="true frame rate, where the file's is wrong")
    parser.add_argument("--up", choices=["y", "z"], help="the file's up axis")
    parser.add_argument("--scale", type=float, metavar="METRES_PER_UNIT")
    parser.add_argument("--height", type=float, metavar="METRES", help="of the character; sets the scale")
    parser.add_argument("--mass", type=float, metavar="KILOGRAMS")
    parser.add_argument("--floor", type=float, metavar="METRES", help="height of the floor in the clip")
    parser.add_argument("--t-pose", type=int, metavar="FRAMES", help="frames in front that are no motion")
    parser.add_argument("--bone", action="append", default=[], metavar="thigh_l=NAME", help="the bone of a segment")
    parser.add_argument("--friction", type=float, default=0.8)


def settings_from(options: argparse.Namespace) -> BakeSettings:
    _check_range("--scale", options.scale, 1e-6, 1e6)
    _check_range("--fps", options.fps, 1.0, 2000.0)
    _check_range("--height", options.height, 0.3, 10.0)
    _check_range("--mass", options.mass, 1.0, 1000.0)
    _check_range("--floor", options.floor, -1e6, 1e6)
    _check_range("--friction", options.friction, 0.01, 10.0)
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
        bones=tuple(_pair("--bone", text) for text in options.bone),
    )
    if options.command == "inspect":
        return BakeSettings(clip=clip, friction=options.friction)
    _check_range("--budget", options.budget, 0.0, 1e9)
    return BakeSettings(
        clip=clip,
        friction=options.friction,
        engine=options.engine,
        controller=options.controller,
        pushes=tuple(_push(text) for text in options.push),
        assist=_assist(options.assist),
        budget_s=options.budget,
        seed=options.seed,
    )


def _check_range(option: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise SettingsError(f"{option} takes a number from {low:g} to {high:g}, not {value:g}.")


def _assist(text: str) -> Assist:
    if text == "least":
        return "least"
    if text == "none":
        return "none"
    newtons = _number("--assist takes least, none or a limit in newtons", text)
    _check_range("--assist", newtons, 0.0, 1e6)
    return newtons


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


def _push(text: str) -> Push:
    given = dict(_pair("--push", part) for part in text.split(","))
    expected = {"bone", "at", "for", "force"}
    if set(given) != expected:
        raise SettingsError(f"--push takes {_PUSH_EXAMPLE}, not '{text}'.")
    force = [_number("--push takes a force as three numbers in newtons", part) for part in given["force"].split(":")]
    if len(force) != 3:
        raise SettingsError(f"--push takes a force as x:y:z in newtons, not '{given['force']}'.")
    return Push(
        segment=given["bone"],
        at_s=_number("--push takes at= in seconds", given["at"]),
        for_s=_number("--push takes for= in seconds", given["for"]),
        force=(force[0], force[1], force[2]),
    )
