"""The topple-free foot by eq. 14 and Newton's third law: how much help, when, and what the ankle may do with it."""

import numpy as np
import pytest

from sim_core.controllers.virtual_actuator.supports import Borne
from sim_core.controllers.virtual_actuator.topple_free_foot import Hold, ToppleFreeFoot
from sim_core.controllers.virtual_actuator.va_gains import VaGains
from sim_core.dynamics.dynamics import Dynamics
from sim_core.scene import Scene
from sim_core.settings import VaSettings
from tests.makers import figure_body

BODY, SCENE, GAINS = figure_body(), Scene(), VaGains()
STEP_S = 0.002
UP = np.array([0.0, 0.0, 1.0])
WEIGHT = BODY.mass * SCENE.gravity
ANKLES = np.array([np.arange(3) + BODY.v_slice[f"foot_{side}"].start for side in "lr"])
DYNAMICS = Dynamics(BODY).evaluate(BODY.zero_q, np.zeros(BODY.nv))
FLAT = np.ones(2)
SETTLED = round(20.0 * GAINS.comp_s / STEP_S)  # steps after which help is all that it will be
PAPER = VaSettings()


def _foot(thr_min: float = PAPER.thr_min, thr_max: float = PAPER.thr_max) -> ToppleFreeFoot:
    return ToppleFreeFoot(BODY, VaSettings(thr_min=thr_min, thr_max=thr_max), GAINS, STEP_S)


def _hold(foot: ToppleFreeFoot, loads: tuple[float, float] = (0.5, 0.5), shares: tuple[float, float] = (1, 1)) -> Hold:
    """Feet that bear so much of the weight each."""
    forces = np.outer(np.array(loads) * WEIGHT, UP)
    return foot.hold(DYNAMICS, forces, np.array(shares, float), FLAT, UP, WEIGHT, SCENE.friction)


def _torques(*ankles: tuple[float, float, float]) -> np.ndarray:
    """On the feet, in the axes of the feet, which are the world's here; the rest of the body pulls a little, too."""
    torques = np.full(BODY.nv, 3.0)
    torques[ANKLES] = ankles
    return torques


def _after(foot: ToppleFreeFoot, torques: np.ndarray, hold: Hold, steps: int = SETTLED):
    for _ in range(steps):
        steadied = foot.steadied(torques, hold)
    return steadied


def _beyond_ground(torques: np.ndarray, hold: Hold) -> np.ndarray:
    """(2, 3) what ankles pull that the ground does not hold, in the world."""
    ankles = np.array([torques[dofs] @ R for dofs, R in zip(ANKLES, hold.R_foot_sole, strict=True)])
    beyond = ankles - np.clip(ankles, hold.lower, hold.upper)
    return np.array([R @ part for R, part in zip(hold.R_world_sole, beyond, strict=True)])


def _sizes(foot_torques: np.ndarray) -> np.ndarray:
    return np.linalg.norm(foot_torques, axis=-1)


PITCHED = _torques((-150.0, 0.0, 0.0), (-150.0, 0.0, 0.0))  # far more than a sole holds
WILD = [np.random.default_rng(seed).normal(0.0, 150.0, (2, 3)) for seed in range(6)]


def test_what_the_ground_holds_needs_no_help_and_is_left_alone():
    foot = _foot(thr_min=0.0)
    hold = _hold(foot)
    middle = 0.5 * (hold.lower + hold.upper)
    within = _torques(*(R @ part for R, part in zip(hold.R_foot_sole, middle, strict=True)))
    found = _after(foot, within, hold)
    np.testing.assert_allclose(found.torques, within, atol=1e-9)
    np.testing.assert_allclose(found.foot_torques, 0.0, atol=1e-9)


def test_the_ground_holds_a_foot_while_its_pressure_is_under_the_sole():
    """Statics: the ankle's torque is what shifts the weight from the ankle to where the ground presses."""
    hold = _hold(_foot(), loads=(0.5, 0.0))
    points = (BODY.soles.local @ np.eye(3))[(BODY.soles.links == BODY.index("foot_l"))]
    reach = points[:, 1].max()  # of the foot without its toes
    by_ground = np.cross([0.0, reach, 0.0], 0.5 * WEIGHT * UP)
    for share, held in ((0.5, True), (2.0, False)):
        ankle = -share * by_ground @ hold.R_foot_sole[0]
        assert bool(np.all((ankle >= hold.lower[0] - 1e-9) & (ankle <= hold.upper[0] + 1e-9))) == held


def test_no_help_below_the_first_threshold():
    foot = _foot(thr_min=151.0, thr_max=400.0)
    assert not _after(foot, PITCHED, _hold(foot)).foot_torques.any()
    foot = _foot(thr_min=100.0, thr_max=400.0)
    sizes = _sizes(_after(foot, PITCHED, _hold(foot)).foot_torques)
    np.testing.assert_allclose(sizes, 50.0, rtol=1e-3)  # eq. 14: all that exceeds it, where the ground lacks more


@pytest.mark.parametrize(("thr_min", "thr_max"), [(0.0, 30.0), (20.0, 200.0), (20.0, 50.0), (0.0, 2000.0)])
@pytest.mark.parametrize("wild", WILD)
def test_no_foot_gets_more_than_lies_between_the_thresholds(wild, thr_min, thr_max):
    foot = _foot(thr_min, thr_max)
    hold = _hold(foot)
    for ankles in (wild, -wild, 10.0 * wild):
        sizes = _sizes(_after(foot, _torques(*ankles), hold).foot_torques)
        assert np.all(sizes <= thr_max - thr_min + 1e-9)
        assert np.all(sizes <= np.maximum(_sizes(ankles) - thr_min, 0.0) + 0.1)


@pytest.mark.parametrize("threshold", [0.0, 20.0, 200.0])
@pytest.mark.parametrize("wild", WILD[:3])
def test_equal_thresholds_are_no_help_at_all(wild, threshold):
    foot = _foot(threshold, threshold)
    hold = _hold(foot)
    found = _after(foot, _torques(*wild), hold)
    assert not found.foot_torques.any()
    np.testing.assert_allclose(_beyond_ground(found.torques, hold), 0.0, atol=1e-9)


def test_none_for_a_foot_that_does_not_stand():
    foot = _foot()
    found = _after(foot, PITCHED, _hold(foot, shares=(1.0, 0.0)))
    assert _sizes(found.foot_torques)[0] > 20.0
    assert not found.foot_torques[1].any()
    np.testing.assert_array_equal(found.torques[ANKLES[1]], PITCHED[ANKLES[1]])  # it moves as it likes


def test_none_for_a_foot_that_bears_nothing_and_more_with_what_it_bears():
    foot = _foot()
    assert not _after(foot, PITCHED, _hold(foot, loads=(0.0, 0.0))).foot_torques.any()
    strong = _torques((-400.0, 0.0, 0.0), (-400.0, 0.0, 0.0))
    sizes = [
        _sizes(_after(_foot(), strong, _hold(foot, loads=(load, 0.0))).foot_torques)[0] for load in (0.1, 0.2, 0.4)
    ]
    assert 0.0 < sizes[0] < sizes[1] < sizes[2] <= 180.0


@pytest.mark.parametrize("wild", WILD)
def test_the_ankle_stays_within_ground_and_help_at_every_step(wild):
    foot = _foot()
    hold = _hold(foot)
    for step in range(60):
        asked = _torques(*(wild * np.cos(0.4 * step)))
        found = foot.steadied(asked, hold)
        assert np.all(_sizes(_beyond_ground(found.torques, hold)) <= _sizes(found.foot_torques) + 1e-9)
        others = np.setdiff1d(np.arange(BODY.nv), ANKLES)
        np.testing.assert_array_equal(found.torques[others], asked[others])


@pytest.mark.parametrize("wild", WILD)
def test_help_and_what_ankles_pull_beyond_the_ground_are_equal_and_opposite(wild):
    foot = _foot()
    hold = _hold(foot)
    found = _after(foot, _torques(*wild), hold)
    np.testing.assert_allclose(found.foot_torques, -_beyond_ground(found.torques, hold), atol=0.1)


def test_help_comes_without_a_jump_and_dies_out():
    foot = _foot()
    hold = _hold(foot)
    helps = [np.zeros((2, 3))]
    for step in range(300):  # the need comes and goes at once
        helps.append(foot.steadied(PITCHED if step < 150 else np.zeros(BODY.nv), hold).foot_torques)
    sizes = _sizes(np.array(helps))
    most = sizes.max()
    assert most > 50.0
    a_step = most * (1.0 - 0.5 ** (STEP_S / GAINS.comp_s))
    assert _sizes(np.diff(helps, axis=0)).max() < 1.01 * a_step < 0.1 * most
    half = round(GAINS.comp_s / STEP_S)
    assert sizes[half].max() == pytest.approx(0.5 * most, rel=0.1)
    assert sizes[150 + half].max() == pytest.approx(0.5 * most, rel=0.1)
    assert sizes[-1].max() < 1e-2


def test_a_need_that_flickers_is_helped_evenly():
    foot = _foot()
    hold = _hold(foot)
    sizes = [
        _sizes(foot.steadied(PITCHED if step % 2 else np.zeros(BODY.nv), hold).foot_torques)[0] for step in range(200)
    ]
    assert np.ptp(sizes[100:]) < 0.1 * np.mean(sizes[100:])


def test_it_gives_up_only_after_its_patience():
    foot = _foot(20.0, 100.0)
    hold = _hold(foot)
    patience = round(GAINS.patience_s / STEP_S)
    _after(foot, PITCHED, hold, patience - 1)
    assert not foot.gives_up
    foot.steadied(0.5 * PITCHED, hold)  # less than thr_max for one step: it begins anew
    _after(foot, PITCHED, hold, patience - 1)
    assert not foot.gives_up
    _after(foot, PITCHED, hold, 3)
    assert foot.gives_up
    foot.reset()
    assert not foot.gives_up


@pytest.mark.parametrize(("thr_max", "shares"), [(np.inf, (1, 1)), (200.0, (1, 1)), (100.0, (0, 0))])
def test_it_never_gives_up_without_a_limit_below_it_or_in_the_air(thr_max, shares):
    foot = _foot(20.0, thr_max)
    _after(foot, PITCHED, _hold(foot, shares=shares), 1000)
    assert not foot.gives_up


def test_ground_gives_no_more_than_friction_and_its_sole():
    foot = _foot(200.0, 200.0)
    forces = np.array([[900.0, 0.0, 300.0], [10.0, 0.0, -50.0]])
    found = foot.bearable(DYNAMICS, Borne(forces, np.full((2, 3), 500.0)), UP, SCENE.friction)
    np.testing.assert_allclose(found.forces, [[SCENE.friction * 300.0, 0.0, 300.0], [0.0, 0.0, 0.0]], atol=1e-9)
    np.testing.assert_allclose(found.moments[1], 0.0, atol=1e-9)
    long, wide = np.ptp(BODY.soles.local[BODY.soles.links == BODY.index("foot_l")], axis=0)[[1, 0]]
    assert 0.0 < abs(found.moments[0][1]) < 300.0 * 0.5 * wide  # about the sole's length: half its width is the lever
    assert abs(found.moments[0][0]) > abs(found.moments[0][1])
    assert long > wide


def test_tiptoes_have_no_sole_to_be_kept_from_toppling():
    foot = _foot()
    points = DYNAMICS.points(BODY.soles.links, BODY.soles.local)
    assert foot.flatness(points[:, 2] - points[:, 2].min()).tolist() == [1.0, 1.0]
    on_toes = np.where(BODY.soles.left, points[:, 1].max() - points[:, 1], 0.0)
    assert foot.flatness(on_toes).tolist() == [0.0, 1.0]
    forces = np.outer([0.5 * WEIGHT, 0.5 * WEIGHT], UP)
    hold = foot.hold(DYNAMICS, forces, FLAT, np.array([0.0, 1.0]), UP, WEIGHT, SCENE.friction)
    found = _after(foot, PITCHED, hold)
    assert not found.foot_torques[0].any()
    np.testing.assert_array_equal(found.torques[ANKLES[0]], PITCHED[ANKLES[0]])
