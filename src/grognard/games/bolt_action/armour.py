"""Shooting at armoured vehicles (19) and what damage does to them (20)."""

from __future__ import annotations

from functools import cache

from grognard.core.dice import Reader, by_face
from grognard.core.tally import Tally
from grognard.games.bolt_action import damage, fire_events, morale, pins
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import Unit

FRONT, SIDE, REAR, TOP = "front", "side", "rear", "top"

STUNNED, IMMOBILISED, ON_FIRE, KNOCKED_OUT = "crew_stunned", "immobilised", "on_fire", "knocked_out"


def penetration(
    battle: BoltBattle,
    target: Unit,
    pen: int,
    *,
    face: str,
    long_range: bool = False,
    he: bool = False,
    shaped: bool = False,
    flame: bool = False,
    indirect: bool = False,
    source: str = "",
) -> Tally:
    """What is added to the die: the weapon's penetration, the face it hits, long range (19.1 to 19.4).

    Indirect fire and flamethrowers strike the top (17.10, 17.15). Shells, shaped charges and fire lose nothing at
    long range (17.7, 17.15, 19.7). A vehicle armoured all round has no weak face (27.8).
    """
    now = charts().penetration
    found = Tally("Penetration", pen, "19.1", source)
    if indirect or flame:
        face = TOP
    if face != FRONT and not battle.has(target, "armoured_all_round"):
        found.add(now[face].id, now[face].amount, now[face].rule)
    if face == FRONT and battle.has(target, "heavy_frontal_armour"):
        thick = now["heavy_frontal_armour"]
        found.add(thick.id, thick.amount, thick.rule)
    if long_range and not (he or shaped or flame):
        found.add("long_range", now["long_range"].amount, now["long_range"].rule)
    return found


@cache
def grade_reader(pen: int, value: int, superficial_only: bool = False) -> Reader:
    """Reads a die to damage armour as the grade of the damage, "" for none (14.4, 19.6)."""
    found = []
    for face in range(1, 7):
        grade = charts().grade(face + pen - value) if face > 1 else None
        if grade is not None and superficial_only:
            grade = charts().grade(0)
        found.append(grade.id if grade is not None else "")
    return by_face(tuple(found))


def strike(
    battle: BoltBattle, side: str, target: Unit, added: Tally, source: str = "", *, indirect: bool = False
) -> None:
    """Roll one hit to damage an armoured vehicle and apply what it does (19.1, 19.6, 20.1)."""
    number, rule, title = damage.value(battle, target)
    worth = Tally("Damage value", number, rule, title)
    read = grade_reader(added.total, number)
    grade: str = battle.roll(side, "damage", "1d6", read, ("19.1", "19.6"), (added, worth), target.id)
    battle.emit(fire_events.Penetration(side=side, unit=target.id, grade=grade, rules=("19.6",)))
    if grade:
        results(battle, side, target, grade, indirect=indirect)


def results(battle: BoltBattle, side: str, target: Unit, grade: str, *, indirect: bool = False) -> None:
    """Roll the damage of a grade on the table: massive damage has two results, one after the other (20.1, 20.10)."""
    now = charts()
    found = next(each for each in now.grades if each.id == grade)
    tally = Tally("Damage result", 0, "20.1")
    if found.add:
        tally.add(found.id, found.add, "20.1")
    if indirect and battle.type(target).open_topped:
        tally.add("open_topped", now.number("damage_result_figures", "open_topped_indirect"), "20.2")
    for _ in range(found.dice):
        if not battle.alive(target):
            return
        read = now.damage_results.reader(tally.total)
        result: str = battle.roll(side, "damage result", "1d6", read, ("20.1",), (tally,), target.id)
        apply(battle, target, result)


def apply(battle: BoltBattle, target: Unit, result: str) -> None:
    """What one result does to a vehicle (20.3 to 20.6)."""

    row = charts().damage_results.named(result).more
    rule: str = row["rule"]
    if result == IMMOBILISED and target.immobilised:
        result, rule = KNOCKED_OUT, "20.4"
    battle.emit(fire_events.Damaged(side=target.side, unit=target.id, result=result, rules=(rule,)))
    if result == KNOCKED_OUT:
        left = "is taken off" if battle.scenario.wrecks_removed else "is a wreck now"
        morale.destroy(battle, target, (rule,), left)
        return
    pins.add(battle, target, row["pins"], rule)
    if result == STUNNED:
        morale.put_down(battle, target, rule)
    elif result == IMMOBILISED:
        target.immobilised = True
        if target.die and battle.state.scratch.acting != target.id:
            morale.put_down(battle, target, rule)
    elif morale.check(battle, target, (rule,)):
        battle.emit(fire_events.FireOut(side=target.side, unit=target.id, rules=(rule,)))
        morale.put_down(battle, target, rule)
