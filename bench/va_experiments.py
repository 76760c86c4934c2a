"""What is asked of the virtual actuators: the paper's experiments, each term switched off, the dial, and both
controllers side by side. No clip here was used for tuning."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from bench import world_scenes as scenes
from bench.clips import BenchClip, find_clips
from bench.world_list import LONG_STAND, STAND, WALK, Part, World, push, worlds
from sim_core.samples.catalogue import make_sample
from sim_core.settings import ControllerName

PartName: TypeAlias = Literal["experiments", "terms", "dial", "unfallable", "choose"]
PARTS: tuple[PartName, ...] = get_args(PartName)

TUNED_ON = "07_05 16_15 16_17 136_25 138_01 17_10 69_70 16_08 128_05 16_03 49_06 05_02"
DIAL = (1.0, 0.75, 0.5, 0.25, 0.0)
RANDOM_RUNS = 200

# Each term of the controller, and the gains that switch it off; the foot is switched off by an option.
TERMS: dict[str, Mapping[str, Any]] = {
    "all terms": {},
    "no control force": {"k_fp": 0.0, "k_fd": 0.0},
    "no gravity compensation": {"gravity": False},
    "no angular momentum": {"k_l": 0.0},
    "no chest orientation": {"k_tp": 0.0, "k_td": 0.0},
    "no topple-free foot": {},
    "no swing-leg force": {"k_sp": 0.0, "k_sd": 0.0},
}
_OPTIONS_OF_TERMS = {"no topple-free foot": ("--foot-torque=200:200",)}

_VA = "--controller=va"
_NO_ASSIST = "--assist=none"
_MARCH = Part(clip="march")
_LONG_FRAMES = ("--end", "900")
_SIDES = {"front": 0.0, "left": 90.0, "back": 180.0, "right": 270.0}
_SEED = 7
_LONG_S, _WINDOW_S, _SHORTEST_S = 4.0, 3.0, 1.0
_MOCAP_FPS = 120.0
_SIXTY_FPS = ("141_09",)  # the file says 120


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One bake that is asked for, and a second one with assist where the first one falls and that is wanted."""

    part: PartName
    world: World  # of a name that no other trial of the part has
    case: str = ""  # a column or a row of the part's table
    gains: Mapping[str, Any] = field(default_factory=dict)
    else_with_assist: bool = False
    only_engine: int | None = None  # the number of the one engine that it is for; None is all


def trials(part: PartName, folder: Path | None) -> list[Trial]:
    if part == "experiments":
        return experiments()
    if part == "terms":
        return terms()
    if part == "dial":
        return dial()
    return unfallable(folder) if part == "unfallable" else choose()


def experiments() -> list[Trial]:
    asked = [*_tracking(), *_disturbances(), *_soft_constraints(), *_surroundings(), *_on_the_spot()]
    return [
        Trial(
            part="experiments",
            world=replace(world, options=(_VA, *world.options)),
            case=world.group,
            else_with_assist=True,
        )
        for world in asked
    ]


def _tracking() -> list[World]:
    clips = ("punch", "kick", "35_01", "dance_a", "85_10")
    return [World(name=clip, group="Tracking", part=Part(clip=clip), published="no figures") for clip in clips]


def _disturbances() -> list[World]:
    pushes = [
        World(
            name=f"standing, {newtons:g} N for 0.2 s from the {side}",
            group="Pushes and thrown balls",
            part=STAND,
            options=(push(newtons, 0.4, 0.2, degrees),),
            published="100 to 300 N",
            shown=newtons == 300.0,
        )
        for newtons in (100.0, 200.0, 300.0)
        for side, degrees in _SIDES.items()
    ]
    throws = [
        World(
            name=f"standing, {mass} kg at 5 m/s at the chest from the {side}",
            group="Pushes and thrown balls",
            part=STAND,
            options=(f"--throw=target=chest,at=0.5,mass={mass},speed=5,from={side}",),
            published="3 to 5 kg at 5 m/s",
        )
        for mass in (3, 5)
        for side in ("front", "left")
    ]
    return [*pushes, *throws]


def _soft_constraints() -> list[World]:
    group = "Pulled hands, a cup, directions"
    pulls = tuple(f"--pull=bone=hand_{side[0]},at=0.5,for=2.5,by=Handle {side},force=60" for side in ("left", "right"))
    turns = {"left": 40, "right": -40}
    return [
        World(
            name="standing, both hands pulled ahead with up to 60 N",
            group=group,
            part=LONG_STAND,
            options=pulls,
            scene=scenes.handles(),
            published="no figures",
        ),
        World(
            name="a cup carried on a walk",
            group=group,
            part=WALK,
            options=("--keep-level=bone=hand_r",),
            published="no figures",
        ),
        *(
            World(
                name=f"a walk turned 40 degrees to the {side}",
                group=group,
                part=WALK,
                options=(f"--turn={degrees},at=0.8",),
                published="no figures",
            )
            for side, degrees in turns.items()
        ),
    ]


def _surroundings() -> list[World]:
    group = "Platform, ice, slopes, irregular ground"
    names = (
        "plane turning about three axes, stood on",
        "stand at friction 0.09, pulled by both hands",
        "irregular ground up to 8 cm",
        "loose stones of 4 to 8 cm, 2 to 5 kg",
    )
    known = {world.name: world for world in worlds()}
    slopes = [
        World(
            name=f"a walk on {degrees:+d} degrees",
            group=group,
            part=WALK,
            options=(f"--slope={degrees}",),
            published="no figures",
        )
        for degrees in (10, -10)
    ]
    return [*(replace(known[name], group=group) for name in names), *slopes]


def _on_the_spot() -> list[World]:
    group = "Walking on the spot (SIMBICON)"
    pushed = [
        World(
            name=f"march, {newtons:g} N for {for_s:.1f} s from the {side}",
            group=group,
            part=_MARCH,
            options=(push(newtons, 2.0, for_s, degrees),),
            published="100 to 120 N for 0.2 to 1 s",
            shown=newtons == 120.0,
        )
        for newtons in (100.0, 120.0)
        for for_s in (0.2, 1.0)
        for side, degrees in _SIDES.items()
    ]
    return [World(name="march", group=group, part=_MARCH, published="no figures"), *pushed]


def terms() -> list[Trial]:
    parts = {clip: _clip_part(clip) for clip in ("35_01", "139_29", "49_18", "07_12", "22_12")}
    asked = {clip: (part, ()) for clip, part in parts.items()} | {"pushed": (STAND, (push(200.0, 0.4, 0.2, 90.0),))}
    return [
        Trial(
            part="terms",
            world=World(
                name=f"{name}, {term}",
                group=name,
                part=part,
                options=(_VA, _NO_ASSIST, *_OPTIONS_OF_TERMS.get(term, ()), *options),
            ),
            case=term,
            gains=gains,
        )
        for term, gains in TERMS.items()
        for name, (part, options) in asked.items()
    ]


def dial() -> list[Trial]:
    return [
        Trial(
            part="dial",
            world=World(
                name=f"{clip}, realism {realism:g}",
                group=clip,
                part=_clip_part(clip),
                options=(_VA, f"--realism={realism:g}", push(150.0, 0.8, 0.2, 90.0)),
            ),
            case=f"{realism:g}",
        )
        for realism in DIAL
        for clip in ("35_01", "07_12", "22_12", "23_12", "139_19", "kick", "punch", "run")
    ]


def choose() -> list[Trial]:
    clips = (
        *("35_01", "07_12", "139_29", "139_19", "49_18", "23_12"),
        *("22_12", "16_35", "16_05", "punch", "kick", "dance_a"),
    )
    controllers: tuple[ControllerName, ...] = ("qp", "va")
    return [
        Trial(
            part="choose",
            world=World(
                name=f"{clip}, {controller}",
                group=clip,
                part=_clip_part(clip),
                options=(f"--controller={controller}",),
            ),
            case=controller,
        )
        for clip in clips
        for controller in controllers
    ]


def _clip_part(clip: str) -> Part:
    return Part(clip=clip, options=_LONG_FRAMES if clip == "139_29" else ())


def unfallable(folder: Path | None) -> list[Trial]:
    """Clips, pushes and grounds by chance, the same ones every time for the same folder; engines in turn."""
    chance = np.random.default_rng(_SEED)
    clips = [clip for clip in find_clips(folder) if clip.half == "check" and clip.group != "beyond"]
    lengths = {clip.name: _length(clip) for clip in clips}
    return [_by_chance(number, lengths, chance) for number in range(RANDOM_RUNS)]


def _length(clip: BenchClip) -> tuple[int, float]:
    """Frames, and how many there are in a second."""
    if clip.path is None:
        sample = make_sample(clip.name)
        return len(sample), sample.fps
    with clip.path.open(encoding="utf-8") as file:
        frames = next(int(line.split()[1]) for line in file if line.startswith("Frames:"))
    return frames, 60.0 if clip.name in _SIXTY_FPS else _MOCAP_FPS


def _by_chance(number: int, lengths: Mapping[str, tuple[int, float]], chance: np.random.Generator) -> Trial:
    clip = list(lengths)[int(chance.integers(len(lengths)))]
    frames, fps = lengths[clip]
    options: tuple[str, ...] = ("--fps=60",) if clip in _SIXTY_FPS else ()
    seconds = (frames - 1) / fps
    if seconds > _LONG_S:
        start = 2 + int(chance.integers(frames - 1 - round(_WINDOW_S * fps)))  # the first frame may be a T-pose
        options += (f"--start={start}", f"--end={min(start + round(_WINDOW_S * fps), frames)}")
        seconds = _WINDOW_S
    newtons, at_s = chance.uniform(0.0, 300.0), chance.uniform(0.1, max(seconds, _SHORTEST_S) - 0.3)
    slope, heading, friction = chance.uniform(-10.0, 10.0), chance.uniform(-180.0, 180.0), chance.uniform(0.3, 1.0)
    direction = chance.uniform(0.0, 360.0)
    options += (
        push(newtons, round(at_s, 2), 0.2, direction),
        f"--slope={slope:.1f}",
        f"--slope-heading={heading:.0f}",
        f"--friction={friction:.2f}",
    )
    told = f"{newtons:.0f} N from {direction:.0f}° at {at_s:.1f} s, slope {slope:.0f}°, friction {friction:.2f}"
    return Trial(
        part="unfallable",
        world=World(
            name=f"{number + 1}: {clip}, {told}",
            group=clip,
            part=Part(clip=clip, options=options),
            options=(_VA, "--realism=0"),
        ),
        case=clip,
        only_engine=number,
    )
