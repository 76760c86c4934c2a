"""The scenes of the worlds, as scene files have them: everything along a clip's path, so that they fit any clip."""

from typing import Any, TypeAlias

import numpy as np

SceneContent: TypeAlias = dict[str, Any]

_RISE, _RUN = 0.17, 0.28  # of usual stairs [m]
_WIDTH = 2.0
_SEED = 7


def stairs_up(steps: int, ahead: float) -> SceneContent:
    return _scene(_stairs(ahead, steps=steps, top=4.0))


def stairs_up_and_down(steps: int, ahead: float) -> SceneContent:
    return _scene(_stairs(ahead, steps=steps, top=0.6, down=steps))


def stairs_down(
    steps: int, ahead: float, *, rise: float = _RISE, run: float = _RUN, width: float = _WIDTH
) -> SceneContent:
    """From a platform at the height of the clip's floor to a floor below."""
    drop = steps * rise
    behind = 1.0 + (steps - 1) * run
    top = 1.0 + ahead
    stairs = _stairs(-behind, steps=steps, top=top, down=steps, up=-drop, rise=rise, run=run, width=width)
    return _over_floor(drop, stairs)


def beam(width: float, height: float, length: float) -> SceneContent:
    """Along the way from a landing on, both at the height of the clip's floor, with a floor below.

    The landing ends at the toes of who stands there, whose feet are farther apart than a beam is wide.
    """
    edge = 0.25
    landing = _box("Landing", [1.25, 1.0, height], ahead=edge - 0.625, up=-height)
    along = _box("Beam", [length, width, height], ahead=edge + 0.5 * length, up=-height)
    return _over_floor(height, landing, along, length=length + 4.0)


def spheres(radius: float, apart: float, highest: float) -> SceneContent:
    """Balls side by side over all of the way, sunk into the ground so that they rise from 0 to the highest."""
    cell, rows, columns = 0.05, 181, 35
    corner = np.array([-1.0, -0.5 * cell * (columns - 1)])
    x, y = (corner[k] + cell * np.arange(count) for k, count in enumerate((rows, columns)))
    heights = np.zeros((rows, columns))
    chance = np.random.default_rng(_SEED)
    for middle_x in np.arange(x[0], x[-1] + 0.5 * apart, apart):
        for middle_y in np.arange(y[0], y[-1] + 0.5 * apart, apart):
            away = (x[:, None] - middle_x) ** 2 + (y - middle_y) ** 2
            rises = chance.uniform(0.0, highest) - radius + np.sqrt(np.maximum(radius**2 - away, 0.0))
            heights = np.maximum(heights, rises)
    field = {"cell": cell, "rows": heights.round(4).tolist(), "corner": corner.round(4).tolist()}
    return _scene({"name": "Balls", "heights": field, "on_path": {"ahead": 0.0}})


def box(length: float, height: float, ahead: float) -> SceneContent:
    return _scene(_box("Box", [length, _WIDTH, height], ahead=ahead + 0.5 * length))


def ledge(drop: float, ahead: float) -> SceneContent:
    """A platform at the height of the clip's floor that ends on the way, with a floor below."""
    return _over_floor(drop, _box("Ledge", [2.0 + ahead, 3.0, drop], ahead=0.5 * ahead - 1.0, up=-drop))


def irregular_ground(highest: float) -> SceneContent:
    """Bumps over all of the way, each about as long as a foot."""
    cell, rows, columns = 0.15, 44, 16
    heights = highest * np.random.default_rng(_SEED).random((rows, columns))
    field = {"cell": cell, "rows": heights.round(4).tolist(), "corner": [-1.0, -0.5 * cell * (columns - 1)]}
    return _scene({"name": "Bumps", "heights": field, "on_path": {"ahead": 0.0}})


def strewn_blocks(count: int) -> SceneContent:
    """Flat stones that lie loose on the way."""
    chance = np.random.default_rng(_SEED)
    blocks = []
    for k, ahead in enumerate(np.linspace(0.8, 3.6, count)):
        size = [*chance.uniform(0.12, 0.2, 2), chance.uniform(0.04, 0.08)]
        aside = 0.13 * (-1.0) ** k + chance.uniform(-0.03, 0.03)
        place = {"ahead": float(ahead), "aside": float(aside)}
        stone = {"name": f"Stone {k + 1}", "box": {"size": [float(side) for side in size]}, "on_path": place}
        blocks.append({**stone, "mass": float(chance.uniform(2.0, 5.0))})
    return _scene(*blocks)


def blocks_in_the_way() -> SceneContent:
    places = [(1.2, 0.08, 1.0), (1.9, -0.1, 2.0), (2.6, 0.05, 3.0)]
    return _scene(
        *(
            {**_box(f"Block {k}", [0.2, 0.2, 0.2], ahead=ahead, aside=aside), "mass": mass}
            for k, (ahead, aside, mass) in enumerate(places, start=1)
        )
    )


def sliding_platform() -> SceneContent:
    platform = _box("Platform", [2.0, _WIDTH, 0.2], ahead=1.8, up=-0.17)
    return _scene({**platform, "moves": {"slide": {"along": [0, 1, 0], "metres": 0.3, "hertz": 0.4}}})


def see_saw() -> SceneContent:
    """Rises ahead of the walker, and tips while its middle is crossed."""
    length, degrees = 2.4, 8.0
    lift = 0.5 * length * float(np.sin(np.radians(degrees)))
    plank = _box("See-saw", [length, 1.2, 0.05], ahead=2.0, up=lift - 0.02)
    return _scene({**plank, "moves": {"shake": {"axis": [0, -1, 0], "degrees": degrees, "hertz": 0.31}}})


def raft(*shakes: tuple[list[float], float, float]) -> SceneContent:
    """A plane under someone who stands, that turns about axes by degrees, with so many hertz each."""
    moves = [{"shake": {"axis": axis, "degrees": degrees, "hertz": hertz}} for axis, degrees, hertz in shakes]
    return {"ground": None, **_scene({**_box("Raft", [2.4, 2.4, 0.2], up=-0.2), "moves": moves})}


def handles() -> SceneContent:
    """Two points ahead of the hands that slowly go to and fro, for someone to be pulled by."""
    return _scene(
        *(
            {
                "name": f"Handle {side}",
                "ball": {"radius": 0.03},
                "on_path": {"ahead": 0.9, "aside": aside, "up": 1.1},
                "moves": {"slide": {"along": [1, 0, 0], "metres": 0.1, "hertz": 0.3}},
            }
            for side, aside in (("left", 0.25), ("right", -0.25))
        )
    )


def _scene(*objects: dict[str, Any]) -> SceneContent:
    return {"objects": list(objects)}


def _over_floor(drop: float, *objects: dict[str, Any], length: float = 12.0) -> SceneContent:
    """Things that are the only ground but for a floor so far below them, which begins 4 m behind."""
    floor = _box("Floor below", [length, 4.0, 0.2], ahead=0.5 * length - 4.0, up=-drop - 0.2)
    return {"ground": None, **_scene(*objects, floor)}


def _stairs(
    ahead: float,
    *,
    steps: int,
    top: float,
    down: int = 0,
    up: float = 0.0,
    rise: float = _RISE,
    run: float = _RUN,
    width: float = _WIDTH,
) -> dict[str, Any]:
    shape = {"steps": steps, "rise": rise, "run": run, "width": width, "top": top, "down": down}
    return {"name": "Stairs", "stairs": shape, "on_path": {"ahead": ahead, "up": up}}


def _box(name: str, size: list[float], *, ahead: float = 0.0, aside: float = 0.0, up: float = 0.0) -> dict[str, Any]:
    return {"name": name, "box": {"size": size}, "on_path": {"ahead": ahead, "aside": aside, "up": up}}
