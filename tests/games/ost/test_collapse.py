"""Structures and Bunkers brought down (110, 28.9, 28.10, 53.8, 54.4)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.session import Session
from grognard.games.ost import collapse, combat_events, move_events
from grognard.games.ost.invariants import invariants
from grognard.games.ost.state import LOST, ON_MAP, SHAKEN, UNMANNED
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, run, state, tally, unit

HEAVY, LIGHT = "heavy_structure", "light_structure"


def game(*units: str, building: str = HEAVY, level: int = 1, dice: tuple[int, ...] = (), **more: Any) -> Session:
    """An American squad in A4, far from a building in D4."""
    buildings = [f"{building} D4 level={level}"] if building else []
    return position("a1 us_rifle A4", *units, dice=dice, buildings=buildings, **more)


def check(session: Session, *answers: str, satchel: bool = False) -> bool:
    """A collapse check in D4 by the Americans; every die of the script must be thrown."""
    here = battle(session)
    drm, source = (collapse.satchel_lines(here), collapse.SATCHEL) if satchel else ((), "a gun")
    fell: bool = run(collapse.collapse_check(here, "D4", "american", drm, source), *answers)
    assert isinstance(session.dice, ScriptedDice)
    assert session.dice.position == len(session.dice.script), "dice are left over"
    assert all(u.status == ON_MAP for here_ in here.at.values() for u in here_)
    assert not invariants(here)
    return fell


def strike(session: Session, kind: str) -> None:
    answer(session, f"oba {kind}", "hex D4", "shells")
    assert not isinstance(session.ask, FacesAsk), session.ask


# ---- the roll -----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "110.1", "110.5", "110.6", "53.8", "54.4")
@pytest.mark.parametrize(
    ("building", "face", "falls"),
    [(LIGHT, 4, False), (LIGHT, 5, True), (LIGHT, 6, True), (HEAVY, 5, False), (HEAVY, 6, True)],
)
def test_light_structures_fall_on_5_heavy_ones_on_6(building: str, face: int, falls: bool) -> None:
    session = game("g1 ger_rifle J8", building=building, dice=(face,))
    assert check(session) is falls
    assert (state(session).rubble == ["D4"]) is falls
    assert [e.kind for e in happened(session, combat_events.Collapsed)] == ([building] if falls else [])
    assert rolled(session)[0].side == "american"
    assert ("110.5" if building == LIGHT else "110.6") in rolled(session)[0].rules


@pytest.mark.rule("ost", "110.7", "20sc.2")
@pytest.mark.parametrize(("face", "falls"), [(4, False), (5, True)])
def test_a_satchel_adds_one(face: int, falls: bool) -> None:
    session = game("g1 ger_rifle J8", dice=(face,))
    assert check(session, satchel=True) is falls
    assert lines(tally(session, "collapse roll")) == {"satchel": 1}


@pytest.mark.rule("ost", "110.7")
@pytest.mark.parametrize(
    ("kind", "face", "falls"), [("rockets", 5, True), ("artillery", 5, False), ("mortars", 5, False)]
)
def test_rockets_add_one_other_artillery_does_not(kind: str, face: int, falls: bool) -> None:
    session = game("g1 ger_rifle J8", dice=(6, face), assets={"american": {kind: 1}})
    strike(session, kind)
    assert (state(session).rubble == ["D4"]) is falls
    assert lines(tally(session, "collapse roll")) == ({"rockets": 1} if kind == "rockets" else {})


@pytest.mark.rule("ost", "110.1", "110.4", "107.7")
def test_oba_checks_every_structure_of_its_seven_hexes_empty_or_not() -> None:
    more: dict[str, Any] = {
        "buildings": [f"{HEAVY} D4", f"{LIGHT} D3", f"{LIGHT} D6"],
        "assets": {"american": {"mortars": 1}},
    }
    session = position("a1 us_rifle A4", "g1 ger_rifle J8", dice=(4, 6, 5), **more)
    strike(session, "mortars")
    assert state(session).rubble == ["D4", "D3"]
    assert len(rolled(session, "collapse")) == 2  # D6 lies outside the ring


@pytest.mark.rule("ost", "110.3")
def test_the_check_comes_after_the_attack_on_those_inside() -> None:
    session = game("g1 ger_rifle D4", dice=(4, 1, 1, 5), assets={"american": {"mortars": 1}})
    strike(session, "mortars")
    assert [event.what for event in rolled(session)] == ["accuracy", "ICT attack", "collapse"]


@pytest.mark.rule("ost", "110.1")
def test_open_ground_and_rubble_are_not_checked() -> None:
    assert check(game("g1 ger_rifle J8", building="")) is False
    fallen = game("g1 ger_rifle J8", rubble="D4")
    assert check(fallen) is False
    assert rolled(fallen) == []


@pytest.mark.rule("ost", "110.2", "110.1")
@pytest.mark.parametrize(("gun", "checks"), [("ger_sig33", 1), ("ger_leig18", 0)])
def test_heavy_weapons_with_collapse_on_their_card_check_after_firing_into_a_structure(gun: str, checks: int) -> None:
    dice = (1, 1, 6, 1, 1) if checks else (1, 1)
    session = position(f"g1 {gun} D7 f=1", "a1 us_rifle D4", buildings=[f"{HEAVY} D4"], dice=dice)
    answer(session, "fire g1", "at a1 main")
    assert len(rolled(session, "collapse")) == checks
    assert (state(session).rubble == ["D4"]) is bool(checks)


@pytest.mark.rule("ost", "110.2")
def test_a_heavy_weapon_firing_at_units_in_the_open_checks_nothing() -> None:
    session = position("g1 ger_sig33 D7 f=1", "a1 us_rifle D4", dice=(1, 1))
    answer(session, "fire g1", "at a1 main")
    assert rolled(session, "collapse") == []


# ---- what it does -------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "110.8", "32.1", "32.4")
def test_the_hex_is_rubble_from_now_on() -> None:
    session = game("g1 ger_rifle D4", level=2, dice=(6, 1, 1))
    here = battle(session)
    assert here.level(unit(session, "g1")) == 2
    assert check(session)
    assert here.terrain("D4").name == "rubble"
    assert here.terrain("D4").defense == 3
    assert here.level(unit(session, "g1")) == 1
    assert not here.in_structure(unit(session, "g1"))
    assert unit(session, "g1").hex == "D4"


@pytest.mark.rule("ost", "110.9", "110.10", "53.8", "54.4", "110.11")
@pytest.mark.parametrize(
    ("building", "level", "power"), [(LIGHT, 1, 1), (LIGHT, 2, 2), (HEAVY, 1, 2), (HEAVY, 2, 3), (HEAVY, 3, 3)]
)
def test_those_inside_are_attacked_with_the_structures_own_defense(building: str, level: int, power: int) -> None:
    # E-51: 2 - 4 = column -2. Cover and terrain do not count.
    session = game("g1 ger_rifle D4", building=building, level=level, dice=(6, 1, 1), works=["cover D4 german"])
    assert check(session)
    attack = rolled(session, "ICT attack")[0]
    assert [t.total for t in attack.tallies] == [power, 4, 0]
    assert "cover" in {work.kind for work in state(session).works.values()}


@pytest.mark.rule("ost", "110.11", "110.9", "110.7")
def test_rockets_bring_a_heavy_structure_down_on_a_rifle_squad() -> None:
    # E-51: the strike itself (8 against 4 + 2: column +2, a 4 does nothing), then 2 - 4 = -2: a 9 is S, check failed.
    session = game("g1 ger_rifle D4", dice=(6, 2, 2, 5, 4, 5, 1, 1), assets={"american": {"rockets": 1}})
    strike(session, "rockets")
    first, second = rolled(session, "ICT attack")
    assert [t.total for t in first.tallies] == [8, 6, 0]
    assert [t.total for t in second.tallies] == [2, 4, 0]
    assert unit(session, "g1").morale == SHAKEN


@pytest.mark.rule("ost", "110.9")
def test_every_unit_inside_is_attacked_and_leaders_roll_for_their_units() -> None:
    # -2 column: 11 is C for g1, and its Leader's 1 kills him; g3 is missed
    session = game("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_rifle D4", dice=(6, 5, 6, 1, 1, 1))
    assert check(session)
    assert [event.unit for event in rolled(session, "ICT attack")] == ["g1", "g3"]
    assert unit(session, "g1").reduced and unit(session, "g2").status == LOST
    assert state(session).casualties["american"] == 2


@pytest.mark.rule("ost", "110.9", "57.2")
def test_units_on_the_road_are_not_inside() -> None:
    session = game("g1 ger_rifle D4 on_road with=ger_lmg", "g2 ger_truck D4 on_road", roads=["D1:D8"], dice=(6,))
    assert check(session)
    assert rolled(session, "ICT attack") == []
    assert [weapon.unit for weapon in state(session).weapons.values()] == ["g1"]
    assert not unit(session, "g1").on_road  # 61.12: it stands in the rubble now


@pytest.mark.rule("ost", "110.12")
def test_support_weapons_inside_are_destroyed_carried_or_lying() -> None:
    session = game("g1 ger_rifle D4 with=ger_lmg", weapons=["x1 ger_satchel D4", "x2 ger_lmg D5"], dice=(6, 1, 1))
    assert check(session)
    left = {w.id: (w.unit, w.hex) for w in state(session).weapons.values()}
    assert left == {"w1": ("", ""), "x1": ("", ""), "x2": ("", "D5")}
    assert [event.weapon for event in happened(session, move_events.WeaponLost)] == ["w1", "x1"]


@pytest.mark.rule("ost", "110.13", "5.5")
@pytest.mark.parametrize("side", ["", " reduced"])
def test_a_crewed_weapon_is_lost_and_its_crew_takes_the_attack(side: str) -> None:
    # the Crew, Defense 3: 2 - 3 = -1, a 10 is C: eliminated
    session = game(f"g1 ger_hmg42 D4 shaken fired{side}", "g2 ger_sgt D4 attached=g1", dice=(6, 4, 6, 6))
    assert check(session)
    crew = next(u for u in state(session).units.values() if u.kind == "ger_crew")
    assert unit(session, "g1").status == LOST
    attack = rolled(session, "ICT attack")[0]
    assert (attack.unit, [t.total for t in attack.tallies]) == (crew.id, [2, 3, 0])
    assert crew.status == LOST
    assert unit(session, "g2").status == ON_MAP  # his roll of 6 saves him
    assert state(session).casualties["american"] == 2  # 1 for the weapon, 1 for the Crew
    assert rolled(session, "gun remains") == []


@pytest.mark.rule("ost", "110.13")
def test_the_crew_keeps_morale_marks_and_leader() -> None:
    session = game("g1 ger_hmg42 D4 shaken fired", "g2 ger_sgt D4 attached=g1", dice=(6, 1, 1))
    assert check(session)
    crew = next(u for u in state(session).units.values() if u.kind == "ger_crew")
    assert (crew.hex, crew.morale, crew.fired) == ("D4", SHAKEN, 1)
    assert unit(session, "g2").attached == crew.id
    assert battle(session).leader(crew) is unit(session, "g2")
    assert [(e.unit, e.crew) for e in happened(session, combat_events.CrewSurvived)] == [("g1", crew.id)]


@pytest.mark.rule("ost", "110.13")
def test_a_gun_that_stands_unmanned_inside_is_lost_too() -> None:
    session = game(
        "g1 ger_pak40 D4 unmanned f=1",
        "g2 ger_pak40 D5 unmanned f=1",
        "g3 ger_pak40 D4 unmanned on_road f=1",
        "g4 ger_rifle J8",
        roads=["D1:D8"],
        dice=(6,),
    )
    assert check(session)
    assert [unit(session, id).status for id in ("g1", "g2", "g3")] == [LOST, UNMANNED, UNMANNED]
    assert [event.weapon for event in happened(session, move_events.WeaponLost)] == ["g1"]
    assert state(session).casualties["american"] == 0


@pytest.mark.rule("ost", "110.9")
def test_hidden_units_are_shown_when_the_roof_comes_down() -> None:
    session = game("g1 ger_rifle D4 hidden", dice=(6, 1, 1))
    assert check(session)
    assert not unit(session, "g1").hidden
    assert len(rolled(session, "ICT attack")) == 1


# ---- Bunkers ------------------------------------------------------------------------------------------


def bunker(*units: str, dice: tuple[int, ...] = (), **more: Any) -> Session:
    more.setdefault("works", ["bunker D4 german"])
    return game(*units, building="", dice=dice, **more)


@pytest.mark.rule("ost", "28.9", "110.6")
@pytest.mark.parametrize(("face", "falls"), [(5, False), (6, True)])
def test_a_bunker_is_destroyed_on_a_6_and_hurts_nobody(face: int, falls: bool) -> None:
    session = bunker("g1 ger_rifle D4 inside with=ger_lmg", "g2 ger_rifle D4", dice=(face,))
    assert check(session) is falls
    assert ("D4" in state(session).works) is not falls
    assert unit(session, "g1").inside is not falls
    assert rolled(session, "ICT attack") == []
    assert state(session).rubble == []
    assert [weapon.unit for weapon in state(session).weapons.values()] == ["g1"]
    assert state(session).casualties["american"] == 0


@pytest.mark.rule("ost", "28.9", "110.3")
def test_oba_attacks_those_inside_first_then_the_bunker() -> None:
    session = bunker("g1 ger_rifle D4 inside", dice=(6, 1, 1, 5), assets={"american": {"rockets": 1}})
    strike(session, "rockets")
    assert [event.what for event in rolled(session)] == ["accuracy", "ICT attack", "collapse"]
    assert rolled(session)[1].tallies[1].total == 7  # 4 + 3
    assert "D4" not in state(session).works  # 5 + 1


@pytest.mark.rule("ost", "28.10")
def test_crewed_weapons_in_a_lost_bunker_become_crews_for_a_point_each() -> None:
    session = bunker("g1 ger_hmg42 D4 inside", "g2 ger_pak40 D4 inside f=1", "g3 ger_sgt D4 attached=g1", dice=(6,))
    assert check(session)
    crews = [u for u in state(session).units.values() if u.kind == "ger_crew"]
    assert [crew.hex for crew in crews] == ["D4", "D4"]
    assert not any(crew.inside for crew in crews)
    assert [unit(session, id).status for id in ("g1", "g2", "g3")] == [LOST, LOST, ON_MAP]
    assert unit(session, "g3").attached == crews[0].id
    assert state(session).casualties["american"] == 2
    assert [event.kind for event in happened(session, combat_events.Collapsed)] == ["bunker"]
    assert [event.weapon for event in happened(session, move_events.WeaponLost)] == ["g1", "g2"]
    assert rolled(session, "ICT attack") == []


@pytest.mark.rule("ost", "28.10")
def test_a_crewed_weapon_beside_the_bunker_is_not_lost() -> None:
    session = bunker("g1 ger_hmg42 D4", dice=(6,))
    assert check(session)
    assert unit(session, "g1").status == ON_MAP
    assert state(session).casualties["american"] == 0


@pytest.mark.rule("ost", "28.10")
def test_guns_left_in_a_lost_bunker_go_with_it_and_hidden_crews_are_shown() -> None:
    session = bunker(
        "g1 ger_pak40 D4 unmanned inside f=1",
        "g2 ger_pak40 D4 unmanned f=1",
        "g3 ger_pak40 D5 unmanned inside f=1",
        "g4 ger_hmg42 D4 inside hidden",
        works=["bunker D4 german", "bunker D5 german"],
        dice=(6,),
    )
    assert check(session)
    assert [unit(session, id).status for id in ("g1", "g2", "g3", "g4")] == [LOST, UNMANNED, UNMANNED, LOST]
    assert [event.unit for event in happened(session, move_events.Revealed)] == ["g4"]


@pytest.mark.rule("ost", "28.9", "20sc.2")
@pytest.mark.parametrize("threatens", [True, False])
def test_whether_a_satchel_threatens_bunkers_is_for_the_scenario(threatens: bool) -> None:
    options = {"satchel_collapses_bunkers": threatens}
    session = bunker("g1 ger_rifle D4 inside", dice=(5,) if threatens else (), options=options)
    assert check(session, satchel=True) is threatens
    gun = bunker("g1 ger_rifle D4 inside", dice=(6,), options=options)
    assert check(gun)  # other blows are not in question


@pytest.mark.rule("ost", "28.9", "29.11")
def test_a_hidden_bunker_is_not_rolled_for_and_a_pillbox_never() -> None:
    hidden = game("g1 ger_rifle D4 inside hidden", building="", works=["bunker D4 german hidden"])
    assert check(hidden) is False
    pillbox = game("g1 ger_rifle D4 inside", building="", works=["pillbox D4 german facing=1"])
    assert check(pillbox) is False


@pytest.mark.rule("ost", "110.1")
def test_nothing_is_asked_in_a_collapse() -> None:
    session = game("g1 ger_rifle D4", dice=(4, 1, 1, 6, 1, 1), assets={"american": {"mortars": 1}})
    strike(session, "mortars")
    assert session.ask is not None and session.ask.side == "german"
    assert keys(session, "oba") == []


@pytest.mark.rule("ost", "110.13", "17.3")
def test_the_crew_of_a_captured_gun_is_of_the_nation_that_mans_it() -> None:
    session = game("g1 us_hmg D4 side=german manned_by=ger_rifle captured", dice=(6, 1, 1))
    assert check(session)
    (crew,) = [u for u in state(session).units.values() if u.side == "german" and u.status == ON_MAP]
    assert crew.kind == "ger_crew"
