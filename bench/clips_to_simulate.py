"""Performances for comparisons of controllers, and their references, without the whole bake."""

from collections.abc import Sequence
from pathlib import Path

from bench.clips import BenchClip, find_clips, read_clip
from sim_core.body.body import Body
from sim_core.performance import Performance
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import has_captured_samples
from sim_core.samples.made_clips import MADE_CLIPS
from sim_core.scene import Scene
from sim_core.settings import BakeSettings


def performances(
    samples: Sequence[str], folder: Path | None, clips: Sequence[str], settings: BakeSettings
) -> dict[str, Performance]:
    """The samples that can be made here, then those clips of the folder."""
    found = [BenchClip(name, None) for name in samples if name in MADE_CLIPS or has_captured_samples()]
    found += [clip for clip in find_clips(folder) if clip.path is not None and clip.name in clips]
    return {clip.name: read_clip(clip, settings) for clip in found}


def reference_for(performance: Performance, body: Body, scene: Scene, settings: BakeSettings) -> Reference:
    """What a bake would track, for a body and a scene that need not be the performance's own."""
    return build_reference(
        performance.motion,
        body,
        scene,
        settings.reference,
        rate=1.0 / settings.step_s,
        hold_s=settings.hold_s,
        made_for=performance.made_for,
    )
