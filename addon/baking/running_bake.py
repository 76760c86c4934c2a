"""What operators that bake share: one that runs beside the person's work, or blocks a script until it is done."""

import time

from bpy.types import Context, Event, Timer

from . import handlers
from .bake_series import Session
from .bake_session import BakeStatus
from .outcome import Outcome

_TICK_S = 0.02
IS_RUNNING = "A bake is running; wait for it or cancel it."


class RunningBake:
    """Mixed into an Operator that says which session it runs."""

    bl_options = {"UNDO"}  # not REGISTER: Repeat Last would run `execute`, which blocks

    _timer: Timer | None = None

    def new_session(self, context: Context) -> Session:
        raise NotImplementedError

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Beside the person's work."""
        self._session = self.new_session(context)
        handlers.begin(self._session)
        _show(context, BakeStatus(stage="Reading the animation", fraction=0.0))
        self._timer = context.window_manager.event_timer_add(_TICK_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "ESC" and event.value == "PRESS":
            self._session.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        if context.window_manager.heft.cancel:
            self._session.cancel()
        result = self._session.step()
        if isinstance(result, BakeStatus):
            _show(context, result)
            return {"RUNNING_MODAL"} if event.type == "ESC" else {"PASS_THROUGH"}
        self._stop_timer(context)
        return self._finish(context, result)

    def cancel(self, context: Context) -> None:
        """Blender takes the operator away, as when its window closes."""
        self._session.close()
        self._stop_timer(context)
        self._finish(context, self._session.step())

    def execute(self, context: Context) -> set[str]:
        """For scripts: until it is done."""
        self._session = self.new_session(context)
        handlers.begin(self._session)
        try:
            while not isinstance(result := self._session.step(), Outcome):
                if result.waits:
                    time.sleep(_TICK_S)
        finally:  # Ctrl-C
            handlers.end()
        return self._finish(context, result)

    def _finish(self, context: Context, outcome: Outcome) -> set[str]:
        if handlers.running() is self._session:
            handlers.end()
        status = context.window_manager.heft
        status.running = status.cancel = False
        status.fraction, status.time_left_s, status.stage = 0.0, -1.0, ""
        status.sentence, status.sentence_kind = outcome.sentence, outcome.kind
        _redraw(context)
        # A report of an error raises in a script that called the operator: there it is the way to say it.
        self.report({outcome.kind}, outcome.sentence)
        return {"FINISHED"} if outcome.baked else {"CANCELLED"}

    def _stop_timer(self, context: Context) -> None:
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None


def _show(context: Context, status: BakeStatus) -> None:
    shown = context.window_manager.heft
    stage = "Cancelling" if shown.cancel else status.stage
    before = (shown.running, shown.stage, round(100 * shown.fraction))
    shown.running, shown.stage, shown.fraction = True, stage, status.fraction
    shown.time_left_s = -1.0 if status.time_left_s is None else status.time_left_s
    if before != (True, stage, round(100 * status.fraction)):
        _redraw(context)


def _redraw(context: Context) -> None:
    """The sidebars alone: a viewport that is full of meshes takes longer to draw than the bake may block."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
