"""Drawing that Blender calls for: added and removed as one, and never a second error on the console."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import bpy
from bpy.types import Context, Space

Draw = Callable[[Context], None]


class Drawing(NamedTuple):
    """One function that draws into the main region of one kind of editor."""

    space: type[Space]
    moment: str  # "POST_VIEW": in the scene's own coordinates; "POST_PIXEL": in pixels, over all else
    draw: Draw


class DrawHandlers:
    """The drawings of one subject. After an unexpected error it draws no more and says so, once."""

    def __init__(self, subject: str, drawings: tuple[Drawing, ...]) -> None:
        self._subject = subject  # as the panel calls it
        self._drawings = drawings
        self._handles: list[tuple[type[Space], Any]] = []
        self._broken = False

    def add(self) -> None:
        self._broken = False
        if bpy.app.background:  # there is no screen, and no shader can be made
            return
        for drawing in self._drawings:
            handle = drawing.space.draw_handler_add(partial(self._draw, drawing.draw), (), "WINDOW", drawing.moment)
            self._handles.append((drawing.space, handle))

    def remove(self) -> None:
        for space, handle in self._handles:
            space.draw_handler_remove(handle, "WINDOW")
        self._handles.clear()

    def _draw(self, draw: Draw) -> None:
        if self._broken:
            return
        try:
            draw(bpy.context)
        except Exception as error:  # whatever it is, the next redraw would only say it again
            self._broken = True
            say_later(
                f"{self._subject} cannot be drawn ({type(error).__name__}: {error}). It stays off until Heft is "
                "switched off and on in the preferences; your keys are not affected.",
                "ERROR",
            )


def say_later(sentence: str, kind: str) -> None:
    """Into the panel, when the drawing is over: Blender does not let a drawing change data."""
    bpy.app.timers.register(partial(_say, sentence, kind), first_interval=0.0)


def _say(sentence: str, kind: str) -> None:
    status = getattr(bpy.context.window_manager, "heft", None)
    if status is not None:  # Heft may have been switched off since
        status.sentence, status.sentence_kind = sentence, kind
