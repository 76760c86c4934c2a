"""What a search tries first, by the kind of motion."""

import numpy as np
import pytest

from sim_core.controllers.variation import AS_IT_IS, Variation
from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.reference.reference import Reference, build_reference
from sim_core.samples.catalogue import has_captured_samples, make_sample
from sim_core.settings import BakeSettings
from sim_core.simulation.draw_variations import draw
from sim_core.simulation.kinds import KINDS, kind_at
from sim_core.simulation.remembered import changes_of, remembered

SETTINGS = BakeSettings()
CAPTURED = pytest.mark.skipif(
    not has_captured_samples(), reason="Runs where PyBullet's motions are: pip install pybullet."
)


def _reference(name: str, seconds: float | None = None):
    source = SourceClip(clip=make_sample(name, seconds), t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, SETTINGS.clip, SETTINGS.friction)
    body = performance.body
    reference: Reference = build_reference(
        performance.motion, body, performance.scene, SETTINGS.reference, rate=500.0, hold_s=0.1
    )
    return reference, body


def test_who_stands_stands():
    reference, body = _reference("stand", 1.0)
    assert {kind_at(reference, body, step) for step in range(0, len(reference), 50)} == {"stand"}


@CAPTURED
@pytest.mark.parametrize(
    ("name", "kind"), [("walk", "walk"), ("run", "run"), ("crawl", "floor"), ("jump", "jump"), ("spin", "turn")]
)
def test_motions_are_told_by_their_numbers(name, kind):
    reference, body = _reference(name)
    assert kind in {kind_at(reference, body, step) for step in range(0, reference.clip_steps, 25)}


def test_what_is_remembered_are_sound_variations_of_the_usual_way():
    assert any(remembered(kind) for kind in KINDS)
    for kind in KINDS:
        assert len(remembered(kind)) <= 5
        for variation in remembered(kind):
            assert isinstance(variation, Variation)
            assert np.isfinite([value for name, value in variation._asdict().items() if name != "fall"]).all()
            assert variation != AS_IT_IS
            assert AS_IT_IS._replace(**changes_of(variation)) == variation


def test_drawn_variations_change_some_things_within_bounds():
    rng = np.random.default_rng(3)
    drawn = [draw(AS_IT_IS, rng, readings=3) for _ in range(300)]
    changes = [len(changes_of(one)) for one in drawn]
    assert 3 < np.mean(changes) < 15
    assert {one.reading for one in drawn} == {0, 1, 2}
    assert all(1.0 / 6.0 <= one.balance <= 6.0 and abs(one.ahead_m) <= 0.12 for one in drawn)
    far = AS_IT_IS
    for _ in range(200):
        far = draw(far, rng, readings=1)
    assert 1.0 / 6.0 <= far.momentum <= 6.0
