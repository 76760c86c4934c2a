"""What the command line can do: bake, inspect, sample."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from .atomic_write import check_writable, replace_files
from .bake import After, bake, read_performance
from .cancelling import CancelSwitch
from .engines.engine import choose_engine
from .errors import MotionFileError, SettingsError
from .listeners import Audience
from .messages import ExitStatus, ResultMessage
from .motion.source_clip import check_output, result_bytes, write_new
from .option_values import settings_from
from .performance import proposed_scene
from .progress import Course
from .reporting import inspect_clip
from .reporting.look_ahead import look_ahead
from .reporting.loose_objects import objects_bytes
from .reporting.make_take import make_take
from .reporting.measure import measure_frames
from .reporting.picture import check_picture, picture_png
from .reporting.report import in_words, report_bytes
from .reporting.take import take_bytes
from .samples.catalogue import make_sample
from .scene_file.write_scene import scene_bytes
from .simulation.states import read_states, states_bytes, states_of

_LOOKING_AHEAD = 5.0  # times as long as looking at the clip as it is (measured)


def run(options: argparse.Namespace, audience: Audience, switch: CancelSwitch) -> ExitStatus:
    return _COMMANDS[options.command](options, audience, switch)


def _bake(options: argparse.Namespace, audience: Audience, switch: CancelSwitch) -> ExitStatus:
    settings = settings_from(options)
    choose_engine(settings.engine)
    check_output(options.output, options.clip)
    if options.picture:
        check_picture(options.picture)
    others = _given(options.report, options.take, options.objects, options.states, options.picture)
    check_writable([*others, options.output], options.clip)
    after = _after(options)
    audience.stage("Reading the clip", 0.0, 0.0)
    performance = read_performance(options.clip, settings)
    with switch.keeping():
        result = bake(performance, settings, audience, after)
    audience.stage("Writing", 0.0, 1.0)
    files: dict[Path, bytes] = {}
    if options.report:
        files[options.report] = report_bytes(result.report)
    if options.take:
        files[options.take] = take_bytes(make_take(result))
    if options.objects:
        files[options.objects] = objects_bytes(result)
    if options.states:
        files[options.states] = states_bytes(states_of(result.recording, result.clip))
    if options.picture:
        audience.stage("Drawing the picture", 0.0, 1.0)  # takes seconds
        files[options.picture] = picture_png(result)
        audience.stage("Writing", 0.0, 1.0)
    files[options.output] = result_bytes(
        options.output, result.clip, result.performance.source, performance.first_frame
    )
    replace_files(files, switch.no_way_back)
    status = ExitStatus.DONE if result.report.completed else ExitStatus.NOT_KEPT
    audience.finish(
        ResultMessage(output=str(options.output), report=asdict(result.report), exit_status=status),
        [*result.report.guesses, *result.report.warnings, *in_words(result.report)],
    )
    return status


def _after(options: argparse.Namespace) -> After | None:
    if options.from_frame is None and options.after is None:
        return None
    if options.from_frame is None or options.after is None:
        raise SettingsError("--from and --after go together: the frame to go on from, and the states of a bake before.")
    return After(options.from_frame, read_states(options.after))


def _inspect(options: argparse.Namespace, audience: Audience, switch: CancelSwitch) -> ExitStatus:
    settings = settings_from(options)
    check_writable(_given(options.report, options.propose_scene), options.clip)
    audience.stage("Reading the clip", 0.0, 0.0)
    performance = read_performance(options.clip, settings)
    course = Course(audience)
    looking = course.stage("Looking at the clip", 1.0, then=_LOOKING_AHEAD)
    frames = measure_frames(performance.motion, performance.body, performance.scene, looking)
    outlook = look_ahead(performance, settings, course.stage("Looking ahead", _LOOKING_AHEAD, then=0.0))
    findings = inspect_clip.find_faults(performance, frames)
    content = inspect_clip.inspection(performance, frames, findings, outlook)
    files: dict[Path, bytes] = {}
    words = inspect_clip.in_words(performance, frames, findings, outlook)
    if options.propose_scene:
        proposal = proposed_scene(performance)
        files[options.propose_scene] = scene_bytes(proposal.objects, proposal.sentences)
        words += proposal.sentences
    if options.report:
        files[options.report] = (json.dumps(content, indent=1, allow_nan=False) + "\n").encode()
    if files:
        replace_files(files, switch.no_way_back)
    arrived = audience.finish(ResultMessage(output=None, report=content, exit_status=ExitStatus.DONE), words)
    if not (arrived or options.report):
        raise MotionFileError("The inspection could not be printed; give --report to keep it in a file.")
    return ExitStatus.DONE


def _sample(options: argparse.Namespace, audience: Audience, switch: CancelSwitch) -> ExitStatus:
    clip = make_sample(options.name, options.seconds)
    write_new(options.output, clip)
    audience.finish(
        ResultMessage(output=str(options.output), report={}, exit_status=ExitStatus.DONE),
        [f"{options.output}: {options.name}, {len(clip)} frames at {clip.fps:g} fps."],
    )
    return ExitStatus.DONE


def _given(*paths: Path | None) -> Sequence[Path]:
    return [path for path in paths if path is not None]


_COMMANDS = {"bake": _bake, "inspect": _inspect, "sample": _sample}
