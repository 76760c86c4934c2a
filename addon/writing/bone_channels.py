"""From the pose of a bone to the numbers in its channels, in its own rotation mode and without jumps."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from mathutils import Matrix

from ...sim_core import rotations
from ...sim_core.arrays import Floats

if TYPE_CHECKING:
    from bpy.types import Bone, PoseBone

ROTATION_PATHS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
_TURN = 2.0 * np.pi
_SMALL_STEP = 1.0  # rad a frame: below this the other triple of Euler angles, half a turn away, is never nearer


class BoneChannels(NamedTuple):
    rotation: Floats  # (T, 4 or 3) in the bone's rotation mode
    location: Floats  # (T, 3)
    scale: Floats  # (T, 3)


def rotation_path(bone: "PoseBone") -> str:
    return ROTATION_PATHS.get(bone.rotation_mode, "rotation_euler")


def bone_basis(bone: "Bone", pose: Floats, parent_pose: Floats | None) -> Floats:
    """The bone's own transform (T, 4, 4) that brings it to `pose` on a parent in `parent_pose`, in armature space."""
    rest = matrix_of(bone.matrix_local)
    if bone.parent is None and bone.use_local_location:
        return np.linalg.inv(rest) @ pose
    if parent_pose is not None and _rides_plainly(bone, parent_pose):
        on_parent = np.linalg.inv(matrix_of(bone.parent.matrix_local)) @ rest
        return np.linalg.inv(parent_pose @ on_parent) @ pose
    return _basis_by_blender(bone, pose, parent_pose)


def channels_of(bone: "PoseBone", basis: Floats, nearby_rotation: Floats) -> BoneChannels:
    """The channels of a basis (T, 4, 4); of equal rotations the one next to `nearby_rotation` comes first."""
    mirrored = np.where(np.array(bone.scale) < 0.0, -1.0, 1.0)  # a mirrored axis is no rotation
    quaternions = rotations.from_matrix(_rotation_part(basis[:, :3, :3] * mirrored))
    return BoneChannels(
        rotation=rotation_channels(bone.rotation_mode, quaternions, nearby_rotation),
        location=basis[:, :3, 3],
        scale=np.linalg.norm(basis[:, :3, :3], axis=1) * mirrored,
    )


def rotation_channels(mode: str, quaternions: Floats, nearby: Floats) -> Floats:
    """Rotations (T, 4) as channels of a rotation mode, continuous over time, starting next to the `nearby` channels."""
    if mode == "QUATERNION":
        steady = rotations.continuous(quaternions)
        return steady if steady[0] @ nearby >= 0.0 else -steady
    if mode == "AXIS_ANGLE":
        return _axis_angles(quaternions, nearby)
    return _eulers(mode, quaternions, nearby)


def matrix_of(matrix: Matrix) -> Floats:
    return np.array(matrix, dtype=float)


def _rides_plainly(bone: "Bone", parent_pose: Floats) -> bool:
    """Whether the bone simply multiplies onto its parent; how scale is inherited matters only where there is some."""
    if not (bone.use_inherit_rotation and bone.use_local_location):
        return False
    if bone.inherit_scale == "FULL":
        return True
    linear = parent_pose[:, :3, :3]
    return bool(np.allclose(linear.transpose(0, 2, 1) @ linear, np.eye(3), atol=2e-6))


def _basis_by_blender(bone: "Bone", pose: Floats, parent_pose: Floats | None) -> Floats:
    parents = {}
    result = np.empty_like(pose)
    for row, matrix in enumerate(pose):
        if bone.parent is not None and parent_pose is not None:
            parents = {
                "parent_matrix": Matrix(parent_pose[row].tolist()),
                "parent_matrix_local": bone.parent.matrix_local,
            }
        result[row] = bone.convert_local_to_pose(Matrix(matrix.tolist()), bone.matrix_local, invert=True, **parents)
    return result


def _rotation_part(linear: Floats) -> Floats:
    """The rotation nearest to matrices (T, 3, 3) that may be scaled and sheared."""
    columns = linear / np.maximum(np.linalg.norm(linear, axis=1, keepdims=True), 1e-12)
    if np.allclose(columns.transpose(0, 2, 1) @ columns, np.eye(3), atol=1e-5):
        return columns
    u, _, vt = np.linalg.svd(columns)
    return u @ vt


def _eulers(order: str, quaternions: Floats, nearby: Floats) -> Floats:
    axes = ["XYZ".index(letter) for letter in reversed(order)]  # XYZ turns about X first: Rz Ry Rx
    first = rotations.to_euler(quaternions, axes)
    second = np.stack([first[:, 0] + np.pi, np.pi - first[:, 1], first[:, 2] + np.pi], axis=-1)
    both = np.stack([first, second], axis=1)[:, :, np.argsort(axes)]  # (T, 2, xyz)
    near = both[0] + _TURN * np.round((nearby - both[0]) / _TURN)
    choice = int(np.argmin(np.sum(np.abs(near - nearby), axis=-1)))
    smooth = np.unwrap(np.concatenate([near[None, choice], both[1:, choice]]), axis=0)
    if np.all(np.abs(np.diff(smooth, axis=0)) < _SMALL_STEP):
        return smooth
    return _nearest_eulers(both, near[choice])


def _nearest_eulers(both: Floats, start: Floats) -> Floats:
    """Of the two triples (T, 2, 3) of every frame, with any whole turns added, the one nearest to the frame before."""
    result = np.empty((len(both), 3))
    previous = start
    for row, pair in enumerate(both):
        near = pair + _TURN * np.round((previous - pair) / _TURN)
        previous = near[np.argmin(np.sum(np.abs(near - previous), axis=-1))]
        result[row] = previous
    return result


def _axis_angles(quaternions: Floats, nearby: Floats) -> Floats:
    result = np.empty((len(quaternions), 4))
    angle, axis = float(nearby[0]), np.asarray(nearby[1:], dtype=float)
    if not np.linalg.norm(axis) > 0.0:
        axis = np.array([0.0, 1.0, 0.0])
    for row, vector in enumerate(rotations.log(quaternions)):
        size = float(np.linalg.norm(vector))
        if size > 1e-7:  # without a turn there is no axis: the last one stays
            new_axis = vector / size
            if new_axis @ axis < 0.0:
                new_axis, size = -new_axis, -size
            axis = new_axis
        angle = size + _TURN * round((angle - size) / _TURN)
        result[row, 0], result[row, 1:] = angle, axis
    return result
