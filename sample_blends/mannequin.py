"""A mannequin modelled around a rig's joints: smooth pieces, each skinned to one bone, or over from one to the next."""

from collections.abc import Iterator
from dataclasses import dataclass

import bmesh
import bpy
from bmesh.types import BMesh
from bpy.types import Object
from mathutils import Matrix, Vector

from sample_blends.figure import Figure, Sole

_AROUND, _ALONG = 10, 6  # the modifier rounds them off
_ROUNDED = 1.05  # and takes as much off
_COLOURS = {
    "shell": (0.80, 0.74, 0.66, 1.0),
    "joint": (0.17, 0.20, 0.27, 1.0),
    "shoe": (1.0, 0.98, 0.94, 1.0),
}
_UP = Vector((0.0, 0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class _Piece:
    mesh: BMesh
    colour: str
    bones: tuple[str, str]  # at its start and at its end; the same twice where it is stiff
    start: Vector
    end: Vector

    def weight_of_end(self, point: Vector) -> float:
        along = self.end - self.start
        part = min(max((point - self.start).dot(along) / max(along.length_squared, 1e-9), 0.0), 1.0)
        return part * part * (3.0 - 2.0 * part)


def add_mannequin(armature: Object, figure: Figure) -> Object:
    """A mesh over the rest pose, child of the armature."""
    body, weights = bmesh.new(), []
    colours = list(_COLOURS)
    for piece in _pieces(figure):
        _append(body, piece.mesh, colours.index(piece.colour))
        weights += [(piece.bones, piece.weight_of_end(vertex.co)) for vertex in piece.mesh.verts]
        piece.mesh.free()
    mesh = bpy.data.meshes.new("Mannequin")
    body.to_mesh(mesh)
    body.free()
    for name, colour in _COLOURS.items():
        material = bpy.data.materials.new(f"Mannequin {name}")
        material.diffuse_color = colour
        mesh.materials.append(material)
    mesh.transform(armature.matrix_world.inverted())
    mannequin = bpy.data.objects.new("Mannequin", mesh)
    _skin(mannequin, weights)
    mannequin.parent = armature
    mannequin.modifiers.new("Armature", "ARMATURE").object = armature
    rounding = mannequin.modifiers.new("Rounding", "SUBSURF")
    rounding.levels = rounding.render_levels = 2
    for collection in armature.users_collection:
        collection.objects.link(mannequin)
    return mannequin


def _pieces(figure: Figure) -> Iterator[_Piece]:
    yield from _trunk(figure)
    for side in "lr":
        yield from _arm(figure, side)
        yield from _leg(figure, side)
    for sole in figure.soles:
        yield _shoe(figure, sole)


def _trunk(figure: Figure) -> Iterator[_Piece]:
    joints, tall, axes = figure.joints, figure.height, _axes(figure)
    shoulders = [joints[f"upper_arm_{side}"] for side in "lr"]
    hips = 0.5 * (joints["thigh_l"] + joints["thigh_r"])
    neck = joints.get("neck", 0.5 * (shoulders[0] + shoulders[1]) + 0.03 * tall * _UP)
    low, high = hips + 0.03 * tall * _UP, neck - 0.075 * tall * _UP
    hip_width = (joints["thigh_l"] - joints["thigh_r"]).length
    yield _ball(figure, "pelvis", "joint", low, axes, (0.5 * hip_width + 0.042 * tall, 0.064 * tall, 0.058 * tall))
    waist = "spine" if "spine" in joints else "pelvis"
    middle = low.lerp(high, 0.45)
    yield _ball(
        figure, waist, "joint", middle, axes, (0.070 * tall, 0.054 * tall, 0.5 * (high - low).length), to="chest"
    )
    half = 0.5 * (shoulders[0] - shoulders[1]).length
    yield _ball(figure, "chest", "shell", high, axes, (0.86 * half, 0.068 * tall, 0.098 * tall))
    yield _limb(figure, "chest", "shell", *(shoulder.lerp(neck, 0.12) for shoulder in shoulders), 0.036, 0.036)
    head = joints["head"]
    neck_bone = "neck" if "neck" in joints else "chest"
    yield _limb(figure, neck_bone, "joint", neck - 0.02 * tall * _UP, head + 0.02 * tall * _UP, 0.030, 0.027)
    skull = head + 0.062 * tall * _UP + 0.008 * tall * figure.front
    yield _ball(figure, "head", "shell", skull, axes, (0.046 * tall, 0.056 * tall, 0.068 * tall))
    visor = skull + 0.030 * tall * figure.front + 0.008 * tall * _UP
    yield _ball(figure, "head", "joint", visor, axes, (0.038 * tall, 0.030 * tall, 0.016 * tall))


def _arm(figure: Figure, side: str) -> Iterator[_Piece]:
    upper, fore, hand = f"upper_arm_{side}", f"forearm_{side}", f"hand_{side}"
    shoulder, elbow = figure.joints[upper], figure.joints[fore]
    down = (elbow - shoulder).normalized()
    wrist = figure.joints.get(hand, elbow + 0.145 * figure.height * down)
    reach = (wrist - elbow).normalized()
    yield _joint(figure, upper, shoulder, 0.036)
    yield _limb(figure, upper, "shell", shoulder + 0.02 * figure.height * down, elbow, 0.030, 0.023)
    yield _joint(figure, fore, elbow, 0.0235)
    yield _limb(figure, fore, "shell", elbow + 0.02 * figure.height * reach, wrist, 0.0235, 0.0165)
    hand_bone = hand if hand in figure.bones else fore
    yield _limb(
        figure,
        hand_bone,
        "joint",
        wrist + 0.012 * figure.height * reach,
        wrist + 0.06 * figure.height * reach,
        0.017,
        0.014,
    )


def _leg(figure: Figure, side: str) -> Iterator[_Piece]:
    hip, knee, ankle = (figure.joints[f"{segment}_{side}"] for segment in ("thigh", "shin", "foot"))
    thigh, shin = (knee - hip).normalized(), (ankle - knee).normalized()
    yield _limb(figure, f"thigh_{side}", "shell", hip + 0.015 * figure.height * thigh, knee, 0.052, 0.034)
    yield _joint(figure, f"shin_{side}", knee, 0.0345)
    yield _limb(figure, f"shin_{side}", "shell", knee + 0.03 * figure.height * shin, ankle, 0.036, 0.022)


def _shoe(figure: Figure, sole: Sole) -> _Piece:
    """Round the sole that touches the ground, and up to the ankle."""
    mesh = bmesh.new()
    bmesh.ops.create_cube(mesh, size=2.0, matrix=Matrix.Diagonal((*sole.half_extents, 1.0)))
    bevel = 0.7 * min(sole.half_extents)
    bmesh.ops.bevel(mesh, geom=[*mesh.edges, *mesh.verts], offset=bevel, segments=2, profile=0.5, affect="EDGES")
    mesh.transform(sole.frame)
    if sole.segment.startswith("foot"):
        ankle = bmesh.ops.create_uvsphere(mesh, u_segments=_AROUND, v_segments=_ALONG, radius=0.027 * figure.height)
        bmesh.ops.translate(mesh, verts=ankle["verts"], vec=figure.joints[sole.segment])
        hull = bmesh.ops.convex_hull(mesh, input=mesh.verts)
        inside = [element for element in hull["geom_interior"] if isinstance(element, bmesh.types.BMVert)]
        bmesh.ops.delete(mesh, geom=inside, context="VERTS")
    return _stiff(figure, sole.segment, "shoe", mesh)


def _limb(figure: Figure, segment: str, colour: str, start: Vector, end: Vector, thick: float, thin: float) -> _Piece:
    """A ball pulled apart at its equator, one half larger than the other; radii in body heights."""
    mesh = bmesh.new()
    bmesh.ops.create_uvsphere(mesh, u_segments=_AROUND, v_segments=_ALONG, radius=_ROUNDED)
    length = (end - start).length
    for vertex in mesh.verts:
        far = vertex.co.z > 1e-4
        vertex.co = vertex.co * (figure.height * (thin if far else thick)) + (length if far else 0.0) * _UP
    mesh.transform(Matrix.LocRotScale(start, (end - start).to_track_quat("Z", "Y"), None))
    return _stiff(figure, segment, colour, mesh)


def _joint(figure: Figure, segment: str, centre: Vector, radius: float) -> _Piece:
    return _ball(figure, segment, "joint", centre, Matrix.Identity(3), (radius * figure.height,) * 3)


def _ball(
    figure: Figure,
    segment: str,
    colour: str,
    centre: Vector,
    axes: Matrix,
    radii: tuple[float, ...],
    to: str | None = None,
) -> _Piece:
    mesh = bmesh.new()
    bmesh.ops.create_uvsphere(mesh, u_segments=_AROUND, v_segments=_ALONG, radius=_ROUNDED)
    mesh.transform(Matrix.LocRotScale(centre, axes, Vector(radii)))
    bones = figure.bones[segment], figure.bones[to or segment]
    half = 0.7 * radii[2] * _UP
    return _Piece(mesh=mesh, colour=colour, bones=bones, start=centre - half, end=centre + half)


def _stiff(figure: Figure, segment: str, colour: str, mesh: BMesh) -> _Piece:
    bone = figure.bones[segment]
    return _Piece(mesh=mesh, colour=colour, bones=(bone, bone), start=Vector(), end=Vector())


def _axes(figure: Figure) -> Matrix:
    """Left, back, up as columns."""
    return Matrix((figure.left, _UP.cross(figure.left), _UP)).transposed()


def _append(body: BMesh, part: BMesh, material: int) -> None:
    part.verts.index_update()
    copies = [body.verts.new(vertex.co) for vertex in part.verts]
    for face in part.faces:
        copy = body.faces.new([copies[vertex.index] for vertex in face.verts])
        copy.smooth, copy.material_index = True, material


def _skin(mannequin: Object, weights: list[tuple[tuple[str, str], float]]) -> None:
    for bone in dict.fromkeys(bone for bones, _ in weights for bone in bones):
        mannequin.vertex_groups.new(name=bone)
    for index, ((start, end), weight) in enumerate(weights):
        mannequin.vertex_groups[start].add([index], 1.0 - weight, "REPLACE")
        mannequin.vertex_groups[end].add([index], weight if start != end else 1.0, "REPLACE")
