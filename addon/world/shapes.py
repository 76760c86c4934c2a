"""What an object of the world is made of: a mesh, a box or a ball, in its own axes and in metres; no bpy here."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...sim_core.arrays import Floats, Ints

Kind = Literal["MESH", "BOX", "BALL"]
_NO_CENTRE = np.zeros(3)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """Boxes and balls lie around a centre that need not be the object's origin."""

    kind: Kind
    vertices: Floats  # (V, 3) [m]
    triangles: Ints  # (F, 3)
    centre: Floats  # (3,) [m]

    @property
    def size(self) -> Floats:
        """(3,) of the box around it."""
        result: Floats = np.ptp(self.vertices, axis=0)
        return result

    @property
    def radius(self) -> float:
        """As Blender measures a sphere: half of the longest side."""
        return float(self.size.max()) / 2.0

    @property
    def is_nothing(self) -> bool:
        """No face of it has an area."""
        if not len(self.triangles):
            return True
        a, b, c = (self.vertices[self.triangles[:, corner]] for corner in range(3))
        return not bool(np.any(np.abs(np.cross(b - a, c - a)) > 1e-12))


def shape(vertices: Floats, triangles: Ints, kind: Kind = "MESH") -> Shape:
    centre = _NO_CENTRE
    if kind != "MESH" and len(vertices):
        centre = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    return Shape(kind=kind, vertices=vertices, triangles=triangles, centre=centre)
