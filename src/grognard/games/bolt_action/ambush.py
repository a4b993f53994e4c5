"""Ambush (16.4 to 16.8): whoever lies in wait may fire while an enemy unit acts.

It is the choice of the side that does not act (D6). Odds take it as declined, unless they are told better.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.core.ask import Ask, Option, Procedure
from grognard.games.bolt_action import bailing_out, line_of_sight, turn_events, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import INCH
from grognard.games.bolt_action.shooting import procedure, targets, weapon_groups
from grognard.games.bolt_action.state import AMBUSH, FIRE, Unit
from grognard.kits.table.state import LOST, ON_TABLE

WAIT = Option("pass", "Wait", "pass", rule="16.4")
HOLD = Option("hold", "Hold fire for this unit's whole action", "pass", rule="16.4")
MOMENTS = {"order": "acts", "move": "moves", "moving": "moves", "moved": "has moved"}


# ---- the acting unit ---------------------------------------------------------------------------------


def begin_action(battle: BoltBattle, unit: Unit) -> None:
    """A unit begins its action; it is the one that ambushers may interrupt."""
    battle.state.scratch.acting = unit.id
    _forget(battle)


def end_action(battle: BoltBattle) -> None:
    """The action is over; ambushers that held their fire look out again."""
    battle.state.scratch.acting = ""
    _forget(battle)


def _forget(battle: BoltBattle) -> None:
    """What was noted of reactions to an action means nothing to the next one (16.4, 21.4)."""
    scratch = battle.state.scratch
    scratch.holding, scratch.reacted = (), {}


def stopped(battle: BoltBattle, unit: Unit, order: str) -> bool:
    """Whether an interrupted unit can do no more: destroyed, or its die was turned (16.6, 20.3)."""
    return unit.status == LOST or unit.die != order


# ---- springing it (16.4 to 16.6, B31, B32) -------------------------------------------------------------


def inches_between(battle: BoltBattle, unit: Unit, other: Unit) -> int:
    """How far two units are from each other, in whole inches: what a standing order goes by."""
    return round(battle.gap(unit, other) / INCH)


def offer(battle: BoltBattle, actor: Unit, moment: str) -> Procedure[None]:
    """Offer ambush fire at the acting unit, one ambusher after the other as their owner likes (D6, 16.4 to 16.6).

    ``moment`` is "order" when its order was accepted, "move" after an inch of its move, "moved" at the end of it.
    """
    side = battle.other(actor.side)
    if not waiting(battle, side):
        return
    while actor.status == ON_TABLE and actor.models and (ready := ambushers(battle, actor)):
        options = [
            Option(
                f"spring {unit.id}",
                f"{battle.name(unit)} fires now",
                "spring",
                unit.id,
                target=actor.id,
                rule="16.4",
                range=inches_between(battle, unit, actor),
            )
            for unit in ready
        ]
        prompt = f"{battle.name(actor)} {MOMENTS[moment]}: spring an ambush?"
        answer = yield Ask(side, prompt, [*options, WAIT, HOLD], reaction=AMBUSH, rule="16.4", meanwhile=WAIT.key)
        if answer == HOLD.key:
            battle.state.scratch.holding = (side,)
        if answer in (HOLD.key, WAIT.key):
            return
        yield from _spring(battle, battle.unit(answer.split()[1]), actor)


def waiting(battle: BoltBattle, side: str) -> list[Unit]:
    """The units of a side that lie in ambush; none while it holds its fire until the acting unit has done (16.4)."""
    if side in battle.state.scratch.holding:
        return []
    return [unit for unit in battle.units(side) if unit.die == AMBUSH and unit.status == ON_TABLE]


def could_spring(battle: BoltBattle, unit: Unit, actor: Unit) -> bool:
    """Whether a unit in ambush could fire at the acting unit now (16.4, B32)."""
    return targets.may_fire_at(battle, unit, actor.id)


def ambushers(battle: BoltBattle, actor: Unit) -> list[Unit]:
    """Who of the other side lies in ambush and could fire at the acting unit now (16.4, B32)."""
    return [unit for unit in waiting(battle, battle.other(actor.side)) if could_spring(battle, unit, actor)]


def foresee(battle: BoltBattle, actor: Unit, stands: Sequence[Sequence[tuple[int, int]]]) -> None:
    """Whoever lies in ambush looks ahead at where the acting unit will be after each of the next inches of its move."""
    for unit in waiting(battle, battle.other(actor.side)):
        # Who has to point his weapon looks only where it points.
        if not targets.bar_unit(battle, unit) and any(
            weapons.arc(battle, unit, index) >= 360 for model in unit.models for index in model.arms
        ):
            line_of_sight.looks_of(battle).foresee(unit, weapon_groups.longest(battle, unit, False), actor, stands)


def _spring(battle: BoltBattle, unit: Unit, actor: Unit) -> Procedure[None]:
    """An ambusher fires: its die is turned to Fire, it has not moved, and it takes no test (16.5)."""
    unit.die = FIRE
    battle.emit(turn_events.AmbushSprung(side=unit.side, unit=unit.id, target=actor.id, rules=("16.4", "16.5")))
    yield from procedure.shoot(battle, unit, moved=False, at=actor.id, reaction=AMBUSH)
    unit.ammunition = ""
    yield from bailing_out.aftermath(battle)


def name_ammunition(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """A gun with shot and shell says which it has loaded when it goes on Ambush (16.8)."""
    if not has_both(battle, unit):
        return
    options = [
        Option("load ap", "Armour-piercing shot", "load", unit.id, rule="16.8"),
        Option("load he", "High explosive", "load", unit.id, rule="16.8"),
    ]
    answer = yield Ask(unit.side, f"{battle.name(unit)}: which ammunition for the ambush?", options, rule="16.8")
    unit.ammunition = answer.split()[1]
    battle.emit(turn_events.AmmunitionNamed(side=unit.side, unit=unit.id, ammunition=unit.ammunition, rules=("16.8",)))


def has_both(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a weapon of the unit fires both armour-piercing shot and high explosive (16.8)."""
    for index in {index for model in unit.models for index in model.arms}:
        weapon = battle.weapon(unit, index)
        if weapon.pen is not None and (weapon.he or battle.mount(unit, index).he) and index not in unit.empty:
            return True
    return False
