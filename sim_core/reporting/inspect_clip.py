"""What is unphysical in a clip, frame by frame, and what will be hard about it, before any bake."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..arrays import Bools, Floats
from ..performance import Performance, segment_bones
from .measure import NEAR_GROUND, FrameMeasures, summarise
from .outlook import Outlook
from .reasons import forecast_in_words

SKATE_M_S = 0.1
SWING_M_S = 1.0  # a sole that grazes the ground faster is on its way to the next step
SINK_M = 0.01
ERROR_BW = 0.2
FASTEST_RAD_S = 20.0
_JOIN_S = 0.05  # findings nearer to each other than this are one


@dataclass(frozen=True, kw_only=True)
class Finding:
    first: int  # frames as the person counts them, from 1, both included
    last: int
    what: str
    worst: float
    unit: str

    def in_words(self) -> str:
        where = f"frame {self.first}" if self.first == self.last else f"frames {self.first} to {self.last}"
        return f"{where}: {self.what} ({self.worst:.3g} {self.unit} at worst)"


def find_faults(performance: Performance, frames: FrameMeasures) -> list[Finding]:
    """In the order of the frames."""
    grounded = ~frames.flight
    speed = np.nan_to_num(frames.skate)
    sliding = (speed > SKATE_M_S) & (speed < SWING_M_S)
    first = performance.frame_at(0.0)
    join = max(1, round(_JOIN_S * performance.asked.fps))
    kinds: list[tuple[Bools, Floats, str, str]] = [
        (sliding, frames.skate, "a foot on the ground slides", "m/s"),
        (frames.lowest < -SINK_M, -1000.0 * frames.lowest, "the body sinks into the ground", "mm"),
        (
            grounded & (frames.lowest > NEAR_GROUND),
            frames.lowest,
            "the body floats where it needs support",
            "m",
        ),
        (
            frames.physics_error > ERROR_BW,
            frames.physics_error,
            "the motion needs forces that the ground cannot give",
            "body weights",
        ),
        (frames.fastest_joint > FASTEST_RAD_S, frames.fastest_joint, "a joint snaps", "rad/s"),
    ]
    findings = []
    for bad, values, what, unit in kinds:
        for start, stop in _runs(bad, join):
            worst = float(np.nanmax(values[start:stop]))
            said = what
            if what == "a joint snaps":
                link = performance.body.links[int(frames.fastest_link[start + np.argmax(values[start:stop])])]
                said = f"the joint of '{link.bone}' snaps round"
            findings.append(Finding(first=first + start, last=first + stop - 1, what=said, worst=worst, unit=unit))
    return sorted(findings, key=lambda finding: (finding.first, finding.last))


def _runs(bad: Bools, join: int) -> list[tuple[int, int]]:
    """Stretches of bad frames, stop not included; those nearer than `join` frames are one."""
    runs: list[tuple[int, int]] = []
    for frame in np.flatnonzero(bad):
        if runs and frame - runs[-1][1] < join:
            runs[-1] = (runs[-1][0], int(frame) + 1)
        else:
            runs.append((int(frame), int(frame) + 1))
    return runs


def in_words(performance: Performance, frames: FrameMeasures, findings: list[Finding], outlook: Outlook) -> list[str]:
    body, measures = performance.body, summarise(frames)
    lines = [
        f"{len(performance.source.clip)} frames at {performance.asked.fps:g} fps, {performance.bone_map.family} rig, "
        f"{len(body)} simulated segments, {body.height:.2f} m, {body.mass:.0f} kg.",
        *(guess.reason for guess in performance.guesses),
        *performance.warnings,
        f"Foot skate {measures.foot_skate_m_s:.3f} m/s, penetration {1000 * measures.penetration_m:.1f} mm, "
        f"floating {1000 * measures.float_m:.1f} mm, physics error {100 * measures.physics_error_bw:.1f} % of body "
        f"weight, jerk {measures.jerk_m_s3:.0f} m/s^3.",
    ]
    lines += [f"  {finding.in_words()}" for finding in findings] or ["Nothing unphysical was found."]
    # What a source breaks by a little, the bake puts right before it simulates.
    lines += forecast_in_words(outlook) or [f"{'None of this' if findings else 'Nothing'} looks hard to bake."]
    return lines


def inspection(
    performance: Performance, frames: FrameMeasures, findings: list[Finding], outlook: Outlook
) -> dict[str, Any]:
    """Every number of every frame, ready for JSON."""
    first = performance.frame_at(0.0)
    return {
        "fps": performance.asked.fps,
        "first_frame": first,
        "bones": dict(segment_bones(performance)),
        "mass_kg": performance.body.mass,
        "height_m": performance.body.height,
        "guesses": [asdict(guess) for guess in performance.guesses],
        "warnings": list(performance.warnings),
        "ground": asdict(performance.ground_in_own_axes()),
        "summary": asdict(summarise(frames)),
        "findings": [asdict(finding) for finding in findings],
        "hard": [asdict(stretch) for stretch in outlook.hard],
        "forecast": forecast_in_words(outlook),
        "frames": {
            "foot_skate_m_s": _plain(frames.skate),
            "lowest_point_m": _plain(frames.lowest),
            "flight": frames.flight.tolist(),
            "physics_error_bw": _plain(frames.physics_error),
            "vertical_force_bw": _plain(frames.vertical_force),
            "jerk_m_s3": _plain(frames.jerk),
            "fastest_joint_rad_s": _plain(frames.fastest_joint),
        },
    }


def _plain(values: Floats) -> list[float | None]:
    return [round(float(value), 6) if np.isfinite(value) else None for value in values]
