"""The one family of errors that reaches a person.

Every message is a sentence that says what was expected, what was found and what to do.
"""

from collections.abc import Mapping


class HeftError(Exception):
    """Something a person can act on; the message is shown to them as it is."""


class MotionFileError(HeftError):
    """A motion file that cannot be read or written."""


class RigError(HeftError):
    """A skeleton that cannot be understood as a biped, with the bones of the segments that were recognised."""

    def __init__(self, message: str, found: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.found: dict[str, str] = dict(found or {})


class SettingsError(HeftError):
    """An option whose value makes no sense."""


class EngineMissingError(HeftError):
    """A physics engine that is not installed."""


class SimulationError(HeftError):
    """A simulation that left the realm of numbers."""


class PictureError(HeftError):
    """A picture that cannot be drawn."""


class Cancelled(HeftError):  # noqa: N818 - being cancelled is an outcome, not a failure
    """The person asked to stop."""


class Stopped(HeftError):  # noqa: N818 - likewise
    """The person asked to stop, and to keep what there is."""
