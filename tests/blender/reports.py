"""Reports as a worker writes them, for what shows them."""

from typing import Any

MEASURES = {
    "foot_skate_m_s": 0.30,
    "penetration_m": 0.012,
    "float_m": 0.001,
    "physics_error_bw": 0.4,
    "jerk_m_s3": 300.0,
}


def made_report(**changes: Any) -> dict[str, Any]:
    return {
        "completed": True,
        "frames": 120,
        "fell_at_frame": None,
        "why": None,
        "assist": {"mean_bw": 0.05, "peak_bw": 0.21},
        "before": MEASURES,
        "after": {**MEASURES, "foot_skate_m_s": 0.02, "penetration_m": 0.001, "jerk_m_s3": 600.0},
        "tracking": {"joint_deg": 2.34, "root_drift_m": 0.06},
        "warnings": [],
        "budget": "good",
        "stopped": False,
        "simulated_to_frame": None,
        "given_up": [],
        **changes,
    }


def given_up(first: int, last: int, **changes: Any) -> dict[str, Any]:
    return {
        "first_frame": first,
        "last_frame": last,
        "assist_mean_bw": 0.12,
        "assist_peak_bw": 0.3,
        "lost": False,
        "sentence": f"Frames {first}-{last}: the body falls to the left faster than a step can catch it.",
        "advice": ["Land the left foot further out.", "Lean less into the turn."],
        **changes,
    }
