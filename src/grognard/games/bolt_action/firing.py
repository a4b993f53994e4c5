"""Firing (12.1, 12.2): how a unit declares its shooting, and in which order it is carried out.

A unit declares with one answer: everything it has at one target, with a word for how a gun is loaded. Whoever has
several free weapons may declare them ``apart``, one after the other. What the dice do is in `volley`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.core.ask import Ask, Option, Procedure
from grognard.games.bolt_action import fire_events, reactions, shooting, volley
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.state import ON_TABLE, Unit
from grognard.games.bolt_action.stations import (
    ASSAULT,
    Mode,
    bar_load,
    modes,
    stations,
)
from grognard.games.bolt_action.volley import Load

DONE, HOLD, APART = "done", "hold", "apart"


class Order(NamedTuple):
    """What is fired at one target."""

    target: str
    loads: tuple[Load, ...]


def fire(battle: BoltBattle, unit: Unit, *, moved: bool, at: str = "", reaction: str = "") -> Procedure[None]:
    """A unit shoots: declare, let the target react, and carry it out (12.1).

    ``at`` is the only target allowed; ``reaction`` is "ambush", "assault" (21.3) or "friendly" (4.2), "" by an order.
    A Fire or Advance order may be carried out without shooting (2.8), and reaction fire is the owner's choice (D8).
    """
    if not shooting.has_target(battle, unit, moved, reaction, at):
        return
    if reaction in ("", ASSAULT):
        answer = yield _declare(battle, unit, moved, reaction, at)
    else:
        options = shooting.targets(battle, unit, moved, reaction, at)
        answer = options[0].key
        if len(options) > 1:
            answer = yield _declare(battle, unit, moved, reaction, at)
    if answer in (DONE, HOLD):
        battle.emit(fire_events.HoldsFire(side=unit.side, unit=unit.id, rules=("2.8",)))
        return
    if answer == APART:
        orders = yield from _apart(battle, unit, moved, reaction, at)
    else:
        _, target, *words = answer.split()
        mode = shooting.plans(battle, unit, battle.unit(target), moved, reaction)[" ".join(words)]
        orders = [Order(target, mode.loads)]
    yield from carry_out(battle, unit, orders, moved, reaction)


def _declare(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> Ask:
    """The question what is shot at; what there is to choose is listed when somebody wants to know."""

    def listed() -> Iterator[Option]:
        yield from shooting.targets(battle, unit, moved, reaction, at)
        if _can_split(battle, unit):
            yield _other(unit, APART)
        if reaction == ASSAULT:
            yield _other(unit, HOLD)
        elif not reaction:
            yield Option(DONE, "Do not shoot", "done", unit.id, rule="2.8")

    if reaction == ASSAULT:
        prompt = f"{battle.say(battle.unit(at))} assaults {battle.say(unit)}: shoot at it?"
        return Ask(unit.side, prompt, listed, reaction=shooting.REACTION_FIRE, rule="21.3")
    return Ask(unit.side, f"{battle.say(unit)}: shoot at what?", listed, rule="12.1")


def _other(unit: Unit, key: str, more: str = "") -> Option:
    """The answers beside targets: to hold fire, to shoot no more, to declare weapon by weapon."""
    label, verb, rule = {
        HOLD: ("Hold fire", "pass", "2.8"),
        DONE: ("Shoot no more with any weapon", "done", "2.8"),
        APART: ("Weapon by weapon", "apart", "12.2"),
    }[key]
    return Option(key, label + more, verb, unit.id, rule=rule)


def _can_split(battle: BoltBattle, unit: Unit) -> bool:
    """Whether declaring weapon by weapon gives a choice: free weapons, or kinds of which one may hold fire."""
    ready = stations(battle, unit)
    kinds = {arm.slot for station in ready for arm in station.arms if station.together}
    return len(ready) > 1 or len(kinds) > 1


def _apart(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> Procedure[list[Order]]:
    """Declare one weapon after the other, each with its own target (12.2, 17.6), or holding its fire."""
    among = [battle.unit(at)] if at else shooting.in_reach(battle, unit, moved, reaction)
    found: list[Order] = []
    busy: set[int] = set()
    single = battle.type(unit).infantry
    for station in sorted(stations(battle, unit), key=lambda station: not station.one_shot):
        offered: dict[str, tuple[str, Mode]] = {}
        options: list[Option] = []
        for target in among:
            ready, _ = modes(battle, unit, station, target, moved, reaction)
            for mode in ready:
                loads = tuple(load for load in mode.loads if not (single and load.arm.row in busy))
                if loads:
                    option = shooting.option(
                        battle, unit, target, look(battle, unit, target), mode.word, mode.label, loads, moved
                    )
                    offered[option.key] = target.id, mode._replace(loads=loads)
                    options.append(option)
        if not options:
            continue
        prompt = f"{battle.say(unit)}, {station.title}: shoot at what?"
        hold = _other(unit, HOLD, f" with {'' if station.together else 'the '}{station.title.lower()}")
        answer = yield Ask(unit.side, prompt, [*options, hold, _other(unit, DONE)], rule="12.2")
        if answer == DONE:
            break
        if answer == HOLD:
            continue
        target_id, mode = offered[answer]
        loads = mode.loads
        if station.together:
            loads = yield from _who_fires(battle, unit, loads)
        if loads:
            found.append(Order(target_id, loads))
            busy |= {load.arm.row for load in loads}
    return found


def _who_fires(battle: BoltBattle, unit: Unit, loads: tuple[Load, ...]) -> Procedure[tuple[Load, ...]]:
    """Which kinds of weapon of a squad fire and which hold (D3)."""
    kinds = sorted({load.arm.slot for load in loads})
    for index in kinds if len(kinds) > 1 else []:
        title = battle.weapon(unit, index).title.lower()
        options = [Option("fire", "Fire", "fire", unit.id, rule="2.8"), _other(unit, HOLD)]
        answer = yield Ask(unit.side, f"{battle.say(unit)}, {title}: fire?", options, rule="2.8")
        if answer == HOLD:
            loads = tuple(load for load in loads if load.arm.slot != index)
    return loads


# ---- carrying it out ---------------------------------------------------------------------------------


def carry_out(
    battle: BoltBattle, unit: Unit, orders: Sequence[Order], moved: bool, reaction: str = ""
) -> Procedure[None]:
    """Shoot at each target in turn: it reacts, then everything that was declared at it is resolved together (B23)."""
    used: dict[int, int] = {}
    for number, (target_id, loads) in enumerate(_by_target(orders)):
        reacted = ""
        target = battle.unit(target_id)
        if not battle.alive(unit) or target.status != ON_TABLE:
            continue
        battle.emit(
            fire_events.Shoots(
                side=unit.side,
                unit=unit.id,
                target=target.id,
                weapons=volley.in_words(battle, unit, loads),
                rules=("12.1", "12.2"),
            )
        )
        if not reaction:
            kind = "indirect" if all(load.indirect for load in loads) else "shooting"
            reacted = yield from reactions.target_reacts(battle, unit, target, kind=kind)
        if not battle.alive(unit) or target.status != ON_TABLE:
            continue
        # Nothing has moved since the declaration, unless the target did or something was shot at before it.
        ready = _still(battle, unit, target, loads, moved, reaction) if reacted or number else loads
        ready = _at_windows(battle, unit, target, ready, used)
        if not ready:
            battle.emit(fire_events.ShotLost(side=unit.side, unit=unit.id, target=target.id, rules=("12.3", "16.10")))
            continue
        yield from volley.resolve(battle, unit, target, ready, moved=moved, reaction=reaction)


def _by_target(orders: Sequence[Order]) -> Iterator[tuple[str, tuple[Load, ...]]]:
    """What was declared, put together by target in the order of the first declaration."""
    found: dict[str, tuple[Load, ...]] = {}
    for order in orders:
        found[order.target] = (*found.get(order.target, ()), *order.loads)
    yield from found.items()


def _still(
    battle: BoltBattle, unit: Unit, target: Unit, loads: Sequence[Load], moved: bool, reaction: str
) -> tuple[Load, ...]:
    """What can still be fired after the target has reacted; nobody may choose another target (16.10)."""
    seen = look(battle, unit, target)
    return tuple(load for load in loads if bar_load(battle, unit, load, target, seen, moved, reaction) is None)


def _at_windows(
    battle: BoltBattle, unit: Unit, target: Unit, loads: tuple[Load, ...], used: dict[int, int]
) -> tuple[Load, ...]:
    """Half of the men at most fire out of one side of a building in an action, at whatever targets (25.4)."""
    if not unit.building:
        return loads
    seen = look(battle, unit, target)
    most = -(-len(unit.models) // 2)
    found: list[Load] = []
    for load in loads:
        side = seen.sides[load.arm.row]
        if load.indirect or used.get(side, 0) < most:
            used[side] = used.get(side, 0) + 1
            found.append(load)
    return tuple(found)
