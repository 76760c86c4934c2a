"""What tests of rolls and falls share: workers whose takes last as long as they like, handles, words of the panel."""

from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np

from tests.blender.fake_layout import drawn
from tests.blender.reports import made_report


class LastingWorker:
    """lasting(20) is a worker whose result is what it was given, led aside, in so many frames."""

    def __init__(self, heft: Any, recorded: Path, **report: Any) -> None:
        self._heft, self._report = heft, report
        self._take = heft("sim_core.reporting.take").load_take(recorded / "take.npz")
        self.arguments: list[str] = []  # what the last worker was given,
        self.made: Any = None  # and the clip that it made

    def __call__(self, frames: int) -> Any:
        npz, takes = self._heft("sim_core.motion.clip_npz"), self._heft("sim_core.reporting.take")

        def start(arguments: list[str], folder: Path) -> Any:
            self.arguments = arguments
            given = {name: Path(arguments[arguments.index(name) + 1]) for name in ("-o", "--take")}
            clip = npz.load_npz(Path(arguments[1]))
            rows = np.minimum(np.arange(frames), len(clip) - 1)
            positions = clip.positions[rows]
            positions[:, 0, 1] += np.linspace(0.0, 2.0, frames)
            self.made = replace(clip, positions=positions, rotations=clip.rotations[rows])
            npz.save_npz(given["-o"], self.made)
            given["--take"].write_bytes(takes.take_bytes(_with_rows(self._take, frames)))
            report = made_report(**{"frames": frames, **self._report})
            done = self._heft("addon.baking.bake_job").Finished(output=given["-o"], report=report, kept=True)
            return SimpleNamespace(poll=lambda: [done], kill=lambda: None, stop=lambda: None, cancel=lambda: None)

        return start


def _with_rows(take: Any, frames: int) -> Any:
    rows = np.minimum(np.arange(frames), len(take) - 1)
    by_frame = [each.name for each in fields(take) if each.metadata["shape"][:1] == ("F",)]
    return replace(
        take,
        **{name: getattr(take, name)[rows] for name in by_frame},
        support_starts=np.zeros(frames + 1, dtype=np.int32),
        support_points=np.zeros((0, 3), dtype=np.float32),
    )


def session(heft: Any, armature: Any, worker: Any, **settings: Any) -> Any:
    return heft("addon.baking.bake_session").BakeSession(armature, bpy.context.scene, worker, **settings)


def outside() -> Any:
    """Of a scene, what a bake may not change."""
    scene = bpy.context.scene
    matrices = [tuple(value for row in item.matrix_world for value in row) for item in scene.objects]
    names = sorted(item.name for item in scene.objects)
    return names, matrices, (scene.frame_start, scene.frame_end, scene.frame_current, scene.use_preview_range)


def read_for_bake(heft: Any, armature: Any) -> Any:
    """(choices, motion, bones), as a bake reads them before it looks up handles."""
    scene, run_to_end = bpy.context.scene, heft("addon.generators").run_to_end
    choices = heft("addon.baking.bake_choices").read_choices(armature, scene)
    frames = range(choices.frame_start, choices.frame_end + 1)
    rig = heft("addon.reading.read_rig").read_rig(armature, scene)
    motion = run_to_end(heft("addon.reading.read_motion").read_motion(armature, scene, rig, frames))
    return choices, motion, heft("addon.panel.body_check").bones_of(armature, scene)


def settings_of(heft: Any, arguments: list[str]) -> Any:
    return heft("sim_core.option_values").settings_from(heft("sim_core.options").make_parser().parse_args(arguments))


def arrow(**settings: Any) -> Any:
    empty = bpy.data.objects.new("Way", None)
    bpy.context.scene.collection.objects.link(empty)
    for name, given in settings.items():
        setattr(empty, name, given)
    bpy.context.view_layer.update()
    return empty


def shown_body(heft: Any, armature: Any, frame: int) -> Any:
    return heft("addon.disturbances.shown_body").body_at(armature, bpy.context.scene, "pelvis", frame)


def said(armature: Any, panel: str = "motion") -> str:
    return " ".join(drawn(armature, panel).said)
