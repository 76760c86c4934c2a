"""The baseline: stable PD on every joint around the reference's own torques, and a bounded assist at the pelvis."""

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..dynamics.dynamics import Dynamics
from ..dynamics.state_space import difference
from ..engines.engine import ROOT_DOFS, Contacts, State, Wrench
from ..reference.reference import Reference
from ..reference.reference_forces import ReferenceForces
from ..rotations import cross
from ..scene import Scene
from ..settings import PdSettings
from .controller import Command, assist_size
from .joint_limits import JointLimits
from .whole_runs import WholeRuns

_TORQUE_SHARE = 0.5  # of the assist's limit: less lets the body tip, more lets it drift (tried: 1/3, 1/2, 2/3)
_GYRATION = 0.25  # of height: a person's radius of gyration about the hips
_CRITICAL_HALF_LIFE = 1.678  # a critically damped error halves at omega t = 1.678


class StablePd(WholeRuns):
    """Torques after Tan, Liu and Turk 2011, "Stable proportional-derivative controllers", eq. 7 to 9."""

    solve_count = None

    def __init__(
        self,
        body: Body,
        reference: Reference,
        forces: ReferenceForces,
        scene: Scene,
        settings: PdSettings,
        assist_limit: float,  # of assist_size [N]
        *,
        stiffness: float = 1.0,
    ) -> None:
        self._body = body
        self._reference = reference
        self._forces = forces
        self._dynamics = Dynamics(body, scene.gravity)
        self._step_s = 1.0 / reference.rate
        self._stiffness = stiffness * body.torque_limit / settings.full_torque_at_rad
        self._damping = self._stiffness * settings.half_life_s / np.log(2.0)
        omega = _CRITICAL_HALF_LIFE / settings.pelvis_half_life_s
        carried = np.repeat([body.mass, body.mass * (_GYRATION * body.height) ** 2], 3)
        self._stiffness[:ROOT_DOFS] = carried * omega**2
        self._damping[:ROOT_DOFS] = carried * 2.0 * omega
        self._joint_damping = self._damping.copy()
        self._joint_damping[:ROOT_DOFS] = 0.0
        self._limits = JointLimits(body)
        self._assist_limit = assist_limit

    def reset(self) -> None:
        """There is no memory to clear."""

    def compute(self, step: int, state: State, contacts: Contacts) -> Command:
        target = min(step + 1, len(self._reference) - 1)
        dynamics = self._dynamics.evaluate(state.q, state.v)
        R_world_root = dynamics.R_world_link[0]
        error = difference(self._body, self._reference.q[target], state.q) - self._step_s * state.v
        wanted = self._stiffness * error + self._damping * (self._reference.v[target] - state.v)
        wanted += self._forces.torques[target] + self._limits.torques(state.q, self._stiffness)
        wanted[:ROOT_DOFS] += self._lacking(target, R_world_root)
        contact = dynamics.generalised_force(contacts.links, contacts.positions, contacts.forces)
        given = contact - dynamics.bias
        force = self._implicit(dynamics.M, wanted, self._damping, given)
        if assist_size(force[:3], force[3:ROOT_DOFS]) > self._assist_limit:
            # The joints must not count on help that does not come.
            wanted[:ROOT_DOFS] = self._within_limit(force[:3], force[3:ROOT_DOFS])
            force = self._implicit(dynamics.M, wanted, self._joint_damping, given)
        assist = Wrench(
            link=0,
            force=force[:3],
            torque=R_world_root @ force[3:ROOT_DOFS],
            point=state.q[:3],
        )
        limit = self._body.torque_limit  # zero for the root
        return Command(np.clip(force, -limit, limit), assist)

    def _within_limit(self, force: Floats, torque: Floats) -> Floats:
        """Uprightness first: torque takes up to its share of the limit, force what is left."""
        torque = _shortened(torque, _TORQUE_SHARE * self._assist_limit)
        force = _shortened(force, self._assist_limit - float(np.linalg.norm(torque)))
        return np.concatenate([force, torque])

    def _implicit(self, M: Floats, wanted: Floats, damping: Floats, given: Floats) -> Floats:
        """The force at the end of the step, when damping already acts on the speed that it brings about."""
        ahead = np.linalg.solve(M + np.diag(damping * self._step_s), wanted + given)
        force: Floats = wanted - damping * self._step_s * ahead
        return force

    def _lacking(self, target: int, R_world_root: Floats) -> Floats:
        """What no contact gives the reference itself, as a generalised force at the root."""
        force = self._forces.force_left[target]
        arm = self._reference.com[target] - self._reference.q[target, :3]
        torque = self._forces.torque_left[target] + cross(arm, force)
        return np.concatenate([force, R_world_root.T @ torque])


def _shortened(vector: Floats, limit: float) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector if length <= limit else vector * (limit / length)
