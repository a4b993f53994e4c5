"""Airborne operations: loads, flight paths, drift, fire at parachutists and hard landings (83-85)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.hex.grid import hex_grid
from grognard.core.ask import Ask
from grognard.core.dice import ScriptedDice
from grognard.core.session import Session
from grognard.games.ost import airborne, move_events, turn_events
from grognard.games.ost.invariants import invariants
from grognard.games.ost.state import GOOD, LOST, ON_MAP, PLANE, SHAKEN, Unit, Weapon
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, unit

GRID = hex_grid(20, 16)
LOAD = ("a1 us_airborne -", "a2 us_airborne -", "a3 us_ab_mmg -")


def game(*units: str, dice: tuple[int, ...] = (), **more: Any) -> Session:
    """A position on a map of 20 by 16; the drops are carried out by `drop`."""
    head: dict[str, Any] = {"map": "open 20x16", "sides": ["american", "german"], "turn": 5, "turns": 5}
    return position(*units, dice=dice, **{**head, **more})


def one(
    *units: str, load: str = "a1 us_airborne -", at: str = "K12", dice: tuple[int, ...] = (), **more: Any
) -> Session:
    """A C-47 in K12 that flies north with a single unit; a German stands far away. The drop hex is K11."""
    return game(f"p1 us_c47 {at} f=1 due=5 load=a1", load, "g9 ger_rifle A1", *units, dice=dice, **more)


class Dropped:
    """What was asked during the drops."""

    def __init__(self, session: Session, *answers: str) -> None:
        self.session, self.asks, left = session, [], list(answers)
        procedure = airborne.drop_phase(battle(session))
        self.keys: list[list[str]] = []
        try:
            ask: Ask = next(procedure)
            while True:
                self.asks.append(ask)
                self.keys.append([option.key for option in ask.options])
                assert left, f"{ask.side} is asked {ask.prompt!r}: {self.keys[-1]}"
                assert len(self.keys[-1]) > 1
                ask = procedure.send(ask.option(left.pop(0)).key)
        except StopIteration:
            assert not left, f"never asked: {left}"
        assert isinstance(session.dice, ScriptedDice)
        assert session.dice.position == len(session.dice.script), "dice are left over"
        assert not invariants(battle(session))


def drop(session: Session, *answers: str) -> Dropped:
    return Dropped(session, *answers)


def landing_column(session: Session) -> list[int]:
    """The fixed columns of the hard landings."""
    return [e.tallies[0].total for e in rolled(session, "ICT attack") if len(e.tallies) == 1]


def under_fire(session: Session) -> list[tuple[str, int, int]]:
    """Who was fired at, with what Firepower against what Defense."""
    return [
        (e.unit, e.tallies[0].total, e.tallies[1].total) for e in rolled(session, "ICT attack") if len(e.tallies) == 3
    ]


# ---- loads (83) ---------------------------------------------------------------------------------------


def load_of(*kinds: str) -> tuple[Any, Unit, list[Unit]]:
    """A battle, an aircraft and a load; "+" attaches a Leader to the unit before it."""
    here = battle(game("p1 us_c47 K12 f=1", "g1 ger_rifle A1"))
    load: list[Unit] = []
    for number, kind in enumerate(kinds):
        led = next((u.id for u in reversed(load) if not u.attached), "") if kind.startswith("+") else ""
        load.append(Unit(f"u{number}", 50 + number, kind.lstrip("+"), "american", PLANE, attached=led))
    return here, here.unit("p1"), load


@pytest.mark.rule("ost", "83.1", "83.2", "83.0")
@pytest.mark.parametrize(
    ("kinds", "bar"),
    [
        (("us_ab_mmg", "us_airborne", "us_airborne", "+us_ab_sgt"), None),  # E-30
        (("us_airborne", "+us_ab_cpt", "us_airborne", "+us_ab_lt", "us_airborne", "+us_ab_sgt"), None),
        (("us_airborne",) * 4, airborne.TOO_MANY),
        (("us_airborne", "us_airborne", "us_ab_mmg", "us_ab_mmg"), airborne.TOO_MANY),
        (("us_pack75",), None),
        (("us_at57", "+us_ab_sgt"), None),
        (("us_at57", "us_at57"), airborne.ONE_GUN),
        (("us_at57", "us_airborne"), airborne.ONE_GUN),
        (("us_airborne", "us_jeep"), airborne.NOT_CARRIED),
        (("us_sniper",), airborne.NOT_CARRIED),
        (("us_ab_lt", "us_airborne"), airborne.LEADER_ALONE),
    ],
)
def test_what_an_aircraft_carries(kinds: tuple[str, ...], bar: object) -> None:
    assert airborne.bar_load(*load_of(*kinds)) == bar


@pytest.mark.rule("ost", "83.3", "84.6")
def test_the_top_of_the_stack_drops_first_with_leader_and_weapons() -> None:
    units = (
        "p1 us_c47 K12 f=1 due=5 load=a2,a3,a1",
        "a1 us_airborne -",
        "a2 us_airborne - with=us_bar",
        "a3 us_ab_mmg -",
    )
    session = game(*units, "a4 us_ab_sgt - attached=a2", "g1 ger_rifle A1", dice=(2, 1, 2, 1, 2, 1))
    assert [u.id for u in airborne.cargo(battle(session), unit(session, "p1"))] == ["a2", "a3", "a1"]
    drop(session)
    assert [event.unit for event in happened(session, move_events.Landed)] == ["a2", "a3", "a1"]
    assert unit(session, "a4").hex == unit(session, "a2").hex
    assert (unit(session, "a4").attached, unit(session, "a4").status) == ("a2", ON_MAP)
    assert [weapon.unit for weapon in state(session).weapons.values()] == ["a2"]


# ---- flight paths (84) --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "84.3")
def test_four_hexes_lie_between_two_aircraft() -> None:
    session = game("p1 us_c47 D8 f=1 due=5", "p2 us_c47 - f=1 due=5", "g1 ger_rifle A1")
    here, plane = battle(session), unit(session, "p2")
    for hex in GRID.hexes:
        clear = GRID.distance("D8", hex) - 1  # hexes between, those of the aircraft not counted
        assert airborne.bar_spacing(here, plane, hex, 1) == (None if clear >= 4 else airborne.TOO_CLOSE)


@pytest.mark.rule("ost", "84.5", "84.4")
def test_all_aircraft_of_an_operation_fly_the_same_way() -> None:
    session = game("p1 us_c47 D8 f=2 due=5", "p2 us_c47 - f=1 due=5", "p3 us_c47 - f=1 due=3", "g1 ger_rifle A1")
    here = battle(session)
    assert airborne.bar_spacing(here, unit(session, "p2"), "N8", 2) is None
    assert airborne.bar_spacing(here, unit(session, "p2"), "N8", 3) == airborne.OTHER_WAY
    assert airborne.bar_spacing(here, unit(session, "p3"), "N8", 3) is None  # a drop of its own, later


@pytest.mark.rule("ost", "84.3", "84.5")
def test_only_aircraft_of_the_same_side_and_operation_count() -> None:
    session = game(
        "p1 us_c47 D8 f=1 due=5",
        "p2 us_c47 - f=2 due=5",
        "p3 us_c47 - f=3 due=5",
        "p4 ger_ju52 E8 f=5 due=5",
        "p5 us_c47 F8 f=4 due=5 status=lost",
        "a1 us_airborne G8",
    )
    here = battle(session)
    assert airborne.bar_spacing(here, unit(session, "p1"), "D8", 6) is None  # it may be put anew, any way
    assert airborne.bar_spacing(here, unit(session, "p2"), "K8", 1) is None
    assert airborne.bar_spacing(here, unit(session, "p2"), "K8", 0) is None  # its direction is still open
    assert airborne.bar_spacing(here, unit(session, "p4"), "D7", 3) is None
    unit(session, "p1").facing = 0
    assert airborne.bar_spacing(here, unit(session, "p2"), "K8", 4) is None


@pytest.mark.rule("ost", "84.1", "84.2", "84.5")
def test_a_scenario_sets_aircraft_up_in_their_area_and_drops_them_before_the_first_turn() -> None:
    from grognard.core.files import Document
    from grognard.games.ost.game import GAME

    text = """
name = "linden"
title = "Linden"
turns = 5
map = { columns = 20, rows = 16 }
[side.american]
nation = "american"
impulse = "2d6"
gut_check = 7
cards = 0
zone = "C14-R16"
[[side.american.unit]]
kind = "us_airborne"
id = "u1"
[[side.american.aircraft]]
kind = "us_c47"
id = "p1"
load = ["u1"]
facing = 1
[side.german]
nation = "german"
impulse = "2d6"
gut_check = 7
cards = 0
[[side.german.unit]]
kind = "ger_rifle"
id = "g1"
at = "A1"
"""
    session = Session(
        GAME, GAME.load_scenario(Document.from_toml(text, "linden.toml")), script=(2, 3, 6, 6, 1, 1, *[1] * 6)
    )
    placed = [key for key in keys(session) if key.startswith("place p1")]
    assert len(placed) == 16 * 3
    answer(session, "place p1 K14")
    assert unit(session, "u1").hex == GRID.line_off("K13", 2, 3)
    assert unit(session, "p1").status == LOST


@pytest.mark.rule("ost", "84.6", "85.1", "85.2", "84.4")
@pytest.mark.parametrize("facing", [1, 2, 6])
def test_a_unit_drops_in_each_of_the_three_hexes_flown_into(facing: int) -> None:
    session = game(f"p1 us_c47 K12 f={facing} due=5 load=a1,a2,a3", *LOAD, "g1 ger_rifle A1", dice=(4, 2, 4, 2, 4, 2))
    drop(session)
    for number, id in enumerate(("a1", "a2", "a3"), 1):
        over = GRID.line_off("K12", facing, number)
        assert over is not None
        assert unit(session, id).hex == GRID.line_off(over, 4, 2)
    assert [event.what for event in rolled(session)] == ["drop direction", "drop distance"] * 3


@pytest.mark.rule("ost", "84.7", "85.14")
def test_aircraft_cannot_be_fired_at_and_are_removed_after_their_drops() -> None:
    session = one("g1 ger_hmg42 K13", dice=(1, 6))
    assert not [key for key in keys(session) if "p1" in key]
    assert "K12" not in battle(session).at
    drop(session)
    assert unit(session, "p1").status == LOST
    assert state(session).casualties == {"american": 0, "german": 0}
    assert drop(session).asks == []  # nothing is left to drop


@pytest.mark.rule("ost", "84.6")
def test_both_sides_may_drop_the_first_named_first() -> None:
    units = (
        "p2 ger_ju52 P12 f=1 due=5 load=g1",
        "g1 ger_fallschirm -",
        "p1 us_c47 C12 f=1 due=5 load=a1",
        "a1 us_airborne -",
        "p3 us_c47 - f=1 due=5",
    )
    session = game(*units, dice=(1, 1, 1, 2))
    drop(session)
    assert [(e.side, e.unit) for e in happened(session, move_events.Landed)] == [("american", "a1"), ("german", "g1")]
    assert [event.place for event in happened(session, move_events.Removed)] == ["C12", "P12"]
    assert unit(session, "p3").status == PLANE  # never set up


@pytest.mark.rule("ost", "84.6")
def test_only_drops_that_are_due_are_made_and_the_owner_chooses_the_order() -> None:
    units = (
        "p1 us_c47 C12 f=1 due=5 load=a1",
        "a1 us_airborne -",
        "p2 us_c47 J12 f=1 due=5 load=a2",
        "a2 us_airborne -",
        "p3 us_c47 P12 f=1 due=3 load=a3",
        "a3 us_airborne -",
        "g1 ger_rifle A1",
    )
    session = game(*units, dice=(1, 1, 1, 1))
    dropped = drop(session, "drop p2")
    assert dropped.keys == [["drop p1", "drop p2"]]
    assert [event.unit for event in happened(session, move_events.Landed)] == ["a2", "a1"]
    assert unit(session, "a3").status == PLANE
    state(session).turn = 3
    session.dice.script.extend((1, 1))  # type: ignore[attr-defined]
    drop(session)
    assert unit(session, "a3").status == ON_MAP


# ---- drift (85.1-85.3) --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "85.1", "85.2")
@pytest.mark.parametrize("way", [1, 2, 3, 4, 5, 6])
def test_units_drift_from_the_aircrafts_hex(way: int) -> None:
    session = one(dice=(way, 4))
    drop(session)
    assert unit(session, "a1").hex == GRID.line_off("K11", way, 4)
    assert not unit(session, "a1").moved


@pytest.mark.rule("ost", "85.3")
def test_off_the_map_it_lands_in_the_last_playable_hex() -> None:
    session = one(at="K4", dice=(1, 6))
    drop(session)
    assert unit(session, "a1").hex == "K1"


@pytest.mark.rule("ost", "85.3")
def test_a_drop_hex_off_the_map_drifts_on_or_lands_nearest_to_it() -> None:
    coming = one(at="K1", dice=(4, 3))  # K0, then south 3
    drop(coming)
    assert unit(coming, "a1").hex == "K3"
    lost = one(at="K1", dice=(1, 3))
    drop(lost)
    assert unit(lost, "a1").hex == "K1"


# ---- hard landings (85.4-85.8, 85.11) -----------------------------------------------------------------


@pytest.mark.rule("ost", "85.4", "85.6", "85.7")
@pytest.mark.parametrize(
    ("terrain", "column"),
    [
        ("woods", -3),
        ("orchard", -3),
        ("stream", -3),
        ("light_structure", -3),
        ("heavy_structure", -3),
        ("brush", -5),
        ("farm", -5),
        ("wheatfield", -5),
        ("cemetery", -5),
        ("marsh", -5),
        ("shell_holes", -5),
        ("debris", -5),
        ("rubble", -5),
        ("open", None),
    ],
)
def test_landing_in_anything_but_open_ground_is_an_attack(terrain: str, column: int | None) -> None:
    session = one(dice=(1, 3) if column is None else (1, 3, 1, 1), terrain={terrain: "K8"})
    drop(session)
    assert unit(session, "a1").hex == "K8"
    assert landing_column(session) == ([] if column is None else [column])
    if column is not None:
        landing = rolled(session, "ICT attack")[0]
        assert landing.side == "american"  # rolled by the owner
        assert ("85.6" if column == -3 else "85.7") in landing.rules


@pytest.mark.rule("ost", "85.5")
def test_roads_and_hexsides_do_not_matter() -> None:
    sides = {"hedge": "K7|K8", "stone_wall": "K8|K9", "bocage": "J8|K8"}
    plain = one(dice=(1, 3), roads=["K1:K16"], hexsides=sides)
    drop(plain)
    assert landing_column(plain) == []
    woods = one(dice=(1, 3, 1, 1), roads=["K1:K16"], terrain={"woods": "K8"})
    drop(woods)
    assert landing_column(woods) == [-3]


@pytest.mark.rule("ost", "85.6")
def test_a_bridge_is_as_hard_as_the_stream() -> None:
    session = one(dice=(1, 3, 1, 1), terrain={"stream": "A8:T8"}, bridges="K8", roads=["K1:K16"])
    drop(session)
    assert landing_column(session) == [-3]
    river = one(dice=(1, 3, 1, 1), terrain={"river": "A8:T8"}, bridges="K8", roads=["K1:K16"])
    drop(river)
    assert unit(river, "a1").hex == "K8"
    assert landing_column(river) == [-3]


@pytest.mark.rule("ost", "85.8", "85.11", "85.0")
def test_the_airdrop_example() -> None:
    # E-31 to E-33
    orchard = GRID.line_off("K10", 5, 5)
    units = (
        "p1 us_c47 K12 f=1 due=5 load=a1,a2,a3",
        "a1 us_airborne - with=us_bar",
        "a4 us_ab_sgt - attached=a1",
        *LOAD[1:],
        "g1 ger_rifle T16",
    )
    dice = (1, 3, 4, 5, 1, 1, 6, 6, 5, 5, 1, 1, 6, 3)
    session = game(*units, dice=dice, terrain={"woods": "K8", "orchard": str(orchard)})
    drop(session)
    assert landing_column(session) == [-3, -3]
    assert [event.meaning for event in rolled(session, "ICT attack")] == ["S", ""]
    assert [(event.unit, event.meaning) for event in rolled(session, "Gut Check")] == [("a1", False), ("a4", True)]
    assert [unit(session, id).morale for id in ("a1", "a4", "a2", "a3")] == [SHAKEN, GOOD, GOOD, GOOD]
    assert [unit(session, id).hex for id in ("a1", "a2", "a3")] == ["K8", orchard, GRID.line_off("K9", 6, 3)]


@pytest.mark.rule("ost", "85.8", "85.11")
def test_casualties_of_a_landing_count_and_leaders_roll() -> None:
    # woods, column -3: a 12 is C; the Leader's 1 kills him
    session = one("a2 us_ab_sgt - attached=a1", dice=(1, 3, 6, 6, 1), terrain={"woods": "K8"})
    drop(session)
    assert unit(session, "a1").reduced
    assert unit(session, "a2").status == LOST
    assert state(session).casualties == {"american": 0, "german": 2}


# ---- where it cannot land (85.9, 85.13) ---------------------------------------------------------------


@pytest.mark.rule("ost", "85.9")
def test_on_enemies_it_lands_in_an_adjacent_open_hex_of_the_owners_choice() -> None:
    session = one("g1 ger_rifle K8 broken", dice=(1, 3), terrain={"woods": "K7, L8"})
    dropped = drop(session, "land a1 J8")
    open_hexes = [hex for hex in GRID.adjacent["K8"] if hex not in ("K7", "L8")]
    assert sorted(dropped.keys[0]) == sorted(f"land a1 {hex}" for hex in open_hexes)
    assert dropped.asks[0].side == "american"
    assert unit(session, "a1").hex == "J8"
    assert landing_column(session) == []


@pytest.mark.rule("ost", "85.9")
def test_without_an_open_hex_it_takes_the_attack_of_the_terrain() -> None:
    session = one("g1 ger_rifle K8 broken", dice=(1, 3, 1, 1), terrain={"brush": "J7-L9", "woods": "K7"})
    drop(session, "land a1 K7")
    assert unit(session, "a1").hex == "K7"
    assert landing_column(session) == [-3]


@pytest.mark.rule("ost", "85.13", "72.1")
@pytest.mark.parametrize("there", [("a5 us_airborne K8", "a6 us_airborne K8"), ("a5 us_sniper K8",)])
def test_a_drop_does_not_overstack(there: tuple[str, ...]) -> None:
    session = one(*there, dice=(1, 3))
    drop(session, "land a1 K9")
    assert unit(session, "a1").hex == "K9"


@pytest.mark.rule("ost", "85.13", "72.1")
def test_leaders_count_for_stacking_too() -> None:
    crowd = ("a5 us_airborne K8", "a6 us_ab_lt K8", "a7 us_ab_sgt K8")
    alone = one(*crowd, dice=(1, 3))
    drop(alone)
    assert unit(alone, "a1").hex == "K8"
    led = one(*crowd, "a2 us_ab_sgt - attached=a1", dice=(1, 3))
    drop(led, "land a1 K9")
    assert unit(led, "a2").hex == "K9"


@pytest.mark.rule("ost", "85.9", "44.1")
def test_a_river_lets_nobody_land_but_drowns_only_those_who_have_nowhere_else() -> None:
    session = one(dice=(1, 3), terrain={"river": "K8"})
    drop(session, "land a1 K9")
    assert unit(session, "a1").hex == "K9"
    lake = one(dice=(1, 3), terrain={"river": "I6-M10"})
    drop(lake)
    assert unit(lake, "a1").status == LOST
    assert state(lake).casualties["german"] == 2


@pytest.mark.rule("ost", "85.9")
def test_with_one_hex_left_nothing_is_asked() -> None:
    session = one(dice=(1, 3), terrain={"river": "K7, K8, L7, L8, J7, J8"})
    assert drop(session).asks == []
    assert unit(session, "a1").hex == "K9"


@pytest.mark.rule("ost", "85.9", "17.9")
def test_a_gun_too_large_for_structures_comes_down_beside_them() -> None:
    units = ("p1 ger_ju52 K12 f=1 due=5 load=g1", "g1 ger_flak36 -", "a1 us_rifle A1")
    session = game(*units, dice=(1, 3), terrain={"heavy_structure": "K8"})
    drop(session, "land g1 K9", "face 2")
    assert unit(session, "g1").hex == "K9"
    plain = game(*units, dice=(1, 3))
    drop(plain, "face 2")
    assert unit(plain, "g1").hex == "K8"


@pytest.mark.rule("ost", "85.9", "17.2")
def test_the_enemy_rolls_for_the_gun_of_a_crew_that_finds_nowhere_to_land() -> None:
    units = ("p1 ger_ju52 K12 f=1 due=5 load=g1", "g1 ger_flak36 -", "a1 us_rifle A1")
    session = game(*units, dice=(1, 3, 1), terrain={"river": "I6-M10"})
    drop(session)
    (roll,) = rolled(session, "gun remains")
    assert (roll.side, roll.unit) == ("american", "g1") and unit(session, "g1").status == LOST


@pytest.mark.rule("ost", "73.6", "85.13")
def test_a_hidden_friend_stays_hidden_when_another_lands_beside_it() -> None:
    session = one("a5 us_airborne K8 hidden", dice=(1, 3))
    drop(session)
    assert unit(session, "a1").hex == "K8"
    assert unit(session, "a5").hidden


@pytest.mark.rule("ost", "85.9", "73.8")
def test_hidden_enemies_under_the_parachute_are_revealed() -> None:
    session = one("g1 ger_rifle K8 hidden broken", "g2 ger_rifle K9 hidden broken", dice=(1, 3))
    dropped = drop(session, "land a1 K9", "land a1 K7")
    assert "land a1 K9" in dropped.keys[0]  # nobody gives the second one away
    assert "land a1 K9" not in dropped.keys[1]
    assert not unit(session, "g1").hidden and not unit(session, "g2").hidden
    assert unit(session, "a1").hex == "K7"


# ---- fire at parachutists (85.10) ---------------------------------------------------------------------


@pytest.mark.rule("ost", "85.10")
def test_adjacent_enemies_fire_for_nothing_at_half_firepower_before_the_landing() -> None:
    session = one("g1 ger_hmg42 K7", dice=(1, 3, 1, 1, 1, 1), terrain={"woods": "K8"})
    dropped = drop(session, "fire g1 own")
    assert dropped.asks[0].side == "german" and dropped.asks[0].reaction
    assert under_fire(session) == [("a1", 3, 5)]  # 7 / 2, rounded down; Defense without the woods
    assert landing_column(session) == [-3]
    assert [len(e.tallies) for e in rolled(session, "ICT attack")] == [3, 1]
    assert state(session).points["german"] == 5
    assert battle(session).actions(unit(session, "g1")) == 0


@pytest.mark.rule("ost", "85.10")
def test_they_may_hold_their_fire_and_those_further_off_are_not_asked() -> None:
    session = one("g1 ger_rifle K7", "g2 ger_rifle K6", dice=(1, 3))
    dropped = drop(session, "hold")
    assert dropped.keys == [["hold", "fire g1 own"]]
    assert under_fire(session) == []
    far = one("g2 ger_rifle K6", dice=(1, 3))
    assert drop(far).asks == []


@pytest.mark.rule("ost", "85.10")
def test_enemies_under_the_parachute_fire_too() -> None:
    session = one("g1 ger_rifle K8", dice=(1, 3, 1, 1))
    drop(session, "land a1 K9", "fire g1 own")
    assert under_fire(session) == [("a1", 2, 5)]


@pytest.mark.rule("ost", "85.10")
def test_each_enemy_fires_once_per_unit_until_it_is_gone() -> None:
    session = one("g1 ger_rifle K7", "g2 ger_rifle K9", dice=(1, 3, 1, 1, 1, 1))
    dropped = drop(session, "fire g1 own", "fire g2 own")
    assert dropped.keys[1] == ["hold", "fire g2 own"]
    killed = one("g1 ger_hmg42 K7", "g2 ger_hmg42 K9", load="a1 us_airborne - reduced", dice=(1, 3, 6, 6))
    drop(killed, "fire g1 own")
    assert unit(killed, "a1").status == LOST
    assert happened(killed, move_events.Landed) == []
    assert state(killed).casualties["german"] == 1
    assert [(event.unit, event.target) for event in happened(killed, turn_events.Declared)] == [("g1", "a1")]


@pytest.mark.rule("ost", "85.10")
def test_the_dead_make_no_hard_landing() -> None:
    session = one("g1 ger_hmg42 K7", load="a1 us_airborne - reduced", dice=(1, 3, 6, 6), terrain={"woods": "K8"})
    drop(session, "fire g1 own")
    assert unit(session, "a1").status == LOST
    assert landing_column(session) == []


@pytest.mark.rule("ost", "85.10", "20.7", "20at.1")
def test_what_is_thrown_flamed_or_aimed_at_armor_does_not_reach_men_in_the_air() -> None:
    session = one(
        "g1 ger_pioneer K7 with=ger_satchel,ger_bundle,ger_flamethrower,ger_panzerfaust,ger_mortar50", dice=(1, 3)
    )
    assert drop(session, "hold").keys == [["hold", "fire g1 own"]]


@pytest.mark.rule("ost", "85.10", "92.5", "92.6", "12.1")
def test_who_cannot_be_part_of_such_a_group() -> None:
    led = ("g1 ger_rifle K7", "g2 ger_sgt K7 attached=g1")
    for other in ("g3 ger_pz4h J7 f=3", "g3 ger_sniper J7", "g3 ger_rifle J8", "g3 ger_rifle J7 broken"):
        keys_ = drop(one(*led, other, dice=(1, 3)), "hold").keys[0]
        assert not [key for key in keys_ if key.startswith("group")], other


@pytest.mark.rule("ost", "85.10", "83.3")
def test_the_next_parachutist_may_be_fired_at_again() -> None:
    units = ("p1 us_c47 K12 f=1 due=5 load=a1,a2", *LOAD[:2], "g1 ger_rifle K7")
    session = game(*units, dice=(1, 3, 1, 1, 1, 2, 1, 1))
    drop(session, "fire g1 own", "fire g1 own")
    assert [id for id, _, _ in under_fire(session)] == ["a1", "a2"]


@pytest.mark.rule("ost", "85.10", "92.2")
def test_two_enemies_with_a_leader_may_fire_as_a_group() -> None:
    units = ("g1 ger_rifle K7 with=ger_lmg", "g2 ger_sgt K7 attached=g1", "g3 ger_rifle J7")
    session = one(*units, dice=(1, 3, 1, 1))
    dropped = drop(session, "group g1 g3")
    assert dropped.keys[0] == ["hold", "fire g1 own", "fire g1 own+w1", "fire g3 own", "group g1 g3"]
    assert under_fire(session) == [("a1", 5, 5)]  # (4 + 2 + 4) / 2
    assert lines(rolled(session, "ICT attack")[0].tallies[2]) == {"attached_leader": 1}
    without = one("g1 ger_rifle K7", "g3 ger_rifle J7", dice=(1, 3))
    assert drop(without, "hold").keys[0] == ["hold", "fire g1 own", "fire g3 own"]


@pytest.mark.rule("ost", "85.10", "68.3", "68.6")
def test_shaken_enemies_fire_at_a_quarter_broken_ones_not() -> None:
    session = one("g1 ger_hmg42 K7 shaken", "g2 ger_rifle K9 broken", dice=(1, 3, 1, 1))
    dropped = drop(session, "fire g1 own")
    assert dropped.keys[0] == ["hold", "fire g1 own"]
    assert under_fire(session) == [("a1", 1, 5)]  # 7 -> 3 -> 1


@pytest.mark.rule("ost", "85.10", "95.13", "17.13")
def test_vehicles_fire_both_armaments_and_guns_only_through_their_arc() -> None:
    session = one("g1 ger_pz4h K7", dice=(1, 3, 1, 1, 1, 1))
    dropped = drop(session, "fire g1 main", "fire g1 mg")
    assert dropped.keys[0] == ["hold", "fire g1 main", "fire g1 mg"]
    assert under_fire(session) == [("a1", 2, 5), ("a1", 1, 5)]  # HE 4 / 2, machine guns 2 / 2
    facing = one("g1 ger_pak40 K7 f=4", dice=(1, 3, 1, 1))
    drop(facing, "fire g1 main")
    away = one("g1 ger_pak40 K7 f=1", dice=(1, 3))
    assert drop(away).asks == []


@pytest.mark.rule("ost", "85.10", "73.9")
def test_a_hidden_enemy_may_ambush_the_parachutist() -> None:
    session = one("g1 ger_rifle K7 hidden", dice=(1, 3, 1, 1))
    drop(session, "fire g1 own")
    assert not unit(session, "g1").hidden
    assert under_fire(session) == [("a1", 3, 5)]  # 4 / 2 + 1
    assert lines(rolled(session, "ICT attack")[0].tallies[2]) == {"ambush_roll": 1}
    silent = one("g1 ger_rifle K7 hidden", dice=(1, 3))
    drop(silent, "hold")
    assert unit(silent, "g1").hidden


@pytest.mark.rule("ost", "85.11", "85.10")
def test_leaders_roll_when_their_unit_is_hit_in_the_air() -> None:
    # HMG: 3 - 5 = -2; an 11 is C: reduced, and the Leader's 1 kills him
    session = one("a2 us_ab_sgt - attached=a1", "g1 ger_hmg42 K7", dice=(1, 3, 5, 6, 1))
    drop(session, "fire g1 own")
    assert unit(session, "a1").reduced and unit(session, "a2").status == LOST


# ---- afterwards ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "85.12")
def test_supplies_drift_but_no_attack_is_made_on_them() -> None:
    session = one(dice=(1, 3, 1, 2), terrain={"woods": "K8"}, load="a1 us_airborne -")
    unit(session, "a1").status = LOST  # only the supplies are aboard
    state(session).weapons["s1"] = Weapon("s1", "us_mortar60", "p1")
    session.dice.script[:] = [1, 3]  # type: ignore[attr-defined]
    drop(session)
    supplies = state(session).weapons["s1"]
    assert (supplies.unit, supplies.hex) == ("", "K8")
    assert [(event.weapon, event.place) for event in happened(session, move_events.WeaponLeft)] == [("s1", "K8")]
    assert rolled(session, "ICT attack") == []


@pytest.mark.rule("ost", "85.4", "27.2")
def test_mines_in_the_landing_hex_attack() -> None:
    session = one(dice=(1, 3, 1, 1), mines=["K8 german"])
    drop(session)
    assert under_fire(session) == [("a1", 5, 5)]
    assert state(session).mines["K8"].revealed


@pytest.mark.rule("ost", "85.4", "107.14")
def test_a_strike_zone_attacks_whoever_comes_down_in_it() -> None:
    session = one(dice=(1, 3, 1, 1), strikes=["german artillery K9"])
    drop(session)
    assert under_fire(session) == [("a1", 3, 5)]


@pytest.mark.rule("ost", "65.3")
def test_a_unit_that_lands_in_good_order_takes_a_control_hex() -> None:
    session = one(dice=(1, 3), control={"K8": "german"})
    drop(session)
    assert state(session).control["K8"] == "american"


@pytest.mark.rule("ost", "83.2", "85.2")
def test_a_gun_is_pointed_where_its_owner_likes() -> None:
    session = one(load="a1 us_pack75 -", dice=(1, 3))
    assert drop(session, "face 4").keys == [[f"face {way}" for way in range(1, 7)]]
    assert unit(session, "a1").facing == 4
    assert [event.facing for event in happened(session, move_events.Turned)] == [4]
    assert unit(session, "a1").status == ON_MAP


@pytest.mark.rule("ost", "85.2", "111.2")
def test_a_drop_of_the_reinforcements_phase_is_part_of_the_turn() -> None:
    units = ("p1 us_c47 K12 f=1 due=4 load=a1", "a1 us_airborne -", "a2 us_airborne P16", "g1 ger_rifle A1")
    session = game(*units, phase="marker", seed=b"drop", dice=())
    assert state(session).turn == 4
    assert unit(session, "a1").status == ON_MAP
    assert unit(session, "p1").status == LOST
