"""Feet that are down stand still; feet that are led from one stance to the next clear the ground."""

import numpy as np

from sim_core.body.body import Body
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from sim_core.reference.pin_feet import pin_feet
from sim_core.reference.place_ankles import bend_legs
from sim_core.scene import Ground
from tests.clips import crouching, moved

RATE = 250.0
GROUND = Ground()


def _left_soles(body: Body, q: np.ndarray) -> np.ndarray:
    return pose(body, q).points(body.soles.links, body.soles.local)[:, body.soles.left]


def _shuffling() -> tuple[Body, np.ndarray, np.ndarray]:
    """Someone whose left foot glides 0.3 m forward at a height of 8 mm, within 0.2 s, and which feet are down."""
    someone = crouching(frames=251, fps=RATE, depth=0.08)
    q = body_positions(someone.clip, someone.body)
    times = np.arange(len(q)) / RATE
    share = np.clip((times - 0.4) / 0.2, 0.0, 1.0)
    now = pose(someone.body, q)
    targets = now.origins[:, [someone.body.index(f"foot_{side}") for side in "lr"]].copy()
    targets[:, 0, 1] += 0.15 - 0.3 * share
    targets[:, 0, 2] += 0.008 * np.sin(np.pi * share)
    bend_legs(q, someone.body, now, targets, np.ones((len(q), 2)))
    down = np.ones((len(q), 2), dtype=bool)
    down[:, 0] = (times < 0.4) | (times > 0.6)
    return someone.body, q, down


def test_a_foot_that_glides_along_the_ground_is_lifted_off_it():
    body, q, down = _shuffling()
    assert _left_soles(body, q)[115:135, :, 2].max() < 0.01
    heights = _left_soles(body, pin_feet(q, body, GROUND, RATE, down, np.zeros_like(down)))[..., 2]
    assert heights[120:130].min() > 0.03
    np.testing.assert_allclose(heights[20:90], 0.0, atol=2e-3)


def test_a_foot_that_is_down_stands_still():
    someone = crouching(frames=251, fps=RATE, depth=0.08)
    creep = np.linspace(0.0, 0.04, 251)[:, None] * [1.0, 0.0, 0.0]
    q = body_positions(moved(someone.clip, creep), someone.body)
    down = np.ones((251, 2), dtype=bool)
    pinned = pin_feet(q, someone.body, GROUND, RATE, down, ~down)
    assert np.ptp(_left_soles(someone.body, pinned)[..., 0], axis=0).max() < 1e-3


def test_a_foot_that_is_shuffled_within_a_stance_stands_at_both_places():
    body, q, _ = _shuffling()
    down = np.ones((len(q), 2), dtype=bool)
    pinned = _left_soles(body, pin_feet(q, body, GROUND, RATE, down, ~down))
    meant = _left_soles(body, q)
    for rows in (slice(20, 80), slice(170, 230)):
        assert np.ptp(pinned[rows, :, 1], axis=0).max() < 0.01
        np.testing.assert_allclose(pinned[rows, :, :2], meant[rows, :, :2], atol=0.02)
