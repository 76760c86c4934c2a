"""Makes sim_core/falling/known_falls.json anew: falls of the made stand, pushed to 8 sides at 3 heights.

make remember, or from the repository's root: python -m bench.remember_falls [--workers 2]

Falls to the right are those to the left, mirrored. Every search starts from nothing known, so that the file does not
feed on itself.
"""

import argparse
import json
from pathlib import Path
from unittest.mock import patch

import numpy as np

from sim_core.bake import bake, read_performance
from sim_core.falling import known_falls
from sim_core.falling.fall_script import Numbers, mirrored
from sim_core.motion.source_clip import write_new
from sim_core.option_values import settings_from
from sim_core.options import make_parser
from sim_core.samples.catalogue import make_sample
from sim_core.simulation import search_fall

_SIDES_DEG = (0, 45, 90, 135, 180)
_PUSHES = {"head": 400.0, "chest": 700.0, "pelvis": 900.0}  # [N] for 0.1 s
_BUILD = Path("build/falls")
_DIGITS = 3


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    _BUILD.mkdir(parents=True, exist_ok=True)
    clip = _BUILD / "stand.bvh"
    write_new(clip, make_sample("stand"))
    path = Path(known_falls.__file__).with_name(known_falls.FILE)
    found = []
    for side in _SIDES_DEG:
        for pushed in _PUSHES:
            numbers = tuple(round(value, _DIGITS) for value in _searched(clip, side, pushed, options.workers))
            print(f"{side} degrees, {pushed}", flush=True)
            found.append(_kept(side, pushed, numbers))
            if side % 180:
                found.append(_kept(-side, pushed, mirrored(numbers)))
            path.write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n", encoding="utf-8")


def _kept(side: int, pushed: str, numbers: Numbers) -> dict[str, object]:
    return {"angle": round(float(np.radians(side)), _DIGITS), "pushed": pushed, "numbers": list(numbers)}


def _searched(clip: Path, side: int, pushed: str, workers: int) -> Numbers:
    angle, newtons = np.radians(side), _PUSHES[pushed]
    force = f"{newtons * np.cos(angle):.1f}:{newtons * np.sin(angle):.1f}:0"
    arguments = ["bake", str(clip), "-o", str(_BUILD / "known.bvh"), "--motion=fall", "--fall-at=20"]
    arguments += [f"--push=bone={pushed},at=0.32,for=0.1,space=character,force={force}", f"--workers={workers}"]
    settings = settings_from(make_parser().parse_args([*arguments, "--engine=mujoco"]))
    fells = []
    find = search_fall.search_fall

    def listened(*given, **named):  # type: ignore[no-untyped-def]
        fells.append(find(*given, **named))
        return fells[-1]

    with patch("sim_core.bake.search_fall", listened), patch.object(search_fall, "known_falls", lambda angle: ()):
        bake(read_performance(clip, settings), settings)
    numbers: Numbers = fells[0].numbers
    return numbers


if __name__ == "__main__":
    main()
