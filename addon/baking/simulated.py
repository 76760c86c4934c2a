"""What the worker made of a motion, read and checked before anything is written."""

from dataclasses import dataclass
from typing import Any

from ...sim_core.errors import HeftError, SimulationError
from ...sim_core.motion.clip import Clip
from ...sim_core.motion.clip_npz import load_npz
from ...sim_core.reporting.take import Take, load_take
from ..drawing.take_picture import draw_picture
from ..drawing.telling_moment import hardest_blow
from ..reading.read_motion import RigMotion
from .bake_job import Finished
from .worker_arguments import WorkerFiles


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulated:
    clip: Clip
    take: Take
    take_bytes: bytes
    report: dict[str, Any]
    kept: bool  # the performance, to its last frame
    picture: bytes  # of its way to its most telling moment; empty where it has none


def read_simulated(files: WorkerFiles, done: Finished, motion: RigMotion, *, any_length: bool = False) -> Simulated:
    """A motion that takes the time it takes (`any_length`) may have more frames than the source, or fewer."""
    try:
        clip = load_npz(done.output)
        content = files.take.read_bytes()
        take = load_take(content)
    except (HeftError, OSError) as error:
        raise SimulationError(f"The simulation's result cannot be used ({error}); bake again.") from error
    same = clip.skeleton.names == motion.clip.skeleton.names and len(clip) == len(take)
    same = same and (any_length or len(clip) == len(motion.clip))
    if not same:
        raise SimulationError("The simulation's result belongs to another character or other frames; bake again.")
    return Simulated(
        clip=clip,
        take=take,
        take_bytes=content,
        report=done.report,
        kept=done.kept,
        picture=_picture(take, done.report),
    )


def _picture(take: Take, report: dict[str, Any]) -> bytes:
    """Of falls: they differ by how they come to the ground."""
    fall = report.get("fall")
    if not fall:
        return b""
    first = min(round(fall["at_s"] * take.fps), len(take) - 1)
    return draw_picture(take, first, hardest_blow(take, first))
