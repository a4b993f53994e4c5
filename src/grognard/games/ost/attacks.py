"""An attack from the dice to what they do: on infantry (93), on vehicles (95), and on who is beside one (100)."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.core.tally import Tally
from grognard.games.ost import results
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.combat import Numbers, attack_roll, least_firepower, modify
from grognard.games.ost.state import ON_MAP, Unit


def infantry_attack(
    battle: OstBattle,
    side: str,
    target: Unit,
    firepower: Tally,
    defense: Tally,
    roll: Tally,
    *rules: str,
    crew: bool = False,
    sustained: bool = False,
) -> Procedure[results.Effect]:
    """Firepower less Defense is the column of the ICT; 2D6, modified, give the result (93, 94)."""
    least_firepower(battle, firepower)
    numbers = Numbers(firepower, defense, roll)
    result, jammed = attack_roll(battle, side, target, "ict", numbers, "93.4", *rules, sustained=sustained)
    if crew:
        effect = results.apply_to_crew(battle, target, result)
    else:
        effect = yield from results.apply_ict(battle, target, result, side, *rules)
    return effect._replace(jammed=jammed)


def column_attack(
    battle: OstBattle, side: str, target: Unit, column: int, *rules: str, leader_rolls: bool = True, melee: bool = False
) -> Procedure[results.Effect]:
    """An unmodified roll on a given column of the ICT (85.6, 85.7, 100.2, 100.3)."""
    fixed = Tally("column", column, rules[0] if rules else "")
    reader = battle.charts.ict.reader(battle.charts.ict.column(column), 0)
    dice = battle.charts["ict"]["dice"]
    result = battle.roll(side, "ICT attack", dice, reader, ("93.4", *rules), (fixed,), unit=target.id)
    return (yield from results.apply_ict(battle, target, result, side, *rules, leader_rolls=leader_rolls, melee=melee))


def vehicle_attack(
    battle: OstBattle,
    side: str,
    target: Unit,
    firepower: Tally,
    defense: Tally,
    roll: Tally,
    *rules: str,
    critical: bool = False,
    sustained: bool = False,
) -> Procedure[results.Effect]:
    """A hit on a vehicle: the VCT, then collateral damage to whoever rides it or walks behind it (95.8-95.10, 100)."""
    least_firepower(battle, firepower)
    if critical:
        modify(battle, firepower, "critical_hit")
    numbers = Numbers(firepower, defense, roll)
    result, jammed = attack_roll(battle, side, target, "vct", numbers, "95.10", *rules, sustained=sustained)
    hurt_too = beside(battle, target)
    effect = yield from results.apply_vct(battle, target, result, side, *rules)
    for unit in hurt_too:
        walking = not unit.aboard and not effect.destroyed
        struck = yield from collateral(battle, unit, side, lost=effect.destroyed)
        if walking and struck.halted:  # 80.7: the squad in Rolling Cover stops, and so does its vehicle
            effect = effect._replace(halted=True)
    return effect._replace(jammed=jammed)


# ---- collateral damage (100) ----


def beside(battle: OstBattle, vehicle: Unit) -> list[Unit]:
    """Who is hurt when a vehicle is hit: its passenger, and the squad in Rolling Cover with it (100.1)."""
    units = [battle.passenger(vehicle), battle.unit(vehicle.partner) if vehicle.partner else None]
    return [unit for unit in units if unit is not None]


def collateral(battle: OstBattle, unit: Unit, by: str, *, lost: bool, melee: bool = False) -> Procedure[results.Effect]:
    """An unmodified attack: column -4 if the vehicle was lost, else -5 (100.2, 100.3).

    In a ``melee`` no gun outlives its crew (102.29), and Leaders are attacked themselves instead (102.19).
    """
    if unit.status != ON_MAP:
        return results.NOTHING
    table = battle.charts["collateral"]
    column = table["column_vehicle_lost" if lost else "column_other"]
    rules = ("100.2" if lost else "100.3", "100.1")
    return (yield from column_attack(battle, by, unit, column, *rules, melee=melee))
