"""The reference by its own laws: velocities of its poses, momentum of its velocities, forces of its momentum."""

import numpy as np
import pytest

from sim_core.dynamics import kinematics
from sim_core.dynamics.state_space import difference
from sim_core.posing.body_motion import body_positions
from sim_core.posing.recover_clip import recover_clip
from sim_core.posing.surface import surface_points, touch
from sim_core.reference.place_ankles import bend_legs
from sim_core.reference.reference import Reference, build_reference
from sim_core.rig.segments import HEAD, TRUNK
from sim_core.scene import Ground, Scene
from sim_core.settings import ReferenceSettings
from tests.clips import Person, crouching, jumping, moved, person, turned

RATE = 500.0
HOLD_S = 0.4


def _reference(someone: Person, scene: Scene | None = None) -> Reference:
    return build_reference(someone.clip, someone.body, scene or Scene(), ReferenceSettings(), rate=RATE, hold_s=HOLD_S)


def _waving(fps: float = 60.0) -> Person:
    """Someone who stands, bobs and waves an arm."""
    frames = int(2 * fps) + 1
    t = np.arange(frames) / fps
    clip, body = crouching(frames=frames, fps=fps, depth=0.08 + 0.04 * np.sin(2.0 * np.pi * t))
    return Person(turned(clip, "RightArm", 0.5 * np.sin(3.0 * np.pi * t)[:, None] * [1.0, 0.5, 0.0]), body)


@pytest.fixture(scope="module")
def waving() -> tuple[Person, Reference]:
    someone = _waving()
    return someone, _reference(someone)


def test_there_is_one_row_for_every_step_and_then_the_hold(waving):
    someone, reference = waving
    assert reference.clip_steps == int(someone.clip.duration_s * RATE) + 1
    assert len(reference) == reference.clip_steps + round(HOLD_S * RATE)
    for rows in (reference.v, reference.a, reference.com, reference.contacts.feet, reference.needed.force):
        assert len(rows) == len(reference)


@pytest.mark.parametrize("fps", [24.0, 29.97, 120.0])
def test_any_frame_rate_gives_the_clips_own_length(fps):
    someone = crouching(frames=40, fps=fps)
    reference = _reference(someone)
    assert (reference.clip_steps - 1) / RATE == pytest.approx(39 / fps, abs=1.0 / RATE)


def test_a_slow_motion_is_followed_at_its_own_times(waving):
    someone, reference = waving
    q = body_positions(someone.clip, someone.body)
    steps = np.round(np.arange(len(q)) / someone.clip.fps * RATE).astype(int)
    off = difference(someone.body, reference.q[steps], q)
    assert np.abs(off).max() < 0.06
    assert np.sqrt(np.mean(off**2)) < 0.01


def test_velocities_lead_from_pose_to_pose(waving):
    someone, reference = waving
    inside = slice(10, reference.clip_steps - 10)
    step = difference(someone.body, reference.q[2:], reference.q[:-2])[inside] * RATE / 2.0
    np.testing.assert_allclose(reference.v[1:-1][inside], step, atol=1e-6)
    changes = (reference.v[2:] - reference.v[:-2]) * RATE / 2.0
    noisy = int(0.04 * RATE)  # at either end, where the filter's own accelerations are not to be followed
    np.testing.assert_allclose(reference.a[noisy:-noisy], changes[noisy - 1 : -(noisy - 1)], atol=1e-9)
    np.testing.assert_allclose(reference.a[:noisy], np.tile(reference.a[noisy], (noisy, 1)))


def test_momentum_is_that_of_the_velocities(waving):
    someone, reference = waving
    motion = kinematics.motion(someone.body, reference.q, reference.v)
    np.testing.assert_allclose(reference.com, motion.pose.com)
    np.testing.assert_allclose(reference.com_velocity, motion.linear_momentum / someone.body.mass)
    inside = slice(10, reference.clip_steps - 10)
    rate_of_com = np.gradient(reference.com, 1.0 / RATE, axis=0)
    np.testing.assert_allclose(reference.com_velocity[inside], rate_of_com[inside], atol=2e-3)


def test_standing_still_needs_its_weight_and_nothing_else():
    someone = crouching(frames=60, fps=60.0)
    reference = _reference(someone)
    weight = someone.body.mass * 9.81
    np.testing.assert_allclose(reference.needed.force, np.tile([0.0, 0.0, weight], (len(reference), 1)), atol=1e-3)
    np.testing.assert_allclose(reference.needed.torque, 0.0, atol=1e-3)
    np.testing.assert_allclose(reference.v, 0.0, atol=1e-6)
    assert reference.contacts.feet.all()
    assert reference.flipped == {}


@pytest.mark.parametrize("off", [-0.05, 0.05])
def test_a_floor_that_is_off_by_centimetres_is_found(off):
    someone = crouching(frames=60, fps=60.0)
    reference = _reference(Person(moved(someone.clip, [0.0, 0.0, off]), someone.body))
    soles = kinematics.pose(someone.body, reference.q).points(someone.body.soles.links, someone.body.soles.local)
    np.testing.assert_allclose(soles[..., 2], 0.0, atol=5e-3)
    assert reference.contacts.feet.all()


def test_the_ground_is_the_scenes():
    someone = crouching(frames=60, fps=60.0)
    lifted = Person(moved(someone.clip, [0.0, 0.0, 2.0]), someone.body)
    reference = _reference(lifted, Scene(ground=Ground(point=np.array([0.0, 0.0, 2.0]))))
    assert reference.contacts.feet.all()


def test_a_jump_leaves_the_ground_and_needs_nothing_there():
    someone = jumping(120.0)
    reference = _reference(someone)
    air = ~reference.contacts.feet.any(axis=1)
    flight_s = 2.0 * 2.4 / 9.81
    assert air.sum() / RATE == pytest.approx(flight_s, abs=0.15)
    middle = np.flatnonzero(air)[len(np.flatnonzero(air)) // 2]
    assert reference.needed.force[middle, 2] == pytest.approx(0.0, abs=0.1 * someone.body.mass * 9.81)


def test_the_hold_glides_to_a_stop():
    someone = _waving()
    reference = _reference(someone)
    assert np.abs(reference.v[-2]).max() < 0.1 * max(np.abs(reference.v[reference.clip_steps - 1]).max(), 0.1)
    jumps = np.abs(difference(someone.body, reference.q[1:], reference.q[:-1])).max(axis=1)
    assert jumps.max() < 0.03  # 15 rad/s: no jump from clip to hold


def test_a_flip_is_bridged_and_counted():
    clip, body = crouching(frames=60, fps=60.0)
    spin = np.zeros((60, 3))
    spin[30:32, 1] = 2.5
    reference = _reference(Person(turned(clip, "LeftHand", spin), body))
    assert list(reference.flipped) == ["hand_l"]
    assert np.abs(reference.v).max() < 5.0


@pytest.mark.parametrize("frames", [3, 4, 5])
def test_a_few_frames_are_enough(frames):
    someone = crouching(frames=frames, fps=30.0)
    assert np.isfinite(_reference(someone).q).all()


def test_a_clip_that_ends_in_the_air_is_let_down_while_its_end_is_held():
    clip, body = jumping(60.0)
    top = int(np.argmax(body_positions(clip, body)[:, 2]))
    reference = _reference(Person(clip.frames(0, top + 1), body))
    heights = kinematics.pose(body, reference.q).points(body.soles.links, body.soles.local)[..., 2].min(axis=1)
    assert heights[reference.clip_steps - 1] > 0.15
    assert abs(heights[-1]) < 1e-6
    falls = heights[int(np.argmax(heights)) :]
    assert np.all(np.diff(falls) <= 1e-4)


@pytest.mark.parametrize("height_m", [-0.05, 0.0, 0.06])
def test_who_lies_lies_on_the_ground_wherever_the_capture_has_him(height_m):
    clip, body = person(frames=60, fps=30.0)
    clip = turned(clip, "Hips", np.tile([-0.5 * np.pi, 0.0, 0.0], (60, 1)))
    surface = surface_points(body)
    trunk = np.isin(np.array(body.names)[surface.links], [*TRUNK, *HEAD])

    def lowest(q: np.ndarray) -> np.ndarray:
        distances: np.ndarray = touch(body, kinematics.pose(body, q), Ground()).distances[:, trunk].min(axis=1)
        return distances

    lift = height_m - lowest(body_positions(clip, body)).min()
    reference = _reference(Person(moved(clip, np.array([0.0, 0.0, lift])), body))
    assert np.abs(lowest(reference.q[: reference.clip_steps])).max() < 0.03


def test_drawn_up_feet_that_reach_below_the_floor_do_not_lift_a_back_off_it():
    clip, body = person(frames=60, fps=30.0)
    clip = turned(clip, "Hips", np.tile([-0.5 * np.pi, 0.0, 0.0], (60, 1)))
    surface = surface_points(body)
    trunk = np.isin(np.array(body.names)[surface.links], TRUNK)

    def lowest(q: np.ndarray) -> np.ndarray:
        distances: np.ndarray = touch(body, kinematics.pose(body, q), Ground()).distances[:, trunk].min(axis=1)
        return distances

    q = body_positions(clip, body)
    q[:, 2] -= lowest(q)
    now = kinematics.pose(body, q)
    soles = now.points(body.soles.links, body.soles.local)
    hips, ankles = (now.origins[:, [body.index(f"{name}_{side}") for side in "lr"]] for name in ("thigh", "foot"))
    drawn_up = hips + 0.6 * (ankles - hips)
    drawn_up[..., 2] = -0.06 + (ankles[..., 2] - soles[..., 2].min(axis=1, keepdims=True))
    bend_legs(q, body, now, drawn_up, np.ones((len(q), 2)))
    reference = _reference(Person(recover_clip(clip, body, q), body))
    assert np.abs(lowest(reference.q[: reference.clip_steps])).max() < 0.03
