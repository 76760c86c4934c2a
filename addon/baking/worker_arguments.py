"""What the person's choices mean on the worker's command line."""

from dataclasses import dataclass
from pathlib import Path

from ...sim_core.errors import SettingsError
from ..budget_choice import budget_in_words
from ..controller_choice import has_balance, has_foot_torque, has_presets
from ..disturbances.options import disturbance_options
from ..falls.fall import fall_options
from ..rolls.roll import roll_options
from ..world.world import World
from .bake_choices import BakeChoices
from .earlier_take import EarlierTake

_LEAST_FRICTION = 0.01  # the worker's; the panel goes down to 0


@dataclass(frozen=True)
class WorkerFiles:
    folder: Path

    @property
    def clip(self) -> Path:
        return self.folder / "clip.npz"

    @property
    def poses(self) -> Path:
        """To roll through."""
        return self.folder / "poses.npz"

    @property
    def output(self) -> Path:
        return self.folder / "out.npz"

    @property
    def take(self) -> Path:
        return self.folder / "take.npz"

    @property
    def states(self) -> Path:
        return self.folder / "states.npz"

    @property
    def scene(self) -> Path:
        return self.folder / "scene.json"

    @property
    def objects(self) -> Path:
        """Where loose objects went."""
        return self.folder / "loose.json"


def worker_arguments(
    choices: BakeChoices,
    files: WorkerFiles,
    *,
    still_frames: int = 0,
    world: World | None = None,
    after: EarlierTake | None = None,
) -> list[str]:
    """`still_frames` so many frames in front are a T-pose. Frames are the scene's, here and in what the worker says."""
    if choices.motion == "HOLD":
        still_frames = 0  # the first pose is the one to hold, whatever it is
    arguments = ["bake", str(files.clip), "-o", str(files.output), "--take", str(files.take), "--progress", "json"]
    arguments += ["--states", str(files.states)]
    if after is not None:
        arguments += ["--from", str(after.from_frame), "--after", str(after.states)]
    arguments += ["--motion", choices.motion.lower(), "--engine", choices.engine.lower()]
    arguments += _controller(choices)
    arguments += _limits_of_help(choices)
    arguments += ["--stiffness", f"{choices.stiffness:.9g}"]
    arguments += ["--friction", f"{max(_friction(choices, world), _LEAST_FRICTION):.9g}", "--seed", str(choices.seed)]
    arguments += ["--budget", budget_in_words(choices.budget, choices.budget_s)]
    arguments += ["--t-pose", str(still_frames), "--first-frame", str(choices.frame_start)]
    for option, value in (
        ("--mass", choices.mass),
        ("--height", choices.height),
        ("--fps", choices.source_fps),
    ):
        if value > 0:  # 0 leaves it to the worker
            arguments += [option, f"{value:.9g}"]
    if world is not None:
        arguments += ["--scene", str(files.scene)]
    if has_loose(world, choices):
        arguments += ["--objects", str(files.objects)]
    arguments += [f"--bone={segment}={bone}" for segment, bone in choices.bones]
    first, last = choices.frame_start + still_frames, choices.frame_end
    if choices.roll is not None:
        arguments += roll_options(choices.roll, files.poses, first, last)
    if choices.fall is not None:
        arguments += fall_options(choices.fall, first, last)
    return arguments + disturbance_options(choices.disturbances, first, last, goes_on=choices.has_own_time)


def has_loose(world: World | None, choices: BakeChoices) -> bool:
    """Whether anything flies about."""
    throws = any(item.kind == "THROW" for item in choices.disturbances)
    return throws or (world is not None and bool(world.loose))


def _friction(choices: BakeChoices, world: World | None) -> float:
    """Of the endless floor; objects of the scene have their own."""
    own = None if world is None else world.ground_friction
    return choices.friction if own is None else own


def _controller(choices: BakeChoices) -> list[str]:
    """What the panel hides or greys is not said: the worker refuses what has no effect."""
    arguments = ["--controller", choices.controller.lower()]
    if has_presets(choices.controller) and not choices.has_own_time:
        arguments += ["--preset", choices.preset.lower()]
    if has_balance(choices.controller, choices.preset) and not choices.has_own_time:
        arguments += ["--balance", choices.balance.lower().replace("_", "-")]
    return arguments


def _limits_of_help(choices: BakeChoices) -> list[str]:
    """Where the dial stands, or numbers in its place."""
    if not choices.own_limits:
        return ["--realism", f"{choices.realism:.9g}"]
    arguments = ["--assist", _assist(choices)]
    if has_foot_torque(choices.controller):
        arguments += ["--foot-torque", _foot_torque(choices)]
    return arguments


def _assist(choices: BakeChoices) -> str:
    return {"LEAST": "least", "NONE": "none", "LIMIT": f"{choices.assist_limit:.9g}%"}[choices.assist]


def _foot_torque(choices: BakeChoices) -> str:
    least, most = choices.foot_torque_from, choices.foot_torque_to or float("inf")
    if least > most:
        raise SettingsError(
            f"Foot Torque goes from {least:g} up to {most:g} N m; under Advanced, let it begin lower or go further."
        )
    return f"{least:.9g}:{most:.9g}"
