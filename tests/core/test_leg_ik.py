"""Legs that reach: the ankle comes to its target, bones keep their length, the knee keeps its side."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.reference.leg_ik import reach


def _legs(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hips, knees and ankles of bent legs, anywhere and in any direction."""
    rng = np.random.default_rng(seed)
    hip = rng.normal(size=(count, 3))
    turn = rotations.exp(rng.normal(size=(count, 3)))
    bend = rng.uniform(0.3, 1.5, count)
    knee = np.tile([0.0, 0.0, -0.43], (count, 1))
    shin = np.stack([np.zeros(count), 0.41 * np.sin(bend), -0.41 * np.cos(bend)], axis=1)
    return hip, hip + rotations.rotate(turn, knee), hip + rotations.rotate(turn, knee + shin)


def _side(hip, knee, ankle) -> np.ndarray:
    """Where each knee points, across the line from hip to ankle."""
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
    out = (knee - hip) - np.sum((knee - hip) * line, axis=1, keepdims=True) * line
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def _reached(hip, knee, ankle, turns) -> tuple[np.ndarray, np.ndarray]:
    new_knee = hip + rotations.rotate(turns.thigh, knee - hip)
    return new_knee, new_knee + rotations.rotate(turns.shin, ankle - knee)


@pytest.mark.parametrize("seed", range(3))
def test_the_ankle_comes_to_a_target_within_reach(seed):
    hip, knee, ankle = _legs(200, seed)
    offset = np.random.default_rng(seed).normal(size=(200, 3))
    offset *= np.random.default_rng(seed).uniform(0.1, 0.83, (200, 1)) / np.linalg.norm(offset, axis=1, keepdims=True)
    target = hip + offset
    turns = reach(hip, knee, ankle, target, np.random.default_rng(9).normal(size=3))
    new_knee, new_ankle = _reached(hip, knee, ankle, turns)
    np.testing.assert_allclose(turns.ankle, target, atol=1e-9)
    np.testing.assert_allclose(new_ankle, target, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(new_knee - hip, axis=1), 0.43, atol=1e-9)


def test_a_knee_keeps_its_plane_where_the_target_lies_in_it():
    hip, knee, ankle = _legs(100, 4)
    target = hip + 0.8 * (ankle - hip)
    turns = reach(hip, knee, ankle, target, _side(hip, knee, ankle))
    new_knee, new_ankle = _reached(hip, knee, ankle, turns)
    np.testing.assert_allclose(_side(hip, new_knee, new_ankle), _side(hip, knee, ankle), atol=1e-6)


def test_a_leg_that_is_already_there_does_not_move():
    hip, knee, ankle = _legs(50, 1)
    turns = reach(hip, knee, ankle, ankle, _side(hip, knee, ankle))
    np.testing.assert_allclose(rotations.log(turns.thigh), 0.0, atol=1e-6)
    np.testing.assert_allclose(rotations.log(turns.shin), 0.0, atol=1e-6)


def test_a_target_out_of_reach_is_pointed_at_with_an_almost_straight_leg():
    hip, knee, ankle = _legs(50, 2)
    target = hip + np.array([0.0, 3.0, 0.0])
    turns = reach(hip, knee, ankle, target, np.array([0.0, 0.0, 1.0]))
    _, new_ankle = _reached(hip, knee, ankle, turns)
    np.testing.assert_allclose(new_ankle, turns.ankle, atol=1e-6)
    np.testing.assert_allclose(turns.ankle - hip, np.tile([0.0, 0.84 * 0.9995, 0.0], (50, 1)), atol=1e-6)


def test_a_target_too_near_folds_the_leg_as_far_as_it_goes():
    hip, knee, ankle = _legs(50, 3)
    turns = reach(hip, knee, ankle, hip + np.array([0.0, 0.001, 0.0]), np.array([0.0, 0.0, 1.0]))
    _, new_ankle = _reached(hip, knee, ankle, turns)
    np.testing.assert_allclose(np.linalg.norm(new_ankle - hip, axis=1), 0.02, atol=1e-3)
    assert np.isfinite(turns.thigh).all()


@pytest.mark.parametrize("bend", [0.0, 1e-5, 1e-3])
def test_a_straight_leg_bends_forward(bend):
    """Exactly straight legs are common in poses made by hand, and nothing in them says where the knee goes."""
    hip, knee, ankle, target = (np.array([[0.0, y, z]]) for y, z in ((0, 0), (-bend, -0.43), (0, -0.84), (0, -0.75)))
    turns = reach(hip, knee, ankle, target, np.array([0.0, -1.0, 0.0]))
    new_knee, new_ankle = _reached(hip, knee, ankle, turns)
    np.testing.assert_allclose(new_ankle, target, atol=1e-4)
    assert new_knee[0, 1] < -0.1


def test_a_knee_that_is_bent_back_comes_round_to_the_front_without_a_snap():
    """A capture overstretches a knee, from a little bent to a little bent back; the leg shortens all the while."""
    bend = np.linspace(0.5, -0.5, 200)[:, None]
    hip = np.zeros((200, 3))
    knee = 0.43 * np.concatenate([np.zeros_like(bend), np.sin(0.5 * bend), -np.cos(0.5 * bend)], axis=1)
    ankle = knee + 0.41 * np.concatenate([np.zeros_like(bend), -np.sin(0.5 * bend), -np.cos(0.5 * bend)], axis=1)
    forward = np.tile([0.0, 1.0, 0.0], (200, 1))
    turns = reach(hip, knee, ankle, np.tile([0.0, 0.0, -0.8], (200, 1)), forward)
    new_knee, _ = _reached(hip, knee, ankle, turns)
    assert new_knee[:, 1].min() > 0.1
    assert np.linalg.norm(np.diff(new_knee, axis=0), axis=1).max() < 0.01
