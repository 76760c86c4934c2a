"""Four motions that others have tracked, beside their numbers on the same clips.

make tables, or from the repository's root: python -m bench.peers docs/peers.md [--budget good] [--workers 2] [--resume]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.bake_rows import Figures, Job, Row, bake_all
from bench.clips import BenchClip
from sim_core.engines.engine import available_engines
from sim_core.option_values import budget_of

_ROWS = Path("build/peers.jsonl")
_WALKED_S = 20.0  # as long as the peers walked


class Peer(NamedTuple):
    """Measured with the peers' own programs; None is what they do not measure."""

    joint_deg: float | None
    mpjpe_root_mm: float | None
    mpjpe_global_mm: float | None
    falls: str
    cpu_s_per_simulated_s: str


def _deepmimic(joint_deg: float, root_mm: float, global_mm: float, survived: int) -> Peer:
    """A policy trained for days on the one clip (Peng et al. 2018); starts of 20 that survive 20 s."""
    return Peer(joint_deg, root_mm, global_mm, f"{20 - survived} of 20 starts, in 20 s", "0.09")


def _mujoco_mpc(marker_mm: float) -> Peer:
    """iLQG that plans anew at every moment (Howell et al. 2022); mean distance of its markers."""
    return Peer(None, None, marker_mm, "none", "26 to 28")


PEERS: dict[str, dict[str, Peer]] = {
    "walk": {"DeepMimic": _deepmimic(9.4, 52.0, 134.0, 15), "MuJoCo MPC": _mujoco_mpc(28.0)},
    "jump": {"DeepMimic": _deepmimic(14.3, 81.0, 139.0, 20), "MuJoCo MPC": _mujoco_mpc(40.0)},
    "backflip": {"DeepMimic": _deepmimic(15.3, 116.0, 348.0, 18)},
    "spinkick": {"DeepMimic": _deepmimic(17.4, 92.0, 251.0, 6)},
}
_INTRO = """# Beside the peers

DeepMimic's policies were trained for days, each on its one clip, and started 20 times; MuJoCo MPC plans with iLQG at
every moment, and its figure is the mean distance of its markers, here beside our global one. Heft's rows are one bake
each with the default settings, the walk for 20 s and the others once through, and its CPU seconds those of one rollout.
Bold is where Heft is not better than every peer, or was not kept: the errors of a performance that was lost mean
nothing. The clips are those in `pybullet_data`.

"""
_HEAD = (
    "| clip | who | joint error (deg) | MPJPE root (mm) | MPJPE global (mm) | falls | CPU s per simulated s "
    "| assist (% of weight) |\n|---|---|---|---|---|---|---|---|\n"
)


def page(rows: Sequence[Row]) -> str:
    text = _INTRO + _HEAD
    for clip, peers in PEERS.items():
        for row in sorted((row for row in rows if row.clip == clip), key=lambda row: row.engine):
            if row.figures is None:
                text += f"| {clip} | Heft, {row.engine} | **error: {row.message}** ||||||\n"
            else:
                text += f"| {clip} | Heft, {row.engine} | {' | '.join(_ours(row.figures, list(peers.values())))} |\n"
        for name, peer in peers.items():
            errors = (peer.joint_deg, peer.mpjpe_root_mm, peer.mpjpe_global_mm)
            cells = ["" if error is None else f"{error:g}" for error in errors]
            text += f"| {clip} | {name} | {' | '.join(cells)} | {peer.falls} | {peer.cpu_s_per_simulated_s} | none |\n"
    return text


def _ours(figures: Figures, peers: Sequence[Peer]) -> list[str]:
    return [
        _beside(f"{figures.joint_deg:.1f}", figures, figures.joint_deg, [peer.joint_deg for peer in peers]),
        _beside(f"{figures.mpjpe_root_mm:.0f}", figures, figures.mpjpe_root_mm, [peer.mpjpe_root_mm for peer in peers]),
        _beside(
            f"{figures.mpjpe_global_mm:.0f}",
            figures,
            figures.mpjpe_global_mm,
            [peer.mpjpe_global_mm for peer in peers],
        ),
        "none" if figures.completed else f"**{figures.why} at {figures.fell_at_s:.1f} s**",
        f"{figures.cpu_s_per_simulated_s:.2f}",
        f"{100.0 * figures.assist_mean_bw:.1f}",
    ]


def _beside(said: str, figures: Figures, ours: float, theirs: Sequence[float | None]) -> str:
    better = figures.completed and all(ours < their for their in theirs if their is not None)
    return said if better else f"**{said}**"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--budget", type=budget_of, default="good", help="draft, good, best or seconds")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    clips = [BenchClip(name, None, _WALKED_S if name == "walk" else None) for name in options.only]
    jobs = [Job(clip, engine, options.budget) for clip in clips for engine in available_engines()]
    for every in bake_all(jobs, _ROWS, workers=options.workers, resume=options.resume):
        rows = [row for row in every if row.budget == options.budget]
        options.output.write_text(page(rows), encoding="utf-8")
        print(f"{len(rows)} of {len(jobs)}: {every[-1].clip}, {every[-1].engine}", flush=True)


if __name__ == "__main__":
    main()
