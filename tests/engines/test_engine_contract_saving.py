"""What every engine must repeat bit for bit."""

import gc

import numpy as np
import pytest

from sim_core import rotations
from sim_core.dynamics.dynamics import Dynamics
from sim_core.engines.engine import Engine, State, available_engines, make_engine
from sim_core.scene import Scene
from tests.engines.single_bodies import box_body
from tests.engines.situations import STEP_S, at_height, damping_torques
from tests.makers import figure_body


class Tumble:
    """A figure shaken on the ground by random torques: many contacts, also of limbs with each other."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.body = engine, figure_body()
        engine.load(self.body, Scene(), STEP_S)
        self.start = at_height(self.body, 0.3)
        self.start.q[3:7] = rotations.exp(np.array([1.2, 0.3, 0.0]))
        self.dynamics = Dynamics(self.body)

    def run(self, steps: int, seed: int) -> list[np.ndarray]:
        """q, v and the contact forces of every step."""
        rng = np.random.default_rng(seed)
        state, seen = self.engine.save().state, []
        for _ in range(steps):
            shaken = State(state.q, state.v + rng.normal(0.0, 3.0, self.body.nv))
            state = self.engine.step(damping_torques(self.dynamics, shaken))
            seen += [state.q, state.v, self.engine.contacts().forces]
        return seen


def assert_same_bits(first: list[np.ndarray], second: list[np.ndarray]) -> None:
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_restore_after_save_repeats_200_steps_bit_for_bit(engine: Engine) -> None:
    tumble = Tumble(engine)
    engine.reset(tumble.start)
    tumble.run(150, seed=1)
    saved = engine.save()
    before = engine.contacts()
    first = tumble.run(200, seed=2)
    assert max(len(forces) for forces in first[2::3]) >= 8

    restored = engine.restore(saved)
    np.testing.assert_array_equal(restored.q, saved.state.q)
    assert_same_bits(list(engine.contacts()), list(before))
    assert_same_bits(tumble.run(200, seed=2), first)

    tumble.run(100, seed=3)  # other steps, and another save among them
    engine.restore(saved)
    head = tumble.run(80, seed=2)
    middle = engine.save()
    engine.restore(middle)
    assert_same_bits(head, first[: 3 * 80])
    engine.reset(at_height(tumble.body, 50.0))  # far from all contacts
    tumble.run(100, seed=4)
    engine.restore(saved)
    assert_same_bits(tumble.run(200, seed=2), first)


def test_saved_states_hold_while_others_come_and_go(engine: Engine) -> None:
    tumble = Tumble(engine)
    engine.reset(tumble.start)
    tumble.run(100, seed=1)
    saved = engine.save()
    first = tumble.run(50, seed=2)
    for seed in range(20):
        dropped = engine.save()
        tumble.run(2, seed)
        engine.restore(dropped)
        del dropped
        gc.collect()
    engine.restore(saved)
    assert_same_bits(tumble.run(50, seed=2), first)


def test_reset_leaves_no_trace_of_what_was_before(engine: Engine) -> None:
    tumble = Tumble(engine)
    engine.reset(tumble.start)
    first = tumble.run(150, seed=1)
    engine.reset(tumble.start)
    assert_same_bits(tumble.run(150, seed=1), first)
    tumble = Tumble(engine)  # loads anew
    engine.reset(tumble.start)
    assert_same_bits(tumble.run(150, seed=1), first)


def test_reset_into_the_midst_of_contacts_leaves_no_trace_either(engine: Engine) -> None:
    tumble = Tumble(engine)
    engine.reset(tumble.start)
    tumble.run(200, seed=1)
    lying = engine.save().state
    tumble = Tumble(engine)  # loads anew
    engine.reset(lying)
    first = tumble.run(60, seed=2)
    for seed in (3, 4):
        engine.reset(lying)
        assert_same_bits(tumble.run(60, seed=2), first)
        tumble.run(150, seed)


def test_a_saved_state_of_another_engine_is_refused(engine: Engine) -> None:
    body = box_body()
    other = make_engine(available_engines()[0])
    for each in (engine, other):
        each.load(body, Scene(), STEP_S)
        each.reset(at_height(body, 1.0))
    with pytest.raises(ValueError, match="another engine"):
        engine.restore(other.save())
    other.close()


def test_two_engines_of_a_kind_do_not_disturb_each_other(engine: Engine) -> None:
    alone = Tumble(engine)
    engine.reset(alone.start)
    first = alone.run(50, seed=1)
    engine.reset(alone.start)
    other = type(engine)()
    neighbour = Tumble(other)
    other.reset(neighbour.start)
    neighbour.run(20, seed=9)
    other.close()
    assert_same_bits(alone.run(50, seed=1), first)
