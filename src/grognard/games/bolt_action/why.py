"""Why something is not offered: the same bars that left it out of the options, with their rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grognard.core.ask import Bar
from grognard.core.errors import GrognardError
from grognard.core.poses import Pose, point
from grognard.games.bolt_action import close_quarters, line_of_sight, movement, orders, shooting
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ABOARD, ADVANCE, FIRE, ON_TABLE, ORDERS, ORDERS_PHASE, RUN, Unit
from grognard.games.bolt_action.view import as_known, knows_unit

NOT_YOURS = Bar("1.3", "it is not a unit of yours")
NOT_YOUR_DIE = Bar("1.2", "the die that was drawn is not yours")
NO_DIE = Bar("1.2", "no order die has been drawn: orders are given in the Orders phase")
SAY = "write it as: g3, g3 fire, g3 fire a7, g3 assault a7, or g3 advance 12.5,30"
VERBS = (*ORDERS, "assault", "at")


def why_not(battle: BoltBattle, side: str, words: str) -> list[Bar]:
    """Why a unit, a unit's order, its attack on a target, or a place it is to go to, is not offered.

    Nothing when it is allowed. ``words`` in any order: "g3", "g3 fire", "fire g3 a7", "g3 at a7", "g3 assault a7",
    "g3 advance 12.5,30".
    """
    return list(dict.fromkeys(_why(battle, side, words.split())))


def _why(battle: BoltBattle, side: str, words: list[str]) -> Iterator[Bar]:
    units = battle.state.units
    known = [units[word] for word in words if word in units and knows_unit(battle, side, units[word])]
    verb = next((word for word in words if word in VERBS), "")
    places = [word for word in words if _is_place(word)]
    for word in words:
        if word != verb and word not in units and word not in places:
            yield Bar("", f"there is no “{word}” that you know of; {SAY}")
            return
    if not known:
        yield Bar("", f"say which unit; {SAY}")
        return
    unit, targets = _who(side, known)
    if side and unit.side != side:
        yield NOT_YOURS
        return
    yield from _timing(battle, side)
    if found := orders.bar_unit(battle, unit):
        yield found
        return
    yield from _order(battle, unit, verb, targets, places)


def _is_place(word: str) -> bool:
    try:
        point(word)
    except ValueError:
        return False
    return True


def _who(side: str, known: list[Unit]) -> tuple[Unit, list[Unit]]:
    """The unit asked about: the first of the side's own, else the first named; the others are targets."""
    own = [unit for unit in known if unit.side == side]
    unit = own[0] if own else known[0]
    return unit, [other for other in known if other is not unit]


def _timing(battle: BoltBattle, side: str) -> Iterator[Bar]:
    state = battle.state
    if state.phase != ORDERS_PHASE or not state.drawn:
        yield NO_DIE
    elif side and state.side != side:
        yield NOT_YOUR_DIE


def _order(battle: BoltBattle, unit: Unit, verb: str, targets: list[Unit], places: list[str]) -> Iterator[Bar]:
    if not verb and targets:
        verb = "at"
    if not verb:
        for order in ORDERS:
            if found := orders.bar(battle, unit, order):
                yield Bar(found.rule, f"{order}: {found.reason}", found.source)
        return
    order = {"assault": RUN, "at": FIRE}.get(verb, verb)
    if found := orders.bar(battle, unit, order):
        yield found
        return
    for target in targets:
        if bar := _attack(battle, unit, verb, target):
            yield bar
    if order in (ADVANCE, RUN):
        yield from _going(battle, unit, order, places)


def _attack(battle: BoltBattle, unit: Unit, verb: str, target: Unit) -> Bar | None:
    if target.side == unit.side:
        return Bar("12.1", f"{battle.say(target)} is of your own side")
    if target.status not in (ON_TABLE, ABOARD):
        return Bar("12.5", f"{battle.say(target)} is not on the table")
    if verb in ("assault", RUN):
        return close_quarters.bar(battle, unit, target)
    return shooting.bar(battle, unit, target, moved=verb == ADVANCE)


def _going(battle: BoltBattle, unit: Unit, order: str, places: list[str]) -> Iterator[Bar]:
    for word in places:
        x, y = point(word)
        heading = unit.models[0].heading if unit.models else 0
        if found := movement.bar_pose(battle, unit, order, Pose(x, y, heading)):
            yield found


def line_of_sight_report(battle: BoltBattle, side: str, start: str, end: str) -> Any:
    """Line of sight between two units or two places ("12.5,30"), from what the side may know."""
    known = as_known(battle, side)
    for word in (start, end):
        unit = known.state.units.get(word)
        if unit is None and not _is_place(word):
            raise GrognardError(f"{word!r} is neither a unit nor a place; write g3, or 12.5,30")
        if unit is not None and (unit.status != ON_TABLE or not unit.models):
            raise GrognardError(f"{known.say(unit)} is not on the table")
    return line_of_sight.report(known, start, end)
