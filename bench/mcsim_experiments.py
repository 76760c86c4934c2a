"""McSim's published experiments (da Silva, Abe, Popovic 2008) repeated, with its preset and with Heft's own.

No help from outside but, where it is said, a rail. From the repository's root, with a folder of CMU clips if there is
one: python -m bench.mcsim_experiments [FOLDER] [--output docs/mcsim.md]
The picture goes into `pictures` beside the page. About six minutes on one core.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.clips_to_simulate import performances
from bench.mcsim_conditions import EXPERIMENTS, FEET, FRICTION, MASSES, PD_SCALE, STIFFNESS, Condition, Experiment
from bench.mcsim_plot import Panel, Sweep, draw
from bench.mcsim_qp_times import QpTime, measure_qp_times
from bench.mcsim_trials import SETUPS, Outcome, Setup, Trials, setups_for
from sim_core.engines.engine import available_engines
from sim_core.settings import BakeSettings, EngineName

_CMU = ("07_05", "16_15")
_WITH_BODIES = (MASSES, FRICTION, FEET)  # also on the other engine, with the first clip
_INTRO = """# McSim's experiments, repeated

M. da Silva, Y. Abe, J. Popović, *Simulation of Human Motion Data using Short-Horizon Model-Predictive Control*,
Eurographics 2008, sections 7.2, 7.3 and 7.5. This page is written by `python -m bench.mcsim_experiments`.

The paper's experiments with masses, friction, feet and gains are of a **planar model** that walks (18 dofs, pin
joints). Ours is the spatial body of a bake ({dofs} dofs), so they are made in three set-ups:

- **mcsim on a rail**: the preset as published, with the pelvis held across its path, in roll and in yaw, as a planar
  model is by nature. Along the path, upwards and in pitch nothing holds it. The rail gives {rail:.0f} % of body weight
  on average.
- **mcsim**: the same in space, without help.
- **heft**: our default preset in space, without help.

A cell reads, as means over the clips:
1. how long the performance was kept, by a bake's gates: the pelvis within 0.3 m and 1.2 rad of the reference;
2. how long the body was on its feet, wherever it got to, since McSim does not look at the root's position;
3. in how many clips it was on its feet until the last frame;
4. the joint error until the performance was lost.

Clips: {clips}.
One run a cell and clip, without search or retry, in a bake's steps of 2 ms (the paper: 1 ms). The true friction is 1.0.

![Errors over time, times and gains](pictures/{picture})
"""


class Key(NamedTuple):
    clip: str
    engine: EngineName
    setup: Setup
    condition: Condition


Outcomes = Mapping[Key, Outcome]


def run(folder: Path | None, engines: Sequence[EngineName], settings: BakeSettings) -> dict[Key, Outcome]:
    """The first engine on all clips; the others on the first clip, and without the gains."""
    outcomes: dict[Key, Outcome] = {}
    for number, (clip, performance) in enumerate(performances(("walk",), folder, _CMU, settings).items()):
        trials, began = Trials(performance, settings), time.process_time()
        for engine in engines if number == 0 else engines[:1]:
            for experiment in EXPERIMENTS if engine == engines[0] else _WITH_BODIES:
                for setup in setups_for(experiment):
                    for condition in experiment.conditions:
                        outcomes[Key(clip, engine, setup, condition)] = trials.outcome(engine, setup, condition)
        print(f"{clip}: {time.process_time() - began:.0f} s of CPU time", flush=True)
    return outcomes


def page(outcomes: Outcomes, times: Sequence[QpTime], dofs: Sequence[int], picture: str) -> str:
    whole_s = {key.clip: outcome.whole_s for key, outcome in outcomes.items()}
    on_rail = [outcome.help_bw for key, outcome in outcomes.items() if key.setup == "mcsim on a rail"]
    parts = [
        _INTRO.format(
            dofs=" to ".join(str(count) for count in sorted(set(dofs))),
            rail=100.0 * float(np.mean(on_rail)),
            clips=", ".join(f"{clip} ({seconds:.1f} s)" for clip, seconds in whole_s.items()),
            picture=picture,
        )
    ]
    parts += [_section(experiment, outcomes) for experiment in EXPERIMENTS]
    parts += [_qp_section(times), _every_trial(outcomes)]
    return "\n".join(parts)


def _section(experiment: Experiment, outcomes: Outcomes) -> str:
    setups, engines = setups_for(experiment), _engines_with_all(experiment, outcomes)
    lines = [f"## {experiment.title}", "", f"**The paper** {experiment.published}", ""]
    lines += [f"| | engine | {' | '.join(setups)} |", f"|---|---|{'---|' * len(setups)}"]
    for engine in engines:
        for condition in experiment.conditions:
            cells = [_cell(_of(outcomes, engine, setup, condition)) for setup in setups]
            lines.append(f"| {condition.name} | {engine} | {' | '.join(cells)} |")
    for engine in engines:
        found = [_finding(experiment, outcomes, engine, setup) for setup in setups]
        lines += ["", f"**Here, on {engine}:** {'; '.join(found)}."]
    return "\n".join([*lines, ""])


def _engines_with_all(experiment: Experiment, outcomes: Outcomes) -> list[EngineName]:
    wanted = set(experiment.conditions)
    engines = dict.fromkeys(key.engine for key in outcomes)
    return [engine for engine in engines if wanted <= {key.condition for key in outcomes if key.engine == engine}]


def _of(outcomes: Outcomes, engine: EngineName, setup: Setup, condition: Condition) -> list[Outcome]:
    wanted = (engine, setup, condition)
    return [outcome for key, outcome in outcomes.items() if key[1:] == wanted]


def _cell(found: Sequence[Outcome]) -> str:
    kept, stood, whole, error = (
        np.mean([getattr(outcome, name) for outcome in found])
        for name in ("kept_s", "on_feet_s", "whole_s", "joint_deg")
    )
    standing = sum(outcome.stands for outcome in found)
    return f"{kept:.1f} / {stood:.1f} of {whole:.1f} s, {standing} of {len(found)}, {error:.1f}°"


def _finding(experiment: Experiment, outcomes: Outcomes, engine: EngineName, setup: Setup) -> str:
    """How much of the clips was spent on its feet, at best and at worst of the conditions."""
    shares = {condition.name: on_feet(_of(outcomes, engine, setup, condition)) for condition in experiment.conditions}
    best, worst = max(shares, key=lambda name: shares[name]), min(shares, key=lambda name: shares[name])
    if shares[best] - shares[worst] < 0.005:
        return f"{setup} is on its feet for {100 * shares[best]:.0f} % of the time in every row"
    return (
        f"{setup} is on its feet for {100 * shares[worst]:.0f} % ({worst}) to {100 * shares[best]:.0f} % ({best}) "
        "of the time"
    )


def on_feet(found: Sequence[Outcome]) -> float:
    """The share of the clips' time."""
    return sum(outcome.on_feet_s for outcome in found) / sum(outcome.whole_s for outcome in found)


def _qp_section(times: Sequence[QpTime]) -> str:
    lines = [
        "## Time of a QP (Table 4)",
        "",
        "The paper counts accelerations, torques and four cone edges a contact as variables. *The same program here*",
        "has them all, solved by daqp; *Heft's solver* eliminates accelerations and torques first, and that time is",
        "included. Nearly twenty years of processors lie between the first column of times and the others.",
        "",
        "| variables | published: SQOPT, Pentium 4 (ms) | the same program here (ms) | variables left |"
        " Heft's solver (ms) |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.variables} | {row.published_ms:.1f} | {row.as_published_ms:.2f} | {row.reduced_variables} "
        f"| {row.reduced_ms:.2f} |"
        for row in times
    ]
    return "\n".join([*lines, ""])


def _every_trial(outcomes: Outcomes) -> str:
    lines = [
        "## Every run",
        "",
        "<details><summary>One row a simulation</summary>",
        "",
        "| clip | engine | set-up | condition | kept (s) | on its feet (s) | why not longer | joint error (deg) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    titles = {condition: of.title.split(" (")[0] for of in reversed(EXPERIMENTS) for condition in of.conditions}
    for key, outcome in outcomes.items():
        lines.append(
            f"| {key.clip} | {key.engine} | {key.setup} | {titles[key.condition]}: {key.condition.name} "
            f"| {outcome.kept_s:.2f} of {outcome.whole_s:.2f} | {outcome.on_feet_s:.2f} | {outcome.why} "
            f"| {outcome.joint_deg:.1f} |"
        )
    return "\n".join([*lines, "", "</details>", ""])


def picture(path: Path, outcomes: Outcomes, times: Sequence[QpTime], rate: float) -> None:
    first = next(iter(outcomes))
    panels = [
        [
            Panel(of, setup, [outcomes[Key(first.clip, first.engine, setup, condition)] for condition in of.conditions])
            for of in _WITH_BODIES
        ]
        for setup in SETUPS
    ]
    sweeps = [
        Sweep(
            of.title.split(" (")[0],
            [float(condition.name) for condition in of.conditions],
            {
                setup: [on_feet(_of(outcomes, first.engine, setup, condition)) for condition in of.conditions]
                for setup in setups_for(of)
            },
        )
        for of in (STIFFNESS, PD_SCALE)
    ]
    draw(path, first.clip, rate, panels, times, sweeps)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--output", type=Path, default=Path("docs/mcsim.md"))
    parser.add_argument("--engine", choices=available_engines(), action="append")
    options = parser.parse_args()
    settings = BakeSettings(hold_s=0.0)  # the paper's walks need not come to rest at their end
    # MuJoCo first: it is the quicker one, and has all clips.
    engines = options.engine or sorted(available_engines(), reverse=True)
    times = measure_qp_times()
    outcomes = run(options.folder, engines, settings)
    if not outcomes:
        raise SystemExit(f"There is no clip to walk: install pybullet, or give a folder with {' or '.join(_CMU)}.")
    path = options.output.parent / "pictures" / f"{options.output.stem}.png"
    picture(path, outcomes, times, 1.0 / settings.step_s)
    dofs = [of.body.nv for of in performances(("walk",), options.folder, _CMU, settings).values()]
    options.output.write_text(page(outcomes, times, dofs, path.name), encoding="utf-8")


if __name__ == "__main__":
    main()
