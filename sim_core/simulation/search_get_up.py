"""Getting up after a fall: the fall stays as it was found, and only what follows it is searched."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..progress import Course
from ..reference.reference import Reference
from .path import Path
from .readings import other_readings, reading
from .search_clip import Searched, search_clip
from .search_fall import Fell
from .simulator import Setup

LONGEST_S = 8.0  # that getting up takes, quiet stand included
_READING_WORK = 0.0003  # seconds of a step on a usual machine; progress needs only its ratio to other work


class GotUp(NamedTuple):
    reference: Reference  # falling as it fell, and getting up
    searched: Searched  # fall included


def search_get_up(
    setup: Setup,
    fell: Fell,
    clip: Clip,  # from the first simulated frame on: falling as it fell, and getting up
    course: Course,
    then: float,  # work that follows
    frame_at: Callable[[float], int],  # as the person counts, at a time
) -> GotUp:
    settings = setup.settings
    work = _READING_WORK * len(clip) / clip.fps * setup.reference.rate
    fitting = course.stage("Fitting it to the ground", work, then=then)
    reference = reading(clip, setup.body, setup.scene, None, settings, settings.reference, fitting)
    searched = search_clip(
        replace(setup, readings=(reference,)),
        course,
        then,
        frame_at,
        lambda progress: other_readings(clip, setup.body, setup.scene, None, settings, progress),
        _as_given(fell.searched.found.path),
    )
    return GotUp(reference, searched)


def _as_given(path: Path) -> Path:
    """A fall as the beginning of what follows: from its end on another controller begins anew, on the path."""
    last = path[-1]
    end = last.stretch.end
    begins = end._replace(row=end.step, memory=None, displaced=np.zeros(3))
    return (*path[:-1], last._replace(stretch=replace(last.stretch, end=begins)))
