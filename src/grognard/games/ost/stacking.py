"""Stacking limits (72): two units, two Leaders and any number of support weapons of a side in a hex."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.core.ask import Bar
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType
from grognard.games.ost.state import BROKEN, ON_MAP, Unit

TOO_MANY_UNITS = Bar("72.1", "two units of its side are there")
TOO_MANY_LEADERS = Bar("72.1", "two Leaders of its side are there")
SNIPER_ALONE = Bar("12.2", "Snipers can't stack with other units")


def company(battle: OstBattle, unit: Unit) -> list[Unit]:
    """A unit with all who go where it goes: its Leader (15.7), and whoever rides on it (79.2).

    An attached Leader who is Broken does not follow (D-4).
    """
    if unit.status == ON_MAP:
        others: Sequence[Unit] = battle.at[unit.hex]
    else:
        others = [u for u in battle.state.units.values() if u.status == unit.status]
    found = [unit]
    for other in others:
        if other is unit:
            continue
        if other.aboard == unit.id or (
            other.attached == unit.id and (other.morale != BROKEN or battle.type(other).armor_leader)
        ):
            found.append(other)
    return found


def bar_stack(battle: OstBattle, side: str, hex: str, units: Sequence[Unit]) -> Bar | None:
    """Why units, with whoever follows them, may not join their side's units in a hex, even in passing (72.4)."""
    here = battle.at.get(hex)
    if not here:
        return None
    coming: dict[str, Unit] = {}
    for unit in units:
        for each in company(battle, unit):
            coming[each.id] = each
    staying = [u for u in here if u.side == side and u.id not in coming]
    return _bar(battle, staying, [(battle.kinds[u.kind], bool(u.aboard)) for u in coming.values()])


def bar_kinds(battle: OstBattle, side: str, hex: str, kinds: Sequence[UnitType]) -> Bar | None:
    """As `bar_stack`, for counters that are not on the map yet."""
    return _bar(battle, [u for u in battle.at.get(hex, ()) if u.side == side], [(kind, False) for kind in kinds])


def bar_alone(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a passenger may not stand beside its vehicle: set down, it counts for itself (72.1, 79.23)."""
    here = [u for u in battle.at[unit.hex] if u.side == unit.side and u is not unit and u.attached != unit.id]
    return _bar(battle, here, [(battle.kinds[unit.kind], False)])


def _bar(battle: OstBattle, staying: list[Unit], coming: list[tuple[UnitType, bool]]) -> Bar | None:
    """Passengers count with their vehicle (72.2); Armor Leaders with theirs; wrecks not at all (34.5)."""
    if not staying:
        return None
    units = leaders = 0
    sniper = False
    for kind, aboard in [*((battle.kinds[u.kind], bool(u.aboard)) for u in staying), *coming]:
        if kind.leader:
            leaders += 1
        elif not aboard and not kind.armor_leader:
            units += 1
            sniper = sniper or kind.sniper
    if sniper and units + leaders > 1:
        return SNIPER_ALONE
    limits = battle.charts["stacking"]
    if units > limits["units"]:
        return TOO_MANY_UNITS
    return TOO_MANY_LEADERS if leaders > limits["leaders"] else None
