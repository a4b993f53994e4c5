"""Fields of fire: the arcs and ranges of a unit's weapons, and how far an officer's voice goes or a medic's hands."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table.places import measured
from grognard.core.aid_views import Fan, FieldView, Ring
from grognard.core.errors import GrognardError
from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.line_of_sight import looks_of
from grognard.games.bolt_action.state import Model, Unit
from grognard.games.bolt_action.view import as_known, knows_unit
from grognard.kits.table import field_of_fire as kit
from grognard.kits.table.state import ON_TABLE


def field_of_fire(battle: BoltBattle, side: str, unit_id: str) -> FieldView:
    """The field of fire of a unit on the table that the side knows of, from what it may know."""
    known = as_known(battle, side)
    unit = known.state.units.get(unit_id)
    if unit is None or unit.status != ON_TABLE or not unit.models or not knows_unit(known, side, unit):
        raise GrognardError(f"{unit_id!r} is not a unit you know of on the table; give the id of one, such as g3")
    held = weapons.in_hand(known, unit)
    reach = [weapons.reach(known, unit, each.slot, moved=False, indirect=False).most for each in held]
    far = max(reach, default=0)
    return kit.field_of_fire(looks_of(known), unit, _fans(known, unit), list(_rings(known, unit)), far)


def _fans(battle: BoltBattle, unit: Unit) -> Iterator[Fan]:
    """An arc for each weapon: of equal ones only that of the middle man."""
    bearers: dict[tuple[int, int], list[Model]] = {}
    for held in weapons.in_hand(battle, unit):
        model = unit.models[held.row]
        heading = model.heading if weapons.arc(battle, unit, held.slot) < 360 else 0
        bearers.setdefault((held.slot, heading), []).append(model)
    for (index, heading), models in bearers.items():
        weapon = battle.weapon(unit, index)
        model = models[len(models) // 2]
        far = weapons.reach(battle, unit, index, moved=False, indirect=False).most
        words = f"{weapon.title}: {measured(far, battle.measure)}"
        low = weapon.min_indirect
        if low and (weapon.indirect or weapon.howitzer):
            words += f", {measured(low, battle.measure)} at least" + (
                " when firing indirectly" if weapon.howitzer else ""
            )
        width = weapons.arc(battle, unit, index)
        yield Fan(model.x / 100, model.y / 100, heading, width, far / 100, words)


def _rings(battle: BoltBattle, unit: Unit) -> Iterator[Ring]:
    """How far an officer's voice goes, and a medic's hands (5.4, 26.1)."""
    kind, now = battle.type(unit), charts()
    if kind.rank:
        officer = now.officers[kind.rank]
        yield Ring(officer.range // 100, f"officer's bonus of {officer.bonus}")
    if battle.has(unit, "medic"):
        yield Ring(now.distance("medic", "range") // 100, "medic")
    if battle.has(unit, "command_vehicle"):
        yield Ring(now.distance("order_test", "command_vehicle_range") // 100, "command vehicle")
