"""What stands in the World collection reaches the worker where it is seen, moves as it moves, and is said where odd."""

import time
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector

from tests.blender.worlds import (
    CUBE,
    FRAMES,
    TURN,
    add,
    corners,
    cube_mesh,
    made_motion,
    plane_mesh,
    read,
    rigid,
    same_points,
    shown,
    slide,
    world_collection,
    written,
)


@pytest.fixture
def rig():
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    bpy.context.scene.collection.objects.link(armature)
    return armature


@pytest.fixture
def world(rig):
    return world_collection(rig)


@pytest.fixture
def told(heft, rig, tmp_path):
    """told(): the objects of the scene file by name, and the arrays."""

    def tell(**motion):
        read_world = read(heft, rig, made_motion(**motion))
        scene, arrays = written(heft, read_world, tmp_path)
        objects = {item["name"]: item for item in scene.get("objects", ())}
        assert len(objects) == len(scene.get("objects", ()))
        return SimpleNamespace(scene=scene, objects=objects, arrays=arrays, world=read_world)

    return tell


def parented(world):
    parent = add(world, "Parent", None, location=(1, 2, 3), rotation_euler=(0.3, TURN, 0.1), scale=(2.0, 1.0, 0.5))
    item = add(world, "Cube", cube_mesh(), location=(0.5, 0, 0), rotation_euler=(0, 0, 0.7))
    item.parent = parent
    item.matrix_parent_inverse = Euler((0.2, 0.1, 0.4)).to_matrix().to_4x4()
    return item


PLACED = {
    "moved": lambda world: add(world, "Cube", cube_mesh(), location=(4, -3, 2)),
    "rotated": lambda world: add(world, "Cube", cube_mesh(), rotation_euler=(TURN, 0.2, 1.0)),
    "scaled": lambda world: add(world, "Cube", cube_mesh(), rotation_euler=(TURN, 0.2, 1.0), scale=(0.1, 3.0, 1.5)),
    "mirrored": lambda world: add(world, "Cube", cube_mesh(), rotation_euler=(TURN, 0.2, 1.0), scale=(-2.0, 1.0, 1.0)),
    "mirrored thrice": lambda world: add(world, "Cube", cube_mesh(), rotation_euler=(TURN, 0, 0), scale=(-1, -1, -1)),
    "parented and sheared": parented,
}


@pytest.mark.parametrize("how", PLACED)
def test_it_lands_where_it_is_seen(world, told, how):
    item = PLACED[how](world)
    read = told()
    np.testing.assert_allclose(corners(read.objects["Cube"], read.arrays), shown(item), atol=1e-5)


@pytest.mark.parametrize("how", PLACED)
def test_its_outside_stays_outside(world, told, how):
    PLACED[how](world)
    read = told()
    points, triangles = corners(read.objects["Cube"], read.arrays), read.arrays["0_triangles"]
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    outwards = np.sum(np.cross(b - a, c - a) * ((a + b + c) / 3.0 - points.mean(axis=0)), axis=1)
    assert (outwards > 0).all()


def test_metres(world, told):
    item = add(world, "Cube", cube_mesh(), location=(100, 0, 50), scale=(30, 30, 30))
    read = told(metres_per_unit=0.01)
    np.testing.assert_allclose(corners(read.objects["Cube"], read.arrays), 0.01 * shown(item), atol=1e-5)


def test_modifiers_count(world, told):
    item = add(world, "Cube", cube_mesh())
    item.modifiers.new("Row", "ARRAY").count = 3
    read = told()
    assert same_points(corners(read.objects["Cube"], read.arrays), shown(item))
    assert len(read.arrays["0_vertices"]) == 24


def test_nested_collections(world, told):
    inner = bpy.data.collections.new("Inner")
    world.children.link(inner)
    item = add(inner, "Cube", cube_mesh(), location=(1, 1, 1))
    read = told()
    np.testing.assert_allclose(corners(read.objects["Cube"], read.arrays), shown(item), atol=1e-5)


def test_instances_of_a_collection(world, told):
    hidden = bpy.data.collections.new("Not in the scene")
    add(hidden, "Stone", cube_mesh(), location=(0, 0, 3), scale=(1, 2, 1))
    for place, turn in (((5, 0, 0), 0.0), ((-5, 0, 1), 1.0)):
        empty = add(world, "Spot", None, location=place, rotation_euler=(0, 0, turn))
        empty.instance_type, empty.instance_collection = "COLLECTION", hidden
    read = told()
    assert set(read.objects) == {"Stone", "Stone #2"}
    seen = [corners(item, read.arrays) for item in read.objects.values()]
    points = np.add(np.multiply(CUBE, [1, 2, 1]), [0, 0, 3])
    turned = [Euler((0, 0, 1.0)).to_matrix() @ Vector(point) + Vector((-5, 0, 1)) for point in points]
    assert same_points(seen[0], np.add(points, [5, 0, 0]))
    assert same_points(seen[1], turned)
    assert [name for name in read.arrays if name.endswith("vertices")] == ["0_vertices"]  # shared by both


def scattered(world, child):
    """Geometry nodes that put a thing on every corner of a plane, and keep the plane."""
    group = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    nodes = {
        kind: group.nodes.new(kind)
        for kind in (
            "NodeGroupInput",
            "NodeGroupOutput",
            "GeometryNodeInstanceOnPoints",
            "GeometryNodeObjectInfo",
            "GeometryNodeJoinGeometry",
        )
    }
    start, end, put, thing, join = nodes.values()
    thing.inputs["Object"].default_value = child
    thing.inputs["As Instance"].default_value = True
    group.links.new(start.outputs[0], put.inputs["Points"])
    group.links.new(thing.outputs["Geometry"], put.inputs["Instance"])
    group.links.new(start.outputs[0], join.inputs[0])
    group.links.new(put.outputs[0], join.inputs[0])
    group.links.new(join.outputs[0], end.inputs[0])
    field = add(world, "Field", plane_mesh(4.0, 0.0), location=(50, 0, 1))
    field.modifiers.new("Scatter", "NODES").node_group = group
    return field


def test_instances_of_geometry_nodes(world, told):
    stone = bpy.data.objects.new("Stone", cube_mesh())
    scattered(world, stone)
    read = told()
    assert set(read.objects) == {"Field", "Stone", "Stone #2", "Stone #3", "Stone #4"}
    middles = [corners(item, read.arrays).mean(axis=0) for name, item in read.objects.items() if name != "Field"]
    assert same_points(middles, [(48, -2, 1), (52, -2, 1), (52, 2, 1), (48, 2, 1)])


def test_curves_texts_and_metaballs(world, told):
    curve = bpy.data.curves.new("Pipe", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.1
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[1].co = (1, 0, 0, 1)
    text = bpy.data.curves.new("Word", "FONT")
    text.body, text.extrude = "Heft", 0.1
    ball = bpy.data.metaballs.new("Blob")
    ball.elements.new()
    for name, data in (("Pipe", curve), ("Word", text), ("Blob", ball)):
        add(world, name, data, location=(3, 0, 0))
    bare = bpy.data.curves.new("Line", "CURVE")
    bare.splines.new("POLY").points.add(1)
    add(world, "Line", bare)
    read = told()
    assert set(read.objects) == {"Pipe", "Word", "Blob"}
    pipe = corners(read.objects["Pipe"], read.arrays)
    np.testing.assert_allclose([pipe[:, 0].min(), pipe[:, 0].max()], [3.0, 4.0], atol=1e-5)


def test_what_is_hidden_counts_and_what_is_disabled_or_excluded_does_not(world, told):
    add(world, "Seen", cube_mesh())
    add(world, "Hidden", cube_mesh()).hide_set(True)
    add(world, "Disabled", cube_mesh()).hide_viewport = True
    inner = bpy.data.collections.new("Inner")
    world.children.link(inner)
    add(inner, "Excluded", cube_mesh())
    bpy.context.view_layer.layer_collection.children["World"].children["Inner"].exclude = True
    assert set(told().objects) == {"Seen", "Hidden"}


def test_the_character_is_no_obstacle(world, rig, told):
    world.objects.link(rig)
    add(world, "Cube", cube_mesh())
    add(world, "Skin", cube_mesh()).modifiers.new("Armature", "ARMATURE").object = rig
    hat = add(world, "Hat", cube_mesh(), parent=rig)
    add(world, "Feather", cube_mesh(), parent=hat)
    assert set(told().objects) == {"Cube"}


class TestTheFloor:
    @pytest.mark.parametrize(("height", "tilt"), [(0.0, 0.0), (-0.1, 0.0), (0.0, 0.15)])
    def test_a_large_plane_is_the_ground(self, world, told, height, tilt):
        add(world, "Floor", plane_mesh(20.0, height, tilt))
        read = told()
        normal = np.array([-tilt, 0.0, 1.0]) / np.hypot(tilt, 1.0)
        np.testing.assert_allclose(read.scene["ground"]["normal"], normal, atol=1e-6)
        assert (np.array(read.scene["ground"]["point"]) - [0.0, 0.0, height]) @ normal == pytest.approx(0.0, abs=1e-6)
        assert "objects" not in read.scene
        assert read.world.warnings == ()

    def test_what_stands_on_it_is_an_object(self, world, told):
        add(world, "Floor", plane_mesh(20.0))
        add(world, "Box", cube_mesh(), location=(0, 0, 0.1), scale=(0.4, 0.4, 0.2))
        read = told()
        assert read.scene["ground"]["normal"] == [0.0, 0.0, 1.0]
        assert set(read.objects) == {"Box"}

    def test_a_box_alone_stands_on_the_floor_of_the_clip(self, world, told):
        add(world, "Box", cube_mesh(), scale=(0.4, 0.4, 0.2))
        read = told()
        assert "ground" not in read.scene
        assert set(read.objects) == {"Box"}

    def test_a_table_under_the_whole_path_is_not_endless(self, world, told):
        add(world, "Table", cube_mesh(), scale=(1.0, 2.4, 0.8))
        read = told()
        assert read.scene["ground"] is None
        assert set(read.objects) == {"Table"}

    def test_a_hill_is_all_the_ground_there_is(self, world, told):
        bpy.ops.mesh.primitive_grid_add(size=20.0, x_subdivisions=20, y_subdivisions=20)
        hill = bpy.context.object
        bpy.context.scene.collection.objects.unlink(hill)
        world.objects.link(hill)
        for vertex in hill.data.vertices:
            vertex.co.z = 0.3 * np.sin(vertex.co.y)
        read = told()
        assert read.scene["ground"] is None
        assert set(read.objects) == {hill.name}

    def test_what_moves_is_no_endless_plane(self, world, told):
        slide(add(world, "Floor", plane_mesh(20.0)))
        read = told()
        assert read.scene["ground"] is None
        assert "moves" in read.objects["Floor"]

    def test_of_two_of_one_size_none_is_endless(self, world, told):
        add(world, "Left", plane_mesh(10.0))
        add(world, "Right", plane_mesh(12.0, 0.02))
        read = told()
        assert read.scene["ground"] is None
        assert set(read.objects) == {"Left", "Right"}

    def test_its_own_friction_goes_before_the_panels(self, heft, world, told, rig):
        floor = add(world, "Floor", plane_mesh(20.0))
        assert told().world.ground_friction == 0.8
        rigid(floor, "PASSIVE", friction=0.3)
        assert told().world.ground_friction == pytest.approx(0.3)


class TestMovingThings:
    def moves(self, told, item, **motion):
        read = told(**motion)
        moved = read.objects[item.name]["moves"]
        assert "position" not in read.objects[item.name]
        for row in (0, FRAMES // 2, FRAMES - 1):
            at = shown(item, moved["frame"] + row)
            np.testing.assert_allclose(corners(read.objects[item.name], read.arrays, row), at, atol=1e-4)
        return moved

    def test_keys(self, world, told):
        item = add(world, "Cube", cube_mesh(), scale=(1, -2, 1))
        slide(item)
        bpy.context.scene.frame_set(7)
        moved = self.moves(told, item)
        assert (moved["frame"], len(moved["positions"]), len(moved["rotations"])) == (1, FRAMES, FRAMES)

    def test_frames_are_the_scenes(self, world, told):
        item = add(world, "Cube", cube_mesh())
        slide(item, 100, 100 + FRAMES)
        assert self.moves(told, item, first=100)["frame"] == 100

    def test_a_parent_that_moves(self, world, told):
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.scene.collection.objects.link(parent)
        item = add(world, "Cube", cube_mesh(), location=(1, 0, 0), parent=parent)
        slide(parent)
        self.moves(told, item)

    def test_a_constraint(self, world, told):
        target = bpy.data.objects.new("Target", None)
        bpy.context.scene.collection.objects.link(target)
        item = add(world, "Cube", cube_mesh())
        item.constraints.new("COPY_LOCATION").target = target
        slide(target)
        self.moves(told, item)

    def test_a_driver(self, world, told):
        item = add(world, "Cube", cube_mesh())
        item.driver_add("location", 2).driver.expression = "frame / 10"
        self.moves(told, item)

    def test_the_persons_frame_stays_and_nothing_is_left_behind(self, world, told):
        slide(add(world, "Cube", cube_mesh()))
        bpy.context.scene.frame_set(7)
        before = len(bpy.data.scenes), len(bpy.data.objects), len(bpy.data.meshes)
        told()
        assert bpy.context.scene.frame_current == 7
        assert (len(bpy.data.scenes), len(bpy.data.objects), len(bpy.data.meshes)) == before

    def test_what_stands_still_does_not_move(self, world, told):
        item = add(world, "Cube", cube_mesh(), location=(1000.0, 0.1, 0.2))
        item.keyframe_insert("location", frame=1)
        item.keyframe_insert("location", frame=12)
        assert "moves" not in told().objects["Cube"]


class TestRigidBodies:
    def test_an_active_one_is_loose(self, world, told):
        rigid(add(world, "Cube", cube_mesh(), location=(0, 0, 1)), mass=4.0, friction=0.3, collision_shape="MESH")
        cube = told().objects["Cube"]
        assert (cube["mass"], cube["friction"]) == (4.0, pytest.approx(0.3))
        assert cube["velocity"] == cube["spin"] == [0.0, 0.0, 0.0]
        assert "moves" not in cube
        assert "mesh" in cube

    def test_a_box_is_a_box_around_its_own_middle(self, world, told):
        item = add(world, "Box", cube_mesh(), location=(1, 2, 3), rotation_euler=(0.3, 0.2, 1.0), scale=(1, -2, 3))
        item.data.transform(Euler((0, 0, 0)).to_matrix().to_4x4())
        for vertex in item.data.vertices:
            vertex.co.x += 5.0
        rigid(item, collision_shape="BOX")
        read = told()
        np.testing.assert_allclose(read.objects["Box"]["box"]["size"], [1, 2, 3], atol=1e-5)
        assert same_points(corners(read.objects["Box"], read.arrays), shown(item))

    def test_a_ball(self, world, told):
        rigid(add(world, "Ball", cube_mesh(), scale=(0.2, 0.2, 0.2)), collision_shape="SPHERE")
        assert told().objects["Ball"]["ball"]["radius"] == pytest.approx(0.1)

    def test_a_passive_one_stands_with_its_own_friction(self, world, told):
        rigid(add(world, "Cube", cube_mesh()), "PASSIVE", friction=0.3)
        add(world, "Other", cube_mesh())
        read = told()
        assert "mass" not in read.objects["Cube"]
        assert read.objects["Cube"]["friction"] == pytest.approx(0.3)
        assert read.objects["Other"]["friction"] == 0.8

    def test_friction_is_never_less_than_the_worker_takes(self, world, told):
        rigid(add(world, "Cube", cube_mesh()), "PASSIVE", friction=-1.0)
        assert told().objects["Cube"]["friction"] == 0.01

    def test_an_animated_one_follows_its_keys(self, world, told):
        item = add(world, "Cube", cube_mesh())
        slide(item)
        rigid(item, kinematic=True)
        cube = told().objects["Cube"]
        assert "moves" in cube
        assert "mass" not in cube

    def test_one_with_keys_that_is_not_animated_is_thrown_by_them(self, world, told):
        item = add(world, "Ball", cube_mesh())
        slide(item, metres=1.1)
        for curve in curves(item.animation_data.action):
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"
        rigid(item)
        ball = told().objects["Ball"]
        np.testing.assert_allclose(ball["velocity"], [30 * 1.1 / (FRAMES - 1), 0, 0], atol=1e-3)
        np.testing.assert_allclose(ball["spin"], [0, 0, 30 * 0.8 / (FRAMES - 1)], atol=1e-3)
        assert "moves" not in ball

    def test_blenders_own_simulation_does_not_move_it(self, world, told):
        item = rigid(add(world, "Cube", cube_mesh(), location=(0, 0, 5)))
        for frame in range(1, 9):
            bpy.context.scene.frame_set(frame)
        assert item.matrix_world.translation.z < 5.0
        assert told().objects["Cube"]["position"] == pytest.approx([0, 0, 5])

    def test_a_belt(self, world, told):
        add(world, "Floor", plane_mesh(20.0)).heft_world.belt = (0, 1.4, 0)
        read = told()
        assert read.objects["Floor"]["belt"] == pytest.approx([0, 1.4, 0])
        assert read.scene["ground"] is None


def curves(action):
    from tests.blender.baking import curves_of

    return curves_of(action)


class TestSentences:
    def test_an_empty_collection(self, world, told):
        with pytest.raises(Exception, match="Nothing in the collection 'World' has faces"):
            told()

    def test_no_collection_is_no_world(self, heft, rig):
        assert read(heft, rig) is None

    def test_scaled_to_nothing(self, world, told):
        add(world, "Dot", cube_mesh(), scale=(0, 0, 0))
        with pytest.raises(Exception, match="Everything in the collection 'World' is without faces"):
            told()
        add(world, "Cube", cube_mesh())
        add(world, "Line", bpy.data.meshes.new("Line"))
        read = told()
        assert set(read.objects) == {"Cube"}
        assert read.world.warnings == ("'Dot' and 'Line' are without faces or scaled to nothing, and left out.",)

    def test_animated_without_a_motion(self, world, told):
        rigid(add(world, "Cube", cube_mesh()), kinematic=True)
        read = told()
        assert "moves" not in read.objects["Cube"]
        assert read.world.warnings == (
            "'Cube' is set to Animated under Rigid Body, but without a motion to follow; simulated as standing still.",
        )

    def test_an_instance_cannot_be_loose(self, world, told):
        hidden = bpy.data.collections.new("Not in the scene")
        rigid(add(hidden, "Stone", cube_mesh()))
        empty = add(world, "Spot", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", hidden
        read = told()
        assert "mass" not in read.objects["Stone"]
        (warning,) = read.world.warnings
        assert warning.startswith("'Stone' cannot be loose and stood still: it is an instance; make it real")

    def test_what_grows_or_bends(self, world, told):
        item = add(world, "Balloon", cube_mesh())
        for frame, size in ((1, 1.0), (FRAMES, 2.0)):
            item.scale = (size,) * 3
            item.keyframe_insert("scale", frame=frame)
        bent = add(world, "Jelly", cube_mesh())
        bent.shape_key_add(name="Basis")
        key = bent.shape_key_add(name="Tall")
        key.data[0].co.z = -3.0
        for frame in (1, FRAMES):
            key.value = float(frame > 1)
            key.keyframe_insert("value", frame=frame)
        assert told().world.warnings == (
            "'Jelly' changed shape over the frames; simulated with the shape of frame 1.",
            "'Balloon' changed size over the frames; simulated with the size of frame 1.",
        )

    def test_what_comes_and_goes(self, world, told):
        item = add(world, "Door", cube_mesh())
        for frame, hidden in ((1, False), (5, True)):
            item.hide_viewport = hidden
            item.keyframe_insert("hide_viewport", frame=frame)
        assert told().world.warnings == ("'Door' is not there in every frame, but simulated as if.",)

    @pytest.mark.parametrize(
        ("found", "words"),
        [(["b"], "'b'"), (["b", "a"], "'a' and 'b'"), (list("dcbae"), "'a', 'b', 'c' and 2 more")],
    )
    def test_names(self, heft, found, words):
        assert heft("addon.world.world_words").names(found) == words


def test_two_hundred_thousand_faces(heft, world, rig, tmp_path):
    bpy.ops.mesh.primitive_grid_add(size=20.0, x_subdivisions=448, y_subdivisions=448)
    ground = bpy.context.object
    bpy.context.scene.collection.objects.unlink(ground)
    world.objects.link(ground)
    ground.data.vertices[5000].co.z = 1.0
    assert len(ground.data.polygons) > 200_000
    began = time.perf_counter()
    read_world = read(heft, rig)
    between = time.perf_counter()
    scene, arrays = written(heft, read_world, tmp_path)
    print(f"read in {between - began:.2f} s, written in {time.perf_counter() - between:.2f} s")
    assert len(arrays["0_triangles"]) == 2 * len(ground.data.polygons)
    assert scene["ground"] is None
    assert between - began < 3.0
