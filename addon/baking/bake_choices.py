"""What the person chose, as it was when the bake began: the panel stays open to further changes."""

from dataclasses import dataclass
from typing import Literal

from bpy.types import Object, Scene

from ...sim_core.errors import SettingsError
from ..active_rig import FrameRange, range_to_bake, why_not
from ..compat import selected_bones
from ..disturbances.disturbance import Disturbance
from ..disturbances.read_disturbances import disturbances_of
from ..falls.fall import Fall
from ..falls.read_fall import fall_of
from ..own_time import own_time
from ..rolls.read_roll import roll_of
from ..rolls.roll import Roll

_FEWEST_FRAMES = 3


@dataclass(frozen=True, kw_only=True)
class BakeChoices:
    motion: Literal["TRACK", "HOLD", "ROLL", "FALL"]
    roll: Roll | None = None  # of ROLL
    fall: Fall | None = None  # of FALL
    frame_start: int
    frame_end: int  # included
    source_fps: float  # 0: the scene's; so for the other numbers that may be guessed
    realism: float  # where the dial stands
    own_limits: bool  # the next four count in its place
    assist: Literal["LEAST", "LIMIT", "NONE"]
    assist_limit: float  # percent of body weight
    foot_torque_from: float  # [N m]
    foot_torque_to: float  # 0: without limit
    engine: str
    controller: Literal["QP", "VA", "PD"]
    preset: Literal["HEFT", "MCSIM", "YU"]
    balance: Literal["NONE", "FULL_STATE", "THREE_LINK"]
    friction: float
    mass: float
    height: float
    stiffness: float
    seed: int
    budget: Literal["DRAFT", "GOOD", "BEST", "SECONDS"]
    budget_s: float  # of SECONDS
    bones: tuple[tuple[str, str], ...]  # (segment, bone)
    disturbances: tuple[Disturbance, ...]
    blend_in: int
    blend_out: int
    only: frozenset[str] | None
    keys: Literal["EVERY", "REDUCED"]
    tolerance_mm: float
    target: Literal["AUTO", "DEFORM", "CONTROLS"]

    @property
    def has_own_time(self) -> bool:
        """The take may have other frames than its source."""
        return bool(own_time(self.motion))


def read_choices(armature: Object, scene: Scene, frames: FrameRange | None = None) -> BakeChoices:
    """For the frames in the panel or for others; raises where they cannot be baked."""
    reason = why_not(armature, scene, frames)
    if reason:
        raise SettingsError(reason)
    frames, rig = frames or range_to_bake(armature), armature.heft
    if frames.end - frames.start + 1 < _FEWEST_FRAMES:
        raise SettingsError(
            f"Frames {frames.start} to {frames.end} are too few to simulate; bake at least {_FEWEST_FRAMES} frames."
        )
    only = selected_bones(armature) if rig.only_selected else None
    if only is not None and not only:
        raise SettingsError(
            "Only Selected Bones is on and no bone is selected; select some in Pose Mode, or turn it off."
        )
    own = bool(own_time(rig.motion))
    return BakeChoices(
        motion=rig.motion,
        roll=roll_of(armature),
        fall=fall_of(armature, scene),
        frame_start=frames.start,
        frame_end=frames.end,
        source_fps=rig.source_fps,
        realism=rig.realism,
        own_limits=rig.own_limits,
        assist=rig.assist,
        assist_limit=rig.assist_limit,
        foot_torque_from=rig.foot_torque_from,
        foot_torque_to=rig.foot_torque_to,
        engine=rig.engine,
        controller="QP" if own else rig.controller,  # the one that can roll and fall
        preset=rig.preset,
        balance=rig.balance,
        friction=rig.friction,
        mass=rig.mass,
        height=rig.height,
        stiffness=rig.stiffness,
        seed=rig.seed,
        budget=rig.budget_choice,
        budget_s=rig.budget_s,
        bones=tuple((choice.name, choice.bone) for choice in rig.bones if choice.bone),
        disturbances=disturbances_of(armature),
        blend_in=rig.blend_in,
        blend_out=0 if own else rig.blend_out,  # a roll or a fall ends elsewhere than the source
        only=only,
        keys=rig.keys,
        tolerance_mm=rig.tolerance_mm,
        target=rig.target,
    )
