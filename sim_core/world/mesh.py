"""A surface of triangles, and what can be told of it: whether it is closed, its volume, its parts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ..arrays import Floats, Ints
from ..rotations import cross

_WELD_M = 1e-6  # vertices nearer than this are one
_SLIVER_M2 = 1e-10  # triangles smaller than this are none


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh:
    vertices: Floats  # (V, 3) [m]
    triangles: Ints  # (F, 3)

    @cached_property
    def corners(self) -> Floats:
        """(F, 3, 3)."""
        corners: Floats = self.vertices[self.triangles]
        return corners

    @cached_property
    def areas(self) -> Floats:
        """(F, 3) along the triangles' normals, as large as they are [m^2]."""
        a, b, c = self.corners.transpose(1, 0, 2)
        areas: Floats = 0.5 * cross(b - a, c - a)
        return areas

    @cached_property
    def normals(self) -> Floats:
        """(F, 3) unit."""
        normals: Floats = self.areas / np.linalg.norm(self.areas, axis=1, keepdims=True)
        return normals

    @cached_property
    def is_closed(self) -> bool:
        """Every edge lies between two faces that run along it in opposite ways."""
        count = len(self.vertices)
        starts, ends = self.triangles, np.roll(self.triangles, -1, axis=1)
        return bool(np.array_equal(np.sort((starts * count + ends).ravel()), np.sort((ends * count + starts).ravel())))

    @cached_property
    def volume(self) -> float:
        """Of a closed mesh; negative where it is inside out [m^3]."""
        middle = self.vertices.mean(axis=0)
        return float(np.sum((self.corners[:, 0] - middle) * self.areas) / 3.0)

    def of(self, triangles: Ints) -> "Mesh":
        """Some of the triangles, without the vertices that they do not need."""
        used, rows = np.unique(triangles, return_inverse=True)
        return Mesh(vertices=self.vertices[used], triangles=rows.reshape(-1, 3).astype(np.int64))

    def parts(self) -> "list[Mesh]":
        """Those that share no vertex."""
        count = len(self.vertices)
        a, b = np.concatenate([self.triangles[:, :2], self.triangles[:, 1:]]).T
        _, labels = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(count, count)), directed=False)
        mine = labels[self.triangles[:, 0]]
        return [self.of(self.triangles[mine == label]).right_way_out() for label in np.unique(mine)]

    def right_way_out(self) -> "Mesh":
        """The same, with normals out of what is solid where it is closed."""
        if not (self.is_closed and self.volume < 0.0):
            return self
        return Mesh(vertices=self.vertices, triangles=self.triangles[:, ::-1])


def clean_mesh(vertices: Floats, triangles: Ints) -> Mesh:
    """Vertices at one place made one, triangles without an area left out, what is inside out turned round."""
    _, first, rows = np.unique(np.round(vertices / _WELD_M), axis=0, return_index=True, return_inverse=True)
    welded = Mesh(vertices=vertices[first], triangles=rows.reshape(-1)[triangles])
    firm = welded.triangles[np.linalg.norm(welded.areas, axis=1) > _SLIVER_M2]
    if len(firm) == 0:
        return Mesh(vertices=np.zeros((0, 3)), triangles=firm)
    return welded.of(firm).right_way_out()
