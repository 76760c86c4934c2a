"""A fall from its settings: the clip until the balance is lost, the fall that spares the body most, and lying still."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..controllers.variation import AS_IT_IS, Variation
from ..disturbances import Push
from ..dynamics.kinematics import motion, pose
from ..errors import SettingsError
from ..falling.fall_reference import falling_from
from ..falling.fall_script import Numbers
from ..falling.fall_styles import style_of
from ..falling.known_falls import known_falls
from ..falling.lost_balance import beyond_any_step
from ..falling.strength import with_strength
from ..posing.heading import axes_facing, facing_of
from ..progress import Course, Progress
from ..reference.reference import Reference
from .allowance import Allowance
from .crew import Crew
from .fall_search import LOOK_S, FallFound, FallSearch, Judged
from .impulses import PROTECTED, peak_impulses, weights_of
from .path import Path
from .search import Found
from .search_clip import Searched, worker_count
from .simulate import beginning
from .simulator import Setup
from .stretch import Moment, Stretch, contacts_of, recording_of
from .trial import Leg, Trial, Window

LONGEST_S = 5.0  # after which who falls lies still, or never will
_STEP_WORK = 0.0011  # seconds of a step on a usual machine; progress needs only its ratio to other work
_WINDOW_S = 0.1
_GOOD_S = 130.0  # simulated, of a good search: about a minute on two cores
_LOOK_EVERY = 5  # steps
_BEFORE_S = 0.3  # who leaves its path without having lost its balance falls from so long before
_REST_RAD_S = 0.2
_REST_M_S = 0.04
_REST_LOOK_S = 0.1
_SEEN_S = 0.4
_SOON_S = 2.9  # after it lost its balance: when it is to be at rest
_LATE = 500.0  # [N s] for each second that it rests later
_NEVER = 1e4


class Fell(NamedTuple):
    reference: Reference  # with the fall in it
    searched: Searched
    found: FallFound
    numbers: Numbers  # of the script that it fell by
    first_step: int  # of the fall
    rests_at_s: float | None  # after the first simulated frame; None where it does not come to rest


def search_fall(
    setup: Setup,
    course: Course,
    then: float,  # work that follows
    at_step: int | None,  # None is where a fall cannot be avoided
    protect: Sequence[str],  # segments that are to be spared as much as the head
    land_at: Floats | None,  # (3,) in the world
) -> Fell:
    settings, fall, rate = setup.settings, setup.settings.fall, setup.reference.rate
    budget = "draft" if fall.style == "limp" else settings.budget  # who is limp has no choice
    allowance = Allowance(budget, 0.0, good_least_s=_GOOD_S)
    work = _STEP_WORK * rate * (allowance.most_simulated_s + LONGEST_S) / worker_count(settings)
    with Crew(setup, 1) as crew:
        tracked = _until_it_falls(crew, course, work + then, at_step)
        cpu_s = crew.cpu_s
    start = beginning(setup.reference, setup.scene) if tracked is None else tracked.stretch.end
    start = start._replace(memory=None)
    direction = _direction(setup, start, land_at)
    reference = falling_from(setup.reference, start.step, direction, LONGEST_S)
    falling = replace(setup, readings=(reference,), body=with_strength(setup.body, fall.strength))
    with Crew(falling, worker_count(settings)) as crew:
        style = style_of(fall.style, settings.seed)
        weights = weights_of(setup.body, {name: PROTECTED for name in protect})
        looking = course.unless_stopped(course.stage("Looking for a good fall", work, then=then))
        known = known_falls(_angle(setup, start, direction)) if fall.style == "brace" and settings.seed == 0 else ()
        search = FallSearch(crew, start, weights, land_at, style)
        found = search.run(known, settings.seed, allowance, looking)
        whole = _best_to_its_end(crew, start, found, weights)
        cpu_s += crew.cpu_s
    path: Path = (*(() if tracked is None else (tracked,)), *whole.falls, *whole.lies)
    recording = recording_of([leg.stretch for leg in path], setup.body, setup.scene, rate)
    rests = bool(whole.lies)
    if not rests and recording.failure is None:
        recording = replace(recording, failure="was still falling at its end", failed_at_s=len(recording.q) / rate)
    all_found = Found(path, {}, found.rollouts, allowance.simulated_s, False, found.stopped)
    rests_at_s = whole.falls[-1].stretch.end.step / rate if rests else None
    return Fell(reference, Searched(all_found, recording, 0.0, cpu_s), found, whole.numbers, start.step, rests_at_s)


def _until_it_falls(crew: Crew, course: Course, then: float, at_step: int | None) -> Leg | None:
    """The clip up to where the balance is lost; None where that is its first step."""
    reference = crew.setup.reference
    delay = round(crew.setup.settings.fall.delay_s * reference.rate)
    last = len(reference) - 1 if at_step is None else min(at_step + delay, len(reference) - 1)
    if last == 0:
        return None
    progress = course.stage("Simulating until it falls", _STEP_WORK * last, then=then)
    leg = _tracked(crew, last, progress)
    if leg.stretch.failure is None:
        if at_step is not None:
            return leg
        raise SettingsError(
            "Nothing makes the character fall: it keeps its balance to the end. Push it harder (--push), or say at "
            "which frame it falls (--fall-at)."
        )
    lost = _lost_at(leg.stretch, crew.setup) + delay
    return _tracked(crew, min(lost, len(leg.stretch)) // _LOOK_EVERY * _LOOK_EVERY, progress) if lost > 0 else None


def _tracked(crew: Crew, until: int, progress: Progress) -> Leg:
    start = beginning(crew.setup.reference, crew.setup.scene)
    (attempt,) = crew.perform([Trial(start, (Window(until, AS_IT_IS, 0.0),))], progress)
    return attempt.legs[-1]


def _lost_at(stretch: Stretch, setup: Setup) -> int:
    """The step from which on no step of the feet could have caught it."""
    body, scene, rate = setup.body, setup.scene, setup.reference.rate
    failed = len(stretch) if stretch.failed_step is None else min(stretch.failed_step, len(stretch))
    lost = max(failed - round(_BEFORE_S * rate), 0)
    for step in range(failed - 1, -1, -_LOOK_EVERY):
        bears = stretch.contacts.positions[stretch.contacts.steps == step]
        ground = float(scene.surface(step / rate).height(stretch.q[step, None, :3])[0])
        if not beyond_any_step(body, stretch.q[step], stretch.v[step], bears, ground, scene.gravity):
            break
        lost = min(lost, step)
    return lost


def _direction(setup: Setup, start: Moment, land_at: Floats | None) -> float | None:
    """Where it is to fall, from where it faces [rad]: what a person says, or where he wants it to land."""
    asked = setup.settings.fall.direction_deg
    if asked is not None or land_at is None:
        return None if asked is None else float(np.radians(asked))
    where = pose(setup.body, start.state.q)
    way = land_at - where.com
    return float(np.arctan2(way[1], way[0])) - facing_of(setup.body, where)


def _angle(setup: Setup, start: Moment, direction: float | None) -> float:
    """Where it is likely to fall, from where it faces [rad]: where it goes, and where it is about to be pushed."""
    if direction is not None:
        return direction
    now = motion(setup.body, start.state.q, start.state.v)
    facing = facing_of(setup.body, now.pose)
    going, at_s = now.linear_momentum, start.step / setup.reference.rate
    for push in setup.outside:
        if isinstance(push, Push) and 0.0 <= push.at_s + push.for_s - at_s < push.for_s + _BEFORE_S:
            axes = np.eye(3) if push.space == "world" else axes_facing(facing)
            going = going + axes @ np.asarray(push.force) * push.for_s
    return float(np.arctan2(going[1], going[0])) - facing


class _Whole(NamedTuple):
    """A fall to its end."""

    numbers: Numbers
    falls: Path
    lies: Path  # nothing where it does not come to rest
    cost: float


def _best_to_its_end(crew: Crew, start: Moment, found: FallFound, weights: Floats) -> _Whole:
    """Who lies on an edge of his body may still tip over, later than the search looks: then another fall is better."""
    best: _Whole | None = None
    for leader in found.leaders:
        if best is not None and (found.stopped or best.cost <= leader.cost):
            break  # its end adds to what a fall costs
        whole = _to_its_end(crew, start, leader, weights)
        best = whole if best is None else min(best, whole, key=lambda one: one.cost)
    assert best is not None
    return best


def _to_its_end(crew: Crew, start: Moment, leader: Judged, weights: Floats) -> _Whole:
    setup, rate = crew.setup, crew.setup.reference.rate
    falls = _to_rest(crew, start, leader.numbers)
    lies = _lying_on(crew, falls, leader.numbers)
    stretches = [leg.stretch for leg in (*falls, *lies)]
    contacts = contacts_of(stretches, start.step)
    peaks = peak_impulses(contacts, sum(len(one) for one in stretches), setup.body, rate)
    late = max((falls[-1].stretch.end.step - start.step) / rate - _SOON_S, 0.0)
    cost = leader.cost + float((peaks - leader.peaks) @ weights) + _LATE * late + (0.0 if lies else _NEVER)
    return _Whole(leader.numbers, falls, lies, cost)


def _to_rest(crew: Crew, start: Moment, numbers: Numbers) -> Path:
    reference = crew.setup.reference
    assert reference.fall is not None
    by = Variation(fall=numbers)
    path: Path = ()
    until = start.step + round(LOOK_S * reference.rate)
    while True:
        moment = path[-1].stretch.end if path else start
        (attempt,) = crew.perform([Trial(moment, (Window(until, by, 0.0),))], lambda fraction: None)
        path = (*path, *attempt.legs)
        stretch = path[-1].stretch
        if stretch.broken or until >= reference.fall.last or _is_at_rest(stretch, reference.rate):
            return path
        until = min(until + round(_WINDOW_S * reference.rate), reference.fall.last)


def _lying_on(crew: Crew, falls: Path, numbers: Numbers) -> Path:
    """Who has come to rest is seen to lie."""
    if not _is_at_rest(falls[-1].stretch, crew.setup.reference.rate):
        return ()
    end = falls[-1].stretch.end
    window = Window(end.step + round(_SEEN_S * crew.setup.reference.rate), Variation(fall=numbers), 0.0)
    (attempt,) = crew.perform([Trial(end, (window,))], lambda fraction: None)
    return attempt.legs


def _is_at_rest(stretch: Stretch, rate: float) -> bool:
    last = stretch.v[-round(_REST_LOOK_S * rate) :]
    slow = np.abs(last[:, 3:]).max(initial=0.0) < _REST_RAD_S and np.abs(last[:, :3]).max(initial=0.0) < _REST_M_S
    return bool(slow) and not stretch.broken
