"""Why something is not offered: the same bars that left it out of the options, with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from grognard.core.aid_views import PlaceWord, UnitWord
from grognard.core.ask import Bar
from grognard.core.errors import GrognardError
from grognard.core.poses import Pose, point
from grognard.core.reasons import Reason, Reasons, Wish, some, unless_one_works
from grognard.games.bolt_action import (
    advance_and_run,
    barrages_and_aircraft,
    buildings,
    close_quarters,
    orders,
    reactions,
    sight_report,
    transports,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.shooting import targets
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, FIRE, ORDERS, ORDERS_PHASE, RUN, Unit
from grognard.games.bolt_action.view import as_known, knows_unit
from grognard.kits.table.state import ABOARD, ON_TABLE

NOT_YOUR_DIE = Bar("1.2", "the die that was drawn is not yours")
NO_DIE = Bar("1.2", "no order die has been drawn yet")
#: Words of answers that are no verbs.
ANSWERS = ("unit", "usual")


# ---- with an order to come ---------------------------------------------------------------------------------


def _order(battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
    """Why a unit does not get an order, or not for that target or place (7.0)."""
    unit = wish.own[0]
    order = {"assault": RUN, "at": FIRE}.get(wish.verb, wish.verb)
    if found := orders.bar(battle, unit, order):
        yield found
        return
    for target in wish.targets:
        yield from some(_attack(battle, unit, wish.verb, target))
    if order in (ADVANCE, RUN):
        yield from _going(battle, unit, order, wish.places)


def _board(battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
    """Why a unit gets aboard none of the vehicles, with whichever order (24.2)."""
    unit = wish.own[0]
    if not wish.targets:
        yield Bar("24.2", "name the vehicle: board a3")
    for vehicle in wish.targets:
        bars = unless_one_works(
            orders.bar(battle, unit, order) or transports.bar_board(battle, unit, vehicle, order)
            for order in (ADVANCE, RUN)
        )
        yield from bars[:1]


def _enter(battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
    """Why a unit may be in none of the buildings (25.1)."""
    unit, pieces = wish.own[0], _pieces(battle, wish)
    if found := orders.bar(battle, unit, ADVANCE):
        yield found
    elif not pieces:
        yield Bar("25.1", "name the building: enter farm")
    for piece in pieces:
        yield from some(buildings.bar_occupy(battle, unit, piece))


def _attack(battle: BoltBattle, unit: Unit, verb: str, target: Unit) -> Bar | None:
    if target.side == unit.side:
        return Bar("12.1", f"{battle.name(target)} is on your side")
    if target.status not in (ON_TABLE, ABOARD):
        return Bar("12.5", f"{battle.name(target)} isn't on the table")
    if verb in ("assault", RUN):
        return close_quarters.bar(battle, unit, target)
    return targets.bar(battle, unit, target, moved=verb == ADVANCE)


def _going(battle: BoltBattle, unit: Unit, order: str, places: list[str]) -> Iterator[Bar]:
    for word in places:
        x, y = point(word)
        heading = unit.models[0].heading if unit.models else 0
        yield from some(advance_and_run.bar_pose(battle, unit, order, Pose(x, y, heading)))


def _pieces(battle: BoltBattle, wish: Wish) -> list[str]:
    return [word for word in wish.rest if word in battle.table.by_id]


# ---- while an order is carried out --------------------------------------------------------------------------


def _under_way(battle: BoltBattle, unit: Unit, wish: Wish) -> Iterator[Bar]:
    """Why something is no part of the order that a unit is carrying out (1.4, 1.6)."""
    verb = next((word for word in reversed(wish.words) if word in UNITS), "at")
    if verb in ORDERS and verb != unit.die:
        yield from some(orders.bar_unit(battle, unit))
    elif verb == "board":
        for vehicle in wish.targets:
            yield from some(transports.bar_board(battle, unit, vehicle, unit.die))
    elif verb == "enter":
        for piece in _pieces(battle, wish):
            yield from some(buildings.bar_occupy(battle, unit, piece))
    else:
        for target in wish.targets:
            yield from some(_attack(battle, unit, unit.die if verb == "at" else verb, target))
        if unit.die in (ADVANCE, RUN):
            yield from _going(battle, unit, unit.die, wish.places)


# ---- what a unit does when something is done to it -----------------------------------------------------------


def bar_spring(battle: BoltBattle, unit: Unit) -> Bar | None:
    """Why a unit springs no ambush (16.4)."""
    return None if unit.die == AMBUSH else Bar("16.4", "it isn't on Ambush")


REACTIONS: dict[str, Callable[[BoltBattle, Unit], Bar | None]] = {
    "spring": bar_spring,
    "escape": reactions.bar_escape,
    "go_down": lambda battle, unit: reactions.bar_down(battle, unit, "shooting"),
    "flak": barrages_and_aircraft.bar_flak,
}


def _reaction(battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
    return some(REACTIONS[wish.verb](battle, wish.own[0]))


# ---- the table ----------------------------------------------------------------------------------------------

UNITS: dict[str, Reason[BoltBattle]] = {
    **dict.fromkeys((*ORDERS, "assault", "at"), _order),
    **dict.fromkeys(REACTIONS, _reaction),
    "board": _board,
    "enter": _enter,
}


class BoltReasons(Reasons[BoltBattle]):
    """Reasons by verb, with the order die before them (1.2)."""

    units: ClassVar[Mapping[str, Reason[Any]]] = UNITS
    usual = ORDERS
    not_yours = Bar("1.3", "it isn't your unit")
    example = "write it as: g3, g3 fire, g3 fire a7, g3 assault a7, or g3 advance 12.5,30"

    def knows(self, battle: BoltBattle, side: str, unit: Unit) -> bool:
        """Whether a side may know of a unit."""
        return knows_unit(battle, side, unit)

    def is_place(self, battle: BoltBattle, word: str) -> bool:
        """Whether a word is a point."""
        return _is_place(word)

    def is_thing(self, battle: BoltBattle, word: str) -> bool:
        """Whether a word is a piece of terrain or another word of an answer."""
        return word in battle.table.by_id or word in ANSWERS

    def timing(self, battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
        """Whose die it is, and who is carrying out an order (1.2, 1.6)."""
        state = battle.state
        if acting := state.scratch.acting:
            yield Bar("1.6", "another unit must carry out its order first", battle.name(battle.unit(acting)))
        elif state.phase != ORDERS_PHASE or not state.drawn:
            yield NO_DIE
        elif state.side != wish.side:
            yield NOT_YOUR_DIE

    def against(self, battle: BoltBattle, wish: Wish) -> Iterator[Bar]:
        """Everything that speaks against a wish; who reacts gives no order, so nothing that bars one is a reason."""
        if wish.reacts and wish.verb == DOWN:
            wish = wish._replace(verb="go_down")
        if not wish.own:
            return
        unit = wish.own[0]
        if wish.verb in REACTIONS:
            yield from _reaction(battle, wish)
        elif wish.reacts:
            return  # the question and its answers tell
        elif unit.id == battle.state.scratch.acting:
            yield from _under_way(battle, unit, wish)
        else:
            yield from self.timing(battle, wish)
            if found := orders.bar_unit(battle, unit):
                yield found
            elif wish.verb:
                yield from self.of_verb(battle, wish)
            elif wish.targets:
                yield from _order(battle, wish._replace(verb="at"))
            else:
                yield from self.of_verb(battle, wish._replace(places=[]))


def _is_place(word: str) -> bool:
    try:
        point(word)
    except ValueError:
        return False
    return True


def line_of_sight_report(battle: BoltBattle, side: str, start: str, end: str) -> Any:
    """Line of sight between two units or two places ("12.5,30"), from what the side may know."""
    known = as_known(battle, side)
    for word in (start, end):
        unit = None if isinstance(word, PlaceWord) else known.state.units.get(word)
        if isinstance(word, UnitWord) and unit is None:
            raise GrognardError(f"{word!r} is not a unit; write an id such as g3")
        if isinstance(word, PlaceWord) and not _is_place(word):
            raise GrognardError(f"{word!r} is not a place; write 12.5,30")
        if unit is None and not _is_place(word):
            raise GrognardError(f"{word!r} is neither a unit nor a place; write g3, or 12.5,30")
        if unit is not None and (unit.status != ON_TABLE or not unit.models):
            raise GrognardError(f"{known.name(unit)} isn't on the table")
    return sight_report.report(known, start, end)
