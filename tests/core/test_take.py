"""The take: whole after a round trip, refused in a sentence when damaged, and true to the simulation."""

import io
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

from sim_core.bake import bake
from sim_core.body.body import Box
from sim_core.disturbances import Push
from sim_core.errors import MotionFileError
from sim_core.motion.clip import Clip
from sim_core.motion.clip_npz import npz_bytes
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.make_take import make_take
from sim_core.reporting.take import Take, load_take, take_bytes
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings, ClipSettings, OfBodyWeight
from tests.command_line import ROOT

STILL = 2  # frames in front that are no motion
PUSH = Push(bone="chest", at_s=0.2, for_s=0.1, force=(0.0, 60.0, 0.0))


def _baked(clip: Clip) -> BakeResult:
    settings = BakeSettings(
        clip=ClipSettings(t_pose_frames=STILL), engine="mujoco", assist=OfBodyWeight(share=0.4), disturbances=(PUSH,)
    )
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    return bake(prepare(source, settings.clip, settings.friction), settings)


@pytest.fixture(scope="module")
def result() -> BakeResult:
    return _baked(make_sample("squat", 1.0).frames(0, STILL + 31))


@pytest.fixture(scope="module")
def take(result) -> Take:
    return make_take(result)


def test_every_field_survives_a_round_trip(take, tmp_path):
    content = take_bytes(take)
    (tmp_path / "take.npz").write_bytes(content)
    for again in (load_take(content), load_take(tmp_path / "take.npz")):
        for each in fields(Take):
            np.testing.assert_array_equal(getattr(again, each.name), getattr(take, each.name))
    assert take_bytes(load_take(content)) == content


def _damaged(content: bytes) -> list[bytes]:
    with np.load(io.BytesIO(content)) as stored:
        arrays = dict(stored)
    short, odd, old = (io.BytesIO() for _ in range(3))
    np.savez(short, **{name: array for name, array in arrays.items() if name != "planted"})
    np.savez(odd, **arrays | {"com_before": arrays["com_before"][:-1]})
    np.savez(old, **arrays | {"format_version": np.array(99)})
    worn = bytearray(content)
    worn[len(worn) // 2] ^= 255
    return [b"", b"garbage", content[:-50], bytes(worn), short.getvalue(), odd.getvalue(), old.getvalue()]


def test_a_damaged_take_is_refused_in_one_sentence(take, result):
    for content in [*_damaged(take_bytes(take)), npz_bytes(result.clip)]:
        with pytest.raises(MotionFileError, match=r"^What the take .* bake it again\.$"):
            load_take(content)
    with pytest.raises(MotionFileError, match="bake it again"):
        load_take("/nowhere/take.npz")


def test_reading_a_take_needs_numpy_alone():
    heavy = "scipy", "mujoco", "pybullet", "daqp", "osqp", "matplotlib"
    code = f"import sys, sim_core.reporting.take; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_rows_are_those_of_the_written_clip(take, result):
    assert len(take) == len(result.clip) == STILL + 31
    body, names = result.performance.body, result.clip.skeleton.names
    for clip, positions in ((result.performance.asked, take.before_positions), (result.clip, take.after_positions)):
        world = clip.world().positions
        bones = [names.index(bone) for bone in take.link_bones]
        pelvis = bones[0]
        np.testing.assert_allclose(positions[:, 0], world[:, pelvis], atol=1e-6)
        np.testing.assert_allclose(positions, world[:, bones], atol=1e-3)
    assert take.link_names == body.names
    assert take.mass_kg == body.mass


def test_still_frames_are_as_in_the_source_and_bear_nothing(take):
    np.testing.assert_array_equal(take.after_positions[:STILL], take.before_positions[:STILL])
    np.testing.assert_array_equal(take.after_rotations[:STILL], take.before_rotations[:STILL])
    for name in ("contact_force", "assist_force", "assist_torque", "assist_bw", "push_force", "planted"):
        assert not getattr(take, name)[:STILL].any(), name
    for name in ("contact_point", "skate_before", "skate_after", "error_after", "height_before"):
        assert np.isnan(getattr(take, name)[:STILL]).all(), name
    assert [len(take.support(frame)) for frame in range(STILL)] == [0, 0]


def test_ground_and_assist_carry_the_body(take):
    up = take.contact_force[..., 2].sum(axis=1) + take.assist_force[:, 2]
    assert up[STILL + 3 :].mean() == pytest.approx(take.mass_kg * take.gravity, rel=0.15)


def test_feet_are_planted_where_they_bear_and_stand_on_their_support(take):
    feet = [take.link_names.index(name) for name in ("foot_l", "foot_r")]
    later = slice(STILL + 5, None)
    assert take.planted[later][:, feet].all()
    assert not np.delete(take.planted, feet, axis=1).any()
    heights = (take.contact_point[later][:, feet] - take.ground_point) @ take.ground_normal
    assert np.abs(heights).max() < 0.01
    corners = take.support(len(take) - 1)
    assert len(corners) >= 4
    np.testing.assert_allclose((corners - take.ground_point) @ take.ground_normal, 0.0, atol=1e-6)
    low, high = corners.min(axis=0) - 0.002, corners.max(axis=0) + 0.002
    points = take.contact_point[-1, feet]
    assert np.all((points[:, :2] > low[:2]) & (points[:, :2] < high[:2]))


def test_a_push_shows_in_its_frames_at_its_segment(take):
    at = STILL + np.arange(31)[12:18]  # 60 fps: 0.2 s to 0.3 s, the first and last frame in part
    np.testing.assert_allclose(take.push_force[at[1:]], np.broadcast_to(PUSH.force, (5, 3)), rtol=1e-6)
    assert 0.0 < take.push_force[at[0], 1] < 60.0
    assert not take.push_force[: at[0]].any()
    assert not take.push_force[at[-1] + 2 :].any()
    chest = take.after_positions[at, take.link_names.index("chest")]
    assert np.linalg.norm(take.push_point[at] - chest, axis=1).max() < 0.3
    assert np.isnan(take.push_point[0]).all()


def test_shapes_are_the_bodys(take, result):
    for i, link in enumerate(result.performance.body.links):
        assert take.box_mask[i] == isinstance(link.shape, Box)
        if isinstance(link.shape, Box):
            np.testing.assert_allclose(take.box[i, 3:12].reshape(3, 3), link.shape.R_link_box, atol=1e-6)
        else:
            np.testing.assert_allclose(take.capsule[i, :3], link.shape.start, atol=1e-6)


def test_a_simulation_that_breaks_off_still_fills_every_row(result):
    recording = result.recording
    steps = 100
    held = recording.ground_contacts.steps < steps - 1
    cut = type(recording)(
        rate=recording.rate,
        q=recording.q[:steps],
        v=recording.v[:steps],
        things=recording.things[:steps],
        assist_force=recording.assist_force[:steps],
        assist_torque=recording.assist_torque[:steps],
        foot_torque=recording.foot_torque[:steps],
        torque_ratio=recording.torque_ratio[:steps],
        rows=recording.rows[:steps],
        displaced=recording.displaced[:steps],
        ground_force=recording.ground_force[:steps],
        ground_contacts=type(recording.ground_contacts)(*(column[held] for column in recording.ground_contacts)),
        failure="broke down",
        failed_at_s=0.2,
        solve_count=None,
        cpu_s=0.0,
    )
    fields_of = {each.name: getattr(result, each.name) for each in fields(BakeResult)}
    take = make_take(BakeResult(**fields_of | {"recording": cut}))
    assert len(take) == len(load_take(take_bytes(take))) == STILL + 31
    assert take.contact_force[STILL + 5].any()
    assert not take.contact_force[STILL + 14 :].any()
    assert not take.assist_force[STILL + 14 :].any()
