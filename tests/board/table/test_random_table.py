"""Random tables: fair, open at the edges, with room for vehicles."""

from __future__ import annotations

import pytest
import shapely

from grognard.board.table.random_table import random_table
from grognard.board.table.terrain import Kind, Piece, Table

WIDTH, HEIGHT = 7200, 4800
GROUND = {
    "woods": "rough",
    "orchard": "rough",
    "crops": "open",
    "rocks": "rough",
    "marsh": "rough",
    "ruins": "rough",
    "hill": "open",
    "building": "building",
    "pond": "impassable",
}
KINDS = {name: Kind(name, "area", ground) for name, ground in GROUND.items()} | {
    name: Kind(name, "line", "obstacle") for name in ("hedge", "fence", "stone_wall", "trench")
}
KINDS["road"] = Kind("road", "line", "road", width=300)
SEEDS = range(25)


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    return [random_table(seed, WIDTH, HEIGHT, KINDS, measure="inch") for seed in SEEDS]


def turned(piece: Piece) -> tuple[str, frozenset[tuple[int, int]]]:
    return piece.kind, frozenset((WIDTH - x, HEIGHT - y) for x, y in piece.points)


def stops(table: Table, piece: Piece) -> bool:
    return table.kinds[piece.kind].ground not in ("open", "road")


def plan(table: Table, piece: Piece) -> shapely.Geometry:
    return table.line(piece) if table.kinds[piece.kind].linear else table.area(piece)


def test_the_same_seed_is_the_same_table_and_another_is_another(tables: list[Table]) -> None:
    assert random_table(3, WIDTH, HEIGHT, KINDS, measure="inch") == tables[3]
    assert len({table.digest for table in tables}) == len(tables)


def test_both_sides_have_the_same_before_them(tables: list[Table]) -> None:
    for table in tables:
        there = {(piece.kind, frozenset(piece.points)) for piece in table.pieces}
        assert all(turned(piece) in there for piece in table.pieces), table.name
        wooden = [piece.id[:-1] for piece in table.pieces if piece.soft]
        assert len(wooden) == 2 * len(set(wooden))


def test_nothing_stops_anybody_along_the_long_edges(tables: list[Table]) -> None:
    for table in tables:
        for piece in table.pieces:
            if stops(table, piece):
                _, top, _, bottom = plan(table, piece).bounds
                assert top >= 599
                assert bottom <= HEIGHT - 599


def test_pieces_are_on_the_table_and_do_not_cross(tables: list[Table]) -> None:
    for table in tables:
        flat = [piece for piece in table.pieces if piece.kind not in ("hill", "road")]
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for piece in table.pieces for x, y in piece.points)
        for number, one in enumerate(flat):
            assert plan(table, one).is_valid
            for other in flat[number + 1 :]:
                assert plan(table, one).disjoint(plan(table, other)), (table.name, one.id, other.id)
            for road in (piece for piece in table.pieces if piece.kind == "road"):
                assert plan(table, one).disjoint(table.area(road))


def test_a_vehicle_can_go_from_any_open_ground_to_any_other(tables: list[Table]) -> None:
    for table in tables:
        blocked = shapely.union_all([plan(table, piece).buffer(150) for piece in table.pieces if stops(table, piece)])
        free = shapely.box(150, 150, WIDTH - 150, HEIGHT - 150).difference(blocked)
        parts = sorted(shapely.get_parts(free), key=lambda part: -part.area)
        # Corners between a house and a hedge may be too small to turn in; the table as a whole is one.
        assert sum(part.area for part in parts[1:]) < 0.002 * free.area, table.name
        assert parts[0].bounds == (150, 150, WIDTH - 150, HEIGHT - 150)


def test_roads_run_from_edge_to_edge_and_meet(tables: list[Table]) -> None:
    crossings = 0
    for table in tables:
        roads = [table.line(piece) for piece in table.pieces if piece.kind == "road"]
        for road in roads:
            for x, y in (road.coords[0], road.coords[-1]):
                assert min(x, y, WIDTH - x, HEIGHT - y) == 0
            assert road.distance(shapely.Point(WIDTH / 2, HEIGHT / 2)) <= 1
        crossings += len(roads) == 2
    assert crossings


def test_a_table_has_something_on_it_and_more_with_a_higher_density(tables: list[Table]) -> None:
    def covered(table: Table) -> float:
        areas = [table.area(piece) for piece in table.pieces if piece.kind not in ("hill", "road")]
        return sum(area.area for area in areas) / WIDTH / HEIGHT

    usual = [covered(table) for table in tables]
    assert all(0.06 < share < 0.35 for share in usual)
    thin = [covered(random_table(seed, WIDTH, HEIGHT, KINDS, 0.4, measure="inch")) for seed in SEEDS]
    assert sum(thin) < 0.8 * sum(usual)
    for table in tables:
        assert {"woods", "building"} <= {piece.kind for piece in table.pieces}


def test_kinds_that_the_game_does_not_know_are_left_out() -> None:
    assert not random_table(1, WIDTH, HEIGHT, {}, measure="inch").pieces
    assert not random_table(1, WIDTH, HEIGHT, {"woods": KINDS["woods"]}, 0, measure="inch").pieces
    only = random_table(1, WIDTH, HEIGHT, {name: KINDS[name] for name in ("woods", "crops")}, measure="inch")
    assert {piece.kind for piece in only.pieces} == {"woods", "crops"}


def test_a_small_table_and_one_in_centimetres() -> None:
    small = random_table("training", 4800, 4800, KINDS, measure="inch")
    assert small.pieces
    metric = random_table(5, 18288, 12192, KINDS, measure="cm")
    assert len(metric.pieces) >= 8
