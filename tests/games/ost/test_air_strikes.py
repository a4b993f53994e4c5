"""Air Strikes: two adjacent hexes, a pilot, a target in each hex (106)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.session import Session
from grognard.games.ost import air_strikes, artillery, combat_events
from grognard.games.ost.state import LOST, ON_MAP
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit

AIR = {"american": {"air": 1}}


def game(*units: str, dice: tuple[int, ...] = (), **more: Any) -> Session:
    """An American squad in A4 with an Air Strike at hand."""
    return position("a1 us_rifle A4", *units, dice=dice, **{"assets": AIR, **more})


def strike(session: Session, first: str, second: str, *targets: str) -> Session:
    answer(session, "air", f"hex {first}", f"hex {second}", *(f"target {id}" for id in targets))
    assert not isinstance(session.ask, FacesAsk), session.ask
    assert isinstance(session.dice, ScriptedDice)
    assert session.dice.position == len(session.dice.script), "dice are left over"
    return session


def attacked(session: Session) -> list[tuple[str, int, int]]:
    return [
        (event.unit, event.tallies[0].total, event.tallies[1].total)
        for event in rolled(session)
        if event.what in ("ICT attack", "VCT attack") and len(event.tallies) == 3
    ]


# ---- calling it ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "106.0", "106.1")
def test_a_strike_costs_a_point_and_an_asset() -> None:
    session = game("g1 ger_rifle D4", dice=(3, 1, 1))
    assert keys(session, "air") == ["air"]
    strike(session, "D4", "D5")
    assert state(session).points["american"] == 4
    assert state(session).assets["american"]["air"] == 0
    assert session.ask is not None and session.ask.side == "german"
    answer(session, "burn")
    assert keys(session, "air") == []


@pytest.mark.rule("ost", "106.0")
def test_without_an_air_strike_on_the_sheet_there_is_none() -> None:
    assert keys(game("g1 ger_rifle D4", assets={"american": {"mortars": 1}}), "air") == []
    late = game("g1 ger_rifle D4", asset_turns={"american": {"air": 2}})
    assert air_strikes.bar_air(battle(late), "american") == artillery.NOT_YET


@pytest.mark.rule("ost", "106.1")
@pytest.mark.parametrize(("points", "bar"), [(0, air_strikes.NO_POINT), (1, None)])
def test_it_needs_a_point(points: int, bar: object) -> None:
    session = game("g1 ger_rifle D4", points={"american": points})
    assert air_strikes.bar_air(battle(session), "american") == bar
    assert air_strikes.bar_air(battle(session), "american", free=True) is None


@pytest.mark.rule("ost", "106.2", "106.4")
def test_two_adjacent_hexes_are_declared_before_any_roll() -> None:
    session = game("g1 ger_rifle D4")
    answer(session, "air", "hex D4")
    assert sorted(keys(session)) == sorted(f"hex {hex}" for hex in battle(session).grid.adjacent["D4"])
    assert rolled(session) == []
    assert state(session).points["american"] == 5


@pytest.mark.rule("ost", "106.3", "58.2")
def test_one_of_the_hexes_must_be_in_sight_the_other_need_not() -> None:
    session = game("g1 ger_rifle D4", terrain={"woods": "C1-C8"}, dice=(3, 1, 1))
    answer(session, "air")
    assert "hex C4" in keys(session)
    assert "hex D4" not in keys(session)
    answer(session, "hex C4", "hex D4")
    assert attacked(session) == [("g1", 6, 4)]


@pytest.mark.rule("ost", "106.3", "68.4", "68.7")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
def test_it_needs_a_good_order_unit(morale: str) -> None:
    session = position(f"a1 us_rifle A4 {morale}", "g1 ger_rifle D4", assets=AIR)
    assert keys(session, "air") == []
    assert air_strikes.bar_air(battle(session), "american") == air_strikes.NOTHING_SEEN


@pytest.mark.rule("ost", "101.2")
def test_melees_are_not_attacked() -> None:
    session = game("a2 us_rifle D4", "g1 ger_rifle D4", melees=["D4 german"])
    answer(session, "air")
    assert "hex D4" not in keys(session)
    answer(session, "hex D5")
    assert "hex D4" not in keys(session)


# ---- the pilot ----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "106.5", "106.6", "106.7", "106.8", "106.9")
@pytest.mark.parametrize(
    ("face", "pilot", "power"),
    [(1, "Green", 4), (2, "Green", 4), (3, "Veteran", 6), (4, "Veteran", 6), (5, "Veteran", 6), (6, "Ace", 8)],
)
def test_the_pilot_gives_both_hexes_the_same_firepower(face: int, pilot: str, power: int) -> None:
    session = strike(game("g1 ger_rifle D4", "g2 ger_pz4h D5", dice=(face, 1, 1, 1, 1)), "D4", "D5")
    assert rolled(session, "pilot quality")[0].meaning == pilot
    assert rolled(session, "pilot quality")[0].side == "american"
    assert attacked(session) == [("g1", power, 4), ("g2", power, 4)]
    assert rolled(session, "pilot quality")[0].value == power


# ---- targets ------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "106.10")
def test_each_hex_is_attacked_with_its_own_roll() -> None:
    session = strike(game("g1 ger_rifle D4", "g2 ger_rifle D5", dice=(3, 6, 6, 1, 1)), "D4", "D5")
    assert unit(session, "g1").status == LOST
    assert unit(session, "g2").status == ON_MAP
    assert [event.places for event in happened(session, combat_events.AirStrike)] == [("D4", "D5")]


@pytest.mark.rule("ost", "106.11")
def test_of_several_units_the_attacker_chooses_one() -> None:
    session = game("g1 ger_rifle D4", "g2 ger_hmg42 D4", dice=(3, 1, 1))
    answer(session, "air", "hex D4", "hex D5")
    assert keys(session) == ["target g1", "target g2"]
    assert [event.what for event in rolled(session)] == ["pilot quality"]
    answer(session, "target g2")
    assert attacked(session) == [("g2", 6, 4)]


@pytest.mark.rule("ost", "106.11")
def test_friends_can_be_hit_and_hidden_enemies_cannot() -> None:
    session = strike(game("a2 us_rifle D4", "g1 ger_rifle D5 hidden", dice=(3, 6, 6)), "D4", "D5")
    assert attacked(session) == [("a2", 6, 4)]
    assert state(session).casualties == {"american": 0, "german": 2}
    assert unit(session, "g1").hidden


@pytest.mark.rule("ost", "106.11")
def test_a_side_that_attacks_its_own_hidden_unit_gives_it_away() -> None:
    session = strike(game("a2 us_rifle D4 hidden", "g1 ger_rifle J8", dice=(3, 1, 1)), "D4", "D5")
    assert attacked(session) == [("a2", 6, 4)]
    assert not unit(session, "a2").hidden


@pytest.mark.rule("ost", "106.11", "106.12")
def test_an_empty_vehicle_is_a_target_among_others() -> None:
    session = game("g1 ger_rifle D4", "g2 ger_truck D4")
    assert [u.id for u in air_strikes.targets(battle(session), "american", "D4")] == ["g1", "g2"]


@pytest.mark.rule("ost", "106.12", "100.1", "79.20")
def test_a_vehicle_with_riders_is_the_target_and_they_take_collateral_damage() -> None:
    session = game("g1 ger_rifle D4", "g2 ger_sdkfz251 D4", "g3 ger_rifle D4 aboard=g2", dice=(3, 1, 1, 1, 1))
    strike(session, "D4", "D5")
    attacks = [event for event in rolled(session) if event.what != "pilot quality"]
    assert [(e.what, e.unit) for e in attacks] == [("VCT attack", "g2"), ("ICT attack", "g3")]
    assert attacks[1].tallies[0].total == -5


@pytest.mark.rule("ost", "106.13", "46.9", "47.6", "48.6")
def test_terrain_and_works_count_but_hexsides_do_not() -> None:
    session = game(
        "g1 ger_rifle D4",
        "g2 ger_rifle D5",
        dice=(3, 1, 1, 1, 1),
        terrain={"woods": "D4, D5"},
        works=["trench D4"],
        hexsides={"hedge": "D4|E4", "stone_wall": "D3|D4", "bocage": "C4|D4"},
    )
    strike(session, "D4", "D5")
    assert attacked(session) == [("g1", 6, 8), ("g2", 6, 6)]  # woods + 2, trench + 2; no airburst from the air


@pytest.mark.rule("ost", "106.14", "21.19", "107.10")
def test_vehicles_are_hit_on_the_flank_without_a_roll_open_tops_at_minus_one() -> None:
    session = strike(game("g1 ger_tiger1 D4 f=6", "g2 ger_marder3 D5", dice=(3, 1, 1, 1, 1)), "D4", "D5")
    assert attacked(session) == [("g1", 6, 7), ("g2", 6, 1)]
    assert lines(tally(session, "Defense", "VCT attack")) == {"open_top": -1}
    assert rolled(session, "To Hit") == []


@pytest.mark.rule("ost", "106.15", "110.1", "110.4", "28.9")
def test_both_hexes_are_checked_for_collapse_after_their_attack_even_empty_ones() -> None:
    session = game(
        "g1 ger_rifle D4 inside",
        dice=(3, 1, 1, 6, 6),
        works=["bunker D4 german"],
        buildings=["heavy_structure D5"],
    )
    strike(session, "D4", "D5")
    assert [event.what for event in rolled(session)] == ["pilot quality", "ICT attack", "collapse", "collapse"]
    assert "D4" not in state(session).works
    assert state(session).rubble == ["D5"]


@pytest.mark.rule("ost", "106.15")
def test_an_air_strike_does_not_clear_wire() -> None:
    session = strike(game("g1 ger_rifle J8", dice=(3,), works=["wire D4 german"]), "D4", "D5")
    assert "D4" in state(session).works


@pytest.mark.rule("ost", "106.16", "91.6", "88.5")
def test_attached_leaders_roll_and_leaders_on_their_own_are_attacked() -> None:
    # g1: 6 - 4 = +2, a 9 is C-S: reduced, its Leader's 1 kills him, the survivors fail their check
    session = game("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_lt D5", dice=(3, 4, 5, 1, 1, 1, 4, 4))
    strike(session, "D4", "D5")
    assert [event.what for event in rolled(session)][1:] == ["ICT attack", "Leader Casualty", "Gut Check", "ICT attack"]
    assert [event.unit for event in rolled(session, "ICT attack")] == ["g1", "g3"]
    assert unit(session, "g2").status == LOST and unit(session, "g3").status == LOST


@pytest.mark.rule("ost", "106.16", "88.5", "16.9")
def test_leaders_in_a_stack_and_armor_leaders_are_not_chosen() -> None:
    session = game("g1 ger_rifle D4", "g2 ger_lt D4", "g3 ger_pz4h D5", "g4 ger_arm_lt D5 attached=g3")
    here = battle(session)
    assert [u.id for u in air_strikes.targets(here, "american", "D4")] == ["g1"]
    assert [u.id for u in air_strikes.targets(here, "american", "D5")] == ["g3"]


@pytest.mark.rule("ost", "106.1")
def test_a_free_strike_costs_neither_point_nor_asset() -> None:
    session = game("g1 ger_rifle D4", dice=(3, 1, 1), cards={"american": ["strafing_run"]})
    answer(session, "card strafing_run", "hex D4", "hex D5")
    assert attacked(session) == [("g1", 6, 4)]
    assert state(session).points["american"] == 5
    assert state(session).assets["american"]["air"] == 1
