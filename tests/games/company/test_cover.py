"""Sight and cover (10), and going to ground by staying where one is (6.22, 6.27)."""

from __future__ import annotations

import pytest

from grognard.games.company import cover
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.cover import DOWN, HARD, OPEN, SOFT
from grognard.games.company.sight_report import report
from tests.games.company.playing import battle_of, box, line, platoon, rolled, team, unit_of
from tests.games.company.shooting import fires, moved, row, shoot

MISS = (1,) * 40


def seen(battle: CompanyBattle, one: str = "g1", other: str = "a1") -> list[bool]:
    """Which Teams the first of a Unit sees."""
    look = cover.look(battle, unit_of(battle, one), unit_of(battle, other))
    return [bool(each) for each in look.pairs.seen[0]]


def covers(battle: CompanyBattle, one: str = "g1", other: str = "a1") -> list[int]:
    """The cover that each Team has from all of a Unit."""
    unit = unit_of(battle, one)
    return list(cover.judged(battle, unit, range(len(unit.models)), unit_of(battle, other)).cover)


def stand(*terrain: dict[str, object], at: tuple[float, float] = (30, 20), kind: str = "us_rifles") -> CompanyBattle:
    """Somebody at 10, 20 who looks to the right, at a Team that has moved."""
    return battle_of(
        fires("ger_pioneers", "g1", (10, 20), heading=90), moved(kind, "a1", at, heading=270), terrain=terrain
    )


@pytest.mark.rule("company", "10.4", "10.9")
@pytest.mark.parametrize(
    ("kind", "level"), [("woods", SOFT), ("orchard", SOFT), ("field", SOFT), ("building", HARD), ("ruins", HARD)]
)
def test_an_area_is_seen_into_and_not_across(kind: str, level: int) -> None:
    across = stand(box(kind, 18, 10, 24, 30))
    inside = stand(box(kind, 26, 10, 40, 30))
    out = stand(box(kind, 5, 10, 15, 30))
    same = stand(box(kind, 5, 10, 40, 30))
    assert seen(across) == [False]
    assert seen(inside) == [True] and covers(inside) == [level]
    assert seen(out) == [True] and covers(out) == [OPEN]
    assert seen(same) == [True] and covers(same) == [level]


@pytest.mark.rule("company", "10.4")
def test_of_two_areas_in_a_row_one_sees_the_first() -> None:
    assert seen(stand(box("woods", 15, 10, 20, 30), box("woods", 26, 10, 40, 30))) == [False]


@pytest.mark.rule("company", "10.5")
def test_a_line_covers_who_touches_it_from_the_far_side() -> None:
    # The Leader's front is half an inch ahead of his middle.
    for x, level in ((20.55, SOFT), (20.7, OPEN), (19.45, OPEN)):
        battle = stand(line("hedge", (20, 10), (20, 30)), at=(x, 20))
        assert seen(battle) == [True] and covers(battle) == [level], x
    both = battle_of(
        fires("ger_pioneers", "g1", (19.45, 20), heading=90),
        moved("us_rifles", "a1", (20.55, 20), heading=270),
        terrain=[line("stone_wall", (20, 10), (20, 30))],
    )
    assert covers(both) == [HARD], "whoever fires may be at it too"


@pytest.mark.rule("company", "10.6", "10.10")
@pytest.mark.parametrize("kind", ["bocage", "tall_wall"])
def test_a_tall_line_hides_unless_one_of_the_two_touches_it(kind: str) -> None:
    wall = line(kind, (20, 5), (20, 35))
    assert seen(stand(wall)) == [False]
    assert seen(stand(wall, at=(20.55, 20))) == [True] and covers(stand(wall, at=(20.55, 20))) == [HARD]
    battle = battle_of(
        fires("ger_pioneers", "g1", (19.45, 20), heading=90), moved("us_rifles", "a1", (30, 20)), terrain=[wall]
    )
    assert seen(battle) == [True] and covers(battle) == [OPEN]
    assert seen(stand(line("hedge", (20, 5), (20, 35)))) == [True], "a hedge hides nobody"


def test_a_hill_hides_what_is_behind_its_crest() -> None:
    assert seen(stand(box("hill", 16, 10, 24, 30))) == [False]
    assert seen(stand(box("hill", 26, 10, 40, 30))) == [True]


@pytest.mark.rule("company", "10.7", "10.13")
def test_infantry_that_stayed_where_it_is_is_concealed_in_the_open() -> None:
    for kind, still, hidden in (
        ("us_rifles", True, True),
        ("us_rifles", False, False),
        ("us_57_platoon", True, False),
        ("us_m4_platoon", True, False),
    ):
        spot = team(
            20,
            28,
            kind={"us_57_platoon": "us_57"}.get(kind, "us_m4" if "m4" in kind else "us_rifle"),
            moved=not still,
            fired=True,
        )
        battle = battle_of(fires("ger_pioneers", "g1", (20, 20)), platoon(kind, "a1", spot, acted=1))
        assert cover.judged(battle, unit_of(battle, "g1"), [0], unit_of(battle, "a1")).concealed == hidden, (
            kind,
            still,
        )
    fresh = battle_of(fires("ger_pioneers", "g1", (20, 20)), platoon("us_rifles", "a1", (20, 28)))
    how = cover.judged(fresh, unit_of(fresh, "g1"), [0], unit_of(fresh, "a1"))
    assert how.concealed and how.down, "before its first activation"


@pytest.mark.rule("company", "10.1", "10.2", "10.3", "10.9")
def test_a_unit_is_concealed_only_if_each_team_that_is_seen_is() -> None:
    woods, house = box("woods", 15, 26, 22, 32), box("building", 22, 26, 26, 32)
    for teams, line_, word in (
        ([(17, 28), (20, 28)], {"target_concealed": 1}, "in the woods"),
        ([(17, 28), (24, 28)], {"target_concealed": 1}, "one in a building"),
        ([(17, 28), (28, 28)], {}, "one beside it reveals all"),
        ([(17, 28), (18, 40)], {"target_concealed": 1}, "one whom nobody sees does not"),
    ):
        battle = battle_of(
            fires("ger_pioneers", "g1", (20, 23)), moved("us_rifles", "a1", *teams), terrain=[woods, house], dice=MISS
        )
        shoot(battle, "g1", "a1")
        assert {each.id: each.amount for each in rolled(battle, "to hit")[0].tallies[0].lines} == line_, word


@pytest.mark.rule("company", "10.12")
def test_a_team_has_the_least_cover_that_it_has_from_anybody_who_fires() -> None:
    hedge = line("hedge", (10, 21), (30, 21))
    before, beside = (20, 15), (20, 30)
    target = moved("us_rifles", "a1", (20, 21.55))
    one = battle_of(fires("ger_pioneers", "g1", before), target, terrain=[hedge])
    both = battle_of(fires("ger_pioneers", "g1", before, beside), target, terrain=[hedge])
    assert covers(one) == [SOFT] and covers(both) == [OPEN]
    assert cover.judged(one, unit_of(one, "g1"), [0], unit_of(one, "a1")).concealed
    assert not cover.judged(both, unit_of(both, "g1"), [0, 1], unit_of(both, "a1")).concealed


@pytest.mark.rule("company", "10.11")
def test_tanks_are_concealed_like_others() -> None:
    battle = stand(box("woods", 26, 10, 40, 30), kind="us_m4_platoon")
    assert (
        covers(battle) == [SOFT] and cover.judged(battle, unit_of(battle, "g1"), [0], unit_of(battle, "a1")).concealed
    )


@pytest.mark.rule("company", "15.13")
def test_smoke_is_seen_into_and_covers_who_stands_in_it() -> None:
    for x, sees, level in ((30, False, OPEN), (21, True, SOFT)):
        battle = battle_of(
            fires("ger_pioneers", "g1", (10, 20)),
            moved("us_rifles", "a1", (x, 20)),
            smoke=[{"at": [20, 20], "until": 2}],
            lost={"american": ["a9"]},
        )
        assert seen(battle) == [sees] and covers(battle) == [level]


# ---- gone to ground (6.10, 6.22, 6.27, 6.28) -----------------------------------------------------------------


@pytest.mark.rule("company", "6.10", "6.27")
def test_who_neither_moved_nor_fired_is_gone_to_ground() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", (20, 20)),
        platoon(
            "us_rifles",
            "a1",
            team(20, 28),
            team(23, 28, moved=True),
            team(26, 28, fired=True),
            team(29, 28, watch=True),
        ),
    )
    unit = unit_of(battle, "a1")
    assert [cover.gone_to_ground(battle, unit, each) for each in unit.models] == [True, False, False, True]


@pytest.mark.rule("company", "6.22")
def test_one_team_that_is_not_down_takes_the_bonus_from_all_that_are() -> None:
    both = battle_of(
        fires("ger_pioneers", "g1", (20, 20)),
        platoon("us_rifles", "a1", team(20, 28), team(23, 28, fired=True), acted=1),
        dice=MISS,
    )
    how = cover.judged(both, unit_of(both, "g1"), [0], unit_of(both, "a1"))
    assert not how.down and how.concealed
    assert [how.place(both, unit_of(both, "a1"), column) for column in (0, 1)] == [DOWN, OPEN], "it is dealt hits last"
    hidden = battle_of(
        fires("ger_pioneers", "g1", (20, 20)),
        platoon("us_rifles", "a1", team(20, 28), team(20, 40, fired=True), acted=1),
        terrain=[box("woods", 10, 31, 30, 36)],
    )
    assert cover.judged(hidden, unit_of(hidden, "g1"), [0], unit_of(hidden, "a1")).down, "nobody sees the other"


@pytest.mark.rule("company", "15.16")
def test_an_observer_in_concealing_terrain_is_gone_to_ground_whatever_he_does() -> None:
    for terrain, down in (([box("woods", 15, 26, 30, 32)], True), ([], False)):
        battle = battle_of(
            fires("ger_pioneers", "g1", (20, 20)),
            moved("us_mortars", "a1", team(20, 28, kind="us_fo", moved=True, fired=True)),
            terrain=terrain,
        )
        assert cover.judged(battle, unit_of(battle, "g1"), [0], unit_of(battle, "a1")).down == down


# ---- sight in words --------------------------------------------------------------------------------------------


def test_the_report_says_why() -> None:
    battle = stand(box("woods", 18, 10, 24, 30, id="wood"))
    text = report(battle, "g1", "a1").say()
    assert "does not see" in text and "10.4" in text
    clear = battle_of(fires("ger_pioneers", "g1", *row(2, 20, 20)), moved("us_rifles", "a1", *row(2, 20, 26)))
    told = report(clear, "g1", "a1").say()
    assert "in the open" in told and "on 3+" in told
    assert report(clear, "20,20", "30,30").clear
