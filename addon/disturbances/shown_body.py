"""Where a part of the body is, and which way the character faces, in the frame that is shown or in another."""

from dataclasses import dataclass

from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ..panel.body_check import bones_of
from ..reading.read_motion import evaluated_at, scene_of_its_own

_UP = Vector((0.0, 0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class ShownBody:
    """In the world, in Blender's units."""

    place: Vector  # the middle of the bone
    forward: Vector

    @property
    def left(self) -> Vector:
        return _UP.cross(self.forward)

    def in_world(self, vector: Vector) -> Vector:
        """A vector that is given as forward, left and up."""
        return vector.x * self.forward + vector.y * self.left + vector.z * _UP

    def side(self, side: str, direction: Vector) -> Vector:
        """Where something comes from."""
        sides = {"LEFT": self.left, "RIGHT": -self.left, "FRONT": self.forward, "BACK": -self.forward}
        return sides.get(side, direction).normalized()


def body_at(armature: Object, scene: Scene, segment: str, frame: int | None = None) -> ShownBody | None:
    """In another frame than the scene's, the scene stays where it is. None where the rig has no such part."""
    bones = bones_of(armature, scene)
    if segment not in bones:
        return None
    if frame is None or frame == scene.frame_current:
        return _body(armature, bones, segment)
    with scene_of_its_own(armature) as stage:
        return _body(evaluated_at(armature, stage, frame), bones, segment)


def _body(armature: Object, bones: dict[str, str], segment: str) -> ShownBody:
    world = Matrix(armature.matrix_world)
    bone = armature.pose.bones[bones[segment]]
    return ShownBody(place=world @ ((bone.head + bone.tail) / 2.0), forward=_forward(armature, bones, world))


def _forward(armature: Object, bones: dict[str, str], world: Matrix) -> Vector:
    """Across the hips; some way or other where there are none."""
    if not {"thigh_l", "thigh_r"} <= bones.keys():
        return Vector((0.0, -1.0, 0.0))
    left, right = (armature.pose.bones[bones[name]].head for name in ("thigh_l", "thigh_r"))
    ahead = (world @ left - world @ right).cross(_UP)
    return ahead.normalized() if ahead.length > 1e-9 else Vector((0.0, -1.0, 0.0))
