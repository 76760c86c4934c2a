"""All samples by name: those made by code, and those that lie in PyBullet's data where it is installed."""

import importlib.util
from pathlib import Path

from ..errors import MotionFileError, SettingsError
from ..motion.clip import Clip
from .deepmimic import clip_of, read_deepmimic
from .made_clips import MADE_CLIPS, make_clip

_PREFIX = "humanoid3d_"
CAPTURED = (
    *("backflip", "cartwheel", "crawl", "dance_a", "dance_b", "getup_facedown", "getup_faceup", "jump"),
    *("kick", "punch", "roll", "run", "spin", "spinkick", "walk"),
)
_USUAL_SECONDS = {"walk": 4.0, "run": 3.0}  # one cycle of a gait is too short to look at
_SHORTEST_S, _LONGEST_S = 0.1, 600.0


def sample_names() -> tuple[str, ...]:
    return (*MADE_CLIPS, *CAPTURED)


def make_sample(name: str, seconds: float | None = None) -> Clip:
    """The sample in its usual length, or cut or repeated to so many seconds."""
    if name not in sample_names():
        raise SettingsError(f"There is no sample '{name}'; choose one of {', '.join(sample_names())}.")
    if seconds is not None and not _SHORTEST_S <= seconds <= _LONGEST_S:
        raise SettingsError(f"A sample lasts from {_SHORTEST_S:g} to {_LONGEST_S:g} seconds, not {seconds:g}.")
    if name in MADE_CLIPS:
        return make_clip(name, seconds)
    motion = read_deepmimic(_motion_folder(name) / f"{_PREFIX}{name}.txt")
    return clip_of(motion, _USUAL_SECONDS.get(name) if seconds is None else seconds)


def has_captured_samples() -> bool:
    return _pybullet_data() is not None


def _motion_folder(name: str) -> Path:
    data = _pybullet_data()
    if data is None:
        made = ", ".join(MADE_CLIPS)
        raise MotionFileError(
            f"The sample '{name}' lies in PyBullet's data, which is not installed; "
            f"run 'pip install pybullet', or choose one of {made}."
        )
    return data / "data" / "motions"


def _pybullet_data() -> Path | None:
    """The folder of the package, found without importing it."""
    spec = importlib.util.find_spec("pybullet_data")
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None
