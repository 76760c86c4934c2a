"""What goes to the worker as files, and what of loose things and thrown balls comes back from it."""

from ...sim_core.motion.clip import Clip
from ...sim_core.motion.clip_npz import save_npz
from ...sim_core.motion.motion_guesses import count_t_pose_frames
from ..reading.read_motion import RigMotion
from ..world.scene_file import LooseMoves, read_loose, write_scene
from ..world.world import World
from ..writing.thrown_balls import ThrownBall
from .bake_choices import BakeChoices
from .worker_arguments import WorkerFiles, has_loose


def hand_over(files: WorkerFiles, motion: RigMotion, world: World | None, poses: Clip | None) -> int:
    """Write what the worker reads; returns how many frames in front are a T-pose."""
    save_npz(files.clip, motion.clip)
    if poses is not None:
        save_npz(files.poses, poses)
    if world is not None:
        write_scene(files.scene, world)
    clip: Clip = motion.clip
    return count_t_pose_frames(clip)


def loose_moves(files: WorkerFiles, world: World | None, choices: BakeChoices, frames: int) -> LooseMoves:
    return read_loose(files.objects, world, frames) if has_loose(world, choices) else LooseMoves({}, ())


def thrown_balls(choices: BakeChoices, loose: LooseMoves) -> tuple[ThrownBall, ...]:
    throws = (item for item in choices.disturbances if item.kind == "THROW")
    return tuple(ThrownBall(throw.ball_radius, moves) for throw, moves in zip(throws, loose.balls, strict=False))
