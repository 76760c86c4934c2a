"""Which rolls are tried, and what is published of the like; and the ideas of the controller, to be switched off."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from bench import world_scenes as scenes
from bench.clips import BenchClip, Half
from bench.world_list import Part, World
from bench.world_names import file_name
from sim_core.settings import RollKind

BEAMS = "Beams"  # the group that must not touch the ground
BEAM_HIGH_M = 1.0  # so high that limbs hang beside it and touch no floor

PartName: TypeAlias = Literal["cases", "ablations"]

TUNED_ON = ("90_33", "128_10", "stand", "07_05", "35_01")  # two clips with rolls, and the rigs of three others

# Every idea of the controller, and the gains that switch it off; and blends of poses, which are off as they are.
IDEAS: dict[str, Mapping[str, Any]] = {
    "all of it": {},
    "poses by time, not by how far it has turned": {"by_excursion": False},
    "blends of two poses, not the pose of the phase alone": {"blends": True},
    "all contacts, none chosen": {"choose": "none"},
    "4 contacts, by force": {"choose": "force", "most_contacts": 4},
    "4 contacts, by centre of pressure": {"choose": "pressure", "most_contacts": 4},
    "feet come down as the pose has them": {"w_under": 0.0},
}

_STAND = Part(clip="stand")
_RIG = Part(clip="35_01")  # its first frame is a T-pose, which is left out by itself
_BOTH = (_STAND, _RIG)
_YES, _NO = "yes", "no"


@dataclass(frozen=True, kw_only=True)
class RollCase:
    part: PartName
    case: str
    world: World  # of a name that no other case of the part has
    two_poses: RollKind | None = None  # the roll whose two poses it is made of, instead of its own
    even_speed: bool = False  # it is kept only if no roll is much faster or slower than the others
    idea: str = ""
    gains: Mapping[str, Any] = field(default_factory=dict)

    @property
    def character(self) -> str:
        return self.world.part.clip

    @property
    def half(self) -> Half:
        return half_of(self.character)

    def picture(self, engine: str) -> str:
        return f"{file_name(self.case)}_{self.character}_{engine}.png"


def half_of(character: str) -> Half:
    return "tuning" if character in TUNED_ON else BenchClip(character, None).half


def cases() -> list[RollCase]:
    return [*_from_poses(), *_from_clips(), *_terrain(), *_beams(), *_stairs(), *_transitions()]


def ablations() -> list[RollCase]:
    asked = {
        "forward x 3": (_STAND, _rolls("forward", 3)),
        "backward x 3": (_STAND, _rolls("backward", 3)),
        "90_33": (Part(clip="90_33"), _rolls("clip", 1)),
        "128_10": (Part(clip="128_10"), _rolls("clip", 1)),
    }
    return [
        RollCase(
            part="ablations",
            case=case,
            world=World(name=f"{case}, {idea}", group="Ablations", part=part, options=options),
            idea=idea,
            gains=gains,
        )
        for idea, gains in IDEAS.items()
        for case, (part, options) in asked.items()
    ]


def _rolls(kind: RollKind, rolls: int, *more: str) -> tuple[str, ...]:
    return ("--motion=roll", f"--roll={kind}", f"--rolls={rolls}", "--assist=none", *more)


def _case(
    case: str,
    group: str,
    part: Part,
    options: tuple[str, ...],
    published: str,
    *,
    scene: scenes.SceneContent | None = None,
    two_poses: RollKind | None = None,
    even_speed: bool = False,
) -> RollCase:
    world = World(
        name=f"{case}, {part.clip}", group=group, part=part, options=options, scene=scene, published=published
    )
    return RollCase(part="cases", case=case, world=world, two_poses=two_poses, even_speed=even_speed)


def _from_poses() -> list[RollCase]:
    group = "From poses"
    kinds: tuple[RollKind, ...] = ("forward", "backward")
    return [
        *(
            _case(f"{kind} x 5, to a stand", group, part, _rolls(kind, 5, "--then=stand"), _YES)
            for kind in kinds
            for part in _BOTH
        ),
        *(
            _case(
                f"{kind} x 5 of two poses",
                group,
                part,
                _rolls(kind, 5, "--then=stand"),
                f"{_YES}, of two",
                two_poses=kind,
            )
            for kind in kinds
            for part in _BOTH
        ),
        *(
            _case("sideways x 5", group, part, _rolls("sideways", 5), "unable to get it robust from poses")
            for part in _BOTH
        ),
        *(
            _case("shoulder x 3, to a stand", group, part, _rolls("shoulder", 3, "--then=stand"), "none")
            for part in _BOTH
        ),
    ]


def _from_clips() -> list[RollCase]:
    clips = ("90_33", "128_10", "111_21", "roll")
    return [_case("its own roll x 3", "From clips", Part(clip=clip), _rolls("clip", 3), _YES) for clip in clips]


def _terrain() -> list[RollCase]:
    group = "Terrain"
    ends_rolling = _rolls("forward", 3, "--then=roll")
    rough = _case(
        "rough ground x 3", group, _STAND, ends_rolling, _YES, scene=scenes.spheres(radius=0.3, apart=0.15, highest=0.1)
    )
    slant = _case("slant of 30 degrees x 3", group, _STAND, (*ends_rolling, "--slope=30", "--slope-heading=90"), _YES)
    slopes = {
        -20: ("decline", "12: yes, 30: out of control"),
        -12: ("decline", "12: yes"),
        5: ("incline", "5: yes"),
        8: ("incline", "10: stuck after three"),
    }
    return [
        rough,
        slant,
        *(
            _case(
                f"{way} of {abs(degrees)} degrees x 3",
                group,
                _STAND,
                (*ends_rolling, f"--slope={degrees}"),
                published,
                even_speed=degrees == -20,
            )
            for degrees, (way, published) in slopes.items()
        ),
    ]


def _beams() -> list[RollCase]:
    asked = {10: (2, "2 rolls"), 20: (3, "3 rolls"), 30: (5, "many rolls")}
    return [
        _case(
            f"beam of {width} cm x {rolls}",
            BEAMS,
            _STAND,
            _rolls("forward", rolls, "--then=roll"),
            published,
            scene=scenes.beam(width=0.01 * width, height=BEAM_HIGH_M, length=3.0 * rolls),
        )
        for width, (rolls, published) in asked.items()
    ]


def _stairs() -> list[RollCase]:
    scene = scenes.stairs_down(5, 0.5, rise=0.1, run=0.2, width=3.0)
    return [_case("sideways down 5 steps x 5", "Stairs", _STAND, _rolls("sideways", 5), _YES, scene=scene)]


def _transitions() -> list[RollCase]:
    group = "In and out of a clip"
    return [
        _case("stand, forward roll, stand", group, _STAND, _rolls("forward", 1, "--roll-at=60", "--then=clip"), _NO),
        _case("walk, forward roll, walk", group, _RIG, _rolls("forward", 1, "--roll-at=180", "--then=clip"), _NO),
        _case("run, dive roll, run", group, Part(clip="128_10"), _rolls("clip", 1), _NO),
        _case(
            "run, shoulder roll, run",
            group,
            Part(clip="16_35"),
            _rolls("shoulder", 1, "--roll-at=80", "--then=clip"),
            _NO,
        ),
    ]
