"""Control hexes: who takes them, and when (65)."""

from __future__ import annotations

from grognard.games.ost import turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import GOOD, ON_MAP, Unit


def may_control(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit of this kind can take a control hex: not single persons, crews, trucks or jeeps (65.4, 11.2)."""
    kind = battle.type(unit)
    return not (kind.single or kind.crew or kind.truck or kind.armor_leader)


def capture(battle: OstBattle, unit: Unit) -> None:
    """A good order unit that came into a control hex takes it (65.3); passengers only when they unload (Y-1).

    While a Melee goes on in the hex its old owner keeps it (Y-2).
    """
    hex, control = unit.hex, battle.state.control
    if hex not in control or control[hex] == unit.side:
        return
    if unit.status != ON_MAP or unit.morale != GOOD or unit.aboard or unit.hidden:
        return
    if hex in battle.state.melees or not may_control(battle, unit):
        return
    _take(battle, unit.side, hex, "65.3")


def after_melee(battle: OstBattle, hex: str) -> None:
    """The side that is alone in a hex after its Melee owns it, whatever its morale (65.6, Y-2)."""
    control = battle.state.control
    here = battle.at.get(hex, ())
    sides = {unit.side for unit in here}
    if hex not in control or len(sides) != 1:
        return
    holder = next((u for u in here if not u.aboard and may_control(battle, u)), None)
    if holder is not None and control[hex] != holder.side:
        _take(battle, holder.side, hex, "65.6")


def _take(battle: OstBattle, side: str, hex: str, rule: str) -> None:
    battle.state.control[hex] = side
    battle.emit(turn_events.Captured(side=side, place=hex, rules=(rule,)))
