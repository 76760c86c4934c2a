"""What the viewport draws, as geometry: patches on the screen, projection, the outlines of a body."""

import numpy as np
import pytest

from sim_core.reporting import take as take_module
from tests.addon_modules import addon_module
from tests.takes import NAMES, made_take

flat = addon_module("drawing.flat_geometry")
projection = addon_module("drawing.view_projection")
body_outlines = addon_module("drawing.body_outlines")
figure_painting = addon_module("drawing.figure_painting")

SIZE = (800, 600)
EYE = np.array([4.0, 0.0, 1.0])


def view(is_perspective=True):
    """From the side, along -X, with Y to the right and Z up; 90 degrees from edge to edge, or 8 m wide."""
    camera = np.array([[0, 1, 0, 0], [0, 0, 1, -EYE[2]], [1, 0, 0, -EYE[0]], [0, 0, 0, 1.0]])
    aspect = SIZE[0] / SIZE[1]
    if is_perspective:
        lens = np.array([[1, 0, 0, 0], [0, aspect, 0, 0], [0, 0, -1.0, -0.02], [0, 0, -1, 0]])
    else:
        lens = np.diag([0.25, 0.25 * aspect, -0.01, 1.0])
    return projection.View(
        matrix=lens @ camera, size=SIZE, eye=EYE, direction=np.array([-1.0, 0, 0]), is_perspective=is_perspective
    )


def area(triangles):
    a, b, c = (triangles.points[:, k, :2] for k in range(3))
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    return 0.5 * np.abs(ux * vy - uy * vx).sum()


def test_a_hull_leaves_out_what_is_inside():
    points = np.array([[[0, 0], [10, 0], [10, 10], [0, 10], [4, 5], [6, 6.0]]])
    outline = flat.convex_outlines(points)
    assert {tuple(corner) for corner in outline[0]} == {(0, 0), (10, 0), (10, 10), (0, 10)}
    assert area(flat.fills(outline, (1, 1, 1, 1))) == pytest.approx(100.0)


def test_a_band_has_the_area_between_two_distances():
    outline = flat.convex_outlines(np.array([[[0, 0], [10, 0], [10, 10], [0, 10.0]]]))
    grown = 100.0 + 4 * 10 * 3 + np.pi * 9
    band = flat.bands(outline, 0.0, 3.0, (1, 1, 1, 1), (1, 1, 1, 0))
    assert area(band) == pytest.approx(grown - 100.0, rel=0.01)
    assert {tuple(colour) for colour in band.colours.reshape(-1, 4)} == {(1, 1, 1, 1), (1, 1, 1, 0)}


def test_every_patch_has_its_own_colour():
    points = np.array([[[0, 0], [5, 0], [0, 5]], [[20, 0], [25, 0], [20, 5.0]]])
    drawn = flat.patches(points, [(1, 0, 0, 1), (0, 1, 0, 1)])
    right = drawn.points[:, 0, 0] > 10
    assert (drawn.colours[right][..., 0] == 0).all()
    assert (drawn.colours[~right][..., 1] == 0).all()


@pytest.mark.parametrize("length", [200.0, 6.0])
def test_an_arrow_is_as_long_as_it_says(length):
    shapes = flat.arrows(np.array([[10.0, 10.0]]), np.array([[10.0, 10.0 + length]]), 3.5)
    assert np.ptp(shapes[..., 1]) == pytest.approx(length)
    assert shapes[0, :, 1].max() < shapes[1, :, 1].max(), "the head is at the tip"
    assert np.ptp(shapes[1, :, 0]) > np.ptp(shapes[0, :, 0])


def test_an_arrow_without_length_is_no_error():
    assert np.isfinite(flat.arrows(np.zeros((1, 2)), np.zeros((1, 2)), 3.5)).all()


@pytest.mark.parametrize("length", [0.0, 3.0, 100.0, 1e6])
def test_dashes_go_from_end_to_end(length):
    pieces = flat.dashes(np.zeros(2), np.array([length, 0.0]), 6.0)
    assert pieces[0, 0] == pytest.approx([0.0, 0.0])
    assert pieces[-1, 1] == pytest.approx([length, 0.0])


def test_the_middle_of_the_view_is_the_middle_of_the_region():
    pixels = view().pixels(np.array([[0.0, 0.0, 1.0], [0.0, 4.0, 1.0], [0.0, 0.0, 2.0]]))
    assert pixels[0] == pytest.approx([400, 300])
    assert pixels[1] == pytest.approx([800, 300]), "45 degrees to the right is the edge"
    assert pixels[2] == pytest.approx([400, 400])


@pytest.mark.parametrize("is_perspective", [True, False])
def test_a_metre_has_as_many_pixels_as_it_is_seen_with(is_perspective):
    seen, point = view(is_perspective), np.array([0.0, 0.3, 1.0])
    across = np.linalg.norm(np.diff(seen.pixels(np.stack([point, point + np.array([0.0, 0.0, 1.0])])), axis=0))
    assert seen.pixels_per_unit(point) == pytest.approx(across)


def test_behind_the_viewer_is_nowhere():
    assert np.isnan(view().pixels_per_unit(np.array([5.0, 0.0, 1.0])))
    assert np.isnan(view().pixels(np.array([5.0, 0.0, 1.0]))).all()


@pytest.mark.parametrize("is_perspective", [True, False])
def test_a_ball_is_as_large_as_it_is_seen(is_perspective):
    rim = view(is_perspective).rims(np.array([[0.0, 0.0, 1.0]]), np.array([0.5]))[0]
    assert np.linalg.norm(rim - [0, 0, 1], axis=-1) == pytest.approx(0.5), "the rim lies on the ball"
    across = np.ptp(view(is_perspective).pixels(rim)[:, 0])
    seen = 2 * np.tan(np.arcsin(0.5 / 4.0)) * 400 if is_perspective else 2 * 0.5 * 0.25 * 400
    assert across == pytest.approx(seen, rel=0.01)


def test_outlines_lie_around_what_they_outline():
    take = made_take(take_module)
    shapes = body_outlines.posed_shapes(take, take.after_positions[0], take.after_rotations[0], 1.0)
    outlines = body_outlines.link_outlines(shapes, view())
    assert sorted(outlines.links) == [0, 1, 2, 3]
    foot = outlines.pixels[list(outlines.links).index(NAMES.index("foot_l"))]
    corners = view().pixels(shapes.corners[0])
    assert foot.min(axis=0) == pytest.approx(corners.min(axis=0))
    assert foot.max(axis=0) == pytest.approx(corners.max(axis=0))


def test_the_nearest_link_comes_first():
    take = made_take(take_module)
    places = take.after_positions[0].copy()
    places[NAMES.index("chest")] += [1.0, 0.0, 0.0]
    shapes = body_outlines.posed_shapes(take, places, take.after_rotations[0], 1.0)
    assert NAMES[body_outlines.link_outlines(shapes, view()).links[0]] == "chest"


def test_a_link_behind_the_viewer_is_left_out():
    take = made_take(take_module)
    places = take.after_positions[0] + np.array([10.0, 0.0, 0.0])
    shapes = body_outlines.posed_shapes(take, places, take.after_rotations[0], 1.0)
    outlines = body_outlines.link_outlines(shapes, view())
    assert len(outlines.links) == 0
    assert (
        len(figure_painting.solid(outlines.pixels, np.empty((0, 4)), np.empty((0, 4)), 1.5, (-1.0, -0.9)).points) == 0
    )
    assert len(body_outlines.joint_outlines(take, shapes, view())) == 0


def test_metres_become_units():
    take = made_take(take_module)
    metres, centimetres = (
        body_outlines.posed_shapes(take, take.after_positions[0], take.after_rotations[0], units)
        for units in (1.0, 100.0)
    )
    assert centimetres.ends == pytest.approx(100.0 * metres.ends)
    assert centimetres.radii == pytest.approx(100.0 * metres.radii)
    assert centimetres.corners == pytest.approx(100.0 * metres.corners)


def test_joints_close_the_gaps_between_links():
    take = made_take(take_module)
    shapes = body_outlines.posed_shapes(take, take.after_positions[0], take.after_rotations[0], 1.0)
    joints = body_outlines.joint_outlines(take, shapes, view())
    assert len(joints) == len(NAMES) - 1
    ankle = joints[-1]  # from the end of the shin to the middle of the foot
    assert ankle[:, 1].max() > view().pixels(np.array([0.1, 0.0, 0.2]))[1]
    assert ankle[:, 1].min() < view().pixels(np.array([0.1, 0.0, 0.08]))[1]


def test_near_links_are_drawn_first_and_nearest():
    outlines = flat.convex_outlines(np.array([[[0, 0], [9, 0], [0, 9.0]], [[1, 1], [9, 1], [1, 9.0]]]))
    colours = np.array([[1, 0, 0, 1], [0, 1, 0, 1.0]])
    depths = figure_painting.solid(outlines, colours, colours, 1.5, (-0.9, -0.8)).points[..., 2]
    assert depths[0] == pytest.approx(-0.9)
    assert depths[-1] == pytest.approx(-0.8)


def test_a_silhouette_hides_its_lines_behind_its_insides():
    outlines = flat.convex_outlines(np.array([[[0, 0], [9, 0], [0, 9.0]], [[1, 1], [9, 1], [1, 9.0]]]))
    drawn = figure_painting.silhouette(outlines, (0, 0, 1, 0.2), (1, 1, 1, 1), 1.5, (-0.9, -0.8))
    inside = (drawn.colours == [0, 0, 1, 0.2]).all(axis=(1, 2))
    assert drawn.points[inside][..., 2].max() < drawn.points[~inside][..., 2].min()
    assert inside[: inside.sum()].all(), "what is nearest is drawn first, or it would shine through"
