"""Rules that a referee found wrong at the table: each position here came out otherwise once."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.events import Rolled
from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.games.ost import arms, assault, combat_events, move_events, results, turn_events
from grognard.games.ost.game import GAME
from grognard.players.greedy import propose
from tests.games.ost.fray import AROUND, Fray
from tests.games.ost.fray import unit as counter
from tests.games.ost.helpers import answer, battle, happened, keys, options, position, run, state, unit
from tests.games.ost.marches import march, offered

NOTHING = "1 1 "
TRUCK = ("t us_truck D7 f=1", "h ger_pak40 D2 f=4")


def river(*but: str) -> dict[str, Any]:
    """A map on which only some of the hexes around the Melee can be entered."""
    return {"terrain": {"river": ", ".join(hex for hex in AROUND if hex not in but)}}


# ---- 102.5: the Shaken and their Leader in Melee -------------------------------------------------

LEADER = ("attached_leader", 1, "15.10", "a2")
MINUS = ("shaken_in_melee", -1, "102.5", "")


def led(squad: str, leader: str, *more: dict[str, Any], **head: Any) -> list[tuple[str, int, str, str]]:
    """The modifiers of an American squad and the Leader attached to it in Melee with Germans who never hit."""
    fray = Fray(
        counter("us_rifle", "a1", morale=squad),
        counter("us_lt", "a2", attached="a1", morale=leader),
        counter("ger_pioneer", "g1", morale="broken"),
        *more,
        dice=NOTHING,
        map=river(),
        **head,
    )
    fray.fight()
    return fray.lines(0, 2)


@pytest.mark.rule("ost", "102.5", "15.10", "15.11", "103.2")
@pytest.mark.parametrize(
    ("squad", "leader", "found"),
    [
        ("shaken", "good order", [LEADER, MINUS]),
        ("good order", "good order", [LEADER]),
        ("shaken", "shaken", [MINUS]),
        ("good order", "shaken", []),
        ("broken", "good order", []),
        ("broken", "shaken", [MINUS]),
    ],
)
def test_an_attached_leader_is_no_unit_of_his_own_when_the_shaken_are_counted(
    squad: str, leader: str, found: list[tuple[str, int, str, str]]
) -> None:
    """He gives 1, and does not take the -1 away as well; alone beside a Broken unit he fights as he is."""
    assert led(squad, leader) == found


@pytest.mark.rule("ost", "102.5", "103.2")
def test_any_shaken_unit_means_any_unit_but_the_leader_with_it() -> None:
    assert led("good order", "shaken", options={"melee_shaken": "any"}) == []
    assert led("shaken", "good order", options={"melee_shaken": "any"}) == [LEADER, MINUS]


@pytest.mark.rule("ost", "102.5")
def test_a_leader_on_his_own_is_one_who_fights() -> None:
    fray = Fray(
        counter("us_rifle", "a1", morale="shaken"),
        counter("us_lt", "a2"),
        counter("ger_pioneer", "g1", morale="broken"),
        dice=NOTHING,
        map=river(),
    ).fight()
    assert fray.lines(0, 2) == []


# ---- 17.11, 79.12, 79.21: thrown out of a lost vehicle -------------------------------------------


def shot_down(*aboard: str, moves: bool = True, then: tuple[int, ...] = (1, 1, 1)) -> Session:
    """An American truck is destroyed, as it drives on or where it stands, and its load survives."""
    active = "american" if moves else "german"
    session = position(*TRUCK, *aboard, "z us_rifle J8", active=active, dice=(6, 6, 6, 6, *then))
    if moves:
        answer(session, "move t", "step D6")
    answer(session, *(["h at t main"] if moves else ["fire h", "at t main"]))
    return session


def why_silent(session: Session, id: str) -> str:
    found = arms.bar_fire(battle(session), unit(session, id))
    return found.rule if found else ""


@pytest.mark.rule("ost", "17.11", "79.12", "79.21")
@pytest.mark.parametrize("moves", [True, False])
def test_a_gun_thrown_out_of_a_lost_truck_was_unloaded_and_does_not_fire(moves: bool) -> None:
    session = shot_down("p us_at3in D7 aboard=t", moves=moves)
    assert unit(session, "t").status == "lost"
    answer(session, "face 1")
    gun = unit(session, "p")
    assert (gun.hex, gun.aboard, gun.facing) == ("D6" if moves else "D7", "", 1)
    assert gun.moved and gun.new_hex and why_silent(session, "p") == "17.11"
    marks = [event for event in happened(session, turn_events.Marked) if event.unit == "p"]
    assert [(mark.marker, mark.rules) for mark in marks] == [("Moved", ("79.12", "17.11"))]


@pytest.mark.rule("ost", "79.21", "75.2")
def test_passengers_of_a_truck_lost_on_the_move_have_moved() -> None:
    session = shot_down("p us_rifle D7 aboard=t", "l us_lt D7 attached=p aboard=t")
    assert unit(session, "t").status == "lost" and unit(session, "p").hex == "D6"
    for id in ("p", "l"):
        assert unit(session, id).moved and unit(session, id).new_hex
    assert "move p" not in keys(session)


@pytest.mark.rule("ost", "79.21")
def test_passengers_of_a_truck_lost_where_it_stood_have_not_moved() -> None:
    session = shot_down("p us_rifle D7 aboard=t", moves=False)
    assert unit(session, "t").status == "lost" and unit(session, "p").aboard == ""
    assert not unit(session, "p").moved and not unit(session, "p").new_hex
    assert "move p" in keys(session)


@pytest.mark.rule("ost", "79.21", "74.6")
def test_who_loaded_and_was_thrown_out_is_marked_once() -> None:
    session = shot_down("p us_rifle D7 aboard=t moved loaded fired=1")
    assert unit(session, "p").moved and battle(session).used(unit(session, "p"))
    assert "p" not in [event.unit for event in happened(session, turn_events.Marked)]


# ---- 68.5, 102.22: who retreats first ------------------------------------------------------------


def crowded(*more: dict[str, Any], **head: Any) -> Fray:
    """Two Shaken squads must go; C4 alone is open, and one squad of theirs is there already."""
    return Fray(
        counter("us_rifle", "a1", morale="shaken", reduced=True),
        counter("us_rifle", "a2", morale="shaken"),
        counter("us_rifle", "a3", "C4"),
        counter("ger_rifle", "g1"),
        counter("ger_rifle", "g2"),
        *more,
        dice=NOTHING * 4,
        map=river("C4"),
        **head,
    )


@pytest.mark.rule("ost", "68.5", "102.22", "102.26")
@pytest.mark.parametrize(("first", "other"), [("a1", "a2"), ("a2", "a1")])
def test_the_owner_says_who_retreats_where_there_is_not_room_for_all(first: str, other: str) -> None:
    fray = crowded()
    fray.fight(f"first {first}")
    ask = fray.asks[-1]
    assert (ask.side, ask.rule) == ("american", "102.22")
    assert [option.key for option in ask.options] == ["first a1", "first a2"]
    assert (fray.where(first), fray.where(other)) == ("C4", "lost")


@pytest.mark.rule("ost", "68.5", "102.22")
def test_nobody_is_asked_where_all_find_a_hex() -> None:
    fray = crowded()
    fray.battle.lift(fray["a3"])
    fray["a3"].status = "exited"
    fray.fight()
    assert fray.asks == [] and fray.retreats() == {"a1": "C4", "a2": "C4"}


@pytest.mark.rule("ost", "68.5", "102.22", "73.8")
@pytest.mark.parametrize(("first", "other"), [("a1", "a2"), ("a2", "a1")])
def test_who_goes_first_is_asked_again_once_hidden_enemies_take_the_room(first: str, other: str) -> None:
    """C4 has one place, C5 looks empty: room for both, until the first of them runs into those who hide there."""
    fray = Fray(
        counter("us_rifle", "a1", morale="shaken", reduced=True),
        counter("us_rifle", "a2", morale="shaken"),
        counter("us_rifle", "a3", "C4"),
        counter("ger_rifle", "g1"),
        counter("ger_rifle", "g2"),
        counter("ger_rifle", "g3", "C5", hidden=True),
        dice=NOTHING * 4,
        map=river("C4", "C5"),
    ).fight("retreat a1 C5", f"first {first}")
    assert not fray["g3"].hidden
    assert (fray.where(first), fray.where(other)) == ("C4", "lost")


@pytest.mark.rule("ost", "104.14", "104.17", "73.8")
def test_the_second_tank_may_move_out_first_once_hidden_enemies_take_the_room() -> None:
    fray = Fray(
        counter("us_m4a1", "a1", facing=1),
        counter("us_m4a1", "a2", facing=1),
        counter("us_m4a1", "a3", "C4", facing=1),
        counter("ger_pz4h", "g1", facing=1, guns_out=[0]),
        counter("ger_rifle", "g3", "C5", hidden=True),
        dice="4 4 3 4 " + NOTHING * 2,
        map=river("C4", "C5"),
    ).fight("fire a1", "retreat a1 C5", "first a2")
    assert (fray.where("a1"), fray.where("a2")) == ("lost", "C4")


@pytest.mark.rule("ost", "102.22", "102.28")
def test_a_vehicle_that_cannot_leave_takes_nobodys_turn() -> None:
    fray = Fray(
        counter("us_m4a1", "a1", morale="shaken", immobilized=True, facing=1),
        counter("us_rifle", "a2", morale="shaken"),
        counter("us_rifle", "a3", "C4"),
        counter("ger_rifle", "g1"),
        dice=NOTHING * 3,
        map=river("C4"),
    ).fight("all")
    assert [event.unit for event in fray.events(combat_events.Abandoned)] == ["a1"]
    assert fray.retreats() == {"a2": "C4"}


@pytest.mark.rule("ost", "102.22", "15.7", "72.1")
def test_a_leader_who_goes_alone_waits_his_turn_with_the_others() -> None:
    """The squad in good order stays; its Shaken Leader and an unattached one both need the last place for a Leader."""
    fray = Fray(
        counter("us_rifle", "a1"),
        counter("us_lt", "a2", attached="a1", morale="shaken"),
        counter("us_sgt", "a3"),
        counter("us_sgt", "a4", "C4"),
        counter("us_rifle", "a5", "C4"),
        counter("ger_rifle", "g1"),
        dice=NOTHING * 4,
        map=river("C4"),
    ).fight("all", "first a2")
    assert [option.key for option in fray.asks[-1].options] == ["first a3", "first a2"]
    assert (fray.where("a2"), fray.where("a3")) == ("C4", "lost")


@pytest.mark.rule("ost", "104.14", "104.17")
def test_the_owner_says_which_tank_moves_out_of_a_drawn_duel() -> None:
    fray = Fray(
        counter("us_m4a1", "a1", facing=1),
        counter("us_m4a1", "a2", facing=1),
        counter("us_m4a1", "a3", "C4", facing=1),
        counter("ger_pz4h", "g1", facing=1, guns_out=[0]),
        dice="4 4 3 4 " + NOTHING * 2,
        map=river("C4"),
    ).fight("fire a1", "first a2")
    assert (fray.where("a1"), fray.where("a2")) == ("lost", "C4")


# ---- 77.2, 30.5: a vehicle that retreats ---------------------------------------------------------


def driven_off(face: int, **more: Any) -> Fray:
    """A Shaken Sherman must retreat to C4."""
    return Fray(
        counter("us_m4a1", "a1", morale="shaken", facing=1),
        counter("ger_rifle", "g1"),
        dice=NOTHING * 2 + str(face),
        map={"terrain": {**river("C4")["terrain"], **more.pop("terrain", {})}},
        **more,
    ).fight()


@pytest.mark.rule("ost", "77.2", "30.5", "102.22")
@pytest.mark.parametrize(("face", "bogs"), [(1, True), (2, False)])
def test_a_vehicle_that_retreats_onto_wire_rolls_for_bog_and_crushes_it(face: int, bogs: bool) -> None:
    fray = driven_off(face, work=[{"kind": "wire", "hex": "C4", "side": "german"}])
    assert fray.where("a1") == "C4" and fray["a1"].bogged is bogs
    assert ("C4" in fray.battle.state.works) is bogs
    assert len(fray.rolls("Bog roll")) == 1


@pytest.mark.rule("ost", "77.2", "77.3")
@pytest.mark.parametrize(("face", "bogs"), [(1, True), (2, False)])
def test_a_vehicle_that_retreats_into_woods_rolls_for_bog(face: int, bogs: bool) -> None:
    fray = driven_off(face, terrain={"woods": "C4"})
    assert fray.where("a1") == "C4" and fray["a1"].bogged is bogs
    assert [event.rules for event in fray.events(move_events.Bogged)] == [("77.3",)] * bogs


# ---- 81.3: Rolling Cover -------------------------------------------------------------------------


@pytest.mark.rule("ost", "81.3", "80.4")
def test_each_of_a_rolling_cover_pair_pays_from_its_own_points() -> None:
    """A farm costs a tank 2 of its 6 and a squad 1 of its 4: three hexes, not the two that 4 points would give."""
    session = march("k ger_pz4h C7 f=1", "a ger_rifle C7", terrain={"farm": "C1-C6"})
    answer(session, "rolling_cover a k")
    for hex in ("C6", "C5", "C4"):
        assert session.ask is not None
        answer(session, f"step {hex}", "face 1")
    assert {unit(session, id).hex for id in ("k", "a")} == {"C4"}
    assert not offered(session, "step C3") and session.ask is not None and "Impulse" in session.ask.prompt


@pytest.mark.rule("ost", "81.3")
def test_both_stop_where_the_squad_can_go_no_further() -> None:
    session = march("k ger_pz4h C7 f=1", "a ger_rifle C7")
    answer(session, "rolling_cover a k")
    for hex in ("C6", "C5", "C4", "C3"):
        answer(session, f"step {hex}", "face 1")
    assert session.ask is not None and "0 and 2 MP left" in session.ask.prompt
    assert {option.verb for option in options(session)} == {"pivot", "stop"}, "the tank may still turn"


@pytest.mark.rule("ost", "80.4")
def test_a_group_move_still_has_the_points_of_its_slowest() -> None:
    session = march("k ger_pz4h C7 f=1", "a ger_rifle C7", "l ger_lt C7 attached=a", terrain={"farm": "C1-C6"})
    answer(session, "group_move a k", "step C6", "face 1", "step C5", "face 1")
    assert not offered(session, "step C4")


@pytest.mark.rule("ost", "81.10")
def test_the_log_says_who_went_behind_whom_when_the_vehicle_is_lost() -> None:
    session = position(
        "k us_m4a1 D7 f=1 partner=a", "a us_rifle D7 partner=k", "h ger_pak40 D2 f=4",
        active="german", dice=(6, 6, 6, 6, 1, 1, 1),
    )  # fmt: skip
    answer(session, "fire h", "at k main")
    assert unit(session, "k").status == "lost"
    (ended,) = happened(session, move_events.RollingCover)
    assert (ended.unit, ended.vehicle, ended.on) == ("a", "k", False)


# ---- 82.2, 76.4: a vehicle assaults the hex it faces ---------------------------------------------


@pytest.mark.rule("ost", "82.2", "76.4", "76.6")
def test_a_vehicle_assaults_the_hex_it_faces_and_turns_by_a_move() -> None:
    session = march("k ger_pz4h D4 f=4", "a us_rifle D5", "b us_rifle E4")
    assert keys(session, "assault") == ["assault k D5"]
    bar = assault.bar_assault(battle(session), unit(session, "k"), "E4")
    assert bar is not None and bar.rule == "76.4" and "turn" in bar.reason
    answer(session, "move k", "pivot 2", "stop")
    assert keys(session, "assault") == ["assault k E4"]


# ---- 65.3: a hex that was evaded -----------------------------------------------------------------


def evaded(mover: str = "g1 ger_rifle D4", dice: tuple[int, ...] = (), **more: Any) -> Session:
    session = position(
        mover, "a1 us_lt D5", "a9 us_rifle J8", dice=(*dice, 6), control={"D5": "american"}, **more
    )  # fmt: skip
    answer(session, "assault g1 D5", "evade a1", "evade a1 D6")
    return session


@pytest.mark.rule("ost", "65.3", "11.3")
def test_a_hex_from_which_everybody_slipped_away_is_taken_by_moving_in() -> None:
    session = evaded()
    assert state(session).melees == {} and unit(session, "a1").hex == "D6"
    assert [(event.side, event.rules) for event in happened(session, turn_events.Captured)] == [("german", ("65.3",))]
    assert [event.rules for event in happened(session, combat_events.MeleeOver)] == [("11.3",)]


@pytest.mark.rule("ost", "65.3", "11.3", "27.2")
def test_who_was_shaken_on_the_way_in_does_not_take_it() -> None:
    session = evaded(mines=["D5 american"], dice=(4, 4, 1, 1))
    assert unit(session, "g1").morale and unit(session, "g1").hex == "D5"
    assert state(session).control["D5"] == "american"


# ---- 97: what the damage roll says ---------------------------------------------------------------


def meanings(vehicle: str, flags: str = "") -> tuple[str, ...]:
    session = position(f"a1 {vehicle} D5 f=1 {flags}", "g1 ger_rifle A1")
    return results.damage_rows(battle(session), unit(session, "a1"))


@pytest.mark.rule("ost", "97.3")
def test_damage_to_a_truck_names_no_gun() -> None:
    assert meanings("us_truck") == ("minor", "minor", "destroyed", "destroyed", "destroyed", "destroyed")


@pytest.mark.rule("ost", "97.2", "97.5")
@pytest.mark.parametrize(
    ("vehicle", "flags", "rows"),
    [
        ("us_m4a1", "", ("mgs", "main_gun", "immobilized", "abandon_roll")),
        ("us_m3a1ht", "", ("mgs", "mgs", "immobilized", "abandon_roll")),
        ("sov_su85", "", ("main_gun", "main_gun", "immobilized", "abandon_roll")),
        ("us_m4a1", "mgs_out", ("abandoned",) * 4),
        ("us_m4a1", "immobilized", ("abandoned",) * 4),
    ],
)
def test_the_damage_roll_says_what_it_means_for_this_vehicle(vehicle: str, flags: str, rows: tuple[str, ...]) -> None:
    assert meanings(vehicle, flags) == ("minor", "minor", *rows)


@pytest.mark.rule("ost", "97.3", "96.2")
def test_the_roll_itself_says_that_a_truck_is_destroyed() -> None:
    session = position("t us_truck D7 f=1", "h ger_hmg42 D4", "z us_rifle J8", active="german", dice=(4,))
    run(results.damage(battle(session), unit(session, "t"), "german"))
    (roll,) = [event for event in battle(session).log if isinstance(event, Rolled)]
    assert roll.meaning == "destroyed" and unit(session, "t").status == "lost"


@pytest.mark.rule("ost", "102.22")
def test_a_program_saves_what_is_worth_most() -> None:
    session = position(
        "a1 us_rifle D4 shaken reduced", "a2 us_rifle D4 shaken", "a3 us_rifle C4",
        "g1 ger_rifle D4", "g2 ger_rifle D4",
        terrain={"river": "D3, E4, E5, D5, C5"}, melees=["D4 american"], phase="melee", initiative="german",
        dice=(1, 1) * 4,
    )  # fmt: skip
    assert keys(session) == ["first a1", "first a2"]
    assert propose(GAME.tactics(session.scenario), session.probe(), Clock.of(60))[0].key == "first a2"
