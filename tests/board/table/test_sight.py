"""Sight and cover on a table: golden cases one can check with a ruler, and arrays against the plain reference."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon

from grognard.board.table.bodies import Body
from grognard.board.table.scene import BLOCKS, Eye, Mark, Scene, SightRules, window_toward, windows
from grognard.board.table.sight import Pairs, sight, sight_plain, stretch_gaps, trace, visible_outline
from grognard.board.table.sight_plain import Look
from grognard.board.table.templates import Disc, Square, Strip
from grognard.board.table.terrain import Piece, Table
from tests.board.table.scenes import KINDS, MAN, box, eyes_of, man, random_group, random_scene, table, tank

NONE, SOFT, HARD = 0, 1, 2


def look(
    scene: Scene | Table, eye: Body, target: Body | Mark, *, inside: str = "", rules: SightRules | None = None
) -> tuple[bool, int, int, str]:
    """Seen, points hidden, cover and by what, the same by arrays and by hand."""
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    rules = rules or SightRules()
    eyes = [scene.eye(eye, inside)]
    found, plain = sight(scene, eyes, [target], rules), sight_plain(scene, eyes, [target], rules)
    assert same(found, plain)
    by = int(found.by[0, 0])
    return (
        bool(found.seen[0, 0]),
        int(found.hidden[0, 0]),
        int(found.cover[0, 0]),
        scene.things[by].id if by >= 0 else "",
    )


def same(one: Pairs, two: Pairs) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two))


# ---- what hides --------------------------------------------------------------------------------------------


def test_in_the_open_everything_is_seen() -> None:
    assert look(table(), man(10, 10), man(40, 30)) == (True, 0, NONE, "")


def test_a_building_hides_what_is_behind_it() -> None:
    field = table(("building", box(20, 8, 4, 4)))
    assert look(field, man(10, 10), man(30, 10)) == (False, 9, HARD, "building-1")
    assert look(field, man(10, 10), man(30, 20)) == (True, 0, NONE, "")
    assert look(field, man(10, 10), man(15, 10)) == (True, 0, NONE, ""), "in front of it"


def test_a_man_half_behind_a_corner_is_in_cover() -> None:
    field = table(("building", box(20, 8, 4, 4)))
    # His centre is level with the wall, the firer too: the line along the wall is free.
    assert look(field, man(10, 12), man(30, 12)) == (True, 3, HARD, "building-1")


def test_a_line_along_a_wall_or_past_a_corner_is_free() -> None:
    for corner in (box(20, 12, 4, 4), box(20, 8, 4, 4)):
        scene = Scene(table(("building", corner)))
        centre = Look(scene, scene.eye(man(10, 12)), man(30, 12), SightRules()).findings[0][0]
        assert centre is None or not centre.hides
    diagonal = Scene(table(("building", [(20, 20), (30, 30), (20, 30)])))
    centre = Look(diagonal, diagonal.eye(man(10, 10)), man(40, 40), SightRules()).findings[0][0]
    assert centre is None or not centre.hides


def test_there_is_no_crack_between_houses_that_touch() -> None:
    row = table(("building", box(20, 8, 4, 4)), ("building", box(20, 12, 4, 6)))
    assert look(row, man(10, 12), man(30, 12))[:2] == (False, 9)
    overlapping = table(("building", box(20, 8, 4, 4)), ("building", box(22, 12, 6, 6)))
    assert look(overlapping, man(10, 12), man(35, 12))[:2] == (False, 9)
    inside = Mark(man(25, 15), "building-2")
    assert look(overlapping, man(27, 5), inside)[::2] == (True, HARD), "a wall that is half free has windows there"


def test_woods_are_looked_into_and_out_of_but_not_through() -> None:
    field = table(("woods", box(20, 5, 10, 10)))
    assert look(field, man(10, 10), man(40, 10)) == (False, 9, HARD, "woods-1")
    assert look(field, man(10, 10), man(25, 10)) == (True, 0, SOFT, "woods-1"), "5 in deep"
    assert look(field, man(10, 10), man(26.6, 10)) == (False, 9, HARD, "woods-1"), "6.1 in deep at the nearest"
    assert look(field, man(10, 10), man(26.4, 10))[:3] == (True, 6, SOFT), (
        "5.9 in deep straight ahead, more at his sides"
    )
    assert look(field, man(25, 10), man(10, 10)) == (True, 0, NONE, ""), "out of the woods"


def test_in_the_same_woods_one_sees_six_inches() -> None:
    field = table(("woods", box(20, 5, 20, 10)))
    assert look(field, man(22, 10), man(28, 10)) == (True, 0, SOFT, "woods-1")
    assert look(field, man(22, 10), man(29, 10)) == (True, 0, SOFT, "woods-1"), "6 in from base to base"
    assert look(field, man(22, 10), man(29.01, 10))[0] is False
    assert look(field, man(22, 10), tank(29.55, 10.7)) == (True, 0, SOFT, "woods-1"), "to its flank, off its points"
    assert look(field, man(22, 10), tank(29.56, 10.7))[0] is False


def test_how_deep_one_sees_into_woods_begins_at_the_edge_and_ends_at_the_base() -> None:
    field = table(("woods", box(20, 5, 20, 10)))
    assert look(field, man(10, 10), man(26.5, 10))[0] is True
    assert look(field, man(10, 10), man(26.51, 10))[0] is False
    assert look(field, man(26.5, 10), man(10, 10))[0] is True, "and out of them as far"
    assert look(field, man(26.51, 10), man(10, 10))[0] is False


def test_the_corner_of_woods_that_is_only_passed_hides() -> None:
    field = table(("woods", [(20, 10), (30, 20), (20, 20)]))
    assert look(field, man(15, 14), man(33, 20))[0] is False


def test_vehicles_hide_and_men_do_not() -> None:
    field = table()
    assert look(Scene(field, [tank(20, 10)]), man(10, 10), man(30, 10)) == (False, 9, HARD, "blocker-1")
    assert look(Scene(field, [tank(20, 12)]), man(10, 10), man(30, 10)) == (True, 6, HARD, "blocker-1")
    assert look(field, man(10, 10), man(30, 10)) == (True, 0, NONE, ""), "whoever stands between"


def test_a_vehicle_does_not_hide_itself_nor_block_its_own_eye() -> None:
    one, two = tank(10, 10, 90), tank(30, 10, 45)
    scene = Scene(table(), [one, two])
    assert look(scene, one, two) == (True, 0, NONE, "")
    other = Scene(table(), [tank(20, 10, 90)])
    assert look(other, man(10, 10), man(22.7, 10))[0] is False
    found = sight(other, [other.eye(man(10, 10))], [man(22.7, 10)], not_blocking=[0])
    assert found.seen[0, 0]


def test_a_tall_tank_is_seen_over_what_hides_a_man() -> None:
    low = Table(
        "t",
        7200,
        4800,
        KINDS,
        [Piece("shed", "building", ((2000, 800), (2400, 800), (2400, 1200), (2000, 1200)), height=125)],
        measure="inch",
    )
    assert look(low, man(10, 10), man(30, 10))[0] is False
    assert look(low, tank(10, 10), tank(30, 10))[0] is True
    assert trace(Scene(low), Scene(low).eye(tank(10, 10)), tank(30, 10)).crossings[0].why == "over"


# ---- hills -------------------------------------------------------------------------------------------------


def test_a_hill_hides_what_is_behind_it_and_shows_what_is_on_it() -> None:
    field = table(("hill", box(20, 5, 10, 10)))
    assert look(field, man(10, 10), man(40, 10)) == (False, 9, HARD, "hill-1")
    assert look(field, man(10, 10), man(21, 10)) == (True, 0, NONE, ""), "on the near slope"


def test_the_crest_makes_dead_ground_below_it() -> None:
    field = table(("hill", box(20, 5, 10, 10)))
    # The eye is 3.1 in up, 1 in behind the crest at x = 30; it clears 2.0 in at 1/(x-29) of the way.
    assert look(field, man(29, 10), man(33, 10))[0] is True
    assert look(field, man(25, 10), man(33, 10)) == (False, 9, HARD, "hill-1"), "dead ground"
    assert look(field, man(25, 10), man(45, 10)) == (True, 0, NONE, ""), "and beyond it one sees again"


def test_from_a_hill_one_looks_over_a_low_roof() -> None:
    field = Table(
        "t",
        7200,
        4800,
        KINDS,
        [
            Piece("hill", "hill", ((500, 500), (1500, 500), (1500, 1500), (500, 1500)), height=400),
            Piece("shed", "building", ((2000, 800), (2400, 800), (2400, 1200), (2000, 1200)), height=150),
        ],
        measure="inch",
    )
    assert look(field, man(14.5, 10), man(60, 10))[0] is True
    assert look(field, man(14.5, 10), man(25, 10))[0] is False


# ---- lines -------------------------------------------------------------------------------------------------


def test_a_wall_covers_whoever_is_at_it_on_the_far_side() -> None:
    field = table(("stone_wall", [(20, 0), (20, 30)]))
    assert look(field, man(10, 10), man(21, 10)) == (True, 0, HARD, "stone_wall-1")
    assert look(field, man(10, 10), man(21.5, 10)) == (True, 0, HARD, "stone_wall-1"), "1 in from his base"
    assert look(field, man(10, 10), man(21.6, 10)) == (True, 0, NONE, ""), "too far from it"
    assert look(field, man(10, 10), man(19, 10)) == (True, 0, NONE, ""), "on the near side"
    assert look(field, man(19, 10), man(21, 10)) == (True, 0, NONE, ""), "the firer is at the same stretch"
    assert look(field, man(18, 10), man(21, 10)) == (True, 0, HARD, "stone_wall-1"), "1.5 in is not at it"


def test_the_firer_must_be_at_the_same_stretch() -> None:
    field = table(("hedge", [(20, 0), (20, 20), (40, 20)]))
    # He is at the upright stretch; the target is behind the level one.
    assert look(field, man(21, 10), man(30, 21)) == (True, 0, SOFT, "hedge-1")


def test_men_in_a_trench_are_covered_from_both_sides() -> None:
    field = table(("trench", [(20, 0), (20, 30)]))
    assert look(field, man(10, 10), man(20, 10)) == (True, 0, HARD, "trench-1")
    assert look(field, man(30, 10), man(20, 10)) == (True, 0, HARD, "trench-1")
    assert look(field, man(20, 5), man(20, 10))[2] == NONE, "not from each other"


def test_a_high_line_hides_unless_one_is_at_it() -> None:
    field = table(("bocage", [(20, 0), (20, 30)]))
    assert look(field, man(10, 10), man(30, 10)) == (False, 9, HARD, "bocage-1")
    assert look(field, man(19, 10), man(30, 10)) == (True, 0, NONE, ""), "the firer is at it"
    assert look(field, man(10, 10), man(21, 10)) == (True, 0, HARD, "bocage-1"), "the target is"
    assert look(field, man(19, 10), man(21, 10)) == (True, 0, NONE, ""), "both are"


def test_no_sight_leaks_through_the_joints_of_a_line() -> None:
    field = table(("bocage", [(20, 0), (20, 10), (20, 20), (24, 30)]))
    assert look(field, man(10, 10), man(30, 10))[0] is False
    assert look(field, man(10, 20), man(30, 20))[0] is False


# ---- cover -------------------------------------------------------------------------------------------------


def test_area_cover_is_where_one_stands() -> None:
    field = table(("crops", box(20, 5, 10, 10)), ("rocks", box(40, 5, 5, 5)))
    assert look(field, man(10, 10), man(25, 10)) == (True, 0, SOFT, "crops-1")
    assert look(field, man(10, 10), man(20, 10)) == (True, 0, SOFT, "crops-1"), "on its edge (B6)"
    assert look(field, man(10, 10), man(19.9, 10)) == (True, 0, NONE, ""), "his centre is out of it"
    assert look(field, man(10, 6), man(42, 6)) == (True, 0, HARD, "rocks-1")
    assert look(field, man(10, 10), man(35, 10)) == (True, 0, NONE, ""), "crops that are only crossed"


def test_hard_cover_replaces_soft() -> None:
    field = table(("crops", box(20, 5, 10, 10)), ("stone_wall", [(24, 5), (24, 15)]))
    assert look(field, man(10, 10), man(25, 10)) == (True, 0, HARD, "stone_wall-1")


def test_a_vehicle_is_covered_by_what_hides_the_most_of_it() -> None:
    # Woods hide its three points to the front; a house two of those to the rear, then three (B15).
    woods = ("woods", box(18, 2, 4, 9.9))
    field = table(woods, ("building", box(18, 13.15, 4, 4)))
    assert look(field, tank(5, 12, 90), tank(35, 11.9)) == (True, 5, SOFT, "woods-1")
    field = table(woods, ("building", box(18, 12, 4, 4)))
    assert look(field, tank(5, 12, 90), tank(35, 11.9)) == (True, 6, HARD, "building-1"), "a tie is hard"


def test_smoke_is_looked_into_but_not_through() -> None:
    scene = Scene(table(), (), [Disc(2000, 1000, 300)])
    assert look(scene, man(10, 10), man(30, 10)) == (False, 9, HARD, "smoke-1")
    assert look(scene, man(10, 10), man(19, 10))[0] is True


def test_smoke_has_any_outline() -> None:
    bare = Scene(table(), [tank(60, 40)])
    for cloud in (Square(2000, 1000, 400), Strip(1800, 1000, 90, 400, 400)):
        scene = bare.with_smoke([cloud])
        assert look(scene, man(10, 10), man(30, 10)) == (False, 9, HARD, "smoke-1")
        assert look(scene, man(10, 10), man(21, 10))[0] is True, "one looks into it"
        assert look(scene, man(10, 12.6), man(30, 12.6)) == (True, 0, NONE, ""), "past it"
        assert scene.blockers == bare.blockers and scene.things[1].id == "blocker-1"
    # Turned by half a right angle its corner comes 2.8 in down.
    turned = bare.with_smoke([Square(2000, 1000, 400, 45)])
    assert look(turned, man(10, 12.6), man(30, 12.6))[1] > 0
    assert look(turned, man(10, 13.4), man(30, 13.4)) == (True, 0, NONE, "")
    assert look(turned.with_smoke([]), man(10, 10), man(30, 10)) == (True, 0, NONE, "")


def test_who_is_just_at_the_rim_of_a_cloud_is_in_it() -> None:
    """A round cloud has a corner at (2300, 1000): the arrays and the plain version take a man there for inside."""
    scene = Scene(table(), (), [Disc(2000, 1000, 300)])
    for spot in (man(22.84, 13), man(22.69, 15.99), man(20.5, 10)):
        assert look(scene, man(23, 10), spot) == look(scene, spot, man(23, 10)) == (True, 0, NONE, "")


# ---- buildings ---------------------------------------------------------------------------------------------


def test_men_in_a_building_are_seen_at_its_openings() -> None:
    house = Piece("house", "building", ((2000, 800), (2600, 800), (2600, 1400), (2000, 1400)), openings=(3,))
    field = Table("t", 7200, 4800, KINDS, [house], measure="inch")
    inside = Mark(man(23, 11), "house")
    assert look(field, man(10, 11), inside) == (True, 0, HARD, "house"), "the opening is in its left wall"
    assert look(field, man(40, 11), inside) == (False, 9, HARD, "house")
    open_house = Table("t", 7200, 4800, KINDS, [Piece("house", "building", house.points)], measure="inch")
    assert look(open_house, man(40, 11), inside)[::2] == (True, HARD)


def test_men_in_a_building_look_out_of_its_openings() -> None:
    house = Piece("house", "building", ((2000, 800), (2600, 800), (2600, 1400), (2000, 1400)), openings=(3,))
    field = Table("t", 7200, 4800, KINDS, [house], measure="inch")
    assert look(field, man(23, 11), man(10, 11), inside="house") == (True, 0, NONE, "")
    assert look(field, man(23, 11), man(40, 11), inside="house") == (False, 9, HARD, "house")
    at = window_toward(field, "house", 1000, 1100)
    assert at is not None and at == (2000, 1100)
    assert window_toward(field, "house", 4000, 1100) is None
    scene = Scene(field)
    eye = Eye(*at, 110, man(23, 11), "house")
    assert sight(scene, [eye], [man(10, 11)]).seen[0, 0]
    assert len(windows(field, "house")) == 9


def test_men_in_two_buildings_see_each_other() -> None:
    field = table(("building", box(10, 8, 6, 6)), ("building", box(30, 8, 6, 6)))
    assert look(field, man(13, 11), Mark(man(33, 11), "building-2"), inside="building-1")[::2] == (True, HARD)


# ---- other games choose otherwise --------------------------------------------------------------------------


def test_rules_are_the_games_choice() -> None:
    field = table(("stone_wall", [(20, 0), (20, 30)]), ("crops", box(40, 5, 10, 10)))
    off = SightRules(line_cover=False, area_cover=False)
    assert look(field, man(10, 10), man(21, 10), rules=off)[2] == NONE
    assert look(field, man(30, 10), man(45, 10), rules=off)[2] == NONE
    assert look(field, man(10, 10), man(22, 10), rules=SightRules(at_hand=200))[2] == HARD
    hedge = table(("hedge", [(20, 0), (20, 30)]))
    assert look(hedge, man(10, 10), man(30, 10), rules=SightRules(low=100))[0] is False
    corner = table(("building", box(20, 8, 4, 4)))
    assert look(corner, man(10, 12), man(30, 12), rules=SightRules(partly_hidden=False)) == (True, 3, NONE, "")


def test_a_line_may_cover_from_whoever_is_at_its_other_side() -> None:
    wall = table(("stone_wall", [(20, 0), (20, 30)]))
    assert look(wall, man(19.5, 10), man(20.5, 10))[2] == NONE
    assert look(wall, man(19.5, 10), man(20.5, 10), rules=SightRules(both_at_line=True))[2] == HARD


def test_a_line_may_cover_only_whose_middle_is_behind_it() -> None:
    end = table(("stone_wall", [(20, 0), (20, 10)]))
    for y, usual, middle in ((9.9, HARD, HARD), (10.1, HARD, NONE)):
        assert look(end, man(10, y), man(20.5, y))[2] == usual
        assert look(end, man(10, y), man(20.5, y), rules=SightRules(middle_behind_line=True))[2] == middle


def test_smoke_may_cover_who_stands_in_it() -> None:
    rules = SightRules(partly_hidden=False)
    scene = Scene(table(), (), [Square(2000, 1000, 400, 30)])
    for x, there in ((20, SOFT), (23, NONE)):
        assert look(scene, man(10, 10), man(x, 10), rules=rules)[2] in (NONE, HARD)
        found = look(scene, man(10, 10), man(x, 10), rules=rules._replace(smoke_cover=True))
        assert found[2] == there or not found[0]
    field = Scene(table(("crops", box(18, 8, 4, 4))), (), [Square(2000, 1000, 400)])
    assert look(field, man(10, 10), man(20, 10), rules=rules._replace(smoke_cover=True))[3] == "crops-1"


# ---- a line explained --------------------------------------------------------------------------------------


def test_a_trace_names_everything_on_the_way() -> None:
    field = table(("hedge", [(15, 0), (15, 30)]), ("woods", box(20, 5, 5, 10)), ("stone_wall", [(39, 0), (39, 30)]))
    scene = Scene(field)
    found = trace(scene, scene.eye(man(10, 10)), man(40, 10))
    assert (found.seen, found.hidden, found.cover) == (False, 9, HARD)
    assert [(each.id, each.effect, each.why) for each in found.crossings] == [
        ("hedge-1", "none", "far_target"),
        ("woods-1", "block", "through"),
        ("stone_wall-1", "cover", "line"),
    ]
    woods = found.crossings[1]
    assert woods.at[0] == pytest.approx(2000, abs=1) and woods.points == 9
    assert woods.says == (
        "Woods (20″ from the left, 10″ from the top): "
        "hides 9 of 9 points; you can see into it or out of it, not through it"
    )
    assert len(found.lines) == 9 and all(thing == woods.thing for _, thing in found.lines)


def test_a_trace_says_why_there_is_no_cover() -> None:
    scene = Scene(table(("stone_wall", [(20, 0), (20, 30)]), ("crops", box(20.5, 5, 10, 10))))
    found = trace(scene, scene.eye(man(19, 10)), man(21, 10))
    assert [(each.title, each.effect, each.why) for each in found.crossings] == [
        ("Stone wall", "none", "near_firer"),
        ("Crops", "cover", "area"),
    ]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_a_trace_agrees_with_the_arrays(seed: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, pieces=12, grid=rng.choice([1, 100]))
    one, two = random_group(rng, scene, 1), random_group(rng, scene, 1)
    (eye,) = eyes_of(scene, one)
    found, pairs = trace(scene, eye, two[0]), sight(scene, [eye], two)
    assert (found.seen, found.hidden, found.cover, found.by) == tuple(each[0, 0] for each in pairs)
    if found.hidden:
        assert any(each.effect == "block" or each.points for each in found.crossings)
    assert sum(thing >= 0 for _, thing in found.lines) == found.hidden


# ---- arrays against the reference --------------------------------------------------------------------------


@given(st.integers(0, 10**9), st.sampled_from([1, 10, 50, 100, 300]), st.booleans(), st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_arrays_give_what_the_reference_gives(seed: int, grid: int, tight: bool, pieces: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, pieces=pieces, hulls=rng.randint(0, 8), grid=grid)
    one = random_group(rng, scene, rng.randint(1, 6), grid=grid, tight=tight)
    two = random_group(rng, scene, rng.randint(1, 6), grid=grid, tight=tight)
    free = [0] if scene.blockers and rng.random() < 0.3 else []
    eyes = eyes_of(scene, one)
    assert same(sight(scene, eyes, two, not_blocking=free), sight_plain(scene, eyes, two, not_blocking=free))


@given(st.integers(0, 10**9), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 2))
@settings(max_examples=30, deadline=None)
def test_arrays_follow_the_rules_of_any_game(seed: int, area: bool, line: bool, partly: bool, level: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, pieces=20)
    rules = SightRules(rng.choice([0.5, 1.0]), rng.choice([50, 300]), rng.choice([80, 200]), area, line, partly)
    rules = rules._replace(crest_cover=level, blocker_cover=2 - level, screen_cover=level, hidden_cover=level)
    rules = rules._replace(both_at_line=rng.random() < 0.5, middle_behind_line=rng.random() < 0.5)
    rules = rules._replace(smoke_cover=rng.random() < 0.5)
    eyes, targets = eyes_of(scene, random_group(rng, scene, 4)), random_group(rng, scene, 4)
    assert same(sight(scene, eyes, targets, rules), sight_plain(scene, eyes, targets, rules))


def test_a_round_blocker_hides_too() -> None:
    scene = Scene(table(), [Body(2000, 1000, 30, MAN._replace(radius=200, height=300))])
    assert look(scene, man(10, 10), man(30, 10))[0] is False


@given(st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_pairs_do_not_depend_on_the_company(seed: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng)
    one, two = random_group(rng, scene, 4, tight=False), random_group(rng, scene, 4, tight=False)
    eyes = eyes_of(scene, one)
    whole = sight(scene, eyes, two)
    for i, eye in enumerate(eyes):
        for j, mark in enumerate(two):
            single = sight(scene, [eye], [mark])
            assert tuple(each[0, 0] for each in single) == tuple(each[i, j] for each in whole)


@given(st.integers(0, 10**9))
@settings(max_examples=15, deadline=None)
def test_many_targets_all_over_the_table(seed: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, pieces=15)
    eyes = eyes_of(scene, random_group(rng, scene, 2))
    targets = [mark for _ in range(5) for mark in random_group(rng, scene, rng.randint(1, 9))]
    assert same(sight(scene, eyes, targets), sight_plain(scene, eyes, targets))


def test_nobody_looks_at_nobody() -> None:
    scene = Scene(table())
    assert sight(scene, [], [man(1, 1)]).seen.shape == (0, 1)
    assert sight(scene, [scene.eye(man(1, 1))], []).cover.shape == (1, 0)


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_gaps_to_stretches_are_those_of_bodies(seed: int) -> None:
    from grognard.board.table.bodies import gap_to_line

    rng = random.Random(seed)
    bodies = [
        man(rng.uniform(0, 20), rng.uniform(0, 20)),
        tank(rng.uniform(0, 20), rng.uniform(0, 20), rng.randrange(360)),
    ]
    ends = [[rng.randint(0, 2000) for _ in range(4)] for _ in range(5)]
    found = stretch_gaps(bodies, *np.array(ends, float).T)
    for i, body in enumerate(bodies):
        for j, (ax, ay, bx, by) in enumerate(ends):
            assert found[i, j] == pytest.approx(gap_to_line(body, [(ax, ay), (bx, by)]), abs=1e-6)


# ---- scenes ------------------------------------------------------------------------------------------------


def test_terrain_is_worked_out_once_for_all_scenes_of_a_table() -> None:
    field = table(("woods", box(20, 5, 5, 10)))
    one, two = Scene(field, [tank(5, 5)]), Scene(field, [tank(9, 9)], titles=["Tiger"])
    assert one.ground is two.ground and two.things[-1].title == "Tiger"
    fallen = field.with_changes({"woods-1": "rocks"})
    assert fallen is field.with_changes({"woods-1": "rocks"})
    assert look(fallen, man(10, 10), man(40, 10)) == (True, 0, NONE, "")


# ---- the ground that is overlooked -------------------------------------------------------------------------


def test_the_field_of_view_has_a_shadow_behind_a_house() -> None:
    scene = Scene(table(("building", box(20, 8, 4, 4))))
    (rings,) = visible_outline(scene, scene.eye(man(10, 10)), 3000)
    seen = Polygon(rings[0], rings[1:])
    assert seen.contains(Point(1500, 1000)) and not seen.contains(Point(3000, 1000))
    assert seen.contains(Point(3000, 2500)) and not seen.contains(Point(4100, 2500)), "no farther than asked"


def test_out_of_a_house_one_overlooks_what_its_openings_face() -> None:
    house = Piece("house", "building", ((2000, 800), (2600, 800), (2600, 1400), (2000, 1400)), openings=(3,))
    scene = Scene(Table("t", 7200, 4800, KINDS, [house], measure="inch"), [tank(15, 11)])
    seen = [
        Polygon(rings[0], rings[1:])
        for rings in visible_outline(scene, scene.eye(man(23, 11), "house"), 2400, not_blocking=[0])
    ]
    assert any(shape.contains(Point(1000, 1100)) for shape in seen), "to the left is the opening"
    assert not any(shape.contains(Point(3500, 1100)) for shape in seen)
    assert not any(shape.contains(Point(2300, 2500)) for shape in seen)


def test_the_field_of_view_reaches_to_both_sides_of_a_bocage_from_behind_it() -> None:
    scene = Scene(table(("bocage", [(20, 0), (20, 48)])))
    away, at_it = (visible_outline(scene, scene.eye(man(x, 20)), 2400) for x in (10, 19))
    far = Point(2800, 2000)
    assert not any(Polygon(rings[0]).contains(far) for rings in away)
    assert any(Polygon(rings[0]).contains(far) for rings in at_it)
    assert any(Polygon(rings[0]).contains(Point(2120, 2000)) for rings in away), "a man at it is seen"


@given(st.integers(0, 10**6))
@settings(max_examples=12, deadline=None)
def test_the_field_of_view_is_what_single_looks_see(seed: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, pieces=12, hulls=3)
    (eye,) = eyes_of(scene, random_group(rng, scene, 1))
    shapes = [Polygon(rings[0], rings[1:]) for rings in visible_outline(scene, eye, 2400)]
    for _ in range(25):
        x, y = rng.randint(0, 7200), rng.randint(0, 4800)
        spot = Point(x, y)
        if spot.distance(Point(eye.x, eye.y)) > 2390 or any(shape.boundary.distance(spot) < 15 for shape in shapes):
            continue
        if any(shape.sight == BLOCKS and Polygon(shape.points).contains(spot) for shape in scene.shapes):
            continue  # who stands there is inside, and is seen at the openings if at all
        look = Look(scene, eye, Body(x, y, 0, MAN), SightRules())
        hidden = any(found[0] is not None and found[0].hides for found in look.findings)
        assert any(shape.contains(spot) for shape in shapes) != hidden
