"""What a unit sees and can fire at from where it stands: arcs with their ranges, and the ground it sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grognard.board.table.outlook import visible_outline
from grognard.core.aid_views import Fan, FieldView, Ring, Seen
from grognard.core.poses import place
from grognard.kits.table.looks import B, Looks, U
from grognard.kits.table.sight_report import BLOCKED, CLEAR, COVERED

#: How many models of a unit are asked what they see: more make the picture no clearer.
EYES = 3


def field_of_fire(
    looks: Looks[B, U], unit: U, fans: Iterable[Fan], rings: Sequence[Ring] = (), far: float = 0.0
) -> FieldView:
    """The field of fire of a unit on the table.

    ``fans`` are the arcs of its weapons, of which equal ones are shown once; ``rings`` go about the whole of it;
    ``far`` is as far as the ground is shown that it sees, all of the table if left out.
    """
    arcs = {(fan.x, fan.y, fan.heading, fan.width, fan.range, fan.text): fan for fan in fans}
    return FieldView(
        unit=unit.id,
        rings=list(rings),
        places=list(_others(looks, unit, rings)),
        fans=list(arcs.values()),
        areas=_seen(looks, unit, far or looks.battle.table.width),
    )


def _others(looks: Looks[B, U], unit: U, rings: Sequence[Ring]) -> Iterator[Seen]:
    """Where the other units on the table are, whether it sees them, and in which of its rings they lie."""
    battle = looks.battle
    for other in battle.units():
        if other is unit or not other.models:
            continue
        look = looks.look(unit, other)
        covered = [cover for cover, sees in zip(look.cover, look.in_sight) if sees]
        state = BLOCKED if not covered else COVERED if min(covered) else CLEAR
        near = battle.gap(unit, other)
        within = (number for number, ring in enumerate(rings) if near <= ring.range * 100)
        yield Seen(place(*battle.anchor(other)), state, next(within, -1))


def _seen(looks: Looks[B, U], unit: U, far: float) -> list[list[tuple[float, float]]]:
    """The outlines of the ground that its models see."""
    bodies = looks.battle.bodies(unit)
    outlines: list[list[tuple[float, float]]] = []
    for row in range(0, len(bodies), max(1, len(bodies) // EYES)):
        eye = looks.sighting.eye(unit, row, bodies[row])
        polygons = visible_outline(looks.battle.scene, eye, far, looks.sighting.rules)
        outlines += [[(x / 100, y / 100) for x, y in polygon[0]] for polygon in polygons]
    return outlines
