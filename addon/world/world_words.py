"""What is odd about a world, as sentences; no bpy here."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_MOST_NAMES = 3


@dataclass
class Findings:
    """Names of objects, collected while the world is read."""

    empty: set[str] = field(default_factory=set)
    vanishing: set[str] = field(default_factory=set)
    deforming: set[str] = field(default_factory=set)
    growing: set[str] = field(default_factory=set)
    unmoved: set[str] = field(default_factory=set)
    without_keys: dict[str, str] = field(default_factory=dict)  # why

    def sentences(self, first_frame: int) -> tuple[str, ...]:
        said = []
        if self.empty:
            said.append(f"{_are(self.empty)} without faces or scaled to nothing, and left out.")
        if self.vanishing:
            said.append(f"{_are(self.vanishing)} not there in every frame, but simulated as if.")
        if self.deforming:
            said.append(
                f"{names(self.deforming)} changed shape over the frames; simulated with the shape of frame "
                f"{first_frame}."
            )
        if self.growing:
            said.append(
                f"{names(self.growing)} changed size over the frames; simulated with the size of frame {first_frame}."
            )
        if self.unmoved:
            said.append(
                f"{_are(self.unmoved)} set to Animated under Rigid Body, but without a motion to follow; simulated as "
                "standing still."
            )
        said += [f"'{name}' cannot be loose and stood still: it {why}." for name, why in self.without_keys.items()]
        return tuple(said)


def names(found: Iterable[str]) -> str:
    ordered = [f"'{name}'" for name in sorted(found)]
    if len(ordered) > _MOST_NAMES:
        return f"{', '.join(ordered[:_MOST_NAMES])} and {len(ordered) - _MOST_NAMES} more"
    return " and ".join([", ".join(ordered[:-1]), ordered[-1]]) if len(ordered) > 1 else ordered[0]


def _are(found: set[str]) -> str:
    return f"{names(found)} {'are' if len(found) > 1 else 'is'}"
