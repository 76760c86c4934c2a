"""What can drive the body, in the panel's words; the worker's are the same in small letters."""

# With the numbers that files hold.
CONTROLLER_ITEMS = [
    ("QP", "Tracking", "Finds, at every moment, what the muscles and the feet can do to follow the animation", 0),
    (
        "VA",
        "Virtual Actuators",
        "Balances as if springs drew the body over its feet, and steadies feet that would topple: hard to knock over",
        2,
    ),
    ("PD", "Baseline", "Springs in every joint, and the assist at the pelvis holds the character up", 1),
]
PRESET_ITEMS = [
    ("HEFT", "Heft", "Our own blend: keeps balance and places steps"),
    ("MCSIM", "McSim", "As published in 2008: follows joints and pelvis only, and falls easily"),
    ("YU", "Yu", "As published: moves the centre of mass and the pressure under the feet to stay in balance"),
]
BALANCE_ITEMS = [
    ("NONE", "None", "Joints and pelvis only, as first published"),
    ("FULL_STATE", "Full State", "Every joint answers to the error of the whole body, along the animation"),
    ("THREE_LINK", "Three Link", "Upper body and free leg swing against a fall"),
]


def has_presets(controller: str) -> bool:
    return controller == "QP"


def has_foot_torque(controller: str) -> bool:
    return controller == "VA"


def has_balance(controller: str, preset: str) -> bool:
    return has_presets(controller) and preset == "MCSIM"
