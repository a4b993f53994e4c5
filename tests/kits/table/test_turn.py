"""The phases of a battle as a state machine, and setting up by turns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import ScriptedDice
from grognard.core.events import Rolled
from grognard.kits.table.state import ON_TABLE, OVER, UNPLACED
from grognard.kits.table.turn import by_turns, play, waiting, who_is_first
from tests.kits.table.stands.battle import Field
from tests.kits.table.test_ground import battle


def field(*dice: int, first: str = "", alike: int = 2) -> Field:
    """A battle in which so many units of each side are still to be placed."""
    found = battle()
    found.scenario, found.dice = replace(found.scenario, first_to_deploy=first), ScriptedDice(dice)
    for side in found.sides:
        for number, unit in enumerate(found.units(side, on_table=False)):
            unit.status = UNPLACED if number < alike else ON_TABLE
    found.invalidate()
    return found


# ---- phases ------------------------------------------------------------------------------------------------


def test_each_phase_begins_at_its_first_step_and_names_the_next() -> None:
    found, entered, settled = field(), list[tuple[str, int]](), list[str]()
    found.on_settled = lambda: settled.append(found.state.phase)

    def phase(following: str) -> Procedure[str]:
        entered.append((found.state.phase, found.state.step))
        found.state.step = 7
        yield Ask("red", "On?", [Option("on", "On")])
        return following

    def last() -> Procedure[str]:
        entered.append((found.state.phase, found.state.step))
        found.state.phase = OVER
        yield from ()
        return "one"

    found.state.phase, found.state.step = "one", 3
    rules = play(found, {"one": lambda _: phase("two"), "two": lambda _: last()})
    assert next(rules).prompt == "On?"
    with pytest.raises(StopIteration):
        rules.send("on")
    assert entered == [("one", 3), ("two", 0)], "it goes on where the state stands"
    assert found.state.phase == OVER and settled == ["one", OVER]


# ---- setting up --------------------------------------------------------------------------------------------


def test_the_lower_roll_begins_and_ties_are_thrown_again() -> None:
    found = field(4, 4, 2, 5)
    assert who_is_first(found, "set-up", "16.3") == found.sides[0]
    rolls = [event for event in found.log if isinstance(event, Rolled)]
    assert [(roll.side, roll.meaning, roll.rules) for roll in rolls][:2] == [
        (side, 4, ("16.3",)) for side in found.sides
    ]
    assert len(rolls) == 4
    assert who_is_first(field(5, 2), "set-up", "16.3") == found.sides[1]


def test_a_scenario_may_say_who_is_first_without_a_roll() -> None:
    found = field(first="blue")
    assert who_is_first(found, "set-up", "16.3") == "blue" and not found.log


def placed(found: Field, begins: str) -> list[str]:
    """The sides that place a unit, one after the other, until all are placed."""
    sides, begun = list[str](), list[str]()

    def begin(battle: Field) -> None:
        battle.state.side = begins
        begun.append(begins)

    def place_one(battle: Field, side: str) -> Procedure[None]:
        sides.append(side)
        waiting(battle, side)[0].status = ON_TABLE
        battle.invalidate()
        yield from ()

    assert list(by_turns(found, begin, place_one)) == []
    assert begun == [begins] and not waiting(found)
    return sides


def test_both_place_by_turns() -> None:
    assert placed(field(), "blue") == ["blue", "red", "blue", "red"]


def test_who_has_none_left_waits_for_the_other() -> None:
    found = field()
    waiting(found, "blue")[0].status = ON_TABLE
    found.invalidate()
    assert [unit.side for unit in waiting(found)] == ["red", "red", "blue"]
    assert placed(found, "red") == ["red", "blue", "red"]
    assert placed(field(alike=1), "red") == ["red", "blue"]


def test_who_is_named_first_places_all_of_his() -> None:
    assert placed(field(first="blue"), "blue") == ["blue", "blue", "red", "red"]


def test_it_goes_on_where_the_state_stands() -> None:
    found = field()
    found.state.step, found.state.side = 1, "red"
    waiting(found, "red")[0].status = ON_TABLE
    found.invalidate()

    def begin(battle: Field) -> None:
        raise AssertionError("the roll is made once")

    def place_one(battle: Field, side: str) -> Procedure[None]:
        answer = yield Ask(side, "Place", [Option("here", "Here")])
        assert answer == "here"
        waiting(battle, side)[0].status = ON_TABLE
        battle.invalidate()

    procedure = by_turns(found, begin, place_one)
    asked = [next(procedure).side]
    with pytest.raises(StopIteration):
        while True:
            asked.append(procedure.send("here").side)
    assert asked == ["red", "blue", "blue"]
