"""Colours and measures of the picture; all lengths in pixels of the finished page, from its lower left corner."""

WIDTH, HEIGHT, DPI = 1800, 1280, 100
LEFT, RIGHT, MARGIN = 144, 1736, 20  # figures and curves share these edges, so that a curve lies under its moment

INK = "#1d2733"
QUIET = "#6f7a87"
HAIRLINE = "#dde1e6"
LEFT_SIDE = "#2f6db3"
RIGHT_SIDE = "#e39a2d"
TRUNK = "#8d97a3"
GHOST = "#e9ecf0"
AIR = "#f7f8fa"
GROUND = "#e7e2d8"
GROUND_LINE = "#857b69"
THING = "#d8d0c0"
LOOSE = "#d9b48f"
FAULT = "#d3202f"
FAULT_TINT = "#fbeaea"
BEFORE = "#a3acb7"
AFTER = INK


def points(pixels: float) -> float:
    """Pixels as the printer's points that line widths and fonts are given in."""
    return pixels * 72.0 / DPI
