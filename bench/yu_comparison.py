"""Yu's comparison (section 4.1) repeated: centre of mass at the support's centre, raw, and adjusted to the feet.

Without any help, on every engine. From the repository's root, with a folder of CMU clips where there is one:
python -m bench.yu_comparison [FOLDER] [--output docs/yu.md] [--engine mujoco]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

from bench.clips_to_simulate import performances, reference_for
from bench.tracking_errors import step_errors
from sim_core.controllers.tracking.yu import YuController, YuGains
from sim_core.controllers.tracking.yu_references import ComChoice
from sim_core.engines.engine import available_engines, make_engine
from sim_core.performance import Performance
from sim_core.samples.made_clips import MADE_CLIPS
from sim_core.settings import BakeSettings, EngineName
from sim_core.simulation.simulate import simulate

_CMU = ("07_05", "35_01")
_INTRO = """# Yu's comparison, repeated

C.-H. Yu, *Balance Control via Adjusting CoM and CoP Reference Trajectories* (thesis, National Chiao Tung University),
section 4.1. This page is written by `python -m bench.yu_comparison`.

The preset `yu` without any help, with three choices of where the centre of mass is to go:

- `adjusted` is Yu's own: moved along with the supporting feet. The thesis: “closer to the reference motion than theirs”
  (those of `support-centre`), and it makes “the simulated character move forward”.
- `raw` is the clip's own path. The thesis: it “usually does not work due to model and environment differences”, and the
  figure shows “the character tipping over”.
- `support-centre` stays over the centre of the support, as in Macchietto et al. 2009. The thesis: it deviates “when the
  projection of the CoM in motion data is far away from the center of the supporting region”, and in locomotion “limits
  the character nearly in the original place”.

*Kept* is by a bake's gates: the pelvis within 0.3 m and 1.2 rad of the reference, and at rest at the end. Errors are
means until the performance was lost, so read them together with the time. The thesis has pictures and no numbers.

"""
_HEAD = (
    "| clip | engine | centre of mass | kept for (s) | why not longer | joint error (deg) | MPJPE root (mm) "
    "| pelvis off (m) |\n|---|---|---|---|---|---|---|---|"
)


class Trial(NamedTuple):
    clip: str
    engine: EngineName
    choice: ComChoice
    whole_s: float
    kept_s: float
    why: str
    joint_deg: float  # errors are means until the performance was lost
    mpjpe_root_mm: float
    pelvis_m: float

    def in_markdown(self) -> str:
        return (
            f"| {self.clip} | {self.engine} | {self.choice} | {self.kept_s:.2f} of {self.whole_s:.2f} | {self.why} "
            f"| {self.joint_deg:.1f} | {self.mpjpe_root_mm:.0f} | {self.pelvis_m:.3f} |"
        )


def trials_of(name: str, performance: Performance, engine_name: EngineName, settings: BakeSettings) -> list[Trial]:
    body, scene = performance.body, performance.scene
    reference = reference_for(performance, body, scene, settings)
    whole_s = reference.clip_steps / reference.rate
    engine = make_engine(engine_name)
    engine.load(body, scene, settings.step_s)
    trials = []
    for choice in get_args(ComChoice):
        controller = YuController(body, reference, scene, YuGains(com=choice), assist_limit=0.0)
        recording = simulate(body, reference, controller, engine, scene, (), lambda done: None, stop_at_failure=True)
        off = step_errors(body, reference, recording)
        trials.append(
            Trial(
                clip=name,
                engine=engine_name,
                choice=choice,
                whole_s=whole_s,
                kept_s=whole_s if recording.failed_at_s is None else recording.failed_at_s,
                why=recording.failure or "",
                joint_deg=float(np.degrees(off.joints.mean())),
                mpjpe_root_mm=1000.0 * float(off.mpjpe_root_m.mean()),
                pelvis_m=float(off.pelvis_m.mean()),
            )
        )
    engine.close()
    return trials


def summary(trials: Sequence[Trial]) -> str:
    """How much of the clips each choice kept, and how near it stayed where all three can be compared."""
    lines = []
    for engine in dict.fromkeys(trial.engine for trial in trials):
        here = [trial for trial in trials if trial.engine == engine]
        lost = {trial.clip for trial in here if trial.why}
        parts = []
        for choice in get_args(ComChoice):
            rows = [trial for trial in here if trial.choice == choice]
            share = sum(row.kept_s for row in rows) / sum(row.whole_s for row in rows)
            errors = [row.mpjpe_root_mm for row in rows if row.clip not in lost]
            near = f", {np.mean(errors):.0f} mm off on those that all three keep" if errors else ""
            whole = sum(not row.why for row in rows)
            parts.append(f"`{choice}` keeps {whole} of {len(rows)} clips and {100 * share:.0f} % of their time{near}")
        lines.append(f"**Here, on {engine}:** {'; '.join(parts)}.")
    return "\n\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--engine", choices=available_engines(), action="append")
    options = parser.parse_args()
    settings = BakeSettings()
    trials: list[Trial] = []
    print(_HEAD)
    for name, performance in performances((*MADE_CLIPS, "walk"), options.folder, _CMU, settings).items():
        for engine_name in options.engine or available_engines():
            found = trials_of(name, performance, engine_name, settings)
            print("\n".join(trial.in_markdown() for trial in found), flush=True)
            trials += found
    print(f"\n{summary(trials)}")
    if options.output is not None:
        table = "\n".join([_HEAD, *(trial.in_markdown() for trial in trials)])
        options.output.write_text(f"{_INTRO}{summary(trials)}\n\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
