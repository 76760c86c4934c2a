"""Recordings in which feet bear the weight in the frames told."""

import numpy as np

from sim_core.body.body import Body
from sim_core.engines.engine import GROUND
from sim_core.scene import Scene
from sim_core.simulation.recording import GroundContacts, Recording
from tests.makers import no_ground_contacts

FPS, RATE = 60.0, 480.0
SCENE = Scene()


def bearing(body: Body, frames: int, bears: np.ndarray | None) -> Recording:
    """One in which both feet bear half the weight each in the frames told."""
    steps = int((frames - 1) * RATE / FPS) + 1
    contacts = no_ground_contacts()
    if bears is not None:
        loaded = np.flatnonzero(np.repeat(bears, int(RATE / FPS))[:steps])
        links = np.array([body.index("foot_l"), body.index("foot_r")])
        contacts = GroundContacts(
            np.repeat(loaded, 2),
            np.tile(links, len(loaded)),
            np.zeros((2 * len(loaded), 3)),
            np.tile([0.0, 0.0, 0.5 * body.mass * SCENE.gravity], (2 * len(loaded), 1)),
            np.full(2 * len(loaded), GROUND),
        )
    return Recording(
        rate=RATE,
        q=np.tile(body.zero_q, (steps, 1)),
        v=np.zeros((steps, body.nv)),
        things=np.zeros((steps, 0, 13)),
        assist_force=np.zeros((steps, 3)),
        assist_torque=np.zeros((steps, 3)),
        foot_torque=np.zeros((steps, 2, 3)),
        torque_ratio=np.zeros(steps),
        rows=np.arange(steps),
        displaced=np.zeros((steps, 3)),
        ground_force=np.zeros((steps, 3)),
        ground_contacts=contacts,
        failure=None,
        failed_at_s=None,
        solve_count=None,
        cpu_s=0.0,
    )
