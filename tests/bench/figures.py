"""The figures of a bake that meets every target."""

from bench.bake_rows import Figures
from sim_core.reporting.measure import Measures

FIGURES = Figures(
    seconds=4.0,
    completed=True,
    why=None,
    fell_at_s=None,
    assist_mean_bw=0.0,
    assist_peak_bw=0.0,
    assist_limit_bw=0.0,
    assist_hold_bw=0.0,
    frames_helped=0,
    joint_deg=3.0,
    mpjpe_root_mm=20.0,
    mpjpe_global_mm=60.0,
    root_drift_m=0.1,
    before=Measures(foot_skate_m_s=0.3, penetration_m=0.01, float_m=0.01, physics_error_bw=0.2, jerk_m_s3=300.0),
    after=Measures(foot_skate_m_s=0.05, penetration_m=0.001, float_m=0.001, physics_error_bw=0.01, jerk_m_s3=90.0),
    rollouts=1,
    rollouts_s=4.5,
    search_cpu_s=1.4,
    cpu_s=2.0,
    cpu_s_per_simulated_s=0.3,
    given_up=(),
)
