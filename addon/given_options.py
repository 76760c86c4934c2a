"""Options of the worker that have a value; no bpy here."""

from typing import Any


def given_options(values: dict[str, Any]) -> list[str]:
    """What is None is left to the worker."""
    return [f"{option}={_said(value)}" for option, value in values.items() if value is not None]


def _said(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
