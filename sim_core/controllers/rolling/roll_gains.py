"""The numbers of the rolling controller, tuned on the clips that docs/rolling.md names."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ..variation import Variation

Choice: TypeAlias = Literal["pressure", "force", "none"]


@dataclass(frozen=True, kw_only=True)
class RollGains:
    """Weights w, stiffnesses k [1/s^2] and rates g [1/s] of the objectives; dampings are critical unless given."""

    w_joints: float = 1.0
    k_joints: float = 350.0
    w_speed: float = 60.0  # of the centre of mass along its way
    g_speed: float = 5.7
    w_aside: float = 30.0  # and across
    k_aside: float = 11.0
    most_aside_m: float = 0.05  # that it is drawn back across: farther, and it topples over one foot
    more_aside_m: float = 1.0  # and on a slant, by its sine: there all of it, or it is carried off
    w_slant: float = 3.3  # how much more it weighs on a slant, by its sine: there weight topples over at once,
    k_slant: float = 3.5  # and the stiffness is to be above that of its fall, gravity over height
    w_height: float = 10.0
    w_led_height: float = 60.0  # on level ground, where the reference has its weight go as a body's would: uphill, who
    # is pushed up before his weight is over his feet is pushed back
    k_height: float = 36.0
    w_turn: float = 25.0  # of the whole body's orientation, by angular momentum over inertia
    k_turn: float = 60.0
    g_turn: float = 16.0
    w_no_slip: float = 13.0  # shared by all contacts
    g_no_slip: float = 10.0
    w_head: float = 18.0  # of a head that is kept off the ground
    k_head: float = 400.0
    w_under: float = 30.0  # of a foot that is about to bear, beside the weight
    k_under: float = 200.0
    ahead: float = 0.06  # of a roll: the pose that may be aimed at
    behind: float = 0.036
    blends: bool = False  # of the two, or the pose of the phase alone, which tracks better
    by_excursion: bool = True  # or by time
    choose: Choice = "pressure"  # the contacts that matter, where there are more than are used
    most_contacts: int = 12  # that are used
    pace_s: float = 0.12  # in which the phase that is followed comes to the one that is measured
    slowest: float = 0.3  # of the clip's pace
    fastest: float = 2.0
    g_known: float = 5.9  # rate at which a known pose corrects the excursion
    known_rad: float = 0.35  # mean joint error at which a pose is hardly known any more
    friction_share: float = 0.9
    hold_frequency: float = 30.0  # [rad/s] of the PD between two solves
    full_torque_s: float = 0.005
    assist_cost: float = 1e-4

    def stiffer(self, factor: float) -> "RollGains":
        return replace(self, k_joints=factor * self.k_joints)

    def varied(self, by: Variation) -> "RollGains":
        return replace(
            self,
            k_joints=by.joints * self.k_joints,
            w_speed=by.balance * self.w_speed,
            w_aside=by.balance * self.w_aside,
            k_height=by.height * self.k_height,
            w_height=by.trunk * self.w_height,
            w_led_height=by.trunk * self.w_led_height,
            w_turn=by.momentum * self.w_turn,
            k_turn=by.spin * self.k_turn,
            w_no_slip=by.grip * self.w_no_slip,
            ahead=min(by.reach * self.ahead, 0.3),
        )
