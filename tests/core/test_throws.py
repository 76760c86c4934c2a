"""Thrown balls by the law of free fall: each passes its mark at its moment, as fast as it was to be."""

import json

import numpy as np
import pytest

from sim_core.bake import bake
from sim_core.disturbances import Throw
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import available_engines
from sim_core.errors import SettingsError
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.reference.reference import build_reference
from sim_core.reporting.loose_objects import objects_bytes
from sim_core.samples.catalogue import make_sample
from sim_core.scene import Scene
from sim_core.settings import BakeSettings, ReferenceSettings
from sim_core.simulation.throws import thrown
from tests.clips import walking

WALK = walking(seconds=2.0)
SOURCE = SourceClip(clip=WALK.clip, t_pose_frames=0, guesses=(), notes=())
SCENE = Scene()
REFERENCE = build_reference(WALK.clip, WALK.body, SCENE, ReferenceSettings(), rate=500.0, hold_s=0.1)
GRAVITY = np.array([0.0, 0.0, -SCENE.gravity])
# The person walks and faces along -Y, with its left at +X.
SIDES = {"front": (0.0, -1.0), "back": (0.0, 1.0), "left": (1.0, 0.0), "right": (-1.0, 0.0)}


def throw(**changes: object) -> Throw:
    usual = {"bone": "chest", "at_s": 1.0, "mass": 4.0, "speed": 5.0, "comes_from": "left"}
    return Throw(**(usual | changes))


def ball_of(asked: Throw):
    return thrown(asked, 1, WALK.body, REFERENCE, SCENE, SOURCE)


@pytest.mark.parametrize("bone", ["chest", "head"])
@pytest.mark.parametrize("comes_from", [*SIDES, (0.3, 0.2, 1.0)])
@pytest.mark.parametrize(("at_s", "speed"), [(1.0, 5.0), (0.2, 8.0), (1.9, 3.0)])
def test_it_passes_its_mark_at_its_moment_with_its_speed(bone, comes_from, at_s, speed):
    asked = throw(bone=bone, comes_from=comes_from, at_s=at_s, speed=speed)
    ball = ball_of(asked)
    flies_s = at_s - ball.loose.appears_s
    assert 0.0 < flies_s <= 0.4 + 1e-9
    assert ball.loose.appears_s >= 0.0
    mark = pose(WALK.body, REFERENCE.q[round(at_s * REFERENCE.rate)]).link_coms[WALK.body.index(bone)]
    arrives = ball.position + flies_s * ball.loose.velocity + 0.5 * flies_s**2 * GRAVITY
    np.testing.assert_allclose(arrives, mark, atol=1e-9)
    assert np.linalg.norm(ball.loose.velocity + flies_s * GRAVITY) == pytest.approx(speed)


@pytest.mark.parametrize("side", SIDES)
def test_sides_are_those_of_the_character(side):
    ball = ball_of(throw(comes_from=side))
    mark = pose(WALK.body, REFERENCE.q[500]).link_coms[WALK.body.index("chest")]
    away = ball.position - mark
    np.testing.assert_allclose(away[:2] / np.linalg.norm(away[:2]), SIDES[side], atol=0.05)


def test_a_ball_is_as_dense_as_water_unless_its_radius_is_said():
    (solid,) = ball_of(throw()).solids
    assert 4.0 / 3.0 * np.pi * solid.radius**3 * 1000.0 == pytest.approx(4.0)
    (solid,) = ball_of(throw(radius=0.2)).solids
    assert solid.radius == 0.2


def test_a_way_through_the_ground_is_refused():
    with pytest.raises(SettingsError, match=r"throw at 'foot_l' goes through the ground .*\.$"):
        ball_of(throw(bone="foot_l", radius=0.4))
    with pytest.raises(SettingsError, match="goes through the ground"):
        ball_of(throw(comes_from=(0.5, 0.0, -1.0)))


def test_a_throw_needs_room():
    with pytest.raises(SettingsError, match=r"would begin inside the character; let it hit later, or faster\."):
        ball_of(throw(at_s=0.01))


@pytest.mark.parametrize("engine", available_engines())
def test_a_ball_hits_who_stands_there_and_both_go_their_ways(engine):
    asked = Throw(bone="chest", at_s=0.6, mass=2.0, speed=4.0, comes_from="front")
    settings = BakeSettings(engine=engine, budget="draft", assist="none", disturbances=(asked,))
    source = SourceClip(clip=make_sample("stand", 1.2), t_pose_frames=0, guesses=(), notes=())
    result = bake(prepare(source, settings.clip, settings.friction), settings)
    assert result.report.completed
    ball = result.recording.things[:, 0]
    before, after = (ball[round(time_s * result.recording.rate), 8] for time_s in (0.4, 0.7))
    assert before > 2.0  # the figure faces -Y, so what comes from the front flies along +Y
    assert after < 0.5 * before
    com = pose(result.performance.body, result.recording.q).com[:, 1]
    assert com.max() > com[round(0.4 * result.recording.rate)] + 0.01
    assert result.report.throws[0].appears_s == pytest.approx(0.2)
    written = json.loads(objects_bytes(result))["objects"]["ball 1"]["positions"]
    assert len(written) == len(result.clip)
