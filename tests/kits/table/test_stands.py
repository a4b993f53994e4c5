"""A game of stands on the board of tables: played to the end, its areas fuzzed, saved and read again.

The checks are those of ``tests/conformance``, unchanged: the registry is made to know one game more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
import shapely

from grognard.board.table import bodies
from grognard.board.table.stand_area import StandArea
from grognard.core import registry
from grognard.core.files import Document
from grognard.core.poses import Pose
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests import conformance
from tests.conformance.conftest import LONG
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.game import GAME
from tests.kits.table.stands.moving import CompanyArea
from tests.kits.table.stands.standing import led

#: All of the suite but the transcripts, which only a game of the house has.
SUITE = [
    import_module(f"tests.conformance.{path.stem}")
    for path in sorted(Path(str(conformance.__file__)).parent.glob("test_*.py"))
    if path.stem != "test_transcripts"
]
#: What a check may want of a game; what else there is to want belongs to pytest, or to other games.
GIVEN = {"battle": (GAME.name, "crossing"), "game": GAME}


def checks() -> Iterator[Any]:
    """Every check of the suite that is made for each game or for each battle."""
    for module in SUITE:
        for name, check in inspect.getmembers(module, inspect.isfunction):
            wants = inspect.signature(check).parameters
            if name.startswith("test_") and check.__module__ == module.__name__ and wants.keys() & GIVEN.keys():
                given = {want: GIVEN[want] for want in wants if want in GIVEN}
                if "game" in given and wants["game"].annotation == "str":
                    given["game"] = GAME.name
                for seed in range(LONG) if "seed" in wants else (None,):
                    more = {} if seed is None else {"seed": seed}
                    id = "-".join([name.removeprefix("test_"), *map(str, more.values())])
                    yield pytest.param(check, given | more, id=id)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry knows the game, as if it had a folder among the others."""
    find, names = registry.game, registry.names()
    monkeypatch.setattr(registry, "names", lambda: (*names, GAME.name))
    monkeypatch.setattr(registry, "game", lambda name: GAME if name == GAME.name else find(name))


@pytest.mark.parametrize(("check", "given"), list(checks()))
def test_it_passes_the_checks_of_every_game(check: Callable[..., None], given: dict[str, Any]) -> None:
    check(**given)


def new(seed: int) -> Session:
    path = GAME.scenario_files()["crossing"]
    return Session(GAME, GAME.load_scenario(Document.read(path)), seed=f"stands {seed}".encode())


@pytest.mark.parametrize("seed", range(3))
def test_random_games_come_to_an_end_and_break_nothing(seed: int) -> None:
    session, player, random = new(seed), RandomPlayer(seed), Random(seed)
    verbs = set()
    while session.ask is not None:
        area = session.ask.area
        key = player.choose(None, session.ask)
        if isinstance(area, CompanyArea) and random.random() < 0.7:
            key = anywhere(area, random) or key
        verbs.add(key.split()[0])
        session.answer(key)
        assert GAME.invariants(session.battle) == []
    assert {"march", "pose", "rush"} <= verbs and session.result is not None
    data = session.save()
    again = load(data, GAME, GAME.load_scenario(Document.read(GAME.scenario_files()["crossing"])))
    assert again.over and again.result == session.result and again.save() == data


def anywhere(area: CompanyArea, random: Random) -> str:
    """Any pose of the area, "" if it has none in the form and heading that are looked at."""
    form, heading = random.choice(area.names), random.randrange(360)
    parts = [shapely.Polygon(part[0], part[1:]).buffer(-2.5) for part in area.polygons(form, heading)]
    shape = shapely.union_all(parts)
    if shape.is_empty:
        return ""
    left, top, right, bottom = map(int, shape.bounds)
    for _ in range(40):
        x, y = random.randint(left, right), random.randint(top, bottom)
        if shapely.contains_xy(shape, x, y):
            return Pose(x, y, heading, form).key()
    return ""


@pytest.mark.parametrize("seed", range(4))
def test_areas_are_what_is_taken_all_or_a_part(seed: int) -> None:
    """Inside the polygons is legal, outside is not, half is by its leader, and every path keeps to its pace."""
    session, player, random = new(seed), RandomPlayer(seed), Random(seed)
    looked = 0
    while session.ask is not None and looked < 6:
        area = session.ask.area
        if isinstance(area, CompanyArea):
            looked += 1
            battle = session.battle
            assert isinstance(battle, Field)
            agrees(battle, area, random)
        session.answer(player.choose(None, session.ask), trusted=True)
    assert looked


def agrees(battle: Field, area: StandArea, random: Random) -> None:
    form, heading = random.choice(area.names), random.randrange(360)
    parts = [shapely.make_valid(shapely.Polygon(part[0], part[1:])) for part in area.polygons(form, heading)]
    shape = shapely.union_all(parts)
    inner, outer = shape.buffer(-2.5), shape.buffer(2.5)
    thick = shapely.union_all([battle.table.area(p) for p in battle.table.pieces if p.kind == "spinney"])
    for number in range(16):
        box = (*area.start[:2], *area.start[:2]) if number % 2 or inner.is_empty else inner.bounds
        out = 2500 if number % 2 or inner.is_empty else 0
        x, y = (
            random.randint(int(box[0]) - out, int(box[2]) + out),
            random.randint(int(box[1]) - out, int(box[3]) + out),
        )
        pose = Pose(x, y, heading, form)
        bar = area.bar(pose)
        if shapely.contains_xy(inner, x, y):
            assert bar is None, (pose, bar)
        elif not shapely.intersects_xy(outer, x, y):
            assert bar is not None, pose
        if bar is not None:
            continue
        ends = area.ends(pose)
        stand = area.stand(pose, ends)
        near = abs(bodies.gaps(stand[1:], stand[:1]) - charts().distance("spacing", "from_leader")).min(initial=9.0) < 3
        assert led(stand) or near
        for model, path in area.paths(pose).items():
            number = area.models.index(model)
            way, pace = shapely.LineString(path), area.ways[0].limit(number, ends[number])
            assert way.length <= pace + 2
            if way.intersects(thick.buffer(-3)):
                assert pace == charts().distance("paces", "spinney"), "nobody hurries through a spinney"


def test_the_measure_is_the_table_s() -> None:
    session = new(0)
    session.answer("march r1")
    assert session.preview("pose 50 76 60").cost.endswith(" cm")
    assert "cm" in session.preview("pose 60 10 60").bar.reason  # type: ignore[union-attr]
    assert GAME.board(session.scenario).measure == "cm"


def test_the_square_is_shown_before_it_falls() -> None:
    session = new(0)
    session.answer("shells r2")
    seen = session.preview("at 50 24 45")
    assert seen.legal and seen.lines == ["6 of Company r2 would be under it"]
    side = charts().distance("calling", "shells_side")
    assert shapely.Polygon(seen.outline[0]).area == pytest.approx(side**2, rel=0.01)
    far = session.preview("at 140 90 0").bar
    assert far is not None and far.reason == "it is farther than 60 cm"
    session.answer("at 60 50 30")
    session.answer("smoke b1")
    session.answer("at 100 30 45")
    assert session.state.smoke == [(10000, 3000, 45)] and len(GAME.view(session.battle, "red").markers) == 1
