"""Constants of nature, and what follows from them."""

GRAVITY = 9.81  # [m/s^2], along -Z

# Of body weight: a motion that needs more force than this must touch something, one that needs less may be in the air.
FLIGHT_FORCE = 0.35
