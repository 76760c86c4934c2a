"""Which worlds are tried: what is asked of the command line, what is published of the like, and what is wanted."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench import world_scenes as scenes


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some frames of a clip to check with: none of these was used for tuning."""

    clip: str  # of the folder, or a sample
    options: tuple[str, ...] = ()


WALK = Part(clip="35_01")
BRISK = Part(clip="07_12")
STAND = Part(clip="90_17", options=("--start", "2", "--end", "193"))  # quietly on both feet before a cartwheel
LONG_STAND = Part(clip="stand")  # no clip of the folder stands for longer


@dataclass(frozen=True, kw_only=True)
class World:
    name: str
    group: str
    part: Part
    options: tuple[str, ...] = ()
    scene: dict[str, Any] | None = None
    published: str = ""
    wanted: str = "kept without assist"
    may_have_assist: bool = False
    like: str | None = None  # a clip that was captured in such a world, to compare with
    shown: bool = field(default=True)  # in the group's picture


_DASILVA17 = "tunable robustness 2017"
_SIDES = ("front", "front left", "left", "back left", "back", "back right", "right", "front right")


def worlds() -> list[World]:
    found = [*_slopes(), *_stairs(), *_boxes(), *_rubble(), *_moving(), *_ice(), *_pushes(), *_throws(), *_others()]
    return [*found, *_real_slopes()]


def _slopes() -> list[World]:
    published = {
        5: "McSim: up to 5",
        12: "Yu: 15 (a picture)",
        20: "none",
        -5: "McSim: down to 10",
        -12: "McSim: down to 10",
        -20: "none",
    }
    steep = "kept, with assist if need be"
    made = [
        World(
            name=f"{degrees:+d} degrees",
            group="Slopes",
            part=WALK,
            options=(f"--slope={degrees}",),
            published=published[degrees],
            wanted=steep if abs(degrees) > 12 else "kept without assist",
            may_have_assist=abs(degrees) > 12,
        )
        for degrees in (5, 12, 20, -5, -12, -20)
    ]
    across = World(
        name="15 degrees across",
        group="Slopes",
        part=WALK,
        options=("--slope=15", "--slope-heading=90"),
        published="none",
        wanted=steep,
        may_have_assist=True,
    )
    brisk = [
        World(
            name=f"{degrees:+d} degrees, briskly",
            group="Slopes",
            part=BRISK,
            options=(f"--slope={degrees}",),
            shown=False,
        )
        for degrees in (12, -12)
    ]
    return [*made, across, *brisk]


def _stairs() -> list[World]:
    def on_stairs(name: str, scene: dict[str, Any]) -> World:
        return World(name=name, group="Stairs of 17 x 28 cm", part=WALK, scene=scene, published="none")

    return [
        on_stairs("five up", scenes.stairs_up(5, ahead=0.9)),
        on_stairs("five down", scenes.stairs_down(5, ahead=0.9)),
        on_stairs("three up, three down", scenes.stairs_up_and_down(3, ahead=0.9)),
    ]


def _boxes() -> list[World]:
    lengths = {"stepped over, 12 cm long": 0.12, "stepped onto, 80 cm long": 0.8}
    return [
        World(
            name=name,
            group="Box of 20 cm",
            part=WALK,
            scene=scenes.box(length, 0.2, ahead=1.4),
            published="McSim: obstructed by blocks, no figures",
        )
        for name, length in lengths.items()
    ]


def _rubble() -> list[World]:
    published = f"{_DASILVA17}: walks on the spot"
    return [
        World(
            name="irregular ground up to 8 cm",
            group="Rubble",
            part=WALK,
            scene=scenes.irregular_ground(0.08),
            published=published,
        ),
        World(
            name="loose stones of 4 to 8 cm, 2 to 5 kg",
            group="Rubble",
            part=WALK,
            scene=scenes.strewn_blocks(16),
            published=published,
        ),
    ]


def _moving() -> list[World]:
    group = "Ground that moves"
    three = (([1.0, 0.0, 0.0], 10.0, 0.35), ([0.0, 1.0, 0.0], 10.0, 0.25), ([0.0, 0.0, 1.0], 25.0, 0.2))
    return [
        World(
            name="platform sliding sideways 0.3 m at 0.4 Hz, walked over",
            group=group,
            part=WALK,
            scene=scenes.sliding_platform(),
            published="McSim: a moving platform, no figures",
        ),
        World(
            name="see-saw of 8 degrees, walked over",
            group=group,
            part=WALK,
            scene=scenes.see_saw(),
            published="McSim: a see-saw, no figures",
        ),
        World(
            name="plane shaking by 20 degrees, stood on",
            group=group,
            part=LONG_STAND,
            scene=scenes.raft(([0.0, 1.0, 0.0], 20.0, 0.3)),
            published="Yu: -20 to 20 degrees",
        ),
        World(
            name="plane turning about three axes, stood on",
            group=group,
            part=LONG_STAND,
            scene=scenes.raft(*three),
            published=f"{_DASILVA17}: no figures",
        ),
    ]


def _ice() -> list[World]:
    pulls = tuple(f"--pull=bone=hand_{side[0]},at=0.5,for=2.5,by=Handle {side},force=40" for side in ("left", "right"))
    return [
        World(name="walk at friction 0.2", group="Ice", part=WALK, options=("--friction=0.2",), published="none"),
        World(
            name="stand at friction 0.09, pulled by both hands",
            group="Ice",
            part=LONG_STAND,
            options=("--friction=0.09", *pulls),
            scene=scenes.handles(),
            published=f"{_DASILVA17}: friction 0.09",
        ),
    ]


def _pushes() -> list[World]:
    standing = [
        World(
            name=f"standing, 300 N for 0.1 s from the {_SIDES[k]}",
            group="Pushes",
            part=STAND,
            options=(push(300.0, 0.4, 0.1, k * 45.0),),
            published=f"{_DASILVA17}: 100 to 300 N",
            shown=k % 2 == 0,
        )
        for k in range(8)
    ]
    walking = [
        World(
            name=f"walking, 120 N for 0.2 s from the {_SIDES[k]} at {at_s:g} s",
            group="Pushes",
            part=WALK,
            options=(push(120.0, at_s, 0.2, k * 45.0),),
            published=f"{_DASILVA17}: 100 to 120 N for 0.2 to 1 s",
            shown=at_s == 1.0,
        )
        for k in (0, 2, 4, 6)
        for at_s in (0.8, 1.0, 1.2)
    ]
    return [*standing, *walking]


def push(newtons: float, at_s: float, for_s: float, from_deg: float) -> str:
    """From a side of the character, counted from its front to the left."""
    forward, left = -newtons * np.cos(np.radians(from_deg)), -newtons * np.sin(np.radians(from_deg))
    return f"--push=bone=chest,at={at_s:g},for={for_s:g},force={forward:.1f}:{left:.1f}:0,space=character"


def _throws() -> list[World]:
    published = f"{_DASILVA17}: 3 to 5 kg at 5 m/s"
    marks = {"chest": "chest", "head": "head", "hip": "pelvis", "leg": "thigh_l"}
    standing = [
        World(
            name=f"standing, 4 kg at 5 m/s at the {mark}",
            group="Thrown balls",
            part=STAND,
            options=(f"--throw=target={bone},at=0.5,mass=4,speed=5,from=front",),
            published=published,
        )
        for mark, bone in marks.items()
    ]
    walking = World(
        name="walking, 4 kg at 5 m/s at the chest from the left",
        group="Thrown balls",
        part=WALK,
        options=("--throw=target=chest,at=1.0,mass=4,speed=5,from=left",),
        published=published,
    )
    return [*standing, walking]


def _others() -> list[World]:
    level = "--keep-level=bone=hand_r"
    return [
        World(
            name="loose boxes of 20 cm, 1 to 3 kg, marched through",
            group="Blocks in the way",
            part=WALK,
            scene=scenes.blocks_in_the_way(),
            published="McSim: obstructed by blocks, no figures",
        ),
        World(
            name="carried on a walk",
            group="A cup",
            part=WALK,
            options=(level,),
            published=f"{_DASILVA17}: no figures",
        ),
        World(
            name="carried on a walk, 60 N for 0.2 s from the left",
            group="A cup",
            part=WALK,
            options=(level, push(60.0, 1.0, 0.2, 90.0)),
            published=f"{_DASILVA17}: no figures",
        ),
    ]


def _real_slopes() -> list[World]:
    slopes = {"74_14": 6.5, "74_16": 10.0}
    return [
        World(
            name=f"flat walk on {degrees:g} degrees, beside the captured {like}",
            group="Slopes that were captured",
            part=WALK,
            options=(f"--slope={degrees:g}",),
            published="none",
            wanted="nearer to the captured walk than the flat one is",
            like=like,
        )
        for like, degrees in slopes.items()
    ]
