"""The numbers of the virtual actuators, tuned on the clips that docs/virtual_actuators.md names."""

from dataclasses import dataclass, replace

from ..variation import Variation


@dataclass(frozen=True, kw_only=True)
class VaGains:
    """Of a body of one kilogram, where a gain is a force or a torque: heavier ones need as much more."""

    # Pose control (eq. 1).
    full_torque_at_rad: float = 0.5  # a joint so far off is driven with all its strength
    half_life_s: float = 0.06  # of a joint's error
    ankle: float = 0.2  # of the stiffness of an ankle, while its foot stands
    # The virtual force (eq. 7 and 8) and torque (eq. 9 to 12).
    k_fp: float = 14.0  # [N/m]
    k_fd: float = 7.0  # [N s/m]
    k_height: float = 60.0  # [N/m]
    k_l: float = 5.0  # [1/s]
    k_tp: float = 6.0  # [N m/rad]
    k_td: float = 0.6  # [N m s/rad]
    gravity: bool = True
    # Supports.
    near_m: float = 0.02  # a sole point this low can bear
    ramp_s: float = 0.06  # in which a support comes to bear all that it is asked to, and before it leaves no more
    lever_m: float = 0.05  # what a moment under a foot costs, beside shifting load from one foot to the other
    anchor_s: float = 0.05  # half-life with which the reference follows the feet
    zone_m: float = 0.12  # radius of a foot's support zone, where no clip says which foot stands
    # The topple-free foot (eq. 13 and 14).
    sole_share: float = 0.8  # of the sole's length and width, within which the ground's pressure is trusted to lie
    comp_s: float = 0.015  # half-life with which its torque follows what is needed
    patience_s: float = 0.3  # for so long a foot may be asked for more than thr_max, before the body falls
    # The swing leg (eq. 16).
    k_foot: float = 20.0  # [N/m] towards where the foot goes
    d_foot: float = 1.0  # [N s/m]
    returns: float = 0.3  # of the way beside its path, that a step makes up for
    k_sp: float = 6.0  # [N/m]
    k_sd: float = 2.0  # [N s/m]
    # Falling.
    limp: float = 0.25  # of the stiffness that is left
    damped: float = 1.5  # times the usual damping
    # What is kept level.
    k_level: float = 0.6  # [N m/rad]
    # The assist at the pelvis, where it is allowed.
    pelvis_half_life_s: float = 0.1

    def stiffer(self, factor: float) -> "VaGains":
        return replace(self, full_torque_at_rad=self.full_torque_at_rad / factor)

    def varied(self, by: Variation) -> "VaGains":
        return replace(
            self,
            full_torque_at_rad=self.full_torque_at_rad / by.joints,
            k_fp=by.balance * self.k_fp,
            k_fd=by.balance * self.k_fd,
            k_height=by.height * self.k_height,
            k_l=by.spin * self.k_l,
            k_tp=by.trunk * self.k_tp,
            k_td=by.trunk * self.k_td,
            k_sp=by.steps * self.k_sp,
            k_sd=by.steps * self.k_sd,
            near_m=by.near * self.near_m,
        )
