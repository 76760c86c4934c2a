"""What the worker and the program that started it say to each other, one JSON object a line."""

import json
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any, Literal


class ExitStatus(IntEnum):
    DONE = 0
    OWN_FAULT = 1
    BAD_INPUT = 2
    NOT_KEPT = 3  # written, but the performance was lost on the way
    CANCELLED = 130


@dataclass(frozen=True, kw_only=True)
class ProgressMessage:
    stage: str  # for a person to read
    fraction: float  # of this stage, 0 to 1, never less than before
    overall: float  # of everything, never less than before; it leaps where fewer trials are needed than there might be
    type: Literal["progress"] = "progress"


@dataclass(frozen=True, kw_only=True)
class ResultMessage:
    """The last line, when all went well."""

    output: str | None  # the file that was written
    report: dict[str, Any]
    exit_status: ExitStatus
    type: Literal["result"] = "result"


@dataclass(frozen=True, kw_only=True)
class ErrorMessage:
    """The last line otherwise."""

    message: str  # one sentence
    exit_status: ExitStatus
    type: Literal["error"] = "error"


Message = ProgressMessage | ResultMessage | ErrorMessage


def to_line(message: Message) -> str:
    return json.dumps(asdict(message), allow_nan=False)  # plain ASCII, whatever the names in it


Request = Literal["cancel", "stop"]


def request_of(line: bytes) -> Request | None:
    """What a line asks that the worker was sent: to leave everything, or to keep the best so far."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    asked = said.get("type") if isinstance(said, dict) else None
    return asked if asked in ("cancel", "stop") else None
