"""What a running bake must know of: files that are loaded or saved, undo, and the end of the extension."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..leftovers import sweep
from .bake_series import Session

_running: list[Session] = []  # one at most


def running() -> Session | None:
    return _running[0] if _running else None


def begin(session: Session) -> None:
    end()
    _running.append(session)


def end() -> None:
    """Close the bake that is running, if any; its operator finds out at its next tick."""
    while _running:
        _running.pop().close()


@persistent
def _before_load(*_: Any) -> None:
    end()


@persistent
def _after_load(*_: Any) -> None:
    """A file that was saved during a bake still says that one is running."""
    for manager in bpy.data.window_managers:
        manager.heft.running = manager.heft.cancel = False
        manager.heft.stage = manager.heft.sentence = ""
    sweep()


@persistent
def _before_data_leave(*_: Any) -> None:
    """Saved or exchanged by undo: a temporary scene may not be among them."""
    session = running()
    if session is not None:
        session.pause()


@persistent
def _after_undo(*_: Any) -> None:
    sweep()


_HANDLERS = {
    "load_pre": _before_load,
    "load_post": _after_load,
    "save_pre": _before_data_leave,
    "undo_pre": _before_data_leave,
    "redo_pre": _before_data_leave,
    "undo_post": _after_undo,
    "redo_post": _after_undo,
}


def register() -> None:
    for name, function in _HANDLERS.items():
        getattr(bpy.app.handlers, name).append(function)


def unregister() -> None:
    end()
    for name, function in _HANDLERS.items():
        getattr(bpy.app.handlers, name).remove(function)
