"""Section 5 and 14.6: where those who move must end, who may be left behind, and the way back."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
import shapely

from grognard.board.table import bodies
from grognard.core.poses import Pose, read_pose
from grognard.core.session import Session
from grognard.games.company import cohesion, movement
from grognard.games.company.battle import CompanyBattle
from tests.games.company.playing import answer, battle_of, box, keys, options, platoon, play, team, team_of, unit_of

PASS = 6
FAR = platoon("ger_grenadiers", "g1", (70, 3), (70, 6), heading=180)
#: A Platoon Leader's base is 1.25 wide and 1 deep, a rifle team's 2 wide and 1.25 deep.
LEADER_HALF, TEAM_HALF = 0.625, 1.0


def ties_of(battle: CompanyBattle, id: str, going: list[int], gone: tuple[str, ...] = ()) -> cohesion.Ties:
    unit = unit_of(battle, id)
    return cohesion.Ties(battle, unit, unit.models, battle.bodies(unit), going, gone)


def held(*teams: Any, **more: Any) -> list[bool]:
    """Who of a rifle platoon is in cohesion."""
    battle = battle_of(platoon("us_rifles", "a1", *teams, **more), FAR)
    return [bool(each) for each in ties_of(battle, "a1", []).before]


def row(*gaps: float) -> list[tuple[float, float]]:
    """A Leader and teams in a row, so many inches of gap between each and the next."""
    x, found = 20.0, [(20.0, 40.0)]
    for number, gap in enumerate(gaps):
        x += gap + TEAM_HALF + (LEADER_HALF if number == 0 else TEAM_HALF)
        found.append((round(x, 2), 40.0))
    return found


def split(unit: dict[str, Any], *ids: str, action: str = "move", **more: Any) -> Session:
    """Some Teams of a Unit are asked where they move, the others stay."""
    session = play(unit, FAR, dice=(PASS,), **more)
    answer(session, f"activate {unit['id']}", "split", f"give {action}", *[f"team {id}" for id in ids], "done")
    answer(session, "rest nothing")
    return session


def why(session: Session, pose: str) -> str:
    """Why a pose is refused, "" if it is not."""
    assert session.ask is not None and session.ask.area is not None
    read = read_pose(pose)
    assert read is not None
    bar = session.ask.area.bar(read[1])
    return "" if bar is None else bar.say()


# ---- who is in it (5.1, 5.4) ---------------------------------------------------------------------------------


@pytest.mark.rule("company", "5.1")
def test_within_six_inches_of_the_leader_or_of_a_team_that_is() -> None:
    assert held(*row(6.0)) == [True, True]
    assert held(*row(6.02)) == [True, False]
    assert held(*row(6.0, 6.0)) == [True, True, True]
    assert held(*row(6.0, 6.02)) == [True, True, False]


@pytest.mark.rule("company", "5.4")
def test_one_link_is_allowed_and_no_more_and_the_leader_counts_as_in_cohesion() -> None:
    assert held(*row(6.0, 6.0, 6.0)) == [True, True, True, False]
    assert held((20, 40)) == [True]


@pytest.mark.rule("company", "5.4")
def test_tank_units_obey_it_too_and_observers_do_not() -> None:
    tanks = battle_of(platoon("us_m4_platoon", "a1", (20, 40), (28, 40), (36, 40)), FAR)
    assert list(ties_of(tanks, "a1", []).before) == [True, False, False]
    mortars = battle_of(platoon("us_mortars", "a1", (20, 45), (50, 45), (24, 45), (28, 45), (31, 45)), FAR)
    ties = ties_of(mortars, "a1", [])
    fo = next(n for n, each in enumerate(unit_of(mortars, "a1").models) if each.kind == "us_fo")
    assert not ties.duty[fo] and ties.weights[fo] == 0
    assert ties.least == 2  # half of four, for he does not count
    session = split(
        platoon("us_mortars", "a1", (20, 45), (21.5, 45), (24, 45), (28, 45), (31, 45)), f"t{fo + 1}", action="run"
    )
    assert why(session, "pose 21.5 33.5 0") == ""


@pytest.mark.rule("company", "5.4")
def test_an_observer_is_no_link() -> None:
    battle = battle_of(platoon("us_mortars", "a1", (20, 45), (25.5, 45), (33, 45), (22, 43), (22, 47)), FAR)
    before = ties_of(battle, "a1", []).before
    assert [each.kind for each in unit_of(battle, "a1").models][:2] == ["us_pl", "us_fo"]
    assert not before[2]


@pytest.mark.rule("company", "16.1", "5.1")
def test_riders_are_where_their_vehicle_is() -> None:
    unit = platoon(
        "us_armored_rifles",
        "a1",
        team(20, 40, kind="us_m3ht", id="t10"),
        team(24, 40, kind="us_m3ht", id="t11"),
        team(45, 40, kind="us_rifle", id="t2"),
        riders=[team(kind="us_pl", id="t1", aboard="t10"), team(kind="us_rifle", id="t3", aboard="t11")],
        leader="t1",
    )
    ties = ties_of(battle_of(unit, FAR), "a1", [])
    assert ties.leader == 0 and list(ties.before) == [True, True, False]
    assert ties.weights == [2, 2, 1] and ties.least == 3


# ---- those who move (5.1, 5.6) -------------------------------------------------------------------------------


@pytest.mark.rule("company", "5.1", "5.6")
def test_each_team_that_moves_ends_in_cohesion_by_itself() -> None:
    session = split(platoon("us_rifles", "a1", *row(1, 1)), "t2", "t3", action="run")
    (x2, _), (x3, _) = row(1, 1)[1:]
    # 6 inches sideways from the Leader's edge, one link for the other.
    pose = f"pose {(x2 + x3) / 2:.2f} 40 0 as_they_stand "
    assert why(session, pose + f"t2@{20 + LEADER_HALF + 6 + TEAM_HALF:.2f},40 t3@{20 + 1.625 + 12 + 2:.2f},40") == ""
    assert "[5.1]" in why(session, pose + f"t2@{x2},40 t3@{x2 + 2 + 6.1:.2f},38")
    assert "[5.1]" in why(session, pose + f"t2@{20 + 1.625 + 6.1:.2f},40 t3@{20 + 1.625 + 6.1:.2f},42.5")


@pytest.mark.rule("company", "5.1")
def test_infantry_and_guns_move_in_any_direction() -> None:
    for kind, far in (("us_rifles", 6), ("us_57_platoon", 3)):
        for degrees in range(0, 360, 45):
            dx, dy = bodies.direction(degrees)
            session = play(platoon(kind, "a1", (20, 40), (24, 40)), FAR, dice=(PASS,))
            answer(session, "activate a1", "all move")
            x, y = bodies.onward(2200, 4000, degrees, far * 100)
            assert why(session, f"pose {x / 100} {y / 100} {degrees} as_they_stand") == "", (kind, dx, dy)


@pytest.mark.rule("company", "5.1", "5.2")
def test_a_platoon_that_goes_together_keeps_what_holds_it_together() -> None:
    session = play(platoon("us_rifles", "a1", *row(6, 6)), FAR, dice=(PASS,))
    answer(session, "activate a1", "all move")
    x = sum(at[0] for at in row(6, 6)) / 3
    assert why(session, f"pose {x:.2f} 36 0 as_they_stand") == ""
    assert "[5.1]" in why(session, f"pose {x:.2f} 36 0 as_they_stand t1@20,45.9")


@pytest.mark.rule("company", "5.2")
def test_who_stays_may_be_left_out_as_long_as_half_of_the_unit_is_in_cohesion() -> None:
    four = platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40), (20, 42.5))
    session = split(four, "t1", "t2", action="run")
    # Two of four are enough: the Leader takes one along and leaves two.
    assert why(session, "pose 21.25 30 0 as_they_stand") == ""
    alone = split(four, "t1", action="run")
    assert "[5.2]" in why(alone, "pose 20 30 0")
    assert why(alone, "pose 20 36 0") == ""


@pytest.mark.rule("company", "5.2")
def test_those_who_have_moved_before_in_the_same_activation_may_not_be_left_behind() -> None:
    unit = platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40), (20, 42.5))
    session = play(unit, FAR, dice=(PASS,))
    answer(session, "activate a1", "split", "give move", "team t3", "done", "give run", "team t1", "team t2", "done")
    answer(session, "rest nothing", "pose 25 42 0")
    assert "[5.1]" in why(session, "pose 21.25 29 0 as_they_stand")
    assert why(session, "pose 21.25 35 0 as_they_stand") == ""


# ---- the way back (5.3, 5.6) ---------------------------------------------------------------------------------


def strays(gap: float, **more: Any) -> Session:
    """A rifle platoon of which one Team is so many inches from the others; all are to move."""
    at = 20 + LEADER_HALF + gap + TEAM_HALF
    unit = platoon("us_rifles", "a1", (20, 40), (20, 42.5), (20, 37.5), (round(at, 2), 40))
    session = play(unit, FAR, dice=(PASS,), **more)
    answer(session, "activate a1", "all move", "stay")
    return session


@pytest.mark.rule("company", "5.3")
def test_who_is_out_of_cohesion_takes_the_shortest_way_back_when_it_moves() -> None:
    session = strays(9)
    assert keys(session) == ["rejoin", "stay"]
    before = team_of(session, "a1", "t4").x
    answer(session, "rejoin")
    back = team_of(session, "a1", "t4")
    unit = unit_of(session, "a1")
    known = session.battle.bodies(unit)  # type: ignore[attr-defined]
    gap = min(bodies.gap(known[3], other) for other in known[:3])
    assert 5.9 * 100 <= gap <= 600.01
    # As the crow flies, and no farther than it has to.
    assert back.y == pytest.approx(4000, abs=60) and 220 <= before - back.x <= 300


@pytest.mark.rule("company", "5.6")
def test_who_cannot_get_back_in_one_move_goes_as_far_as_it_can() -> None:
    session = strays(20)
    before = team_of(session, "a1", "t4").x
    answer(session, "rejoin")
    assert before - team_of(session, "a1", "t4").x == pytest.approx(600, abs=2)


@pytest.mark.rule("company", "5.2", "5.6")
def test_who_is_out_of_cohesion_may_stay_there() -> None:
    session = strays(9)
    answer(session, "stay")
    assert not team_of(session, "a1", "t4").moved
    assert session.ask is not None and session.ask.quiet


@pytest.mark.rule("company", "5.3")
def test_the_shortest_way_back_goes_round_what_is_in_the_way() -> None:
    guns = platoon("us_57_platoon", "a1", (20, 40), team(31, 40, kind="us_57"))
    session = play(guns, FAR, dice=(PASS,), terrain=[box("woods", 28.5, 38, 29.5, 42, id="wood")])
    answer(session, "activate a1", "all run", "stay", "rejoin")
    gun = team_of(session, "a1", "t2")
    assert gun.moved and session.game.invariants(session.battle) == []


@pytest.mark.rule("company", "5.2", "5.6")
def test_a_unit_of_which_most_are_left_out_already_need_only_not_lose_more() -> None:
    unit = platoon("us_rifles", "a1", (20, 40), (20, 42.5), (40, 40), (42.5, 40), (45, 40), (40, 37))
    session = split(unit, "t1", "t2")
    assert why(session, "pose 20 38 0 as_they_stand") == ""


# ---- without a Leader (5.5, 14.6, 14.18) ---------------------------------------------------------------------


@pytest.mark.rule("company", "5.5")
def test_without_a_leader_there_is_no_cohesion_to_keep() -> None:
    unit = platoon("us_rifles", "a1", team(22.5, 40, id="t2", kind="us_rifle"), team(40, 40, id="t3", kind="us_rifle"))
    unit["leader"] = ""
    behind = box("building", 55, 0, 60, 20)
    session = play(unit, FAR, dice=(PASS,), terrain=[behind, box("building", 45, 10, 60, 14)])
    answer(session, "activate a1", "split", "give run", "team t2", "done", "rest nothing")
    assert why(session, "pose 12 40 0") == ""


@pytest.mark.rule("company", "14.6", "14.18", "5.5")
def test_without_a_leader_nobody_moves_toward_an_enemy_that_he_sees() -> None:
    unit = platoon("us_rifles", "a1", team(20, 40, kind="us_rifle"), team(22.5, 40, kind="us_rifle"), leader="")
    foe = platoon("ger_grenadiers", "g1", (20, 20), (22.5, 20), heading=180)
    for open, walls in ((False, []), (True, [box("woods", 5, 28, 40, 32)])):
        session = play(unit, foe, dice=(PASS,), terrain=walls)
        answer(session, "activate a1", "all move")
        for pose in ("pose 21.25 39 0 as_they_stand", "pose 21.25 37 0 as_they_stand t1@20,37"):
            assert ("[14.6]" in why(session, pose)) == (not open), (pose, open)
        assert why(session, "pose 21.25 41 0 as_they_stand") == ""


@pytest.mark.rule("company", "14.18")
def test_it_is_what_was_seen_at_the_start_of_the_move_that_counts_and_every_such_team() -> None:
    unit = platoon("us_rifles", "a1", team(20, 40, kind="us_rifle"), leader="")
    foes = platoon("ger_grenadiers", "g1", (20, 25), (40, 40), heading=180)
    session = play(unit, foes, dice=(PASS,))
    answer(session, "activate a1", "all move")
    assert "[14.6]" in why(session, "pose 22 42 0")  # away from one, nearer to the other
    assert why(session, "pose 17 42 0") == ""


# ---- areas ---------------------------------------------------------------------------------------------------


def parties() -> list[tuple[str, dict[str, Any], list[int]]]:
    rifles = platoon("us_rifles", "a1", *[(14 + 2.5 * (n % 6), 40 + 2 * (n // 6)) for n in range(11)])
    wide = platoon("us_rifles", "a1", (20, 40), (26, 40), (33.5, 41), (13, 40), (20, 44), (6.5, 38), (34, 44))
    tanks = platoon("us_m4_platoon", "a1", (20, 40), (24, 41), (30, 40), (15, 42))
    return [
        ("rifles, the Leader goes", rifles, [0, 1, 2]),
        ("rifles, the Leader stays", rifles, [3, 4, 5, 8]),
        ("rifles, all but two", rifles, [n for n in range(11) if n not in (4, 9)]),
        ("wide, with one link", wide, [1, 2]),
        ("wide, the Leader alone", wide, [0]),
        ("wide, the links go", wide, [1, 3]),
        ("tanks", tanks, [0, 2]),
        ("one tank", tanks, [3]),
    ]


@pytest.mark.parametrize(("what", "unit", "party"), parties(), ids=[what for what, _, _ in parties()])
@pytest.mark.parametrize("terrain", [[], [box("building", 16, 33, 23, 36), box("woods", 27, 30, 40, 37)]])
def test_polygons_and_bars_agree_where_some_stay(
    what: str, unit: dict[str, Any], party: list[int], terrain: list[dict[str, Any]]
) -> None:
    battle = battle_of(unit, platoon("ger_grenadiers", "g1", (30, 28), (33, 28), heading=180), terrain=terrain)
    area = movement.area_of(battle, unit_of(battle, "a1"), party, 1, frozenset())
    chance = random.Random(what)
    tried = 0
    for form, heading in itertools.product(area.names, (0, 130)):
        shape = shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in area.polygons(form, heading)])
        start = area.start
        for _ in range(60):
            x, y = (round(at + chance.uniform(-1300, 1300)) for at in (start.x, start.y))
            if not shape.is_empty and shape.boundary.distance(shapely.Point(x, y)) < 3:
                continue
            tried += 1
            bar = area.bar(Pose(x, y, heading, form))
            assert (bar is None) == shape.contains(shapely.Point(x, y)), (form, heading, x, y, bar)
    assert tried > 200 or len(area.names) == 1


def test_what_the_region_of_a_form_allows_the_rule_allows() -> None:
    """`Ties.within` and `Ties.bar` are two readings of one rule: every pose of the one passes the other."""
    for what, unit, party in parties():
        battle = battle_of(unit, FAR)
        area = movement.area_of(battle, unit_of(battle, "a1"), party, 1, frozenset())
        chance, agreed = random.Random(what), 0
        for _ in range(300):
            x, y = (round(at + chance.uniform(-1000, 1000)) for at in (area.start.x, area.start.y))
            pose = Pose(x, y, 0, area.names[0])
            ends = area.ends(pose)
            if area.bar_stand(pose, ends) is None:
                stand = area.stand(pose, ends)
                assert area.ties.bar(stand, range(len(stand))) is None, (what, x, y)
                agreed += 1
        assert agreed, what


def test_options_of_a_split_platoon_are_poses_of_those_who_go() -> None:
    session = split(platoon("us_rifles", "a1", *[(10 + 2.5 * n, 40) for n in range(6)]), "t4", "t5", "t6")
    found = options(session, "pose")
    assert found and all(why(session, each.key) == "" for each in found)
