"""Shots and assaults that a unit can make now, or could make from somewhere else, weighed by their dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from grognard.games.bolt_action import buildings, charge, close_quarters, damage, line_of_sight, morale, vehicle_assault
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.shooting import declaring, volley
from grognard.games.bolt_action.shooting.targets import bears, in_reach, may_shoot
from grognard.games.bolt_action.state import DOWN, RUN, Unit, copy_state
from grognard.games.bolt_action.tactics.fire import (
    NOTHING,
    Effect,
    chance_to_hit,
    chance_to_pass,
    effect_of,
    knocked_out,
    profile,
    tolls,
)
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.vehicle_assault import state_of
from grognard.kits.table.state import ON_TABLE, RESERVE
from grognard.kits.table.tactics.choices import Choice, Why
from grognard.kits.table.tactics.judge import Aim

#: What it costs to give a one-shot weapon away at something else than armour.
SPENT = 0.25


def in_words(outlook: BoltOutlook, target: Unit, effect: Effect) -> str:
    """What a shot can be expected to do, for people."""
    name = outlook.battle.name(target)
    if outlook.battle.type(target).vehicle:
        return f"{100 * effect.kill:.0f} % to destroy {name}"
    words = (
        f"{name} loses {effect.men:.1f} men on average"
        if effect.men >= 0.05
        else f"{effect.pins:.1f} pins on {name} on average"
    )
    return words + (f", {100 * effect.kill:.0f} % to destroy it" if effect.kill >= 0.05 else "")


# ---- shots ---------------------------------------------------------------------------------------------------


def aims(outlook: BoltOutlook, unit: Unit, moved: bool, reaction: str = "", at: str = "") -> list[Aim]:
    """Every shot that a unit can declare now, the best first, by the dice that would be thrown."""
    battle = outlook.battle
    targets = [battle.unit(at)] if at else in_reach(battle, unit, moved, reaction)
    return aims_at(outlook, unit, targets, moved, reaction)


def aims_at(outlook: BoltOutlook, unit: Unit, targets: Sequence[Unit], moved: bool, reaction: str = "") -> list[Aim]:
    """The same at targets that can be shot at."""
    battle = outlook.battle
    found = []
    for target in targets:
        for word, mode in declaring.plans(battle, unit, target, moved, reaction).items():
            ready = volley.prepare(battle, unit, target, mode.firers, moved, reaction)
            effect = effect_of(battle, target, ready) if ready.pools else NOTHING
            if not (effect.kill or effect.men or effect.pins):
                continue  # it cannot be harmed like that: the shot would only give the order away
            worth = outlook.gain_of(target, effect)
            why: list[Why] = [(in_words(outlook, target, effect), worth)]
            if outlook.waits(target):
                why.append(("it has yet to act", 0.15 * worth))
                worth *= 1.15
            spent = sum(battle.weapon(unit, firer.held.slot).one_shot for firer in mode.firers)
            if spent and not battle.type(target).armoured:
                why.append(("uses up a one-shot weapon", -SPENT * spent))
                worth -= SPENT * spent
            if any(firer.indirect for firer in mode.firers) and not battle.type(target).vehicle:
                why.append(("ranging in", 0.1))
                worth += 0.1
            found.append(Aim(f"at {target.id} {word}".strip(), target, worth, tuple(why)))
    found.sort(key=lambda each: (-each.worth, each.target.n, each.key))
    return found


def would_fire(
    outlook: BoltOutlook,
    unit: Unit,
    x: float,
    y: float,
    heading: int | None = None,
    *,
    ends: Mapping[int, tuple[float, float]] | None = None,
    building: str = "",
) -> Aim | None:
    """The best shot of a unit after a move to a point, by the very rules: it is set there in a copy of the battle.

    ``ends`` are the places of its men, where they are known; without them all move alike. Only who is in sight by the
    chart, from there or from beside it, is looked for. In a ``building`` it looks out as one does from there. A reserve
    is on the table then (28.2).
    """
    battle = outlook.battle
    if unit.status not in (ON_TABLE, RESERVE):
        return None
    about = outlook.chart.about(x, y)
    among = [foe.id for foe, worth in outlook.shots(unit, True)[1] if worth[about].any()]
    if not among:
        return None
    then = BoltBattle(battle.scenario, copy_state(battle.state), battle.dice)
    moved = then.unit(unit.id)
    moved.status = ON_TABLE
    here = outlook.spot(unit)
    dx, dy = round(x - here[0]), round(y - here[1])
    for number, model in enumerate(moved.models):
        end = (model.x + dx, model.y + dy) if ends is None else ends.get(number, (model.x, model.y))
        model.x, model.y = round(end[0]), round(end[1])
        if heading is not None:
            model.heading = heading
    moved.building = ""
    if building:
        buildings.occupy(then, moved, building)
    then.invalidate()
    targets = [then.unit(id) for id in among]
    line_of_sight.looks_of(then).at(moved, [target for target in targets if bears(then, moved, target)])
    targets = [target for target in targets if may_shoot(then, moved, target, True)]
    shots = aims_at(BoltOutlook(then, outlook.side), moved, targets, True)
    return shots[0] if shots else None


# ---- assaults ------------------------------------------------------------------------------------------------


def assault_worth(outlook: BoltOutlook, unit: Unit, target: Unit) -> tuple[float, tuple[Why, ...]]:
    """What an assault is worth: who is likely to be destroyed, after the target has shot (21, 22)."""
    battle = outlook.battle
    name, ours, theirs = battle.name(target), outlook.value(unit), outlook.value(target)
    fewer = 0.0
    start = battle.gap(unit, target)
    if target.die != DOWN and start > charts().distance("close_quarters", "reaction_fire_if_start_over"):
        groups = profile(battle, target, unit, False)
        away, cover = np.array([start]), np.zeros(1, np.int8)
        fewer = float(tolls(battle, unit, groups, away, cover).lost[0])
    if battle.type(target).vehicle:
        kill, shaken = _on_vehicle(outlook, unit, target, fewer)
        dares = nerve(battle, unit, target)
        worth = dares * (kill * theirs + shaken * 0.15 * theirs - 0.4 * fewer / max(len(unit.models), 1) * ours)
        told = f"{100 * dares * kill:.0f} % to destroy {name} in close quarters"
        return worth - 0.05, ((told, worth),)
    together = bool(target.building) or outlook.chart.crosses(*outlook.spot(unit), *outlook.spot(target))
    odds = outlook.melee(unit, target, together, fewer)
    men = max(len(battle.men(unit)), 1)
    part = min(1.0, (fewer + odds.losses) / men)
    paid = (1 - odds.lost) * 0.5 * part * ours
    worth = odds.won * theirs - odds.lost * ours - paid
    won, lost = (
        f"{100 * odds.won:.0f} % to destroy {name} in close quarters",
        f"{100 * odds.lost:.0f} % to be destroyed itself",
    )
    return worth, ((won, odds.won * theirs), (lost, -odds.lost * ours), ("men lost in the charge and the fight", -paid))


def nerve(battle: BoltBattle, unit: Unit, target: Unit) -> float:
    """The chance that men dare to assault a target: enclosed armour without anti-tank weapons takes courage (22.3)."""
    if not battle.type(target).vehicle or not vehicle_assault.needs_test(battle, unit, target):
        return 1.0
    fear = charts().number("order_test", "assault_armour_without_at")
    return chance_to_pass(morale.target(battle, unit, morale.ORDER_TEST, RUN).total + fear)


def _on_vehicle(outlook: BoltOutlook, unit: Unit, target: Unit, fewer: float) -> tuple[float, float]:
    """The chance to knock a vehicle out by an assault, and of any other harm (22.5, 22.6)."""
    battle = outlook.battle
    needed = charts()["assault_vehicle"][state_of(target)]["needed"]
    hits = round(max(0.0, len(battle.men(unit)) - fewer) * chance_to_hit(needed))
    value = damage.value(battle, target)[0]
    if not hits:
        return 0.0, 0.0
    if not battle.type(target).enclosed:
        return sum(face + hits >= value for face in range(2, 7)) / 6, 0.0
    if vehicle_assault.has_anti_tank(battle, unit):
        return knocked_out(hits, value)
    harmed = sum(face + hits >= value for face in range(2, 7)) / 6
    return 0.03 * harmed, 0.97 * harmed


def best_assault(outlook: BoltOutlook, unit: Unit, over: Callable[[Choice], float] = lambda _: 0.0) -> Choice | None:
    """The best assault that a unit can make, if any is worth more than is said of it: ways are looked for last."""
    found = []
    for target in close_quarters.targets(outlook.battle, unit):
        worth, why = assault_worth(outlook, unit, target)
        choice = Choice(f"assault {target.id}", worth, why, outlook.here(target))
        if worth > 0 and worth > over(choice):
            found.append((choice, target))
    found.sort(key=lambda each: -each[0].worth)
    return next((choice for choice, target in found if charge.can_reach(outlook.battle, unit, target)), None)
