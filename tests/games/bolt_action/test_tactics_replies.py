"""Quick answers in thought: who is told to go goes, whoever is shot at lies down as he would in earnest."""

from __future__ import annotations

from math import inf

import pytest

from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.games.bolt_action.game import GAME
from tests.games.bolt_action.play import answer, box, keys, look, play, unit

FAR_WELL = [{"at": [36, 8], "points": 4, "name": "The well"}]


def best(session: Session) -> str:
    """What is answered in thought."""
    assert session.ask is not None
    return GAME.tactics(session.scenario).best(session.battle, session.ask, Clock(inf))


def proposed(session: Session) -> str:
    """What is answered in earnest."""
    assert session.ask is not None
    return GAME.tactics(session.scenario).propose(session.battle, session.ask, Clock(inf))[0].key


def test_a_squad_that_has_no_room_on_its_way_goes_to_the_next_best_place() -> None:
    """Its men do not fit through the gap abreast; it had stayed where it was turn after turn."""
    houses = [box("building", 2, 20, 34.8, 33), box("building", 37.2, 20, 70, 33)]
    session = play(
        unit("us_squad", "a1", at=(36, 34)),
        unit("ger_sniper", "g1", at=(66, 4), heading=180),
        terrain=houses,
        objective=FAR_WELL,
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "run")
    chosen = best(session)
    assert chosen.split()[0] in ("pose", "enter")
    before = [(model.x, model.y) for model in look(session, "a1").models]
    answer(session, chosen)
    assert [(model.x, model.y) for model in look(session, "a1").models] != before


def test_a_squad_leaves_its_house_for_what_is_fought_for() -> None:
    session = play(
        unit("us_squad", "a1", building="barn"),
        unit("ger_sniper", "g1", at=(66, 4), heading=180),
        terrain=[box("building", 30, 36, 38, 42, id="barn")],
        objective=FAR_WELL,
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "run")
    assert best(session).startswith("pose")


@pytest.mark.parametrize("kind", ["us_squad", "us_m5"])
def test_a_reserve_that_is_told_to_come_on_comes_on(kind: str) -> None:
    """To wait off the table had looked better than any place under fire."""
    session = play(
        unit(kind, "a1", status="reserve"),
        unit("us_2lt", "a2", at=(4, 46)),
        unit("ger_pak40", "g1", at=(36, 4), heading=180),
        unit("ger_mmg", "g2", at=(30, 4), heading=180),
        turn=3,
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "run")
    while session.ask is not None and "stay" not in keys(session):
        session.answer(best(session))
    assert best(session).startswith("pose")


@pytest.mark.rule("bolt_action", "16.1")
@pytest.mark.parametrize(("men", "pins", "away"), [(5, 0, 12), (5, 0, 22), (10, 0, 12), (10, 3, 12)])
def test_whoever_is_shot_at_in_thought_goes_down_as_in_earnest(men: int, pins: int, away: int) -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 40)),
        unit("ger_grenadiers", "g1", at=(20, 40 - away), heading=180, men=men, pins=pins),
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire", "at g1")
    assert session.ask is not None and session.ask.reaction
    assert best(session) == proposed(session)


def test_whoever_is_in_a_house_by_the_edge_leaves_the_table() -> None:
    session = play(
        unit("us_squad", "a1", building="barn"),
        unit("ger_sniper", "g1", at=(4, 4), heading=180),
        terrain=[box("building", 60, 36, 68, 42, id="barn")],
        victory={"exit": [{"side": "american", "edge": "right", "points": 3}]},
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "run")
    assert best(session) == "exit right"
