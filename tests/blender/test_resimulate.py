"""Re-Simulate From Here: only the rest of a take, after states that are kept outside of the file."""

import json
import os
import shutil
import uuid
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.baking import LAST_FRAME, curves_of, everything, fake_command, import_walk, work_folders

# Notes what it was called with, and writes some states.
WRITES_STATES = """
open(os.path.join(sys.argv[1], 'arguments.json'), 'w').write(json.dumps(arguments))
open(given('--states'), 'wb').write(b'states of ' + given('-o').encode())
"""
HERE = 9


@pytest.fixture(autouse=True)
def states_folder(heft) -> Path:
    folder = heft("addon.baking.user_folder").user_folder("states")
    shutil.rmtree(folder)
    return folder


@pytest.fixture
def played(recorded, tmp_path) -> Path:
    """What the worker plays back; a test may change it."""
    return Path(shutil.copytree(recorded, tmp_path / "played"))


@pytest.fixture
def walk(recorded, walk_clip, heft, played, monkeypatch):
    """The rig with one take, at a frame in its middle."""
    bpy.ops.wm.read_homefile(use_empty=True)
    walk = import_walk(walk_clip)
    monkeypatch.setattr(heft("addon.baking.bake_session"), "worker_command", fake_command(played, WRITES_STATES))
    assert bpy.ops.heft.bake() == {"FINISHED"}
    bpy.context.scene.frame_set(HERE)
    return walk


def arguments(played):
    return json.loads((played / "arguments.json").read_text())


def after(given, option):
    return given[given.index(option) + 1]


def states_of(heft, take):
    return heft("addon.baking.kept_states").kept_states(take.action["heft_id"])


def reason(heft) -> str:
    return heft("addon.baking.resimulate_operator")._why_not_selected(bpy.context)


def test_a_bake_keeps_its_states_outside_of_the_file(heft, walk, played, states_folder):
    given = arguments(played)
    assert Path(after(given, "--states")).parent == Path(after(given, "-o")).parent
    assert not {"--from", "--after"} & set(given)
    (take,) = walk.heft.takes
    assert str(uuid.UUID(take.action["heft_id"])) == take.action["heft_id"]
    kept = states_of(heft, take)
    assert kept.read_bytes() == b"states of " + after(given, "-o").encode()
    assert list(states_folder.iterdir()) == [kept]
    assert not work_folders()


def test_it_simulates_from_the_current_frame_on(heft, walk, played):
    """With the settings as they are now, but the frames of the take."""
    first = walk.heft.takes[0]
    earlier = states_of(heft, first)
    walk.heft.friction, walk.heft.budget_choice = 0.5, "DRAFT"
    walk.heft.frame_start, walk.heft.frame_end = 3, 7
    assert bpy.ops.heft.resimulate() == {"FINISHED"}
    given = arguments(played)
    assert after(given, "--from") == str(HERE)
    assert after(given, "--after") == str(earlier)
    assert after(given, "--first-frame") == "1"
    assert (after(given, "--friction"), after(given, "--budget")) == ("0.5", "draft")
    first, second = walk.heft.takes
    assert (second.source, second.frame_start, second.frame_end) == (first.source, 1, LAST_FRAME)
    assert (walk.animation_data.action, walk.heft.active_take) == (second.action, 1)
    assert second.action["heft_id"] != first.action["heft_id"]
    assert states_of(heft, second) not in (None, earlier)
    sentence = bpy.context.window_manager.heft.sentence
    assert sentence == f"'{walk.name}' plays Take 2 (as Take 1 up to frame {HERE - 1}), frames 1 to {LAST_FRAME}."


def keys_of(action):
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for curve in curves_of(action)
    }


def test_the_frames_before_have_the_same_keys(walk, played):
    """The worker leaves those frames as they were, and nothing that is written after it may mix in later ones."""
    arrays = dict(np.load(played / "out.npz"))
    rotations = arrays["rotations"][HERE - 1 :]
    rotations += np.random.default_rng(5).normal(scale=0.2, size=rotations.shape)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    np.savez(played / "out.npz", **arrays)
    bpy.ops.heft.resimulate()
    first, second = (keys_of(take.action) for take in walk.heft.takes)
    assert first.keys() == second.keys()
    for name, keys in first.items():
        before = [key for key in keys if key[0] < HERE]
        assert [key for key in second[name] if key[0] < HERE] == before
    assert first != second


def test_it_bakes_the_source_of_the_selected_take(heft, walk):
    source = walk.heft.takes[0].source
    other = source.copy()
    heft("addon.compat").assign_action(walk, other)
    bpy.ops.heft.resimulate()
    assert walk.heft.takes[1].source == source
    assert other.users == 1  # not lost with the next save


def test_undo_and_redo(heft, walk):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.heft.resimulate("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    assert [take.name for take in bpy.data.objects[0].heft.takes] == ["Take 1"]
    bpy.ops.ed.redo()
    assert states_of(heft, bpy.data.objects[0].heft.takes[1])


def test_reasons_why_it_is_grey(heft, walk):
    scene, rig = bpy.context.scene, walk.heft
    assert reason(heft) == ""
    assert bpy.ops.heft.resimulate.poll()
    for frame, said in (
        (1, "'Take 1' begins at frame 1, and nothing before it could stay; go to a later frame"),
        (0, "Frame 0 is outside of 'Take 1'; go to one of its frames, 2 to 16."),
        (LAST_FRAME + 1, "Frame 17 is outside of 'Take 1'; go to one of its frames, 2 to 16."),
    ):
        scene.frame_set(frame)
        assert reason(heft).startswith(said)
        assert not bpy.ops.heft.resimulate.poll()
        with pytest.raises(RuntimeError, match=r"at frame 1|outside of"):
            bpy.ops.heft.resimulate()
    scene.frame_set(LAST_FRAME)
    assert bpy.ops.heft.resimulate.poll()
    rig.active_take = -1
    with pytest.raises(RuntimeError, match="Select a take in the list; the source is not one"):
        bpy.ops.heft.resimulate()
    rig.active_take = 0
    rig.takes[0].source, rig.use_range = None, False
    assert reason(heft).startswith("The source of 'Take 1' was deleted")


@pytest.mark.parametrize("way", ["removed", "earlier version", "no id", "deleted action"])
def test_states_that_are_gone(heft, walk, way):
    take = walk.heft.takes[0]
    if way == "removed":
        states_of(heft, take).unlink()
    elif way == "earlier version":
        del take.action["heft_id"]
    elif way == "no id":
        take.action["heft_id"] = "../../secret"
    else:
        bpy.data.actions.remove(take.action)
    assert reason(heft).startswith("The states of 'Take 1' are not on this computer")
    assert not bpy.ops.heft.resimulate.poll()


def test_they_are_found_again_with_the_file(heft, walk, tmp_path):
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert Path(path).read_bytes().find(b"states of ") < 0
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.context.scene.frame_set(HERE)
    assert reason(heft) == ""


def test_a_worker_that_refuses_says_so(heft, walk, played, monkeypatch, states_folder):
    refuses = "say(type='error', message='The states are of another rig; bake it again.', exit_status=2); sys.exit(2)"
    monkeypatch.setattr(heft("addon.baking.bake_session"), "worker_command", fake_command(played, refuses))
    before, kept = everything(), sorted(states_folder.iterdir())
    with pytest.raises(RuntimeError, match=r"The states are of another rig; bake it again\."):
        bpy.ops.heft.resimulate()
    assert everything() == before
    assert sorted(states_folder.iterdir()) == kept


def test_a_bake_that_fails_leaves_no_states(heft, walk, monkeypatch, states_folder):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(heft("addon.baking.bake_session"), "add_take", fail)
    kept = sorted(states_folder.iterdir())
    with pytest.raises(RuntimeError, match="not enough memory"):
        bpy.ops.heft.bake()
    assert sorted(states_folder.iterdir()) == kept


def test_a_bake_whose_states_cannot_be_kept_is_still_a_take(heft, walk, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(heft("addon.baking.kept_states").shutil, "copyfile", full)
    assert bpy.ops.heft.bake() == {"FINISHED"}
    assert states_of(heft, walk.heft.takes[1]) is None


class TestPruning:
    def write(self, heft, tmp_path, count, size):
        """So many states, one second after the other, oldest first; those that are kept."""
        store = heft("addon.baking.kept_states")
        written = tmp_path / "states.npz"
        ids = []
        for number in range(count):
            written.write_bytes(bytes(size))
            ids.append(store.new_take_id())
            store.keep_states(written, ids[-1])
            path = store.kept_states(ids[-1])
            if path is not None:
                os.utime(path, (1e9 + number, 1e9 + number))
        store.keep_states(written, store.new_take_id())  # the newest of all
        return [take_id for take_id in ids if store.kept_states(take_id)], ids

    def test_the_newest_twenty(self, heft, tmp_path, states_folder):
        kept, ids = self.write(heft, tmp_path, 24, 1)
        assert kept == ids[-19:]
        assert len(list(states_folder.iterdir())) == 20

    def test_the_newest_that_fit(self, heft, tmp_path, states_folder, monkeypatch):
        monkeypatch.setattr(heft("addon.baking.kept_states"), "MOST_BYTES", 1000)
        kept, ids = self.write(heft, tmp_path, 6, 300)
        assert kept == ids[-2:]
        assert sum(path.stat().st_size for path in states_folder.iterdir()) <= 1000

    def test_one_that_is_too_large_by_itself_is_not_kept_and_removes_none(self, heft, tmp_path, monkeypatch):
        store = heft("addon.baking.kept_states")
        kept, _ = self.write(heft, tmp_path, 2, 10)
        monkeypatch.setattr(store, "MOST_BYTES", 1000)
        large, take_id = tmp_path / "large.npz", store.new_take_id()
        large.write_bytes(bytes(1001))
        store.keep_states(large, take_id)
        assert store.kept_states(take_id) is None
        assert all(store.kept_states(other) for other in kept)
