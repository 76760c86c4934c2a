"""The cost of a search: every budget is measured, and two processes are held against one."""

import pytest

from bench.clips import BenchClip
from bench.search_speed import in_words, measure
from sim_core.engines.engine import available_engines


@pytest.fixture(scope="module")
def speed():
    """Of someone who stands, and for whom there is nothing to search."""
    return measure(BenchClip("stand", None, 0.5), available_engines()[-1])


def test_every_budget_is_measured(speed):
    assert [one.budget for one in speed.budgets] == ["draft", "good", "best"]
    assert all(one.cpu_s_per_clip_s > one.cpu_s_per_tried_s > 0.0 for one in speed.budgets)  # the hold is no clip
    assert (speed.alone.workers, speed.together.workers) == (1, 2)
    assert speed.gain > 0.0


def test_it_is_said_whether_the_keys_are_the_same(speed):
    *_, last = in_words(speed)
    assert "the same keys" in last
    *_, last = in_words(speed._replace(together=speed.together._replace(keys=b"other")))
    assert "OTHER KEYS" in last
    assert len(in_words(speed)) == 5
