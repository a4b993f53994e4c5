"""The chronicle of a battle: what it keeps agrees with the state at the end, in every game."""

from __future__ import annotations

from collections import defaultdict

import pytest

from grognard.core.chronicle import Chronicle
from grognard.core.open_files import listed, open_scenario
from grognard.core.session import Session
from grognard.players.random import RandomPlayer


@pytest.mark.parametrize("scenario", ["ost/mill_farm", "bolt_action/crossroads"])
def test_the_books_balance(scenario: str) -> None:
    """What was lost is what is missing from the forces, every loss to an enemy, and the last note is the end's."""
    game, opening = open_scenario(scenario)
    session, player = Session(game, opening, seed=b"books", snapshots=False), RandomPlayer("books")
    chronicle = Chronicle(game, session.battle)
    while session.ask is not None:
        session.answer(player.choose(None, session.ask), trusted=True)
        chronicle.follow(session.battle)
    chronicle.close(session.battle)
    missing: dict[str, float] = defaultdict(float)
    left = game.muster(session.battle)
    for id, unit in chronicle.forces.items():
        missing[unit.side] += unit.worth - (left[id].worth if id in left else 0.0)
    lost: dict[str, float] = defaultdict(float)
    for loss in chronicle.losses:
        lost[loss.side] += loss.worth
        assert loss.by_side != loss.side or loss.by == "" or loss.by in chronicle.forces
    assert lost
    assert {side: round(worth, 6) for side, worth in lost.items()} == {
        side: round(worth, 6) for side, worth in missing.items() if worth
    }
    assert [note.turn for note in chronicle.notes] == list(range(1, len(chronicle.notes) + 1))
    assert chronicle.notes[-1].score == game.score(session.battle)
    assert chronicle.notes[-1].held == game.held(session.battle)
    assert any(fire.unit and fire.start and fire.place for fire in chronicle.fires)


def test_a_turn_that_is_counted_as_0_is_a_turn() -> None:
    """Old School Tactical counts down, and may go on for a turn when nothing is left to count (111.14)."""
    game, opening = open_scenario("ost/first_patrol")
    lengths = {}
    for seed in range(8):
        session, player = Session(game, opening, seed=bytes([seed]), snapshots=False), RandomPlayer(str(seed))
        chronicle = Chronicle(game, session.battle)
        while session.ask is not None:
            session.answer(player.choose(None, session.ask), trusted=True)
            chronicle.follow(session.battle)
        chronicle.close(session.battle)
        lengths[game.turn_of(session.battle)[0]] = chronicle.turn
        assert [note.turn for note in chronicle.notes] == list(range(1, chronicle.turn + 1))
    assert lengths[0] == opening.turns + 1
    assert all(length == opening.turns + 1 - left for left, length in lengths.items())


def test_every_scenario_has_something_to_count() -> None:
    """At the start every unit has a worth, and both sides have units."""
    for each in listed():
        battle = Session(each.game, each.scenario, seed=b"1").battle
        muster = each.game.muster(battle).values()
        assert {unit.side for unit in muster} == set(each.scenario.sides), each.scenario.name
        assert all(unit.worth >= 0 and unit.kind for unit in muster)
