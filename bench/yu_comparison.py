"""Yu's comparison (section 4.1) repeated: centre of mass at the support's centre, raw, and adjusted to the feet.

Without any help, on every engine. From the repository's root, with a folder of CMU clips where there is one:
python -m bench.yu_comparison [FOLDER] [--engine mujoco]
"""

import argparse
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

from sim_core import rotations
from sim_core.bake import read_performance
from sim_core.body.body import Body
from sim_core.controllers.tracking.yu import YuController, YuGains
from sim_core.controllers.tracking.yu_references import ComChoice
from sim_core.dynamics.kinematics import pose
from sim_core.engines.engine import available_engines, make_engine
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import Performance, prepare
from sim_core.reference.onto_ground import onto_ground
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.samples.made_clips import MADE_CLIPS
from sim_core.settings import BakeSettings, EngineName
from sim_core.simulation.recording import Recording
from sim_core.simulation.simulate import simulate

_CMU = ("07_05", "35_01")
_HEAD = (
    "| clip | engine | centre of mass | kept for (s) | why not longer | joint error (deg) | MPJPE root (mm) "
    "| pelvis off (m) |\n|---|---|---|---|---|---|---|---|"
)


class Errors(NamedTuple):
    """Means until the performance was lost."""

    joint_deg: float
    mpjpe_root_mm: float
    pelvis_m: float


def performances(folder: Path | None, settings: BakeSettings) -> dict[str, Performance]:
    names = [*MADE_CLIPS, *(["walk"] if has_captured_samples() else [])]
    sources = {name: SourceClip(clip=make_sample(name), t_pose_frames=0, guesses=(), notes=()) for name in names}
    found = {name: prepare(source, settings.clip, settings.friction) for name, source in sources.items()}
    for path in sorted(folder.glob("*.bvh")) if folder is not None else []:
        if any(name in path.stem for name in _CMU):
            found[path.stem] = read_performance(path, settings)
    return found


def errors(body: Body, reference: Reference, recording: Recording) -> Errors:
    rows = len(recording.q)
    wanted, got = pose(body, reference.q[:rows]), pose(body, recording.q)
    of_joints = body.parents[1:]
    turns = [np.swapaxes(of.R_world_link[:, of_joints], -1, -2) @ of.R_world_link[:, 1:] for of in (wanted, got)]
    angles = rotations.angle_between(*(rotations.from_matrix(turn) for turn in turns))
    away = got.origins - wanted.origins
    return Errors(
        joint_deg=float(np.degrees(angles.mean())),
        mpjpe_root_mm=1000.0 * float(np.linalg.norm((away - away[:, :1])[:, 1:], axis=-1).mean()),
        pelvis_m=float(np.linalg.norm(away[:, 0], axis=-1).mean()),
    )


def rows_of(name: str, performance: Performance, engine_name: EngineName, settings: BakeSettings) -> list[str]:
    body, scene = performance.body, performance.scene
    adapted = onto_ground(performance.motion, body, performance.made_for, scene.ground)
    reference = build_reference(
        adapted, body, scene, settings.reference, rate=1.0 / settings.step_s, hold_s=settings.hold_s
    )
    engine = make_engine(engine_name)
    engine.load(body, scene, settings.step_s)
    rows = []
    for choice in get_args(ComChoice):
        controller = YuController(body, reference, scene, YuGains(com=choice), assist_limit=0.0)
        recording = simulate(body, reference, controller, engine, scene, (), lambda done: None, stop_at_failure=True)
        off = errors(body, reference, recording)
        whole_s = reference.clip_steps / reference.rate
        kept_s = whole_s if recording.failed_at_s is None else recording.failed_at_s
        rows.append(
            f"| {name} | {engine_name} | {choice} | {kept_s:.2f} of {whole_s:.2f} | {recording.failure or ''} "
            f"| {off.joint_deg:.1f} | {off.mpjpe_root_mm:.0f} | {off.pelvis_m:.3f} |"
        )
    engine.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--engine", choices=available_engines(), action="append")
    options = parser.parse_args()
    settings = BakeSettings()
    print(_HEAD)
    for name, performance in performances(options.folder, settings).items():
        for engine_name in options.engine or available_engines():
            print("\n".join(rows_of(name, performance, engine_name, settings)), flush=True)


if __name__ == "__main__":
    main()
