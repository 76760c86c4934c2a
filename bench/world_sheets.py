"""Pictures of worlds: a bake as a strip of figures among the things of its scene, and a sheet of strips for a group."""

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image, ImageDraw, ImageFont

from bench.world_list import World
from bench.world_names import file_name, strip_path
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.contact_sheet import base_of
from sim_core.reporting.moments import Story, tell_story
from sim_core.reporting.window import Window, draw_figure, draw_ground, draw_things
from sim_core.settings import EngineName

_WIDTH, _HEIGHT, _DPI = 1200, 150, 100
_EARTH = 30  # pixels of a strip below what a figure stands on
_HEADROOM = 1.03
_TITLE = 22  # pixels over a strip
_COLOURS = 48  # of a sheet: enough for flat colours, and a small file
_FOLDER = Path("pictures/worlds")


def strip_png(result: BakeResult) -> bytes:
    """The figures of the result in a row, in the world as it was then."""
    with matplotlib.rc_context(matplotlib.rcParamsDefault):
        story = tell_story(result)
        figure = Figure(figsize=(_WIDTH / _DPI, _HEIGHT / _DPI), dpi=_DPI, facecolor="white")
        page = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        page.set_xlim(0, _WIDTH)
        page.set_ylim(0, _HEIGHT)
        page.set_autoscale_on(False)
        page.axis("off")
        _draw_figures(page, story)
        content = io.BytesIO()
        figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _draw_figures(page: Axes, story: Story) -> None:
    edges = np.linspace(0.0, _WIDTH, len(story.moments) + 1)
    bases = [base_of(story, moment.after) for moment in story.moments]
    heights = [
        float(moment.after.box[1][1]) - base
        for moment, base in zip(story.moments, bases, strict=True)
        if moment.kept  # a body that was thrown off may leave the strip
    ]
    scale = (_HEIGHT - _EARTH) / (_HEADROOM * max([story.body.height, *heights]))
    for moment, base, left, right in zip(story.moments, bases, edges[:-1], edges[1:], strict=True):
        window = Window(
            lower=np.array([left, 0.0]),
            upper=np.array([right, float(_HEIGHT)]),
            ground=_EARTH,
            middle=moment.after.middle,
            base=base,
            scale=scale,
        )
        draw_ground(page, window, story)
        draw_things(page, window, moment.things)
        draw_figure(page, window, story, moment.after.parts)


def write_sheets(
    worlds: Sequence[World], engines: Sequence[EngineName], build: Path, output: Path, folder: Path = _FOLDER
) -> dict[str, tuple[Path, EngineName]]:
    """For every group that has strips, its sheet beside the page, with the engine of the strips."""
    sheets: dict[str, tuple[Path, EngineName]] = {}
    for group in dict.fromkeys(world.group for world in worlds):
        names = [world.name for world in worlds if world.group == group and world.shown]
        counts = {engine: sum(strip_path(build, name, engine).exists() for name in names) for engine in engines}
        engine = max(engines, key=lambda each: counts[each])
        if not counts[engine]:
            continue
        strips = {name: strip_path(build, name, engine) for name in names}
        sheet = folder / f"{file_name(group)}.png"
        (output / sheet).parent.mkdir(parents=True, exist_ok=True)
        _write_sheet({name: path for name, path in strips.items() if path.exists()}, output / sheet)
        sheets[group] = (sheet, engine)
    return sheets


def _write_sheet(strips: dict[str, Path], path: Path) -> None:
    sheet = Image.new("RGB", (_WIDTH, len(strips) * (_HEIGHT + _TITLE)), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(14)
    for row, (name, strip) in enumerate(strips.items()):
        top = row * (_HEIGHT + _TITLE)
        draw.text((4, top + 3), name, fill="#1d2733", font=font)
        with Image.open(strip) as image:
            sheet.paste(image.convert("RGB"), (0, top + _TITLE))
    sheet.quantize(_COLOURS).save(path, optimize=True)
