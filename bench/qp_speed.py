"""What one solve of the tracking controller takes, and where: 20 links on 8 contacts, with and without assist.

Run from the repository's root: python -m bench.qp_speed
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from sim_core.arrays import Floats
from sim_core.body.body import Body
from sim_core.body.build_body import build_body
from sim_core.controllers.tracking import heft, tracker, whole_body_qp
from sim_core.controllers.tracking.presets import make_tracker
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.dynamics_state import DynamicsState
from sim_core.dynamics.state_space import integrate
from sim_core.engines.engine import State, no_contacts
from sim_core.reference.reference import Reference, build_reference
from sim_core.rig.bone_map import map_bones
from sim_core.scene import Scene
from sim_core.settings import BakeSettings
from tests.clips import person

TARGET_MS = 1.0
REPEATS = 1000
_SETTLED = 50  # first solves, that find cold caches

# Every part of a solve, and the calls whose time it is; time in the calls of another part is that part's alone.
PARTS: dict[str, tuple[tuple[Any, str], ...]] = {
    "dynamics": ((Dynamics, "evaluate"),),
    "soles": ((heft, "soles_of"),),
    "Jacobians": ((DynamicsState, "point_jacobian"), (DynamicsState, "rotation_jacobian")),
    "objectives": ((heft.Heft, "problem"),),
    "cost and its factor": ((whole_body_qp, "_factored"),),
    "elimination": ((whole_body_qp, "_costs"), (whole_body_qp, "_unlimited")),
    "QP": ((whole_body_qp, "solve_qp"),),
    "limits": ((tracker, "solve_whole_body"),),
    "inertias for the PD": ((tracker, "_free_inertia"),),
    "hold and the rest": ((tracker.Tracker, "compute"),),
}
_NOT_THE_SOLVE = ("dynamics", "inertias for the PD", "hold and the rest")


class Standing(NamedTuple):
    body: Body
    reference: Reference
    scene: Scene
    states: list[State]  # near the reference, where all soles bear


class Profile(NamedTuple):
    parts: dict[str, Floats]  # (REPEATS,) [ms]
    failed: int

    @property
    def assembly_and_solve(self) -> Floats:
        solve: Floats = np.sum([times for part, times in self.parts.items() if part not in _NOT_THE_SOLVE], axis=0)
        return solve

    @property
    def tick(self) -> Floats:
        tick: Floats = np.sum(list(self.parts.values()), axis=0)
        return tick


def standing(repeats: int) -> Standing:
    """Someone of 20 links, since toes are left out, who stands on the 8 corners of two feet and trembles."""
    clip = person(frames=60).clip
    bones = {name: bone for name, bone in map_bones(clip.skeleton, clip=clip).bones.items() if "toes" not in name}
    body, scene, settings = build_body(clip, bones), Scene(), BakeSettings()
    reference = build_reference(clip, body, scene, settings.reference, rate=1.0 / settings.step_s, hold_s=0.0)
    random = np.random.default_rng(0)
    away = 0.002 * random.standard_normal((repeats, body.nv))
    away[:, :6] = 0.0
    speeds = 0.05 * random.standard_normal((repeats, body.nv))
    states = [State(integrate(body, reference.q[0], a), v) for a, v in zip(away, speeds, strict=True)]
    return Standing(body, reference, scene, states)


def profile(someone: Standing, assist_bw: float) -> Profile:
    weight = someone.body.mass * someone.scene.gravity
    controller = make_tracker(
        someone.body,
        someone.reference,
        someone.scene,
        preset="heft",
        balance="none",
        stiffness=1.0,
        assist_limit=assist_bw * weight,
    )
    rows: dict[str, list[float]] = {part: [] for part in PARTS}
    with _timed_parts() as spent:
        for state in someone.states:
            spent.update(dict.fromkeys(spent, 0.0))
            controller.compute(0, state, no_contacts())
            for part, seconds in spent.items():
                rows[part].append(1000.0 * seconds)
    count = controller.solve_count
    assert count is not None
    return Profile({part: np.array(times[_SETTLED:]) for part, times in rows.items()}, count.failed)


@contextmanager
def _timed_parts() -> Iterator[dict[str, float]]:
    """Seconds spent in each part, calls of other parts left out."""
    spent = dict.fromkeys(PARTS, 0.0)
    inner = [0.0]  # seconds in parts that were called by the one that runs

    def timed(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def run(*args: Any, **named: Any) -> Any:
            inner.append(0.0)
            began = time.perf_counter()
            try:
                return call(*args, **named)
            finally:
                seconds = time.perf_counter() - began
                spent[part] += seconds - inner.pop()
                inner[-1] += seconds

        return run

    with ExitStack() as stack:
        for part, calls in PARTS.items():
            for owner, name in calls:
                stack.enter_context(patch.object(owner, name, timed(part, getattr(owner, name))))
        yield spent


def main() -> None:
    someone = standing(REPEATS + _SETTLED)
    body = someone.body
    print(f"{len(body)} links, {body.nv} dof, {len(body.soles)} contacts; ms, with the time that measuring takes")
    profiles = [profile(someone, assist_bw) for assist_bw in (0.0, 0.2)]
    print(
        f"{'':24}{'without assist':>20}{'with assist':>20}\n{'':24}{'best':>10}{'median':>10}{'best':>10}{'median':>10}"
    )
    rows = [(part, [one.parts[part] for one in profiles]) for part in PARTS]
    rows += [("assembly and solve", [one.assembly_and_solve for one in profiles])]
    rows += [("whole tick", [one.tick for one in profiles])]
    for name, columns in rows:
        print(f"{name:24}" + "".join(f"{times.min():10.3f}{np.median(times):10.3f}" for times in columns))
    print(f"target for assembly and solve: {TARGET_MS} ms; solves that failed: {sum(one.failed for one in profiles)}")


if __name__ == "__main__":
    main()
