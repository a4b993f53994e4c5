"""A third table game's program on the kit's tactics: it beats chance and passes the checks of every program."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path
from textwrap import indent

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.players.greedy import GreedyPlayer
from grognard.players.random import RandomPlayer
from tests.kits.table.stands.game import GAME
from tests.players import test_honesty

ROOT = Path(__file__).parents[3]
SIDES = ("red", "blue")


def new(seed: bytes) -> Session:
    path = GAME.scenario_files()["crossing"]
    return Session(GAME, GAME.load_scenario(Document.read(path)), seed=seed)


def left_of(seed: int) -> tuple[int, int]:
    """The stands that are left after a game: of the program's side, and of the one that plays at random."""
    session, side = new(f"stands {seed}".encode()), SIDES[seed % 2]
    greedy, anybody = GreedyPlayer(seed), RandomPlayer(seed)
    while session.ask is not None:
        ours = session.ask.side == side
        session.answer(greedy.choose_from(session.probe(), inf) if ours else anybody.choose(None, session.ask))
        assert GAME.invariants(session.battle) == []
    stands = {each: sum(len(unit.models) for unit in session.battle.units(each)) for each in SIDES}
    return stands.pop(side), stands.popitem()[1]


def test_it_beats_whoever_plays_at_random() -> None:
    games = [left_of(seed) for seed in range(4)]
    assert all(ours > theirs for ours, theirs in games), games
    assert sum(ours for ours, _ in games) > 2 * sum(theirs for _, theirs in games), games


def test_it_does_not_know_the_dice_to_come() -> None:
    """The game hides nothing but its dice: a twin of each position with others gets the same answer and thoughts."""
    session, anybody = new(b"true"), RandomPlayer(3)
    for count in range(30):
        assert session.ask is not None
        if session.ask.quiet and count % 5 == 0:
            twin = Session(GAME, session.scenario, state=GAME.copy(session.state), seed=b"other")
            here, there = (test_honesty.chosen(GreedyPlayer(1), each) for each in (session, twin))
            assert here == there
        session.answer(anybody.choose(None, session.ask), trusted=True)


def test_what_the_guide_shows_of_it_is_what_stands_here() -> None:
    guide = (ROOT / "docs" / "game-program.md").read_text(encoding="utf-8")
    code = (Path(__file__).parent / "stands" / "tactics.py").read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```", guide.partition("A program that plays it")[2], re.S)
    assert len(shown) > 3 and all(each in code or indent(each, "    ") in code for each in shown)
