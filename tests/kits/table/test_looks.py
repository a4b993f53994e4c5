"""Sight of the kit, proved with stands: looks, friends in the way, reports and fields of fire."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table.bodies import Body, gaps
from grognard.board.table.lines import spans
from grognard.board.table.scene import Eye, Mark
from grognard.board.table.sight import Pairs, sight
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.kits.table import looks as module
from grognard.kits.table.looks import Looks
from grognard.kits.table.positions import hiding, position_cache
from grognard.kits.table.sight_report import report
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.game import GAME
from tests.kits.table.stands.shooting import SIGHT, Eyes, Words
from tests.kits.table.stands.state import Unit

RIFLE = charts().distance("shooting", "range")


class Counting(Eyes):
    """Counts how often anybody really looked."""

    asked = 0

    def see(self, eyes: Sequence[Eye], marks: Sequence[Body | Mark], not_blocking: Sequence[int] = ()) -> Pairs:
        Counting.asked += 1
        return super().see(eyes, marks, not_blocking)


def field() -> Field:
    battle = Session(GAME, GAME.load_scenario(Document.read(GAME.scenario_files()["crossing"])), seed=b"s").battle
    assert isinstance(battle, Field)
    battle.table.cache.clear()
    Counting.asked = 0
    return battle


def put(battle: Field, unit: Unit, *places: tuple[float, float], heading: int = 0) -> None:
    """Stand a company at places in centimetres; stands without one are gone."""
    unit.models = unit.models[: len(places)]
    for model, (x, y) in zip(unit.models, places):
        model.x, model.y, model.heading = round(x * 100), round(y * 100), heading
    battle.invalidate(unit)


def four(battle: Field) -> tuple[Unit, Unit, Unit, Unit]:
    return battle.unit("r1"), battle.unit("r2"), battle.unit("b1"), battle.unit("b2")


@pytest.mark.parametrize("seed", range(4))
def test_a_look_is_what_the_board_sees_wherever_stands_are(seed: int) -> None:
    battle, random = field(), Random(seed)
    for unit in battle.units():
        put(battle, unit, *[(random.uniform(5, 145), random.uniform(5, 95)) for _ in unit.models])
    looks = Looks(Eyes(battle))
    for unit in battle.units():
        looks.at(unit, battle.enemies(unit.side))
        for target in battle.enemies(unit.side):
            mine, theirs = battle.bodies(unit), battle.bodies(target)
            afresh = sight(battle.scene, [battle.scene.eye(body) for body in mine], theirs, SIGHT)
            found = looks.look(unit, target)
            assert (found.pairs.seen == afresh.seen).all() and (found.pairs.cover == afresh.cover).all()
            assert np.allclose(found.gaps, gaps(mine, theirs)) and found.in_sight == tuple(afresh.seen.any(axis=1))
            assert found.sees() == afresh.seen.any()


def test_who_looked_looks_again_only_when_somebody_moves_who_matters() -> None:
    battle = field()
    red, _, blue, last = four(battle)
    looks = Looks(Counting(battle))
    first = looks.look(red, blue)
    assert looks.look(red, blue) is first and Counting.asked == 1
    put(battle, last, (140, 90), (140, 95))
    assert looks.look(red, blue).pairs is first.pairs and Counting.asked == 1
    put(battle, blue, (100, 30))
    looks.look(red, blue)
    assert Counting.asked == 2
    battle.state.smoke.append((2000, 9000, 0))
    battle.invalidate()
    looks.look(red, blue)
    assert Counting.asked == 3


@pytest.mark.parametrize("indoors", ["", "own", "other"])
def test_what_hides_somebody_indoors_may_stand_farther_off(monkeypatch: pytest.MonkeyPatch, indoors: str) -> None:
    """Whoever looks out of a house, or is looked at in one, is at any of its windows, and not in its middle."""
    battle = field()
    red, hull, blue, _ = four(battle)
    monkeypatch.setattr(Field, "blocks", lambda self, unit: unit.id == hull.id)
    put(battle, red, (50, 50))
    put(battle, blue, (80, 50))

    def key() -> object:
        both = {"own": battle.stance(red), "other": battle.stance(blue)}
        return hiding(battle, *((*one[:2], "house" if indoors == who else "", *one[3:]) for who, one in both.items()))

    def matters(one: float, two: float) -> bool:
        """Whether it matters if the hull stands so far above them or so far."""
        put(battle, hull, (60, 50 - one))
        before = key()
        put(battle, hull, (60, 50 - two))
        return key() != before

    assert matters(5, 6)
    assert matters(12, 13) == bool(indoors)
    assert not matters(17, 18)


def test_several_are_looked_at_in_one_sum() -> None:
    battle = field()
    looks = Looks(Counting(battle))
    red = battle.unit("r1")
    looks.at(red, battle.enemies("red"))
    assert Counting.asked == 1
    for target in battle.enemies("red"):
        assert looks.look(red, target).pairs.seen.shape == (len(red.models), len(target.models))
    assert Counting.asked == 1


def test_what_is_looked_at_again_is_not_thrown_away_to_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full shelf gives up its oldest looks, and the oldest may be the very ones that are wanted now."""
    battle = field()
    red, _, blue, last = four(battle)
    looks = Looks(Counting(battle))
    looks.at(red, [blue])
    shelf = battle.table.cache["looks"]
    monkeypatch.setattr(module, "KEPT_LOOKS", len(shelf) * 4)
    for number in range(len(shelf) * 3):
        shelf[number] = next(iter(shelf.values()))
    position_cache(battle).clear()
    looks.at(red, [blue, last])
    assert looks.look(red, blue).pairs.seen.shape[1] == len(blue.models)
    assert len(shelf) <= module.KEPT_LOOKS + 1


def test_a_move_is_looked_at_ahead_and_found_so_when_it_comes() -> None:
    battle = field()
    red, _, blue, _ = four(battle)
    put(battle, red, (30, 10))
    put(battle, blue, (60, 10), (60, 15))
    looks = Looks(Counting(battle))
    stands = [[(6000 - step, 1000), (6000 - step, 1500)] for step in (0, 200, 400, 600)]
    looks.foresee(red, RIFLE, blue, stands)
    assert Counting.asked == 1
    for stand in stands:
        put(battle, blue, *[(x / 100, y / 100) for x, y in stand])
        seen = looks.look(red, blue)
        afresh = sight(
            battle.scene, [battle.scene.eye(body) for body in battle.bodies(red)], battle.bodies(blue), SIGHT
        )
        assert (seen.pairs.seen == afresh.seen).all() and seen.nearest[0] == pytest.approx(seen.gaps.min())
    assert Counting.asked == 1, "what was foreseen is not looked for again"
    looks.foresee(red, 100, blue, [[(9000, 1000), (9000, 1500)], [(9100, 1000), (9100, 1500)]])
    assert Counting.asked == 1, "nobody looks at what is too far away"


# ---- friends in the way ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("friend", "clear"),
    [((40, 10), False), ((40, 12.4), False), ((40, 15), True), ((32.5, 10), True), ((70, 10), True)],
    ids=["between", "near the line", "aside", "beside the firer", "behind the target"],
)
def test_friends_bar_fire_and_not_sight(friend: tuple[float, float], clear: bool) -> None:
    battle = field()
    red, other, blue, _ = four(battle)
    put(battle, red, (30, 10))
    put(battle, blue, (60, 10))
    put(battle, other, friend)
    found = Looks(Eyes(battle)).look(red, blue)
    assert found.in_sight == (True,) and found.pairs.seen.all()
    assert bool(found.clear.all()) == clear == math.isfinite(found.nearest[0])


def test_a_game_says_whether_friends_are_in_the_way() -> None:
    class Over(Eyes):
        def bars_fire(self, unit: Unit, friend: Unit) -> bool:
            return unit.id != "r1"

    class Never(Eyes):
        clearance = -1.0

    for sighting in (Over, Never):
        battle = field()
        red, other, blue, _ = four(battle)
        put(battle, red, (30, 10))
        put(battle, blue, (60, 10))
        put(battle, other, (40, 10))
        assert Looks(sighting(battle)).look(red, blue).clear.all()


# ---- a sight of one's own ----------------------------------------------------------------------------


class Levels(Eyes):
    """A spinney hides from 4 cm of it on, where neither end is in it: sight by what lines cross."""

    def see(self, eyes: Sequence[Eye], marks: Sequence[Body | Mark], not_blocking: Sequence[int] = ()) -> Pairs:
        table = self.battle.table
        pieces = [piece for piece in table.pieces if piece.kind == "spinney"]
        bodies = [mark.body if isinstance(mark, Mark) else mark for mark in marks]
        starts = np.array([(eye.x, eye.y) for eye in eyes for _ in bodies], dtype=np.float64)
        ends = np.array([(body.x, body.y) for _ in eyes for body in bodies], dtype=np.float64)
        deep = spans(table, starts, ends, pieces).inside
        held = [[shapely.contains_xy(table.area(piece), *point) for piece in pieces] for point in (*starts, *ends)]
        ends_in = np.array(held[: len(starts)]) | np.array(held[len(starts) :])
        shape = (len(eyes), len(bodies))
        hidden = ((deep >= 400) & ~ends_in).any(axis=1).reshape(shape)
        cover = np.array(held[len(starts) :]).any(axis=1).reshape(shape)
        by = np.where(hidden, 0, -1)
        return Pairs(~hidden, np.where(hidden, 9, 0), cover.astype(np.int8), by)


def test_a_game_may_see_by_rules_of_its_own() -> None:
    battle = field()
    red, _, blue, _ = four(battle)
    put(battle, red, (20, 48))
    put(battle, blue, (62, 48), (40, 48), (62, 80))
    found = Looks(Levels(battle)).look(red, blue)
    assert found.pairs.seen.tolist() == [[False, True, True]]
    assert found.pairs.cover.tolist() == [[0, 1, 0]]
    assert found.cover == (0,), "not all that are seen are in cover"


# ---- in words ----------------------------------------------------------------------------------------


def test_sight_is_told_between_companies() -> None:
    battle = field()
    red, other, blue, last = four(battle)
    put(battle, red, (30, 10), (30, 15))
    put(battle, blue, (60, 10))
    found = report(Looks(Eyes(battle)), "r1", "b1", Words())
    assert (
        found.clear
        and found.state == "clear"
        and found.text == "Company r1 (2 of 2) sees Company b1 at 26.08 cm, in the open"
    )
    assert [thread.state for thread in found.threads] == ["clear", "clear"]
    put(battle, other, (45, 8))
    found = report(Looks(Eyes(battle)), "r1", "b1", Words())
    assert found.text.endswith("; friends are in the way of 1 [3.4]")
    assert ["friends in the way" in thread.text for thread in found.threads] == [True, False]
    put(battle, last, (73, 45))
    put(battle, red, (73, 10))
    found = report(Looks(Eyes(battle)), "r1", "b2", Words())
    assert not found.clear and found.text.startswith("Company r1 does not see Company b2") and "[3.1]" in found.text
    assert [(each.effect, each.rule) for each in found.crossed] == [("block", "3.1")] and "barn" in found.say()
    (thread,) = found.threads
    assert thread.blocked_at == pytest.approx((73.0, 22.0), abs=0.01)
    assert found.view().lines[0].blocked_at == thread.blocked_at


def test_sight_is_told_between_points_and_companies() -> None:
    battle = field()
    red, _, blue, _ = four(battle)
    put(battle, red, (73, 10))
    looks = Looks(Eyes(battle))
    assert report(looks, "r1", "73,45", Words()).state == "blocked"
    assert report(looks, "10,10", "30,10", Words()).text.startswith("A stand (")
    assert report(looks, "10,10", "r1", Words()).clear
    covered = report(looks, "20,48", "35,48", Words())
    assert covered.state == "degraded" and covered.text.endswith("in cover")
    blue.models = []
    for wrong in ("b1", "nobody", "151,10", "1,2,3"):
        with pytest.raises(GrognardError):
            report(looks, "r1", wrong, Words())


def test_a_field_of_fire_shows_arcs_and_who_is_seen_and_the_ground() -> None:
    battle = field()
    red, other, blue, last = four(battle)
    put(battle, red, (73, 10), (73, 10), (60, 10), heading=180)
    put(battle, blue, (73, 45))
    put(battle, last, (50, 12))
    put(battle, other, (76, 14))
    found = GAME.field_of_fire(battle, "red", "r1")
    assert [(fan.x, fan.width, fan.range) for fan in found.fans] == [(73.0, 180, 40.0), (60.0, 180, 40.0)]
    states = {seen.place: (seen.state, seen.ring) for seen in found.places}
    assert states["50,12"][0] == "clear" and states["76,14"] == ("clear", 0)
    area = shapely.union_all([shapely.Polygon(outline).buffer(0) for outline in found.areas])
    assert area.contains(shapely.Point(60, 20)) and not area.contains(shapely.Point(73, 40))
    assert not area.contains(shapely.Point(140, 50)), "no farther than they shoot"
