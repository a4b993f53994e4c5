"""Who can sit at a battle, and how people say who does."""

from __future__ import annotations

import pytest
from tests.core.toy import TOY, ToyScenario

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.players import seats


def test_every_player_is_a_level_with_words_for_people() -> None:
    found = seats.levels()
    assert [level.name for level in found] == ["random", "regular"]
    assert set(seats.player_names()) == {seats.HUMAN, *(level.name for level in found)}
    assert [level.title for level in found] == ["Recruit", "Regular"]
    assert all(level.text.endswith(".") for level in found)


def test_seats_by_order_and_by_side() -> None:
    sides = ("red", "blue")
    assert seats.name_seats("", sides) == {"red": "human", "blue": "random"}
    assert seats.name_seats("", sides, "regular") == {"red": "human", "blue": "regular"}
    assert seats.name_seats("regular, human", sides) == {"red": "regular", "blue": "human"}
    assert seats.name_seats("blue=human", sides) == {"red": "human", "blue": "human"}
    made = seats.read_seats("regular,human", sides, "7")
    assert made["blue"] is None and isinstance(made["red"], seats.Thinker)


@pytest.mark.parametrize(
    ("text", "says"), [("human", "1 players"), ("green=human", "no side"), ("human,nobody", "no player")]
)
def test_seats_that_nobody_can_take(text: str, says: str) -> None:
    with pytest.raises(GrognardError, match=says):
        seats.name_seats(text, ("red", "blue"))


def test_programs_play_a_game_to_its_end() -> None:
    session = Session(TOY, ToyScenario(), seed=b"seats")
    made = seats.read_seats("random,regular", ("red", "blue"), "7")
    while session.ask is not None:
        seats.let_play(session, made)
    assert session.result is not None
