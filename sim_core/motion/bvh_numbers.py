"""The text of a BVH file with its name and lines, and the numbers of its MOTION part."""

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..errors import MotionFileError

_FRAMES = re.compile(r"\s*Frames[ \t]*:?[ \t]*([^\s:]*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*Frame[ \t]*Time[ \t]*:?[ \t]*([^\s:]*)", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?\Z")
_LARGEST = 1e9  # no pose in any unit comes near; beyond it squares and products lose their digits
_PIECE = 1000  # lines
SLOWEST_FPS, FASTEST_FPS = 1.0, 2000.0


@dataclass(frozen=True)
class BvhText:
    """What the reader walks through; knows how to say where something went wrong."""

    content: str  # line ends are "\n"
    source_name: str

    def error(self, position: int, complaint: str) -> MotionFileError:
        line = self.content.count("\n", 0, position) + 1
        return MotionFileError(f"{self.source_name}, line {line}: {complaint}")

    def skip_word(self, position: int, word: str) -> int:
        match = re.compile(rf"\s*{word}(?!\w)", re.IGNORECASE).match(self.content, position)
        if match is None:
            raise self.error(position, f"this is no BVH file; one begins with the word {word}.")
        return match.end()

    def sane(self, value: float, position: int) -> float:
        if not math.isfinite(value) or abs(value) > _LARGEST:
            raise self.error(position, f"{value:g} is no number for a pose; repair or export the clip again.")
        return value


class Motion(NamedTuple):
    frame_time: float  # [s]
    values: Floats  # (T, C)
    notes: tuple[str, ...]


def number(word: str) -> float | None:
    """The value of a word, decimal comma or point; None when it is no number."""
    try:
        return float(word.replace(",", ".") if _DECIMAL_COMMA.match(word) else word)
    except ValueError:
        return None


def parse_motion(text: BvhText, position: int, channel_count: int) -> Motion:
    """Everything behind the word MOTION."""
    announced: str | None = None
    frame_time: float | None = None
    while True:
        if match := _FRAMES.match(text.content, position):
            announced = match[1]
        elif match := _FRAME_TIME.match(text.content, position):
            frame_time = _checked_frame_time(text, match)
        else:
            break
        position = match.end()
    if frame_time is None:
        raise text.error(position, "here a frame time is expected, as 'Frame Time: 0.0333333' for 30 fps.")
    if channel_count == 0:
        raise text.error(position, "no joint has a channel, so nothing moves.")
    values, notes = _parse_rows(text, position, channel_count)
    if announced is not None and number(announced) != len(values):
        counts = f"announces {announced[:12]} frames and has {len(values)}"
        notes = (*notes, f"The file {counts}; those present are used.")
    return Motion(frame_time, values, notes)


def _checked_frame_time(text: BvhText, match: re.Match[str]) -> float:
    value = number(match[1])
    if value is None or not math.isfinite(value) or not 1 / FASTEST_FPS <= value <= 1 / SLOWEST_FPS:
        complaint = f"a frame time of {match[1][:20]} s makes no sense; write 1 / fps, 0.0333333 for 30 fps."
        raise text.error(match.start(1), complaint)
    return value


def _parse_rows(text: BvhText, start: int, channel_count: int) -> tuple[Floats, tuple[str, ...]]:
    body = _with_plain_numbers(text.content[start:])
    lines = body.split("\n")
    pieces = [" ".join(lines[k : k + _PIECE]) for k in range(0, len(lines), _PIECE)]  # a cancel is heard between them
    if not body.strip():
        raise text.error(start, "there are no frames after 'Frame Time:'.")
    try:
        numbers = np.concatenate([np.array(list(map(float, piece.split()))) for piece in pieces])
    except ValueError:
        raise _bad_word_error(text, start, body) from None
    if not np.all(np.abs(numbers) <= _LARGEST):  # NaN compares false
        raise _bad_word_error(text, start, body)
    whole_rows = _count_whole_rows(text, start, body, channel_count)
    notes: tuple[str, ...] = ()
    if len(numbers) > whole_rows * channel_count:
        notes = (f"The last frame is cut off and was left out; {whole_rows} whole frames remain.",)
    return numbers[: whole_rows * channel_count].reshape(whole_rows, channel_count), notes


def _with_plain_numbers(body: str) -> str:
    """Commas are decimal points where no point is used, and separators where every number has its point."""
    if "," not in body:
        return body
    is_separator = "." in body or re.search(r",\s", body) is not None
    return body.replace(",", " " if is_separator else ".")


def _bad_word_error(text: BvhText, start: int, body: str) -> MotionFileError:
    first_line = text.content.count("\n", 0, start) + 1
    for line, row in enumerate(body.split("\n"), first_line):
        for column, word in enumerate(row.split(), 1):
            value = number(word)
            if value is None or not abs(value) <= _LARGEST:
                what = f"'{word[:20]}' (number {column} of the line) is no number for a pose"
                return MotionFileError(f"{text.source_name}, line {line}: {what}; export the clip again.")
    return text.error(start, "a number makes no sense; export the clip again.")


def _count_whole_rows(text: BvhText, start: int, body: str, channel_count: int) -> int:
    """How many complete frames the numbers make, where the line breaks agree that they are frames."""
    counts = np.array([len(row.split()) for row in body.split("\n")])
    ends = np.cumsum(counts)
    whole_rows = int(ends[-1]) // channel_count
    row_ends = channel_count * np.arange(1, whole_rows + 1)
    one_row_a_line = np.count_nonzero(counts == channel_count) > 0.5 * np.count_nonzero(counts)
    flows = not one_row_a_line and ends[-1] % channel_count == 0  # rows wrapped without regard to lines
    if whole_rows and (flows or np.all(np.isin(row_ends, ends))):
        return whole_rows
    wrong = int(np.flatnonzero((counts > 0) & (counts != channel_count))[0])
    line = text.content.count("\n", 0, start) + 1 + wrong
    complaint = f"a frame has {counts[wrong]} numbers where the hierarchy needs {channel_count}"
    raise MotionFileError(f"{text.source_name}, line {line}: {complaint}; export the clip again.")
