"""The names of a biped's segments, and what hangs on what when some are missing."""

from hypothesis import given
from hypothesis import strategies as st

from sim_core.rig.segments import REQUIRED, SEGMENTS, in_words, is_left, kind, parents_of

_OPTIONAL = sorted(set(SEGMENTS) - set(REQUIRED))


def test_names_split_into_kind_and_side():
    assert kind("upper_arm_l") == kind("upper_arm_r") == "upper_arm"
    assert kind("pelvis") == "pelvis"
    assert is_left("toes_l")
    assert not is_left("toes_r")
    assert in_words("upper_arm_l") == "left upper arm"
    assert in_words("chest") == "chest"


def test_the_whole_body_hangs_together_as_bodies_do():
    parents = parents_of(SEGMENTS)
    assert list(parents) == list(SEGMENTS)
    assert parents["pelvis"] is None
    assert parents["thigh_l"] == "pelvis"
    assert parents["clavicle_r"] == parents["neck"] == "chest"
    assert parents["toes_r"] == "foot_r"


@given(st.sets(st.sampled_from(_OPTIONAL)))
def test_whatever_is_missing_the_rest_is_one_tree_in_depth_first_order(there):
    present = {*REQUIRED, *there}
    parents = parents_of(present)
    assert set(parents) == present
    assert [segment for segment, parent in parents.items() if parent is None] == ["pelvis"]
    path: list[str] = []
    for segment, parent in parents.items():
        while path and path[-1] != parent:
            path.pop()  # a branch that is left is never entered again
        assert parent is None or path, f"{segment} comes after its parent's branch was left"
        path.append(segment)


@given(st.sets(st.sampled_from(_OPTIONAL)))
def test_a_segment_hangs_on_the_nearest_one_that_is_there(there):
    parents = parents_of({*REQUIRED, *there})
    whole = parents_of(SEGMENTS)
    for segment, parent in parents.items():
        nearest = whole[segment]
        while nearest is not None and nearest not in parents:
            nearest = whole[nearest]
        assert parent == nearest
