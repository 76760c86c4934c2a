"""Every setting of a bake, with its default and where it comes from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from .constants import FLIGHT_FORCE, GRAVITY
from .disturbances import Disturbance, InFrames, KeepLevel, Stance
from .roll_span import RollSpan
from .scene import GroundPlane
from .scene_file.scene_objects import SceneObject

EngineName: TypeAlias = Literal["bullet", "mujoco"]
EngineChoice: TypeAlias = Literal["auto", "bullet", "mujoco"]
ControllerName: TypeAlias = Literal["qp", "va", "pd"]
MotionName: TypeAlias = Literal["track", "hold", "roll", "fall"]
RollKind: TypeAlias = Literal["clip", "forward", "backward", "sideways", "shoulder"]
RollEnd: TypeAlias = Literal["stand", "clip", "roll"]
FallStyle: TypeAlias = Literal["brace", "roll", "stunt", "limp"]
FallEnd: TypeAlias = Literal["lie", "up", "clip"]
PresetName: TypeAlias = Literal["heft", "mcsim", "yu"]
BalanceName: TypeAlias = Literal["none", "full-state", "three-link"]
UpAxis: TypeAlias = Literal["y", "z"]
# One pass; a search of some ten times the clip's length; one until nothing improves; or so many seconds by the clock.
Budget: TypeAlias = Literal["draft", "good", "best"] | float


@dataclass(frozen=True, kw_only=True)
class OfBodyWeight:
    """A limit that grows with the character."""

    share: float  # 0.2 is 20 %


Assist: TypeAlias = Literal["least", "none"] | float | OfBodyWeight  # a float is a limit in newtons


@dataclass(frozen=True, kw_only=True)
class ClipSettings:
    """How to read the source; what is None is guessed, and the guess is said."""

    metres_per_unit: float | None = None
    up: UpAxis | None = None
    fps: float | None = None
    height_m: float | None = None
    mass_kg: float | None = None
    floor_m: float | None = None  # height of the floor in the clip's own axes
    t_pose_frames: int | None = None  # frames in front that are no motion
    start: int | None = None  # first and last frame, both included, counted from first_number
    end: int | None = None
    first_number: int = 1  # that the person gives to the clip's first frame
    bones: tuple[tuple[str, str], ...] = ()  # (segment, bone) pairs that the person chose


@dataclass(frozen=True, kw_only=True)
class GroundSettings:
    """What the character walks on, where it is not the floor that the clip was made for."""

    slope_deg: float = 0.0  # uphill is positive; pivots under the first pelvis
    slope_heading_deg: float = 0.0  # where uphill is: along the clip's travel, or to the left of it
    plane: GroundPlane | None = None  # given as it is, instead of a slope
    bottomless: bool = False  # there is no ground but the objects
    objects: tuple[SceneObject, ...] = ()
    find_objects: bool = False  # what the clip was captured on is found by its feet
    gravity: float = GRAVITY  # [m/s^2]


@dataclass(frozen=True, kw_only=True)
class ReferenceSettings:
    """How the clip becomes something to track."""

    cutoff_hz: float = 9.0  # zero-phase; 6 to 10 Hz keeps a performance and drops marker noise (measured)
    fastest_rad_s: float = 20.0  # a joint that turns faster is a solver's flip, not a person
    floor_cutoff_hz: float = 2.0  # capture floors wander by centimetres, slower than this
    floor_wander_m: float = 0.08
    contact_height_m: float = 0.04
    contact_speed_m_s: float = 0.8
    needed_force: float = FLIGHT_FORCE  # of body weight; more than this cannot come out of the air
    nearest_foot_m: float = 0.12  # within which the nearest foot is taken to bear that force
    feasible: bool = True  # the centre of mass is planned for the ground to carry it
    levels: tuple[KeepLevel, ...] = ()  # segments that stay level
    stances: tuple[Stance, ...] = ()  # what feet do, where a person says so
    still: bool = False  # the clip is one pose that is held
    rolls: tuple[RollSpan, ...] = ()  # frames of the clip that are followed by how far they turn


@dataclass(frozen=True, kw_only=True)
class RollSettings:
    """Which roll, how often, where to, and what comes before and after it."""

    kind: RollKind = "clip"  # the roll that the clip has, or one that is made for the character
    rolls: int | None = None  # how often; None is once, or as often as the distance asks for
    distance_m: float | None = None  # how far
    # Of a roll that is made: where to, from where the character faces, to the left where positive. None is ahead, and
    # behind it for a backward roll.
    direction_deg: float | None = None
    speed: float = 1.0  # as a factor
    at: int | None = None  # frame at which a roll that is made begins, as the person counts; None is the first
    then: RollEnd | None = None  # what follows: it stands up, the clip goes on, or it ends rolling; None is as usual
    poses: Path | None = None  # a clip whose frames are the poses of a roll that is made


@dataclass(frozen=True, kw_only=True)
class FallSettings:
    """When it falls, where to, how, and what comes after it."""

    at: int | None = None  # frame, as the person counts; None is where what happens to the character leaves no way out
    direction_deg: float | None = None  # from where it faces, to the left; None is where it is carried
    style: FallStyle = "brace"
    protect: tuple[str, ...] = ()  # segments or bones that are to be spared as much as the head
    land_at_m: tuple[float, float, float] | None = None  # in the clip's own axes
    strength: float = 1.0  # as a factor
    delay_s: float = 0.0  # until it reacts
    then: FallEnd = "lie"  # it lies, gets up, or gets up and goes on with the clip


@dataclass(frozen=True, kw_only=True)
class PdSettings:
    """The baseline: stable PD on every joint and a bounded pelvis assist."""

    full_torque_at_rad: float = 0.8  # a joint this far off is driven with all its strength
    half_life_s: float = 0.05  # of a joint's error
    pelvis_half_life_s: float = 0.1


@dataclass(frozen=True, kw_only=True)
class QpSettings:
    """The tracking controller: whose terms it weighs against each other."""

    preset: PresetName = "heft"
    balance: BalanceName = "none"  # the balance strategies of McSim's thesis, for its preset only


@dataclass(frozen=True, kw_only=True)
class VaSettings:
    """Virtual actuators: what the topple-free foot may do (Tunable Robustness, eq. 14 and section 6)."""

    thr_min: float = 20.0  # [N m] torque at an ankle from which on the foot is steadied from outside
    thr_max: float = 200.0  # [N m] and beyond which it is not, and the character falls; infinite where it never does


@dataclass(frozen=True, kw_only=True)
class BakeSettings:
    clip: ClipSettings = field(default_factory=ClipSettings)
    reference: ReferenceSettings = field(default_factory=ReferenceSettings)
    engine: EngineChoice = "auto"
    motion: MotionName = "track"  # the clip, or its first pose held for as long, or a roll, or a fall
    roll: RollSettings = field(default_factory=RollSettings)
    fall: FallSettings = field(default_factory=FallSettings)
    seconds: float | None = None  # that a pose is held; None is for as many frames as are asked for
    controller: ControllerName = "qp"
    qp: QpSettings = field(default_factory=QpSettings)
    va: VaSettings = field(default_factory=VaSettings)
    pd: PdSettings = field(default_factory=PdSettings)
    stiffness: float = 1.0  # how firmly joints hold their pose, as a factor; damping goes with it
    ground: GroundSettings = field(default_factory=GroundSettings)
    friction: float = 0.8
    disturbances: tuple[Disturbance | InFrames, ...] = ()
    realism: float | None = None  # where the dial stood that said how far help may go; None where none was used
    assist: Assist = "least"
    budget: Budget = "good"
    seed: int = 0
    workers: int | None = None  # processes; None is one for each core
    scheduler: str | None = None  # address of a Dask cluster that takes the place of these processes
    step_s: float = 0.002  # stable in both engines; 4 ms is not (measured)
    hold_s: float = 0.5  # the last pose is held this long, so that a clip cannot end in mid-fall
    output_cutoff_hz: float = 8.0  # zero-phase, on the simulated motion; contact chatter lies above
