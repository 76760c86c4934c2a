"""Loose things: which are stepped on, and where feet bear that have come to stand on one."""

import numpy as np
import pytest

from sim_core.controllers.tracking.stance import feet_on_loose
from sim_core.engines.engine import Contacts
from sim_core.scene import Scene
from sim_core.world.solids import Ball, Cuboid
from sim_core.world.thing import Loose, Thing
from tests.clips import person


def _stone(height_m: float, **loose: object) -> Thing:
    solid = Cuboid(half_extents=np.array([0.1, 0.1, 0.5 * height_m]))
    return Thing(
        name="stone", solids=(solid,), position=np.array([0, 0, 0.5 * height_m]), loose=Loose(mass=3.0, **loose)
    )


def test_low_stones_are_planned_for_and_high_blocks_are_not():
    assert _stone(0.08).is_rubble
    assert not _stone(0.2).is_rubble
    assert not _stone(0.08, velocity=np.array([1.0, 0.0, 0.0])).is_rubble
    assert not Thing(name="ball", solids=(Ball(radius=0.05),), loose=Loose(mass=1.0)).is_rubble
    above = np.array([0.0, 0.0, 1.0])
    scene = Scene(things=(_stone(0.08),))
    assert scene.surface(0.0).height(above) == 0.0
    assert scene.to_walk_on().surface(0.0).height(above) == pytest.approx(0.08)


def test_only_feet_on_loose_things_are_borne_by_them():
    _, body = person(frames=3)
    foot, hand = int(body.soles.links[0]), 0
    links = np.array([foot, foot, hand])
    things = np.array([0, 1, 1])
    nothing = np.zeros((3, 3))
    contacts = Contacts(links, np.full(3, -1), np.arange(9.0).reshape(3, 3), nothing, nothing, np.zeros(3), things)
    found = feet_on_loose(body, contacts, np.array([False, True]))
    assert found.links.tolist() == [foot]
    assert found.points.tolist() == [[3.0, 4.0, 5.0]]
