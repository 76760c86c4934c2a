"""The object that was chosen as a handle, if it is still there."""

from bpy.types import Object

from ...sim_core.errors import SettingsError
from ..disturbances.disturbance import Handle


def handle_of(chosen: Object | None, what: str) -> Handle | None:
    """None where there is none; raises where it was deleted. `what` is "roll" or "fall"."""
    if chosen is None:
        return None
    if is_deleted(chosen):
        raise SettingsError(f"The handle '{chosen.name}' of the {what} was deleted; add another, or clear the field.")
    return Handle(chosen.name, chosen.session_uid)


def is_deleted(handle: Object) -> bool:
    """It is still there as long as something points to it, but in no scene."""
    return not handle.users_scene
