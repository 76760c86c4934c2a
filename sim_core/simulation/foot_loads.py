"""How much of the body's weight each foot bears at every step of a recording."""

import numpy as np

from ..arrays import Bools, Floats
from ..body.body import Body
from ..scene import Scene
from ..world.ground import GROUND
from .recording import GroundContacts, Recording


def foot_loads(recording: Recording, body: Body, scene: Scene, *, on_loose: bool = True) -> Floats:
    """(S, 2) on the left foot and the right, along the ground's normal, in body weights; with or without what the
    loose things of the scene carry of it."""
    contacts = recording.ground_contacts
    along = contacts.forces @ scene.ground.normal
    counted = np.ones(len(along), dtype=bool) if on_loose else _on_firm(contacts, scene)
    loads = np.zeros((len(recording.q), 2))
    for k, mine in enumerate((body.soles.left, ~body.soles.left)):
        on_foot = counted & np.isin(contacts.links, body.soles.links[mine])
        np.add.at(loads[:, k], contacts.steps[on_foot], along[on_foot])
    return loads / (body.mass * scene.gravity)


def _on_firm(contacts: GroundContacts, scene: Scene) -> Bools:
    firm = [number for number, thing in enumerate(scene.things) if thing.loose is None]
    return np.isin(contacts.things, [GROUND, *firm])
