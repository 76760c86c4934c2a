"""The frame of a take that shows best how it differs from others; no bpy here."""

import numpy as np

from ...sim_core.reporting.take import Take
from ...sim_core.rig.segments import kind

_FEET = ("foot", "toes")  # they bear what they always bear


def hardest_blow(take: Take, first: int) -> int:
    """From that row on, the one in which something else than a foot is hit hardest; the last where nothing is."""
    parts = [link for link, name in enumerate(take.link_names) if kind(name) not in _FEET]
    force = np.nan_to_num(np.linalg.norm(take.contact_force[first:, parts], axis=-1)).max(axis=1, initial=0.0)
    return first + int(force.argmax()) if force.any() else len(take) - 1
