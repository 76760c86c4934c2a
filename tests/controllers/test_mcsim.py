"""McSim by what its equations promise, on a person who stands: exact where the pose can be held, and within limits."""

from dataclasses import replace

import numpy as np
import pytest

from sim_core.body.build_body import build_body
from sim_core.controllers.tracking.mcsim import McSim, McSimGains
from sim_core.controllers.tracking.tracker import Assist, Tracker
from sim_core.controllers.tracking.whole_body_qp import Solution, solve_whole_body
from sim_core.disturbances import Push
from sim_core.dynamics.dynamics import Dynamics
from sim_core.dynamics.state_space import difference, integrate
from sim_core.engines.engine import State, no_contacts
from sim_core.engines.mujoco import MujocoEngine
from sim_core.reference.reference import Reference, build_reference
from sim_core.rig.bone_map import map_bones
from sim_core.samples.made_clips import make_clip
from sim_core.scene import Scene
from sim_core.settings import BalanceName, ReferenceSettings
from sim_core.simulation.recording import Recording
from sim_core.simulation.simulate import simulate

STEP_S = 0.002
SCENE = Scene()
CLIP = make_clip("stand", 2.0)
BODY = build_body(CLIP, map_bones(CLIP.skeleton, clip=CLIP).bones)
REFERENCE = build_reference(CLIP, BODY, SCENE, ReferenceSettings(), rate=1.0 / STEP_S, hold_s=0.3)
WEIGHT = BODY.mass * SCENE.gravity
NO_ASSIST = Assist(np.zeros((0, BODY.nv)), np.zeros(0))
DYNAMICS = Dynamics(BODY, SCENE.gravity)
HELPERS: tuple[BalanceName, ...] = ("full-state", "three-link")


def _held(reference: Reference) -> Reference:
    """The first pose for ever."""
    return replace(
        reference,
        q=np.repeat(reference.q[:1], len(reference), axis=0),
        v=np.zeros_like(reference.v),
        a=np.zeros_like(reference.a),
    )


def _still() -> State:
    return State(REFERENCE.q[0], np.zeros(BODY.nv))


def _solution(state: State, preset: McSim, assist: Assist = NO_ASSIST) -> Solution:
    dynamics = DYNAMICS.evaluate(state.q, state.v)
    found = solve_whole_body(dynamics, preset.problem(0, state, dynamics, no_contacts(), assist))
    assert found is not None
    return found


def _sole_jacobian(state: State) -> np.ndarray:
    dynamics = DYNAMICS.evaluate(state.q, state.v)
    soles = dynamics.points(BODY.soles.links, BODY.soles.local)
    return dynamics.point_jacobian(BODY.soles.links, soles).J


def _simulated(balance: BalanceName, pushes: tuple[Push, ...] = ()) -> Recording:
    engine = MujocoEngine()
    engine.load(BODY, SCENE, STEP_S)
    controller = Tracker(
        BODY, SCENE, McSim(BODY, REFERENCE, SCENE, McSimGains(), balance), assist_limit=0.0, rate=REFERENCE.rate
    )
    try:
        return simulate(BODY, REFERENCE, controller, engine, SCENE, pushes, lambda fraction: None, stop_at_failure=True)
    finally:
        engine.close()


def _joint_error_deg(recording: Recording) -> float:
    error = difference(BODY, REFERENCE.q[: len(recording.q)], recording.q)
    return float(np.degrees(np.abs(error[:, 6:]).mean()))


def _astray(recording: Recording) -> float:
    """How far the pelvis gets away from the reference [m]."""
    return float(np.linalg.norm(recording.q[:, :3] - REFERENCE.q[: len(recording.q), :3], axis=1).max())


@pytest.mark.parametrize("balance", ["none", *HELPERS])
def test_a_person_who_stands_goes_on_standing(balance):
    recording = _simulated(balance)
    assert recording.completed
    assert _joint_error_deg(recording) < 0.3
    assert _astray(recording) < 0.05


@pytest.mark.parametrize("balance", HELPERS)
@pytest.mark.parametrize("force", [(0.0, -50.0, 0.0), (50.0, 0.0, 0.0)])
def test_a_small_push_is_recovered_from(balance, force):
    recording = _simulated(balance, (Push(bone="chest", at_s=0.3, for_s=0.2, force=force),))
    assert recording.completed
    off = np.linalg.norm(recording.q[-1, :3] - REFERENCE.q[-1, :3])
    assert off < 0.05
    assert _joint_error_deg(recording) < 1.0


def test_torques_are_those_of_inverse_dynamics_where_the_pose_can_be_held():
    state = _still()
    found = _solution(state, McSim(BODY, _held(REFERENCE), SCENE, McSimGains()))
    assert np.abs(found.accelerations).max() < 0.05
    needed = DYNAMICS.inverse_dynamics(state.q, state.v, found.accelerations)
    mcsim = McSim(BODY, _held(REFERENCE), SCENE, McSimGains())
    dynamics = DYNAMICS.evaluate(state.q, state.v)
    pushes = mcsim.problem(0, state, dynamics, no_contacts(), NO_ASSIST).pushes
    given = pushes.edges.T @ found.edge_forces
    np.testing.assert_allclose(given[:6], needed[:6], atol=1e-6 * WEIGHT)  # the ground alone drives the root
    np.testing.assert_allclose(found.torques[6:], needed[6:] - given[6:], atol=1e-8 * WEIGHT)


def test_soles_that_touch_do_not_accelerate_whatever_the_joints_want():
    nudge = np.zeros(BODY.nv)
    nudge[BODY.v_slice["shin_l"]] = 0.05
    wanting = _held(REFERENCE)
    wanting = replace(wanting, q=integrate(BODY, wanting.q, nudge))
    state = _still()
    found = _solution(state, McSim(BODY, wanting, SCENE, McSimGains()))
    free = 1000.0 * 0.05  # eq. 3.4: what the knee asks for
    accelerations = _sole_jacobian(state) @ found.accelerations
    touching = (
        SCENE.ground.distance(DYNAMICS.evaluate(state.q, state.v).points(BODY.soles.links, BODY.soles.local)) < 0.001
    )
    assert touching.any()
    assert np.abs(accelerations[touching]).max() < 0.01 * free


def test_the_error_of_the_roots_place_is_ignored_and_that_of_its_velocity_is_not():
    preset = McSim(BODY, _held(REFERENCE), SCENE, McSimGains())
    lifted = REFERENCE.q[0] + np.eye(BODY.nq)[2] * 0.5  # in the air nothing but these wishes differs
    shifted = lifted + np.eye(BODY.nq)[0] * 0.2

    def wanted(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        state = State(q, v)
        return preset.problem(0, state, DYNAMICS.evaluate(q, v), no_contacts(), NO_ASSIST).joints.targets

    rest = np.zeros(BODY.nv)
    np.testing.assert_allclose(wanted(shifted, rest), wanted(lifted, rest), atol=1e-9)
    moving = np.eye(BODY.nv)[0]
    assert wanted(lifted, moving)[0] == pytest.approx(-2.0 * np.sqrt(1000.0))  # eq. 3.4


@pytest.mark.parametrize("friction", [0.05, 0.1, 0.8])
def test_forces_stay_within_the_friction_that_the_controller_believes_in(friction):
    leaning = _held(REFERENCE)
    leaning = replace(leaning, v=leaning.v + 2.0 * np.eye(BODY.nv)[0])  # it wants to be off sideways
    preset = McSim(BODY, leaning, Scene(friction=friction), McSimGains())
    state = _still()
    found = _solution(state, preset)
    dynamics = DYNAMICS.evaluate(state.q, state.v)
    pushes = preset.problem(0, state, dynamics, no_contacts(), NO_ASSIST).pushes
    force = pushes.edges[:, :3].T @ found.edge_forces
    assert found.edge_forces.min() >= -1e-6
    assert np.linalg.norm(force[:2]) <= friction * force[2] * (1.0 + 1e-6)
    assert np.linalg.norm(force[:2]) > min(0.6 * friction, 0.1) * force[2]  # and uses it


def test_the_controllers_own_body_decides_what_it_counts_on():
    heavy = replace(BODY, links=tuple(replace(link, mass=2.0 * link.mass) for link in BODY.links))
    state = _still()
    forces = []
    for body in (BODY, heavy):
        dynamics = Dynamics(body, SCENE.gravity).evaluate(state.q, state.v)
        problem = McSim(body, _held(REFERENCE), SCENE, McSimGains()).problem(
            0, state, dynamics, no_contacts(), NO_ASSIST
        )
        found = solve_whole_body(dynamics, problem)
        assert found is not None
        forces.append(float(problem.pushes.edges[:, 2] @ found.edge_forces))
    assert forces[1] == pytest.approx(2.0 * forces[0], rel=1e-3)


def test_help_is_used_in_the_air_and_never_beyond_its_limit():
    lifted = REFERENCE.q[0] + np.eye(BODY.nq)[2] * 0.5
    falling = State(lifted, np.zeros(BODY.nv))
    limit = 0.2 * WEIGHT
    preset = McSim(BODY, _held(REFERENCE), SCENE, McSimGains())
    helped = Tracker(BODY, SCENE, preset, limit, REFERENCE.rate).compute(0, falling, no_contacts())
    assert helped.assist is not None
    size = np.linalg.norm(helped.assist.force) + np.linalg.norm(helped.assist.torque)
    assert 0.1 * limit < size <= limit * (1.0 + 1e-6)
    assert helped.assist.force[2] > 0.0
    assert Tracker(BODY, SCENE, preset, 0.0, REFERENCE.rate).compute(0, falling, no_contacts()).assist is None


@pytest.mark.parametrize("name", ["head", "forearm_l", "thigh_r"])
def test_between_solves_a_joint_that_is_off_is_pulled_back_and_harder_when_stiffer(name):
    dof = BODY.v_slice[name].start
    state = _still()
    off = State(integrate(BODY, state.q, 0.05 * np.eye(BODY.nv)[dof]), state.v)
    pulls = []
    for stiffness in (0.5, 1.0, 2.0):
        tracker = Tracker(
            BODY, SCENE, McSim(BODY, _held(REFERENCE), SCENE, McSimGains().stiffer(stiffness)), 0.0, REFERENCE.rate
        )
        here = tracker.compute(0, state, no_contacts()).torques[dof]  # solves
        there = tracker.compute(1, off, no_contacts()).torques[dof]  # holds the same forces
        pulls.append(here - there)
    assert 0.0 < pulls[0] < pulls[1] < pulls[2]


def test_the_swing_hip_turns_the_leg_to_where_the_body_goes():
    gains = McSimGains(swing_hip_velocity=0.2)
    lifted = np.zeros(BODY.nv)
    part = BODY.v_slice["shin_l"]
    lifted[part] = 0.6 if part.stop - part.start == 1 else np.array([0.6, 0.0, 0.0])
    q = integrate(BODY, REFERENCE.q[0], lifted)
    reference = replace(_held(REFERENCE), q=np.repeat(q[None], len(REFERENCE), axis=0))
    velocity = -np.eye(BODY.nv)[1]  # ahead: made clips face -Y
    dynamics = DYNAMICS.evaluate(q, velocity)
    soles = SCENE.ground.distance(dynamics.points(BODY.soles.links, BODY.soles.local))
    assert soles[BODY.soles.left].min() > 0.001 > soles[~BODY.soles.left].min()
    targets = [
        McSim(BODY, reference, SCENE, chosen)
        .problem(0, State(q, velocity), dynamics, no_contacts(), NO_ASSIST)
        .joints.targets
        for chosen in (McSimGains(), gains)
    ]
    change = targets[1] - targets[0]
    foot = np.array([BODY.index("foot_l")])
    ahead = (dynamics.point_jacobian(foot, dynamics.origins[foot]).J @ change)[0]
    assert ahead[1] < -10.0
    untouched = np.delete(change, np.arange(BODY.nv)[BODY.v_slice["thigh_l"]])
    np.testing.assert_allclose(untouched, 0.0, atol=1e-9)
