"""Pictures of results in a folder, for a person to look at.

make sheets, or from the repository's root:
python -m bench.contact_sheets FOLDER OUT [--engine mujoco] [--only 07_05 walk] [--budget good]
"""

import argparse
from pathlib import Path

from bench.clips import find_clips, read_clip
from sim_core.bake import bake
from sim_core.engines.engine import available_engines
from sim_core.option_values import budget_of
from sim_core.reporting.picture import picture_png
from sim_core.settings import BakeSettings

_USUAL = (
    *("35_01", "136_25", "139_29", "138_01", "69_70", "49_18"),
    *("16_35", "16_05", "49_02", "kick", "dance_a", "cartwheel"),
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", choices=available_engines(), default=available_engines()[0])
    parser.add_argument("--only", nargs="*", default=_USUAL)
    parser.add_argument("--budget", type=budget_of, default="good", help="draft, good, best or seconds")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    settings = BakeSettings(engine=options.engine, budget=options.budget)
    for clip in find_clips(options.folder, options.only):
        result = bake(read_clip(clip, settings), settings)
        path = options.output / f"{clip.name}_{options.engine}.png"
        path.write_bytes(picture_png(result))
        kept = "kept" if result.report.completed else f"lost at {result.report.fell_at_s:.1f} s"
        print(f"{path}: {kept}, assist {100 * result.report.assist.mean_bw:.1f} % of weight", flush=True)


if __name__ == "__main__":
    main()
