"""BVH files as they are: joints, channels and rows of numbers, in the file's own units and axes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..atomic_write import replace_file
from ..errors import MotionFileError
from .bvh_hierarchy import BvhHierarchy, EndSite, format_hierarchy, parse_hierarchy
from .bvh_numbers import BvhText, parse_motion

__all__ = ["BvhDocument", "EndSite", "format_bvh", "parse_bvh", "read_bvh", "write_bvh"]

_DIGITS = 6  # far below 1e-4 of a degree or of any unit in use


@dataclass(frozen=True, kw_only=True, eq=False)
class BvhDocument(BvhHierarchy):
    source_name: str  # for messages
    frame_time: float  # [s]
    values: Floats  # (T, C) positions in file units, angles in degrees; columns in the order of the channels


def read_bvh(path: str | Path) -> BvhDocument:
    path = Path(path)
    if path.is_dir():
        raise MotionFileError(f"'{path}' is a folder; give a BVH file.")
    if path.exists() and not path.is_file():  # a pipe or a device may never end
        raise MotionFileError(f"'{path}' is not a plain file; give a BVH file.")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise MotionFileError(f"'{path}' does not exist; check the name of the file.") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no system takes
        reason = getattr(error, "strerror", None) or str(error)
        raise MotionFileError(f"'{path}' could not be read ({reason}).") from error
    return parse_bvh(content, path.name)


def parse_bvh(text: str | bytes, source_name: str) -> BvhDocument:
    decoded = text if isinstance(text, str) else _decode(text, source_name)
    if not decoded.strip():
        raise MotionFileError(f"{source_name} is empty; export the clip again.")
    if "\0" in decoded:
        raise MotionFileError(f"{source_name} is a binary file, not a BVH text file; export the clip as BVH.")
    walk = BvhText(decoded.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), source_name)
    hierarchy, position = parse_hierarchy(walk)
    motion = parse_motion(walk, position, hierarchy.channel_count)
    return BvhDocument(
        names=hierarchy.names,
        written_names=hierarchy.written_names,
        parents=hierarchy.parents,
        offsets=hierarchy.offsets,
        channels=hierarchy.channels,
        end_sites=hierarchy.end_sites,
        notes=(*hierarchy.notes, *motion.notes),
        source_name=source_name,
        frame_time=motion.frame_time,
        values=motion.values,
    )


def _decode(content: bytes, source_name: str) -> str:
    """UTF-8 as a rule, UTF-16 where the file says so, and Latin-1 for what old programs wrote."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise MotionFileError(f"{source_name} is no text file; export the clip as BVH.") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def format_bvh(document: BvhDocument) -> str:
    lines = list(format_hierarchy(document))
    lines += ["MOTION", f"Frames: {len(document.values)}", f"Frame Time: {document.frame_time:.10g}"]
    row_format = " ".join([f"%.{_DIGITS}f"] * document.channel_count)
    rounded = np.round(document.values, _DIGITS) + 0.0  # adding zero turns -0 into 0
    lines += [row_format % tuple(row) for row in rounded.tolist()]
    return "\n".join(lines) + "\n"


def write_bvh(path: str | Path, document: BvhDocument) -> None:
    """Write the file whole or not at all."""
    replace_file(path, format_bvh(document).encode("utf-8"))
