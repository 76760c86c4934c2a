"""A whole bake in slices of time: read the rig, let the worker simulate, write a take.

Between two slices the person works on, so nothing is held there that Blender may take away; see tracked_rig.py.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import bpy
from bpy.types import Object, Scene

from ...sim_core.errors import Cancelled, HeftError
from ...sim_core.motion.clip import Clip
from ..active_rig import source_of
from ..disturbances.handles import with_handles
from ..falls.resolve_fall import resolve_fall
from ..generators import LongPieceAhead
from ..own_time import own_time
from ..panel.body_check import bones_of
from ..reading.read_motion import RigMotion, read_motion
from ..reading.read_rig import read_rig
from ..rolls.resolve_roll import resolve_roll
from ..takes.take_objects import BakedObject, discard
from ..takes.takes import BakedTake, add_take, next_number
from ..world.read_world import read_world
from ..world.world import World
from ..writing.thrown_balls import ThrownBall, add_balls
from ..writing.write_action import WriteSettings, Written
from ..writing.write_objects import LooseMotions, WrittenObjects
from .background_work import in_background
from .bake_choices import read_choices
from .bake_job import CANCELLED, BakeJob, Failed, Finished, Progress
from .earlier_take import EarlierTake
from .handed_over import hand_over, loose_moves, thrown_balls
from .kept_states import forgotten_unless_done, keep_states, new_take_id
from .no_long_collection import no_long_collection
from .outcome import Outcome, failure
from .outcome_words import how_it_ended, is_lost
from .simulated import Simulated, read_simulated
from .tracked_rig import TrackedRig
from .work_folder import work_folder
from .worker_arguments import WorkerFiles, worker_arguments
from .worker_environment import forget_compiled, worker_command, worker_environment
from .write_all import write_all

_SLICE_S = 0.025  # twice that is the most that a person should wait
_READ_SHARE, _WORLD_SHARE, _WRITE_SHARE = 0.03, 0.01, 0.04  # of the bar; the rest is the worker's
_BEFORE_SHARE = _READ_SHARE + _WORLD_SHARE
_STOPPING = "Stopping: keeping the best so far"
_Value = TypeVar("_Value")


@dataclass(frozen=True, kw_only=True)
class BakeStatus:
    stage: str
    fraction: float  # of the whole
    time_left_s: float | None = None
    waits: bool = False  # there is nothing to do before some time has passed


_Steps: TypeAlias = Generator[BakeStatus, None, _Value]


def start_worker(arguments: Sequence[str], folder: Path) -> BakeJob:
    return BakeJob(worker_command(arguments), worker_environment(), folder)


class BakeSession:
    """Call `step` until it returns an Outcome; `close` at any moment leaves Blender as it was."""

    what_stop_does = "Stop keeps the best so far as a take; Cancel changes nothing"
    what_cancel_does = "End the bake; nothing is changed. Esc does the same"

    def __init__(
        self,
        armature: Object,
        scene: Scene,
        start_job: Callable[[Sequence[str], Path], BakeJob] = start_worker,
        after: EarlierTake | None = None,
        seed: int | None = None,
    ) -> None:
        """A `seed` other than the rig's is told in the name of the take."""
        self.longest_block_s = 0.0
        source = source_of(armature) if after is None else armature.heft.takes[after.place].source
        self._rig = TrackedRig(armature, scene, source)
        self._after = after
        self._seed = seed
        self._take_id = new_take_id()
        self._start_job = start_job
        self._job: BakeJob | None = None
        self._in_blender: Generator[float, None, Any] | None = None  # it holds references
        self._is_stepping = self._cancel_asked = self._stop_asked = False
        self._slice_ends = 0.0
        self._outcome: Outcome | None = None
        self._steps = self._bake_and_keep()

    def step(self, slice_s: float = _SLICE_S) -> BakeStatus | Outcome:
        """Go on for about so long. Never raises."""
        if self._outcome is None and self._cancel_asked and self._job is None:
            self.close()
        if self._outcome is not None:
            return self._outcome
        began = time.perf_counter()
        self._is_stepping, self._slice_ends = True, began + slice_s
        try:
            with no_long_collection():
                return next(self._steps)
        except StopIteration as end:
            self._outcome = end.value
            return end.value
        except Exception as error:  # whatever it is, a person gets a sentence
            self._outcome = failure(error)
            return self._outcome
        finally:
            self._is_stepping = False
            self.longest_block_s = max(self.longest_block_s, time.perf_counter() - began)

    def why_not_stop(self) -> str:
        """Why there is no best so far to be kept, as a sentence; empty where there is one, or soon will be."""
        if self._stop_asked:
            return f"{_STOPPING}."
        if self._job is None:
            return "Nothing is being simulated: the animation is being read, or the take written."
        return ""

    def stop(self) -> None:
        """The simulation ends soon, and the best so far becomes a take."""
        if self._job is not None:
            self._stop_asked = True
            self._job.stop()

    def cancel(self) -> None:
        """The next steps end it, soon."""
        self._cancel_asked = True
        if self._job is not None:
            self._job.cancel()

    def pause(self) -> None:
        """Let go of Blender's data, which are about to be saved or exchanged; what was begun begins anew."""
        if self._in_blender is not None and not self._is_stepping:
            self._in_blender.close()
            self._in_blender = None

    def close(self) -> None:
        """End it now: what was touched is restored, the worker is killed, files are removed. Once is enough."""
        if self._is_stepping:
            self._cancel_asked = True
        elif self._outcome is None:
            self._outcome = Outcome(sentence=CANCELLED, kind="INFO", baked=False)
            try:
                self._steps.close()
            except Exception as error:  # whatever it is, a person gets a sentence
                self._outcome = failure(error)

    def _bake_and_keep(self) -> _Steps[Outcome]:
        with forgotten_unless_done(self._take_id):
            return (yield from self._bake())

    def _bake(self) -> _Steps[Outcome]:
        with self._rig.playing_source() as armature:
            choices = read_choices(armature, self._rig.scene(), self._after.frames if self._after else None)
        if self._seed is not None:
            choices = replace(choices, seed=self._seed)
        frames = range(choices.frame_start, choices.frame_end + 1)
        motion = yield from self._in_slices(
            "Reading the animation", 0.0, _READ_SHARE, lambda rig, scene: _read(rig, scene, frames)
        )
        world = yield from self._in_slices(
            "Reading the world",
            _READ_SHARE,
            _WORLD_SHARE,
            lambda rig, scene: read_world(rig, scene, motion, choices.friction, whole_scene=choices.has_own_time),
        )
        disturbances = yield from self._in_slices(
            "Reading the world",
            _BEFORE_SHARE,
            0.0,
            lambda rig, scene: with_handles(choices.disturbances, motion, world, bones_of(rig, scene)),
        )
        choices = replace(choices, disturbances=disturbances)
        poses: Clip | None = None
        if choices.roll is not None:
            asked = choices.roll
            resolved = yield from self._in_slices(
                "Reading the roll",
                _BEFORE_SHARE,
                0.0,
                lambda rig, scene: resolve_roll(asked, rig, scene, motion, bones_of(rig, scene)),
            )
            choices, poses = replace(choices, roll=resolved.roll), resolved.poses
        if choices.fall is not None:
            fall = choices.fall
            fall = yield from self._in_slices(
                "Reading the fall",
                _BEFORE_SHARE,
                0.0,
                lambda rig, scene: resolve_fall(fall, motion, bones_of(rig, scene)),
            )
            choices = replace(choices, fall=fall)
        with work_folder() as folder:
            files = WorkerFiles(folder)
            still_frames = yield from self._beside(
                "Reading the world", _BEFORE_SHARE, lambda: hand_over(files, motion, world, poses)
            )
            arguments = worker_arguments(choices, files, still_frames=still_frames, world=world, after=self._after)
            done = yield from self._simulate(arguments, folder)
            simulated = yield from self._beside(
                "Writing the take",
                1.0 - _WRITE_SHARE,
                lambda: read_simulated(files, done, motion, any_length=choices.has_own_time),
            )
            loose = yield from self._beside(
                "Writing the take", 1.0 - _WRITE_SHARE, lambda: loose_moves(files, world, choices, len(simulated.clip))
            )
            yield from self._beside(
                "Writing the take", 1.0 - _WRITE_SHARE, lambda: keep_states(files.states, self._take_id)
            )
        if len(simulated.clip) != len(motion.frames):
            # A roll or a fall takes the time it takes: its keys are put on what the rig does in just these frames.
            own = range(choices.frame_start, choices.frame_start + len(simulated.clip))
            motion = yield from self._in_slices(
                "Writing the take", 1.0 - _WRITE_SHARE, 0.0, lambda rig, scene: _read(rig, scene, own)
            )
        settings = WriteSettings(
            name=f"{self._rig.source_name or self._rig.name} Take {next_number(self._rig.armature())}",
            blend_in=choices.blend_in,
            blend_out=choices.blend_out,
            only=choices.only,
            keys=choices.keys,
            tolerance_mm=choices.tolerance_mm,
            target="CONTROLS" if motion.rig.control_rig and choices.target != "DEFORM" else "DEFORM",
            source_follows=not choices.has_own_time,
        )
        written, objects = yield from self._in_slices(
            "Writing the take",
            1.0 - _WRITE_SHARE,
            _WRITE_SHARE,
            lambda rig, scene: write_all(rig, scene, motion, simulated, settings, LooseMotions(world, loose.objects)),
        )
        return self._add_take(motion, simulated, written, world, objects, thrown_balls(choices, loose))

    def _in_slices(
        self,
        stage: str,
        begin: float,
        share: float,
        work: Callable[[Object, Scene], Generator[float, None, _Value]],
    ) -> _Steps[_Value]:
        """Work on Blender's data, with the source in use; it begins anew after a pause. A yield ends the slice."""
        while True:
            self._in_blender = inner = self._on_source(work)
            try:
                self._rig.check()
                long_s, announced = 0.0, False  # what a piece of the work takes, if it is a long one of many
                while True:
                    began = time.perf_counter()
                    fraction = next(inner)
                    now = time.perf_counter()
                    long_s = max(0.95 * long_s, 0.0 if announced else now - began)
                    announced = isinstance(fraction, LongPieceAhead)
                    if announced or now + long_s >= self._slice_ends:  # the next piece may not fit
                        held = self._rig.places()
                        yield BakeStatus(stage=stage, fraction=begin + share * fraction)
                        if self._in_blender is not inner or self._rig.places() != held:
                            break  # a person changed what it holds on to: another step with that would be a crash
            except StopIteration as end:
                return end.value
            finally:
                self._in_blender = None
                inner.close()

    def _on_source(
        self, work: Callable[[Object, Scene], Generator[float, None, _Value]]
    ) -> Generator[float, None, _Value]:
        with self._rig.playing_source() as armature:
            return (yield from work(armature, self._rig.scene()))

    def _beside(self, stage: str, fraction: float, work: Callable[[], _Value]) -> _Steps[_Value]:
        waiting = in_background(work)
        with closing(waiting):
            try:
                while True:
                    next(waiting)
                    yield BakeStatus(stage=stage, fraction=fraction, waits=True)
            except StopIteration as end:
                return end.value

    def _simulate(self, arguments: Sequence[str], folder: Path) -> _Steps[Finished]:
        self._job = self._start_job(arguments, folder)
        status = BakeStatus(stage="Starting the simulation", fraction=_BEFORE_SHARE, waits=True)
        try:
            while True:
                for event in self._job.poll():
                    match event:
                        case Progress(stage=stage, overall=overall, time_left_s=time_left_s):
                            fraction = _BEFORE_SHARE + (1.0 - _BEFORE_SHARE - _WRITE_SHARE) * overall
                            status = BakeStatus(stage=stage, fraction=fraction, time_left_s=time_left_s, waits=True)
                        case Failed(sentence=sentence, cancelled=True):
                            raise Cancelled(sentence)
                        case Failed(sentence=sentence):
                            yield from self._beside(status.stage, status.fraction, forget_compiled)
                            raise HeftError(sentence)
                        case Finished():
                            return event
                yield replace(status, stage=_STOPPING, time_left_s=None) if self._stop_asked else status
                self._rig.armature()  # no need to simulate on for a rig that is gone
        finally:
            self._job.kill()
            self._job = None

    def _add_take(
        self,
        motion: RigMotion,
        simulated: Simulated,
        written: Written,
        world: World | None,
        objects: WrittenObjects,
        balls: tuple[ThrownBall, ...],
    ) -> Outcome:
        armature = self._rig.armature()
        first, last = int(motion.frames[0]), int(motion.frames[-1])
        report = simulated.report | {"longest_block_ms": round(1000 * self.longest_block_s, 1)}
        report["guesses"] = [*motion.rig.guesses, *report.get("guesses", ())]
        report["warnings"] = [
            *(world.warnings if world else ()),
            *report.get("warnings", ()),
            *written.warnings,
            *objects.warnings,
        ]
        made: tuple[BakedObject, ...] = ()
        try:
            units, name = 1.0 / motion.rig.metres_per_unit, written.action.name
            made = add_balls(self._rig.scene(), balls, motion.frames, units, name)
            baked = BakedTake(
                source=self._rig.source(),
                frame_start=first,
                frame_end=last,
                completed=not is_lost(report, simulated.kept),
                report=report,
                data=simulated.take_bytes,
                switched=written.switched,
                metres_per_unit=motion.rig.metres_per_unit,
                id=self._take_id,
                label="" if self._seed is None else f"seed {self._seed}",
                picture=simulated.picture,
                objects=(*objects.baked(), *made),
            )
            place = add_take(armature, written.action, baked)
        except BaseException:
            with suppress(ReferenceError):
                bpy.data.actions.remove(written.action)
            objects.discard()
            for ball in made:
                discard(ball.object)
            raise
        plays = f"'{armature.name}' plays {armature.heft.takes[place].name}"
        if self._after is not None:
            plays += f" (as {self._after.name} up to frame {self._after.from_frame - 1})"
        ended = how_it_ended(report, kept=simulated.kept, plays=plays, first=first, last=last)
        longer = _beyond_the_scene(self._rig.scene(), last) if own_time(report.get("motion", "")) else ""
        return Outcome(sentence=f"{ended.sentence}{longer}", kind=ended.kind, baked=True)


def _read(armature: Object, scene: Scene, frames: range) -> Generator[float, None, RigMotion]:
    return (yield from read_motion(armature, scene, read_rig(armature, scene), frames))


def _beyond_the_scene(scene: Scene, last: int) -> str:
    """Frames that are not played, where a take is longer than its source; the range is the person's to set."""
    end = scene.frame_preview_end if scene.use_preview_range else scene.frame_end
    if last <= end:
        return ""
    return f" Playback ends at frame {end}, the take at frame {last}."
