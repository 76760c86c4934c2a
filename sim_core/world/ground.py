"""The endless plane that everything else stands on."""

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats, Ints, frozen
from ..errors import SettingsError

GROUND = -1  # in place of a thing's number


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """Everything on the side of the normal is air."""

    point: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 0.0]))  # (3,) any point of the plane [m]
    normal: Floats = field(default_factory=lambda: frozen([0.0, 0.0, 1.0]))  # (3,) unit, out of the ground

    def __post_init__(self) -> None:
        length = float(np.linalg.norm(self.normal))
        if not 0.0 < length < np.inf or not np.isfinite(self.point).all():
            raise SettingsError(
                f"The ground needs a finite point and normal, but has {self.point} and {self.normal};"
                " give three numbers for each."
            )
        object.__setattr__(self, "point", frozen(self.point))
        object.__setattr__(self, "normal", frozen(np.asarray(self.normal) / length))

    def distance(self, points: Floats) -> Floats:
        """(...,) along the normal, negative inside the ground [m]; points are (..., 3)."""
        result: Floats = (points - self.point) @ self.normal
        return result

    def height(self, points: Floats) -> Floats:
        """(...,) height of the ground straight above or below the points [m]; never on an upright wall."""
        across = (points[..., :2] - self.point[:2]) @ self.normal[:2]
        result: Floats = self.point[2] - across / self.normal[2]
        return result

    def normals(self, points: Floats) -> Floats:
        """(..., 3) of the ground straight above or below the points."""
        return np.broadcast_to(self.normal, points.shape)

    def things(self, points: Floats) -> Ints:
        """(...,) the number of the thing below each point, or GROUND."""
        return np.full(points.shape[:-1], GROUND)

    def velocities(self, points: Floats) -> Floats:
        """(..., 3) with which what stands below the points is carried along: none."""
        return np.zeros_like(points)

    def accelerations(self, points: Floats) -> Floats:
        return np.zeros_like(points)
