"""The commander (14.7 to 14.12, 14.14 to 14.16, 14.20): the check thrown again, joining, and the company's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grognard.games.company import casualties, commander, leaders
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.command_events import CheckThrownAgain, CommanderJoins, CommanderPays, CompanyChecked
from grognard.games.company.fire_events import CommanderLost
from tests.games.company.fighting import ACTS, go_on, grenadiers, rifles
from tests.games.company.playing import (
    GAME,
    answer,
    battle_of,
    happened,
    keys,
    marks_of,
    platoon,
    play,
    rolled,
    run,
    team,
    team_of,
    teams_of,
    unit_of,
)


def boss(x: float, y: float) -> dict[str, Any]:
    """The American commander somewhere."""
    return platoon("us_commander", "a9", (x, y))


# ---- a check thrown again (14.8, 14.9, 14.20) ----------------------------------------------------------------


@pytest.mark.rule("company", "14.8")
def test_one_check_of_an_initiative_is_thrown_again() -> None:
    session = play(rifles(30), platoon("us_hmg_platoon", "a2", (50, 30)), boss(40, 34), grenadiers(), dice=(1, 6, 1))
    answer(session, "activate a1")
    assert keys(session) == ["reroll", "keep"] and session.ask is not None and session.ask.reaction == "commander"
    assert "Fail actions" in session.ask.prompt, "it says what failing means"
    answer(session, "reroll")
    assert happened(session, CheckThrownAgain) and "all run" in keys(session)
    answer(session, "all nothing", "activate a2")
    assert "reroll" not in keys(session), "once in an Initiative"


@pytest.mark.rule("company", "14.8")
def test_without_a_commander_nothing_is_thrown_again() -> None:
    session = play(rifles(30), grenadiers(), dice=(1,))
    answer(session, "activate a1")
    assert "reroll" not in keys(session)


@pytest.mark.rule("company", "14.9", "14.20")
def test_a_check_thrown_again_in_vain_costs_the_commander_if_the_unit_goes() -> None:
    weak = platoon("us_rifles", "a1", (30, 30), (33, 30), (36, 30), size=9, lost_now=2, acted=1)
    strong = platoon("us_hmg_platoon", "a2", (50, 30), (54, 30), (58, 30), acted=1)
    foe = platoon("ger_grenadiers", "g1", *[(30 + 2.5 * n, 6) for n in range(5)], acted=1)
    session = play(weak, strong, boss(40, 34), foe, dice=(1, 1), phase="turn_end")
    assert keys(session) == ["reroll", "keep"]
    answer(session, "reroll")
    assert happened(session, CommanderPays) and happened(session, CommanderLost)
    assert session.battle.company("american").commander == ""
    assert "a1" in session.battle.state.lost["american"]


@pytest.mark.rule("company", "14.20")
def test_the_end_of_a_turn_counts_as_an_initiative() -> None:
    battle = battle_of(rifles(30), boss(40, 34), grenadiers(), company={"american": {"rerolled": 1}}, initiative=1)
    unit = unit_of(battle, "a1")
    assert run(leaders.offer_reroll(battle, unit, "x")) is False
    battle.state.initiative += 1
    assert run(leaders.offer_reroll(battle, unit, "x"), "reroll") is True
    assert run(leaders.offer_reroll(battle, unit, "x")) is False


# ---- his helps (14.7, 14.15) ---------------------------------------------------------------------------------


@pytest.mark.rule("company", "14.7", "14.15")
def test_he_helps_any_unit_once_besides_its_leader() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", (30, 30), (33, 30), team(50, 30, marks=1)), boss(50, 32), grenadiers()
    )
    unit = unit_of(battle, "a1")
    assert len(leaders.helpers(battle, unit)) == 2
    assert [option.key for option in leaders.shifts(battle, unit)] == ["shift t3 t1", "shift t3 t2"]
    leaders.shift(battle, unit, "shift t3 t1")
    assert battle.company("american").helped == battle.state.initiative and unit.helped != battle.state.initiative
    assert [helper.commander for helper in leaders.helpers(battle, unit)] == [False], "its own Leader still may"


# ---- joining (14.12, 14.14, 14.16) ---------------------------------------------------------------------------


@pytest.mark.rule("company", "14.12", "14.16")
def test_under_attack_he_belongs_to_a_unit_within_six_inches() -> None:
    firer = platoon("ger_hmg_platoon", "g1", (30, 14), (30, 12), (34, 12), heading=180)
    session = play(firer, boss(30, 26), rifles(29, count=4), sides=["german", "american"], dice=(ACTS,))
    answer(session, "activate g1", "all fire")
    assert "at a9" in keys(session)
    answer(session, "at a9")
    go_on(session, to_hit=6, saves=6)
    assert [event.unit for event in happened(session, CommanderJoins)] == ["a1"]
    assert unit_of(session, "a9").models and teams_of(session, "a1") == ["t1", "t2", "t3", "t4"]
    assert session.battle.company("american").joined == ""
    assert sum(marks_of(session, "a1").values()) > 0, "the Unit is marked"
    assert GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "14.12")
def test_where_several_are_near_his_owner_chooses() -> None:
    battle = battle_of(boss(30, 26), rifles(29), platoon("us_hmg_platoon", "a2", (30, 22)), grenadiers())
    target = run(leaders.join(battle, unit_of(battle, "a9")), "join a2")
    assert target.id == "a2" and teams_of(battle, "a2") == ["t1", "cc"]
    run(leaders.part(battle, "american"))
    assert teams_of(battle, "a2") == ["t1"] and teams_of(battle, "a9") == ["cc"]


@pytest.mark.rule("company", "14.16")
def test_by_himself_he_is_a_target_of_one_team() -> None:
    firer = platoon("ger_hmg_platoon", "g1", (30, 14), (30, 12), (34, 12), heading=180)
    session = play(firer, boss(30, 26), rifles(46), sides=["german", "american"], dice=(ACTS,))
    answer(session, "activate g1", "all fire", "at a9")
    go_on(session, to_hit=6, saves=1)
    assert happened(session, CommanderLost) and not happened(session, CommanderJoins)
    assert session.battle.state.lost.get("american", []) == [], "he is no Unit"


@pytest.mark.rule("company", "14.12", "14.14")
def test_a_unit_of_which_only_he_is_left_is_destroyed() -> None:
    battle = battle_of(boss(30, 26), rifles(29, count=1), grenadiers())
    unit = run(leaders.join(battle, unit_of(battle, "a9")))
    from_him = [each for each in unit.models if each.id != "cc"]
    run(casualties.lose(battle, unit, from_him[0].id, ("8.4",)))
    run(leaders.part(battle, "american"))
    assert battle.state.lost["american"] == ["a1"] and teams_of(battle, "a9") == ["cc"]


@pytest.mark.rule("company", "14.14")
def test_once_a_turn_he_acts_with_a_unit() -> None:
    session = play(
        rifles(30), platoon("us_hmg_platoon", "a2", (50, 30)), boss(33, 32.5), grenadiers(), dice=(ACTS, ACTS)
    )
    answer(session, "activate a1")
    assert "commander" in keys(session)
    answer(session, "commander")
    assert teams_of(session, "a1")[-1] == "cc" and "commander" not in keys(session)
    answer(session, "all nothing")
    assert teams_of(session, "a9") == ["cc"] and unit_of(session, "a9").acted == session.battle.state.turn
    answer(session, "activate a2")
    assert "commander" not in keys(session), "once in a turn"
    bar = leaders.bar_act_with(session.battle, unit_of(session, "a2"))
    assert bar is not None and bar.rule == "14.14"
    assert GAME.invariants(session.battle) == []


# ---- the company's end (14.10, 14.11) ------------------------------------------------------------------------


def company(lost: int, *units: dict[str, Any], dice: Sequence[int] = ()) -> CompanyBattle:
    """The battle of a company of seven Units that has lost some of them."""
    left = [platoon("us_hmg_platoon", f"a{n}", (10 + 4 * n, 40)) for n in range(2, 8 - lost)]
    gone = [f"a{n}" for n in range(8 - lost, 8)]
    return battle_of(rifles(30), *left, *units, grenadiers(), lost={"american": gone}, dice=dice)


@pytest.mark.rule("company", "14.10")
@pytest.mark.parametrize(("lost", "checks"), [(3, False), (4, True)])
def test_a_company_checks_from_half_its_units_on(lost: int, checks: bool) -> None:
    battle = company(lost, boss(40, 34), dice=(6,))
    assert commander.must_check(battle, "american") is checks
    assert run(commander.company_check(battle, "american")) is True
    assert bool(happened(battle, CompanyChecked)) is checks


@pytest.mark.rule("company", "14.10", "14.20")
def test_it_is_his_own_check_and_not_thrown_again() -> None:
    battle = company(4, boss(40, 34), dice=(3,))
    assert run(commander.company_check(battle, "american")) is False
    [roll] = rolled(battle)
    assert roll.unit == "a9"


@pytest.mark.rule("company", "14.11")
def test_without_him_on_the_table_it_has_failed() -> None:
    battle = company(4)
    assert run(commander.company_check(battle, "american")) is False
    assert not rolled(battle)


@pytest.mark.rule("company", "14.10", "14.11")
def test_a_company_that_fails_loses_the_battle() -> None:
    foe = platoon("ger_grenadiers", "g1", *[(30 + 2.5 * n, 6) for n in range(5)])
    session = play(
        rifles(30),
        foe,
        phase="start",
        turn=2,
        lost={"american": ["a2"]},
        company={"american": {"start": 2}},
        dice=(),
    )
    assert session.over and session.result is not None and session.result.winner == "german"


def test_the_commander_is_found_wherever_he_stands() -> None:
    battle = battle_of(boss(30, 26), rifles(29), grenadiers())
    there = leaders.captain(battle, "american")
    assert there is not None and there[0].id == "a9"
    run(leaders.join(battle, unit_of(battle, "a9")))
    there = leaders.captain(battle, "american")
    assert there is not None and there[0].id == "a1" and team_of(battle, "a1", "cc") is there[1]
    assert leaders.captain(battle, "german") is None


@pytest.mark.rule("company", "14.14")
def test_a_platoon_whose_last_team_and_commander_fall_together_is_destroyed() -> None:
    battle = battle_of(boss(30, 26), rifles(29, count=1), grenadiers())
    unit = unit_of(battle, "a1")
    leaders.act_with(battle, unit)
    run(casualties.lose(battle, unit, "t1", ("8.4",)))
    assert unit.status == "table", "he still stands there"
    run(casualties.lose(battle, unit, "cc", ("8.4",)))
    assert unit.status == "lost" and battle.state.lost["american"] == ["a1"]
    assert GAME.invariants(battle) == []
