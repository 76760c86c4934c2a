"""What a viewer sees of the simulated body: one clean outline for each link; no bpy here."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...sim_core.reporting.take import Take
from ...sim_core.rig.segments import parents_of
from ...sim_core.rotations import to_matrix
from .flat_geometry import Floats, Ints, convex_outlines
from .view_projection import View

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_SLIMMER = 0.85  # a joint is slimmer than the limbs it joins


class Outlines(NamedTuple):
    """The links that can be seen, the nearest first."""

    links: Ints  # (V,) which links
    pixels: Floats  # (V, M, 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class PosedShapes:
    """Capsules and boxes in Blender's units. A box has a ball in its middle too, where a limb can be joined to it."""

    ends: Floats  # (L, 2, 3)
    radii: Floats  # (L,)
    boxes: Ints  # (B,) links whose shape is a box
    corners: Floats  # (B, 8, 3)


def posed_shapes(take: Take, positions: Floats, rotations: Floats, units_per_metre: float) -> PosedShapes:
    """The links at positions (L, 3) [m] with rotations (L, 4)."""
    R_world_link = to_matrix(rotations.astype(np.float64))
    origins = positions.astype(np.float64)
    boxes = np.flatnonzero(take.box_mask)
    box = take.box[boxes].astype(np.float64)
    centres, R_link_box, half_extents = box[:, :3], box[:, 3:12].reshape(-1, 3, 3), box[:, 12:]
    local_ends = take.capsule[:, :6].astype(np.float64).reshape(-1, 2, 3)
    local_ends[boxes] = centres[:, None]
    radii = take.capsule[:, 6].astype(np.float64)
    radii[boxes] = half_extents.min(axis=1)
    local_corners = centres[:, None] + (_CORNERS * half_extents[:, None]) @ R_link_box.swapaxes(1, 2)
    return PosedShapes(
        ends=units_per_metre * (origins[:, None] + local_ends @ R_world_link.swapaxes(1, 2)),
        radii=units_per_metre * radii,
        boxes=boxes,
        corners=units_per_metre * (origins[boxes, None] + local_corners @ R_world_link[boxes].swapaxes(1, 2)),
    )


def link_outlines(shapes: PosedShapes, view: View) -> Outlines:
    around = _between_balls(shapes.ends, np.stack([shapes.radii, shapes.radii], axis=1), view)
    around[shapes.boxes] = shapes.corners[:, np.arange(around.shape[1]) % len(_CORNERS)]
    pixels = view.pixels(around)
    seen = np.flatnonzero(np.isfinite(pixels).all(axis=(1, 2)))
    nearest_first = seen[np.argsort(view.depths(around[seen].mean(axis=1)), kind="stable")]
    return Outlines(nearest_first, convex_outlines(pixels[nearest_first]))


def joint_outlines(take: Take, shapes: PosedShapes, view: View) -> Floats:
    """(V, M, 2) what closes the gaps between the links, so that they read as one figure."""
    index = {name: link for link, name in enumerate(take.link_names)}
    pairs = [(index[above], index[name]) for name, above in parents_of(take.link_names).items() if above is not None]
    above, below = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    apart = np.linalg.norm(shapes.ends[above][:, :, None] - shapes.ends[below][:, None], axis=-1)  # (P, 2, 2)
    of_above, of_below = np.divmod(apart.reshape(-1, 4).argmin(axis=1), 2)
    ends = np.stack([shapes.ends[above, of_above], shapes.ends[below, of_below]], axis=1)
    radii = _SLIMMER * np.minimum(shapes.radii[above], shapes.radii[below])
    pixels = view.pixels(_between_balls(ends, np.stack([radii, radii], axis=1), view))
    return convex_outlines(pixels[np.isfinite(pixels).all(axis=(1, 2))])


def _between_balls(centres: Floats, radii: Floats, view: View) -> Floats:
    """(N, K, 3) points whose hull, on the screen, is that of two balls each (N, 2, 3)."""
    rims = view.rims(centres.reshape(-1, 3), radii.reshape(-1))
    return rims.reshape(len(centres), -1, 3)
