"""The states that a bake passed through, so that another one can go on from the midst of it."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..body.body import Body
from ..controllers.variation import AS_IT_IS
from ..engines.engine import State, no_contacts
from ..engines.loose import loose_numbers
from ..errors import SettingsError
from ..motion.clip import Clip
from ..reference.reference import Reference
from ..scene import Scene
from .health import health_of
from .outside_forces import OutsideForce, facings_until
from .recording import GroundContacts, Recording
from .stretch import Moment, Stretch
from .trial import Leg, Window

_VERSION = 3
_TICK = 5  # steps: a controller decides anew at every so many


@dataclass(frozen=True, kw_only=True, eq=False)
class States:
    """One row a physics step, and the keys that were made of them."""

    rate: float
    q: Floats  # (S, nq)
    v: Floats  # (S, nv)
    things: Floats  # (S, L, 13) the loose ones
    assist: Floats  # (S, 6)
    foot_torque: Floats  # (S, 2, 3)
    torque_ratio: Floats  # (S,)
    displaced: Floats  # (S, 3)
    contacts: GroundContacts
    fps: float
    bones: tuple[str, ...]
    positions: Floats  # (T, J, 3) of all frames that were asked for
    rotations: Floats  # (T, J, 4)


_ARRAYS = ("q", "v", "things", "assist", "foot_torque", "torque_ratio", "displaced", "positions", "rotations")


def states_of(recording: Recording, clip: Clip) -> States:
    return States(
        rate=recording.rate,
        q=recording.q,
        v=recording.v,
        things=recording.things,
        assist=np.concatenate([recording.assist_force, recording.assist_torque], axis=1),
        foot_torque=recording.foot_torque,
        torque_ratio=recording.torque_ratio,
        displaced=recording.displaced,
        contacts=recording.ground_contacts,
        fps=clip.fps,
        bones=clip.skeleton.names,
        positions=clip.positions,
        rotations=clip.rotations,
    )


def states_bytes(states: States) -> bytes:
    contacts = {f"contact_{name}": column for name, column in states.contacts._asdict().items()}
    buffer = io.BytesIO()
    np.savez(
        buffer,
        version=_VERSION,
        rate=states.rate,
        fps=states.fps,
        bones=np.array(states.bones),
        **{name: getattr(states, name) for name in _ARRAYS},
        **contacts,
    )
    return buffer.getvalue()


def read_states(path: Path) -> States:
    try:
        with np.load(path, allow_pickle=False) as file:
            if int(file["version"]) != _VERSION:
                raise SettingsError(f"'{path.name}' was written by another version of Heft; bake the whole clip again.")
            return States(
                rate=float(file["rate"]),
                fps=float(file["fps"]),
                bones=tuple(str(name) for name in file["bones"]),
                contacts=GroundContacts(*(file[f"contact_{name}"] for name in GroundContacts._fields)),
                **{name: file[name] for name in _ARRAYS},
            )
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else "it holds no states of a bake"
        raise SettingsError(f"'{path.name}' cannot be gone on from: {reason}; bake the whole clip.") from error


def check_fits(states: States, asked: Clip, body: Body, scene: Scene, rate: float) -> None:
    """Raises where the states are those of something else."""
    if states.bones != asked.skeleton.names or states.q.shape[1] != body.nq:
        raise SettingsError("The states are those of another rig; bake the whole clip.")
    if len(states.positions) != len(asked) or states.fps != asked.fps or states.rate != rate:
        raise SettingsError("The states are those of other frames or another frame rate; bake the whole clip.")
    if states.things.shape[1] != len(loose_numbers(scene)):
        raise SettingsError("The states are those of a scene with other loose objects; bake the whole clip.")


def leg_until(
    states: States, step: int, body: Body, reference: Reference, scene: Scene, outside: Sequence[OutsideForce] = ()
) -> Leg:
    """What was simulated before a step, or a little earlier, as one window that is done."""
    step -= step % _TICK
    known = states.contacts.steps < step
    stretch = Stretch(
        first=0,
        q=states.q[:step],
        v=states.v[:step],
        things=states.things[:step],
        assist=states.assist[:step],
        foot_torque=states.foot_torque[:step],
        torque_ratio=states.torque_ratio[:step],
        rows=np.arange(step),
        displaced=states.displaced[:step],
        contacts=GroundContacts(
            states.contacts.steps[known],
            states.contacts.links[known],
            states.contacts.positions[known],
            states.contacts.forces[known],
            states.contacts.things[known],
        ),
        end=Moment(
            step,
            step,
            State(states.q[step], states.v[step], states.things[step]),
            no_contacts(),
            None,
            states.displaced[step],
            facings_until(outside, body, states.q[:step], states.rate),
        ),
        failure=None,
        failed_step=None,
        broken=False,
        solve_count=None,
        cpu_s=0.0,
    )
    return Leg(Window(step, AS_IT_IS, 0.0), stretch, health_of(stretch, body, reference, scene))
