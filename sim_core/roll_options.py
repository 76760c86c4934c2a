"""The command line's options of a roll. What they stand for is in roll_values.py, which loads far more."""

import argparse
from pathlib import Path

KINDS = ("clip", "forward", "backward", "sideways", "shoulder")
ENDS = ("stand", "clip", "roll")
_ROLL_HELP = "of roll: the clip's own roll, or one that is made for the character, out of poses"
_THEN_HELP = (
    "of roll: what follows the last one: it stands up, the clip goes on, or it ends rolling; of fall: it lies, gets "
    "up, or gets up and the clip goes on"
)
_AT_HELP = "of roll: the frame of the clip at which it begins, instead of the first"
_DIRECTION_HELP = (
    "of roll: where to, from where the character faces, to the left where positive; ahead where nothing is said, "
    "and behind it for a backward roll"
)
_POSES_HELP = "of roll: a clip of the same rig, each frame of which is a pose to roll through, two or more"


def add_roll_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--roll", choices=KINDS, help=_ROLL_HELP)
    parser.add_argument("--rolls", type=int, metavar="N", help="of roll: how often; once where nothing is said")
    parser.add_argument("--distance", type=float, metavar="METRES", help="of roll: how far, instead of how often")
    parser.add_argument("--direction", type=float, metavar="DEG", help=_DIRECTION_HELP)
    parser.add_argument("--roll-speed", type=float, metavar="FACTOR", help="of roll: how fast; 1 is usual")
    parser.add_argument("--roll-at", type=int, metavar="F", help=_AT_HELP)
    parser.add_argument("--then", choices=(*ENDS, "lie", "up"), help=_THEN_HELP)
    parser.add_argument("--poses", type=Path, metavar="POSES.bvh", help=_POSES_HELP)
