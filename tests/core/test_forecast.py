"""What will be hard, by law: made clips that break one law each, and clips that break none."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import read_performance
from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.reference.forecast import Forecast, forecast
from sim_core.reference.hard_stretches import unexplained
from sim_core.reference.reference import Reference, build_reference
from sim_core.reference.row_needs import RowNeeds
from sim_core.reporting.look_ahead import look_ahead
from sim_core.samples.made_clips import MADE_CLIPS, make_clip
from sim_core.scene import Scene
from sim_core.settings import BakeSettings, ClipSettings, ReferenceSettings
from tests.clips import Person, body_of, crouching, jumping, moved, person
from tests.mocap import MOCAP, needs_mocap

RATE, FPS, GRAVITY = 500.0, 60.0, 9.81
SCENE = Scene()
AS_IT_IS = ReferenceSettings(feasible=False)  # laws are tested on the motion itself, not on one made easier


def _reference(someone: Person, scene: Scene = SCENE, settings: ReferenceSettings = AS_IT_IS) -> Reference:
    return build_reference(someone.clip, someone.body, scene, settings, rate=RATE, hold_s=0.3)


def _forecast(someone: Person, scene: Scene = SCENE, settings: ReferenceSettings = AS_IT_IS) -> Forecast:
    return forecast(someone.body, _reference(someone, scene, settings), scene)


def _times(stretch) -> tuple[float, float]:
    return stretch.first_step / RATE, stretch.last_step / RATE


def _lifted(seconds: float, heights) -> Person:
    """Someone who stands, at heights over time (a function of seconds)."""
    clip, body = crouching(frames=round(seconds * FPS) + 1, fps=FPS)
    path = np.zeros((len(clip), 3))
    path[:, 2] = heights(np.arange(len(clip)) / FPS)
    return Person(moved(clip, path), body)


def _leaning(metres: float) -> Person:
    """Someone who stands still, turned at the ankles until the centre of mass is so far before the toes."""
    clip, body = person(frames=round(1.5 * FPS), fps=FPS)
    now = pose(body, body_positions(clip, body)[:1])
    soles = now.points(body.soles.links, body.soles.local)[0]
    toes, com, ankle = soles[:, 1].min(), now.com[0], now.origins[0, body.index("foot_l")]
    arm = com - ankle

    def before_toes(angle: float) -> float:
        return toes - (ankle + rotations.rotate(rotations.about_axis(0, np.array(angle)), arm))[1]

    angles = np.linspace(0.0, 0.9, 2000)
    angle = angles[np.argmin([abs(before_toes(a) - metres) for a in angles])]
    turn = rotations.about_axis(0, np.array(angle))
    turns, positions = clip.rotations.copy(), clip.positions.copy()
    turns[:, 0] = rotations.multiply(turn, turns[:, 0])
    positions[:, 0] = ankle * [0, 1, 1] + rotations.rotate(turn, positions[:, 0] - ankle * [0, 1, 1])
    for side in ("LeftFoot", "RightFoot"):
        foot = clip.skeleton.index(side)
        turns[:, foot] = rotations.multiply(rotations.inverse(turn), turns[:, foot])
    return Person(replace(clip, rotations=turns, positions=positions), body)


@pytest.mark.parametrize("name", MADE_CLIPS)
def test_who_moves_on_planted_feet_is_never_hard(name):
    clip = make_clip(name)
    found = _forecast(Person(clip, body_of(clip)), settings=ReferenceSettings())
    assert found.stretches == found.flights == ()
    assert found.difficulty.max() < 1.0


def test_a_statue_is_never_hard():
    found = _forecast(crouching(frames=60, fps=FPS))
    assert found.stretches == ()
    assert found.difficulty.max() < 0.1
    np.testing.assert_allclose(found.difficulty_at(np.array([0, 3, 250])), 0.0, atol=0.1)


def test_a_jump_as_gravity_has_it_is_a_flight_and_not_hard():
    found = _forecast(jumping(FPS, take_off=2.4), settings=ReferenceSettings())
    assert [stretch for stretch in found.stretches if stretch.reason != "not strong enough"] == []
    (flight,) = found.flights
    assert flight.landing_m_s == pytest.approx(2.4, abs=0.5)  # as it took off, but for filters
    assert not flight.begins_before_the_clip


def test_who_hovers_is_carried_by_nothing():
    def hover(times):
        return 0.4 * (np.clip((times - 0.6) / 0.15, 0.0, 1.0) - np.clip((times - 1.35) / 0.15, 0.0, 1.0))

    found = _forecast(_lifted(2.2, hover))
    (stretch,) = [stretch for stretch in found.stretches if stretch.reason == "nothing carries it"]
    assert stretch.size == pytest.approx(1.0, abs=0.15)
    first, last = _times(stretch)
    assert first < 0.85
    assert last > 1.25
    assert found.difficulty_at(np.array([500]))[0] > 10.0
    assert found.flights == ()


def test_what_floats_all_the_time_needs_its_whole_weight():
    (stretch,) = _forecast(_lifted(1.0, lambda times: np.full_like(times, 0.5))).stretches
    assert stretch.reason == "nothing carries it"
    assert stretch.size == pytest.approx(1.0, abs=0.01)
    assert stretch.needs_bw == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("gap", "reason"), [(0.02, "rolls or slides"), (0.1, "hovers over the ground"), (0.4, "nothing carries it")]
)
def test_what_the_air_carries_is_told_by_its_height(gap, reason):
    none, nowhere = np.zeros(20), np.zeros((20, 3))
    needs = RowNeeds(
        steps=10 * np.arange(20),
        touching=np.zeros(20, dtype=bool),
        gap=np.full(20, gap),
        joint_speeds=nowhere,
        upward=np.ones(20),
        force_left=np.tile([0.0, 0.0, 1.0], (20, 1)),
        torque_left=nowhere,
        friction=none,
        outside=none,
        still_outside=none,
        sinking=none,
        speed=none,
        strength=none,
        joint=np.zeros(20, dtype=np.int64),
    )
    (stretch,) = unexplained(needs, friction=0.8)
    assert (stretch.reason, stretch.first_step, stretch.last_step) == (reason, 0, 190)


def test_what_hovers_low_was_meant_to_touch():
    (stretch,) = _forecast(_lifted(1.0, lambda times: np.full_like(times, 0.14))).stretches
    assert stretch.reason == "hovers over the ground"
    assert stretch.size == pytest.approx(0.14, abs=0.01)


@pytest.mark.parametrize("gravities", [0.4, 0.7])
def test_a_fall_slower_than_gravity_says_by_how_much(gravities):
    (stretch,) = _forecast(_lifted(0.6, lambda times: 4.0 - 0.5 * gravities * GRAVITY * times**2)).stretches
    assert stretch.reason == "falls too slowly"
    assert stretch.size == pytest.approx(1.0 - gravities, abs=0.05)


@pytest.mark.parametrize("gravities", [1.6, 2.0])
def test_a_fall_faster_than_gravity_says_by_how_much(gravities):
    (stretch,) = _forecast(_lifted(0.5, lambda times: 4.0 - 0.5 * gravities * GRAVITY * times**2)).stretches
    assert stretch.reason == "falls too fast"
    assert stretch.size == pytest.approx(gravities - 1.0, abs=0.05)


def test_a_fall_as_gravity_has_it_is_a_flight_that_the_clip_begins_in():
    found = _forecast(_lifted(0.5, lambda times: 4.0 - 0.5 * GRAVITY * times**2))
    assert found.stretches == ()
    assert [flight.begins_before_the_clip for flight in found.flights] == [True]


def test_a_curve_in_the_air_is_steered():
    clip, body = crouching(frames=40, fps=FPS)
    times = np.arange(40) / FPS
    path = np.stack([1.5 * times**2, np.zeros(40), 4.0 - 0.5 * GRAVITY * times**2], axis=1)
    (stretch,) = _forecast(Person(moved(clip, path), body)).stretches
    assert stretch.reason == "steered in the air"
    assert stretch.size == pytest.approx(3.0 / GRAVITY, rel=0.1)


@pytest.mark.parametrize("metres", [0.1, 0.2])
def test_a_lean_beyond_the_feet_says_how_far(metres):
    (stretch,) = _forecast(_leaning(metres)).stretches
    assert stretch.reason == "leans on something"
    assert stretch.size == pytest.approx(metres, abs=0.03)


def test_a_lean_within_the_feet_is_not_hard():
    assert _forecast(_leaning(-0.05)).stretches == ()


def test_a_lean_is_still_said_of_a_reference_that_was_made_easier():
    (stretch,) = _forecast(_leaning(0.2), settings=ReferenceSettings()).stretches
    assert stretch.reason == "leans on something"
    assert 0.05 < stretch.size < 0.23


def _hurrying(friction: float) -> Forecast:
    """Someone thrown to the side and back at up to 0.3 g."""
    clip = make_clip("stand", seconds=2.0)
    times = np.arange(len(clip)) / clip.fps
    path = np.zeros((len(clip), 3))
    path[:, 0] = 0.05 * np.sin(2.0 * np.pi * 1.2 * times)
    return _forecast(Person(moved(clip, path), body_of(clip)), Scene(friction=friction))


def test_who_slides_on_ice_needs_more_friction():
    found = _hurrying(0.1)
    assert {stretch.reason for stretch in found.stretches} == {"needs more friction"}
    assert all(0.12 < stretch.size < 0.5 for stretch in found.stretches)
    assert {stretch.reason for stretch in _hurrying(0.8).stretches} == {"beyond its feet"}  # so fast it also tips


def _weakened(body: Body, name: str, factor: float) -> Body:
    links = tuple(
        replace(link, joint=replace(link.joint, torque_limit=factor * link.joint.torque_limit))
        if link.name == name
        else link
        for link in body.links
    )
    return replace(body, links=links)


def test_a_weak_joint_is_named():
    clip, body = crouching(frames=60, fps=FPS, depth=0.2)
    stretches = _forecast(Person(clip, _weakened(body, "shin_l", 0.1))).stretches
    assert {(stretch.reason, stretch.joint) for stretch in stretches} == {("not strong enough", "shin_l")}
    assert stretches[0].size > 1.5


def test_what_no_muscle_could_do_snaps():
    clip, body = crouching(frames=60, fps=FPS, depth=0.2)
    (stretch,) = _forecast(Person(clip, _weakened(body, "shin_l", 1e-4))).stretches
    assert (stretch.reason, stretch.joint) == ("snaps round", "shin_l")


def test_stretches_are_those_of_the_clip_and_difficulty_goes_on():
    someone = _lifted(1.0, lambda times: np.full_like(times, 0.5))
    reference = _reference(someone)
    found = forecast(someone.body, reference, SCENE)
    assert found.stretches[0].last_step < reference.clip_steps
    assert found.steps[-1] >= len(reference) - RATE / 50.0
    assert len(found.steps) == len(found.difficulty)


def test_progress_comes_through():
    someone = crouching(frames=20, fps=FPS)
    heard: list[float] = []
    forecast(someone.body, _reference(someone), SCENE, heard.append)
    assert heard == sorted(heard)
    assert heard


@needs_mocap
@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("35_01", set()),  # a walk
        ("07_05", set()),
        ("16_03", set()),  # a jump
        ("141_07", {"nothing carries it"}),  # climbs onto something
        ("75_17", {"leans on something"}),
    ],
)
def test_captured_clips(name, reasons):
    settings = BakeSettings(clip=ClipSettings(fps=60.0 if name[:2] in ("14", "75") else None))
    performance = read_performance(MOCAP / f"cmu_{name}.bvh", settings)
    assert {hard.reason for hard in look_ahead(performance, settings).hard} == reasons
