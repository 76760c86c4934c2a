"""The command line's options. What they stand for is in option_values.py, which loads far more."""

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from .errors import SettingsError
from .fall_options import add_fall_options
from .roll_options import add_roll_options

PUSH_EXAMPLE = "bone=chest,at=1.2,for=0.2,force=0:120:0"
PULL_EXAMPLE = "bone=hand_r,at=1.2,for=0.2,to=0.5:0:1,force=60"
THROW_EXAMPLE = "target=chest,at=1.2,mass=4,speed=5,from=left"
KEEP_LEVEL_EXAMPLE = "bone=hand_r"
TURN_EXAMPLE = "30,at=1.2"
STANCE_EXAMPLE = "foot=left,is=stands,at=1.2,for=0.2"
_PUSH_HELP = (
    "seconds after the first frame, newtons (Z up); or frame=30,frames=6 in place of at= and for=; "
    "with space=character forward:left:up of the character"
)
_PULL_HELP = (
    "towards a point in the clip's own axes, several in turn as x:y:z/x:y:z, or by=THING of the scene; "
    "with at most so many newtons"
)
_THROW_HELP = (
    "a ball that hits at this moment, thrown from a side of the character or from x:y:z in the clip's own axes"
)
_KEEP_LEVEL_HELP = "what of the bone points up at first stays up, as if it held a cup; all the time, or at=,for="
_TURN_HELP = "the way bends by so many degrees, to the left where positive, over the next one or two steps"
_STANCE_HELP = "what a foot does, where the clip does not tell it well: it stands, swings or slides"
_ASSIST_HELP = (
    "help from outside: the least that keeps the performance, none, or a limit in newtons or as 20%% of body weight"
)
_REALISM_HELP = (
    "how far help may go: 1 realistic, 0.5 plausible, 0 unfallable; sets --foot-torque and --assist where they are not "
    "given"
)
_FOOT_TORQUE_HELP = (
    "of va: a standing foot is steadied from outside where its ankle is to bear more than MIN newton metres, and let "
    "go of beyond MAX, where the character falls (inf: never)"
)
_CONTROLLER_HELP = (
    "what drives the body: qp tracks the clip with balance and steps in mind, va balances it by virtual forces and "
    "steadied feet, hard to fell, pd is the plain baseline"
)
_MOTION_HELP = "what to do with the clip: track it, hold its first pose for as many frames, roll, or fall"
_PRESET_HELP = "of qp: heft, Heft's own and what is used, mcsim or yu, as they were published"
_BALANCE_HELP = "of mcsim: none, or one of the balance strategies of its thesis"
_BUDGET_HELP = (
    "how long to look for a way without assist: draft takes one pass, good up to about ten times the clip's length, "
    "best as long as something improves, a number so many seconds by the clock"
)
_HEADING_HELP = "where uphill is: 0 along the clip's travel, 90 to the left of it"
_SCENE_HELP = "ground and objects as a file, or auto: what the clip was captured on, found by its feet"
_PROPOSE_HELP = "write what the clip was captured on, found by its feet"
SCENE_BY_FEET = "auto"  # in place of a file


class OneLineParser(argparse.ArgumentParser):
    """Options by their whole names only, and complaints as one sentence."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        return super().parse_known_args(_joined(sys.argv[1:] if args is None else args), namespace)

    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message[0].upper()}{message[1:]}; see '{self.prog} --help'.")


def _joined(arguments: Sequence[str]) -> list[str]:
    """A turn to the right begins as an option does: it is written behind its own, as in --turn=-30,at=1."""
    joined: list[str] = []
    for text in arguments:
        if joined and joined[-1] == "--turn" and text.startswith("-"):
            joined[-1] = f"--turn={text}"
        else:
            joined.append(text)
    return joined


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
    bake.add_argument("--motion", choices=["track", "hold", "roll", "fall"], default="track", help=_MOTION_HELP)
    add_roll_options(bake)
    add_fall_options(bake)
    bake.add_argument("--seconds", type=float, help="of hold: how long, instead of to --end")
    bake.add_argument("--controller", choices=["qp", "va", "pd"], default="qp", help=_CONTROLLER_HELP)
    bake.add_argument("--preset", choices=["heft", "mcsim", "yu"], help=_PRESET_HELP)
    bake.add_argument("--balance", choices=["none", "full-state", "three-link"], help=_BALANCE_HELP)
    bake.add_argument("--engine", default="auto", help="auto, bullet or mujoco")
    for option, example, words in (
        ("--push", PUSH_EXAMPLE, _PUSH_HELP),
        ("--pull", PULL_EXAMPLE, _PULL_HELP),
        ("--throw", THROW_EXAMPLE, _THROW_HELP),
        ("--keep-level", KEEP_LEVEL_EXAMPLE, _KEEP_LEVEL_HELP),
        ("--turn", TURN_EXAMPLE, _TURN_HELP),
        ("--stance", STANCE_EXAMPLE, _STANCE_HELP),
    ):
        bake.add_argument(option, action="append", default=[], metavar=example, help=words)
    bake.add_argument("--realism", type=float, metavar="0..1", help=_REALISM_HELP)
    bake.add_argument("--foot-torque", metavar="MIN:MAX", help=_FOOT_TORQUE_HELP)
    bake.add_argument("--assist", metavar="least|none|LIMIT", help=_ASSIST_HELP)
    bake.add_argument("--stiffness", type=float, default=1.0, help="how firmly joints hold their pose; 1 is usual")
    bake.add_argument("--budget", default="good", metavar="draft|good|best|SECONDS", help=_BUDGET_HELP)
    bake.add_argument("--seed", type=int, default=0, help="of the variations that are tried")
    bake.add_argument("--workers", type=int, metavar="N", help="processes that try variations; one for each core")
    bake.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that tries variations instead")
    bake.add_argument("--report", type=Path, metavar="report.json")
    bake.add_argument("--take", type=Path, metavar="take.npz", help="shapes, forces and assist of every frame")
    bake.add_argument("--picture", type=Path, metavar="report.png", help="before and after as one picture")
    bake.add_argument("--objects", type=Path, metavar="objects.json", help="where loose objects are at every frame")
    bake.add_argument("--states", type=Path, metavar="states.npz", help="keep what is needed to go on from the midst")
    bake.add_argument("--from", type=int, dest="from_frame", metavar="F", help="simulate from this frame on only,")
    bake.add_argument("--after", type=Path, metavar="states.npz", help="after the states that an earlier bake has kept")
    bake.add_argument("--progress", choices=["bar", "json", "none"], default="bar")
    inspect = commands.add_parser("inspect", help="say what is unphysical in a clip, before any bake")
    inspect.add_argument("clip", type=Path, metavar="CLIP.bvh")
    _add_clip_options(inspect)
    inspect.add_argument("--report", type=Path, metavar="inspection.json", help="every number of every frame")
    inspect.add_argument("--propose-scene", type=Path, metavar="scene.json", help=_PROPOSE_HELP)
    inspect.add_argument("--progress", choices=["bar", "json", "none"], default="bar")
    sample = commands.add_parser("sample", help="write a clip to try Heft on")
    sample.add_argument("name", metavar="NAME", help="which one; an unknown name lists them all")
    sample.add_argument("-o", "--output", type=Path, required=True, metavar="CLIP.bvh")
    sample.add_argument("--seconds", type=float, help="how long; walk, run and other cycles repeat")
    return parser


def progress_asked(arguments: Sequence[str]) -> str:
    """The value of --progress, known even where the arguments make no sense otherwise."""
    spaced = [value for option, value in pairwise(arguments) if option == "--progress"]
    joined = [text.removeprefix("--progress=") for text in arguments if text.startswith("--progress=")]
    return next(iter([*spaced, *joined]), "bar")


def _add_clip_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--start", type=int, metavar="F", help="first frame, counted from 1 or --first-frame")
    parser.add_argument("--end", type=int, metavar="F", help="last frame, included")
    parser.add_argument("--first-frame", type=int, default=1, metavar="N", help="the number of the clip's first frame")
    parser.add_argument("--fps", type=float, help="true frame rate, where the file's is wrong")
    parser.add_argument("--up", choices=["y", "z"], help="the file's up axis")
    parser.add_argument("--scale", type=float, metavar="METRES_PER_UNIT")
    parser.add_argument("--height", type=float, metavar="METRES", help="of the character; sets the scale")
    parser.add_argument("--mass", type=float, metavar="KILOGRAMS")
    parser.add_argument("--floor", type=float, metavar="METRES", help="height of the floor in the clip")
    parser.add_argument("--t-pose", type=int, metavar="FRAMES", help="frames in front that are no motion")
    parser.add_argument("--bone", action="append", default=[], metavar="thigh_l=NAME", help="the bone of a segment")
    parser.add_argument("--slope", type=float, metavar="DEG", help="tilt the ground; uphill is positive")
    parser.add_argument("--slope-heading", type=float, metavar="DEG", help=_HEADING_HELP)
    parser.add_argument("--scene", type=Path, metavar="scene.json|auto", help=_SCENE_HELP)
    parser.add_argument("--friction", type=float, help="of every contact; 0.8 where nothing else is said")
