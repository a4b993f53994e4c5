"""Assault Moves (82)."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.games.ost import assault, move_events, turn_events
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, unit
from tests.games.ost.marches import march

FOE = "a1 us_rifle D5"


def bar(session: Session, id: str, hex: str = "D5") -> str:
    """The rule that keeps a unit from assaulting a hex."""
    found = assault.bar_assault(battle(session), unit(session, id), hex)
    return found.rule if found else ""


def bar_group(session: Session, first: str, second: str, hex: str = "D5") -> str:
    """The rule against a group assault."""
    found = assault.bar_group_assault(battle(session), unit(session, first), unit(session, second), hex)
    return found.rule if found else ""


@pytest.mark.rule("ost", "82.1", "82.2", "82.5", "82.6", "101.4")
def test_assault_takes_a_unit_into_the_enemy_s_hex() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_lt D4 attached=g1", FOE, "a2 us_rifle D7")
    assert keys(session, "assault") == ["assault g1 D5"], "adjacent hexes only"
    answer(session, "assault g1 D5")
    assert unit(session, "g1").hex == unit(session, "g2").hex == "D5"
    assert state(session).points["german"] == 8
    fight = state(session).melees["D5"]
    assert (fight.initiator, fight.turn, fight.fought) == ("german", 5, False), "fought at the end of the turn"
    assert unit(session, "a1").morale == 0


@pytest.mark.rule("ost", "82.1")
def test_no_assault_on_an_empty_hex() -> None:
    assert bar(march("g1 ger_rifle D4"), "g1") == "82.1"
    assert bar(march("g1 ger_rifle D4", "a1 us_rifle D5 hidden"), "g1") == "82.1", "hidden units are not seen"


@pytest.mark.rule("ost", "82.2")
def test_no_assault_beyond_one_hex() -> None:
    assert bar(march("g1 ger_rifle D3", FOE), "g1") == "75.1"


@pytest.mark.rule("ost", "82.3")
def test_terrain_must_be_open_to_the_unit() -> None:
    house = {"buildings": ["light_structure D5"]}
    assert bar(march("g1 ger_pz4h D4 f=4", FOE, **house), "g1") == "53.7"  # type: ignore[arg-type]
    assert bar(march("g1 ger_rifle D4", FOE, **house), "g1") == ""  # type: ignore[arg-type]
    assert bar(march("g1 ger_pz4h D4 f=4", FOE, hexsides={"bocage": "D4|D5"}), "g1") == "47.8"
    assert bar(march("g1 ger_pz4h D4 f=4", FOE, works=["roadblock D5"]), "g1") == "31.1"


@pytest.mark.rule("ost", "82.4", "74.1")
def test_one_assault_a_turn_and_two_actions_in_all() -> None:
    assert bar(march("g1 ger_rifle D4 assaulted", FOE), "g1") == "82.4"
    assert bar(march("g1 ger_rifle D4 moved", FOE), "g1") == ""
    assert bar(march("g1 ger_rifle D4 fired", FOE), "g1") == ""
    assert bar(march("g1 ger_rifle D4 used", FOE), "g1") == "74.1"
    assert bar(march("g1 ger_rifle D4 moved fired", FOE), "g1") == "74.1"


@pytest.mark.rule("ost", "82.5", "74.6")
def test_assault_is_a_limited_action() -> None:
    session = march("g1 ger_rifle D4 fired", FOE)
    answer(session, "assault g1 D5")
    assert battle(session).used(unit(session, "g1")) and unit(session, "g1").assaulted
    assert [mark.marker for mark in happened(session, turn_events.Marked)] == ["Used"]


@pytest.mark.rule("ost", "82.7", "68.4", "68.7")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
def test_only_good_order_units_assault(morale: str) -> None:
    assert bar(march(f"g1 ger_rifle D4 {morale}", FOE), "g1") == "82.7"


@pytest.mark.rule("ost", "82.10")
@pytest.mark.parametrize(
    "who",
    [
        "ger_hmg42 D4",
        "ger_pak40 D4 f=4",
        "ger_sniper D4",
        "ger_lt D4",
        "ger_truck D4 f=4",
        "ger_kubel D4 f=4",
        "ger_pz4h D4 f=4 mgs_out guns_out=0",
    ],
)
def test_who_may_not_assault(who: str) -> None:
    assert bar(march(f"g1 {who}", FOE), "g1") == "82.10"


@pytest.mark.rule("ost", "82.10")
def test_loaded_vehicle_does_not_assault() -> None:
    session = march("g1 ger_sdkfz251 D4 f=4", "g2 ger_rifle D4 aboard=g1", FOE)
    assert bar(session, "g1") == "82.10"
    assert bar(march("g1 ger_sdkfz251 D4 f=4", FOE), "g1") == ""
    assert bar(march("g1 ger_pz4h D4 f=4 mgs_out", FOE), "g1") == "", "one armament still works"


@pytest.mark.rule("ost", "76.4", "82.3")
def test_vehicle_assaults_the_hex_it_faces() -> None:
    assert bar(march("g1 ger_pz4h D4 f=4", FOE), "g1") == ""
    assert bar(march("g1 ger_pz4h D4 f=1", FOE), "g1") == "76.4"


@pytest.mark.rule("ost", "101.4", "102.32", "72.1")
def test_melee_is_closed_this_turn_and_reinforced_the_next() -> None:
    fight = ("g1 ger_rifle D4", "g2 ger_rifle D5", FOE)
    assert bar(march(*fight, melees=["D5 german"]), "g1") == "101.4"
    session = march(*fight, melees=["D5 american turn=6"])
    answer(session, "assault g1 D5")
    assert unit(session, "g1").hex == "D5"
    assert state(session).melees["D5"].initiator == "american", "whoever began it stays the one who did"
    full = march(*fight, "g3 ger_rifle D5", melees=["D5 american turn=6"])
    assert bar(full, "g1") == "72.1"


@pytest.mark.rule("ost", "101.3")
def test_a_unit_in_a_melee_assaults_no_other_hex() -> None:
    fight = ("g1 ger_rifle D4", "a2 us_rifle D4", FOE)
    session = march(*fight, melees=["D4 american turn=6"])
    assert bar(session, "g1") == "101.3" and not keys(session, "assault")
    pair = march(*fight, "g2 ger_rifle D4", "g3 ger_lt D4 attached=g1", melees=["D4 american turn=6"])
    assert bar_group(pair, "g1", "g2") == "101.3" and not keys(pair, "group_assault")


@pytest.mark.rule("ost", "105.0", "82.6")
def test_assault_draws_no_opportunity_fire() -> None:
    """F-15: the Melee marker is placed at once; a Move as near to the same enemies is fired at."""
    units = ("g1 ger_rifle D4", FOE, "a2 us_rifle D7")
    session = position(*units)
    answer(session, "assault g1 D5")
    assert session.ask is not None and (session.ask.side, session.ask.reaction) == ("american", "")
    assert "D5" in state(session).melees and unit(session, "g1").hex == "D5"
    assert not rolled(session), "the Melee is fought when the turn ends"
    mover = position(*units)
    answer(mover, "move g1", "step E5")
    assert mover.ask is not None and (mover.ask.side, mover.ask.reaction) == ("american", "opportunity fire")


@pytest.mark.rule("ost", "82.1", "27.2", "77.2", "30.5")
def test_mines_and_bog_on_the_way_in() -> None:
    session = march("g1 ger_rifle D4", FOE, mines=["D5 american"], dice=(3, 4, 1, 1))
    answer(session, "assault g1 D5")
    assert rolled(session, "ICT attack")[0].unit == "g1" and unit(session, "g1").morale
    assert "D5" in state(session).melees
    tank = march("g1 ger_pz4h D4 f=4", FOE, terrain={"woods": "D5"}, works=["wire D5"], dice=(1,))
    answer(tank, "assault g1 D5")
    assert unit(tank, "g1").bogged and "D5" in state(tank).melees and "D5" in state(tank).works


@pytest.mark.rule("ost", "82.6")
def test_an_assault_that_dies_in_the_mines_sets_no_melee() -> None:
    session = march("g1 ger_rifle D4 reduced", FOE, mines=["D5 american"], dice=(6, 6))
    answer(session, "assault g1 D5")
    assert unit(session, "g1").status == "lost" and not state(session).melees


@pytest.mark.rule("ost", "11.3", "82.6", "65.3")
@pytest.mark.parametrize(("die", "away"), [(5, True), (4, False)])
def test_lone_leader_may_slip_away(die: int, away: bool) -> None:
    session = march("g1 ger_rifle D4", "a1 us_lt D5", control={"D5": "american"}, dice=(die,))
    answer(session, "assault g1 D5", "evade a1")
    if away:
        answer(session, "evade a1 D6")
        assert unit(session, "a1").hex == "D6"
        assert state(session).control["D5"] == "german", "nobody is left to fight for it"
    assert ("D5" in state(session).melees) is not away


@pytest.mark.rule("ost", "82.4", "101.3", "74.1")
@pytest.mark.parametrize("kind", ["ger_rifle", "ger_pioneer"])
def test_an_assault_ends_the_turn_of_a_unit_also_where_everybody_slipped_away(kind: str) -> None:
    """A-1: no Fire, no engineers' work and no Move follow an Assault Move."""
    session = march(f"g1 {kind} D4", "a1 us_lt D5", "a2 us_rifle D7", dice=(5,), points={"german": 3, "american": 1})
    answer(session, "assault g1 D5", "evade a1", "evade a1 E5", "pass")
    assert not state(session).melees
    assert [key for key in keys(session) if "g1" in key] == ["cover g1"]
    assert [bar.rule for bar in session.why_not("german", "fire g1")] == ["101.3"]


@pytest.mark.rule("ost", "57.1")
def test_assault_along_the_road_or_into_the_building() -> None:
    street = {"roads": ["D4, D5, D6"], "buildings": ["heavy_structure D5"]}
    session = march("g1 ger_rifle D4", FOE, **street)  # type: ignore[arg-type]
    answer(session, "assault g1 D5", "road")
    assert unit(session, "g1").on_road


@pytest.mark.rule("ost", "28.13", "102.3")
def test_bunker_does_not_keep_melee_out() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D5 inside", works=["bunker D5 american"])
    answer(session, "assault g1 D5")
    assert "D5" in state(session).melees


@pytest.mark.rule("ost", "82.6", "73.8")
def test_who_lies_hidden_beside_the_assaulted_is_found_and_fights() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D5", "a2 us_rifle D5 hidden")
    answer(session, "assault g1 D5")
    while session.ask is not None and session.ask.reaction:
        answer(session, "pass")
    assert "D5" in state(session).melees
    assert [unit(session, id).hidden for id in ("a1", "a2", "g1")] == [False, False, False]
    found = happened(session, move_events.Revealed)
    assert [(event.unit, event.rules) for event in found] == [("a2", ("73.8",))]


@pytest.mark.rule("ost", "73.6")
def test_assault_reveals() -> None:
    session = march("g1 ger_rifle D4 hidden", FOE)
    answer(session, "assault g1 D5")
    assert not unit(session, "g1").hidden


@pytest.mark.rule("ost", "10.4")
def test_assault_ends_clearing() -> None:
    session = march("g1 ger_pioneer D4 clearing=wire fired", FOE, works=["wire D4"])
    answer(session, "assault g1 D5")
    assert unit(session, "g1").clearing == ""


@pytest.mark.rule("ost", "81.10", "82.10")
def test_leader_goes_along_and_a_broken_one_does_not() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_lt D4 attached=g1 broken", FOE)
    answer(session, "assault g1 D5")
    assert (unit(session, "g2").hex, unit(session, "g2").attached) == ("D4", "")
    left = happened(session, move_events.Detached)
    assert [(event.side, event.unit, event.rules) for event in left] == [("german", "g2", ("68.6",))]


# ---- group assaults (82.8, 82.9) ---------------------------------------------------------------------


@pytest.mark.rule("ost", "82.8", "80.2", "80.3")
def test_two_squads_assault_together() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_lt D4 attached=g1", FOE)
    answer(session, "group_assault g1 g2 D5")
    assert {unit(session, id).hex for id in ("g1", "g2", "g3")} == {"D5"}
    assert state(session).points["german"] == 7
    assert unit(session, "g1").assaulted and unit(session, "g2").assaulted
    assert bar_group(march("g1 ger_rifle D4", "g2 ger_rifle D4", FOE), "g1", "g2") == "82.9"
    poor = march(
        "g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_lt D4 attached=g1", FOE, points={"german": 1, "american": 0}
    )
    assert not keys(poor, "group_assault") and bar_group(poor, "g1", "g2") == "82.8"


@pytest.mark.rule("ost", "82.9", "80.5")
def test_vehicle_may_join_from_an_adjacent_hex() -> None:
    squads = march("g1 ger_rifle D4", "g2 ger_rifle E5", "g3 ger_lt D4 attached=g1", FOE)
    assert bar_group(squads, "g1", "g2") == "80.5", "squads start in the same hex"
    session = march("g1 ger_rifle D4", "g2 ger_pz4h E5 f=5", "g3 ger_lt D4 attached=g1", FOE)
    answer(session, "group_assault g1 g2 D5")
    assert {unit(session, id).hex for id in ("g1", "g2", "g3")} == {"D5"}
    armor = march("g1 ger_rifle D4", "g2 ger_pz4h E5 f=5", "g3 ger_arm_lt E5 attached=g2", FOE)
    assert bar_group(armor, "g1", "g2") == "", "an Armor Leader will do"
    apart = march("g1 ger_rifle D4", "g2 ger_pz4h D6 f=1", "g3 ger_lt D4 attached=g1", FOE)
    assert bar_group(apart, "g1", "g2") == "80.5", "two hexes apart"


@pytest.mark.rule("ost", "80.8")
def test_no_group_of_two_vehicles() -> None:
    session = march("g1 ger_pz4h D4 f=4", "g2 ger_pz4h D4 f=4", "g3 ger_arm_lt D4 attached=g1", FOE)
    assert bar_group(session, "g1", "g2") == "80.8"


@pytest.mark.rule("ost", "82.8", "82.7")
def test_each_member_must_be_able_to_assault() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D4 shaken", "g3 ger_lt D4 attached=g1", FOE)
    assert bar_group(session, "g1", "g2") == "82.7"
    guns = march("g1 ger_rifle D4", "g2 ger_hmg42 D4", "g3 ger_lt D4 attached=g1", FOE)
    assert bar_group(guns, "g1", "g2") == "82.10"


@pytest.mark.rule("ost", "27.2", "27.3", "82.8")
def test_mines_attack_each_member_but_engineers() -> None:
    session = march(
        "g1 ger_rifle D4", "g2 ger_pioneer D4", "g3 ger_lt D4 attached=g1", FOE, mines=["D5 american"], dice=(1, 1)
    )
    answer(session, "group_assault g1 g2 D5")
    assert [roll.unit for roll in rolled(session, "ICT attack")] == ["g1"]
    assert lines(rolled(session, "ICT attack")[0].tallies[0]) == {}


@pytest.mark.rule("ost", "82.6", "99.1")
def test_crew_of_a_vehicle_lost_on_entry_is_in_the_melee() -> None:
    """Mines destroy the assaulting tank; its crew stands among enemies, so there is a Melee all the same."""
    session = position("g1 ger_hetzer D4 f=4", "a1 us_m4a1 D5 f=1", mines=["D5 american"], dice=(6, 6, 6))
    answer(session, "assault g1 D5")
    assert "D5" in state(session).melees
    assert {unit.kind for unit in battle(session).at["D5"]} == {"us_m4a1", "ger_crew"}


@pytest.mark.rule("ost", "82.1", "20.11", "20.12")
def test_a_squad_with_two_weapons_lays_one_down_to_assault() -> None:
    session = position("g1 ger_rifle D4 with=ger_lmg,ger_panzerfaust", "a1 us_rifle D5")
    answer(session, "assault g1 D5")
    assert set(keys(session)) == {"keep w1", "keep w2"}
    answer(session, "keep w2")
    assert unit(session, "g1").hex == "D5" and "D5" in state(session).melees
    assert (state(session).weapons["w1"].hex, state(session).weapons["w2"].unit) == ("D4", "g1")
