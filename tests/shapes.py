"""Meshes that tests share: profiles drawn out."""

import numpy as np

from sim_core.world.mesh import Mesh, clean_mesh


def extruded(outline: list[tuple[float, float]], width: float) -> Mesh:
    """A profile in X and Z, drawn out along Y; corners counter-clockwise as seen from -Y."""
    count = len(outline)
    near = np.array([[x, 0.0, z] for x, z in outline])
    vertices = np.concatenate([near, near + np.array([0.0, width, 0.0])])
    sides = [
        triangle
        for k in range(count)
        for a, b in [(k, (k + 1) % count)]
        for triangle in ([a, b + count, b], [a, a + count, b + count])
    ]
    ends = [triangle for a, b, c in ear_clipped(outline) for triangle in ([a, b, c], [a + count, c + count, b + count])]
    return clean_mesh(vertices, np.array(sides + ends))


def ear_clipped(outline: list[tuple[float, float]]) -> list[tuple[int, int, int]]:
    def turn(a: int, b: int, c: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = outline[a], outline[b], outline[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    left, found = list(range(len(outline))), []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            others = [d for d in left if d not in (a, b, c)]
            if turn(a, b, c) > 0 and not any(min(turn(a, b, d), turn(b, c, d), turn(c, a, d)) >= 0 for d in others):
                found.append((a, b, c))
                left.remove(b)
                break
        else:
            raise AssertionError("no ear")
    return [*found, (left[0], left[1], left[2])]
