"""The numbers of the falling controller."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class FallGains:
    """Weights w, stiffnesses k [1/s^2] and rates g [1/s] of the objectives; dampings are critical unless given."""

    reflex_s: float = 0.1  # how long the first reaction lasts (Brown 2012, 5.1, has 0.15: who walks then dives)
    w_still: float = 5.0  # of linear momentum that stays what it was, meanwhile
    g_still: float = 10.0
    w_reflex: float = 0.3  # of the pose, meanwhile
    k_reflex: float = 100.0
    w_joints: float = 1.0
    k_joints: float = 150.0
    ready_s: float = 0.15  # in which the pose becomes one that protects
    w_weight: float = 3.0  # of the centre of mass
    k_weight: float = 30.0
    w_turn: float = 2.0  # of the whole body's turn, by angular momentum over inertia
    k_turn: float = 40.0
    w_head: float = 18.0
    k_head: float = 400.0
    head_clear_m: float = 0.15  # what the head is kept from the ground, where it can
    w_no_slip: float = 5.0  # shared by all contacts
    g_no_slip: float = 10.0
    most_contacts: int = 12
    friction_share: float = 0.9
    hold_frequency: float = 30.0  # [rad/s] of the PD between two solves
    full_torque_s: float = 0.005
    low: float = 0.33  # of body height: a centre of mass as low as this has landed,
    slow_m_s: float = 0.3  # once it goes down no faster than this
    latest_s: float = 1.1  # and after this long in any case
    calm_s: float = 0.3  # in which muscles let go then
    arms_s: float = 0.1  # so much later arms let go
    neck_s: float = 0.25  # and the neck
    assist_cost: float = 1e-4

    def limp(self) -> "FallGains":
        """Muscles let go at once."""
        return replace(self, reflex_s=0.0, latest_s=-1.0, calm_s=0.2, arms_s=0.0, neck_s=0.1)

    def stiffer(self, factor: float) -> "FallGains":
        return replace(self, k_joints=factor * self.k_joints)
