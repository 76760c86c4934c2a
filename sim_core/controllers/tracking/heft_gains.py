"""The numbers of Heft's own preset, tuned on the twelve clips that docs/tracking.md names."""

from dataclasses import dataclass, field, replace

from ..variation import Variation
from .balance_plan import BalanceCosts


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Weights w, stiffnesses k [1/s^2] and rates g [1/s] of the objectives; dampings are critical."""

    w_joints: float = 1.0
    k_joints: float = 400.0
    w_root: float = 5.0
    k_root: float = 200.0
    w_com: float = 300.0
    k_com: float = 40.0  # along the ground, where no foot stands
    k_height: float = 150.0
    w_momentum: float = 1.0  # of a body of 45 kg
    g_momentum: float = 8.0
    w_no_slip: float = 7.5  # each sole point
    g_no_slip: float = 20.0
    w_rest: float = 15.0  # of no slip, each point of hands, knees or back
    w_rest_down: float = 10.0  # of putting down a hand that is to bear
    w_put_down: float = 3.0
    k_put_down: float = 400.0
    w_swing: float = 30.0
    w_swing_turn: float = 3.0
    k_swing: float = 400.0
    w_level: float = 100.0  # of a segment that is to stay level
    k_level: float = 900.0
    steps: bool = True  # feet land where balance needs them; on their marks otherwise
    farthest_step_m: float = 0.4  # from below the centre of mass's own error
    near_m: float = 0.02  # a sole point this low can bear
    ramp_s: float = 0.08  # in which a foot that lands comes to bear all it can, and before it leaves no more
    joint_limits: bool = True
    friction_share: float = 0.9  # of the true one, so that a force at the edge of the cone holds
    hold_frequency: float = 30.0  # [rad/s] of the PD between two solves
    full_torque_s: float = 0.005  # no motor comes to its full strength in less
    assist_cost: float = 1e-4
    balance: BalanceCosts = field(default_factory=BalanceCosts)

    def stiffer(self, factor: float) -> "Gains":
        """Joints that hold their pose more firmly; their damping goes with it."""
        return replace(self, k_joints=factor * self.k_joints)

    def varied(self, by: Variation) -> "Gains":
        return replace(
            self,
            k_joints=by.joints * self.k_joints,
            w_root=by.trunk * self.w_root,
            w_com=by.balance * self.w_com,
            k_height=by.height * self.k_height,
            w_momentum=by.momentum * self.w_momentum,
            g_momentum=by.spin * self.g_momentum,
            w_swing=by.swing * self.w_swing,
            k_swing=by.reach * self.k_swing,
            w_no_slip=by.grip * self.w_no_slip,
            near_m=by.near * self.near_m,
        )
