"""The points of a body that can touch the ground."""

import numpy as np
import pytest

from sim_core import rotations
from sim_core.body.body import Box
from sim_core.dynamics.kinematics import pose
from sim_core.posing.surface import surface_points, touch
from sim_core.scene import Ground
from tests.makers import figure_body, random_state

BODY = figure_body()
SLOPE = Ground(point=np.array([0.0, 0.0, 0.3]), normal=np.array([0.3, -0.2, 1.0]))


def test_every_link_has_its_points():
    surface = surface_points(BODY)
    for i, link in enumerate(BODY.links):
        mine = surface.links == i
        assert mine.sum() == (8 if isinstance(link.shape, Box) else 2)
        assert np.all((surface.radii[mine] > 0.0) == (not isinstance(link.shape, Box)))


@pytest.mark.parametrize("ground", [Ground(), SLOPE], ids=["floor", "slope"])
def test_no_point_of_the_flesh_is_lower_than_the_points_say(ground):
    """Against many points drawn from the surfaces of all shapes."""
    rng = np.random.default_rng(0)
    q, _ = random_state(BODY, 3)
    now = pose(BODY, q[None])
    contact = touch(BODY, now, ground)
    surface = surface_points(BODY)
    for i, link in enumerate(BODY.links):
        shape = link.shape
        if isinstance(shape, Box):
            local = shape.centre + (rng.uniform(-1, 1, (400, 3)) * shape.half_extents) @ shape.R_link_box.T
        else:
            outward = rng.normal(size=(400, 3))
            outward *= shape.radius / np.linalg.norm(outward, axis=1, keepdims=True)
            local = shape.start + rng.uniform(0, 1, (400, 1)) * (shape.end - shape.start) + outward
        drawn = ground.distance(now.points(np.full(400, i), local)[0]).min()
        said = contact.distances[0, surface.links == i].min()
        assert said <= drawn + 1e-9
        assert said > drawn - 0.05


def test_the_points_lie_on_the_flesh_where_it_is_nearest_to_the_ground():
    q, _ = random_state(BODY, 4)
    now = pose(BODY, q[None])
    contact, surface = touch(BODY, now, SLOPE), surface_points(BODY)
    centres = now.points(surface.links, surface.local)
    np.testing.assert_allclose(
        centres - contact.points, np.broadcast_to(surface.radii[:, None] * SLOPE.normal, centres.shape), atol=1e-12
    )
    np.testing.assert_allclose(contact.distances, SLOPE.distance(contact.points))


def test_a_body_that_turns_with_the_ground_touches_it_the_same():
    q, _ = random_state(BODY, 5)
    flat = touch(BODY, pose(BODY, q[None]), Ground()).distances
    turn = rotations.between_vectors(np.array([0.0, 0.0, 1.0]), SLOPE.normal)
    turned = q.copy()
    turned[:3] = rotations.rotate(turn, q[:3]) + SLOPE.point
    turned[3:7] = rotations.multiply(turn, q[3:7])
    np.testing.assert_allclose(touch(BODY, pose(BODY, turned[None]), SLOPE).distances, flat, atol=1e-9)
