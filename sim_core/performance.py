"""The source made ready: which frames, which body, which ground, and everything that was assumed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .arrays import Floats
from .body.body import Body
from .body.build_body import build_body
from .body.round_flesh import with_round_flesh
from .disturbances import Disturbance, InFrames, Throw, Turn
from .dynamics.kinematics import pose
from .errors import SettingsError
from .motion.clip import Clip
from .motion.hold_pose import FEWEST_FRAMES, Hold, held
from .motion.motion_guesses import Guess
from .motion.skeleton import Skeleton
from .motion.source_clip import SourceClip, read_source
from .motion.source_rows import of_rows, with_clip
from .posing.body_motion import body_positions
from .posing.recover_clip import adrift, carrier_of, recover_clip
from .reference.floor import guess_floor
from .reference.frame_rate import check_frame_rate
from .reference.terrain import check_slope, sloped_ground, stands_on
from .reference.untwist import with_sound_feet
from .rig.bone_map import BoneMap, map_bones
from .roll_span import RollSpan
from .rolling.plan_roll import plan_roll
from .rolling.repeat_roll import Rolled
from .rolling.uphill import pace_uphill
from .scene import Ground, GroundPlane, Scene
from .settings import ClipSettings, FallSettings, GroundSettings, RollSettings
from .staging.placement import Stage, make_stage
from .surroundings.propose import Proposal, propose
from .surroundings.surround import surround

_BOTTOMLESS_M = 100.0  # how far below the clip's floor the plane lies where a scene has no ground


@dataclass(frozen=True, kw_only=True, eq=False)
class Performance:
    source: SourceClip
    asked: Clip  # the frames that were asked for, at the rate that is used
    first_frame: int  # of the asked frames in the source, from 0
    first_number: int  # that the person gives to the source's first frame
    still_frames: int  # so many first asked frames are a T-pose and pass through unchanged
    body: Body
    bone_map: BoneMap
    scene: Scene
    made_for: Ground | None  # what the clip stands on, where that is not the scene as it is
    floor_m: float  # height of the floor that the clip has of its own
    guesses: tuple[Guess, ...]
    warnings: tuple[str, ...]
    rolls: tuple[RollSpan, ...] = ()  # frames of the motion that roll

    @property
    def motion(self) -> Clip:
        """The asked frames that are motion."""
        return self.asked.frames(self.still_frames, len(self.asked))

    def frame_at(self, time_s: float) -> int:
        """The frame, as the person counts, at a time after the first simulated frame."""
        return self.first_frame + self.still_frames + self.first_number + round(time_s * self.asked.fps)

    def row_of(self, frame: int) -> int:
        """The row of the asked frames, from 0, that a person calls so; raises where it is none to go on from."""
        row = frame - self.first_frame - self.first_number
        if not self.still_frames < row < len(self.asked) - 1:
            first, last = self.frame_at(0.0), self.first_frame + len(self.asked) + self.first_number - 1
            raise SettingsError(
                f"Frame {frame} is not one to go on from: choose one after frame {first} and before frame {last}."
            )
        return row

    def in_seconds(self, asked: InFrames) -> Disturbance:
        """At the rate that is used; raises where it comes at a frame that is not simulated."""
        first, last = self.frame_at(0.0), self.first_frame + len(self.asked) + self.first_number - 1
        if not (first <= asked.frame <= last and (asked.frames is None or asked.frames > 0)):
            lasts = "" if asked.frames is None else f" for {asked.frames} frames"
            long_enough = "" if asked.frames is None else ", for one frame or more"
            raise SettingsError(
                f"The {asked.of.words} comes at frame {asked.frame}{lasts}, and frames {first} to {last} are "
                f"simulated; let it come at one of these{long_enough}."
            )
        at_s = (asked.frame - first) / self.asked.fps
        if asked.frames is None or isinstance(asked.of, Throw | Turn):
            return replace(asked.of, at_s=at_s)
        return replace(asked.of, at_s=at_s, for_s=asked.frames / self.asked.fps)

    def stage(self) -> Stage:
        """The clip as things are placed around it."""
        return make_stage(self.source, self.motion, self.body, self.floor_m, self.frame_at(0.0))

    def ground_in_own_axes(self) -> GroundPlane:
        point, normal = (self.source.in_own_axes(v) for v in (self.scene.ground.point, self.scene.ground.normal))
        return GroundPlane(point_m=_triple(point), normal=_triple(normal))


def prepare(
    source: SourceClip,
    settings: ClipSettings,
    friction: float,
    ground_settings: GroundSettings | None = None,
    hold: Hold | None = None,
    roll: RollSettings | None = None,
    *,
    fall: FallSettings | None = None,
) -> Performance:
    """The body is that of the whole source, also where only its first pose is held or only its roll is used."""
    first, stop = _asked_frames(len(source.clip), settings)
    t_pose = source.t_pose_frames if settings.t_pose_frames is None else settings.t_pose_frames
    if t_pose < 0:
        raise SettingsError(f"A T-pose in front cannot have {t_pose} frames; give 0 or more.")
    begins = max(first, t_pose)
    if stop - begins < (FEWEST_FRAMES if hold is None else hold.needs(len(source.clip))):
        raise SettingsError(
            f"Frames {first + settings.first_number} to {stop + settings.first_number - 1} hold fewer than "
            f"{FEWEST_FRAMES} frames of motion"
            f"{f' after the T-pose in front ({t_pose})' if t_pose else ''}; ask for more frames"
            f"{'' if hold is None or stop <= begins else ', or say for how many --seconds to hold the pose'}."
        )
    motion = source.clip.frames(t_pose, len(source.clip))
    if hold is not None and len(motion) < FEWEST_FRAMES:  # then it is measured as a clip that does not move
        still = held(source, begins, hold.frames(stop - begins, motion.fps)).clip
        motion = still.frames(begins, len(still))
    bone_map = map_bones(source.clip.skeleton, clip=motion, given=dict(settings.bones))
    carrier_of(source.clip.skeleton, bone_map.bones["pelvis"])
    body = build_body(motion, bone_map.bones, height=settings.height_m, mass=settings.mass_kg)
    sound = with_sound_feet(motion, body)
    if sound is not motion:  # joint limits and soles are those of the motion, and must not be those of its faults
        motion = sound
        body = build_body(motion, bone_map.bones, height=settings.height_m, mass=settings.mass_kg)
    guesses = list(source.guesses)
    suspicions: list[str] = []
    if settings.fps is None:
        rate = check_frame_rate(motion, body)
        if rate.guess is not None:  # what was measured by speeds is measured anew
            guesses.append(rate.guess)
            motion = replace(motion, fps=float(rate.guess.value))
            body = build_body(motion, bone_map.bones, height=settings.height_m, mass=settings.mass_kg)
        suspicions += [rate.suspicion] if rate.suspicion else []
    warnings = [
        *suspicions,
        *source.notes,
        *bone_map.warnings,
        *bone_map.missing,
        *_loose_joints(source.clip.skeleton, body),
    ]
    if settings.floor_m is None:
        guesses.append(guess_floor(motion, body))
    floor = float(guesses[-1].value) if settings.floor_m is None else settings.floor_m
    if hold is not None:
        source = held(source, begins, hold.frames(stop - begins, motion.fps))
        stop = len(source.clip)
    ground_settings = ground_settings or GroundSettings()
    rolled: Rolled | None = None
    if roll is not None or fall is not None:
        body = with_round_flesh(body, arched=roll is not None and roll.kind != "sideways")
    if roll is not None:
        rolled, climbs = _rolled(
            source.clip.frames(begins, stop),
            motion.fps,
            body,
            floor,
            roll,
            begins + settings.first_number,
            _poses(source, body, roll, settings),
            lambda clip: _grounds(source, clip, body, floor, friction, ground_settings).ground,
        )
        warnings += [climbs] if climbs else []
        source = _of_roll(source, begins, rolled, body, motion.fps)
        stop = len(source.clip)
    asked = replace(source.clip.frames(first, stop), fps=motion.fps)
    still_frames = max(0, t_pose - first)
    simulated = asked.frames(still_frames, len(asked))
    grounds = _grounds(source, simulated, body, floor, friction, ground_settings)
    stage = make_stage(source, simulated, body, floor, first + still_frames + settings.first_number)
    standing_on = grounds.made_for or grounds.ground
    captured = simulated if hold is None and roll is None else motion
    sees_things = fall is None or fall.at is not None
    around = surround(simulated, body, stage, grounds.ground, standing_on, friction, ground_settings, captured)
    return Performance(
        source=source,
        asked=asked,
        first_frame=first,
        first_number=settings.first_number,
        still_frames=still_frames,
        body=body,
        bone_map=bone_map,
        scene=around.scene,
        made_for=None if around.stands_on_things else _made_for(grounds, around.scene, sees_things=sees_things),
        floor_m=floor,
        guesses=(*guesses, *around.guesses),
        warnings=(*warnings, *grounds.warnings, *around.warnings),
        rolls=() if rolled is None else rolled.spans,
    )


def _rolled(
    clip: Clip,
    fps: float,
    body: Body,
    floor_m: float,
    roll: RollSettings,
    first_number: int,
    poses: Floats | None,
    ground_of: Callable[[Clip], Ground],
) -> tuple[Rolled, str | None]:
    """A roll, and what to say where it has to be faster than asked for, uphill."""
    motion = replace(clip, fps=fps)
    q = body_positions(with_sound_feet(motion, body), body)
    rolled = plan_roll(body, q, fps, floor_m, roll, first_number=first_number, poses=poses)
    rows = replace(motion, positions=motion.positions[rolled.source], rotations=motion.rotations[rolled.source])
    ground = ground_of(recover_clip(rows, body, rolled.q))
    pace = pace_uphill(rolled.spans[0], pose(body, rolled.q).com, fps, ground)
    if pace == 1.0:
        return rolled, None
    faster = replace(roll, speed=pace * roll.speed)
    said = f"It rolls uphill, and for that {pace:.1f} times as fast."
    return plan_roll(body, q, fps, floor_m, faster, first_number=first_number, poses=poses), said


def _poses(source: SourceClip, body: Body, roll: RollSettings, settings: ClipSettings) -> Floats | None:
    """(K, nq) that the person gives to roll through."""
    if roll.poses is None:
        return None
    given = read_source(roll.poses, settings, may_be_a_pose=True).clip
    if given.skeleton.names != source.clip.skeleton.names:
        raise SettingsError(f"The poses in '{roll.poses.name}' are those of another rig; give poses of this one.")
    return body_positions(given, body)


def _of_roll(source: SourceClip, begins: int, rolled: Rolled, body: Body, fps: float) -> SourceClip:
    """The source as it is before a row, followed by the roll; bones that are not simulated go along."""
    rows = np.concatenate([np.arange(begins), begins + rolled.source])
    played = of_rows(source, rows)
    clip = recover_clip(played.clip.frames(begins, len(rows)), body, rolled.q)
    return with_clip(played, clip, begins)


class _Grounds(NamedTuple):
    ground: Ground
    made_for: Ground | None
    warnings: tuple[str, ...]
    is_bottomless: bool = False


def _made_for(grounds: _Grounds, scene: Scene, *, sees_things: bool) -> Ground | None:
    """The ground that the clip has to be brought from, since it knows nothing of the things on the scene's; who does
    not see them goes on as if there were none."""
    if not sees_things:
        return None if grounds.is_bottomless else grounds.made_for
    if grounds.made_for is None and any(thing.loose is None or thing.is_rubble for thing in scene.things):
        return grounds.ground
    return grounds.made_for


def _grounds(
    source: SourceClip, motion: Clip, body: Body, floor_m: float, friction: float, settings: GroundSettings
) -> _Grounds:
    floor = Ground(point=np.array([0.0, 0.0, floor_m]))
    warnings = []
    if settings.plane is not None:
        point, normal = (source.from_own_axes(np.array(v)) for v in (settings.plane.point_m, settings.plane.normal))
        ground = Ground(point=point, normal=normal)
        check_slope(ground)
        made_for = None if stands_on(motion, body, ground, floor) else floor
    elif settings.bottomless:
        return _Grounds(Ground(point=np.array([0.0, 0.0, floor_m - _BOTTOMLESS_M])), floor, (), is_bottomless=True)
    elif settings.slope_deg:
        ground = sloped_ground(motion, body, floor_m, settings.slope_deg, settings.slope_heading_deg)
        made_for = floor
    else:
        return _Grounds(floor, None, ())
    if np.hypot(*ground.normal[:2]) > friction * ground.normal[2]:
        warnings.append(f"The ground is steeper than a friction of {friction:g} holds; feet will slide.")
    return _Grounds(ground, made_for, tuple(warnings))


def _loose_joints(skeleton: Skeleton, body: Body) -> list[str]:
    """A sentence where limbs hang on other bones than their segments and cannot be moved to stay with them."""
    loose = [skeleton.names[bone] for bone, _ in adrift(skeleton, body) if not skeleton.translates[bone]]
    if not loose:
        return []
    names = ", ".join(f"'{name}'" for name in loose)
    return [f"{names} hang on bones that are not simulated, and may part from the body; give them position channels."]


def _triple(vector: Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z


def _asked_frames(count: int, settings: ClipSettings) -> tuple[int, int]:
    """The rows asked for, from 0, without the last."""
    number = settings.first_number
    start = number if settings.start is None else settings.start
    end = count + number - 1 if settings.end is None else settings.end
    if settings.start is not None and settings.end is not None and start > end:
        raise SettingsError(
            f"Frame {start} comes after frame {end}; give the first frame as --start, the last as --end."
        )
    if not number <= start <= end < count + number:
        raise SettingsError(
            f"Frames {start} to {end} are not in the clip, which has frames {number} to {count + number - 1}; "
            "ask for some of these."
        )
    return start - number, end - number + 1


def proposed_scene(performance: Performance) -> Proposal:
    """What the clip was captured on, whatever scene it is in."""
    return propose(performance.motion, performance.body, performance.stage())


def scale_for_height(height_m: float, performance: Performance) -> float:
    """Metres per unit that make the figure as tall as the person says."""
    conversion = performance.source.conversion
    assert conversion is not None
    return conversion.metres_per_unit * height_m / performance.body.height


def segment_bones(performance: Performance) -> Mapping[str, str]:
    """The bone that each segment was found in."""
    names = performance.source.clip.skeleton.names
    return {segment: names[mapped.bone] for segment, mapped in performance.bone_map.segments.items()}
