"""What the worker says on its standard output, one JSON object a line."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class ProgressMessage:
    stage: str  # for a person to read
    fraction: float  # of this stage, 0 to 1
    type: Literal["progress"] = "progress"


@dataclass(frozen=True, kw_only=True)
class ResultMessage:
    output: str
    report: dict[str, Any]
    type: Literal["result"] = "result"


@dataclass(frozen=True, kw_only=True)
class ErrorMessage:
    message: str  # one sentence
    exit_status: int
    type: Literal["error"] = "error"


Message = ProgressMessage | ResultMessage | ErrorMessage


def to_line(message: Message) -> str:
    return json.dumps(asdict(message), allow_nan=False)
