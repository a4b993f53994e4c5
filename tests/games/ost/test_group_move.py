"""Group Moves (80) and Rolling Cover (81)."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.games.ost import combat, group_move, move_events, movement
from grognard.games.ost.state import SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit
from tests.games.ost.marches import cost, march, offered

GROUP = ("g1 ger_rifle D4", "g2 ger_pioneer D4", "g3 ger_lt D4 attached=g1")
COVER = ("g1 ger_rifle D4", "g2 ger_pz4h D4 f=4")


def bar(session: Session, first: str, second: str) -> str:
    """The rule against a Group Move of two units."""
    found = group_move.bar_group_move(battle(session), unit(session, first), unit(session, second))
    return found.rule if found else ""


def bar_cover(session: Session, first: str, second: str) -> str:
    """The rule against Rolling Cover of two units."""
    found = group_move.bar_rolling_cover(battle(session), unit(session, first), unit(session, second))
    return found.rule if found else ""


# ---- 80: Group Move ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "80.1", "80.3", "80.4", "80.5")
def test_group_moves_as_its_slowest_unit_for_two_points() -> None:
    """Worked example E-29: Rifle 4 MP and Pioneer 3 MP move 3."""
    session = march(*GROUP)
    answer(session, "group_move g1 g2")
    assert state(session).points["german"] == 7
    assert session.ask is not None and "3 MP left" in session.ask.prompt
    answer(session, "step D5", "step D6", "step D7")
    assert {unit(session, id).hex for id in ("g1", "g2", "g3")} == {"D7"}
    assert unit(session, "g1").moved and unit(session, "g2").moved
    assert session.ask.quiet


@pytest.mark.rule("ost", "80.1")
def test_group_carries_two_weapons() -> None:
    session = march("g1 ger_rifle D4 with=ger_lmg", "g2 ger_pioneer D4 with=ger_satchel", "g3 ger_lt D4 attached=g1")
    answer(session, "group_move g1 g2", "step D5", "stop")
    assert [len(battle(session).weapons(unit(session, id))) for id in ("g1", "g2")] == [1, 1]


@pytest.mark.rule("ost", "80.2", "16.3")
def test_group_needs_an_attached_leader() -> None:
    assert bar(march("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_lt D4"), "g1", "g2") == "80.2"
    assert bar(march(*GROUP), "g1", "g2") == ""
    tank = march("g1 ger_rifle D4", "g2 ger_pz4h D4 f=4", "g3 ger_arm_lt D4 attached=g2")
    assert bar(tank, "g1", "g2") == "80.2", "an Armor Leader leads no group"
    broken = march("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_lt D4 attached=g1 broken")
    assert bar(broken, "g1", "g2") == "80.2"


@pytest.mark.rule("ost", "80.3", "67.1")
def test_group_needs_two_points() -> None:
    session = march(*GROUP, points={"german": 1, "american": 0})
    assert not keys(session, "group_move") and bar(session, "g1", "g2") == "80.3"


@pytest.mark.rule("ost", "80.5")
def test_group_starts_in_one_hex() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D5", "g3 ger_lt D4 attached=g1")
    assert bar(session, "g1", "g2") == "80.5"


@pytest.mark.rule("ost", "80.5", "80.4")
def test_no_hex_that_one_of_them_cannot_enter() -> None:
    session = march(
        "g1 ger_rifle D4", "g2 ger_pz4h D4 f=4", "g3 ger_lt D4 attached=g1", buildings=["light_structure D5"]
    )
    answer(session, "group_move g1 g2")
    assert not keys(session, "step"), "the tank cannot enter the house it faces"
    answer(session, "pivot 2", "step E4", "face 2")
    assert unit(session, "g1").hex == unit(session, "g2").hex == "E4"


@pytest.mark.rule("ost", "80.8")
def test_vehicles_do_not_group_with_vehicles() -> None:
    session = march("g1 ger_pz4h D4 f=4", "g2 ger_pz4h D4 f=4", "g3 ger_arm_lt D4 attached=g1")
    assert bar(session, "g1", "g2") == "80.8"


@pytest.mark.rule("ost", "12.1")
def test_no_snipers_in_groups() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_sniper E4", "g3 ger_lt D4 attached=g1")
    assert bar(session, "g1", "g2") == "12.1"


@pytest.mark.rule("ost", "68.6", "80.4")
def test_shaken_units_may_join_broken_ones_not() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D4 shaken", "g3 ger_lt D4 attached=g1")
    answer(session, "group_move g1 g2")
    assert session.ask is not None and "2 MP left" in session.ask.prompt
    assert bar(march("g1 ger_rifle D4", "g2 ger_rifle D4 broken", "g3 ger_lt D4 attached=g1"), "g1", "g2") == "68.6"


@pytest.mark.rule("ost", "80.6", "80.7", "105.9", "105.10")
def test_group_is_attacked_once_a_hex_and_stops_together() -> None:
    session = position(*GROUP, "a1 us_rifle D7", "a2 us_rifle E7", dice=(3, 4, 1, 1))
    answer(session, "group_move g1 g2", "step D5")
    assert {"a1 at g1 own", "a1 at g2 own"} <= set(keys(session))
    answer(session, "a1 at g2 own")
    assert unit(session, "g2").morale == SHAKEN and unit(session, "g1").morale == 0
    assert {unit(session, id).hex for id in ("g1", "g2")} == {"D5"}
    assert session.ask is not None and session.ask.quiet and session.ask.side == "german", (
        "no second shot, no next step"
    )
    assert unit(session, "g1").moved


@pytest.mark.rule("ost", "80.6")
def test_next_hex_next_shot() -> None:
    session = position(*GROUP, "a1 us_rifle D7", "a2 us_rifle E7", dice=(1, 1, 3, 4, 1, 1))
    answer(session, "group_move g1 g2", "step D5", "a1 at g1 own")
    assert session.ask is not None and session.ask.side == "german"
    answer(session, "step E5")
    assert session.ask.side == "american"


@pytest.mark.rule("ost", "80.7", "27.2")
def test_mines_stop_the_whole_group_and_spare_the_engineers() -> None:
    session = march(*GROUP, mines=["D5 american"], dice=(3, 4, 1, 1, 6, 6))
    answer(session, "group_move g1 g2", "step D5")
    assert [roll.unit for roll in rolled(session, "ICT attack")] == ["g1"]
    assert unit(session, "g1").morale and session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "20.12")
def test_group_handles_weapons_by_name() -> None:
    session = march(*GROUP, weapons=["w5 us_bar D5"])
    answer(session, "group_move g1 g2", "step D5")
    assert {"take w5 g1", "take w5 g2"} <= set(keys(session))
    answer(session, "take w5 g2")
    assert state(session).weapons["w5"].unit == "g2"


# ---- 81: Rolling Cover -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "81.1", "81.2", "81.3", "81.5")
def test_squad_rolls_behind_a_tank() -> None:
    session = march(*COVER)
    answer(session, "rolling_cover g1 g2")
    assert state(session).points["german"] == 7
    assert (unit(session, "g1").partner, unit(session, "g2").partner) == ("g2", "g1")
    assert session.ask is not None and "4 and 6 MP left" in session.ask.prompt, "each has its own"
    answer(session, "step D5", "face 4", "step D6", "face 4", "stop")
    assert {unit(session, id).hex for id in ("g1", "g2")} == {"D6"}
    assert unit(session, "g1").moved and unit(session, "g2").moved
    assert [event.on for event in happened(session, move_events.RollingCover)] == [True]


@pytest.mark.rule("ost", "81.1")
def test_only_a_squad_with_an_armored_vehicle() -> None:
    assert bar_cover(march("g1 ger_hmg42 D4", "g2 ger_pz4h D4 f=4"), "g1", "g2") == "81.1"
    assert bar_cover(march("g1 ger_rifle D4", "g2 ger_truck D4 f=4"), "g1", "g2") == "81.1"
    assert bar_cover(march("g1 ger_rifle D4 reduced", "g2 ger_sdkfz251 D4 f=4"), "g1", "g2") == ""


@pytest.mark.rule("ost", "81.3")
def test_both_start_in_the_same_hex() -> None:
    assert bar_cover(march("g1 ger_rifle D5", "g2 ger_pz4h D4 f=4"), "g1", "g2") == "80.5"


@pytest.mark.rule("ost", "81.4")
@pytest.mark.parametrize("pair", [("g1 ger_rifle D4 shaken", COVER[1]), (COVER[0], "g2 ger_pz4h D4 f=4 shaken")])
def test_both_must_be_in_good_order(pair: tuple[str, str]) -> None:
    assert bar_cover(march(*pair), "g1", "g2") == "81.4"


@pytest.mark.rule("ost", "81.6")
def test_pair_fires_separately_but_not_as_a_group() -> None:
    session = march(
        "g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=2 partner=g1", "g3 ger_lt D4 attached=g1", "a1 us_rifle G4"
    )
    assert {"fire g1", "fire g2"} <= set(keys(session))
    assert not keys(session, "fire_group")


@pytest.mark.rule("ost", "81.7")
def test_squad_behind_a_vehicle_has_one_more_defense() -> None:
    session = march("g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=2 partner=g1", terrain={"woods": "D4"})
    found = combat.defense_tally(battle(session), unit(session, "g1"), "fire")
    assert lines(found) == {"terrain": 2, "rolling_cover": 1}
    assert "rolling_cover" not in lines(combat.defense_tally(battle(session), unit(session, "g2"), "fire"))


@pytest.mark.rule("ost", "81.8", "100.1", "100.3")
def test_hit_on_the_vehicle_threatens_the_squad() -> None:
    session = position(
        "g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=2 partner=g1", "a1 us_m4a1 G4 f=5",
        active="american", dice=(6, 5, 1, 1, 1, 1, 1, 1),
    )  # fmt: skip
    answer(session, "fire a1", "at g2 main")
    assert rolled(session, "VCT attack")
    assert tally(session, "column", "ICT attack").total == -5
    assert rolled(session, "ICT attack")[0].unit == "g1"


@pytest.mark.rule("ost", "81.9", "82.9")
def test_pair_assaults_together_under_a_leader() -> None:
    pair = ("g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=4 partner=g1")
    session = march(*pair, "a1 us_rifle D5")
    assert not keys(session, "group_assault") and not keys(session, "assault"), "no Leader, and not one alone"
    session = march(*pair, "g3 ger_arm_lt D4 attached=g2", "a1 us_rifle D5")
    answer(session, "group_assault g1 g2 D5")
    assert {unit(session, id).hex for id in ("g1", "g2")} == {"D5"}


@pytest.mark.rule("ost", "81.10", "81.3")
def test_pair_moves_only_together_until_the_owner_lifts_the_marker() -> None:
    session = march("g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=4 partner=g1")
    assert not keys(session, "move")
    found = movement.bar_move(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "81.10"
    assert offered(session, "rolling_cover g1 g2")
    answer(session, "lift g1")
    assert state(session).points["german"] == 9 and session.ask is not None and session.ask.side == "german"
    assert {"move g1", "move g2"} <= set(keys(session))
    assert (unit(session, "g1").partner, unit(session, "g2").partner) == ("", "")


@pytest.mark.rule("ost", "81.10", "111.11")
def test_rolling_cover_outlasts_the_turn() -> None:
    session = march(
        "g1 ger_rifle D4 partner=g2 moved", "g2 ger_pz4h D4 f=4 partner=g1 moved",
        phase="clean", dice=(6, 6, 1, 1, 6, 6, 1, 1),
    )  # fmt: skip
    assert unit(session, "g1").partner == "g2" and not unit(session, "g1").moved


@pytest.mark.rule("ost", "81.10")
def test_rolling_cover_ends_with_one_of_the_pair() -> None:
    session = position(
        "g1 ger_rifle D4 partner=g2 reduced", "g2 ger_pz4h D4 f=2 partner=g1", "a1 us_rifle G4",
        active="american", dice=(6, 6),
    )  # fmt: skip
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").status == "lost" and unit(session, "g2").partner == ""


@pytest.mark.rule("ost", "81.10")
@pytest.mark.parametrize("taken", ["g1", "g2"])
def test_one_of_a_pair_goes_with_nobody_else(taken: str) -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h D4 f=4", "g3 ger_rifle E4", "g4 ger_pz4h E4 f=4")
    assert bar_cover(session, "g1", "g2") == ""
    unit(session, taken).partner = "g4" if taken == "g1" else "g3"
    assert bar_cover(session, "g1", "g2") == "81.10"


@pytest.mark.rule("ost", "81.3", "75.6")
def test_a_group_may_take_the_one_hex_that_is_always_allowed() -> None:
    session = march(*COVER, terrain={"marsh": "D5"}, levels={"3": "D5"}, hexsides={"hedge": "D4|D5"}, dice=(6,))
    answer(session, "rolling_cover g1 g2")
    assert cost(session, "step D5") == "7 MP", "more than the tank's 6"
    answer(session, "step D5", "face 4")
    assert session.ask is not None and session.ask.quiet and unit(session, "g1").hex == "D5"


# ---- groups in buildings, works and on guns -------------------------------------------------------------


@pytest.mark.rule("ost", "57.2", "57.4", "81.3")
def test_a_squad_in_rolling_cover_keeps_to_the_road_of_its_vehicle() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h D4 f=1", roads=["D5:D1"], buildings=["heavy_structure D3"])
    answer(session, "rolling_cover g1 g2", "step D3")
    assert unit(session, "g1").on_road and unit(session, "g2").on_road
    assert [moved.cost for moved in happened(session, move_events.Moved)] == ["1", "½"]
    assert "terrain" not in lines(combat.defense_tally(battle(session), unit(session, "g1")))


@pytest.mark.rule("ost", "80.5", "28.5", "57.1")
def test_a_group_enters_and_leaves_a_bunker_as_one() -> None:
    session = march(*GROUP, works=["bunker D5 german"])
    answer(session, "group_move g1 g2", "step D5", "inside")
    assert all(unit(session, id).inside for id in ("g1", "g2", "g3"))
    assert session.ask is not None and "1 MP left" in session.ask.prompt
    answer(session, "outside")
    assert not any(unit(session, id).inside for id in ("g1", "g2", "g3"))
    session = march(*GROUP, roads=["D5:D1"], buildings=["heavy_structure D5"])
    answer(session, "group_move g1 g2", "step D5 road", "building")
    assert not any(unit(session, id).on_road for id in ("g1", "g2", "g3"))
    session = march("g1 ger_rifle D4 inside", *GROUP[1:], works=["bunker D4 german"])
    answer(session, "group_move g1 g2")
    assert not offered(session, "inside") and not offered(session, "outside"), "one is in, one is out"


@pytest.mark.rule("ost", "80.1", "17.3", "17.10")
def test_a_squad_of_a_group_mans_or_destroys_the_gun_it_moves_onto() -> None:
    session = march(*GROUP, "g9 ger_pak40 D5 unmanned f=1")
    answer(session, "group_move g1 g2", "step D5")
    assert offered(session, "man g9 g1") and offered(session, "destroy g9")
    wrecked, points = session.fork(), state(session).points["german"]
    answer(wrecked, "destroy g9")
    assert unit(wrecked, "g9").status == "lost" and state(wrecked).points["german"] == points
    assert offered(wrecked, "stop"), "the group goes on"
    answer(session, "man g9 g2")
    assert unit(session, "g9").manned_by == "ger_pioneer" and unit(session, "g9").moved
    assert unit(session, "g1").hex == "D5" and unit(session, "g1").moved
    assert session.ask is not None and session.ask.prompt.startswith("Your Impulse"), "the Group Move is over"


@pytest.mark.rule("ost", "81.10", "17.3")
def test_a_squad_in_rolling_cover_mans_no_gun() -> None:
    session = march(*COVER, "g9 ger_pak40 D5 unmanned f=1")
    answer(session, "rolling_cover g1 g2", "step D5", "face 4")
    assert not any(key.startswith("man") for key in keys(session)) and offered(session, "destroy g9")
