"""Which falls are tried, and the ideas of the controller, to be switched off."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any, Literal, TypeAlias

from bench import world_scenes as scenes
from bench.clips import BenchClip, Half
from bench.world_list import Part, World

PartName: TypeAlias = Literal["head", "ideas", "surprises", "seeds", "up", "clips"]

TUNED_ON = ("stand", "walk", "07_05", "16_15", "90_16")
_STAND, _WALK, _RUN = Part(clip="stand"), Part(clip="35_01"), Part(clip="16_35")
_NAMES = {0: "forward", 45: "forward left", 90: "left", 135: "back left", 180: "back"}
_NAMES |= {-45: "forward right", -90: "right", -135: "back right"}
_PUSHED_S = 0.32
_SIDES = {"front": (-1, 0), "back": (1, 0), "left": (0, -1), "right": (0, 1)}

# Every idea, and what switches it off: gains of the controller, or the units of a script's splines.
IDEAS: dict[str, tuple[Mapping[str, Any], Mapping[str, float]]] = {
    "all of it": ({}, {}),
    "no reflex": ({"reflex_s": 0.0}, {}),
    "arms as the pose has them": ({}, {"arms": 0.0}),
    "no turn of the whole body": ({"w_turn": 0.0}, {"turn": 0.0}),
    "weight alone: neither turn nor arms": ({"w_turn": 0.0}, {"turn": 0.0, "arms": 0.0}),
}


@dataclass(frozen=True, kw_only=True)
class FallCase:
    part: PartName
    world: World
    budget: str
    idea: str = ""
    gains: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, float] = field(default_factory=dict)

    @property
    def half(self) -> Half:
        clip = self.world.part.clip
        return "tuning" if clip in TUNED_ON else BenchClip(clip, None).half


def cases() -> list[FallCase]:
    return [*_head(), *_surprises(), *_seeds(), *_ideas(), *_up(), *_clips()]


def _world(name: str, group: str, part: Part, *options: str, scene: scenes.SceneContent | None = None) -> World:
    return World(name=name, group=group, part=part, options=("--motion=fall", *options), scene=scene)


def _on_head(angle: int) -> tuple[str, ...]:
    """The thesis' push, as the made stand sees it: 400 N for 0.1 s."""
    force = _along(angle, 400.0)
    push = f"--push=bone=head,at={_PUSHED_S},for=0.1,space=character,force={force}"
    return (push, "--fall-at=20")


def _along(angle: int, newtons: float) -> str:
    return f"{newtons * cos(radians(angle)):.1f}:{newtons * sin(radians(angle)):.1f}:0"


def _head() -> list[FallCase]:
    group = "400 N on the head for 0.1 s"
    return [
        FallCase(part="head", world=_world(f"{group}, {name}", group, _STAND, *_on_head(angle)), budget="good")
        for angle, name in _NAMES.items()
    ]


def _ideas() -> list[FallCase]:
    group = "Each idea switched off"
    return [
        FallCase(
            part="ideas",
            world=_world(f"{_NAMES[angle]}, {idea}", group, _STAND, *_on_head(angle), "--workers=1"),
            budget="good",
            idea=idea,
            gains=gains,
            units=units,
        )
        for angle in (0, 180)
        for idea, (gains, units) in IDEAS.items()
    ]


def _surprises() -> list[FallCase]:
    walks = [
        _world(
            f"walk, pushed at {at:.1f} s from the {side}",
            "From a walk",
            _WALK,
            f"--push=bone=chest,at={at},for=0.2,space=character,force={400 * x}:{400 * y}:0",
            f"--fall-at={round(at * 120) + 2}",
        )
        for at in (0.6, 0.9, 1.2, 1.5)
        for side, (x, y) in _SIDES.items()
    ]
    others = [
        _world("run, trips over a box of 15 cm", "Surprises", _RUN, scene=scenes.box(0.3, 0.15, 1.9)),
        _world("walk, trips over a box of 15 cm", "Surprises", _WALK, scene=scenes.box(0.3, 0.15, 1.35)),
        _world("walk onto ice of 0.05", "Surprises", _WALK, "--friction=0.05"),
        _world("walk over a ledge of 50 cm", "Surprises", _WALK, scene=scenes.ledge(0.5, 1.2)),
        _world("walk down five stairs unseen", "Surprises", _WALK, scene=scenes.stairs_down(5, 0.8)),
    ]
    return [
        FallCase(part="surprises", world=world, budget="draft" if "pushed" in world.name else "good")
        for world in (*walks, *others)
    ]


def _seeds() -> list[FallCase]:
    return [
        FallCase(
            part="seeds",
            world=_world(f"pushed forward, take {seed + 1}", "Six takes", _STAND, *_on_head(0), f"--seed={seed}"),
            budget="good",
        )
        for seed in range(6)
    ]


def _up() -> list[FallCase]:
    group = "Up again"
    fallen = [_world(f"fallen {name}", group, _STAND, *_on_head(angle), "--then=up") for angle, name in _NAMES.items()]
    captured = [World(name=clip, group=group, part=Part(clip=clip)) for clip in ("getup_faceup", "getup_facedown")]
    return [FallCase(part="up", world=world, budget="good") for world in (*fallen, *captured)]


def _clips() -> list[FallCase]:
    return [
        FallCase(
            part="clips",
            world=World(name=clip, group="Clips that fall", part=Part(clip=clip), options=("--assist=none",)),
            budget="good",
        )
        for clip in ("90_16", "90_17")
    ]
