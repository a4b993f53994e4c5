"""FUBAR (4): what happens when an order test comes up double six."""

from __future__ import annotations

from grognard.board.table.bodies import HAIR
from grognard.core.ask import Ask, Option, Procedure
from grognard.games.bolt_action import ambush, line_of_sight, morale, panic_and_escape, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.shooting import procedure
from grognard.games.bolt_action.shooting.targets import may_fire_at
from grognard.games.bolt_action.state import FIRE, RUN, Unit
from grognard.kits.table.state import ON_TABLE


def happen(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Roll on the chart and do what it says; whoever cannot goes Down (4.1 to 4.7)."""
    result: str = battle.roll(unit.side, "FUBAR", "1d6", charts().fubar.reader(), ("4.1",), unit=unit.id)
    rule = "4.2" if result == "friendly_fire" else "4.4"
    battle.emit(turn_events.Fubar(side=unit.side, unit=unit.id, result=result, rules=("4.1", rule)))
    if result == "friendly_fire":
        yield from friendly_fire(battle, unit)
    else:
        yield from panic(battle, unit)


def friendly_targets(battle: BoltBattle, unit: Unit) -> list[Unit]:
    """The units of its own side that it may mistake: an enemy near them, visible and in range (4.3, 4.5)."""
    if unit.status != ON_TABLE:
        return []
    near = charts().distance("fubar_figures", "enemy_within") + HAIR
    enemies = [enemy for enemy in battle.enemies(unit.side) if enemy.status == ON_TABLE]
    return [
        other
        for other in battle.units(unit.side)
        if other.id != unit.id
        and other.status == ON_TABLE
        and any(battle.gap(other, enemy) <= near for enemy in enemies)
        and may_fire_at(battle, unit, other.id)
    ]


def friendly_fire(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """The unit shoots at one of its own side that the opponent picks; without any it goes Down (4.2, 4.3, D10)."""
    unit.die = FIRE
    targets = friendly_targets(battle, unit)
    if not targets:
        morale.put_down(battle, unit, "4.3")
        return
    yield from ambush.offer(battle, unit, "order")
    if ambush.stopped(battle, unit, FIRE):
        return
    targets = friendly_targets(battle, unit)  # ambush fire may have taken the last man who saw them
    if not targets:
        morale.put_down(battle, unit, "4.3")
        return
    chosen = targets[0].id
    if len(targets) > 1:
        name = battle.name(unit)
        options = [
            Option(f"at {t.id}", f"{name} shoots at {battle.name(t)}", "at", unit.id, target=t.id, rule="4.2")
            for t in targets
        ]
        prompt = f"FUBAR: which friendly unit does {name} shoot at?"
        answer = yield Ask(battle.other(unit.side), prompt, options, rule="4.2", meanwhile=options[0].key)
        chosen = answer.split()[1]
    yield from procedure.shoot(battle, unit, moved=False, at=chosen, reaction="friendly")


def panic(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """The unit runs away from the closest enemy it sees; if it sees none or cannot move it goes Down (4.4, 4.6)."""
    unit.die = RUN
    if unit.status != ON_TABLE or not sees_enemy(battle, unit):
        morale.put_down(battle, unit, "4.4")
        return
    yield from ambush.offer(battle, unit, "order")
    if ambush.stopped(battle, unit, RUN):
        return
    ran = yield from panic_and_escape.panic(battle, unit)
    if ran:
        battle.note_run(unit)
    if ambush.stopped(battle, unit, RUN):
        return
    if not ran:
        morale.put_down(battle, unit, "4.6")
        return
    yield from ambush.offer(battle, unit, "moved")


def sees_enemy(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a unit sees any enemy unit (4.4)."""
    return any(line_of_sight.sees(battle, unit, enemy) for enemy in battle.enemies(unit.side))
