"""The default preset with each of its ideas switched off, without assist: what does not earn its place shows here.

make tables, or from the repository's root:
python -m bench.ablations FOLDER docs/ablations.md [--only 07_05] [--workers 2]
"""

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from bench.clips import CREDIT, BenchClip, find_clips, read_clip
from sim_core.bake import bake
from sim_core.controllers.tracking import presets
from sim_core.controllers.tracking.balance_plan import BalanceCosts
from sim_core.controllers.tracking.heft_gains import Gains
from sim_core.reporting.bake_result import BakeResult
from sim_core.reporting.tracking import track
from sim_core.settings import BakeSettings, EngineName


class Ablation(NamedTuple):
    gains: Mapping[str, Any] = {}
    reference: Mapping[str, Any] = {}


# Every idea, and what switches it off: changes to Gains, and to ReferenceSettings.
ABLATIONS: dict[str, Ablation] = {
    "the default": Ablation(),
    "feet land on their marks, whatever balance needs": Ablation({"steps": False}),
    "steps that count on strong ankles": Ablation({"balance": BalanceCosts(weak_at=1e9)}),
    "no pull of the feet to their marks": Ablation({"balance": BalanceCosts(foothold=0.0)}),
    "no centre of mass": Ablation({"w_com": 0.0}),
    "no angular momentum": Ablation({"w_momentum": 0.0}),
    "no pelvis orientation": Ablation({"w_root": 0.0}),
    "no no-slip": Ablation({"w_no_slip": 0.0}),
    "no putting down of raised soles": Ablation({"w_put_down": 0.0}),
    "no swing foot": Ablation({"w_swing": 0.0, "w_swing_turn": 0.0}),
    "no ramps of contact forces": Ablation({"ramp_s": 1e-6}),
    "no joint limits": Ablation({"joint_limits": False}),
    "no slowing of torques": Ablation({"full_torque_s": 1e-6}),
    "no PD between two solves": Ablation({"hold_frequency": 0.0}),
    "no margin of friction": Ablation({"friction_share": 1.0}),
    "no feasible centre of mass": Ablation({}, {"feasible": False}),
}
CLIPS = ("16_17", "69_70", "17_10", "16_08", "128_05", "05_02")  # of the tuning half: three steady, three lively
_ENGINE: EngineName = "mujoco"
_FEWEST_FRAMES = 2
_INTRO = """# Each idea switched off

The default preset on {engine}, without assist, on clips of the tuning half. A cell is how long the performance was
kept, in seconds or "all", and the mean joint error until it was lost, in degrees. The second column is the share of all
seconds that was kept, the third the mean of the errors over the clips. An idea whose row is no worse than the first
earns nothing on these clips.
{credit}

"""


class Outcome(NamedTuple):
    seconds: float  # of the clip
    kept_s: float
    joint_deg: float  # until the performance was lost

    def in_words(self) -> str:
        kept = "all" if self.kept_s >= self.seconds else f"{self.kept_s:.2f}"
        return f"{kept}, {self.joint_deg:.1f}"


def outcome(clip: BenchClip, ablation: Ablation) -> Outcome:
    settings = BakeSettings(engine=_ENGINE, assist="none", budget="draft")  # a search would make up for what is off
    settings = replace(settings, reference=replace(settings.reference, **ablation.reference))
    performance = read_clip(clip, settings)
    # The gains are no setting of a bake, as they are no choice of an animator's.
    with patch.object(presets, "Gains", partial(Gains, **ablation.gains)):
        return outcome_of(bake(performance, settings))


def outcome_of(result: BakeResult) -> Outcome:
    report, performance = result.report, result.performance
    motion = performance.motion
    whole_s = report.timing.simulated_s
    kept_s = whole_s if report.completed else float(report.fell_at_s or 0.0)
    frames = len(motion) if report.completed else max(_FEWEST_FRAMES, round(kept_s * motion.fps))
    baked = result.clip.frames(performance.still_frames, len(result.clip))
    tracking = track(motion.frames(0, frames), baked.frames(0, frames), performance.body)
    return Outcome(whole_s, kept_s, tracking.joint_deg)


def page(outcomes: Mapping[str, Sequence[Outcome]], names: Sequence[str]) -> str:
    text = _INTRO.format(engine=_ENGINE, credit=CREDIT)
    text += f"| | kept (%) | joint error (deg) | {' | '.join(names)} |\n|{'---|' * (3 + len(names))}\n"
    for name, row in outcomes.items():
        kept = 100.0 * sum(one.kept_s for one in row) / sum(one.seconds for one in row)
        error = float(np.mean([one.joint_deg for one in row]))
        text += f"| {name} | {kept:.0f} | {error:.1f} | {' | '.join(one.in_words() for one in row)} |\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", nargs="*", default=list(CLIPS))
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    clips = find_clips(options.folder, options.only)
    outcomes: dict[str, list[Outcome]] = {}
    with ProcessPoolExecutor(options.workers) as pool:
        for name, ablation in ABLATIONS.items():
            outcomes[name] = list(pool.map(outcome, clips, [ablation] * len(clips)))
            text = page(outcomes, [clip.name for clip in clips])
            options.output.write_text(text, encoding="utf-8")
            print(text.splitlines()[-1], flush=True)


if __name__ == "__main__":
    main()
