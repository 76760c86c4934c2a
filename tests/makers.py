"""Small skeletons, clips and bodies that tests share; made by code, so that no file is needed."""

import numpy as np

from sim_core import rotations
from sim_core.body.body import Body, Box, Capsule, Joint, JointKind, Link, Shape, SolePoints
from sim_core.simulation.recording import GroundContacts

# name, parent, joint offset in the parent's frame, mass, shape: a plain figure of 20 links, facing +Y, Z up.
_SIDE = [
    ("clavicle", "chest", (0.03, 0.0, 0.14), 1.0, ((0.02, 0, 0), (0.10, 0, 0), 0.04)),
    ("upper_arm", "clavicle", (0.15, 0.0, 0.0), 2.0, ((0.0, 0, -0.05), (0, 0, -0.24), 0.045)),
    ("forearm", "upper_arm", (0.0, 0.0, -0.29), 1.2, ((0, 0, -0.04), (0, 0, -0.22), 0.035)),
    ("hand", "forearm", (0.0, 0.0, -0.26), 0.5, ((0, 0, -0.05), (0, 0, -0.11), 0.03)),
]
_LEG = [
    ("thigh", "pelvis", (0.10, 0.0, -0.03), 9.0, ((0, 0, -0.08), (0, 0, -0.36), 0.07)),
    ("shin", "thigh", (0.0, 0.0, -0.43), 3.3, ((0, 0, -0.06), (0, 0, -0.33), 0.05)),
]
_TRUNK = [
    ("pelvis", None, (0, 0, 0), 9.0, ((-0.08, 0, 0), (0.08, 0, 0), 0.09)),
    ("abdomen", "pelvis", (0, 0, 0.10), 9.0, ((-0.07, 0, 0.05), (0.07, 0, 0.05), 0.08)),
    ("chest", "abdomen", (0, 0, 0.15), 12.0, ((-0.08, 0, 0.10), (0.08, 0, 0.10), 0.10)),
    ("head", "chest", (0, 0, 0.26), 5.0, ((0, 0, 0.10), (0, 0, 0.12), 0.09)),
]
_HINGES = {"shin_l", "shin_r", "forearm_l", "forearm_r"}


def _inertia(mass: float, shape: Shape) -> np.ndarray:
    """Roughly that of the shape; the tests need only something general, positive and not diagonal."""
    size = shape.radius if isinstance(shape, Capsule) else float(shape.half_extents.mean())
    tilt = rotations.to_matrix(rotations.exp(np.array([0.2, -0.3, 0.1])))
    return tilt @ np.diag(mass * size**2 * np.array([1.0, 1.4, 0.8])) @ tilt.T


def figure_body(*, hinges: bool = True, toes: bool = True) -> Body:
    """A standing figure of 20 links (18 without toes): balls, hinge knees and elbows, box feet."""
    rows = list(_TRUNK)
    for side, sign in (("_l", -1.0), ("_r", 1.0)):  # facing +Y with Z up, left is -X
        for name, parent, offset, mass, (start, end, radius) in _SIDE + _LEG:
            flip = np.array([sign, 1.0, 1.0])
            mirrored = (np.array(start) * flip, np.array(end) * flip, radius)
            on = parent if parent in ("chest", "pelvis") else parent + side
            rows.append((name + side, on, np.array(offset) * flip, mass, mirrored))
        rows.append(
            (
                "foot" + side,
                "shin" + side,
                (0, 0, -0.41),
                1.0,
                Box(
                    centre=np.array([0.0, 0.05, -0.04]),
                    R_link_box=np.eye(3),
                    half_extents=np.array([0.045, 0.11, 0.03]),
                ),
            )
        )
        if toes:
            rows.append(
                (
                    "toes" + side,
                    "foot" + side,
                    (0, 0.16, -0.05),
                    0.3,
                    Box(
                        centre=np.array([0.0, 0.035, -0.005]),
                        R_link_box=np.eye(3),
                        half_extents=np.array([0.045, 0.033, 0.015]),
                    ),
                )
            )
    return _body(rows, hinges)


def _body(rows: list, hinges: bool) -> Body:
    by_name = {row[0]: row for row in rows}
    order = _depth_first([row[0] for row in rows], {row[0]: row[1] for row in rows})
    links = []
    for name in order:
        _, parent, offset, mass, raw = by_name[name]
        shape = (
            raw
            if isinstance(raw, Box)
            else Capsule(start=np.array(raw[0], float), end=np.array(raw[1], float), radius=raw[2])
        )
        kind: JointKind = "free" if parent is None else "hinge" if hinges and name in _HINGES else "ball"
        dofs = {"free": 0, "ball": 3, "hinge": 1}[kind]
        axes = {"free": np.zeros((0, 3)), "ball": np.eye(3), "hinge": np.array([[1.0, 0.0, 0.0]])}[kind]
        frame = rotations.exp(np.array([0.1, 0.0, 0.0])) if kind == "hinge" else rotations.IDENTITY
        joint = Joint(
            kind=kind,
            axes=axes,
            neutral=rotations.IDENTITY,
            lower=np.full(dofs, -3.0),
            upper=np.full(dofs, 3.0),
            torque_limit=np.full(dofs, 200.0),
        )
        centre = shape.centre if isinstance(shape, Box) else 0.5 * (shape.start + shape.end)
        links.append(
            Link(
                name=name,
                bone=name,
                parent=-1 if parent is None else order.index(parent),
                offset=np.array(offset, float),
                frame=frame,
                joint=joint,
                mass=mass,
                com=centre + np.array([0.003, -0.004, 0.005]),
                inertia=_inertia(mass, shape),
                shape=shape,
            )
        )
    points = [
        (i, corner, link.name.endswith("_l"))
        for i, link in enumerate(links)
        if isinstance(link.shape, Box)
        for corner in link.shape.corners
        if corner[2] < link.shape.centre[2]
    ]
    soles = SolePoints(
        links=np.array([p[0] for p in points]),
        local=np.array([p[1] for p in points]),
        left=np.array([p[2] for p in points]),
    )
    arms = [i for i, link in enumerate(links) if link.name[:-2] in ("hand", "forearm")]
    legs = [i for i, link in enumerate(links) if link.name[:-2] in ("thigh", "shin", "foot")]
    pairs = tuple((a, b) if a < b else (b, a) for a in arms for b in legs)
    return Body(links=tuple(links), soles=soles, collision_pairs=pairs, height=1.7)


def _depth_first(names: list[str], parent: dict[str, str | None]) -> list[str]:
    order: list[str] = []

    def visit(name: str) -> None:
        order.append(name)
        for child in names:
            if parent[child] == name:
                visit(child)

    visit(names[0])
    return order


def random_state(body: Body, seed: int, speed: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A pose with every joint turned and every velocity set."""
    rng = np.random.default_rng(seed)
    q = np.zeros(body.nq)
    for link in body.links:
        part = body.q_slice[link.name]
        if link.joint.kind == "hinge":
            q[part] = rng.normal(0.0, 0.6)
        else:
            q[part.stop - 4 : part.stop] = rotations.exp(rng.normal(0.0, 0.6, 3))
    q[:3] = rng.normal(0.0, 1.0, 3)
    return q, rng.normal(0.0, speed, body.nv)


def no_ground_contacts() -> GroundContacts:
    none, nowhere = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    return GroundContacts(none, none, nowhere, nowhere, none)
