"""What stands around the character of a sample: ground, light, camera, and a window with all of it in view."""

from math import radians
from typing import TYPE_CHECKING

import bpy
from bpy.types import Collection, Material, Mesh, Object, Scene
from mathutils import Matrix, Vector

if TYPE_CHECKING:
    from sample_blends.course import Course

_TILE_M = 0.5
_TILES = {"light": (0.80, 0.81, 0.82, 1.0), "dark": (0.64, 0.66, 0.69, 1.0)}


def add_ground(
    scene: Scene, along: Vector, centre: Vector, *, slope_deg: float, pivot: Vector, size_m: float = 9.0
) -> Collection:
    """A chequered square in a collection of its own, which rises along a direction and goes through the pivot."""
    ground = bpy.data.objects.new("Ground", _chequered(round(size_m / _TILE_M)))
    collection = bpy.data.collections.new("Ground")
    scene.collection.children.link(collection)
    collection.objects.link(ground)
    axis = along.cross(Vector((0.0, 0.0, 1.0))).normalized()
    tilt = Matrix.Rotation(radians(slope_deg), 4, axis)
    ground.matrix_world = Matrix.Translation(pivot) @ tilt @ Matrix.Translation(centre - pivot)
    return collection


def _chequered(count: int) -> Mesh:
    """A square of so many tiles a side."""
    places = [
        (_TILE_M * (column - count / 2), _TILE_M * (row - count / 2))
        for row in range(count + 1)
        for column in range(count + 1)
    ]
    corners = [
        (
            row * (count + 1) + column,
            row * (count + 1) + column + 1,
            (row + 1) * (count + 1) + column + 1,
            (row + 1) * (count + 1) + column,
        )
        for row in range(count)
        for column in range(count)
    ]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata([(x, y, 0.0) for x, y in places], [], corners)
    for name, colour in _TILES.items():
        mesh.materials.append(material(f"Ground {name}", colour))
    for face in mesh.polygons:
        row, column = divmod(face.index, count)
        face.material_index = (row + column) % len(_TILES)
    return mesh


def add_floor(course: "Course", size_m: float = 14.0) -> None:
    """A chequered floor in the collection of a course."""
    count = round(size_m / _TILE_M)
    floor = bpy.data.objects.new("Floor", _chequered(count))
    course.collection.objects.link(floor)
    floor.matrix_world = course.matrix(3.0)


def add_light(scene: Scene) -> Object:
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 3.0, radians(3.0)
    sun.matrix_world = Matrix.LocRotScale(
        Vector((2.0, -2.0, 4.0)), Vector((-0.5, 0.5, -1.0)).to_track_quat("-Z", "Y"), None
    )
    scene.collection.objects.link(sun)
    return sun


def add_camera(scene: Scene, target: Vector, direction: Vector, distance: float) -> Object:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    aim(camera, target, direction, distance)
    return camera


def aim(camera: Object, target: Vector, direction: Vector, distance: float) -> None:
    """From that direction at the target."""
    place = target + distance * direction.normalized()
    camera.matrix_world = Matrix.LocRotScale(place, (target - place).to_track_quat("-Z", "Y"), None)


def set_look(scene: Scene) -> None:
    """Workbench with the materials' colours, which is also what the 3D view shows."""
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.view_settings.view_transform = "Standard"
    scene.world.color = (0.70, 0.75, 0.80)
    scene.render.resolution_x, scene.render.resolution_y = 1280, 720
    _shade(scene.display.shading)


def set_interface(readme: bpy.types.Text, target: Vector, direction: Vector, distance: float) -> None:
    """The sidebar open, the character in view, and the text beside it, in the workspace that the file opens with."""
    for area in bpy.context.window.workspace.screens[0].areas:
        if area.type == "VIEW_3D":
            space = area.spaces.active
            space.show_region_ui = True
            space.overlay.show_extras = space.overlay.show_cursor = False  # lamp and camera would stand in the way
            _shade(space.shading)
            view = space.region_3d
            view.view_location, view.view_distance = target, distance
            view.view_rotation = direction.to_track_quat("Z", "Y")
        elif area.type == "PROPERTIES":
            area.type = "TEXT_EDITOR"
            space = area.spaces.active
            space.text, space.show_word_wrap = readme, True
            space.show_line_numbers = space.show_syntax_highlight = False


def _shade(shading: bpy.types.View3DShading) -> None:
    shading.type = "SOLID"
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    shading.show_cavity, shading.show_shadows, shading.shadow_intensity = True, True, 0.35


def material(name: str, colour: tuple[float, ...]) -> Material:
    material = bpy.data.materials.new(name)
    material.diffuse_color = colour
    return material
