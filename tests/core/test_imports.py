"""The architecture, read from the imports themselves: who may import what, and that imports point one way."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

CORE = Path(__file__).parents[2] / "sim_core"

# Every room, and every module beside the rooms; each may import only from those before it.
_ORDER = """
    arrays errors constants roll_span fall_span atomic_write progress messages rotations filters qp world disturbances
    scene scene_file settings realism motion rig body dynamics posing keys staging engines reference rolling falling
    surroundings samples controllers simulation performance as_followed goes_on reporting bake roll_options roll_values
    fall_options fall_values options disturbance_options option_values cancelling console listeners commands cli
    __main__
"""
ORDER = _ORDER.split()
# Packages that are heavy or may be missing, and the only files that may know them.
AT_HOME = {
    "pybullet": "engines/bullet*.py",
    "mujoco": "engines/mujoco.py",
    "daqp": "qp.py",
    "osqp": "qp.py",
    "cmaes": "simulation/fall_search.py",
    "matplotlib": "reporting/*.py",
    "distributed": "simulation/cluster.py",
    "bpy": "nowhere",
}


class Import(NamedTuple):
    file: Path  # within sim_core
    module: str  # dotted; of sim_core's own without its name in front
    own: bool  # one of sim_core's


def _imports() -> Iterator[Import]:
    for path in sorted(CORE.rglob("*.py")):
        file = path.relative_to(CORE)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (Import(file, alias.name, False) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield Import(file, str(node.module), False)
            elif isinstance(node, ast.ImportFrom):
                above = list(file.parts[: len(file.parts) - node.level])
                ends = [node.module] if node.module else [alias.name for alias in node.names]
                yield from (Import(file, ".".join([*above, end]), True) for end in ends)


IMPORTS = list(_imports())


def _room(file: Path) -> str:
    return file.parts[0].removesuffix(".py")


def test_every_room_has_its_place_in_the_order():
    assert {_room(path.relative_to(CORE)) for path in CORE.rglob("*.py")} - {"__init__"} == set(ORDER)


@pytest.mark.parametrize("package", AT_HOME)
def test_only_its_own_file_imports(package):
    strangers = [
        found.file.as_posix()
        for found in IMPORTS
        if not found.own and found.module.split(".")[0] == package and not found.file.match(AT_HOME[package])
    ]
    assert strangers == []


def test_the_core_names_itself_only_relatively():
    assert [found for found in IMPORTS if not found.own and found.module.split(".")[0] in ("sim_core", "tests")] == []


def test_imports_point_one_way():
    backwards = set()
    for found in IMPORTS:
        if found.own:
            room, asked = _room(found.file), found.module.split(".")[0]
            if room != asked and ORDER.index(asked) >= ORDER.index(room):
                backwards.add((room, found.module))
    assert backwards == set()


def test_modules_never_import_each_other_in_a_circle():
    needs: dict[str, set[str]] = {}
    for found in IMPORTS:
        if found.own:
            needs.setdefault(".".join(found.file.with_suffix("").parts), set()).add(found.module)
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, f"A circle of imports: {' -> '.join([*path, module])}."
        if module not in done:
            for needed in sorted(needs.get(module, ())):
                visit(needed, (*path, module))
            done.add(module)

    for module in sorted(needs):
        visit(module, ())
