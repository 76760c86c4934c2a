"""A search from its settings: who carries it out, what it may cost, and how it tells of itself."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..controllers.tracking.heft_aims import character_axes
from ..controllers.variation import Variation
from ..progress import Course, Progress
from ..reference.reference import Reference
from ..settings import BakeSettings
from .allowance import Allowance
from .cluster import Cluster
from .crew import Crew
from .health import Health
from .kinds import kind_at
from .one_pass import Voice
from .path import Path
from .recording import Recording
from .remembered import remembered
from .search import Found, Search, limits_of
from .simulator import Setup
from .stretch import recording_of

_STEP_WORK = 0.0011  # seconds of a step on a usual machine; progress needs only its ratio to other work


class Searched(NamedTuple):
    found: Found
    recording: Recording
    limit: float  # [N] the most help that was allowed, by the person or, where that is free, by the search
    cpu_s: float  # of all processes


def most_work(settings: BakeSettings, clip_s: float) -> float:
    """Seconds that a search may take, on a usual machine."""
    once = _STEP_WORK * (clip_s + settings.hold_s) / settings.step_s
    if isinstance(settings.budget, float | int):
        return max(float(settings.budget), once)
    most_s = Allowance(settings.budget, clip_s).most_simulated_s
    return once + _STEP_WORK * most_s / settings.step_s / worker_count(settings)


def search_clip(
    setup: Setup,
    course: Course,
    then: float,  # work that follows
    frame_at: Callable[[float], int],  # as the person counts, at a time
    other_readings: Callable[[Progress], tuple[Reference, ...]],
    given: Path = (),  # what is done already
) -> Searched:
    reference, settings = setup.reference, setup.settings
    allowance = Allowance(settings.budget, reference.clip_steps / reference.rate)
    axes = character_axes(setup.body, reference, setup.scene)
    left = most_work(settings, reference.clip_steps / reference.rate)

    def stage(words: str, steps: float) -> Progress:
        work = _STEP_WORK * steps
        return course.unless_stopped(course.stage(words, work, then=then + left * allowance.fraction_left))

    def frame(step: int) -> int:
        return frame_at(min(step, reference.clip_steps - 1) / reference.rate)

    def falls(step: int, health: Health) -> str:
        return f"Frame {frame(step)}: {_direction(health, axes[min(step, len(axes) - 1)])}"

    voice = Voice(
        simulating=lambda first, last: stage(f"Simulating, frame {frame(first)} to {frame(last)}", last - first),
        holding=lambda step, health: stage(f"{falls(step, health)}, trying to hold it", 500.0),
        varying=lambda step, health, count: stage(f"{falls(step, health)}, trying {count} variations", 500.0),
    )
    cluster = None if settings.scheduler is None else Cluster(settings.scheduler)
    with Crew(setup, worker_count(settings), cluster) as crew:

        def prepare_to_vary() -> None:
            more = other_readings(stage("Reading the clip in other ways", 0.5 * len(reference)))
            crew.equip(replace(setup, readings=(reference, *more)))

        def known(step: int) -> tuple[Variation, ...]:
            return remembered(kind_at(reference, setup.body, min(step, len(reference) - 1)))

        limits = limits_of(settings.assist, setup.weight)
        found = Search(crew, limits, allowance, settings.seed, voice, known, prepare_to_vary, given).run()
    recording = recording_of([leg.stretch for leg in found.path], setup.body, setup.scene, reference.rate)
    allowed = limits if settings.assist != "least" else tuple(leg.window.assist_limit for leg in found.path)
    limit = max(allowed, default=0.0)
    return Searched(found, recording, limit, crew.cpu_s)


def worker_count(settings: BakeSettings) -> int:
    """As many as were asked for, or one for each core that this process may use."""
    if settings.workers is not None:
        return settings.workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _direction(health: Health, axes: Floats) -> str:
    """Where the body falls to, seen from itself."""
    ahead, left, _ = health.capture @ axes
    if np.hypot(ahead, left) < 0.05:
        return "sinking"
    if abs(ahead) > abs(left):
        return "falling forward" if ahead > 0.0 else "falling backward"
    return "falling left" if left > 0.0 else "falling right"
