"""Memory is flat: what is remembered of maps and battles is bounded, whoever plays and however long."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Games of one scenario in a process of its own; how many blocks of memory are in use, fifteen times on the way.
SERIES = """
import gc, sys
from grognard.core.files import Document
from grognard.core.registry import game
from grognard.core.session import Session
from grognard.players.seats import make_player, make_ready, pick

name, scenario, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
rules = game(name)
scene = rules.load_scenario(Document.read(rules.scenario_files()[scenario]))


def play(number):
    session = Session(rules, scene, seed=b"%d" % number)
    seats = {side: make_player("random", f"{number} {side}") for side in scene.sides}
    make_ready(session, seats.values())
    while session.ask is not None:
        session.answer(pick(seats[session.ask.side], session, 1.0))


for number in range(games):
    play(number)
    if (number + 1) % (games // 15) == 0:
        gc.unfreeze()
        gc.collect()
        print(sys.getallocatedblocks())
"""


@pytest.mark.parametrize(
    ("game", "scenario", "games"),
    [("ost", "first_patrol", 300), ("ost", "steppe", 120), ("bolt_action", "first_steps", 90)],
)
def test_the_last_third_of_a_long_series_adds_nothing(game: str, scenario: str, games: int) -> None:
    """What is remembered is full after a while, and older things make room: no more is used later than was before."""
    command = [sys.executable, "-c", SERIES, game, scenario, str(games)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout
    blocks = [int(word) for word in told.split()]
    assert len(blocks) == 15
    assert max(blocks[10:]) <= 1.1 * max(blocks[:10])
