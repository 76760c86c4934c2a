"""Fewer keys, by law: no watched point leaves its tolerance, planted feet stay, what is simple stays simple."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core import rotations
from sim_core.errors import SettingsError
from sim_core.keys import hermite
from sim_core.keys.channels import channel_rotations
from sim_core.keys.reduce_keys import reduce_keys
from sim_core.keys.track import CurveKeys, ReducedKeys, Track

FRAMES = 90
KINDS = ("QUATERNION", "XYZ", "ZYX", "YZX", "AXIS_ANGLE")


def finish(work):
    while True:
        try:
            fraction = next(work)
            assert 0.0 <= fraction <= 1.0
        except StopIteration as end:
            return end.value


def smooth(rng, channels, size, frames=FRAMES):
    """A sum of slow waves."""
    t = np.arange(frames)[:, None, None] / 30.0
    rates, phases = rng.uniform(0.2, 2.0, (2, channels, 4))
    return size * np.sum(rng.normal(0.0, 0.5, (channels, 4)) * np.sin(rates * t * 2.0 * np.pi + 6.0 * phases), axis=-1)


def channels_of(kind, turn):
    """Channels (T, C) of turns (T, 3) that stay well away from poles."""
    if kind == "QUATERNION":
        return rotations.exp(turn)
    if kind == "AXIS_ANGLE":
        return np.concatenate([1.0 + turn[:, :1], turn + np.array([0.3, 1.0, 0.5])], axis=1)
    return turn


def limb(seed=0, kinds=("QUATERNION",) * 4, frames=FRAMES):
    """A chain of bones that waves, with a side branch; listed with children before parents."""
    rng = np.random.default_rng(seed)
    tracks = []
    for bone, kind in enumerate(kinds):
        before = np.eye(4)
        before[:3, :3] = rotations.to_matrix(rotations.exp(rng.normal(0.0, 0.5, 3)))
        before[:3, 3] = (0.0, 0.4, 0.0) if bone else 0.0
        tracks.append(
            Track(
                name=f"bone {bone}",
                parent=max(bone - 1, 0) - (bone == 0) - (bone == 3),
                before=before,
                rotation_kind=kind,
                rotation=channels_of(kind, smooth(rng, 3, 0.3, frames)),
                location=smooth(rng, 3, 0.4, frames) if bone == 0 else None,
                points=np.array([[0.0, 0.4, 0.0]]),
            )
        )
    order = [2, 0, 3, 1]
    return [replace(tracks[old], parent=order.index(tracks[old].parent) if old else -1) for old in order]


def world_points(tracks, channels):
    """Heads and tails by plain forward kinematics, frame by frame and bone by bone."""
    frames = len(channels[0][0])

    def world(row, frame):
        track, (rotation, location) = tracks[row], channels[row]
        basis = np.eye(4)
        basis[:3, :3] = rotations.to_matrix(channel_rotations(track.rotation_kind, rotation[frame]))
        basis[:3, 3] = 0.0 if location is None else location[frame]
        own = np.broadcast_to(track.before, (frames, 4, 4))[frame] @ basis
        return own if track.parent < 0 else world(track.parent, frame) @ own

    locals_ = [np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.4, 0.0, 1.0])]
    return np.array(
        [[(world(row, frame) @ p)[:3] for row in range(len(tracks)) for p in locals_] for frame in range(frames)]
    )


def played(keys: CurveKeys, frames=FRAMES):
    """The curve as Blender plays it: Bezier pieces with handles at thirds."""
    if len(keys.frames) == 1:
        return np.repeat(keys.values, frames, axis=0)
    result = np.empty((frames, keys.values.shape[1]))
    for k, (start, end) in enumerate(zip(keys.frames[:-1], keys.frames[1:], strict=True)):
        way, t = end - start, (np.arange(start, end + 1) - start)[:, None] / (end - start)
        first, last = keys.values[k], keys.values[k + 1]
        leave, arrive = first + keys.slopes[k] * way / 3.0, last - keys.slopes[k + 1] * way / 3.0
        u = 1.0 - t
        result[start : end + 1] = u**3 * first + 3 * u * u * t * leave + 3 * u * t * t * arrive + t**3 * last
    return result


def channels_played(reduced: ReducedKeys, frames=FRAMES):
    return [
        (played(track.rotation, frames), None if track.location is None else played(track.location, frames))
        for track in reduced.tracks
    ]


def farthest(tracks, reduced):
    given = world_points(tracks, [(track.rotation, track.location) for track in tracks])
    return np.linalg.norm(world_points(tracks, channels_played(reduced)) - given, axis=-1).max()


@pytest.mark.parametrize("seed", range(4))
def test_no_point_leaves_its_tolerance(seed):
    kinds = np.random.default_rng(seed).choice(KINDS, 4)
    tracks = limb(seed, kinds)
    reduced = finish(reduce_keys(tracks, tolerance_m=0.003))
    assert farthest(tracks, reduced) <= reduced.error_m * (1 + 1e-9) <= 0.003 * (1 + 1e-9)
    assert reduced.key_count * 3 < reduced.every_frame_key_count


def test_the_counts_are_those_of_the_keys():
    tracks = limb()
    reduced = finish(reduce_keys(tracks))
    curves = [curve for track in reduced.tracks for curve in (track.rotation, track.location) if curve is not None]
    assert reduced.key_count == sum(curve.values.size for curve in curves)
    assert reduced.every_frame_key_count == FRAMES * (4 * 4 + 3)
    assert [track.name for track in reduced.tracks] == [track.name for track in tracks]


def test_a_larger_tolerance_never_needs_more_keys():
    counts = [finish(reduce_keys(limb(5), tolerance_m=t)).key_count for t in (0.0005, 0.002, 0.008, 0.03)]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == len(counts)


def test_a_motion_made_of_few_keys_gets_no_more_than_those():
    knots, rng = np.array([0, 25, 60, 89]), np.random.default_rng(1)
    nodes = np.stack([rng.normal(0.0, 0.4, (4, 3)), rng.normal(0.0, 0.03, (4, 3))], axis=1)
    channels = hermite.sample(knots, nodes, np.arange(FRAMES))
    bone = Track(name="arm", before=np.eye(4), rotation_kind="XYZ", rotation=channels, points=np.array([[0, 0.5, 0]]))
    keys = finish(reduce_keys([bone], tolerance_m=0.001)).tracks[0].rotation
    assert len(keys.frames) <= 4


def test_a_single_cubic_needs_its_two_ends():
    t = np.linspace(-1.0, 1.0, FRAMES)[:, None]
    bone = Track(name="arm", before=np.eye(4), rotation_kind="XYZ", rotation=t**3 * [0.5, -0.2, 0.1] + t * 0.3)
    reduced = finish(reduce_keys([bone], tolerance_m=0.0005))
    assert reduced.tracks[0].rotation.frames.tolist() == [0, FRAMES - 1]
    assert reduced.error_m < 0.00002


def test_what_stays_put_has_one_key():
    still = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    tracks = [
        Track(name="moving", before=np.eye(4), rotation=rotations.exp(smooth(np.random.default_rng(2), 3, 0.3))),
        Track(name="still", parent=0, before=np.eye(4), rotation=still, location=np.ones((FRAMES, 3))),
        Track(name="fixed", parent=1, before=np.eye(4)),
    ]
    moving, put, fixed = finish(reduce_keys(tracks)).tracks
    assert len(moving.rotation.frames) > 2
    assert len(put.rotation.frames) == len(put.location.frames) == 1
    assert fixed.rotation is None
    assert fixed.location is None


def test_poses_at_the_ends_and_at_kept_frames_are_exact():
    keep = (17, 18, 50)
    tracks = limb(3)
    reduced = finish(reduce_keys(tracks, tolerance_m=0.01, keep=keep))
    rows = [0, *keep, FRAMES - 1]
    for track, result, (rotation, _) in zip(tracks, reduced.tracks, channels_played(reduced), strict=True):
        assert set(rows) <= set(result.rotation.frames.tolist())
        np.testing.assert_allclose(rotation[rows], track.rotation[rows], atol=1e-12)


def test_planted_bones_keep_their_place_better():
    tracks = limb(4)
    planted = np.zeros((FRAMES, 4), dtype=bool)
    planted[20:60, 0] = True
    loose, strict = (finish(reduce_keys(tracks, tolerance_m=0.008, planted=mask)) for mask in (None, planted))
    assert loose.planted_error_m == 0.0
    assert 0.0 < strict.planted_error_m <= 0.002 * (1 + 1e-9)
    assert strict.error_m <= 0.008 * (1 + 1e-9)


def test_a_foot_nailed_to_the_ground_does_not_begin_to_slide():
    """Hip and foot turn against each other so that the foot is still while the hip moves."""
    turn = smooth(np.random.default_rng(6), 3, 0.3)
    leg = rotations.exp(turn)
    hip = -rotations.rotate(leg, np.array([0.0, 0.9, 0.0]))
    foot = np.eye(4)
    foot[1, 3] = 0.9
    tracks = [
        Track(name="leg", before=np.eye(4), rotation=leg, location=hip),
        Track(name="foot", parent=0, before=foot, rotation=rotations.inverse(leg)),
    ]
    planted = np.tile([False, True], (FRAMES, 1))
    reduced = finish(reduce_keys(tracks, tolerance_m=0.002, planted=planted))
    (leg_turn, hip_path), _ = channels_played(reduced)
    sole = hip_path + rotations.rotate(channel_rotations("QUATERNION", leg_turn), np.array([0.0, 0.9, 0.0]))
    assert np.linalg.norm(np.diff(sole, axis=0), axis=-1).mean() < 0.00002
    assert reduced.key_count < reduced.every_frame_key_count


def test_a_jump_of_a_single_frame_survives():
    channels = smooth(np.random.default_rng(7), 3, 0.2)
    channels[40:] += 1.0
    bone = Track(name="arm", before=np.eye(4), rotation_kind="XYZ", rotation=channels, points=np.array([[0, 0.5, 0]]))
    reduced = finish(reduce_keys([bone]))
    assert reduced.error_m <= 0.002 * (1 + 1e-9)
    assert {39, 40} <= set(reduced.tracks[0].rotation.frames.tolist())


def test_scale_in_front_of_the_root_makes_its_units_metres():
    metres = limb(8)
    centimetres = []
    for track in metres:
        before = track.before.copy()
        before[:3, 3] *= 100.0
        if track.parent < 0:
            before = np.diag([0.01, 0.01, 0.01, 1.0]) @ before
        location = None if track.location is None else track.location * 100.0
        centimetres.append(replace(track, before=before, location=location, points=track.points * 100.0))
    a, b = (finish(reduce_keys(tracks)) for tracks in (metres, centimetres))
    assert b.error_m <= 0.002 * (1 + 1e-9)
    assert b.key_count == pytest.approx(a.key_count, rel=0.1)


def test_the_same_motion_gives_the_same_keys():
    first, again = (finish(reduce_keys(limb(9))) for _ in range(2))
    for a, b in zip(first.tracks, again.tracks, strict=True):
        assert a.rotation.frames.tobytes() == b.rotation.frames.tobytes()
        assert a.rotation.values.tobytes() == b.rotation.values.tobytes()


def test_a_tolerance_below_rounding_comes_to_an_end():
    reduced = finish(reduce_keys(limb(1, frames=12), tolerance_m=1e-17))
    assert reduced.key_count == reduced.every_frame_key_count
    assert reduced.error_m < 1e-12


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_short_motions(frames):
    reduced = finish(reduce_keys(limb(1, frames=frames)))
    assert reduced.error_m <= 0.002
    assert reduced.tracks[0].rotation.frames[-1] == frames - 1


def test_nothing_given_is_changed():
    tracks = limb(2)
    copies = [track.rotation.copy() for track in tracks]
    finish(reduce_keys(tracks))
    assert all(np.array_equal(track.rotation, copy) for track, copy in zip(tracks, copies, strict=True))


@pytest.mark.parametrize("wrong", [{"tolerance_m": 0.0}, {"planted_share": -1.0}])
def test_no_tolerance_is_refused_in_words(wrong):
    with pytest.raises(SettingsError, match="tolerance"):
        finish(reduce_keys(limb(), **wrong))


def test_no_channels_are_refused_in_words():
    with pytest.raises(SettingsError, match="channels"):
        finish(reduce_keys([Track(name="fixed", before=np.eye(4))]))
