"""Unit morale, Gut Checks, Rally and Free Rally (68-71)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Bar, Option
from grognard.core.dice import at_least
from grognard.core.tally import Tally
from grognard.games.ost import combat_events, control
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IN_MELEE, INTENSIVE
from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, SHAKEN, Unit

NOT_ON_MAP = Bar("70.1", "it isn't on the map")
IN_GOOD_ORDER = Bar("70.1", "it is in good order")


def gut_check(battle: OstBattle, unit: Unit, *rules: str) -> bool:
    """Roll 2D6, never modified: the side's Gut Check number or more passes (69.2-69.5).

    A hidden unit is not revealed by it (H-1): here and in a rally only its own side is told.
    """
    number = battle.scenario.gut_check[unit.side]
    tally = Tally("Gut Check number", number, "69.1")
    secret = battle.secret(unit)
    passed: bool = battle.roll(
        unit.side, "Gut Check", "2d6", at_least(number), ("69.2", *rules), (tally,), unit=unit.id, seen_by=secret
    )
    return passed


def suffer(battle: OstBattle, unit: Unit, result: str, *rules: str, check: bool = True) -> bool:
    """A Shaken ("S") or Broken ("B") result; True if the unit's morale fell.

    It is ignored when the Gut Check passes (69.3), and does nothing to a Broken unit (68.11). A Shaken unit
    that is Shaken again becomes Broken (68.10).
    """
    if unit.morale == BROKEN:
        return False
    if check and gut_check(battle, unit, *rules):
        return False
    rules, secret = rules or ("69.4",), battle.secret(unit)
    if result == "B" or unit.morale == SHAKEN:
        if result != "B":
            rules = (*rules, "68.10")
        unit.morale = BROKEN
        battle.emit(combat_events.Broken(side=unit.side, unit=unit.id, rules=rules, seen_by=secret))
    else:
        unit.morale = SHAKEN
        battle.emit(combat_events.Shaken(side=unit.side, unit=unit.id, rules=rules, seen_by=secret))
    unit.clearing = ""  # 10.4: clearing needs good order to the turn's end
    return True


# ---- rally (70) ----


def bar_rally(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not try to rally (70.1, 101.3, 90.4)."""
    if unit.status != ON_MAP:
        return NOT_ON_MAP
    if unit.morale == GOOD:
        return IN_GOOD_ORDER
    if unit.hex in battle.state.melees:
        return IN_MELEE
    if unit.intensive and battle.options.intensive_bars_rally:
        return INTENSIVE
    return None


def rally_leader(battle: OstBattle, unit: Unit) -> Unit | None:
    """A good order Leader, of any branch, who has the unit in command range; an Armor Leader for vehicles.

    A Leader does not help himself (D-5), nor when hidden or locked in a Melee.
    """
    wanted = "armor_leader" if battle.type(unit).vehicle else "leader"
    for other in battle.units(unit.side):
        kind = battle.type(other)
        if (
            kind.kind == wanted
            and other is not unit
            and other.morale == GOOD
            and not other.hidden
            and other.hex not in battle.state.melees
            and battle.grid.distance(other.hex, unit.hex) <= kind.command_range
        ):
            return other
    return None


def rally_tally(battle: OstBattle, unit: Unit) -> Tally:
    """What modifies the unit's rally roll; the lines add up (70.9)."""
    lines = battle.charts.rally_modifiers
    tally = Tally("rally modifiers", 0, "70.9")

    def add(id: str, source: str = "") -> None:
        tally.add(id, lines[id].amount, lines[id].rule, source)

    if leader := rally_leader(battle, unit):
        add("leader", battle.name(leader))
    if source := _shelter(battle, unit):
        add("in_cover", source)
    if source := _threat(battle, unit):
        add("enemy_adjacent", source)
    if unit.reduced:
        add("reduced")
    return tally


def _shelter(battle: OstBattle, unit: Unit) -> str:
    """What shelters a unit that rallies: trees, walls, holes in the ground; for vehicles fewer of them."""
    shelter = battle.charts["rally_shelter"]["vehicle" if battle.type(unit).vehicle else "foot"]
    terrain = battle.terrain(unit.hex).name
    if terrain in shelter and not unit.on_road:
        return terrain.replace("_", " ")
    work = battle.state.works.get(unit.hex)
    if work is None or work.kind not in shelter or (work.kind == "cover" and work.side != unit.side):
        return ""
    return work.kind if work.kind not in ("bunker", "pillbox") or unit.inside else ""


def _threat(battle: OstBattle, unit: Unit) -> str:
    for hex in battle.grid.adjacent[unit.hex]:
        for enemy in battle.seen_enemies(hex, unit.side):
            kind = battle.type(enemy)
            if enemy.morale != BROKEN and kind.kind not in ("leader", "armor_leader"):
                if not kind.vehicle or battle.working_mgs(enemy) or battle.working_guns(enemy):
                    return battle.name(enemy)
    return ""


def rally_attempt(battle: OstBattle, unit: Unit, *rules: str) -> bool:
    """One attempt: 7 or more for a Shaken unit, 9 for a Broken one; a Broken unit that fails is Shaken (70)."""
    numbers = battle.charts["rally"]
    broken = unit.morale == BROKEN
    needed = numbers["broken_at_least" if broken else "shaken_at_least"]
    tally = rally_tally(battle, unit)
    number = Tally("rally number", needed, "70.8" if broken else "70.7")
    reader, secret = at_least(needed, tally.total), battle.secret(unit)
    rallied: bool = battle.roll(
        unit.side, "Rally", "2d6", reader, ("70.3", *rules), (number, tally), unit=unit.id, seen_by=secret
    )
    if rallied:
        unit.morale = GOOD
        battle.emit(combat_events.Rallied(side=unit.side, unit=unit.id, rules=("70.4",), seen_by=secret))
        control.capture(battle, unit)  # Y-3: a unit that rallies in a control hex takes it then
    elif broken:
        unit.morale = SHAKEN
        battle.emit(combat_events.Shaken(side=unit.side, unit=unit.id, rules=("70.6",), seen_by=secret))
    return rallied


def options_rally(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every unit that may try to rally for a point (70.1); as often as its owner likes (70.2)."""
    for unit in battle.units(side):
        if unit.morale and bar_rally(battle, unit) is None:
            yield Option(f"rally {unit.id}", "Rally", "rally", unit.id, unit.hex, cost="1 IP", rule="70.1")


def act_rally(battle: OstBattle, side: str, unit_id: str) -> bool:
    """Spend a point on a rally attempt (70.1)."""
    battle.spend(side, battle.charts["impulse"]["cost_rally"], "70.1")
    rally_attempt(battle, battle.unit(unit_id), "70.1")
    return False


def free_rally(battle: OstBattle) -> None:
    """Each Shaken or Broken unit that is not in Melee makes one free attempt (71.1, 71.2)."""
    for unit in list(battle.state.units.values()):
        if unit.status == ON_MAP and unit.morale and unit.hex not in battle.state.melees:
            rally_attempt(battle, unit, "71.1")
