"""Who can sit at a battle, and how people say who does."""

from __future__ import annotations

import gc
from math import inf

import pytest
from tests.core.toy import ToyScenario
from tests.players.toy_tactics import TACTICAL, opened

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.players import seats
from grognard.players.search import SearchPlayer


def test_the_levels_say_what_they_do_how_long_and_what_they_see() -> None:
    found = seats.levels()
    assert [level.name for level in found] == ["random", "easy", "normal", "hard"]
    assert set(seats.player_names()) == {seats.HUMAN, "greedy", "search", *(level.name for level in found)}
    assert all(level.title and level.text.endswith(".") and "hidden" in level.sees for level in found)
    budgets = [level.budget for level in found]
    assert budgets == sorted(budgets)
    assert seats.level_of(seats.DEFAULT) is not None and seats.level_of("greedy") is None
    assert seats.budget_of("hard") == seats.budget_of("normal") == seats.budget_of("greedy") == seats.BUDGET


def test_seats_by_order_and_by_side() -> None:
    sides = ("red", "blue")
    assert seats.name_seats("", sides) == {"red": "human", "blue": "normal"}
    assert seats.name_seats("", sides, "hard") == {"red": "human", "blue": "hard"}
    assert seats.name_seats("easy, human", sides) == {"red": "easy", "blue": "human"}
    assert seats.name_seats("blue=human", sides) == {"red": "human", "blue": "human"}
    made = seats.read_seats("search,human", sides, "7")
    assert made["blue"] is None and isinstance(made["red"], seats.Thinker)


@pytest.mark.parametrize(
    ("text", "says"), [("human", "1 players"), ("green=human", "no side"), ("human,nobody", "no player")]
)
def test_seats_that_nobody_can_take(text: str, says: str) -> None:
    with pytest.raises(GrognardError, match=says):
        seats.name_seats(text, ("red", "blue"))


def test_programs_play_a_game_to_its_end() -> None:
    session = Session(TACTICAL, ToyScenario(), seed=b"seats")
    made = seats.read_seats("easy,random", ("red", "blue"), "7")
    while session.ask is not None:
        seats.let_play(session, made)
    assert session.result is not None


def test_a_search_can_count_playouts_instead_of_seconds() -> None:
    assert seats.is_player("search@300") and seats.is_player("hard@60") and seats.is_player("human")
    for wrong in ("search@", "search@0", "search@x", "search@-1", "normal@5", "nobody", "search@9999999"):
        assert not seats.is_player(wrong)
        with pytest.raises(GrognardError, match="no player"):
            seats.make_player(wrong, "1")
    assert seats.name_seats("search@9,human", ("red", "blue")) == {"red": "search@9", "blue": "human"}
    session = Session(TACTICAL, ToyScenario(), seed=b"seats")
    thoughts = []
    for _ in range(2):
        player = seats.make_player("search@50", "1")
        assert isinstance(player, SearchPlayer)
        player.choose_from(session.probe(), 0.0)
        assert player.thought is not None
        thoughts.append(player.thought.options)
    assert thoughts[0] == thoughts[1] and 0 < sum(option.visits for option in thoughts[0]) <= 50


@pytest.mark.parametrize("name", ["easy", "normal", "hard", "greedy", "search"])
def test_without_a_deadline_nobody_looks_at_the_clock(name: str) -> None:
    session = Session(TACTICAL, ToyScenario(), seed=b"seats")
    keys = set()
    for _ in range(2):
        player = seats.make_player(name, "1")
        assert isinstance(player, seats.Thinker)
        keys.add(player.choose_from(session.probe(), inf))
    assert len(keys) == 1


def test_garbage_waits_until_an_answer_is_found() -> None:
    class Watcher:
        thinks = True
        seen: bool | None = None

        def choose_from(self, probe: Session, deadline: float) -> str:
            self.seen = gc.isenabled()
            raise GrognardError("no idea")

    player = Watcher()
    assert gc.isenabled()
    with pytest.raises(GrognardError, match="no idea"):
        seats.pick(player, opened(), 1.0)
    assert player.seen is False and gc.isenabled()
