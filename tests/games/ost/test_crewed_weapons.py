"""Unmanned guns, manning, capturing, abandoning and spinning (17.2-17.14, 19)."""

from __future__ import annotations

import pytest

from grognard.games.ost import crewed_weapons, move_events
from grognard.games.ost.state import LOST, ON_MAP, SHAKEN, UNMANNED
from tests.games.ost.helpers import answer, battle, happened, keys, position, rolled, state, unit
from tests.games.ost.marches import march, offered

GUN = "p1 ger_pak40 D5 unmanned f=4"


# ---- the gun that remains (17.2) ---------------------------------------------------------------------


@pytest.mark.rule("ost", "17.2")
@pytest.mark.parametrize(("die", "status"), [(4, LOST), (5, UNMANNED), (6, UNMANNED)])
def test_eliminated_crewed_weapon_may_stay_on_the_field(die: int, status: str) -> None:
    session = position("g1 ger_pak40 D4 reduced f=3", "a1 us_rifle D7", active="american", dice=(6, 6, die))
    answer(session, "fire a1", "at g1 own")
    gun = unit(session, "g1")
    assert (gun.status, gun.hex, gun.facing) == (status, "D4", 3)
    assert rolled(session, "gun remains")[0].side == "american"
    assert bool(happened(session, move_events.Unmanned)) == (status == UNMANNED)


# ---- manning (17.3-17.7) -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "17.3", "17.7")
def test_a_squad_mans_the_gun_it_moves_onto() -> None:
    session = march("g1 ger_rifle D4 with=ger_lmg", "g2 ger_lt D4 attached=g1", GUN)
    answer(session, "move g1")
    assert not keys(session, "man"), "only once it has moved onto it"
    answer(session, "step D5", "man p1")
    gun = unit(session, "p1")
    assert (gun.status, gun.side, gun.facing, gun.reduced) == (ON_MAP, "german", 4, False)
    assert (gun.manned_by, gun.captured) == ("ger_rifle", False)
    assert unit(session, "g1").status == LOST and "g1" not in {u.id for u in battle(session).at["D5"]}
    assert unit(session, "g2").attached == "p1"
    assert state(session).weapons["w1"].hex == "D5" and state(session).weapons["w1"].unit == ""
    assert state(session).casualties["american"] == 0, "nobody was lost"
    assert session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "17.3")
def test_reduced_squad_mans_the_reduced_side() -> None:
    session = march("g1 ger_rifle D4 reduced", GUN)
    answer(session, "move g1", "step D5", "man p1")
    assert unit(session, "p1").reduced


@pytest.mark.rule("ost", "17.3")
@pytest.mark.parametrize("kind", ["ger_lt", "ger_hmg42", "ger_crew"])
def test_only_squads_man_guns(kind: str) -> None:
    session = march(f"g1 {kind} D4", GUN)
    answer(session, "move g1", "step D5")
    assert not keys(session, "man")


@pytest.mark.rule("ost", "17.7")
def test_a_squad_that_stands_there_must_move_onto_it() -> None:
    session = march("g1 ger_rifle D5", GUN)
    answer(session, "move g1")
    assert not keys(session, "man")


@pytest.mark.rule("ost", "17.4", "74.1")
def test_actions_carry_over_to_the_gun() -> None:
    session = march("g1 ger_rifle D4 fired", GUN, "a1 us_rifle D8")
    answer(session, "move g1", "step D5", "man p1")
    gun = unit(session, "p1")
    assert (gun.moved, gun.fired) == (True, 1) and battle(session).used(gun)
    assert not keys(session, "move p1") and "move p1" not in keys(session)


@pytest.mark.rule("ost", "17.4")
def test_morale_passes_to_the_gun() -> None:
    session = march("g1 ger_rifle D4 shaken", GUN)
    answer(session, "move g1", "step D5", "man p1")
    assert unit(session, "p1").morale == SHAKEN


@pytest.mark.rule("ost", "17.5", "17.3")
def test_captured_gun() -> None:
    session = march("g1 ger_rifle D4", "p1 us_at57 D5 unmanned f=1")
    answer(session, "move g1", "step D5", "man p1")
    gun = unit(session, "p1")
    assert (gun.side, gun.captured, gun.facing) == ("german", True, 1)
    assert unit(session, "g1").status == LOST
    assert happened(session, move_events.Manned)[0].captured


@pytest.mark.rule("ost", "17.6", "89.1")
def test_newly_manned_gun_fires_this_turn_as_moving_fire() -> None:
    session = march("g1 ger_rifle D4", GUN, "a1 us_rifle D7", dice=(1, 1))
    answer(session, "move g1", "step D5", "man p1", "fire p1", "at a1 main")
    assert any(line.id == "moving_fire" for t in rolled(session, "ICT attack")[-1].tallies for line in t.lines)


@pytest.mark.rule("ost", "17.7", "17.10", "105.9")
def test_opportunity_fire_comes_first() -> None:
    session = position("g1 ger_rifle D4", GUN, "a1 us_rifle D8", dice=(3, 4, 1, 1))
    answer(session, "move g1", "step D5", "a1 at g1 own")
    assert unit(session, "g1").morale and unit(session, "p1").status == UNMANNED
    assert session.ask is not None and session.ask.quiet, "halted, it neither mans nor destroys"


@pytest.mark.rule("ost", "17.10")
def test_unmanned_gun_is_destroyed_for_nothing() -> None:
    session = march("g1 ger_rifle D4", "p1 us_at57 D5 unmanned f=1")
    answer(session, "move g1", "step D5", "destroy p1", "step D6", "stop")
    assert unit(session, "p1").status == LOST
    assert state(session).points["german"] == 8, "the Move was paid for, the gun was not"
    assert state(session).casualties["german"] == 0


# ---- 17.8, 17.9 --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "17.8")
def test_anti_tank_guns_enter_structures_on_the_ground_level() -> None:
    session = march("g1 ger_pak36 D4 f=1", buildings=["heavy_structure D5 level=3"])
    answer(session, "move g1", "step D5")
    assert battle(session).level(unit(session, "g1")) == 1


@pytest.mark.rule("ost", "17.9")
def test_flak_36_unloads_beside_the_building_only() -> None:
    street = {"roads": ["D3, D4, D5"], "buildings": ["heavy_structure D4"]}
    session = march("g1 ger_sdkfz7 D4 f=1 on_road", "g2 ger_flak36 D4 f=1 aboard=g1", **street)  # type: ignore[arg-type]
    answer(session, "move g2")
    assert keys(session) == ["unload road"]
    answer(session, "unload road", "face 1")
    assert unit(session, "g2").on_road and session.ask is not None and session.ask.quiet


# ---- spinning (17.14) and "T" (17ct.6) ---------------------------------------------------------------


@pytest.mark.rule("ost", "17.14", "89.2")
def test_spinning_a_gun_is_a_whole_move() -> None:
    session = march("g1 ger_pak36 D4 f=1", "a1 us_rifle D7", dice=(1, 1))
    answer(session, "move g1")
    assert len(keys(session, "pivot")) == 5
    answer(session, "pivot 4")
    gun = unit(session, "g1")
    assert (gun.facing, gun.moved, gun.new_hex) == (4, True, False)
    assert session.ask is not None and session.ask.quiet
    assert state(session).points["german"] == 8
    answer(session, "fire g1", "at a1 main")
    assert any(line.id == "moving_fire" for t in rolled(session, "ICT attack")[-1].tallies for line in t.lines)
    assert state(session).points["german"] == 7, "two actions, two Impulses"


@pytest.mark.rule("ost", "17.14", "17ct.6", "79.10")
def test_transport_only_weapon_spins_but_does_not_walk() -> None:
    session = march("g1 ger_flak36 D4 f=1")
    answer(session, "move g1")
    assert {key.split()[0] for key in keys(session)} == {"pivot"}
    answer(session, "pivot 2")
    assert unit(session, "g1").facing == 2


@pytest.mark.rule("ost", "17.14")
def test_no_spin_once_it_has_moved() -> None:
    session = march("g1 ger_pak36 D4 f=1")
    answer(session, "move g1", "step D5")
    assert not keys(session, "pivot")


@pytest.mark.rule("ost", "17.11")
def test_asterisk_weapon_that_moved_holds_its_fire() -> None:
    session = march("g1 ger_pak36 D4 f=4", "g2 ger_hmg42 E4", "a1 us_rifle D8")
    answer(session, "move g1", "step D5", "stop", "move g2", "step E5", "stop")
    assert keys(session, "fire") == ["fire g2"]


# ---- 19: abandoning ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "19.1")
def test_inherent_crews_stay() -> None:
    session = march("g1 ger_pak40 D4 f=1", "g2 ger_hmg42 E4")
    assert not keys(session, "abandon")
    found = crewed_weapons.bar_abandon(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "19.1"


@pytest.mark.rule("ost", "19.2", "19.3", "19.4")
@pytest.mark.parametrize("how", ["", " destroy"])
def test_remanned_gun_is_left_unmanned_or_destroyed(how: str) -> None:
    session = march("g1 ger_pak40 D4 f=3 reduced fired shaken manned_by=ger_ss", "g2 ger_lt D4 attached=g1")
    answer(session, f"abandon g1{how}")
    assert state(session).points["german"] == 9, "it costs nothing"
    assert session.ask is not None and session.ask.side == "german" and session.ask.quiet
    squad = next(u for u in battle(session).stack("D4", "german") if battle(session).type(u).squad)
    assert (squad.kind, squad.reduced, squad.morale, squad.fired) == ("ger_ss", True, SHAKEN, 1)
    assert unit(session, "g2").attached == squad.id
    gun = unit(session, "g1")
    assert (gun.status, gun.facing, gun.hex) == (LOST if how else UNMANNED, 3, "D4")
    assert offered(session, f"move {squad.id}")


@pytest.mark.rule("ost", "19.2", "17.3")
def test_captured_gun_left_and_retaken() -> None:
    session = march("g1 ger_rifle D4", "p1 us_at57 D5 unmanned f=1", "g3 ger_rifle D6")
    answer(session, "move g1", "step D5", "man p1", "abandon p1")
    assert unit(session, "p1").status == UNMANNED
    answer(session, "move g3", "step D5", "man p1")
    assert unit(session, "p1").captured and unit(session, "p1").manned_by == "ger_rifle"


@pytest.mark.rule("ost", "19.4")
def test_casualties_at_the_gun_show_on_the_squad() -> None:
    session = position("g1 ger_pak40 D4 f=1 manned_by=ger_rifle", "a1 us_rifle D7", active="american", dice=(4, 5))
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").reduced
    answer(session, "abandon g1")
    squad = next(u for u in battle(session).stack("D4", "german") if battle(session).type(u).squad)
    assert squad.reduced


@pytest.mark.rule("ost", "101.3", "19.2")
def test_no_abandoning_in_a_melee() -> None:
    session = march("g1 ger_pak40 D4 f=1 manned_by=ger_rifle", "a1 us_rifle D4", melees=["D4 german"])
    assert not keys(session, "abandon")


@pytest.mark.rule("ost", "17.3", "17.7", "79.11")
def test_a_squad_that_unloads_beside_a_gun_may_man_it() -> None:
    session = march("g1 ger_rifle D5 aboard=g2", "g2 ger_truck D5 f=4", "k1 us_at57 D5 unmanned f=2")
    answer(session, "move g1", "unload")
    assert {"man k1", "destroy k1"} <= set(keys(session))
    answer(session, "man k1")
    gun = unit(session, "k1")
    assert (gun.status, gun.side, gun.manned_by, gun.captured, gun.moved) == (
        ON_MAP,
        "german",
        "ger_rifle",
        True,
        True,
    )


@pytest.mark.rule("ost", "17.2")
def test_a_gun_left_by_its_dead_keeps_nothing_of_them() -> None:
    units = "g1 ger_pak40 D4 f=4 manned_by=ger_rifle shaken", "g2 ger_rifle A1", "a1 us_rifle D6"
    session = position(*units, active="american", dice=(6, 6, 6))
    answer(session, "fire a1", "at g1 own")
    gun = unit(session, "g1")
    assert (gun.status, gun.manned_by, gun.morale) == (UNMANNED, "", 0)
