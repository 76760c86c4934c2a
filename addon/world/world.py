"""The world of a bake as it was read, in metres: nothing here leads back into Blender but names and numbers."""

from dataclasses import dataclass

from ...sim_core import rotations
from ...sim_core.arrays import Floats
from .ground_plane import Plane
from .placements import Path, Placement
from .shapes import Shape


@dataclass(frozen=True, kw_only=True, eq=False)
class Loose:
    """What is simulated."""

    mass: float  # [kg]
    velocity: Floats  # (3,) [m/s]
    spin: Floats  # (3,) [rad/s]
    object_name: str


@dataclass(frozen=True, kw_only=True, eq=False)
class WorldObject:
    name: str  # no other has it
    uid: int  # Blender's number, in this session, of the object it is or copies
    shape: Shape
    placement: Placement  # in the first frame
    friction: float
    path: Path | None = None  # where it moves by itself, one place a frame
    loose: Loose | None = None
    belt: tuple[float, float, float] | None = None  # velocity of its surface in its own axes [m/s]

    def corners(self) -> Floats:
        """(F, 3, 3) its triangles in the world, in the first frame."""
        points = rotations.rotate(self.placement.rotation, self.shape.vertices) + self.placement.position
        result: Floats = points[self.shape.triangles]
        return result


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """`ground` None: there is no endless plane where `is_whole`, otherwise the clip's own floor."""

    ground: Plane | None
    is_whole: bool  # the objects are all the ground there is
    ground_friction: float | None  # the floor's own, where it has one
    first_frame: int
    objects: tuple[WorldObject, ...]
    warnings: tuple[str, ...]

    @property
    def loose(self) -> tuple[WorldObject, ...]:
        return tuple(item for item in self.objects if item.loose is not None)
