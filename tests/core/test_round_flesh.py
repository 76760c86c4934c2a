"""The round trunk: the same body, and a back without steps, straight or bent."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import FIRM, Body, Capsule
from sim_core.body.round_flesh import with_round_flesh
from sim_core.dynamics.kinematics import pose
from sim_core.posing.surface import surface_points
from sim_core.reporting.figure_drawing import parts_of
from sim_core.reporting.viewpoint import Viewpoint
from sim_core.rig.segments import TRUNK, kind
from sim_core.samples.figure import make_figure
from tests.clips import body_of, person, standing_clip
from tests.general_bodies import crooked_body
from tests.makers import figure_body

BODIES = {
    "figure": figure_body(),
    "plain": person().body,
    "sample": body_of(standing_clip(make_figure())),
}
each_body = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())


def _neutral(body: Body) -> np.ndarray:
    q = body.zero_q.copy()
    for link in body.links[1:]:
        if link.joint.kind == "ball":
            q[body.q_slice[link.name]] = link.joint.neutral
    return q


def _axes(body: Body, q: np.ndarray) -> np.ndarray:
    """(3, 3) rows: right, forward and up of the body in the world."""
    at = dict(zip(body.names, pose(body, q).origins, strict=True))
    up = at["upper_arm_l"] + at["upper_arm_r"] - at["thigh_l"] - at["thigh_r"]
    up /= np.linalg.norm(up)
    right = at["thigh_r"] - at["thigh_l"]
    right -= (right @ up) * up
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(up, right), up])


def _bent(body: Body, degrees: float) -> np.ndarray:
    """Standing, with the spine bent forward by this much in all."""
    q = _neutral(body)
    right, rotation_of = _axes(body, q)[0], pose(body, q).R_world_link
    bends = [name for name in body.names if name in TRUNK[1:]]
    for name in bends:
        axis = rotation_of[body.index(name)].T @ right
        turn = rotations.exp(-np.radians(degrees) / len(bends) * axis)
        q[body.q_slice[name]] = rotations.multiply(q[body.q_slice[name]], turn)
    return q


def _support(body: Body, q: np.ndarray, down: np.ndarray, names=TRUNK) -> np.ndarray:
    """(K,) how far the flesh of these links reaches from the pelvis in directions (K, 3)."""
    surface = surface_points(body)
    mine = np.isin(np.array(body.names)[surface.links], names)
    points = pose(body, q).points(surface.links[mine], surface.local[mine]) - pose(body, q).origins[0]
    return (down @ points.T + surface.radii[mine]).max(axis=1)


def _depth_behind(body: Body, q: np.ndarray, from_: np.ndarray, ray: np.ndarray) -> float:
    """How far the trunk's flesh reaches along a ray from inside it."""
    here, farthest = pose(body, q), 0.0
    reaches = np.linspace(0.0, 0.2 * body.height, 400)
    points = from_ + reaches[:, None] * ray
    for index, link in enumerate(body.links):
        if link.name not in TRUNK:
            continue
        for shape in link.flesh:
            assert isinstance(shape, Capsule)
            start, end = here.points(np.full(2, index), np.stack([shape.start, shape.end]))
            along = end - start
            share = np.clip((points - start) @ along / max(along @ along, 1e-12), 0.0, 1.0)
            inside = np.linalg.norm(points - start - share[:, None] * along, axis=1) < shape.radius
            farthest = max(farthest, float(reaches[inside].max(initial=0.0)))
    return farthest


@each_body
def test_it_is_the_same_body_with_more_flesh(body: Body):
    rounder = with_round_flesh(body)
    assert rounder.collision_pairs == body.collision_pairs
    for before, after in zip(body.links, rounder.links, strict=True):
        assert replace(after, padding=before.padding, give_m=before.give_m).__dict__ == before.__dict__
        soft = kind(after.name) in (*TRUNK, "clavicle", "upper_arm", "thigh")
        assert after.give_m == (pytest.approx(0.012 * body.height / 1.75) if soft else FIRM)
    assert {link.name for link in rounder.links if link.padding} - {"neck"} == set(body.names) & set(TRUNK)
    again = with_round_flesh(body)
    for one, other in zip(rounder.links, again.links, strict=True):
        for a, b in zip(one.padding, other.padding, strict=True):
            np.testing.assert_array_equal([*a.start, *a.end, a.radius], [*b.start, *b.end, b.radius])


@each_body
def test_the_trunk_is_about_as_deep_and_broad_as_a_persons(body: Body):
    rounder = with_round_flesh(body)
    q = _neutral(rounder)
    right, forward, _ = _axes(rounder, q)
    depth = _support(rounder, q, np.stack([forward, -forward])).sum() / body.height
    breadth = _support(rounder, q, np.stack([right, -right]), names=("pelvis",)).sum() / body.height
    assert 0.12 <= depth <= 0.16
    assert 0.15 <= breadth <= 0.20


def test_a_back_of_few_joints_is_arched_for_who_rolls_over_it():
    body = figure_body()
    plain, arched = with_round_flesh(body), with_round_flesh(body, arched=True)
    q = _neutral(plain)
    forward = _axes(plain, q)[1]
    back, belly = (_support(arched, q, way[None])[0] - _support(plain, q, way[None])[0] for way in (-forward, forward))
    assert 0.006 * body.height < back < 0.04 * body.height
    assert belly == pytest.approx(0.0, abs=1e-9)


@each_body
@pytest.mark.parametrize("degrees", [0.0, 30.0, 60.0])
def test_the_back_has_no_gap_however_the_spine_is_bent(body: Body, degrees: float):
    """By rays backwards from points along the spine, from the hips to below the shoulders."""
    rounder = with_round_flesh(body)
    q = _bent(rounder, degrees)
    right = _axes(rounder, q)[0]
    at = dict(zip(rounder.names, pose(rounder, q).origins, strict=True))
    spine = [
        0.5 * (at["thigh_l"] + at["thigh_r"]),
        *(at[name] for name in rounder.names if name in TRUNK[1:]),
        0.5 * (at["upper_arm_l"] + at["upper_arm_r"]),
    ]
    depths = []
    for low, high in pairwise(spine):
        back = np.cross(right, high - low)
        back /= np.linalg.norm(back)
        depths += [_depth_behind(rounder, q, low + share * (high - low), back) for share in np.linspace(0.0, 0.95, 12)]
    assert min(depths) > 0.045 * body.height
    assert np.abs(np.diff(depths)).max() < 0.03


@each_body
@pytest.mark.parametrize("way", ["over the back", "sideways"])
def test_the_pelvis_moves_smoothly_as_a_tucked_body_is_rolled(body: Body, way: str):
    rounder = with_round_flesh(body)
    q = _bent(rounder, 60.0)
    right, forward, up = _axes(rounder, _neutral(rounder))
    angles = np.radians(np.arange(0.0, 365.0, 5.0))[:, None]
    one, other = (up, forward) if way == "over the back" else (right, forward)
    heights = _support(rounder, q, np.cos(angles) * one + np.sin(angles) * other)
    if way == "over the back":  # from sitting to the shoulders; beyond them the body is farther from its pelvis
        heights = heights[(angles[:, 0] >= 1.0 * np.pi) & (angles[:, 0] <= 1.75 * np.pi)]
    assert np.abs(np.diff(heights)).max() < 0.03


def test_padding_grows_with_the_body():
    def sizes(body: Body) -> np.ndarray:
        return np.array([[*pad.start, *pad.end, pad.radius] for link in body.links for pad in link.padding])

    small = figure_body()
    large = replace(
        small, height=2.0 * small.height, links=tuple(replace(link, offset=2.0 * link.offset) for link in small.links)
    )
    np.testing.assert_allclose(sizes(with_round_flesh(large)), 2.0 * sizes(with_round_flesh(small)))


def test_any_body_gets_finite_padding():
    for link in with_round_flesh(crooked_body()).links:
        for pad in link.padding:
            assert np.isfinite([*pad.start, *pad.end, pad.radius]).all()


def test_padding_is_looked_at_and_drawn():
    body = figure_body()
    rounder = with_round_flesh(body)
    padding = sum(len(link.padding) for link in rounder.links)
    assert len(surface_points(rounder).links) == len(surface_points(body).links) + 2 * padding
    right, forward, up = np.eye(3)
    drawn = parts_of(rounder, pose(rounder, rounder.zero_q), Viewpoint(right=forward, up=up, toward=right))
    assert len(drawn) == len(body) + padding
    assert {part.link for part in drawn} == set(range(len(body)))
