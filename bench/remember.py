"""Makes sim_core/simulation/remembered.json anew: variations that carried clips of the tuning half over a fall.

make remember CLIPS=FOLDER, or from the repository's root: python -m bench.remember FOLDER [--workers 2]

Clips that stand by themselves are shoved, so that something falls. Every bake is a search of its own with nothing
remembered, so that the file does not feed on itself.
"""

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import sim_core.simulation.search_clip as search_clip_module
from bench.clips import BenchClip, find_clips, read_clip
from sim_core.bake import bake
from sim_core.controllers.variation import AS_IT_IS, Variation
from sim_core.disturbances import Push
from sim_core.engines.engine import available_engines
from sim_core.settings import BakeSettings, EngineName
from sim_core.simulation.kinds import KINDS, Kind, kind_at
from sim_core.simulation.remembered import FILE, changes_of

_FALLING = ["49_06", "05_02", "139_16", "90_33", "90_16", "128_10", "crawl", "getup_facedown"]
_SHOVED = ["07_05", "16_15", "16_17", "69_70", "16_08", "128_05", "16_03"]
_SHOVES = ((150.0, 0.0), (-150.0, 0.0), (0.0, 150.0), (0.0, -150.0))  # [N] along x and y
_SHOVE_S = 0.2
_SHOVED_AT = 0.4  # of the clip's length
_MOST = 5  # of each kind


class Job(NamedTuple):
    clip: BenchClip
    engine: EngineName
    shove: tuple[float, float] | None


class Lesson(NamedTuple):
    kind: Kind
    variation: Variation
    cost: float  # of how it stood at its end


def lessons_of(job: Job) -> list[Lesson]:
    """The variations in which windows of the result begin to be driven, where no help was needed."""
    settings = BakeSettings(engine=job.engine, assist="none", workers=1)
    performance = read_clip(job.clip, settings)
    if job.shove is not None:
        at_s = _SHOVED_AT * len(performance.motion) / performance.motion.fps
        push = Push(bone="chest", at_s=at_s, for_s=_SHOVE_S, force=(*job.shove, 0.0))
        settings = BakeSettings(engine=job.engine, assist="none", workers=1, disturbances=(push,))
    lessons: list[Lesson] = []
    find = search_clip_module.search_clip

    def listened(setup, *others, **named):  # type: ignore[no-untyped-def]
        searched = find(setup, *others, **named)
        before = AS_IT_IS
        for leg in searched.found.path:
            by = leg.window.variation
            if leg.stretch.failure is not None:
                break
            if by not in (before, AS_IT_IS) and leg.health.is_sound:
                kind = kind_at(setup.reference, setup.body, leg.stretch.first)
                lessons.append(Lesson(kind, by, leg.health.cost))
            before = by
        return searched

    with patch("sim_core.bake.search_clip", listened), patch.object(search_clip_module, "remembered", lambda kind: ()):
        bake(performance, settings)
    return lessons


def chosen(lessons: Sequence[Lesson]) -> dict[str, list[dict[str, float]]]:
    """The soundest of each kind; the usual reading of a clip is remembered, since others are made later."""
    return {
        kind: [
            changes_of(lesson.variation)
            for lesson in sorted((one for one in lessons if one.kind == kind), key=lambda one: one.cost)[:_MOST]
        ]
        for kind in KINDS
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    engine = available_engines()[-1]
    jobs = [Job(clip, engine, shove) for clip in find_clips(options.folder, _SHOVED) for shove in _SHOVES]
    jobs += [Job(clip, engine, None) for clip in find_clips(options.folder, _FALLING)]
    lessons: list[Lesson] = []
    with ProcessPoolExecutor(options.workers) as pool:
        for future in as_completed([pool.submit(lessons_of, job) for job in jobs]):
            lessons += future.result()
            page = json.dumps(chosen(lessons), indent=1) + "\n"
            (Path(search_clip_module.__file__).parent / FILE).write_text(page, encoding="utf-8")
            print({kind: sum(one.kind == kind for one in lessons) for kind in KINDS}, flush=True)


if __name__ == "__main__":
    main()
