"""Sentences for a person: what was given up where, why, and what would help."""

import re

import numpy as np
import pytest

from sim_core.motion.source_clip import SourceClip
from sim_core.performance import prepare
from sim_core.posing.body_motion import body_positions
from sim_core.reporting.fall_side import fall_side
from sim_core.reporting.given_up import GivenUp, assisted_stretches
from sim_core.reporting.outlook import FlightFrames, HardFrames, Outlook, joined
from sim_core.reporting.reason_words import _ADVICE, _CAUSES, advice, cause, joint_in_words, percent
from sim_core.reporting.reasons import Explanation, explain, forecast_in_words
from sim_core.settings import ClipSettings
from tests.clips import person

JARGON = re.compile(
    r"zero|moment point|zmp|qp|torque|wrench|residual|newton|cone|inverse|reference|step \d", re.IGNORECASE
)


def _hard(first: int, last: int, reason, size: float, needs_bw: float = 0.2, joint: str | None = None) -> HardFrames:
    return HardFrames(first=first, last=last, reason=reason, size=size, needs_bw=needs_bw, joint=joint)


def _outlook(*hard: HardFrames, flights=(), frames_before: bool = False, friction: float = 0.8) -> Outlook:
    return Outlook(
        fps=30.0,
        friction=friction,
        first=1,
        frames_before=frames_before,
        hard=hard,
        flights=tuple(FlightFrames(first=first, last=last) for first, last in flights),
    )


def _explained(given_up: GivenUp, outlook: Outlook) -> Explanation:
    (explanation,) = explain([given_up], outlook)
    assert (explanation.first, explanation.last) == (given_up.first, given_up.last)
    assert explanation.sentence.endswith(".")
    return explanation


def test_a_landing_that_needs_help_says_what_is_wrong_with_the_jump():
    outlook = _outlook(_hard(40, 57, "falls too fast", 0.96), flights=[(40, 57)])
    found = _explained(GivenUp(first=58, last=66, what="assist", mean_bw=0.31, peak_bw=0.35), outlook)
    assert found.sentence == (
        "Frames 58-66: the landing needs 31 % of body weight; the source's hips drop faster than gravity allows."
    )
    assert found.advice == ("Let the fall take 1.4 times as long.",)


def test_who_leans_on_nothing_is_told_so():
    outlook = _outlook(_hard(90, 120, "leans on something", 0.2, 0.24))
    found = _explained(GivenUp(first=102, last=110, what="assist", mean_bw=0.24, peak_bw=0.3), outlook)
    assert found.sentence == (
        "Frames 102-110: the character leans on something that is not in the scene; it needs 24 % of body weight."
    )
    assert found.advice == ("Objects cannot be added yet: bake the frames before and after it.",)


def test_balance_that_nothing_explains_says_what_was_tried():
    tried = GivenUp(
        first=12, last=20, what="assist", mean_bw=0.08, peak_bw=0.1, failure="tipped over", side="left", variations=96
    )
    found = _explained(tried, _outlook())
    assert found.sentence == (
        "Frames 12-20: balance is lost to the left, and none of 96 variations brought it back; "
        "8 % of body weight held it."
    )
    assert found.advice == ()


def test_a_peak_is_said_where_it_is_one():
    found = _explained(GivenUp(first=5, last=9, what="assist", mean_bw=0.1, peak_bw=0.4), _outlook())
    assert found.sentence == (
        "Frames 5-9: nothing in the source looks wrong, but it needs 10 % of body weight, 40 % at its peak."
    )


def test_what_was_lost_says_how_and_how_much_assist_would_do():
    lost = GivenUp(first=70, last=70, what="lost", failure="tipped over", side="backward", variations=96, limit_bw=0.0)
    outlook = _outlook(_hard(60, 66, "beyond its feet", 0.12, 0.13))
    found = _explained(lost, outlook)
    assert found.sentence == (
        "Frame 70: balance is lost to the back, as the body's weight is 12 cm beside what it stands on, "
        "and none of 96 variations brought it back."
    )
    assert found.advice == (
        "A wider step, or a hand down: the body's weight is 12 cm beside what carries it.",
        "Allow 15 % assist.",
    )
    assert _explained(lost, _outlook()).advice == ("Allow 5 % assist.",)


def test_nobody_is_told_to_hang_on_strings():
    lost = GivenUp(first=70, last=75, what="lost", failure="left the path", limit_bw=0.0)
    assert not any(
        "assist" in said for said in _explained(lost, _outlook(_hard(70, 80, "nothing carries it", 1, 1))).advice
    )


@pytest.mark.parametrize(
    ("failure", "side", "words"),
    [
        ("was still falling at its end", "forward", "the character is still falling to the front when the clip ends"),
        ("left the path", None, "the character leaves its path"),
        ("broke down", None, "the simulation breaks down"),
    ],
)
def test_every_failure_has_its_words(failure, side, words):
    found = _explained(GivenUp(first=3, last=9, what="lost", failure=failure, side=side), _outlook())
    assert found.sentence == f"Frames 3-9: {words}."


def test_a_landing_without_its_take_off_asks_for_a_longer_range():
    landing = GivenUp(first=12, last=18, what="lost", failure="tipped over", side="right")
    asked = "Bake a longer range, so that the take-off is in it."
    assert _explained(landing, _outlook(flights=[(1, 11)], frames_before=True)).advice == (asked,)
    assert _explained(landing, _outlook(flights=[(1, 11)])).advice == ()  # there is nothing before it
    assert _explained(landing, _outlook(flights=[(5, 11)], frames_before=True)).advice == ()


def test_the_cause_of_a_bad_landing_may_lie_in_the_take_off():
    outlook = _outlook(_hard(10, 19, "beyond its feet", 0.1), flights=[(20, 39)])
    landing = GivenUp(first=42, last=48, what="assist", mean_bw=0.1, peak_bw=0.1)
    assert "beside what it stands on" in _explained(landing, outlook).sentence
    assert "nothing in the source" in _explained(landing, _outlook(*outlook.hard)).sentence


def test_moments_of_a_jump_are_named():
    outlook = _outlook(_hard(1, 99, "spun in the air", 0.2), flights=[(20, 39)])

    def sentence(first: int, last: int) -> str:
        return _explained(GivenUp(first=first, last=last, what="assist", mean_bw=0.1, peak_bw=0.1), outlook).sentence

    assert "the take-off needs 10 %" in sentence(12, 19)
    assert "the flight needs 10 %" in sentence(25, 30)
    assert "the landing needs 10 %" in sentence(35, 44)
    assert "it needs 10 %" in sentence(70, 80)


def test_friction_says_how_much_would_do():
    assert advice(_hard(1, 2, "needs more friction", 1.04), 0.8) == (
        "More friction: the ground would need 1.1, it has 0.8."
    )


def test_nobody_is_told_to_buy_a_ground_that_does_not_exist():
    hard = _hard(1, 2, "needs more friction", 3.0)
    assert "any ground" in cause(hard)
    assert "friction" not in advice(hard, 0.8)


def test_a_joint_is_called_as_people_call_it():
    assert [joint_in_words(link) for link in ("shin_l", "hand_r", "chest")] == ["left knee", "right wrist", "back"]
    assert cause(_hard(1, 2, "not strong enough", 2.23, joint="hand_l")) == (
        "the left wrist would need 2.2 times its strength"
    )


@pytest.mark.parametrize("reason", _CAUSES)
def test_no_jargon(reason):
    hard = _hard(1, 9, reason, 0.6, joint="foot_l")
    said = [cause(hard), advice(hard, 0.8)]
    assert not [words for words in said if JARGON.search(words)]
    assert said[1].endswith(".")
    assert set(_ADVICE) == set(_CAUSES)


def test_a_forecast_has_five_sentences_at_most_and_the_hardest_first():
    hard = [_hard(10 * k, 10 * k + 5, "steered in the air", 0.1, 0.1 * k) for k in range(1, 8)]
    words = forecast_in_words(_outlook(*hard))
    assert len(words) == 5
    assert words[0].startswith("Frames 70-75 look hard: the source changes its course in the air")
    assert words[4] == "3 more stretches look hard, but less so."
    assert len(forecast_in_words(_outlook(*hard[:5]))) == 5
    assert forecast_in_words(_outlook()) == []


def test_one_frame_looks_hard():
    (words,) = forecast_in_words(_outlook(_hard(7, 7, "lands hard", 3.4)))
    assert words == "Frame 7 looks hard: it comes down at 3.4 m/s."


def test_the_same_again_soon_is_one_stretch():
    hard = [
        _hard(1, 10, "spun in the air", 0.1, 0.1),
        _hard(5, 8, "lands hard", 4.0),
        _hard(13, 22, "spun in the air", 0.3, 0.3),
    ]
    together = joined(hard, 5)
    assert [(one.first, one.last, one.reason) for one in together] == [
        (1, 22, "spun in the air"),
        (5, 8, "lands hard"),
    ]
    assert together[0].size == together[0].needs_bw == pytest.approx(0.2)
    assert joined(hard, 2) == tuple(hard)


def test_percent_never_says_zero():
    assert (percent(0.004), percent(0.316)) == ("less than 1 % of body weight", "32 % of body weight")


@pytest.mark.parametrize(
    ("shift", "side"),
    [([0, -0.3, -0.1], "forward"), ([0, 0.3, 0], "backward"), ([0.3, 0.1, 0], "left"), ([-0.3, 0, 0], "right")],
)
def test_the_side_of_a_fall_is_the_characters_own(shift, side):
    clip, body = person(frames=3)  # faces -Y, left is +X
    wanted = body_positions(clip, body)[0]
    fallen = wanted.copy()
    fallen[:3] += np.array(shift)
    assert fall_side(body, fallen, wanted) == side


def test_assist_is_given_up_in_the_frames_in_which_it_was_felt():
    clip = person(frames=61, fps=30.0).clip
    source = SourceClip(clip=clip, t_pose_frames=0, guesses=(), notes=())
    performance = prepare(source, ClipSettings(floor_m=0.0, fps=30.0, start=11), 0.8)
    assist = np.zeros(1100)  # 500 a second: 50 frames, and then some
    assist[250:300], assist[320:400], assist[600], assist[1000:] = 0.1, 0.2, 0.5, 0.9
    felt = assisted_stretches(assist, 500.0, performance)
    assert [(one.first, one.last) for one in felt] == [(26, 35), (47, 47)]
    assert felt[0].mean_bw == pytest.approx((50 * 0.1 + 80 * 0.2) / 150)
    assert (felt[0].peak_bw, felt[1].peak_bw) == (0.2, 0.5)
    assert {one.what for one in felt} == {"assist"}


def test_a_push_is_the_reason_where_one_came_just_before():
    push = "the push of 600 N on the chest"
    held = GivenUp(first=30, last=45, what="assist", mean_bw=0.52, peak_bw=1.2, push=push, variations=32)
    found = _explained(held, _outlook())
    assert found.sentence == (
        "Frames 30-45: the push of 600 N on the chest is more than the character can catch, and none of 32 variations "
        "brought it back; 52 % of body weight held it."
    )
    assert found.advice == ("Push less hard, or for fewer frames.",)
    lost = GivenUp(first=30, last=90, what="lost", failure="tipped over", side="left", push=push)
    assert _explained(lost, _outlook()).sentence.endswith("is more than the character can catch.")


def test_what_nothing_explains_still_says_what_was_tried():
    found = _explained(GivenUp(first=3, last=9, what="assist", mean_bw=0.1, peak_bw=0.1, variations=16), _outlook())
    assert "none of 16 variations" in found.sentence
