"""python -m scripts.demo FOLDER: bakes a sample with the installed extension, for a report, a scene and a picture."""

import json
import sys
from pathlib import Path

from scripts import installed_extension
from scripts.build_extension import ROOT

if __name__ == "__main__":
    installed_extension.use_temporary_user_folder()  # before bpy, which the modules below import

import bpy

from scripts.demo_picture import before_and_after

_SAMPLE = ROOT / "sample_blends" / "walk_on_slope.blend"


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    installed_extension.install(installed_extension.zip_to_install())
    bpy.ops.wm.open_mainfile(filepath=str(_SAMPLE))
    armature = bpy.context.object
    bpy.ops.heft.bake()  # blocks until done, as it does for any script
    take = armature.heft.takes[armature.heft.active_take]
    report = json.loads(take.action["heft_report"])
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    baked = folder / "baked.blend"
    baked.unlink(missing_ok=True)  # or Blender keeps a .blend1 of it
    bpy.ops.wm.save_as_mainfile(filepath=str(baked), compress=True)
    picture = before_and_after(armature, take, report, folder / "before_and_after.png")
    print(picture)


if __name__ == "__main__":
    main()
