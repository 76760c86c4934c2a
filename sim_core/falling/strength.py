"""Who is tired or drunk: the same body with weaker joints."""

from dataclasses import replace

from ..body.body import Body


def with_strength(body: Body, factor: float) -> Body:
    links = tuple(
        replace(link, joint=replace(link.joint, torque_limit=factor * link.joint.torque_limit)) for link in body.links
    )
    return replace(body, links=links)
