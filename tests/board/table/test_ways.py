"""Ways with a distance for each model, and paces: road, country and bad going, one for the whole move."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table import formations as f
from grognard.board.table.bodies import disc
from grognard.board.table.footing import Footing, barriers
from grognard.board.table.placement import FormationArea
from grognard.board.table.routes import long
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.board.table.ways import Pace, Paced, Ways
from grognard.core.ask import Bar
from grognard.core.poses import Pose

KINDS = {"bog": Kind("bog", "area", "bad"), "house": Kind("house", "area", "shut")}
WIDE, HIGH = 4000, 3000
SHUT, BAD = Bar("1", "the house is shut"), Bar("2", "one does not hurry through a bog")


def rectangle(id: str, x: int, y: int, width: int, height: int) -> Piece:
    return Piece(id, id.split("-")[0], ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))


def footing(table: Table, starts: list[tuple[int, int]], *closed: str) -> Footing:
    """Ground with some kinds closed to the centre of a base."""
    bars = {"house": SHUT, "bog": BAD}
    ground = Footing(table, Bar("3", "it is the edge"))
    shut = barriers(table, closed, 0, lambda piece: (bars[piece.kind], False) if piece.kind in closed else None)
    ground.block_terrain(shut, np.array(starts, float), (0, 0), (WIDE, HIGH))
    return ground


class Marsh:
    """A random table of bogs and houses, some models, and their two paces: 900 where it is dry, 400 anywhere."""

    def __init__(self, seed: int, count: int = 3) -> None:
        self.random = Random(seed)
        pieces = [self.piece(number) for number in range(14)]
        shapes = [shapely.Polygon(piece.points) for piece in pieces]
        self.table = Table("marsh", WIDE, HIGH, KINDS, pieces, measure="cm")
        self.starts: list[tuple[int, int]] = []
        while len(self.starts) < count:
            at = self.random.randint(1500, 2500), self.random.randint(1000, 2000)
            apart = all(math.dist(at, other) > 130 for other in self.starts)
            if apart and not any(shape.distance(shapely.Point(at)) < 5 for shape in shapes):
                self.starts.append(at)
        self.dry = footing(self.table, self.starts, "house", "bog")
        self.any = footing(self.table, self.starts, "house")
        paces = [Pace("dry", self.dry, 900.0), Pace("wading", self.any, 400.0)]
        self.paced = Paced(self.starts, [paces] * count)
        self.fast = Ways(self.starts, [self.dry] * count, 900.0)
        self.slow = Ways(self.starts, [self.any] * count, 400.0)

    def piece(self, number: int) -> Piece:
        random = self.random
        kind = random.choice(["bog", "bog", "house"])
        x, y = random.randint(900, 2800), random.randint(500, 2300)
        return rectangle(f"{kind}-{number}", x, y, random.randint(60, 500), random.randint(60, 500))

    def places(self, count: int) -> list[tuple[int, int]]:
        return [(self.random.randint(500, 3500), self.random.randint(0, HIGH)) for _ in range(count)]


@pytest.mark.parametrize("seed", range(8))
def test_a_model_goes_wherever_one_of_its_paces_takes_it(seed: int) -> None:
    marsh = Marsh(seed, 1)
    paced, fast, slow = marsh.paced, marsh.fast, marsh.slow
    names = set()
    for end in marsh.places(200):
        either = fast.can(0, end) or slow.can(0, end)
        pace = paced.pace(0, end)
        assert paced.can(0, end) == either == (pace is not None) == paced.reach(0).contains(*end)
        if pace is None:
            assert paced.why_not(0, end).reason.endswith((" (dry)", " (wading)"))
            continue
        names.add(pace.name)
        path = paced.path(0, end)
        shortest = min(float(one.reach(0).length(*end)) for one in (fast, slow) if one.can(0, end))
        # Bends are rounded to whole hundredths.
        assert long(path) == pytest.approx(shortest, abs=2) and long(path) <= pace.far + 2
        assert paced.limit(0, end) == pace.far and path[0] == marsh.starts[0] and path[-1] == end
        if pace.name == "dry":
            bogs = [shapely.Polygon(p.points).buffer(-3) for p in marsh.table.pieces if p.kind == "bog"]
            assert not any(bog.intersects(shapely.LineString(path)) for bog in bogs)
    assert "dry" in names


@pytest.mark.parametrize("seed", range(6))
def test_the_area_of_paces_is_what_is_taken(seed: int) -> None:
    marsh = Marsh(100 + seed)
    stand = [disc(x, y, 30) for x, y in marsh.starts]
    area = FormationArea("a1", ["m1", "m2", "m3"], stand, [marsh.paced], names=[f.AS_THEY_STAND], spacing=60)
    parts = [shapely.make_valid(shapely.Polygon(part[0], part[1:])) for part in area.polygons("", 0)]
    shape = shapely.union_all(parts)
    inner, outer = shape.buffer(-2.5), shape.buffer(2.5)
    inside = 0
    x0, y0 = area.start[:2]
    for _ in range(250):
        x, y = x0 + marsh.random.randint(-950, 950), y0 + marsh.random.randint(-950, 950)
        bar = area.bar(Pose(x, y))
        if inner.contains(shapely.Point(x, y)):
            inside += 1
            assert bar is None
        elif not outer.intersects(shapely.Point(x, y)):
            assert bar is not None
        if bar is None:
            assert area.way(area.ends(Pose(x, y))) is not None and "cm" in area.preview(Pose(x, y)).cost
    assert inside > 5


def test_each_model_has_its_own_distance() -> None:
    table = Table("bare", WIDE, HIGH, {}, measure="cm")
    starts = [(1000, 1000), (1000, 1200)]
    ways = Ways(starts, [Footing(table)] * 2, [300.0, 900])
    assert ways.far == 900
    assert ways.can_all([0, 1], [(1300, 1000), (1900, 1200)])
    assert list(ways.missed([0, 1], [(1301, 1000), (1901, 1200)])) == [0, 1]
    assert ways.why_not(0, (1400, 1000)).reason == "it is 4 cm away, but the move is at most 3 cm"
    assert ways.reach(0).polygon.area < ways.reach(1).polygon.area / 8
    door = Ways([(1000, 1000)] * 2, [ways.grounds[0]] * 2, [300, 900])
    assert door.reach(0).polygon.area < door.reach(1).polygon.area / 8, "from one door, too"
    assert ways.way_to(0, np.array([[1400.0, 1000.0]])) is None and ways.way_to(1, np.array([[1400.0, 1200.0]]))
    area = FormationArea("a1", ["m1", "m2"], [disc(*at, 50) for at in starts], [ways], names=[f.LINE], spacing=60)
    assert area.preview(Pose(1000, 1200, 90)).cost.endswith((" of 3 cm", " of 9 cm"))


def test_the_pace_comes_from_the_ground_that_is_crossed() -> None:
    bog = rectangle("bog-1", 1200, 800, 200, 400)
    table = Table("marsh", WIDE, HIGH, KINDS, [bog], measure="cm")
    starts = [(1000, 1000)]
    dry, wet = footing(table, starts, "bog"), footing(table, starts)
    ways = Paced(starts, [[Pace("dry", dry, 900.0), Pace("wading", wet, 500.0)]])
    found = {end: ways.pace(0, end) for end in ((700, 1000), (1300, 1000), (1450, 1000), (1850, 1000), (1700, 1000))}
    assert [pace.name if pace else "" for pace in found.values()] == ["dry", "wading", "wading", "", "dry"]
    assert len(ways.path(0, (1700, 1000))) > 2, "it goes round"
    assert ways.path(0, (1450, 1000)) == [(1000, 1000), (1450, 1000)], "wading is the shorter way"
    away = "it is 9.5 cm away, but the move is at most 9 cm (dry)"
    assert ways.why_not(0, (1000, 1950)).reason == away
    assert ways.why_not(0, (1300, 1199)).reason != away
    assert ways.way_to(0, np.array([[1450.0, 1000.0]])) == [(1000, 1000), (1450, 1000)]


def test_paces_made_of_ways_are_those_ways() -> None:
    marsh = Marsh(5)
    made = Paced.of({"dry": marsh.fast, "wading": marsh.slow})
    ends = marsh.places(80)
    for end in ends:
        assert made.can(1, end) == marsh.paced.can(1, end)
    points = np.array(ends, float)
    both = np.minimum(marsh.fast.reach(1).lengths(points), marsh.slow.reach(1).lengths(points))
    assert (made.reach(1).lengths(points) == both).all()
    assert (made.reach(1).contains_many(points) == [marsh.paced.can(1, end) for end in ends]).all()
    alone = Paced.of({"dry": marsh.fast})
    assert alone.why_not(0, (0, 0)) == marsh.fast.why_not(0, (0, 0)), "one pace needs no name"
