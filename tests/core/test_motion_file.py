"""From file to clip and back: units, axes, guesses, and Euler angles an animator can edit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_core import rotations
from sim_core.errors import MotionFileError, RigError, SettingsError
from sim_core.motion.bvh import BvhDocument, format_bvh, parse_bvh, read_bvh
from sim_core.motion.clip import rest_pose
from sim_core.motion.euler_channels import nearest_angles
from sim_core.motion.motion_file import bvh_from_clip, clip_from_bvh, frame_rate
from sim_core.motion.motion_guesses import CMU_UNIT
from tests.bvh_samples import biped, biped_text
from tests.mocap import MOCAP, needs_mocap

CLIPS = sorted(MOCAP.glob("*.bvh"))


def guess_of(loaded, name):
    return next((guess for guess in loaded.guesses if guess.name == name), None)


def with_values(document: BvhDocument, values: np.ndarray) -> BvhDocument:
    return replace(document, values=values)


def swapped_axes(document: BvhDocument) -> BvhDocument:
    """The same figure and motion in a file with Z up: (x, y, z) becomes (x, -z, y)."""
    turn = rotations.about_axis(0, np.array(0.5 * np.pi))
    new_names = {"X": "X", "Y": "Z", "Z": "Y"}
    values, channels, column = document.values.copy(), [], 0
    for names in document.channels:
        for name in names:
            values[:, column] *= -1.0 if name[0] == "Z" else 1.0
            column += 1
        channels.append(tuple(new_names[name[0]] + name[1:] for name in names))
    sites = tuple(s._replace(offset=tuple(rotations.rotate(turn, np.array(s.offset)))) for s in document.end_sites)
    offsets = rotations.rotate(turn, document.offsets)
    return replace(document, values=values, channels=tuple(channels), offsets=offsets, end_sites=sites)


# --- clips ---


def test_the_world_is_in_metres_with_z_up():
    loaded = clip_from_bvh(biped())
    clip = loaded.clip
    assert clip.fps == 30.0
    assert loaded.conversion.metres_per_unit == 0.01
    assert loaded.conversion.up == "y"
    rest = rest_pose(clip.skeleton).positions
    head, foot, left_hand = (rest[clip.skeleton.index(name)] for name in ("Head", "LeftFoot", "LeftHand"))
    np.testing.assert_allclose(head - foot, [-0.10, 0.0, 0.54 + 0.88], atol=1e-9)
    assert left_hand[0] > 0.7
    np.testing.assert_allclose(clip.positions[0, 0], [0.0, 0.0, 0.96], atol=1e-9)
    np.testing.assert_allclose(clip.positions[-1, 0], [0.0, -1.2 * 5 / 30, 0.96], atol=1e-6)  # +Z walks to -Y


def test_bones_keep_their_own_frames():
    document = biped()
    clip = clip_from_bvh(document).clip
    leg = document.names.index("LeftLeg")
    np.testing.assert_allclose(clip.skeleton.offsets[leg], [0.0, -0.43, 0.0])
    start = document.first_columns[leg]
    expected = rotations.from_euler(np.radians(document.values[:, start : start + 3]), (2, 1, 0))
    np.testing.assert_allclose(clip.rotations[:, leg], expected)
    assert clip.skeleton.translates.tolist() == [True] + [False] * (len(document.names) - 1)
    assert len(clip.skeleton.tip_parents) == 5


def test_given_values_are_used_and_not_guessed():
    loaded = clip_from_bvh(biped(), metres_per_unit=0.02, up="z", fps=60.0)
    assert (loaded.conversion.metres_per_unit, loaded.conversion.up, loaded.clip.fps) == (0.02, "z", 60.0)
    assert loaded.guesses == ()
    np.testing.assert_allclose(loaded.clip.positions[0, 0], [0.0, 1.92, 0.0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"metres_per_unit": 0.0},
        {"metres_per_unit": float("nan")},
        {"fps": -1.0},
        {"fps": float("inf")},
        {"up": "x"},
    ],
)
def test_settings_that_make_no_sense(wrong):
    with pytest.raises(SettingsError):
        clip_from_bvh(biped(), **wrong)


def test_one_frame_is_no_motion():
    with pytest.raises(MotionFileError, match="only one frame"):
        clip_from_bvh(biped(frames=1))


def test_a_figure_without_size_is_refused():
    with pytest.raises(MotionFileError, match="one point"):
        clip_from_bvh(biped(scale=0.0))


def test_the_first_of_two_figures_is_used_and_the_other_kept():
    one = biped()
    count = len(one.names)
    two = replace(
        one,
        names=(*one.names, *(f"{name}.001" for name in one.names)),
        written_names=one.written_names * 2,
        parents=np.concatenate([one.parents, np.where(one.parents < 0, -1, one.parents + count)]),
        offsets=np.tile(one.offsets, (2, 1)),
        channels=one.channels * 2,
        end_sites=one.end_sites
        + tuple(s._replace(parent=s.parent + count, joints_before=s.joints_before + count) for s in one.end_sites),
        values=np.hstack([one.values, one.values + 5.0]),
    )
    two = parse_bvh(format_bvh(two), "pair.bvh")
    loaded = clip_from_bvh(two)
    assert loaded.clip.skeleton.names == one.names
    assert any("2 figures" in note for note in loaded.notes)
    moved = replace(loaded.clip, positions=loaded.clip.positions + 0.1)
    back = bvh_from_clip(moved, two, loaded.conversion)
    np.testing.assert_allclose(back.values[:, one.channel_count :], two.values[:, one.channel_count :])
    np.testing.assert_allclose(back.values[:, 0], two.values[:, 0] + 10.0)


def test_usual_frame_rates_are_recognised():
    for text, fps in [
        (".0083333", 120),
        ("0.0333", 30),
        ("0.033367", 29.97),
        ("0.041667", 24),
        ("0.01", 100),
    ]:
        assert frame_rate(float(text)) == fps
    assert frame_rate(1 / 17.0) == pytest.approx(17.0)
    assert frame_rate(1 / 240) == 240


# --- positions below the root ---

SIX = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"


@pytest.mark.parametrize(("mode", "base"), [("replace", 1.0), ("add", 0.0)])
def test_positions_on_every_joint(mode, base):
    document = biped(joint_channels=SIX)
    values = document.values.copy()
    wiggle = 0.5 * np.sin(np.arange(len(values)))
    for joint in range(1, len(document.names)):
        column = document.first_columns[joint]
        values[:, column : column + 3] = base * document.offsets[joint] + wiggle[:, None]
    document = with_values(document, values)
    loaded = clip_from_bvh(document)
    assert loaded.conversion.joint_positions == guess_of(loaded, "joint_positions").value == mode
    assert loaded.clip.skeleton.translates.all()
    leg = loaded.clip.skeleton.index("LeftLeg")
    np.testing.assert_allclose(loaded.clip.positions[:, leg, 1], -0.43 + 0.01 * wiggle, atol=1e-9)
    back = bvh_from_clip(loaded.clip, document, loaded.conversion)
    np.testing.assert_allclose(back.values, document.values, atol=1e-9)


# --- guesses ---


@pytest.mark.parametrize(
    ("unit", "metres"),
    [("cm", 0.01), ("m", 1.0), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048), ("cmu", CMU_UNIT)],
)
@pytest.mark.parametrize("height", [1.4, 1.7, 2.0])
def test_units_are_recognised(unit, metres, height):
    loaded = clip_from_bvh(biped(scale=0.01 / metres * height / 1.7))
    assert loaded.conversion.metres_per_unit == pytest.approx(metres), unit
    assert "m from end to end" in guess_of(loaded, "metres_per_unit").reason


def test_a_dwarf_in_metres_stays_a_dwarf():
    assert clip_from_bvh(biped(scale=0.005)).conversion.metres_per_unit == 1.0


def test_a_figure_in_no_usual_unit_is_made_as_tall_as_a_person():
    loaded = clip_from_bvh(biped(scale=0.07))
    assert "scaled" in guess_of(loaded, "metres_per_unit").reason
    rest = rest_pose(loaded.clip.skeleton).positions
    assert 1.3 < np.ptp(rest[:, 2]) < 1.8


def test_z_up_is_recognised():
    upright = clip_from_bvh(biped())
    loaded = clip_from_bvh(swapped_axes(biped()))
    assert loaded.conversion.up == "z"
    np.testing.assert_allclose(loaded.clip.world().positions, upright.clip.world().positions, atol=1e-6)


def turned_by_root(document: BvhDocument) -> BvhDocument:
    """The skeleton still has Y up; the root's own channels stand it up along Z."""
    loaded = clip_from_bvh(document, up="y")
    return bvh_from_clip(loaded.clip, document, replace(loaded.conversion, up="z"))


def test_a_root_that_turns_the_figure_up_counts():
    assert clip_from_bvh(turned_by_root(biped(frames=60))).conversion.up == "z"


def t_pose_in_front(document: BvhDocument, count: int) -> BvhDocument:
    poses = np.zeros((count, document.channel_count))
    poses[:, :3] = document.values[0, :3]
    return with_values(document, np.concatenate([poses, document.values]))


def arms_down(frames: int) -> BvhDocument:
    document = biped(frames=frames)
    values = document.values.copy()
    for name, angle in (("LeftArm", -80.0), ("RightArm", 80.0)):
        values[:, document.first_columns[document.names.index(name)]] += angle
    return with_values(document, values)


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_t_poses_in_front_are_counted(count):
    loaded = clip_from_bvh(t_pose_in_front(arms_down(90), count))
    assert loaded.t_pose_frames == count
    assert (guess_of(loaded, "t_pose_frames") is not None) == (count > 0)


def test_a_performance_that_leaves_the_rest_pose_smoothly_keeps_its_frames():
    document = arms_down(90)
    eased = np.clip(np.linspace(-1.0, 4.0, 90), 0.0, 1.0)[:, None]
    values = document.values.copy()
    values[:, 6:] *= eased
    assert clip_from_bvh(with_values(document, values)).t_pose_frames == 0


# --- back to the file ---


def test_the_round_trip_keeps_every_number():
    document = biped(frames=40)
    loaded = clip_from_bvh(document)
    back = bvh_from_clip(loaded.clip, document, loaded.conversion)
    np.testing.assert_allclose(back.values, document.values, atol=1e-8)
    assert back.channels == document.channels
    assert back.frame_time == document.frame_time


def test_another_frame_rate_is_written():
    document = biped()
    loaded = clip_from_bvh(document, fps=60.0)
    assert bvh_from_clip(loaded.clip, document, loaded.conversion).frame_time == pytest.approx(1 / 60)


def test_a_part_starts_near_its_own_frame():
    document = biped(frames=40)
    values = document.values.copy()
    values[:, 4] += 720.0  # two whole turns that only the file knows of
    document = with_values(document, values)
    loaded = clip_from_bvh(document)
    back = bvh_from_clip(loaded.clip.frames(10, 20), document, loaded.conversion, first_frame=10)
    np.testing.assert_allclose(back.values, document.values[10:20], atol=1e-8)


def test_a_clip_of_other_bones_is_refused():
    loaded = clip_from_bvh(biped())
    small = parse_bvh(biped_text().split("\tJOINT Left")[0] + "}\nMOTION\nFrame Time: .1\n0 0 0 0 0 0\n", "one.bvh")
    with pytest.raises(RigError):
        bvh_from_clip(loaded.clip, small, loaded.conversion)


def test_values_that_are_no_numbers_are_not_written():
    document = biped()
    loaded = clip_from_bvh(document)
    with pytest.raises(MotionFileError):
        bvh_from_clip(replace(loaded.clip, positions=loaded.clip.positions * np.nan), document, loaded.conversion)


ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


@pytest.mark.parametrize("axes", ORDERS)
def test_angles_are_continuous_through_the_pole(axes):
    time = np.linspace(0.0, 1.0, 200)
    wanted = np.stack([0.3 + time, 3.0 * time, 0.5 - time], axis=-1)[:, None]  # the middle angle passes 90 degrees
    q = rotations.from_euler(wanted, axes)
    found = nearest_angles(q, axes, wanted[0])
    np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("axes", ORDERS)
@pytest.mark.parametrize("pole", [-0.5 * np.pi, 0.5 * np.pi])
def test_angles_do_not_jump_at_the_pole(axes, pole):
    time = np.linspace(0.0, 1.0, 50)
    wanted = np.stack([0.3 + time, np.full(50, pole), 2.0 * time - 0.4], axis=-1)[:, None]
    q = rotations.from_euler(wanted, axes)
    found = nearest_angles(q, axes, wanted[0])
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-5)
    assert np.max(np.abs(np.diff(found, axis=0))) < 0.1
    assert np.max(rotations.angle_between(rotations.from_euler(found, axes), q)) < 1e-6


@given(st.integers(0, 10**6), st.sampled_from(ORDERS))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_any_rotation_is_written_exactly(seed, axes):
    rng = np.random.default_rng(seed)
    q = rotations.exp(rng.normal(0.0, 2.0, (20, 3, 3)))
    found = nearest_angles(q, axes, rng.normal(0.0, 5.0, (3, 3)))
    assert np.max(rotations.angle_between(rotations.from_euler(found, axes), q)) < 1e-6


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)])
def test_fewer_axes_give_the_nearest_rotation(axes):
    rng = np.random.default_rng(7)
    wanted = np.cumsum(rng.normal(0.0, 0.4, (60, 1, len(axes))), axis=0)
    exact = nearest_angles(rotations.from_euler(wanted, axes), axes, wanted[0])
    np.testing.assert_allclose(exact, wanted, atol=1e-7)

    q = rotations.multiply(rotations.from_euler(wanted, axes), rotations.exp(rng.normal(0.0, 0.3, (60, 1, 3))))
    angles = nearest_angles(q, axes, wanted[0])
    best = rotations.angle_between(rotations.from_euler(angles, axes), q)
    for nudge in rng.normal(0.0, 0.05, (50, len(axes))):
        assert np.all(rotations.angle_between(rotations.from_euler(angles + nudge, axes), q) >= best - 1e-9)


# --- the CMU clips ---


@needs_mocap
@pytest.mark.parametrize("path", CLIPS, ids=lambda path: path.stem)
def test_cmu_is_understood_and_survives_the_way_through_a_clip(path):
    document = read_bvh(path)
    loaded = clip_from_bvh(document)
    assert loaded.conversion.metres_per_unit == pytest.approx(0.0564444, abs=1e-7)
    assert loaded.conversion.up == "y"
    assert loaded.t_pose_frames == (2 if path.stem == "cmu_07_12" else 1)
    assert loaded.clip.fps == 120.0
    assert loaded.notes == ()

    first = loaded.t_pose_frames
    back = bvh_from_clip(loaded.clip.frames(first, len(loaded.clip)), document, loaded.conversion, first_frame=first)
    back = parse_bvh(format_bvh(back), path.name)
    np.testing.assert_allclose(back.values[0], document.values[first], atol=1e-4)
    np.testing.assert_allclose(back.values[:, :3], document.values[first:, :3], atol=1e-4)
    again = clip_from_bvh(back, metres_per_unit=CMU_UNIT, up="y").clip
    assert np.degrees(np.max(rotations.angle_between(again.rotations, loaded.clip.rotations[first:]))) < 1e-4


@needs_mocap
@pytest.mark.parametrize("path", CLIPS, ids=lambda path: path.stem)
def test_cmu_with_z_up_is_understood(path):
    assert clip_from_bvh(swapped_axes(read_bvh(path))).conversion.up == "z"


@needs_mocap
@pytest.mark.parametrize("path", CLIPS, ids=lambda path: path.stem)
def test_cmu_t_pose_is_found_at_24_fps_and_nothing_without_it(path):
    document = read_bvh(path)
    first = 2 if path.stem == "cmu_07_12" else 1
    thinned = with_values(document, np.concatenate([document.values[:first], document.values[first::5]]))
    assert clip_from_bvh(thinned).t_pose_frames == first
    assert clip_from_bvh(with_values(document, document.values[first:])).t_pose_frames == 0


@needs_mocap
@pytest.mark.parametrize("name", ["cmu_35_01", "cmu_16_03", "cmu_05_02", "cmu_136_25", "cmu_17_10"])
def test_cmu_stood_up_by_its_root_is_understood(name):
    document = read_bvh(MOCAP / f"{name}.bvh")
    document = with_values(document, document.values[1:])
    assert clip_from_bvh(turned_by_root(document)).conversion.up == "z"
