"""The scene around a clip: its ground, and the objects that a file tells or that the clip's feet have found."""

from typing import NamedTuple

from ..body.body import Body
from ..motion.clip import Clip
from ..motion.motion_guesses import Guess
from ..scene import Ground, Scene
from ..settings import GroundSettings
from ..staging.captured_on import captured_on
from ..staging.check_room import check_room
from ..staging.place_things import place_things
from ..staging.placement import Stage
from .propose import propose


class Surroundings(NamedTuple):
    scene: Scene
    stands_on_things: bool  # the clip was captured on the scene's very things
    guesses: tuple[Guess, ...]
    warnings: tuple[str, ...]


def surround(
    clip: Clip,
    body: Body,
    stage: Stage,
    ground: Ground,
    made_for: Ground,
    friction: float,
    settings: GroundSettings,
    captured: Clip,
) -> Surroundings:
    """Objects are found by the feet of what was captured, of which the clip may be a single pose."""
    objects = settings.objects
    guesses: tuple[Guess, ...] = ()
    if settings.find_objects:
        proposal = propose(captured, body, stage)
        objects = proposal.objects
        guesses = tuple(Guess(name="scene", value=len(objects), reason=reason) for reason in proposal.sentences)
    placed = place_things(objects, stage, friction)
    scene = Scene(ground=ground, things=placed.things, friction=friction, gravity=settings.gravity)
    found_by_feet = settings.find_objects and bool(placed.things)
    stands_on_things = found_by_feet or captured_on(scene, clip, body, made_for)
    if not stands_on_things:
        check_room(placed.things, clip, body)
    return Surroundings(scene, stands_on_things, guesses, placed.warnings)
