"""Samples of worlds: what a character walks on, over and into, and what happens to it there."""

import random
from math import exp, radians, tan

from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from sample_blends import scenery
from sample_blends.course import (
    Course,
    ball_mesh,
    bumps,
    cup_mesh,
    ground_mesh,
    new_course,
    rigid,
    stairs_mesh,
    swing,
)
from sample_blends.figure import Figure
from sample_blends.raised_arm import hold_out_forearm
from sample_blends.sample_making import character, clip_of, dressed, finish, path_of

_RISE, _RUN = 0.17, 0.28
_BEHIND, _BEYOND = -1.5, 8.0  # how far floors reach from the start of a walk [m]

_STEPS = """
1. The rig is selected. In the 3D view's sidebar (N), open the tab Heft.
2. World is set to the collection "World": everything in it is there for the character.
3. Press Bake to Physics. It takes some minutes; Esc cancels.
4. Play it. Compare shows the source as a ghost, Why says where something had to be given up.

The source action is untouched: press Use on the source to go back.
"""
_HILL = f"""A WALK OVER A HILL

The walk was captured on a flat floor. This ground rises to a hill and slopes to one side.
{_STEPS}"""
_STAIRS = f"""STAIRS

Five steps up, a platform, five steps down, 17 by 28 cm. The walk was captured on a flat floor.
{_STEPS}"""
_OBSTACLES = f"""OBSTACLES

A box of 20 cm to step onto, and a beam of 20 cm to step over.
{_STEPS}"""
_RUBBLE = f"""RUBBLE

Uneven ground with loose blocks of up to 8 cm. The blocks have Blender's Rigid Body, type Active, which makes them
loose: after the bake each has keys of its own, which come and go with the take.
{_STEPS}"""
_MOVING = f"""MOVING GROUND

A platform that slides from side to side, a see-saw, and a floor that shakes. They have keys of their own, and carry
the character along.
{_STEPS}"""
_ICE = f"""ICE, AND A PUSH

From one metre on the ground is ice: its Rigid Body, type Passive, has a friction of 0.15. Somebody pushes the
character there: see Motion > Disturbances.
{_STEPS}"""
_THROWN = f"""THROWN, AND IN THE WAY

At frame 45 a ball of 3 kg hits the chest from the left (Motion > Disturbances). A second ball, red, is loose and has
two keys: it flies on with the speed they give it. Further on, light boxes stand in the way.
{_STEPS}"""
_CUP = f"""A CUP KEPT LEVEL

The right arm carries a full cup. Keep Level, under Motion > Disturbances, holds it upright all the way, and somebody
pulls at the other arm.
{_STEPS}"""


def walk_over_hill(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=4.0)

    def height(ahead: float, aside: float) -> float:
        begun = min(max(ahead / 1.5, 0.0), 1.0)
        hill = 0.35 * (exp(-(((ahead - 2.8) / 1.1) ** 2)) - exp(-((2.8 / 1.1) ** 2)))
        return hill * begun + tan(radians(5.0)) * aside * begun

    mesh = ground_mesh(height, _BEHIND, _BEYOND, 4.0, 0.2)
    course.add("Hill", mesh, course.matrix(0.0), "earth")
    finish(scene, armature, figure, _HILL)


def stairs(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=5.0)
    scenery.add_floor(course)
    mesh = stairs_mesh(5, _RISE, _RUN, platform=1.2, width=1.6)
    course.add("Stairs", mesh, course.matrix(1.0), "stone")
    finish(scene, armature, figure, _STAIRS)


def obstacles(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=4.0)
    scenery.add_floor(course)
    course.block("Box", Vector((1.2, 1.2, 0.2)), course.matrix(1.7, 0.0, 0.1), "wood")
    course.block("Beam", Vector((0.1, 1.6, 0.2)), course.matrix(3.4, 0.0, 0.1), "wood")
    finish(scene, armature, figure, _OBSTACLES)


def rubble(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=4.0)
    height = bumps(3, 0.03, 0.45)
    course.add("Ground", ground_mesh(height, _BEHIND, _BEYOND, 3.0, 0.15), course.matrix(0.0), "earth")
    chance = random.Random(7)
    for number in range(40):
        ahead, aside, turn = chance.uniform(0.9, 4.5), chance.uniform(-0.5, 0.5), chance.uniform(0.0, 3.0)
        size = Vector([chance.uniform(0.03, 0.08) for _ in "xyz"])
        matrix = course.matrix(ahead, aside, height(ahead, aside) + size.z / 2.0 + 0.01, turn)
        block = course.block(f"Block {number + 1}", size, matrix, "loose")
        mass = 2000.0 * size.x * size.y * size.z  # brick
        rigid(scene, block, "ACTIVE", mass=mass, friction=0.6, collision_shape="BOX")
    finish(scene, armature, figure, _RUBBLE)


def moving_ground(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=5.0)
    frames = range(scene.frame_start, scene.frame_end + 1)
    fps = scene.render.fps / scene.render.fps_base
    course.slab("Start", _BEHIND, 0.9, colour="stone")
    platform = course.slab("Platform", 0.92, 2.4, width=2.0, colour="moving")
    swing(platform, frames, 2.0 * fps, lambda wave: Matrix.Translation((0.0, 0.08 * wave, 0.0)))
    see_saw = course.slab("See-saw", 2.43, 3.9, width=1.5, colour="moving")
    swing(see_saw, frames, 2.5 * fps, lambda wave: Matrix.Rotation(radians(3.0) * wave, 4, "Y"))
    shaking = course.slab("Shaking Floor", 3.95, _BEYOND, colour="moving")
    swing(shaking, frames, 0.4 * fps, lambda wave: Matrix.Translation((0.015 * wave, 0.01 * wave, 0.0)))
    finish(scene, armature, figure, _MOVING)


def ice_and_push(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=4.0)
    course.slab("Ground", _BEHIND, 1.0, colour="earth")
    ice = course.slab("Ice", 1.0, _BEYOND, colour="ice")
    rigid(scene, ice, "PASSIVE", friction=0.15, collision_shape="BOX")
    push = armature.heft.pushes.add()
    push.name, push.segment, push.frame, push.frames = "Shove", "chest", 60, 6
    push.space, push.force = "CHARACTER", (0.0, 80.0, 0.0)
    finish(scene, armature, figure, _ICE)


def thrown_and_in_the_way(scene: Scene) -> None:
    armature, figure, course = _walk(scene, seconds=5.0)
    scenery.add_floor(course)
    throw = armature.heft.pushes.add()
    throw.kind, throw.name, throw.segment, throw.frame = "THROW", "Ball", "chest", 45
    throw.mass, throw.speed, throw.side = 3.0, 4.0, "LEFT"
    _throw_a_ball(scene, course, flight_s=0.9, ahead=0.9)
    for column, row, floor in [(c, r, f) for c in range(2) for r in range(3) for f in range(2)]:
        matrix = course.matrix(4.0 + 0.3 * column, 0.32 * (row - 1), 0.13 + 0.26 * floor, 0.1 * (row - floor))
        box = course.block("Carton", Vector((0.25, 0.25, 0.25)), matrix, "loose")
        rigid(scene, box, "ACTIVE", mass=0.4, friction=0.5, collision_shape="BOX")
    finish(scene, armature, figure, _THROWN)


def cup_kept_level(scene: Scene) -> None:
    clip = clip_of("walk", seconds=4.0)
    armature = character(scene, clip)
    figure = dressed(scene, armature)
    course = _course(scene, armature, figure)
    scenery.add_floor(course)
    hand = "hand_r" if "hand_r" in figure.bones else "forearm_r"
    tip = hold_out_forearm(scene, armature, figure, "r")
    cup = course.add("Cup", cup_mesh(0.045, 0.11), Matrix.Translation(tip + Vector((0.0, 0.0, 0.09))), "cup")
    course.collection.objects.unlink(cup)
    scene.collection.objects.link(cup)
    _fix_to_bone(scene, cup, armature, figure.bones[hand])
    level = armature.heft.pushes.add()
    level.kind, level.name, level.segment = "KEEP_LEVEL", "Cup", hand
    pull = armature.heft.pushes.add()
    pull.kind, pull.name, pull.frame, pull.frames = "PULL", "Tug", 50, 20
    pull.segment, pull.strength = hand.replace("_r", "_l"), 40.0
    pull.to = course.matrix(1.5, 1.2, 1.0).translation
    finish(scene, armature, figure, _CUP)


def _walk(scene: Scene, *, seconds: float) -> tuple[Object, Figure, Course]:
    armature = character(scene, clip_of("walk", seconds=seconds))
    figure = dressed(scene, armature)
    return armature, figure, _course(scene, armature, figure)


def _course(scene: Scene, armature: Object, figure: Figure) -> Course:
    start, end = path_of(scene, armature, figure)
    course = new_course(scene, start, (end - start).normalized())
    armature.heft.ground = course.collection
    return course


def _throw_a_ball(scene: Scene, course: Course, *, flight_s: float, ahead: float) -> None:
    """From the left; without anything in its way it would pass the chest after that time."""
    fps = scene.render.fps / scene.render.fps_base
    start, target = course.matrix(ahead, 4.0, 1.0).translation, course.matrix(ahead, 0.0, 1.25).translation
    speed = (target - start) / flight_s + Vector((0.0, 0.0, 9.81 * flight_s / 2.0))
    ball = course.add("Ball", ball_mesh(0.11), Matrix.Translation(start), "loose")
    for frame in (0, 1):
        ball.location = start + speed * frame / fps
        ball.keyframe_insert("location", frame=scene.frame_start + frame)
    rigid(scene, ball, "ACTIVE", mass=0.6, friction=0.5, collision_shape="SPHERE")


def _fix_to_bone(scene: Scene, item: Object, armature: Object, bone: str) -> None:
    """It stays where it is in the first frame, and goes with the bone from there."""
    scene.frame_set(scene.frame_start)
    placed = item.matrix_world.copy()
    item.parent, item.parent_type, item.parent_bone = armature, "BONE", bone
    item.matrix_world = placed
