"""The command line, which is also the worker: exit status 0 done, 2 bad input, 3 not kept, 130 cancelled."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from typing import TypeAlias

from .bake import bake, read_performance
from .errors import Cancelled, HeftError
from .listeners import BarListener, CancelSwitch, JsonListener, QuietListener
from .messages import ErrorMessage, ResultMessage
from .motion.source_clip import check_output, write_result
from .options import make_parser, settings_from
from .progress import watch
from .reporting import inspect_clip
from .reporting.measure import measure_frames
from .reporting.report import in_words, write_report

DONE, OWN_FAULT, BAD_INPUT, NOT_KEPT, CANCELLED = 0, 1, 2, 3, 130
AnyListener: TypeAlias = BarListener | JsonListener | QuietListener


def main(arguments: Sequence[str] | None = None) -> int:
    switch = CancelSwitch()
    listener: AnyListener = QuietListener(switch)
    try:
        options = make_parser().parse_args(arguments)
        listener = _listener(options, switch)
        return _run(options, listener)
    except Cancelled as error:
        return _fail(listener, str(error), CANCELLED)
    except KeyboardInterrupt:
        return _fail(listener, "The bake was cancelled; nothing was written.", CANCELLED)
    except HeftError as error:
        return _fail(listener, str(error), BAD_INPUT)
    except MemoryError:
        return _fail(listener, "The clip needs more memory than there is; bake fewer frames at a time.", BAD_INPUT)
    except Exception as error:  # whatever it is, a person gets a sentence
        if os.environ.get("HEFT_TRACEBACK"):
            traceback.print_exc()
        said = f"Heft met a fault of its own ({type(error).__name__}: {error}); set HEFT_TRACEBACK=1 and report it."
        return _fail(listener, said, OWN_FAULT)


def _listener(options: argparse.Namespace, switch: CancelSwitch) -> AnyListener:
    kind = getattr(options, "progress", "none")
    switch.on_signals()
    if kind == "json":
        switch.on_closing(sys.stdin)
        return JsonListener(switch)
    return BarListener(switch) if kind == "bar" else QuietListener(switch)


def _run(options: argparse.Namespace, listener: AnyListener) -> int:
    return _bake(options, listener) if options.command == "bake" else _inspect(options, listener)


def _bake(options: argparse.Namespace, listener: AnyListener) -> int:
    settings = settings_from(options)
    check_output(options.output, options.clip)
    performance = read_performance(options.clip, settings)
    result = bake(performance, settings, listener)
    write_result(options.output, result.clip, performance.source, performance.first_frame)
    if options.report:
        write_report(options.report, result.report)
    if isinstance(listener, JsonListener):
        listener.say(ResultMessage(output=str(options.output), report=asdict(result.report)))
    elif isinstance(listener, BarListener):
        listener.clear()
        print("\n".join([*result.report.guesses, *result.report.warnings, *in_words(result.report)]))
    return DONE if result.report.completed else NOT_KEPT


def _inspect(options: argparse.Namespace, listener: AnyListener) -> int:
    performance = read_performance(options.clip, settings_from(options))
    frames = measure_frames(
        performance.motion, performance.body, performance.scene, watch(listener, "Looking at the clip")
    )
    findings = inspect_clip.find_faults(performance, frames)
    if options.report:
        inspect_clip.write_inspection(options.report, performance, frames, findings)
    if isinstance(listener, BarListener):
        listener.clear()
    print("\n".join(inspect_clip.in_words(performance, frames, findings)))
    return DONE


def _fail(listener: AnyListener, message: str, status: int) -> int:
    if isinstance(listener, JsonListener):
        listener.say(ErrorMessage(message=message, exit_status=status))
    else:
        if isinstance(listener, BarListener):
            listener.clear()
        print(message, file=sys.stderr)
    return status
