"""Changed bodies are what their names say, and nothing else of them changes."""

import numpy as np
import pytest

from bench.body_changes import foot_length, heavy_left_leg, heavy_legs, heavy_upper_body, longer_feet
from sim_core.dynamics.kinematics import pose
from sim_core.posing.body_motion import body_positions
from tests.clips import person
from tests.makers import figure_body

LEG = ("thigh", "shin", "foot", "toes")


def _is_leg(name: str) -> bool:
    return name.rsplit("_", 1)[0] in LEG


@pytest.mark.parametrize(
    ("change", "factor_of"),
    [
        (heavy_left_leg, lambda name: 2.0 if _is_leg(name) and name.endswith("_l") else 1.0),
        (heavy_upper_body, lambda name: 0.5 if _is_leg(name) else 2.0),
        (heavy_legs, lambda name: 2.0 if _is_leg(name) else 1.0),
    ],
)
def test_masses_and_inertias_are_scaled_alike(change, factor_of):
    body = figure_body()
    changed = change(body)
    for old, new in zip(body.links, changed.links, strict=True):
        assert new.mass == pytest.approx(factor_of(old.name) * old.mass)
        np.testing.assert_allclose(new.inertia, factor_of(old.name) * old.inertia)
        np.testing.assert_array_equal(new.com, old.com)


def test_a_heavy_left_leg_adds_the_mass_of_a_leg():
    body = figure_body()
    leg = sum(link.mass for link in body.links if _is_leg(link.name) and link.name.endswith("_l"))
    assert heavy_left_leg(body).mass == pytest.approx(body.mass + leg)


@pytest.mark.parametrize("metres", [0.04, -0.04, -0.08])
@pytest.mark.parametrize("family", ["CMU", "Rigify metarig"])
def test_sole_points_of_a_standing_person_reach_as_far_as_was_asked(metres, family):
    clip, body = person(family=family)
    changed = longer_feet(body, metres)
    q = body_positions(clip, body)[0]
    before, after = (pose(of, q).points(of.soles.links, of.soles.local) for of in (body, changed))
    for left in (True, False):
        foot = body.soles.left == left
        longer = np.ptp(after[foot, 1]) - np.ptp(before[foot, 1])  # the person faces -Y
        assert longer == pytest.approx(metres, abs=0.1 * abs(metres))  # feet point outwards a little
    np.testing.assert_allclose(after[:, 2], before[:, 2], atol=2e-3)  # the soles stay where they are on the ground
    assert changed.mass == pytest.approx(body.mass)
    for side in ("_l", "_r"):
        assert foot_length(changed, side) == pytest.approx(foot_length(body, side) + metres)


def test_a_stretched_foot_has_the_inertia_of_stretched_mass():
    """As of six points of mass with the foot's inertia, each taken along."""
    body = person().body
    old, new = (of.links[body.index("foot_l")] for of in (body, longer_feet(body, 0.04)))
    factor = 1.0 + 0.04 / foot_length(body, "_l")
    forward = old.shape.R_link_box[:, 0]
    moments, axes = np.linalg.eigh(0.5 * np.trace(old.inertia) * np.eye(3) - old.inertia)
    points = np.concatenate([sign * np.sqrt(3.0 * moments / old.mass)[:, None] * axes.T for sign in (1.0, -1.0)])
    points = points + (factor - 1.0) * np.outer(points @ forward, forward)
    expected = sum(old.mass / 6.0 * (p @ p * np.eye(3) - np.outer(p, p)) for p in points)
    np.testing.assert_allclose(new.inertia, expected, rtol=1e-9, atol=1e-12)
