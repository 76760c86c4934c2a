"""Where a rig's joints are in its rest pose, as Heft sees them: what a mannequin is modelled around."""

from collections.abc import Mapping
from typing import NamedTuple

from bpy.types import Object, Scene
from mathutils import Matrix, Quaternion, Vector

from scripts.installed_extension import heft


class Sole(NamedTuple):
    segment: str
    frame: Matrix  # 4 x 4, the box's axes in the world
    half_extents: Vector


class Figure(NamedTuple):
    """In the world, in metres, which is what the samples' units are."""

    joints: Mapping[str, Vector]  # by segment
    bones: Mapping[str, str]
    soles: tuple[Sole, ...]
    height: float
    left: Vector
    front: Vector


def figure_of(armature: Object, scene: Scene) -> Figure:
    """Measured over the frames of the scene: where the soles are shows only in a motion."""
    reading, generators = heft("addon.reading.read_motion"), heft("addon.generators")
    rig = heft("addon.reading.read_rig").read_rig(armature, scene)
    frames = range(scene.frame_start, scene.frame_end + 1)
    motion = generators.run_to_end(reading.read_motion(armature, scene, rig, frames))
    segments = heft("sim_core.rig.bone_map").map_bones(rig.skeleton, clip=motion.clip).segments
    bones = {segment: mapped.bone for segment, mapped in segments.items()}
    body = heft("sim_core.body.build_body").build_body(motion.clip, bones)
    rest = heft("sim_core.motion.clip").rest_pose(rig.skeleton)
    joints = {segment: Vector(rest.positions[bone]) for segment, bone in bones.items()}
    soles = []
    for link in body.links:
        if link.name.startswith(("foot", "toe")):
            bone, box = bones[link.name], link.shape
            world = Matrix.LocRotScale(joints[link.name], Quaternion(rest.rotations[bone]), None)
            local = Matrix.LocRotScale(Vector(box.centre), Matrix(box.R_link_box.tolist()), None)
            soles.append(Sole(link.name, world @ local, Vector(box.half_extents)))
    left = (joints["thigh_l"] - joints["thigh_r"]).normalized()
    return Figure(
        joints=joints,
        bones={segment: rig.skeleton.names[bone] for segment, bone in bones.items()},
        soles=tuple(soles),
        height=body.height,
        left=left,
        front=left.cross(Vector((0.0, 0.0, 1.0))).normalized(),
    )
