"""What a bake costs beside the bare engine at the same step, for every engine, in one run.

Run from the repository's root: python -m bench.bake_cost
"""

import time
from typing import NamedTuple

from bench.engine_floor import measure_engine_floor
from sim_core.bake import bake
from sim_core.engines.engine import available_engines
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.samples.catalogue import make_sample
from sim_core.settings import BakeSettings, EngineName

_SECONDS = 6.0
_ASSIST_N = 300.0  # a fixed limit, so that the bake is one simulation and not a search


class Cost(NamedTuple):
    engine: EngineName
    bare: float  # CPU s per simulated s, of steps alone
    simulated: float  # of the whole bake


def measure() -> list[Cost]:
    clip = make_sample("walk", seconds=_SECONDS)
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    costs = []
    for name in available_engines():
        settings = BakeSettings(engine=name, assist=_ASSIST_N)
        performance = prepare(source, settings.clip, settings.friction)
        floor = measure_engine_floor(performance.body, name, step_s=settings.step_s, duration_s=4.0)
        start = time.process_time()
        bake(performance, settings)
        costs.append(Cost(name, floor.cpu_s_per_simulated_s, (time.process_time() - start) / clip.duration_s))
    return costs


def main() -> None:
    print(f"{'engine':10}{'bare engine':>14}{'whole bake':>14}{'ratio':>8}   CPU s per simulated s")
    for cost in measure():
        print(f"{cost.engine:10}{cost.bare:14.3f}{cost.simulated:14.3f}{cost.simulated / cost.bare:8.1f}")


if __name__ == "__main__":
    main()
