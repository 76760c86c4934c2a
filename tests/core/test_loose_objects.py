"""Loose objects through a whole bake: simulated beside the body, kept for going on, and written frame by frame."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.bake import After, bake
from sim_core.errors import SettingsError
from sim_core.motion.motion_file import UnitsAndAxes
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.loose_objects import objects_bytes
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings
from sim_core.simulation.states import read_states, states_bytes, states_of
from sim_core.world.solids import Ball, Cuboid
from sim_core.world.thing import Loose, Thing

SETTINGS = BakeSettings(engine="mujoco", budget="draft")
T_POSE, FPS = 4, 60.0
VELOCITY = np.array([1.0, 0.0, 2.0])
BALL = Thing(
    name="Ball",
    solids=(Ball(radius=0.1),),
    position=np.array([3.0, 1.0, 1.0]),
    turn=rotations.exp(np.array([0.1, 0.2, 0.3])),
    loose=Loose(mass=0.5, velocity=VELOCITY, spin=np.array([0.0, 0.0, 2.0]), appears_s=0.2),
)
CRATE = Thing(
    name="Crate",
    solids=(Cuboid(half_extents=np.array([0.2, 0.2, 0.2])),),
    position=np.array([-3.0, 0.0, 0.2]),
    loose=Loose(mass=10.0),
)


def _performance(things: tuple[Thing, ...] = (BALL, CRATE)) -> Performance:
    up = UnitsAndAxes(metres_per_unit=0.01, up="y", joint_positions="replace")
    source = SourceClip(
        clip=make_sample("squat", 1.0), t_pose_frames=T_POSE, guesses=(), notes=(), conversion=up, document=None
    )
    performance = prepare(source, replace(SETTINGS.clip, first_number=10, floor_m=0.0), SETTINGS.friction)
    return replace(performance, scene=replace(performance.scene, things=things))


@pytest.fixture(scope="module")
def baked() -> BakeResult:
    return bake(_performance(), SETTINGS)


def test_every_frame_asked_for_has_its_objects_in_the_axes_of_the_clip(baked):
    content = json.loads(objects_bytes(baked))
    assert content["first_frame"] == 10
    assert list(content["objects"]) == ["Ball", "Crate"]
    ball = {key: np.array(rows) for key, rows in content["objects"]["Ball"].items()}
    frames, fps = len(baked.performance.asked), baked.performance.asked.fps
    assert ball["positions"].shape == (frames, 3)
    assert ball["rotations"].shape == (frames, 4)
    to_world = rotations.about_axis(0, np.array(0.5 * np.pi))  # Y is up in the file
    flight_s = np.maximum((np.arange(frames) - T_POSE) / fps - 0.2, 0.0)[:, None]
    gravity = np.array([0.0, 0.0, -9.81])
    flown = BALL.position + VELOCITY * flight_s + 0.5 * gravity * flight_s**2
    landed = int(np.argmax(flown[:, 2] < 0.12))
    seen = rotations.rotate(to_world, ball["positions"])
    np.testing.assert_allclose(seen[:landed], flown[:landed], atol=0.01)
    turned = rotations.multiply(rotations.exp(flight_s * [0.0, 0.0, 2.0]), BALL.turn)
    seen = rotations.multiply(rotations.multiply(to_world, ball["rotations"]), rotations.inverse(to_world))
    away = rotations.angle_between(seen, turned)
    assert away[:landed].max() < 1e-3
    crate = np.array(content["objects"]["Crate"]["positions"])
    np.testing.assert_allclose(rotations.rotate(to_world, crate), np.tile(CRATE.position, (frames, 1)), atol=1e-3)


def test_the_body_does_as_it_does_without_objects_far_away(baked):
    alone = bake(_performance(things=()), SETTINGS)
    assert alone.recording.things.shape == (len(alone.recording.q), 0, 13)
    np.testing.assert_allclose(baked.recording.q, alone.recording.q, atol=2e-3)


def test_a_bake_that_goes_on_has_the_objects_where_they_were(baked, tmp_path):
    path = tmp_path / "states.npz"
    path.write_bytes(states_bytes(states_of(baked.recording, baked.clip)))
    states = read_states(path)
    np.testing.assert_array_equal(states.things, baked.recording.things)
    frame = 10 + T_POSE + round(0.5 * baked.performance.asked.fps)
    again = bake(_performance(), SETTINGS, after=After(frame, states))
    step = round(0.5 * baked.recording.rate) - 5
    np.testing.assert_array_equal(again.recording.things[:step], baked.recording.things[:step])
    np.testing.assert_allclose(again.recording.things[:, :, :3], baked.recording.things[:, :, :3], atol=1e-3)
    with pytest.raises(SettingsError, match="other loose objects"):
        bake(_performance(things=(BALL,)), SETTINGS, after=After(frame, states))
