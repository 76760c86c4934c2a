"""The HIERARCHY part of a BVH file, read as it is found in the wild and written back as it was.

Nothing here recurses: a chain of thousands of joints is a file like any other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from .bvh_numbers import BvhText, number

_KEYWORD = re.compile(r"\s*(ROOT|JOINT|END|OFFSET|CHANNELS|MOTION|\})(?:(?![^\s{}])|(?<=END)(?=SITE))", re.IGNORECASE)
_CHANNEL = re.compile(r"\s*([XYZ](?:position|rotation|scale))(?![^\s{}])", re.IGNORECASE)
_WORD = re.compile(r"\s*([^\s{}]+|[{}])")
_SHOWN = 40  # letters of a name that a message repeats


class EndSite(NamedTuple):
    parent: int  # the joint it hangs on
    offset: tuple[float, float, float]  # file units
    label: str  # what follows "End" in the file, mostly "Site"
    joints_before: int  # joints listed before it: its place among its siblings


@dataclass(frozen=True, kw_only=True, eq=False)
class BvhHierarchy:
    """Joints in the file's order (depth first), in the file's units and axes."""

    names: tuple[str, ...]  # made unique: a second 'Hand' is 'Hand.001'
    written_names: tuple[str, ...]  # as in the file
    parents: Ints  # (J,), -1 for every ROOT
    offsets: Floats  # (J, 3)
    channels: tuple[tuple[str, ...], ...]  # per joint, spelled as in the file
    end_sites: tuple[EndSite, ...]
    notes: tuple[str, ...]  # what was odd about the file, a sentence each

    @property
    def channel_count(self) -> int:
        return sum(len(channels) for channels in self.channels)

    @cached_property
    def first_columns(self) -> tuple[int, ...]:
        """The column of each joint's first channel in a row of motion."""
        ends = np.cumsum([0, *(len(channels) for channels in self.channels)])
        return tuple(int(column) for column in ends[:-1])


@dataclass
class _Node:
    """A ROOT, JOINT or End Site while its braces are open."""

    label: str
    parent: int
    index: int | None  # None for an end site
    joints_before: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.label[:_SHOWN]


def parse_hierarchy(text: BvhText) -> tuple[BvhHierarchy, int]:
    """The hierarchy and where in the text the word MOTION ends."""
    joints: list[_Node] = []
    sites: list[_Node] = []
    open_nodes: list[_Node] = []
    notes: list[str] = []
    position = text.skip_word(0, "HIERARCHY")
    while True:
        match = _KEYWORD.match(text.content, position)
        if match is None:
            _complain_about_the_next_word(text, position, open_nodes)
            break
        keyword, position = match[1].upper(), match.end()
        if keyword in ("ROOT", "JOINT", "END"):
            node, position = _open_node(text, keyword, position, open_nodes, len(joints))
            (sites if node.index is None else joints).append(node)
            open_nodes.append(node)
        elif keyword == "MOTION":
            break
        elif not open_nodes:
            raise text.error(position, f"'{match[1]}' stands outside of any joint; the braces do not match.")
        elif keyword == "OFFSET":
            open_nodes[-1].offset, position = _parse_offset(text, position)
        elif keyword == "CHANNELS":
            open_nodes[-1].channels, position = _parse_channels(text, position, open_nodes[-1], notes)
        else:
            open_nodes.pop()
    if open_nodes:
        raise text.error(position, f"the braces of '{open_nodes[-1].title}' are never closed; export it again.")
    if not joints:
        raise text.error(position, "there is no ROOT joint before MOTION.")
    return _gather(joints, sites, notes), position


def _open_node(
    text: BvhText, keyword: str, position: int, open_nodes: Sequence[_Node], joint_count: int
) -> tuple[_Node, int]:
    brace = text.content.find("{", position)
    if brace < 0:
        raise text.error(position, "the file ends in the middle of the hierarchy; export the clip again.")
    label = text.content[position:brace].strip()
    if "\n" in label or "}" in label:
        raise text.error(position, f"a '{{' is missing after '{label.splitlines()[0][:_SHOWN]}'.")
    if keyword == "ROOT" and open_nodes:
        raise text.error(position, f"ROOT '{label[:_SHOWN]}' stands inside of '{open_nodes[-1].title}'.")
    if keyword != "ROOT" and (not open_nodes or open_nodes[-1].index is None):
        raise text.error(position, f"{keyword} '{label[:_SHOWN]}' hangs on no joint; the braces do not match.")
    parent = -1 if keyword == "ROOT" else open_nodes[-1].index
    index = None if keyword == "END" else joint_count
    return _Node(label, -1 if parent is None else parent, index, joint_count), brace + 1


def _parse_offset(text: BvhText, position: int) -> tuple[tuple[float, float, float], int]:
    xyz = []
    for _ in range(3):
        match = _WORD.match(text.content, position)
        value = None if match is None else number(match[1])
        if match is None or value is None:
            raise text.error(position, "OFFSET needs three numbers.")
        xyz.append(text.sane(value, match.start(1)))
        position = match.end()
    return (xyz[0], xyz[1], xyz[2]), position


def _parse_channels(text: BvhText, position: int, node: _Node, notes: list[str]) -> tuple[tuple[str, ...], int]:
    match = _WORD.match(text.content, position)
    if match is None or number(match[1]) is None:
        raise text.error(position, "CHANNELS needs a count and that many names.")
    announced, position = match[1], match.end()
    names: list[str] = []
    while match := _CHANNEL.match(text.content, position):
        names.append(match[1])
        position = match.end()
    if len({name.lower() for name in names}) < len(names):
        raise text.error(position, f"'{node.title}' has the same channel twice.")
    if node.index is None and names:
        raise text.error(position, "an End Site has channels; make it a JOINT.")
    if number(announced) != len(names):
        counts = f"announces {announced[:12]} channels and lists {len(names)}"
        notes.append(f"'{node.title}' {counts}; those listed are used.")
    return tuple(names), position


def _complain_about_the_next_word(text: BvhText, position: int, open_nodes: Sequence[_Node]) -> None:
    match = _WORD.match(text.content, position)
    if match is not None:
        raise text.error(match.start(1), f"'{match[1][:_SHOWN]}' is not understood here.")
    inside = f" inside of '{open_nodes[-1].title}'" if open_nodes else ""
    raise text.error(position, f"the file ends{inside} before the word MOTION; export the clip again.")


def _gather(joints: Sequence[_Node], sites: Sequence[_Node], notes: Sequence[str]) -> BvhHierarchy:
    written = tuple(joint.label for joint in joints)
    return BvhHierarchy(
        names=unique_names(written),
        written_names=written,
        parents=np.array([joint.parent for joint in joints], dtype=np.int64),
        offsets=np.array([joint.offset for joint in joints], dtype=float).reshape(-1, 3),
        channels=tuple(joint.channels for joint in joints),
        end_sites=tuple(EndSite(site.parent, site.offset, site.label, site.joints_before) for site in sites),
        notes=tuple(notes),
    )


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once; later ones of the same name get a number, as Blender gives it."""
    taken = set(names)
    seen: set[str] = set()
    counters: dict[str, int] = {}
    result = []
    for name in names:
        unique = name or "joint"
        while unique in seen or (unique != name and unique in taken):
            counters[name] = counters.get(name, 0) + 1
            unique = f"{name or 'joint'}.{counters[name]:03d}"
        seen.add(unique)
        result.append(unique)
    return tuple(result)


def format_hierarchy(hierarchy: BvhHierarchy) -> Iterator[str]:
    """The lines of the HIERARCHY part, tabs for depth."""
    yield "HIERARCHY"
    open_joints: list[int] = []
    for joint, site in _in_file_order(hierarchy):
        parent = int(hierarchy.parents[joint]) if site is None else site.parent
        while open_joints and open_joints[-1] != parent:
            open_joints.pop()
            yield _indent(len(open_joints)) + "}"
        tabs = _indent(len(open_joints))
        if site is not None:
            yield f"{tabs}End {site.label}".rstrip()
            yield f"{tabs}{{"
            yield f"{tabs}\t{_offset_line(site.offset)}"
            yield f"{tabs}}}"
            continue
        names = hierarchy.channels[joint]
        yield f"{tabs}{'JOINT' if open_joints else 'ROOT'} {hierarchy.written_names[joint]}"
        yield f"{tabs}{{"
        yield f"{tabs}\t{_offset_line(hierarchy.offsets[joint])}"
        yield f"{tabs}\tCHANNELS {' '.join([str(len(names)), *names])}"
        open_joints.append(joint)
    for depth in reversed(range(len(open_joints))):
        yield _indent(depth) + "}"


def _in_file_order(hierarchy: BvhHierarchy) -> Iterator[tuple[int, EndSite | None]]:
    sites = list(hierarchy.end_sites)[::-1]
    for joint in range(len(hierarchy.names) + 1):
        while sites and sites[-1].joints_before == joint:
            yield -1, sites.pop()
        if joint < len(hierarchy.names):
            yield joint, None


def _indent(depth: int) -> str:
    return "\t" * min(depth, 64)  # a chain of thousands of joints must not become a file of tabs


def _offset_line(offset: Sequence[float] | Floats) -> str:
    x, y, z = offset
    return f"OFFSET {x:.6f} {y:.6f} {z:.6f}"
