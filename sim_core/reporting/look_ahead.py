"""What a bake of a performance would find hard, without baking it."""

from ..performance import Performance
from ..progress import Progress
from ..reference.forecast import forecast
from ..reference.reference import build_reference
from ..settings import BakeSettings
from .outlook import Outlook, outlook_of

_BUILDING = 0.9  # of the time; the forecast takes the rest


def look_ahead(performance: Performance, settings: BakeSettings, progress: Progress = lambda fraction: None) -> Outlook:
    """On the reference that a bake with these settings would follow; pushes are not looked at."""
    body, scene = performance.body, performance.scene
    rate = 1.0 / settings.step_s
    reference = build_reference(
        performance.motion,
        body,
        scene,
        settings.reference,
        rate=rate,
        hold_s=settings.hold_s,
        made_for=performance.made_for,
        progress=lambda fraction: progress(_BUILDING * fraction),
    )
    found = forecast(body, reference, scene, lambda fraction: progress(_BUILDING + (1.0 - _BUILDING) * fraction))
    return outlook_of(found, performance, rate)
