"""The sequence of play as a state machine of phases, and setting up by turns.

A game whose play goes by phases has a ``step`` in its state: how far a phase has come that asks several things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from grognard.core.ask import Procedure, Rules
from grognard.core.dice import total
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import OVER, UNPLACED, Unit

B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])


def play(battle: B, phases: Mapping[str, Callable[[B], Procedure[str]]]) -> Rules:
    """The whole battle from wherever the state stands.

    Each phase can be entered afresh from the state, does its work, and says which phase is next.
    """
    state = battle.state
    while state.phase != OVER:
        following = yield from phases[state.phase](battle)
        battle.settled()
        if state.phase != OVER:
            state.phase, state.step = following, 0


# ---- setting up --------------------------------------------------------------------------------------------


def waiting(battle: TableBattle[Any, Any, U, Any], side: str = "") -> list[U]:
    """The units of a side, or of both, that are still to be placed."""
    return [unit for unit in battle.units(side, on_table=False) if unit.status == UNPLACED]


def who_is_first(battle: TableBattle[Any, Any, Any, Any], what: str, rule: str) -> str:
    """Each side rolls, ties again, and the lower begins; or the scenario says who places all his units first."""
    first, second = battle.sides
    chosen: str = battle.scenario.first_to_deploy
    while not chosen:
        mine, yours = (battle.roll(side, what, "1d6", total(), (rule,)) for side in (first, second))
        if mine != yours:
            chosen = first if mine < yours else second
    return chosen


def by_turns(battle: B, begin: Callable[[B], None], place_one: Callable[[B, str], Procedure[None]]) -> Procedure[None]:
    """One side places a unit, then the other, and so on until all are placed; who is first is settled in step 0.

    Where the scenario says who is first he places all of his, and then the other does.
    """
    state = battle.state
    while waiting(battle):
        if state.step == 0:
            begin(battle)
            state.step = 1
        if not waiting(battle, state.side):
            state.side = battle.other(state.side)
            continue
        yield from place_one(battle, state.side)
        battle.settled()
        if not battle.scenario.first_to_deploy:
            state.side = battle.other(state.side)
