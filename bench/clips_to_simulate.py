"""Performances for comparisons of controllers, and their references, without the whole bake."""

from collections.abc import Sequence
from pathlib import Path

from sim_core.bake import read_performance
from sim_core.body.body import Body
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reference.onto_ground import onto_ground
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.samples.made_clips import MADE_CLIPS
from sim_core.scene import Scene
from sim_core.settings import BakeSettings


def performances(
    samples: Sequence[str], folder: Path | None, clips: Sequence[str], settings: BakeSettings
) -> dict[str, Performance]:
    """The samples that can be made here, then the clips of the folder whose names contain one of `clips`."""
    names = [name for name in samples if name in MADE_CLIPS or has_captured_samples()]
    sources = {name: SourceClip(clip=make_sample(name), t_pose_frames=0, guesses=(), notes=()) for name in names}
    found = {name: prepare(source, settings.clip, settings.friction) for name, source in sources.items()}
    for path in sorted(folder.glob("*.bvh")) if folder is not None else []:
        if any(name in path.stem for name in clips):
            found[path.stem] = read_performance(path, settings)
    return found


def reference_for(performance: Performance, body: Body, scene: Scene, settings: BakeSettings) -> Reference:
    """What a bake would track, for a body and a scene that need not be the performance's own."""
    adapted = onto_ground(performance.motion, body, performance.made_for, scene.ground)
    return build_reference(adapted, body, scene, settings.reference, rate=1.0 / settings.step_s, hold_s=settings.hold_s)
