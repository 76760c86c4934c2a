"""What a scene file says of its objects: metres in the clip's own axes, nothing placed yet."""

from dataclasses import dataclass
from typing import TypeAlias

from ..arrays import Floats, Ints

Triple: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]  # wxyz


@dataclass(frozen=True, kw_only=True)
class BoxShape:
    size: Triple


@dataclass(frozen=True, kw_only=True)
class BallShape:
    radius: float


@dataclass(frozen=True, kw_only=True)
class StairsShape:
    """Up along the object's own X, which is level in every clip; its origin is the middle of the first edge."""

    steps: int
    rise: float
    run: float
    width: float
    top: float = 0.0  # length of the platform on top
    down: int = 0  # so many steps go down again


@dataclass(frozen=True, kw_only=True, eq=False)
class HeightsShape:
    """Rows go along the object's X, the heights of a row to the left of it."""

    cell: float
    corner: tuple[float, float]
    heights: Floats  # (NX, NY)


@dataclass(frozen=True, kw_only=True, eq=False)
class MeshShape:
    vertices: Floats  # (V, 3)
    triangles: Ints  # (F, 3)


ObjectShape: TypeAlias = BoxShape | BallShape | StairsShape | HeightsShape | MeshShape


@dataclass(frozen=True, kw_only=True)
class OnPath:
    """From the place under the first pelvis, along the clip's travel."""

    ahead: float = 0.0
    aside: float = 0.0  # to the left
    up: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class PosesInFrames:
    """One for every frame from the first on; what is None stays as the object is placed."""

    frame: int  # as the person counts
    positions: Floats | None  # (K, 3)
    rotations: Floats | None  # (K, 4)


@dataclass(frozen=True, kw_only=True)
class Shake:
    axis: Triple  # of the object's own
    degrees: float
    hertz: float


@dataclass(frozen=True, kw_only=True)
class Slide:
    along: Triple  # in the object's own axes
    metres: float
    hertz: float


Moves: TypeAlias = PosesInFrames | tuple[Shake | Slide, ...]


@dataclass(frozen=True, kw_only=True)
class SceneObject:
    name: str
    shape: ObjectShape
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    heading_deg: float = 0.0  # about up, after the rotation
    on_path: OnPath | None = None  # in place of a position
    friction: float | None = None  # None is the scene's
    moves: Moves = ()
    belt: Triple = (0.0, 0.0, 0.0)  # its surface runs so, in its own axes [m/s]
    mass: float | None = None  # with one it is loose [kg]
    velocity: Triple = (0.0, 0.0, 0.0)  # [m/s]
    spin: Triple = (0.0, 0.0, 0.0)  # [rad/s]
