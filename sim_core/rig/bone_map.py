"""From any biped's skeleton to body segments: by the user's choice, by name, then by shape."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import RigError
from ..motion.clip import Clip, WorldPose
from ..motion.skeleton import Skeleton
from .body_facing import left_of, sample_poses, stance, telling_poses
from .bone_by_name import map_by_name
from .bone_names import family_of, read_names
from .bone_refusal import four_legs, refusal
from .bone_shape import ShapeFinding, map_by_shape
from .bone_tree import reaches
from .mapped_bone import MappedBone
from .segments import REQUIRED, SEGMENTS, in_words, kind

_SAME_PLACE = 0.003  # of the longest way through the skeleton: half a centimetre on an adult
_DOUBT = 0.5  # what a contradiction leaves of a segment's confidence
_LIMBS_OUTWARD = (("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand"))
_WITHOUT = {
    "abdomen": "the trunk is simulated with fewer joints",
    "spine": "the trunk is simulated with fewer joints",
    "neck": "the head sits on the chest",
    "head": "its weight goes to the chest",
    "clavicle": "the upper arm hangs on the chest",
    "hand": "the forearm bears its weight",
    "toes": "the foot is simulated as one piece",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class BoneMap:
    family: str  # "Mixamo", "CMU", ..., "by name" for known words of no known family, "by shape"
    segments: Mapping[str, MappedBone]
    missing: tuple[str, ...]  # sentences on the optional segments that the rig does not have
    warnings: tuple[str, ...]
    confidence: float  # that of the least certain segment

    @property
    def bones(self) -> dict[str, int]:
        """The bone of each segment."""
        return {segment: mapped.bone for segment, mapped in self.segments.items()}


def map_bones(skeleton: Skeleton, *, clip: Clip | None = None, given: Mapping[str, str] | None = None) -> BoneMap:
    """The body segments of a biped; raises RigError for anything else.

    `given` is the user's own choice, segment to bone name, and wins. The clip is looked at only where the
    rest pose does not stand upright.
    """
    chosen = _chosen_bones(skeleton, given or {})
    poses = sample_poses(skeleton, clip)
    nearness = _SAME_PLACE * float(reaches(skeleton).max())
    found = {segment: MappedBone(bone, 1.0, "given") for segment, bone in chosen.items()}
    _fill(found, map_by_name(skeleton, read_names(skeleton.names), chosen, poses, nearness))
    shape: ShapeFinding | None = None
    if any(segment not in found for segment in REQUIRED):
        shape = map_by_shape(skeleton, poses, nearness)
        _fill(found, _on_the_same_sides(shape.segments, found))
    bones = {segment: mapped.bone for segment, mapped in found.items()}
    if any(segment not in found for segment in REQUIRED):
        seen = {segment: skeleton.names[bone] for segment, bone in bones.items()}
        raise RigError(refusal(skeleton, bones, 0 if shape is None else shape.pairs), seen)
    if _walks_on_all_fours(poses, bones):
        raise RigError(four_legs(skeleton, bones))
    doubts = _swapped_sides(skeleton, poses, bones)
    for segment in doubts:
        found[segment] = found[segment]._replace(confidence=_DOUBT * found[segment].confidence)
    return _bone_map(skeleton, found, doubts, shape)


def _chosen_bones(skeleton: Skeleton, given: Mapping[str, str]) -> dict[str, int]:
    chosen: dict[str, int] = {}
    for segment, name in given.items():
        if segment not in SEGMENTS:
            near = difflib.get_close_matches(segment, SEGMENTS, n=1, cutoff=0.0)[0]
            raise RigError(f'There is no body segment "{segment}". Nearest: "{near}".')
        if name not in skeleton.names:
            near = difflib.get_close_matches(name, skeleton.names, n=1, cutoff=0.0)[0]
            raise RigError(
                f'The bone "{name}", chosen for the {in_words(segment)}, is not in the rig. Nearest: "{near}".'
            )
        bone = skeleton.index(name)
        twice = next((other for other, taken in chosen.items() if taken == bone), None)
        if twice is not None:
            raise RigError(
                f'The bone "{name}" is chosen for both {in_words(twice)} and {in_words(segment)}; '
                "choose another bone for one of them."
            )
        chosen[segment] = bone
    return chosen


def _fill(found: dict[str, MappedBone], more: Mapping[str, MappedBone]) -> None:
    """Add what is still missing, never a bone that is taken."""
    for segment, mapped in more.items():
        if segment not in found and mapped.bone not in {other.bone for other in found.values()}:
            found[segment] = mapped


def _on_the_same_sides(shape: Mapping[str, MappedBone], found: Mapping[str, MappedBone]) -> Mapping[str, MappedBone]:
    """The shape's segments with left and right as the names have them; none if it saw another body."""
    side_by_bone = {mapped.bone: segment for segment, mapped in found.items()}
    agree = mirror = clash = 0
    for segment, mapped in shape.items():
        named = side_by_bone.get(mapped.bone)
        if named is not None and named[-2:] in ("_l", "_r"):
            agree += named == segment
            mirror += named == _mirrored(segment)
            clash += named not in (segment, _mirrored(segment))
    if clash > agree + mirror:
        return {}
    return {_mirrored(segment): mapped for segment, mapped in shape.items()} if mirror > agree else shape


def _mirrored(segment: str) -> str:
    if segment.endswith("_l"):
        return segment[:-2] + "_r"
    return segment[:-2] + "_l" if segment.endswith("_r") else segment


def _walks_on_all_fours(poses: Sequence[WorldPose], bones: Mapping[str, int]) -> bool:
    stances = [stance(pose, bones) for pose in poses]
    return not any(s.upright for s in stances) and any(s.on_all_fours for s in stances)


def _swapped_sides(skeleton: Skeleton, poses: Sequence[WorldPose], bones: Mapping[str, int]) -> dict[str, str]:
    """Segments that lie on the other side of the body than they say, each with the bone to name."""
    telling = telling_poses(poses, bones)
    lefts = [left_of(skeleton, pose, bones) for pose in telling]
    at_rest = any(pose is poses[0] for pose in telling)
    doubts: dict[str, str] = {}
    for limb in _LIMBS_OUTWARD:
        # Limbs cross in motion; only the joints that hang on the trunk keep their side.
        for part in limb if at_rest else limb[:1]:
            if part + "_l" not in bones or part + "_r" not in bones:
                continue
            aside = distance = 0.0
            for pose, left in zip(telling, lefts, strict=True):
                across = pose.positions[bones[part + "_l"]] - pose.positions[bones[part + "_r"]]
                aside += 0.0 if left is None else float(left @ across)
                distance += 0.0 if left is None else float(np.linalg.norm(across))
            if aside < -0.3 * distance:
                doubts |= {part + side: skeleton.names[bones[part + "_l"]] for side in ("_l", "_r")}
    return doubts


def _bone_map(
    skeleton: Skeleton, found: Mapping[str, MappedBone], doubts: Mapping[str, str], shape: ShapeFinding | None
) -> BoneMap:
    segments = {segment: found[segment] for segment in SEGMENTS if segment in found}
    warnings = []
    for limb in _LIMBS_OUTWARD:
        swapped = next((doubts[part + "_l"] for part in limb if part + "_l" in doubts), None)
        if swapped is not None:
            warnings.append(
                f'The bone "{swapped}" lies on the right side of the body; its name was believed, so check '
                "left and right in Character > Bone Map."
            )
    by_shape = [segment for segment in REQUIRED if found[segment].how == "shape"]
    if by_shape and len(by_shape) < len(REQUIRED):
        words = ", ".join(f'{in_words(s)} = "{skeleton.names[found[s].bone]}"' for s in by_shape)
        warnings.append(f"Some bones were recognised by their shape only, please check them: {words}.")
    if len(by_shape) == len(REQUIRED):
        warnings.append("The bones' names say nothing, so the body was recognised by its shape; please check it.")
    if shape is not None and by_shape and not shape.sides_known:
        warnings.append(
            "Left and right could not be told from the feet and knees, so they are a guess; "
            "set the left thigh in Character > Bone Map."
        )
    if "head" not in segments:
        warnings.append("No head was found; the body is simulated with the head's weight in the chest.")
    absent: dict[str, list[str]] = {}
    for segment in SEGMENTS:
        if segment not in segments:
            absent.setdefault(_WITHOUT[kind(segment)], []).append(f"the {in_words(segment)}")
    missing = [f"The rig has no bone for {' and '.join(names)}: {what}." for what, names in absent.items()]
    return BoneMap(
        family="by shape" if len(by_shape) == len(REQUIRED) else family_of(skeleton.names),
        segments=segments,
        missing=tuple(missing),
        warnings=tuple(warnings),
        confidence=min(mapped.confidence for mapped in segments.values()),
    )
