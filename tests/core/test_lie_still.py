"""Keys of who has fallen: on the ground, and still."""

from types import SimpleNamespace

import numpy as np

from sim_core import rotations
from sim_core.body.round_flesh import with_round_flesh
from sim_core.dynamics.kinematics import pose
from sim_core.dynamics.state_space import difference, integrate
from sim_core.posing.surface import touch
from sim_core.scene import Scene
from sim_core.simulation.lie_still import raised, settled_at
from sim_core.simulation.recording import GroundContacts
from tests.clips import person

BODY = with_round_flesh(person().body)
FPS = 100.0


def test_who_lies_does_not_move_at_all_and_gets_there_without_a_jerk():
    fps, rests_at_s = 120.0, 1.0
    times = np.arange(180)[:, None] / fps
    creeps = 0.05 * np.sin(3.0 * times + np.arange(BODY.nv))
    q = integrate(BODY, np.tile(BODY.zero_q, (len(times), 1)), creeps)
    still = settled_at(rests_at_s, q, BODY, fps)
    assert (np.ptp(still[120:], axis=0) == 0.0).all()
    np.testing.assert_allclose(difference(BODY, q[:80], still[:80]), 0.0, atol=1e-12)
    assert np.abs(difference(BODY, q, still)).max() < 0.1
    steps = difference(BODY, still[1:], still[:-1])
    assert np.abs(np.diff(steps, axis=0)).max() * fps**2 < 8.0  # rad/s^2, of joints 0.05 rad away


def test_who_lies_in_the_ground_is_raised_out_of_it():
    scene, frames = Scene(), 60
    q = np.tile(BODY.zero_q, (frames, 1))
    q[:, 3:7] = rotations.multiply(rotations.about_axis(0, np.array(0.5 * np.pi)), BODY.zero_q[3:7])

    def lowest(q):
        return touch(BODY, pose(BODY, q), scene.surface(np.arange(frames) / FPS)).distances.min(axis=1)

    q[:, 2] -= lowest(q)[0] + 0.02
    steps = np.arange(frames)
    chest = np.full(frames, BODY.index("chest"))
    contacts = GroundContacts(steps, chest, np.zeros((frames, 3)), np.zeros((frames, 3)), np.full(frames, -1))
    recording = SimpleNamespace(q=q, rate=FPS, ground_contacts=contacts)
    assert lowest(q).max() < -0.019
    assert lowest(raised(q, recording, BODY, scene, FPS)).min() > -0.004
