"""Going on from the midst of an earlier bake: what came before stays as it was, bit for bit."""

import numpy as np
import pytest

from sim_core.bake import After, bake
from sim_core.disturbances import Push
from sim_core.errors import SettingsError
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reporting.bake_result import BakeResult
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings
from sim_core.simulation.states import read_states, states_bytes, states_of

SETTINGS = BakeSettings(engine="mujoco", budget="draft")
FRAME = 40


def _performance(name: str = "squat", seconds: float = 1.5) -> Performance:
    source = SourceClip(clip=make_sample(name, seconds), t_pose_frames=0, guesses=(), notes=())
    return prepare(source, SETTINGS.clip, SETTINGS.friction)


@pytest.fixture(scope="module")
def earlier() -> BakeResult:
    return bake(_performance(), SETTINGS)


@pytest.fixture(scope="module")
def states(earlier, tmp_path_factory):
    path = tmp_path_factory.mktemp("states") / "states.npz"
    path.write_bytes(states_bytes(states_of(earlier.recording, earlier.clip)))
    return read_states(path)


def test_states_come_back_from_a_file_as_they_were(earlier, states):
    before = states_of(earlier.recording, earlier.clip)
    for name in ("q", "v", "things", "assist", "torque_ratio", "displaced", "positions", "rotations"):
        np.testing.assert_array_equal(getattr(states, name), getattr(before, name))
    for one, other in zip(states.contacts, before.contacts, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (states.bones, states.fps, states.rate) == (before.bones, before.fps, before.rate)


def test_frames_before_are_identical_and_only_the_rest_is_simulated(earlier, states):
    pushed = BakeSettings(
        engine="mujoco", budget="draft", disturbances=(Push(bone="chest", at_s=0.8, for_s=0.1, force=(0.0, 60.0, 0.0)),)
    )
    again = bake(_performance(), pushed, after=After(FRAME, states))
    row = FRAME - 1
    np.testing.assert_array_equal(again.clip.rotations[:row], earlier.clip.rotations[:row])
    np.testing.assert_array_equal(again.clip.positions[:row], earlier.clip.positions[:row])
    assert np.abs(again.clip.rotations[-1] - earlier.clip.rotations[-1]).max() > 1e-4
    assert again.report.resumed_at_frame == FRAME
    assert again.report.timing.rollouts_s < 0.75 * earlier.report.timing.rollouts_s


def test_no_jump_where_the_two_meet(earlier, states):
    again = bake(_performance(), SETTINGS, after=After(FRAME, states))
    steps, before = (np.abs(np.diff(clip.rotations, axis=0)).max(axis=(1, 2)) for clip in (again.clip, earlier.clip))
    assert steps[FRAME - 3 : FRAME + 3].max() < 1.2 * before[FRAME - 6 : FRAME + 6].max() + 1e-3


@pytest.mark.parametrize("frame", [0, 1, 91, 500])
def test_a_frame_to_go_on_from_must_be_inside(states, frame):
    with pytest.raises(SettingsError, match=f"Frame {frame} is not one"):
        bake(_performance(), SETTINGS, after=After(frame, states))


def test_states_of_something_else_are_refused(states, tmp_path):
    with pytest.raises(SettingsError, match="other frames"):
        bake(_performance(seconds=2.0), SETTINGS, after=After(FRAME, states))
    for content in (b"", b"no states", b"PK\x03\x04"):
        (tmp_path / "bad.npz").write_bytes(content)
        with pytest.raises(SettingsError, match="cannot be gone on from"):
            read_states(tmp_path / "bad.npz")
    with pytest.raises(SettingsError, match="there is no such file"):
        read_states(tmp_path / "missing.npz")
