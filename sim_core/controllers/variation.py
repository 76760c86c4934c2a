"""What one window of a bake may do differently from all others: a search draws these, a controller follows them."""

from typing import NamedTuple


class Variation(NamedTuple):
    """Factors of a controller's gains, and small shifts of what it aims at; the default changes nothing.

    Shifts are along the character: ahead is where its hips face in the reference, aside is to its left, up along the
    ground's normal.
    """

    joints: float = 1.0  # stiffness of the pose
    arms: float = 1.0  # weight of the arms' pose: low lets them swing for balance
    trunk: float = 1.0  # weight of the pelvis' orientation
    balance: float = 1.0  # weight of the centre of mass
    height: float = 1.0  # stiffness of its height
    momentum: float = 1.0  # weight of angular momentum
    spin: float = 1.0  # rate at which angular momentum is corrected
    swing: float = 1.0  # weight of swinging feet
    reach: float = 1.0  # stiffness of swinging feet
    grip: float = 1.0  # weight of standing still
    steps: float = 1.0  # how far beside its mark a foot lands, of what balance asks for
    near: float = 1.0  # how low a sole must be to bear
    ahead_m: float = 0.0  # of the centre of mass
    aside_m: float = 0.0
    up_m: float = 0.0
    ahead_m_s: float = 0.0  # of its velocity
    aside_m_s: float = 0.0
    up_m_s: float = 0.0
    foot_ahead_m: float = 0.0  # of where feet land
    foot_aside_m: float = 0.0
    lean_ahead: float = 0.0  # of the pelvis [rad]
    lean_aside: float = 0.0
    roll: float = 0.0  # of angular momentum over mass: about ahead, aside, up [m^2/s]
    pitch: float = 0.0
    yaw: float = 0.0
    lead_s: float = 0.0  # how much earlier things are done
    reading: int = 0  # which reading of the clip is followed: the first is the usual one
    fall: tuple[float, ...] = ()  # the script of a fall (falling/fall_script.py); as usual where there is none


AS_IT_IS = Variation()
