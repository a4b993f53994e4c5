"""What a unit sees and can fire at from where it stands: arcs with their ranges, and the ground it sees."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table.outlook import visible_outline
from grognard.board.table.places import measured
from grognard.core.aids import Fan, FieldView, Ring, Seen
from grognard.core.errors import GrognardError
from grognard.core.poses import place
from grognard.games.bolt_action import formation, line_of_sight, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import ON_TABLE, Model, Unit
from grognard.games.bolt_action.view import as_known, knows_unit

#: How many men of a unit are asked what they see: more make the picture no clearer.
EYES = 3


def field_of_fire(battle: BoltBattle, side: str, unit_id: str) -> FieldView:
    """The field of fire of a unit on the table that the side knows of, from what it may know."""
    known = as_known(battle, side)
    unit = known.state.units.get(unit_id)
    if unit is None or unit.status != ON_TABLE or not unit.models or not knows_unit(known, side, unit):
        raise GrognardError(f"{unit_id!r} is no unit on the table that you know of; give the id of one, such as g3")
    rings = list(_rings(known, unit))
    fans = list(dict.fromkeys(_key(fan) for fan in _fans(known, unit)))
    return FieldView(
        unit=unit.id,
        rings=rings,
        places=list(_others(known, unit, rings)),
        fans=[Fan(*fan) for fan in fans],
        areas=_seen(known, unit),
    )


def _key(fan: Fan) -> tuple[float, float, int, int, float, str]:
    return fan.x, fan.y, fan.heading, fan.width, fan.range, fan.text


def _fans(battle: BoltBattle, unit: Unit) -> Iterator[Fan]:
    """An arc for each weapon: of equal ones only that of the middle man."""
    bearers: dict[tuple[int, int], list[Model]] = {}
    for arm in weapons.arms(battle, unit):
        model = unit.models[arm.row]
        heading = model.heading if weapons.arc(battle, unit, arm.slot) < 360 else 0
        bearers.setdefault((arm.slot, heading), []).append(model)
    for (index, heading), models in bearers.items():
        weapon = battle.weapon(unit, index)
        model = models[len(models) // 2]
        far = weapons.reach(battle, unit, index, moved=False, indirect=False).most
        words = f"{weapon.title}: {measured(far)}"
        low = weapon.min_indirect
        if low and (weapon.indirect or weapon.howitzer):
            words += f", {measured(low)} at least" + (" when firing indirectly" if weapon.howitzer else "")
        width = weapons.arc(battle, unit, index)
        yield Fan(model.x / 100, model.y / 100, heading, width, far / 100, words)


def _rings(battle: BoltBattle, unit: Unit) -> Iterator[Ring]:
    """How far an officer's voice goes, and a medic's hands (5.4, 26.1)."""
    kind, now = battle.type(unit), figures()
    if kind.rank:
        officer = now.officers[kind.rank]
        yield Ring(officer.range // 100, f"officer's bonus of {officer.bonus}")
    if battle.has(unit, "medic"):
        yield Ring(now.distance("medic", "range") // 100, "medic")
    if battle.has(unit, "command_vehicle"):
        yield Ring(now.distance("order_test", "command_vehicle_range") // 100, "command vehicle")


def _others(battle: BoltBattle, unit: Unit, rings: list[Ring]) -> Iterator[Seen]:
    """Where the other units on the table are, whether it sees them, and in which of its rings they lie."""
    for other in battle.units():
        if other is unit or not other.models:
            continue
        look = line_of_sight.look(battle, unit, other)
        covered = [cover for cover, sees in zip(look.cover, look.in_sight) if sees]
        state = "blocked" if not covered else "degraded" if min(covered) else "clear"
        near = battle.gap(unit, other)
        within = (number for number, ring in enumerate(rings) if near <= ring.range * 100)
        yield Seen(place(*formation.anchor(battle, other)), state, next(within, -1))


def _seen(battle: BoltBattle, unit: Unit) -> list[list[tuple[float, float]]]:
    """The outlines of what its men see, as far as the longest of its weapons reaches, or all of the table."""
    bodies = battle.bodies(unit)
    arms = weapons.arms(battle, unit)
    reach = [weapons.reach(battle, unit, arm.slot, moved=False, indirect=False).most for arm in arms]
    far = max(reach, default=battle.table.width)
    outlines: list[list[tuple[float, float]]] = []
    for row in range(0, len(bodies), max(1, len(bodies) // EYES)):
        eye = line_of_sight.eye_of(battle, unit, row, bodies[row])
        polygons = visible_outline(battle.scene, eye, far, line_of_sight.rules())
        outlines += [[(x / 100, y / 100) for x, y in polygon[0]] for polygon in polygons]
    return outlines
