"""Which clips the tables are made of, and how they are read: a folder of CMU clips, and PyBullet's motions."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from sim_core.bake import read_performance
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.samples.catalogue import CAPTURED, has_captured_samples, make_sample
from sim_core.settings import BakeSettings

Group: TypeAlias = Literal["steady", "lively", "beyond"]
Half: TypeAlias = Literal["tuning", "check"]

# From Carnegie Mellon's own terms, which ask for these words.
CREDIT = """The numbered clips are from the CMU Graphics Lab Motion Capture Database (mocap.cs.cmu.edu; created with
funding from NSF EIA-0196217), in B. Hahne's BVH conversion; those with names are the motions in `pybullet_data`."""

# Walks, styles, squat, boxing, balance | runs, jumps, hops, kicks, dance, cartwheel. What is in no list is beyond both.
_LISTS: dict[tuple[Group, Half], str] = {
    ("steady", "tuning"): "07_05 16_15 16_17 136_25 138_01 17_10 69_70",
    ("lively", "tuning"): "16_08 128_05 16_03 49_06 05_02",
    ("beyond", "tuning"): "crawl getup_facedown 139_16 90_33 90_16 128_10",
    ("steady", "check"): "35_01 07_12 139_29 139_19 49_18 23_12 22_12 141_09 walk punch",
    ("lively", "check"): "16_35 16_05 49_02 run jump kick dance_a dance_b cartwheel backflip spinkick spin",
}
_PLACES = {name: place for place, names in _LISTS.items() for name in names.split()}
_CMU = "cmu_"
# Clips of stairs, blocks, slopes and a chair that are not in the file: the frames, from 1, that need none of them.
_FLAT_PARTS = {
    "111_27": (1, 290),
    "141_07": (206, 299),
    "36_01": (400, 558),
    "74_14": (1, 180),
    "74_16": (1, 150),
    "75_17": (1, 56),
}
_SIXTY_FPS = ("74_", "75_", "141_")  # subjects whose files say 120


class BenchClip(NamedTuple):
    name: str  # 07_05 of cmu_07_05.bvh, or that of a motion in PyBullet's data
    path: Path | None  # None for those motions
    seconds: float | None = None  # a gait repeated for so long; None is its usual length

    @property
    def flat_part(self) -> tuple[int, int] | None:
        """The frames, from 1, that need nothing which is not there; None where that is all of them."""
        return _FLAT_PARTS.get(self.name)

    @property
    def group(self) -> Group:
        return _PLACES[self.name][0] if self.name in _PLACES else "beyond"

    @property
    def half(self) -> Half:
        return _PLACES[self.name][1] if self.name in _PLACES else "check"


def find_clips(folder: Path | None, only: Sequence[str] = ()) -> list[BenchClip]:
    """Every clip that there is, in the order of the lists, or those of the given names."""
    paths = sorted(folder.glob("*.bvh")) if folder is not None else []
    clips = [BenchClip(path.stem.removeprefix(_CMU), path) for path in paths]
    clips += [BenchClip(name, None) for name in CAPTURED] if has_captured_samples() else []
    order = list(_PLACES)
    clips.sort(key=lambda clip: order.index(clip.name) if clip.name in order else len(order))
    unknown = sorted(set(only) - {clip.name for clip in clips})
    if unknown:
        raise SystemExit(f"No clip is called {', '.join(unknown)}; there are {', '.join(c.name for c in clips)}.")
    return [clip for clip in clips if not only or clip.name in only]


def read_clip(clip: BenchClip, settings: BakeSettings) -> Performance:
    if clip.path is None:
        source = SourceClip(clip=make_sample(clip.name, clip.seconds), t_pose_frames=0, guesses=(), notes=())
        return prepare(source, settings.clip, settings.friction, settings.ground)
    start, end = clip.flat_part or (settings.clip.start, settings.clip.end)
    fps = 60.0 if clip.name.startswith(_SIXTY_FPS) else settings.clip.fps
    return read_performance(clip.path, replace(settings, clip=replace(settings.clip, fps=fps, start=start, end=end)))
