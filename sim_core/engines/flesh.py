"""How the flesh of a link meets what it touches, in the words that both engines share."""

from dataclasses import replace

from ..body.body import FIRM, Box, Link, Shape

# Who lies has a weight spread over a dozen points and sinks in by a fifth of what flesh can give; who rolls on two or
# three points sinks in by all of it. Standing out by half keeps both within millimetres of where they should be.
_STANDS_OUT = 0.5


def softness(link: Link) -> float:
    """How many times farther than firm flesh it gives way; 1 for feet, which are always firm."""
    return 1.0 if isinstance(link.shape, Box) else max(link.give_m / FIRM, 1.0)


def stands_out(link: Link) -> float:
    """By how much soft flesh stands out unpressed, so that under load it is about where it should be [m]."""
    return _STANDS_OUT * (softness(link) - 1.0) * FIRM


def unpressed(link: Link) -> tuple[Shape, ...]:
    """The shape of a link and then its padding, as they are when nothing presses them."""
    out = stands_out(link)
    if out == 0.0:
        return link.flesh
    return tuple(shape if isinstance(shape, Box) else replace(shape, radius=shape.radius + out) for shape in link.flesh)
