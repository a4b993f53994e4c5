"""A second table game on the same board: it passes every check that a game that comes with the program passes.

The checks are those of ``tests/conformance``, unchanged: the registry is made to know one game more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from grognard.board.table import formations
from grognard.core import registry
from grognard.core.files import Document
from grognard.core.session import Session
from tests.board.table import skirmish
from tests.board.table.skirmish import SKIRMISH
from tests.conformance import (
    test_aids,
    test_answers,
    test_odds,
    test_play,
    test_poses,
    test_prospects,
    test_resume,
    test_rules,
    test_saves,
    test_secrets,
)
from tests.conformance.conftest import LONG, load, play

MODULES = (
    test_aids,
    test_answers,
    test_odds,
    test_play,
    test_poses,
    test_prospects,
    test_resume,
    test_rules,
    test_saves,
    test_secrets,
)


def checks() -> list[Any]:
    """Every check that wants a battle, or a battle and a seed, and nothing else."""
    found = []
    for module in MODULES:
        for name, check in inspect.getmembers(module, inspect.isfunction):
            wants = set(inspect.signature(check).parameters)
            if name.startswith("test_") and check.__module__ == module.__name__ and "battle" in wants:
                assert wants <= {"battle", "seed"}, name
                found.append(pytest.param(check, id=name.removeprefix("test_")))
    return found


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry knows the game, as if it had a folder of its own."""
    find = registry.game
    monkeypatch.setattr(registry, "game", lambda name: SKIRMISH if name == SKIRMISH.name else find(name))


@pytest.mark.parametrize("check", checks())
def test_it_passes_the_checks_of_every_game(check: Callable[..., None]) -> None:
    wants = inspect.signature(check).parameters
    seeds = [{"seed": seed} for seed in range(LONG)] if "seed" in wants else [{}]
    for more in seeds:
        check(battle=(SKIRMISH.name, "ford"), **more)


# ---- what is its own ---------------------------------------------------------------------------------------


def field(*units: tuple[str, str, str, float, float, int], dice: tuple[int, ...] = (), terrain: str = "") -> Session:
    """A little battle: units as id, side, kind, where and heading."""
    rows = "".join(
        f'[[unit]]\nid = "{id}"\nside = "{side}"\nkind = "{kind}"\nplace = [{x}, {y}]\nheading = {heading}\n'
        for id, side, kind, x, y, heading in units
    )
    head = 'title = "A field"\nbriefing = ""\nturns = 3\n[table]\nname = "A field"\nsize = [120, 80]\n'
    scenario = SKIRMISH.load_scenario(Document.from_toml(f"{head}{terrain}\n{rows}", "field.toml"))
    return Session(SKIRMISH, scenario, script=dice)


def area(kind: str, points: str) -> str:
    """A piece of terrain as TOML."""
    word = "line" if skirmish.KINDS[kind].linear else "area"
    return f'[[table.terrain]]\nkind = "{kind}"\n{word} = [{points}]\n'


def bar(session: Session, key: str) -> str:
    """Why a pose is refused at the question that stands."""
    shown = session.preview(key).bar
    return "" if shown is None else f"{shown.reason} [{shown.rule}]"


def test_a_patrol_keeps_a_chain_or_its_leaders_voice() -> None:
    session = field(("r1", "red", "patrol", 30, 40, 0), ("b1", "blue", "patrol", 100, 10, 180))
    session.answer("march r1")
    unit = session.state.units["r1"]
    leader = (unit.models[0].x, unit.models[0].y)

    def by_hand(model: str, centimetres: float) -> str:
        x, y = leader[0] / 100 - 3 + centimetres, leader[1] / 100
        return f"pose 27 40 0 as_they_stand {model}@{x:.2f},{y:.2f}"

    # Within six inches of the leader one may stand farther than ten centimetres from everybody else.
    far = 15.24 + 1.25 + 1.60
    nearest = max(unit.models, key=lambda model: model.x).id
    assert bar(session, by_hand(nearest, round(far - 0.01, 2))) == ""
    assert "fall apart" in bar(session, by_hand(nearest, round(far + 0.02, 2)))


def test_bases_of_two_sizes_take_every_form() -> None:
    session = field(("r1", "red", "patrol", 30, 40, 0), ("b1", "blue", "patrol", 100, 10, 180))
    session.answer("march r1")
    assert session.ask is not None and session.ask.area is not None
    for form in session.ask.area.forms():
        fork = session.fork()
        fork.answer(f"pose 33 36 45 {form.name}")
        assert not SKIRMISH.invariants(fork.battle), form.name
        stand = fork.battle.bodies(fork.state.units["r1"])  # type: ignore[attr-defined]
        assert formations.chained(stand, skirmish.ROOM) and formations.anchor(stand) == (3300, 3600)


def test_a_watcher_shoots_at_a_point_of_the_way() -> None:
    """The barn hides the patrol until it has come some way past it; there it may be shot at, and only there it is."""
    barn = area("barn", "[40, 40], [60, 40], [60, 44], [40, 44]")
    session = field(
        ("r1", "red", "patrol", 50, 50, 90), ("b1", "blue", "patrol", 50, 20, 180), dice=(6,) * 20, terrain=barn
    )
    session.answer("march r1")
    session.answer("stay")
    session.answer("watch b1")
    for _ in range(3):
        assert session.ask is not None
        if session.ask.reaction:
            break
        session.answer("march r1")
        session.answer("pose 61.5 50 90" if session.state.turn == 2 else "pose 73 50 90")
        if session.ask is not None and not session.ask.reaction:
            session.answer("watch b1")
    assert session.ask is not None and session.ask.reaction == "overwatch" and session.ask.side == "blue"
    unit = session.state.units["r1"]
    middle = sum(model.x for model in unit.models) / 5
    assert 5000 < middle < 7300 and session.state.mover == "r1"
    before = len(unit.models)
    session.answer("shoot b1")
    assert len(session.state.units["r1"].models) < before and not session.state.mover


def test_a_base_is_in_cover_or_not() -> None:
    """3.2: of a patrol half behind a bank each base has its own cover, all or nothing."""
    bank = area("bank", "[40, 36], [50, 36]")
    session = field(("r1", "red", "patrol", 50, 40, 0), ("b1", "blue", "patrol", 50, 10, 180), terrain=bank)
    battle: Any = session.battle
    pairs = skirmish.look(battle, battle.state.units["b1"], battle.state.units["r1"])
    assert pairs.seen.all()
    covered = (pairs.cover > 0).all(axis=0)
    assert covered.any() and not covered.all()


def test_a_bomb_lands_anywhere_in_reach_and_touches_whom_it_touches() -> None:
    session = field(("r1", "red", "patrol", 30, 40, 0), ("b1", "blue", "patrol", 60, 40, 180), dice=(6, 6, 6, 6, 6))
    session.answer("bomb r1")
    assert session.preview("burst 60 40 0").lines == ["5 of Patrol b1 would be under it"]
    assert "farther" in bar(session, "burst 81 40 0")
    session.answer("burst 60 40 0")
    assert session.over and session.result is not None and session.result.winner == "red"


def test_a_carrier_turns_once_and_keeps_out_of_the_spinney() -> None:
    spinney = area("spinney", "[28, 10], [60, 10], [60, 22], [28, 22]")
    session = field(("r1", "red", "carrier", 40, 40, 0), ("b1", "blue", "patrol", 110, 10, 180), terrain=spinney)
    session.answer("drive r1")
    assert bar(session, "pose 40 23 0") == ""
    assert bar(session, "pose 40 18 0") == "a carrier does not go there [2.4]"
    assert bar(session, "pose 40 60 180") == "it turns by 90 degrees at most [2.4]"
    assert "25 cm" in bar(session, "pose 70 40 90")
    session.answer("pose 60 40 90")
    unit = session.state.units["r1"]
    assert (unit.x, unit.y, unit.heading) == (6000, 4000, 90)


def test_random_tables_are_made_of_its_own_kinds() -> None:
    for seed in range(3):
        scenario = SKIRMISH.random_battle(seed=seed)
        assert {piece.kind for piece in scenario.table.pieces} <= set(skirmish.KINDS)
        assert {"spinney", "barn"} <= {piece.kind for piece in scenario.table.pieces}
        session = Session(SKIRMISH, scenario, seed=b"random")
        play(session, seed)
        assert session.over and not SKIRMISH.invariants(session.battle)


def test_its_kinds_are_drawn_as_what_they_look_like() -> None:
    game, scenario = load(SKIRMISH.name, "ford")
    assert "?" not in game.draw_text(Session(game, scenario, seed=b"").battle, "")
    assert game.board(scenario).measure == "cm"
