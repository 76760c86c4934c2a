"""The page: a verdict, the contact sheet, the curves."""

import io

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..rig.segments import in_words
from . import picture_style as style
from .bake_result import BakeResult
from .contact_sheet import draw_contact_sheet
from .curves import draw_curves
from .moments import Story, tell_story
from .report import Report

_VERDICT, _DETAILS = 1240, 1208  # lines of text, their middle
_ENGINES = {"bullet": "Bullet", "mujoco": "MuJoCo"}
_CONTROLLERS = {"qp": "tracking", "pd": "baseline"}


def page_png(result: BakeResult) -> bytes:
    """The same bytes for the same result, whatever the person's matplotlib is set to."""
    with matplotlib.rc_context(matplotlib.rcParamsDefault):
        story = tell_story(result)
        figure = Figure(figsize=(style.WIDTH / style.DPI, style.HEIGHT / style.DPI), dpi=style.DPI, facecolor="white")
        page = _whole_page(figure)
        _draw_heading(page, story, result.report)
        draw_contact_sheet(page, story)
        draw_curves(figure, story, result)
        content = io.BytesIO()
        figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _whole_page(figure: Figure) -> Axes:
    """Axes whose units are the pixels of the page."""
    page = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    page.set_xlim(0, style.WIDTH)
    page.set_ylim(0, style.HEIGHT)
    page.set_autoscale_on(False)
    page.axis("off")
    return page


def _draw_heading(page: Axes, story: Story, report: Report) -> None:
    page.text(
        style.LEFT,
        _VERDICT,
        _verdict(story, report),
        color=style.INK if report.completed else style.FAULT,
        va="center",
        fontsize=19,
        weight="bold",
    )
    details = [
        f"{_ENGINES.get(report.engine, report.engine)}, {_controller(report)}",
        f"assist {100.0 * report.assist.mean_bw:.1f} % of body weight on average",
        # Once the performance is lost, how near its joints stay to the source means nothing.
        *([f"joints within {report.tracking.joint_deg:.1f}° on average"] if report.completed else []),
        f"{report.frames} frames at {report.fps:g} fps",
        *_disturbed(report),
    ]
    page.text(style.LEFT, _DETAILS, "   ·   ".join(details), color=style.QUIET, va="center", fontsize=10.5)


def _disturbed(report: Report) -> list[str]:
    """What happened to the character, in a few words each."""
    counts = [
        (f"{what}{'' if count == 1 else f' {count} times'}", count)
        for what, count in (
            ("pushed", len(report.pushes)),
            ("pulled", len(report.pulls)),
            ("a ball thrown at it", len(report.throws)),
        )
    ]
    return [
        *(words for words, count in counts if count),
        *(f"turns by {turn.angle_deg:g}°" for turn in report.turns),
        *(f"{in_words(level.bone)} level within {level.worst_deg:.1f}°" for level in report.keep_level),
    ]


def _controller(report: Report) -> str:
    if report.motion == "roll":
        return "rolling controller"
    if report.motion == "fall":
        return "falling controller"
    name = f"{_CONTROLLERS.get(report.controller, report.controller)} controller"
    return name if report.preset is None else f"{name} ({report.preset})"


def _what(report: Report) -> str:
    return {"roll": "Roll", "fall": "Fall"}.get(report.motion, "Performance")


def _verdict(story: Story, report: Report) -> str:
    if story.lost_frame is None:
        stopped_at = report.simulated_to_frame
        return (
            f"{_what(report)} kept"
            if stopped_at is None
            else f"Stopped at frame {stopped_at}; the rest is the source's"
        )
    return f"{_what(report)} lost at frame {story.first_frame + round(story.lost_frame)}: it {report.why}"
