"""What a bake leaves for the viewport, frame by frame: shapes, forces, assist and measures.

Reading and writing one needs numpy alone, so that Blender can do it; making one is in make_take.py.
"""
# ruff: noqa: RUF009 - the calls in the class describe its fields, and make nothing that two takes could share

import io
import zipfile
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionFileError
from ..motion.clip_npz import UNREADABLE

FORMAT_VERSION = 2
Floats32: TypeAlias = NDArray[np.float32]
Ints32: TypeAlias = NDArray[np.int32]
Bools: TypeAlias = NDArray[np.bool_]
_NAMES, _NUMBER = "names", "number"


def _array(*shape: str | int, kind: type[np.generic] = np.float32) -> Any:
    """A field that holds an array; letters in its shape stand for the same length wherever they are."""
    return field(metadata={"kind": kind, "shape": shape})


def _names(length: str) -> Any:
    return field(metadata={"kind": _NAMES, "shape": (length,)})


def _number() -> Any:
    return field(metadata={"kind": _NUMBER, "shape": ()})


@dataclass(frozen=True, kw_only=True, eq=False)
class Take:
    """F rows, those of the written clip, of L links. SI, world, Z up, quaternions wxyz; nan where a frame cannot tell.

    The frames of a T-pose in front are as in the source, and nothing bears on anything in them.
    """

    fps: float = _number()
    mass_kg: float = _number()
    gravity: float = _number()
    ground_point: Floats32 = _array(3)
    ground_normal: Floats32 = _array(3)
    link_names: tuple[str, ...] = _names("L")  # segments: "pelvis", "thigh_l", ...
    link_bones: tuple[str, ...] = _names("L")  # the bone whose frame the link shares
    box_mask: Bools = _array("L", kind=np.bool_)  # True where the link's shape is its box, else its capsule
    capsule: Floats32 = _array("L", 7)  # start, end, radius in the link's frame
    box: Floats32 = _array("L", 15)  # centre, R_link_box by rows, half extents
    before_positions: Floats32 = _array("F", "L", 3)  # of the links' frames in the source
    before_rotations: Floats32 = _array("F", "L", 4)
    after_positions: Floats32 = _array("F", "L", 3)  # and in the result
    after_rotations: Floats32 = _array("F", "L", 4)
    com_before: Floats32 = _array("F", 3)
    com_after: Floats32 = _array("F", 3)
    contact_force: Floats32 = _array("F", "L", 3)  # of the ground on the link, mean over the frame [N]
    contact_point: Floats32 = _array("F", "L", 3)  # its centre of pressure; nan where nothing bears
    planted: Bools = _array("F", "L", kind=np.bool_)  # the link bears load and should not slide
    support_starts: Ints32 = _array("F+1", kind=np.int32)  # frame f has the points from starts[f] to starts[f + 1]
    support_points: Floats32 = _array("K", 3)  # corners around the support area, in the ground's plane
    assist_force: Floats32 = _array("F", 3)  # on the pelvis [N]
    assist_torque: Floats32 = _array("F", 3)  # [N m]
    assist_bw: Floats32 = _array("F")  # both together, in body weights
    push_force: Floats32 = _array("F", 3)  # of all pushes [N]
    push_point: Floats32 = _array("F", 3)  # where they act; nan where nothing pushes
    pull_force: Floats32 = _array("F", 3)  # of all pulls from outside, as pushes
    pull_point: Floats32 = _array("F", 3)
    skate_before: Floats32 = _array("F")  # [m/s]
    skate_after: Floats32 = _array("F")
    error_before: Floats32 = _array("F")  # wrench that no contact explains, in body weights
    error_after: Floats32 = _array("F")
    height_before: Floats32 = _array("F")  # of the lowest body point over the ground [m]
    height_after: Floats32 = _array("F")

    def __len__(self) -> int:
        return len(self.com_after)

    def support(self, frame: int) -> Floats32:
        """(K, 3) the corners around the support area of a frame, counted from 0; none in the air."""
        return self.support_points[self.support_starts[frame] : self.support_starts[frame + 1]]


def take_bytes(take: Take) -> bytes:
    """The take as an .npz file of plain arrays."""
    buffer = io.BytesIO()
    arrays = {each.name: _stored(getattr(take, each.name), each.metadata["kind"]) for each in fields(Take)}
    np.savez_compressed(buffer, format_version=np.array(FORMAT_VERSION), **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def load_take(source: bytes | str | Path) -> Take:
    """From the bytes of a take, or from the file that holds them."""
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
        if not zipfile.is_zipfile(io.BytesIO(content)):
            raise ValueError("it is no whole .npz file")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _checked(arrays)
    except UNREADABLE as error:
        raise MotionFileError(f"What the take has to show is damaged ({error}); bake it again.") from error


def _stored(value: Any, kind: Any) -> NDArray[Any]:
    if kind == _NAMES:
        return np.array(value, dtype=np.str_)
    return np.asarray(value, dtype=np.float64 if kind == _NUMBER else kind)


def _checked(arrays: dict[str, NDArray[Any]]) -> Take:
    version = int(arrays["format_version"])
    if version != FORMAT_VERSION:
        raise ValueError(f"it has format {version}, and this version of Heft reads format {FORMAT_VERSION}")
    lengths: dict[str, int] = {"F": len(arrays["com_after"]), "L": len(arrays["link_names"])}
    lengths |= {"F+1": lengths["F"] + 1, "K": len(arrays["support_points"])}
    values: dict[str, Any] = {}
    for each in fields(Take):
        array, kind = arrays[each.name], each.metadata["kind"]
        shape = tuple(lengths[size] if isinstance(size, str) else size for size in each.metadata["shape"])
        if array.shape != shape:
            raise ValueError(f"'{each.name}' has the shape {array.shape} where {shape} is needed")
        if kind == _NAMES:
            values[each.name] = tuple(str(name) for name in array)
        else:
            values[each.name] = float(array) if kind == _NUMBER else array.astype(kind)
    starts = values["support_starts"]
    if starts[0] != 0 or starts[-1] != lengths["K"] or np.any(np.diff(starts) < 0):
        raise ValueError("its support areas do not follow one another")
    return Take(**values)
