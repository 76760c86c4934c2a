"""Published tables of the human body, as fractions of height and mass.

Masses, centres of mass and radii of gyration: de Leva 1996, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
parameters", J. Biomechanics 29, table 4, mean of women and men. Lengths and breadths: Drillis and Contini 1966, as in
Winter, "Biomechanics and Motor Control of Human Movement", fig. 4.1. Ranges of motion: American Academy of Orthopaedic
Surgeons 1965, as in Norkin and White, "Measurement of Joint Motion". Strength of the legs follows the size of the
isometric maxima in Anderson, Madigan and Nussbaum 2007, "Maximum voluntary joint torque as a function of joint angle
and angular velocity: model development and application to the lower limb", J. Biomechanics 40; that of trunk, neck
and arms is set in proportion, so that lifting, throwing and standing on the hands stay possible.
"""

from typing import NamedTuple

BODY_MASS_INDEX = 22.0  # kg / m^2, the middle of the WHO's normal range
LEG_LENGTH = 0.491  # thigh + shank, of height (Drillis and Contini: 0.245 + 0.246)
ANKLE_HEIGHT = 0.039
BALL_HEIGHT = 0.015  # ball of the foot above the sole; half the forefoot's thickness
FOOT_BREADTH = 0.055
HEEL_BEHIND_ANKLE = 0.033
BALL_AHEAD_OF_ANKLE = 0.085
TOE_LENGTH = 0.04
HAND_LENGTH = 0.108
HEAD_LENGTH = 0.13

# The least inertia of a link [kg m^2] in a body of the reference size: lighter ones (toes, hands) turn faster than a
# physics step of 2 ms can follow. Measured: without it toes went to NaN, with it both engines stay calm.
SMALLEST_INERTIA = 0.01
REFERENCE_MASS, REFERENCE_HEIGHT = 70.0, 1.75

# A performance may ask more of a joint than an average volunteer's isometric best.
STRENGTH_HEADROOM = 1.5


class Segment(NamedTuple):
    """What the tables say of one segment."""

    mass: float  # of body mass
    com: float  # along the segment from its joint
    gyration_across: float  # radius of gyration across the segment, of its length
    gyration_along: float
    radius: float  # of the flesh, of height
    torque: float  # strength of the joint that moves it, at the reference height [N m / kg]


# De Leva's head is cut here at a fifth for the neck, the upper trunk gives each shoulder girdle 1.4 % of body mass,
# and the foot gives the toes a seventh: the tables do not split these.
SEGMENTS: dict[str, Segment] = {
    "pelvis": Segment(0.1182, 0.50, 0.58, 0.58, 0.053, 0.0),
    "abdomen": Segment(0.0775, 0.50, 0.45, 0.45, 0.056, 2.9),
    "spine": Segment(0.0775, 0.50, 0.45, 0.45, 0.058, 2.9),
    "chest": Segment(0.1290, 0.50, 0.50, 0.50, 0.062, 2.9),
    "neck": Segment(0.0136, 0.50, 0.30, 0.25, 0.030, 0.75),
    "head": Segment(0.0545, 0.50, 0.33, 0.28, 0.055, 0.60),
    "clavicle": Segment(0.0140, 0.60, 0.30, 0.20, 0.030, 1.4),
    "upper_arm": Segment(0.0263, 0.577, 0.273, 0.153, 0.027, 1.4),
    "forearm": Segment(0.0150, 0.457, 0.264, 0.108, 0.021, 0.95),
    "hand": Segment(0.0059, 0.36, 0.26, 0.16, 0.018, 0.30),
    "thigh": Segment(0.1447, 0.386, 0.349, 0.156, 0.042, 3.8),
    "shin": Segment(0.0457, 0.444, 0.263, 0.098, 0.030, 3.8),
    "foot": Segment(0.0114, 0.44, 0.27, 0.13, 0.030, 2.3),
    "toes": Segment(0.0019, 0.50, 0.27, 0.13, 0.020, 0.90),
}


class Range(NamedTuple):
    """Degrees about the body's right, forward and up axes, for the right side; the left mirrors the last two."""

    pitch: tuple[float, float]  # limbs: forward swing is positive; trunk and head: backward bend is positive
    roll: tuple[float, float]  # limbs: towards the body's left is positive
    twist: tuple[float, float]  # towards the body's left is positive


# Trunk ranges are those of the whole spine shared out over its joints.
RANGES: dict[str, Range] = {
    "abdomen": Range((-45, 20), (-25, 25), (-20, 20)),
    "spine": Range((-40, 20), (-25, 25), (-25, 25)),
    "chest": Range((-40, 20), (-25, 25), (-30, 30)),
    "neck": Range((-40, 40), (-35, 35), (-50, 50)),
    "head": Range((-35, 40), (-30, 30), (-50, 50)),
    "clavicle": Range((-30, 30), (-40, 15), (-30, 30)),
    "upper_arm": Range((-60, 180), (-180, 50), (-90, 90)),
    "forearm": Range((-5, 150), (-15, 15), (-90, 90)),
    "hand": Range((-75, 75), (-35, 35), (-30, 30)),
    "thigh": Range((-30, 125), (-50, 35), (-50, 50)),
    "shin": Range((-150, 5), (-8, 8), (-20, 20)),
    "foot": Range((-55, 30), (-35, 35), (-30, 30)),
    "toes": Range((-45, 75), (-10, 10), (-10, 10)),
}
