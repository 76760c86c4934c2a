"""What a search costs beside one pass, and what a second process gives: of a clip that falls and has to be rewound.

Run from the repository's root: python -m bench.search_speed
"""

from typing import NamedTuple

from bench.clips import BenchClip, read_clip
from sim_core.bake import bake
from sim_core.engines.engine import available_engines
from sim_core.reporting.report import Report
from sim_core.samples.catalogue import has_captured_samples
from sim_core.settings import BakeSettings, Budget, EngineName

_CLIP = BenchClip("spinkick", None)  # most of what it takes is search, so that processes have something to share


class Searched(NamedTuple):
    budget: Budget
    workers: int
    report: Report
    keys: bytes

    @property
    def cpu_s_per_clip_s(self) -> float:
        """Of all simulations in all processes."""
        return self.report.timing.search_cpu_s / self.report.timing.simulated_s

    @property
    def cpu_s_per_tried_s(self) -> float:
        """For each second that any trial simulated."""
        return self.report.timing.search_cpu_s / self.report.timing.rollouts_s


class Speed(NamedTuple):
    budgets: tuple[Searched, ...]  # draft, good, best
    alone: Searched
    together: Searched  # the same with two processes

    @property
    def gain(self) -> float:
        return self.alone.report.timing.wall_s / self.together.report.timing.wall_s

    @property
    def most_gain(self) -> float:
        """On cores that nobody else uses: what the processes share takes half as long, and nothing else does."""
        whole, unshared = self.alone.report.timing.cpu_s, self.together.report.timing.cpu_s
        return whole / (unshared + (whole - unshared) / 2)


def measure(clip: BenchClip, engine: EngineName) -> Speed:
    draft, good = _searched(clip, engine, "draft", 1), _searched(clip, engine, "good", 1)
    together = _searched(clip, engine, "good", 2)
    return Speed((draft, good, _searched(clip, engine, "best", 2)), good, together)


def _searched(clip: BenchClip, engine: EngineName, budget: Budget, workers: int) -> Searched:
    settings = BakeSettings(engine=engine, budget=budget, workers=workers)
    result = bake(read_clip(clip, settings), settings)
    keys = result.clip.positions.tobytes() + result.clip.rotations.tobytes()
    return Searched(budget, workers, result.report, keys)


def in_words(speed: Speed) -> list[str]:
    heads = f"{'CPU s per s':>13}{'beside draft':>14}{'tried s per s':>15}{'CPU s per tried s':>19}{'assist':>9}"
    lines = [f"{'budget':8}{heads}"]
    draft = speed.budgets[0]
    for one in speed.budgets:
        timing = one.report.timing
        lines.append(
            f"{one.budget:8}{one.cpu_s_per_clip_s:13.1f}{one.cpu_s_per_clip_s / draft.cpu_s_per_clip_s:14.1f}"
            f"{timing.rollouts_s / timing.simulated_s:15.1f}{one.cpu_s_per_tried_s:19.2f}"
            f"{100.0 * one.report.assist.mean_bw:7.2f} %"
        )
    walls = [one.report.timing.wall_s for one in (speed.alone, speed.together)]
    same = "the same keys, bit for bit" if speed.alone.keys == speed.together.keys else "OTHER KEYS"
    lines.append(
        f"Good with 2 processes: {speed.gain:.2f} times as fast as with 1 ({walls[0]:.1f} s, {walls[1]:.1f} s), "
        f"at most {speed.most_gain:.2f} where nothing else runs; {same}"
    )
    return lines


def main() -> None:
    if not has_captured_samples():
        print(f"The clip '{_CLIP.name}' lies in PyBullet's data, which is not installed.")
        return
    engine = available_engines()[-1]  # the faster one where there are both
    print(f"{_CLIP.name} on {engine}")
    print("\n".join(in_words(measure(_CLIP, engine))))


if __name__ == "__main__":
    main()
