"""Reactions (16): going Down under fire, ambush fire, and recce vehicles that escape.

Every one is the choice of the side that does not act (D4 to D7). Where only odds are wanted it is taken as declined.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.bolt_action import morale, order_tests, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import INCH
from grognard.games.bolt_action.state import AMBUSH, FIRE, LOST, ON_TABLE, RUN, Unit

GO_DOWN, ESCAPE = "go down", "escape"

#: The unit that carries out an action now: it has its die and cannot react (16.6).
ACTING = "acting"
#: The sides whose ambushers wait until the action of an enemy is over.
HOLDING = "holding"

WAIT = Option("pass", "Wait", "pass", rule="16.4")
HOLD = Option("hold", "Hold fire until this unit has done", "pass", rule="16.4")


# ---- the acting unit ---------------------------------------------------------------------------------


def begin_action(battle: BoltBattle, unit: Unit) -> None:
    """A unit begins its action; it is the one that ambushers may interrupt."""
    battle.state.memory[ACTING] = unit.id
    battle.state.memory.pop(HOLDING, None)


def end_action(battle: BoltBattle) -> None:
    """The action is over; ambushers that held their fire look out again."""
    battle.state.memory.pop(ACTING, None)
    battle.state.memory.pop(HOLDING, None)


def stopped(battle: BoltBattle, unit: Unit, order: str) -> bool:
    """Whether an interrupted unit can do no more: destroyed, or its die was turned (16.6, 20.3)."""
    return unit.status == LOST or unit.die != order


# ---- the target reacts (16.1 to 16.3, 16.9, 16.10) ---------------------------------------------------


def bar_down(battle: BoltBattle, target: Unit, kind: str) -> Bar | None:
    """Why a unit that is shot at cannot go Down (16.1 to 16.3); None if it can."""
    if battle.type(target).vehicle:
        return Bar("16.1", "a vehicle does not react by going Down")
    if kind != "shooting":
        return Bar("16.3", "there is no going Down before this attack has hit")
    if target.die == AMBUSH:
        if battle.state.memory.get(ACTING) == target.id:
            return Bar("16.6", "it is carrying out its own action")
        return None
    if target.die:
        return Bar("16.2", f"it has its order already: {turn_events.ORDER_TITLES[target.die]}")
    if not battle.state.cup.get(target.side):
        return Bar("16.1", "its side has no die left in the cup")
    return None


def bar_escape(battle: BoltBattle, target: Unit) -> Bar | None:
    """Why a unit cannot escape (16.9); None if it can try."""
    if not battle.type(target).recce:
        return Bar("16.9", "only recce vehicles escape")
    if target.die or not battle.state.cup.get(target.side):
        return Bar("16.9", "it has its order already")
    if target.immobilised:
        return Bar("20.4", "it is immobilised")
    return None


def target_reacts(battle: BoltBattle, shooter: Unit, target: Unit, *, kind: str) -> Procedure[str]:
    """What a declared target does before range is measured: "", "down" or "escaped" (D4, D5, D7, B30).

    ``kind`` is "shooting", "indirect" or "assault". Nobody reacts to the fire of his own side (4.5).
    """
    if battle.ahead or shooter.side == target.side or target.status != ON_TABLE:
        return ""
    if bar_escape(battle, target) is None:
        return (yield from _may_escape(battle, shooter, target))
    if bar_down(battle, target, kind) is None:
        return (yield from _may_go_down(battle, shooter, target))
    return ""


def inches_between(battle: BoltBattle, unit: Unit, other: Unit) -> int:
    """How far two units are from each other, in whole inches: what a standing order goes by."""
    return round(battle.gap(unit, other) / INCH)


def _may_go_down(battle: BoltBattle, shooter: Unit, target: Unit) -> Procedure[str]:
    """The owner may take a die from the cup, or turn an Ambush die, to Down; there is no test (16.1, 16.2)."""
    rule = "16.2" if target.die else "16.1"
    name, far = battle.say(target), inches_between(battle, shooter, target)
    options = [
        Option("down", f"{name} goes Down", "go_down", target.id, rule=rule, range=far),
        Option("pass", "Take the fire as it stands", "pass", target.id, rule=rule),
    ]
    prompt = f"{battle.say(shooter)} shoots at {name}: go Down?"
    answer = yield Ask(target.side, prompt, options, reaction=GO_DOWN, rule=rule)
    if answer == "pass":
        return ""
    morale.put_down(battle, target, rule)
    return "down"


def _may_escape(battle: BoltBattle, shooter: Unit, target: Unit) -> Procedure[str]:
    """A recce vehicle may make off with a die from the cup; with pins it tests first (16.9, 16.10)."""
    from grognard.games.bolt_action import movement

    name, far = battle.say(target), inches_between(battle, shooter, target)
    options = [
        Option("escape", f"{name} escapes", "escape", target.id, rule="16.9", range=far),
        Option("pass", "Stay", "pass", target.id, rule="16.9"),
    ]
    prompt = f"{battle.say(shooter)} attacks {name}: escape?"
    answer = yield Ask(target.side, prompt, options, reaction=ESCAPE, rule="16.9")
    if answer == "pass":
        return ""
    morale.take_die(battle, target, RUN)
    if order_tests.needed(battle, target, RUN) and order_tests.take(battle, target) != order_tests.PASS:
        morale.put_down(battle, target, "16.10")
        return "down"
    if (yield from movement.escape(battle, target, shooter)):
        battle.emit(turn_events.Escaped(side=target.side, unit=target.id, rules=("16.9", "16.10")))
        return "escaped"
    return ""


# ---- ambush (16.4 to 16.6, B31, B32) -----------------------------------------------------------------


def ambush(battle: BoltBattle, actor: Unit, moment: str) -> Procedure[None]:
    """Offer ambush fire at the acting unit, one ambusher after the other as their owner likes (D6, 16.4 to 16.6).

    ``moment`` is "order" when its order was accepted, "move" after an inch of its move, "moved" at the end of it.
    """
    side = battle.other(actor.side)
    if battle.ahead or not _waiting(battle, side) or side in battle.state.memory.get(HOLDING, ()):
        return
    while actor.status == ON_TABLE and actor.models and (ready := ambushers(battle, actor)):
        options = [
            Option(
                f"spring {unit.id}",
                f"{battle.say(unit)} fires now",
                "spring",
                unit.id,
                target=actor.id,
                rule="16.4",
                range=inches_between(battle, unit, actor),
            )
            for unit in ready
        ]
        prompt = f"{battle.say(actor)} {MOMENTS[moment]}: spring an ambush?"
        answer = yield Ask(side, prompt, [*options, WAIT, HOLD], reaction=AMBUSH, rule="16.4")
        if answer == HOLD.key:
            battle.state.memory[HOLDING] = [side]
        if answer in (HOLD.key, WAIT.key):
            return
        yield from _spring(battle, battle.unit(answer.split()[1]), actor)


MOMENTS = {"order": "acts", "move": "moves", "moving": "moves", "moved": "has moved"}


def _waiting(battle: BoltBattle, side: str) -> list[Unit]:
    """The units of a side that lie in ambush."""
    return [unit for unit in battle.units(side) if unit.die == AMBUSH and unit.status == ON_TABLE]


def ambushers(battle: BoltBattle, actor: Unit) -> list[Unit]:
    """Who of the other side lies in ambush and could fire at the acting unit now (16.4, B32)."""
    from grognard.games.bolt_action import shooting

    side = battle.other(actor.side)
    return [unit for unit in _waiting(battle, side) if shooting.may_fire_at(battle, unit, actor.id)]


def foresee(battle: BoltBattle, actor: Unit, stands: Sequence[Sequence[tuple[int, int]]]) -> None:
    """Whoever lies in ambush looks ahead at where the acting unit will be after each of the next inches of its move."""
    from grognard.games.bolt_action import line_of_sight, shooting, weapons

    side = battle.other(actor.side)
    if side in battle.state.memory.get(HOLDING, ()):
        return
    for unit in _waiting(battle, side):
        # Who has to point his weapon looks only where it points.
        if not shooting.bar_unit(battle, unit) and any(
            weapons.arc(battle, unit, index) >= 360 for model in unit.models for index in model.arms
        ):
            line_of_sight.foresee(battle, unit, shooting.longest(battle, unit, False), actor, stands)


def _spring(battle: BoltBattle, unit: Unit, actor: Unit) -> Procedure[None]:
    """An ambusher fires: its die is turned to Fire, it has not moved, and it takes no test (16.5)."""
    from grognard.games.bolt_action import firing

    unit.die = FIRE
    battle.emit(turn_events.AmbushSprung(side=unit.side, unit=unit.id, target=actor.id, rules=("16.4", "16.5")))
    yield from firing.fire(battle, unit, moved=False, at=actor.id, reaction=AMBUSH)
    unit.ammunition = ""
    yield from morale.aftermath(battle)
    if battle.ahead:
        yield Ask(unit.side, "", [])  # what the enemy does next is no consequence of the ambush: odds stop here


def name_ammunition(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """A gun with shot and shell says which it has loaded when it goes on Ambush (16.8)."""
    if not has_both(battle, unit):
        return
    options = [
        Option("load ap", "Armour-piercing shot", "load", unit.id, rule="16.8"),
        Option("load he", "High explosive", "load", unit.id, rule="16.8"),
    ]
    answer = yield Ask(unit.side, f"{battle.say(unit)}: load what for the ambush?", options, rule="16.8")
    unit.ammunition = answer.split()[1]
    battle.emit(turn_events.AmmunitionNamed(side=unit.side, unit=unit.id, ammunition=unit.ammunition, rules=("16.8",)))


def has_both(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a weapon of the unit fires both armour-piercing shot and high explosive (16.8)."""
    for index in {index for model in unit.models for index in model.arms}:
        weapon = battle.weapon(unit, index)
        if weapon.pen is not None and (weapon.he or battle.mount(unit, index).he) and index not in unit.empty:
            return True
    return False
