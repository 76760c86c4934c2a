"""Other readings of the same clip: smoother or livelier, with contacts told more or less strictly."""

from dataclasses import replace

from ..body.body import Body
from ..motion.clip import Clip
from ..progress import Progress
from ..reference.reference import Reference, build_reference
from ..scene import Ground, Scene
from ..settings import BakeSettings, ReferenceSettings


def reading(
    clip: Clip,
    body: Body,
    scene: Scene,
    made_for: Ground | None,
    settings: BakeSettings,
    how: ReferenceSettings,
    progress: Progress,
) -> Reference:
    return build_reference(
        clip,
        body,
        scene,
        how,
        rate=1.0 / settings.step_s,
        hold_s=settings.hold_s,
        made_for=made_for,
        progress=progress,
    )


def other_readings(
    clip: Clip, body: Body, scene: Scene, made_for: Ground | None, settings: BakeSettings, progress: Progress
) -> tuple[Reference, ...]:
    usual = settings.reference
    calm = replace(usual, cutoff_hz=6.0, contact_height_m=0.03, contact_speed_m_s=0.6)
    lively = replace(usual, cutoff_hz=12.0, contact_height_m=0.05, contact_speed_m_s=1.2)
    return (
        reading(clip, body, scene, made_for, settings, calm, lambda fraction: progress(0.5 * fraction)),
        reading(clip, body, scene, made_for, settings, lively, lambda fraction: progress(0.5 + 0.5 * fraction)),
    )
