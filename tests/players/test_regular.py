"""The regular plays by odds and objectives, from what its side may know, within its time, and the same again."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.core.toy import TOY, ToyScenario

from grognard.core import registry
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from grognard.players.regular import RegularPlayer

FOREVER = 1e9
BATTLES = [(game.name, name) for game in registry.games() for name in game.scenario_files()]


def start(game: str, scenario: str, seed: str = "regular") -> Session:
    rules = registry.game(game)
    return Session(rules, rules.load_scenario(Document.read(rules.scenario_files()[scenario])), seed=seed.encode())


def play(session: Session, side: str, seed: int = 0, most: int = 3000) -> list[str]:
    """Let the regular play a side against anything legal; the answers it gave."""
    regular, other = RegularPlayer(seed), RandomPlayer(seed)
    given = []
    for _ in range(most):
        if session.ask is None:
            break
        if session.ask.side == side:
            given.append(regular.choose_from(session.probe(), FOREVER))
            session.answer(given[-1])
        else:
            session.answer(other.choose(None, session.ask))
    return given


def _units(game: str, scenario: str) -> Any:
    session = start(game, scenario)
    return session.game.summary(session.scenario).get("units", 999)


SMALLEST = [
    min((each for each in BATTLES if each[0] == name), key=lambda each: _units(*each)) for name in registry.names()
]
each_smallest = pytest.mark.parametrize(("game", "scenario"), SMALLEST)


def test_it_fires_where_the_odds_are_good_and_ducks_where_they_are_not() -> None:
    session = Session(TOY, ToyScenario(), seed=b"toy")
    given = play(session, "red")
    assert session.over and given


@each_smallest
def test_the_same_seed_in_the_same_position_answers_the_same(game: str, scenario: str) -> None:
    side = start(game, scenario).scenario.sides[0]
    assert play(start(game, scenario), side, most=120) == play(start(game, scenario), side, most=120)


@each_smallest
def test_it_wins_against_anything_legal(game: str, scenario: str) -> None:
    """From both sides: it wins more often than it loses, though a short battle may be a draw."""
    wins = losses = 0
    for number in range(2, 6):
        session = start(game, scenario, seed=f"match {number}")
        side = session.scenario.sides[number % 2]
        play(session, side, number)
        assert session.result is not None
        wins += session.result.winner == side
        losses += session.result.winner not in (side, "")
    assert wins >= losses + 2


@each_smallest
def test_it_always_has_an_answer_when_there_is_no_time(game: str, scenario: str) -> None:
    session = start(game, scenario)
    regular, rng = RegularPlayer(1), RandomPlayer(1)
    for _ in range(60):
        if session.ask is None:
            break
        assert session.ask.options  # what the game works out once for a map is not counted
        begun = time.monotonic()
        key = regular.choose_from(session.probe(), begun)
        assert time.monotonic() - begun < 2.0
        session.ask.option(key)
        session.answer(rng.choose(None, session.ask))


def test_it_does_not_know_what_its_side_does_not() -> None:
    """What the other side hides makes no difference to its choice."""
    first, second = Session(TOY, ToyScenario(), seed=b"x"), Session(TOY, ToyScenario(), seed=b"x")
    second.state.men["b2"].shaken = second._marks[0].state.men["b2"].shaken = True  # b2 is hidden from red
    choices = [RegularPlayer(3).choose_from(game.probe(), FOREVER) for game in (first, second)]
    assert choices[0] == choices[1]
