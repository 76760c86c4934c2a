"""The command line, which is also the worker: exit status 0 done, 2 bad input, 3 not kept, 130 cancelled."""

import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .cancelling import CancelSwitch
from .console import stdout_for_messages
from .errors import Cancelled, HeftError
from .listeners import Audience, JsonListener, TerminalListener
from .messages import ErrorMessage, ExitStatus
from .options import make_parser, progress_asked
from .progress import CANCELLED_WORDS


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    with CancelSwitch() as switch, _audience(given, switch) as audience:
        try:
            return _run(given, audience, switch)
        except (Exception, KeyboardInterrupt) as error:  # whatever it is, a person gets a sentence
            if os.environ.get("HEFT_TRACEBACK"):
                traceback.print_exc()
            answer = _answer_to(error, switch)
            audience.fail(answer)
            return answer.exit_status


@contextmanager
def _audience(given: Sequence[str], switch: CancelSwitch) -> Iterator[Audience]:
    kind = progress_asked(given)
    if kind == "json":
        switch.follow(sys.stdin)
        with stdout_for_messages() as stream:
            yield JsonListener(switch, stream)
    else:
        yield TerminalListener(switch, bar=kind == "bar")


def _run(given: Sequence[str], audience: Audience, switch: CancelSwitch) -> ExitStatus:
    options = make_parser().parse_args(given)
    audience.stage("Starting", 0.0, 0.0)
    with switch.waiting():  # libraries that are interrupted while they load complain in their own words
        from .commands import run  # only now: it takes half a second, for which neither help nor a typing error waits
    return run(options, audience, switch)


def _answer_to(error: BaseException, switch: CancelSwitch) -> ErrorMessage:
    status, said = ExitStatus.BAD_INPUT, str(error)
    if switch.cancelled() or isinstance(error, Cancelled | KeyboardInterrupt):  # however the interrupt came out
        status, said = ExitStatus.CANCELLED, CANCELLED_WORDS
    elif isinstance(error, MemoryError):
        said = "The clip needs more memory than there is; bake fewer frames at a time."
    elif isinstance(error, OSError):
        what = "A temporary file" if error.filename is None else f"'{error.filename}'"
        said = f"{what} cannot be used ({error.strerror or error}); check its name, folder and disk."
    elif not isinstance(error, HeftError):
        status = ExitStatus.OWN_FAULT
        said = f"Heft met a fault of its own ({type(error).__name__}: {error}); set HEFT_TRACEBACK=1 and report it."
    return ErrorMessage(message=" ".join(said.split()), exit_status=status)
