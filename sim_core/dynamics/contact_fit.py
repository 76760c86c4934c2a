"""Which part of a motion's forces the ground can give: the best friction-cone forces at the points that touch."""

from typing import NamedTuple

import numpy as np

from .. import rotations
from ..arrays import Bools, Floats
from ..qp import nonnegative_least_squares
from ..scene import Scene
from ..world.surface import Surface

_FACETS = 8


class ContactFit(NamedTuple):
    forces: Floats  # (P, 3) at each point; zero where a point may not push [N]
    force_left: Floats  # (3,) what no contact explains [N]
    torque_left: Floats  # (3,) about the centre of mass [N m]


def cone_edges(normal: Floats, friction: float, count: int = _FACETS) -> Floats:
    """(F, 3) edges of the friction pyramid around the normal, each with a unit part along it.

    The pyramid lies inside the cone, so that no force it gives is out of reach; between two of eight edges it is cut by
    8 % of the friction.
    """
    helper = np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    first = rotations.cross(normal, helper)
    first = first / np.linalg.norm(first)
    second = rotations.cross(normal, first)
    angles = 2.0 * np.pi * np.arange(count) / count
    edges: Floats = normal + friction * (np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second)
    return edges


def fit_contacts(
    force: Floats,
    torque: Floats,
    com: Floats,
    points: Floats,
    touching: Bools,
    weight: float,
    scene: Scene,
    *,
    surface: Surface | None = None,
    spread: float = 1e-3,
) -> ContactFit:
    """The contact forces that come nearest to a wrench about the centre of mass, for one frame.

    Points touch the surface that is given, or the scene's ground.

    A newton and a newton metre count alike, which is the scale of `physics_error_bw` (a lever of 1 m). The larger
    `spread`, the more evenly the load is shared out, at the price of a residual of about its square: with little of it
    the forces are right in sum, but feet may push against each other and the load may jump between frames.
    """
    used = np.flatnonzero(touching)
    forces = np.zeros((len(points), 3))
    if len(used) == 0:
        return ContactFit(forces, force, torque)
    edges = _edges(points[used], scene, surface)  # (K, F, 3)
    levers = points[used] - com
    columns_force = edges.reshape(-1, 3).T
    columns_torque = rotations.cross(levers[:, None, :], edges).reshape(-1, 3).T
    columns, wanted = np.concatenate([columns_force, columns_torque]), np.concatenate([force, torque]) / weight
    amounts = nonnegative_least_squares(columns, wanted, spread)
    forces[used] = weight * np.einsum("kf,kfi->ki", amounts.reshape(len(used), _FACETS), edges)
    explained_torque = rotations.cross(levers, forces[used]).sum(axis=0)
    return ContactFit(forces, force - forces.sum(axis=0), torque - explained_torque)


def _edges(points: Floats, scene: Scene, surface: Surface | None) -> Floats:
    """(K, F, 3) of the friction pyramid at each point."""
    if surface is None or surface is scene.ground:
        edges = cone_edges(scene.ground.normal, scene.friction)
        return np.broadcast_to(edges, (len(points), *edges.shape))
    frictions = [scene.friction_of(int(thing)) for thing in surface.things(points)]
    return np.stack([cone_edges(n, friction) for n, friction in zip(surface.normals(points), frictions, strict=True)])
