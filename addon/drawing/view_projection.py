"""From the world to the pixels of a viewport, and what a viewer sees of round things; no bpy here."""

from dataclasses import dataclass

import numpy as np

from .flat_geometry import Floats

_RIM = np.arange(24) * (2.0 * np.pi / 24)
_NEAREST = 1e-4  # nothing nearer to the eye than this is drawn [units of depth in clip space]


@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """A viewport as the viewer has turned it."""

    matrix: Floats  # (4, 4) world to clip space
    size: tuple[int, int]  # width and height [pixels]
    eye: Floats  # (3,) where the viewer is
    direction: Floats  # (3,) where the viewer looks
    is_perspective: bool

    def pixels(self, points: Floats) -> Floats:
        """(..., 2) points of the world (..., 3) on the screen; nan where they are behind the viewer."""
        clip = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = clip[..., 3:]
        ahead = np.where(depth > _NEAREST, depth, np.nan)
        return (clip[..., :2] / ahead + 1.0) * 0.5 * np.array(self.size)

    def pixels_per_unit(self, point: Floats) -> float:
        """How large things are on the screen at a point of the world (3,); nan behind the viewer."""
        depth = float(self.matrix[3, :3] @ point + self.matrix[3, 3])
        across = 0.5 * self.size[1] * float(np.linalg.norm(self.matrix[1, :3]))
        return across / depth if depth > _NEAREST else np.nan

    def depths(self, points: Floats) -> Floats:
        """(...) how far ahead of the viewer."""
        return (points - self.eye) @ self.direction

    def rims(self, centres: Floats, radii: Floats) -> Floats:
        """(N, K, 3) the circle on each ball at which the viewer sees its edge; nan for a ball around the eye."""
        radii = radii[:, None]
        if self.is_perspective:
            towards = self.eye - centres
            distance = np.linalg.norm(towards, axis=-1, keepdims=True)
            facing = towards / np.maximum(distance, 1e-9)
            share = radii / np.where(distance > radii, distance, np.nan)
            middles = centres + facing * radii * share
            radii = radii * np.sqrt(1.0 - share**2)
        else:
            facing = np.broadcast_to(-self.direction, centres.shape)
            middles = centres
        right, up = _across(facing)
        circle = np.cos(_RIM)[:, None] * right[:, None] + np.sin(_RIM)[:, None] * up[:, None]
        return middles[:, None] + radii[:, None] * circle


def _across(normals: Floats) -> tuple[Floats, Floats]:
    """Two directions at right angles to each normal (N, 3) and to each other."""
    helper = np.where(np.abs(normals[:, 2:]) < 0.9, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    right = np.cross(helper, normals)
    right = right / np.linalg.norm(right, axis=-1, keepdims=True)
    return right, np.cross(normals, right)


def circle(centre: Floats, normal: Floats, radius: float) -> Floats:
    """(K, 3) a ring that lies on a plane."""
    right, up = _across(normal[None])
    return centre + radius * (np.cos(_RIM)[:, None] * right + np.sin(_RIM)[:, None] * up)
