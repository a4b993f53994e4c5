"""Assaults (13): who stays and who goes, suppressive fire, the way in, defensive fire and what halts it."""

from __future__ import annotations

import pytest

from grognard.board.table import bodies
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.games.company import assault, charge
from grognard.games.company.assault_events import AssaultFails, AssaultHalted, AssaultLands, Assaults
from grognard.games.company.fire_events import Hit, WentToGround
from grognard.games.company.move_events import Moved
from tests.games.company.fighting import ACTS, assaults, gap, go_on, grenadiers, rifles, units
from tests.games.company.playing import (
    GAME,
    answer,
    battle_of,
    happened,
    keys,
    line,
    lines,
    marks_of,
    platoon,
    play,
    position,
    rolled,
    run,
    team,
    team_of,
    teams_of,
    unit_of,
)

# ---- who goes (13.1, 13.3, 13.14, 13.15) ---------------------------------------------------------------------


@pytest.mark.rule("company", "13.1", "13.15")
def test_the_target_is_named_first_then_who_stays_behind() -> None:
    session = play(rifles(), grenadiers(), dice=(ACTS,))
    answer(session, "activate a1", "all assault")
    assert keys(session) == ["assault g1", "done"]
    seen = session.preview("assault g1")
    assert seen.lines == ["3 of 3 come into contact"]
    answer(session, "assault g1")
    assert keys(session) == ["done", "team t1", "team t2", "team t3"]
    assert {model.id for model in session.preview("team t2").models} == {"t1", "t3"}, "t2 stays"
    answer(session, "team t2")
    assert {model.id for model in session.preview("done").models} == {"t1", "t3"}
    answer(session, "team t2", "team t3", "done")
    assert not happened(session, AssaultFails)
    [named] = happened(session, Assaults)
    assert (named.unit, named.target) == ("a1", "g1")


@pytest.mark.rule("company", "13.1")
def test_guns_stay_behind() -> None:
    guns = platoon("us_57_platoon", "a1", (34, 20), (30, 22), (38, 22), (42, 22))
    session = play(guns, grenadiers(), dice=(ACTS,))
    answer(session, "activate a1", "all assault", "assault g1")
    assert keys(session) == ["done"], "only the Leader can go, and somebody has to"
    assert [model.id for model in session.preview("done").models] == ["t1"]
    battle = battle_of(platoon("us_57_platoon", "a1", team(30, 20, kind="us_57"), leader=""), grenadiers())
    bar = assault.bar_assault(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "13.1"


@pytest.mark.rule("company", "13.3", "3.10")
def test_an_assault_goes_twelve_inches_and_no_farther() -> None:
    # Leaders' stands are an inch deep: 12 inches of way from 25 lead to contact at 13.
    for y, reaches in ((24.98, True), (25.1, False)):
        battle = battle_of(rifles(y, count=1), grenadiers(count=1))
        bar = charge.bar(battle, unit_of(battle, "a1"), unit_of(battle, "g1"))
        assert (bar is None) is reaches
        assert reaches or (bar is not None and bar.rule == "13.3")


@pytest.mark.rule("company", "13.3")
def test_a_way_that_is_too_long_is_refused_with_its_reason() -> None:
    wall = line("tall_wall", (20, 15), (50, 15))
    tanks = platoon("us_m4_platoon", "a1", (30, 20), (34, 20))
    battle = battle_of(tanks, grenadiers(), terrain=[wall])
    bar = charge.bar(battle, unit_of(battle, "a1"), unit_of(battle, "g1"))
    assert bar is not None and "come into contact" in bar.reason
    assert assault.bar_assault(battle, unit_of(battle, "a1")) == bar
    men = battle_of(rifles(), grenadiers(), terrain=[wall])
    assert charge.bar(men, unit_of(men, "a1"), unit_of(men, "g1")) is None, "nothing hinders infantry"


@pytest.mark.rule("company", "13.14")
def test_vehicles_do_not_assault_vehicles() -> None:
    tanks = platoon("us_m4_platoon", "a1", (30, 20), (34, 20))
    battle = battle_of(tanks, platoon("ger_pz4_platoon", "g1", (30, 14), heading=180))
    bar = charge.bar(battle, unit_of(battle, "a1"), unit_of(battle, "g1"))
    assert bar is not None and bar.rule == "13.14"
    men = battle_of(tanks, grenadiers())
    assert charge.bar(men, unit_of(men, "a1"), unit_of(men, "g1")) is None


@pytest.mark.rule("company", "14.6", "14.18")
def test_without_a_leader_nobody_assaults_an_enemy_that_he_sees() -> None:
    lost = platoon("us_rifles", "a1", team(30, 20, kind="us_rifle"), team(33, 20, kind="us_rifle"), leader="")
    battle = battle_of(lost, grenadiers())
    bar = assault.bar_assault(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "14.6"
    hidden = battle_of(lost, grenadiers(), terrain=[line("tall_wall", (20, 16), (50, 16))])
    assert assault.bar_assault(hidden, unit_of(hidden, "a1")) is None, "nobody sees whom he goes for"


@pytest.mark.rule("company", "13.15")
def test_other_enemies_are_kept_two_inches_off_unless_that_cannot_be() -> None:
    beside = platoon("ger_hmg_platoon", "g2", (34.5, 12), heading=180)
    session = assaults(rifles(count=2), grenadiers(count=1), beside)
    assert session.ask is not None and session.ask.side == "german"
    course = charge.course(session.battle, *units(session, "a1", "g1"), ["t1", "t2"], 1200)
    assert course is not None
    for id, path in course.paths.items():
        body = session.battle.body(unit_of(session, "a1"), team_of(session, "a1", id)).at(
            *path[-1], course.headings[id]
        )
        assert bodies.gaps([body], session.battle.bodies(unit_of(session, "g2"))).min() >= 199.5
    # Between two Units that stand side by side there is nowhere else.
    close = [platoon("ger_hmg_platoon", "g2", (27.9, 12), (32.1, 12), (27.9, 13.5), (32.1, 13.5), heading=180)]
    battle = battle_of(rifles(count=1), grenadiers(count=1), *close)
    assert charge.bar(battle, unit_of(battle, "a1"), unit_of(battle, "g1")) is None


# ---- suppressive fire (13.2, 13.24) --------------------------------------------------------------------------


@pytest.mark.rule("company", "13.2", "13.24")
def test_those_who_stay_fire_first() -> None:
    session = assaults(rifles(count=4), grenadiers(), who=("t3", "t4"))
    assert session.ask is not None and session.ask.prompt.endswith("fire at what?")
    go_on(session, "at g1", to_hit=6, Saves=1)
    # It has neither moved nor fired, and is gone to ground already: it is not asked whether it will be.
    [shot] = rolled(session, "to hit")
    assert shot.dice == "2d6" and lines(shot.tallies[0])["target_gone_to_ground"] == 1
    assert len(teams_of(session, "g1")) == 3, "the dice for Saves are still to be thrown"
    go_on(session, saves=1)
    assert len(teams_of(session, "g1")) == 1
    assert session.ask is not None and keys(session) == ["react g1", "pass", "hold"]


@pytest.mark.rule("company", "13.24", "6.24")
def test_the_assaulted_unit_goes_to_ground_before_suppressive_fire_only() -> None:
    seen = platoon("ger_grenadiers", "g1", *[team(30 + 2.5 * n, 12, fired=True) for n in range(3)], heading=180)
    session = assaults(rifles(count=4), seen, who=("t3", "t4"), turn=2)
    answer(session, "at g1")
    assert keys(session) == ["ground", "pass"]
    go_on(session, "ground", to_hit=1)
    assert happened(session, WentToGround) and unit_of(session, "g1").down
    go_on(session, "react g1", to_hit=1)
    assert not unit_of(session, "g1").down, "its defensive fire ends that state"
    assert len([ask for ask in session.log if "ground" in ask.say()]) == 2, "said and done once"


@pytest.mark.rule("company", "13.2", "13.3")
def test_an_assault_whose_target_is_shot_away_or_out_of_reach_ends() -> None:
    far = platoon("ger_grenadiers", "g1", (36, 5), (30, 12), heading=180)
    session = assaults(rifles(count=4), far, who=("t2", "t3", "t4"))
    go_on(session, "at g1", to_hit=(6, 1, 1), saves=1)
    [missed] = happened(session, AssaultFails)
    assert missed.rules == ("13.3",) and not happened(session, Moved)
    one = platoon("ger_grenadiers", "g1", (30, 12), size=9, heading=180)
    session = assaults(rifles(count=4), one, platoon("ger_hmg_platoon", "g2", (60, 4)), who=("t2", "t3", "t4"))
    go_on(session, "at g1", to_hit=6, saves=1)
    assert not unit_of(session, "g1").models and not happened(session, Moved)


# ---- defensive fire (13.4 to 13.6, 13.16, 13.21, 13.23) ------------------------------------------------------


@pytest.mark.rule("company", "13.4", "13.5", "13.16")
@pytest.mark.parametrize(("hits", "halted"), [(4, False), (5, True)])
def test_five_hits_halt_and_four_do_not(hits: int, halted: bool) -> None:
    session = assaults(rifles(count=6), grenadiers())
    go_on(session, "react g1", to_hit=[6] * hits + [1] * (6 - hits), saves=6, close_combat=1)
    assert [event.rules for event in happened(session, AssaultHalted)] == ([("13.5",)] if halted else [])
    assert bool(happened(session, AssaultLands)) is not halted


@pytest.mark.rule("company", "13.16")
def test_it_is_one_shooting_of_those_on_overwatch_and_of_those_who_are_not() -> None:
    watching = [team(30 + 2.5 * n, 12, watch=n == 1, fired=n == 1) for n in range(3)]
    session = assaults(rifles(count=6), platoon("ger_grenadiers", "g1", *watching, heading=180))
    go_on(session, "react g1", to_hit=6, saves=6)
    shot = rolled(session, "to hit")
    found = [lines(tally).get("reaction_fire", 0) for roll in shot for tally in roll.tallies]
    assert sorted(set(found)) == [0, 1], "one on Overwatch without the +1, the others with it"
    assert len(happened(session, Hit)) == 1 and happened(session, Hit)[0].hits == 5
    assert happened(session, AssaultHalted), "their hits are added up"


@pytest.mark.rule("company", "13.16", "13.5")
def test_the_defender_chooses_the_point_and_who_is_halted_stops_there() -> None:
    session = assaults(rifles(count=4), grenadiers(), who=("t4",), to="done")
    go_on(session, "at g1", to_hit=1)
    before = {id: (team_of(session, "a1", id).x, team_of(session, "a1", id).y) for id in ("t1", "t2", "t3", "t4")}
    assert keys(session) == ["react g1", "pass", "hold"]
    assert 4 < gap(session, "a1", "g1") < 8, "asked as soon as somebody is near enough"
    go_on(session, "react g1", to_hit=6, saves=6)
    assert happened(session, AssaultHalted) and 4 < gap(session, "a1", "g1") < 8
    after = team_of(session, "a1", "t4")
    assert (after.x, after.y) == before["t4"], "who stays is no target and does not move"
    assert "t4" not in marks_of(session, "a1"), "only those who come can be hit"
    assert GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "13.5")
def test_who_is_halted_in_contact_goes_back_to_two_inches() -> None:
    # Nobody sees across the wall until somebody touches it: that is in contact.
    wall = line("tall_wall", (10, 12.95), (50, 12.95))
    session = assaults(rifles(count=3), grenadiers(), terrain=[wall])
    assert gap(session, "a1", "g1") <= 0.02
    go_on(session, "react g1", to_hit=6, saves=6)
    assert happened(session, AssaultHalted)
    assert 2 <= gap(session, "a1", "g1") < 2.06


@pytest.mark.rule("company", "13.5")
def test_where_there_is_no_room_they_go_back_as_far_as_there_is() -> None:
    friend = platoon("us_57_platoon", "a2", (50, 40), (30, 15.2))
    battle = battle_of(rifles(13.01, count=1), grenadiers(count=1), friend)
    a1, g1 = unit_of(battle, "a1"), unit_of(battle, "g1")
    course = charge.Course({"t1": [(3000, 1450), (3000, 1301)]}, {"t1": 0}, 1)
    run(assault.step_back(battle, a1, g1, course))
    # The gun stands from 13.95 on, and he is an inch deep.
    assert 13.40 <= a1.models[0].y / 100 <= 13.46
    assert GAME.invariants(battle) == []


@pytest.mark.rule("company", "13.6", "13.16", "13.23")
@pytest.mark.parametrize(("damage", "halted"), [((4, 4), True), ((4,), False), ((), False)])
def test_armour_is_halted_by_two_results_and_not_by_hits(damage: tuple[int, ...], halted: bool) -> None:
    tanks = platoon("us_m4_platoon", "a1", (30, 20), (34, 20), (38, 20))
    guns = platoon("ger_at_platoon", "g1", (34, 8), (30, 9), (34, 10.8), (38, 9), heading=180)
    session = assaults(tanks, guns, who=())
    go_on(session, "react g1", to_hit=6, armour_saves=1, vehicle_damage=(*damage, *[1] * 8), part_hit=1, close_combat=1)
    [hit] = happened(session, Hit)
    assert hit.hits >= 5
    assert bool(happened(session, AssaultHalted)) is halted


@pytest.mark.rule("company", "13.21")
def test_others_react_to_the_way_in_and_do_not_halt_it() -> None:
    others = platoon("ger_pioneers", "g2", *[(38 + 2.5 * n, 14) for n in range(5)], heading=270)
    session = assaults(rifles(count=6), grenadiers(count=2), others)
    assert "react g2" in " ".join(keys(session))
    react = next(key for key in keys(session) if key.startswith("react g2"))
    go_on(session, react, "hold", to_hit=6, saves=6, close_combat=1)
    assert happened(session, Hit)[0].hits >= 5
    assert not happened(session, AssaultHalted) and happened(session, AssaultLands)


@pytest.mark.rule("company", "13.24", "7.6")
def test_nobody_goes_to_ground_on_the_way_in() -> None:
    session = assaults(rifles(count=6), grenadiers())
    seen = len(session.log)
    go_on(session, "react g1", to_hit=6, saves=6)
    assert not any("ground" in event.say() for event in session.log[seen:])


# ---- the commander (14.12) -----------------------------------------------------------------------------------


@pytest.mark.rule("company", "14.12", "14.14")
def test_a_commander_who_is_assaulted_joins_a_unit_and_fights_with_it() -> None:
    near = platoon("ger_grenadiers", "g1", (30, 8), (33, 8), (36, 8), heading=180)
    boss = platoon("ger_commander", "g9", (31, 12), heading=180)
    session = play(rifles(count=4), near, boss, dice=(ACTS,))
    answer(session, "activate a1", "all assault", "assault g9", "done")
    assert [each.id for each in unit_of(session, "g1").models][-1] == "cc" and not unit_of(session, "g9").models
    go_on(session, "hold", close_combat=6)
    while "cc" in teams_of(session, "g1") and session.ask is not None and "lose cc" in keys(session):
        answer(session, "lose cc")
    assert session.battle.company("german").commander == ""
    assert session.battle.state.lost.get("german", []) in ([], ["g1"]), "he is no Unit"


# ---- odds ----------------------------------------------------------------------------------------------------


def test_the_odds_of_an_assault_are_told_by_its_parts() -> None:
    session = assaults(rifles(count=5), grenadiers(count=4), to="")
    odds = session.odds("done")
    assert not odds.exact and odds.paths <= 200
    told = " ".join(part.text for part in odds.parts)
    for word in ("halted", "close combat", "loses", "breaks off"):
        assert word in told
    assert any(each.key == "react g1" for each in odds.assumed), "the defender is taken to fire"


# ---- saves and forks in the middle of it ---------------------------------------------------------------------


def test_an_assault_is_saved_and_forked_at_every_question() -> None:
    """Between the toggles, inside the reaction, and in the exchange: each leads on to the same end."""
    text = position(rifles(count=4), grenadiers(count=4), platoon("us_commander", "a9", (31, 30)))
    document = Document.from_toml(text, "position.toml")
    scenario, state = GAME.load_situation(document)
    session = Session(GAME, scenario, state=state, seed=b"an assault")
    forks = []
    while session.ask is not None and len(session.answers) < 60:
        again = load(session.save(), GAME, *GAME.load_situation(document))
        assert again.digest == session.digest and again.ask is not None
        assert [option.key for option in again.ask.options] == keys(session)
        forks.append((session.fork(), len(session.answers)))
        listed = [key for key in keys(session) if key in LIKED] or keys(session)
        toggled = sum(each.key.startswith("team") for each in session.answers)
        session.answer("team t2" if "team t2" in keys(session) and toggled < 3 else listed[0])
        if session.ask is not None and session.ask.quiet and happened(session, Assaults):
            break
    assert happened(session, Assaults)
    for fork, start in forks:
        for each in session.answers[start:]:
            fork.answer(each.key)
        assert fork.digest == session.digest


LIKED = ("all assault", "assault g1", "done", "react g1", "counter", "stand", "reroll", "pursue", "pass", "deal")


@pytest.mark.rule("company", "13.4", "16.7")
def test_a_gun_meets_an_assault_with_shells_or_with_shot() -> None:
    guns = platoon("ger_at_platoon", "g1", (34, 8), (30, 9), (34, 10.8), (38, 9), heading=180)
    session = assaults(rifles(count=4), guns)
    assert keys(session) == ["react g1", "react g1 shot", "pass", "hold"], "with shells as usual, against men"
    go_on(session, "react g1 shot", to_hit=1, close_combat=1)
    assert happened(session, AssaultLands)
