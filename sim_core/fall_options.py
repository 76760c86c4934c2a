"""The command line's options of a fall. What they stand for is in fall_values.py, which loads far more."""

import argparse

ENDS = ("lie", "up", "clip")
STYLES = ("brace", "roll", "stunt", "limp")
_AT_HELP = "of fall: the frame of the clip at which it falls, instead of where it cannot keep its balance"
_TO_HELP = "of fall: where to, from where the character faces, to the left where positive; else where it is carried"
_STYLE_HELP = "of fall: it braces itself, rolls on, does a stunt, or goes limp"
_PROTECT_HELP = "of fall: a segment or bone that is spared as much as the head; may be repeated"
_LAND_HELP = "of fall: where it is to land, in the clip's own axes"
_STRENGTH_HELP = "of fall: how strong it is; 1 is usual, 0.3 tired or drunk"
_DELAY_HELP = "of fall: seconds until it reacts, beyond what anybody needs"


def add_fall_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fall-at", type=int, metavar="F", help=_AT_HELP)
    parser.add_argument("--fall-to", type=float, metavar="DEG", help=_TO_HELP)
    parser.add_argument("--fall-style", choices=STYLES, help=_STYLE_HELP)
    parser.add_argument("--protect", action="append", metavar="BONE", help=_PROTECT_HELP)
    parser.add_argument("--land-at", metavar="X:Y:Z", help=_LAND_HELP)
    parser.add_argument("--strength", type=float, metavar="FACTOR", help=_STRENGTH_HELP)
    parser.add_argument("--reaction", type=float, metavar="SECONDS", help=_DELAY_HELP)
