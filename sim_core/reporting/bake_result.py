"""Everything that a bake gives."""

from dataclasses import dataclass

from ..motion.clip import Clip
from ..performance import Performance
from ..scene import Scene
from ..simulation.outside_forces import OutsideForce
from ..simulation.recording import Recording
from .measure import FrameMeasures
from .report import Report


@dataclass(frozen=True, kw_only=True, eq=False)
class BakeResult:
    clip: Clip  # exactly the frames asked for, on the source's skeleton
    performance: Performance
    scene: Scene  # as it was simulated, with the balls that were thrown
    recording: Recording
    outside: tuple[OutsideForce, ...]  # that acted in it
    before: FrameMeasures  # of the frames that are motion
    after: FrameMeasures
    report: Report
