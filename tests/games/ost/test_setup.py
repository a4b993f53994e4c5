"""Set-up (64, B-1 to B-6): where things may stand, what may hide, who is with whom, and what the enemy sees of it."""

from __future__ import annotations

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost import move_events, turn_events
from grognard.games.ost.game import GAME
from grognard.games.ost.state import LOST, OFF_MAP, ON_MAP, Work
from grognard.players.random import RandomPlayer
from tests.games.ost.helpers import answer, happened, keys, rolled, state, unit

rule = pytest.mark.rule

HEAD = """
game = "ost"
name = "placing"
title = "Placing"
turns = 5
[map]
columns = 10
rows = 6
[map.terrain]
stream = "G1"
river = "G2"
woods = "G3"
[[map.building]]
terrain = "heavy_structure"
hexes = "G4"
[[map.building]]
terrain = "heavy_structure"
hexes = "G5"
[[map.road]]
path = "G5, G6, H6"
"""
GERMAN = '[side.german]\nnation = "german"\nimpulse = "2d6"\ngut_check = 7\ncards = 0\nzone = "G1-H6"\n'
AMERICAN = (
    '[side.american]\nnation = "american"\nimpulse = "2d6"\ngut_check = 7\ncards = 0\nzone = "A1-B6"\n'
    '[[side.american.unit]]\nkind = "us_rifle"\nat = "A1"\n'
)


def begin(*german: str, american: str = AMERICAN, head: str = HEAD, side: str = "") -> Session:
    """A battle in which the German is to set up these: each a line of words, ``kind key=value ...``."""
    tables = []
    for text in german:
        what, *words = text.split(";")
        table, kind = ("unit", what) if " " not in what else what.split()
        lines = [f"[[side.german.{table}]]"] + ([f'kind = "{kind}"'] if kind != "-" else [])
        tables.append("\n".join([*lines, *(word.strip().replace("=", " = ") for word in words)]))
    text = "\n".join([head, GERMAN + side, *tables, american])
    return Session(GAME, GAME.load_scenario(Document.from_toml(text, "placing.toml")), seed=b"placing")


def places(session: Session) -> set[str]:
    """The hexes that are offered, with how."""
    return {" ".join(key.split()[2:]) for key in keys(session, "place")}


# ---- where units may stand -----------------------------------------------------------------------------


@rule("ost", "64.2")
def test_each_unit_is_placed_in_its_zone_in_the_order_of_battle() -> None:
    session = begin("ger_rifle;count=2", 'ger_hmg42;zone="H1-H3"')
    assert session.ask is not None and session.ask.prompt == "Set up: Rifle Squad g1" and session.ask.quiet
    assert places(session) == {f"{c}{r}" for c in "GH" for r in range(1, 7)} - {"G2"} | {"G5 road"}
    answer(session, "place g1 H1", "place g2 H2")
    assert places(session) == {"H1", "H2", "H3"}
    assert (unit(session, "g1").hex, unit(session, "g1").status) == ("H1", ON_MAP)


@rule("ost", "64.2")
def test_what_the_scenario_fixes_is_not_asked() -> None:
    session = begin('ger_rifle;at="G3"', 'ger_pz4h;at="H4";facing=5', 'work trench;at="G3"', 'mines -;at="H1"')
    assert state(session).phase == "play"
    assert unit(session, "g1").hex == "G3" and unit(session, "g2").facing == 5
    assert state(session).works["G3"] == Work("trench", "german") and "H1" in state(session).mines


@rule("ost", "72.1", "12.2")
def test_stacking_holds_at_set_up() -> None:
    session = begin("ger_rifle;count=3", "ger_sniper")
    answer(session, "place g1 H1", "place g2 H1")
    assert "H1" not in places(session)
    answer(session, "place g3 H2")
    assert not {"H1", "H2"} & places(session)


@rule("ost", "35.5", "53.7", "57.4", "17.9")
def test_nobody_stands_where_he_could_not_go() -> None:
    tank = begin("ger_pz4h")
    assert not {"G2", "G4"} & places(tank) and {"G1", "G5", "H1"} <= places(tank)
    truck = begin("ger_truck")
    assert not {"G2", "G4", "G3"} & places(truck)
    flak = begin("ger_flak36")
    assert not {"G4", "G5"} & places(flak) and "G5 road" in places(flak)


@rule("ost", "57.1", "57.4")
def test_in_a_road_and_structure_hex_one_is_in_the_building_or_on_the_road() -> None:
    session = begin("ger_rifle;count=2", "ger_pz4h")
    answer(session, "place g1 G5", "place g2 G5 road")
    assert not unit(session, "g1").on_road and unit(session, "g2").on_road
    assert "G5" not in places(session)
    other = begin("ger_pz4h")
    answer(other, "place g1 G5", "face 1")
    assert unit(other, "g1").on_road


@rule("ost", "64.8")
def test_the_limits_of_the_scenario() -> None:
    limited = begin("ger_rifle;count=2", side='[[side.german.limit]]\nhexes = "G1-G6"\nmost = 1\n')
    answer(limited, "place g1 G1")
    assert places(limited) == {f"H{row}" for row in range(1, 7)}
    spread = begin("ger_rifle;count=2", side="apart = 4\n")
    answer(spread, "place g1 H1")
    grid = spread.scenario.battlefield.grid
    assert places(spread) and all(grid.distance("H1", hex.split()[0]) >= 4 for hex in places(spread) - {"H1"})
    alone = begin("ger_rifle;count=2", side="stack = 1\n")
    answer(alone, "place g1 H1")
    assert "H1" not in places(alone)


def test_a_unit_for_which_there_is_no_place_takes_no_part() -> None:
    session = begin('ger_rifle;count=3;zone="H1"')
    answer(session, "place g1 H1", "place g2 H1")
    assert unit(session, "g3").status == LOST and happened(session, move_events.LeftOut)
    assert state(session).casualties == {"german": 0, "american": 0}


@rule("ost", "21.3", "17.13")
def test_vehicles_and_guns_are_pointed() -> None:
    session = begin("ger_pz4h", "ger_pak40", "ger_rifle")
    answer(session, "place g1 H1")
    assert keys(session) == [f"face {way}" for way in range(1, 7)]
    answer(session, "face 6", "place g2 H2", "face 4")
    assert (unit(session, "g1").facing, unit(session, "g2").facing) == (6, 4)
    answer(session, "place g3 H3")
    assert state(session).phase == "play"


@rule("ost", "79.2", "15.4", "83.3")
def test_passengers_and_attached_leaders_are_placed_with_their_unit() -> None:
    session = begin('ger_sdkfz251;id="ht"', 'ger_rifle;id="sq";aboard="ht"', 'ger_lt;id="boss";attached="sq"')
    answer(session, "place ht H3", "face 1")
    assert {unit(session, id).hex for id in ("ht", "sq", "boss")} == {"H3"}
    assert unit(session, "boss").aboard == "ht" and state(session).phase == "play"


# ---- works and mines -----------------------------------------------------------------------------------


@rule("ost", "24.0b", "28.3", "29.3")
def test_one_work_a_hex_and_no_bunker_in_structures_or_streams() -> None:
    session = begin("work trench", "work bunker", "ger_rifle")
    answer(session, "place trench H1")
    assert not {"H1", "G1", "G4", "G5"} & places(session)
    answer(session, "place bunker H2")
    assert {hex: work.kind for hex, work in state(session).works.items()} == {"H1": "trench", "H2": "bunker"}


@rule("ost", "28.12", "28.2", "29.2", "29.7")
def test_inside_or_outside_a_work() -> None:
    session = begin("work pillbox", "ger_rifle;count=2", "ger_pz4h")
    answer(session, "place pillbox H2")
    answer(session, "face 5")
    assert state(session).works["H2"] == Work("pillbox", "german", 5)
    assert {"H2", "H2 inside"} <= places(session)
    answer(session, "place g1 H2 inside", "place g2 H3")
    assert unit(session, "g1").inside and "H2" not in places(session)


@rule("ost", "27.1")
def test_mines_are_recorded_in_secret_after_the_units() -> None:
    session = begin("mines -;count=2", "ger_rifle")
    assert session.ask is not None and "Rifle" in session.ask.prompt
    answer(session, "place g1 H1")
    assert keys(session)[0] == "place mines G1"
    answer(session, "place mines H1")
    assert "H1" not in places(session)
    answer(session, "place mines H2")
    assert set(state(session).mines) == {"H1", "H2"}
    assert [m.place for m in session.view("german").markers if m.kind == "mines"] == ["H1", "H2"]
    assert not [m for m in session.view("american").markers if m.kind == "mines"]
    assert not any("mines" in line.text for line in session.view("american").log)


# ---- hiding --------------------------------------------------------------------------------------------


@rule("ost", "73.1", "73.2", "73.4", "73.5")
def test_a_unit_that_may_hide_hides_with_its_leader_and_weapon() -> None:
    session = begin(
        'ger_rifle;id="sq";hidden="may";weapons=["ger_lmg"]', 'ger_sgt;id="boss";attached="sq"', "ger_rifle"
    )
    answer(session, "place sq G3")
    assert keys(session) == ["hide", "show"]
    answer(session, "hide", "place g1 H6")
    assert unit(session, "sq").hidden and unit(session, "boss").hidden
    seen = {u.id for u in session.view("american").units}
    assert {"sq", "boss"}.isdisjoint(seen) and "g1" in seen
    assert not any("sq" in line.text or "G3" in line.text for line in session.view("american").log)
    assert {"sq", "boss"} <= {u.id for u in session.view("german").units}


@rule("ost", "73.1")
def test_only_so_many_hide_as_the_scenario_allows() -> None:
    session = begin('ger_rifle;count=3;hidden="may"', side="hidden = 1\n")
    answer(session, "place g1 H1", "show", "place g2 H2", "hide", "place g3 H3")
    assert state(session).phase == "play" and [u for u in ("g1", "g2", "g3") if unit(session, u).hidden] == ["g2"]
    must = begin("ger_rifle;hidden=true")
    answer(must, "place g1 H1")
    assert unit(must, "g1").hidden


@rule("ost", "73.3")
def test_a_bunker_hides_with_the_hidden_unit_in_it() -> None:
    session = begin('work bunker;hidden="may";count=2', 'ger_rifle;hidden="may"', "ger_rifle")
    answer(session, "place bunker H1", "place bunker H2", "place g1 H1 inside", "hide", "place g2 H2 inside")
    assert state(session).works["H1"].hidden and not state(session).works["H2"].hidden
    assert [m.place for m in session.view("american").markers if m.kind == "bunker"] == ["H2"]
    assert {m.place for m in session.view("german").markers if m.kind == "bunker"} == {"H1", "H2"}
    assert not any("H1" in line.text for line in session.view("american").log)


def test_the_enemy_sees_a_set_up_when_it_is_done() -> None:
    session = begin("ger_rifle;count=2")
    answer(session, "place g1 H1")
    assert {u.id for u in session.view("american").units} == {"a1"}
    answer(session, "place g2 H2")
    assert {u.id for u in session.view("american").units} == {"a1", "g1", "g2"}


@rule("ost", "73.8")
def test_where_a_hidden_enemy_is_nobody_sets_up() -> None:
    american = AMERICAN.replace('zone = "A1-B6"', 'zone = "H1-H2"').replace('at = "A1"\n', "")
    session = begin("ger_rifle;hidden=true", american=american)
    answer(session, "place g1 H1")
    assert places(session) == {"H1", "H2"}
    answer(session, "place a1 H1")
    assert not unit(session, "g1").hidden and places(session) == {"H2"}


# ---- Leaders and weapons ---------------------------------------------------------------------------------


@rule("ost", "15.4", "15.13", "15.14")
def test_a_leader_begins_attached_or_on_his_own() -> None:
    session = begin("ger_rifle", "ger_sniper", "ger_pz4h", "ger_sgt", "ger_lt")
    answer(session, "place g1 H1", "place g2 H2", "place g3 H3", "face 1")
    assert keys(session) == ["attach g4 g1", "alone g4"]
    answer(session, "attach g4 g1")
    assert unit(session, "g4").attached == "g1" and unit(session, "g4").hex == "H1"
    assert session.ask is not None and session.ask.prompt == "Set up: Leutnant g5"
    assert {"H1", "H3"} <= places(session) and "H2" not in places(session)
    answer(session, "place g5 H1")
    assert unit(session, "g5").attached == "" and unit(session, "g5").hex == "H1"


def test_a_leader_left_alone_is_asked_for_his_place_again_after_a_fork() -> None:
    session = begin("ger_rifle", "ger_sgt")
    answer(session, "place g1 H1", "alone g2")
    fork = session.fork()
    assert fork.ask is not None and session.ask is not None and fork.ask.prompt == session.ask.prompt
    assert keys(fork) == keys(session)


@rule("ost", "16.6")
def test_an_armor_leader_gets_a_vehicle_for_good() -> None:
    session = begin("ger_pz4h;count=2", "ger_truck", "ger_arm_lt")
    answer(session, "place g1 H1", "face 1", "place g2 H2", "face 1", "place g3 H3", "face 1")
    assert keys(session) == ["attach g4 g1", "attach g4 g2"]
    answer(session, "attach g4 g2")
    assert unit(session, "g4").hex == "H2"
    one = begin("ger_pz4h", "ger_arm_lt")
    answer(one, "place g1 H1", "face 1")
    assert unit(one, "g2").attached == "g1"  # nothing to choose
    late = begin(*(f'{what};turn=3;entry="J1-J6"' for what in ("ger_pz4h;count=2", "ger_arm_lt")), "ger_rifle")
    assert keys(late, "attach") == [] and "place g4 H1" in keys(late)
    answer(late, "place g4 H1")
    assert keys(late) == ["attach g3 g1", "attach g3 g2"], "one who comes later begins in a vehicle that does"


@rule("ost", "20.1", "20.2", "20.11")
def test_weapons_go_to_squads() -> None:
    session = begin("ger_rifle;count=2", "ger_hmg42", "ger_sgt", "weapon ger_lmg;count=2")
    answer(session, "place g1 H1", "place g2 H2", "place g3 H3", "alone g4", "place g4 H4")
    assert keys(session) == ["give w1 g1", "give w1 g2"]
    answer(session, "give w1 g1")
    assert keys(session) == ["give w2 g1", "give w2 g2"]  # any number may be with a squad (20.11)
    answer(session, "give w2 g1")
    assert {w.unit for w in state(session).weapons.values()} == {"g1"}


@rule("ost", "20.11", "78.4")
def test_squads_that_come_later_carry_one_weapon_each() -> None:
    session = begin(
        'ger_rifle;count=2;turn=3;entry="J1-J6"', "ger_rifle", "weapon ger_lmg;count=2;turn=3", "weapon ger_atr"
    )
    answer(session, "place g3 H1", "give w1 g1")
    assert [state(session).weapons[id].unit for id in ("w1", "w2", "w3")] == ["g1", "g2", "g3"]
    assert unit(session, "g1").status == OFF_MAP and unit(session, "g1").due == 3


# ---- aircraft --------------------------------------------------------------------------------------------

DROP = (
    AMERICAN.replace('zone = "A1-B6"', 'zone = "A6-J6"')
    + "".join(f'[[side.american.unit]]\nkind = "us_airborne"\nid = "p{n}"\n' for n in range(1, 5))
    + '[[side.american.aircraft]]\nkind = "us_c47"\nid = "c1"\nload = ["p1", "p2"]\n'
    + '[[side.american.aircraft]]\nkind = "us_c47"\nid = "c2"\nload = ["p3", "p4"]\n'
)


@rule("ost", "84.1", "84.2", "84.3", "84.4", "84.5", "83.3")
def test_aircraft_are_set_up_apart_and_fly_the_same_way() -> None:
    session = begin('ger_rifle;at="H1"', american=DROP)
    assert places(session) == {f"{column}6" for column in "ABCDEFGHIJ"}
    answer(session, "place c1 A6")
    assert len(keys(session, "face")) == 6
    answer(session, "face 1")
    assert keys(session) == ["order p1 p2", "order p2 p1"]
    answer(session, "order p2 p1")
    grid = session.scenario.battlefield.grid
    assert places(session) and all(grid.distance("A6", hex) >= 5 for hex in places(session))
    answer(session, "place c2 H6")
    assert keys(session, "face") == [] and keys(session, "order")
    assert unit(session, "c1").entry == ("p2", "p1")
    answer(session, keys(session, "order")[0])
    placed = [(e.side, e.kind, e.place, e.rules, e.seen_by) for e in happened(session, move_events.Placed)]
    assert placed == [
        ("american", "c1", "A6", ("84.1",), "american"),
        ("american", "c2", "H6", ("84.1",), "american"),
    ]


@rule("ost", "84.6", "85.1")
def test_what_drops_before_the_first_turn_lands_before_it() -> None:
    session = begin('ger_rifle;at="H1"', american=DROP)
    answer(session, "place c1 A6", "face 1", "order p1 p2", "place c2 H6", "order p3 p4")
    while session.ask is not None and state(session).phase == "setup":
        session.answer(keys(session)[0])
    assert state(session).turn == 5 and state(session).phase != "setup"
    assert all(unit(session, f"p{n}").status in (ON_MAP, LOST) for n in range(1, 5))
    assert len(rolled(session, "drop direction")) == 4


@rule("ost", "62.2")
def test_cards_are_drawn_after_set_up() -> None:
    session = begin("ger_rifle", american=AMERICAN.replace("cards = 0", "cards = 1"))
    assert not happened(session, turn_events.CardDrawn)
    answer(session, "place g1 H1")
    assert [event.side for event in happened(session, turn_events.CardDrawn)] == ["american"]


def test_the_order_of_set_up_is_the_scenarios() -> None:
    american = AMERICAN.replace('at = "A1"\n', "")
    head = HEAD.replace("turns = 5", 'turns = 5\nsetup_order = ["american", "german"]')
    session = begin("ger_rifle", american=american, head=head)
    assert session.ask is not None and session.ask.side == "american"
    assert session.scenario.sides == ("german", "american")


@pytest.mark.rule("ost", "64.2", "73.2")
def test_the_log_of_a_set_up_tells_the_enemy_no_more_than_the_map() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["canal_bridge"]))
    session, player = Session(GAME, scenario, seed=b"quiet"), RandomPlayer(1)
    while session.ask is not None and session.state.phase == "setup":
        first = session.ask.side
        other = session.battle.other(first)
        told = {line.text for line in session.view(other).log if line.side == first}
        assert not told, "what the enemy has placed shows on the map when he is done"
        session.answer(player.choose(None, session.ask))
        if session.ask is not None and session.ask.side == other:
            break
    assert not [line for line in session.view(other).log if line.kind == "Placed" and line.side == first]


@rule("ost", "73.3")
def test_what_the_other_side_has_hidden_stays_hidden_and_is_not_told_again() -> None:
    american = (
        '[side.american]\nnation = "american"\nimpulse = "2d6"\ngut_check = 7\ncards = 0\nzone = "A1-B6"\n'
        '[[side.american.work]]\nkind = "bunker"\nhidden = "may"\nat = "A2"\n'
        '[[side.american.unit]]\nkind = "us_rifle"\nhidden = true\nat = "A2"\ninside = true\n'
    )
    head = HEAD.replace("[map]", 'setup_order = ["american", "german"]\n[map]', 1)
    session = begin('work bunker;hidden="may"', "ger_rifle", american=american, head=head)
    answer(session, "place bunker H1", "place g1 H1")
    assert state(session).works["A2"] == Work("bunker", "american", hidden=True)
    told = [(event.side, event.place) for event in happened(session, move_events.Placed) if event.kind == "bunker"]
    assert told == [("german", "H1"), ("german", "H1")], "placed in secret, and then shown"
    assert not any("A2" in line.text for line in session.view("german").log)


# ---- borders ---------------------------------------------------------------------------------------------

THERE = AMERICAN.replace('at = "A1"', 'at = "H1"')
WAITING = AMERICAN.replace('at = "A1"\n', "").replace('zone = "A1-B6"', 'zone = "H1-H3"')


@rule("ost", "64.2", "27.1", "75.10")
def test_nothing_is_placed_where_the_enemy_stands_and_what_finds_no_place_is_left_out() -> None:
    head = HEAD.replace("[map]", 'setup_order = ["american", "german"]\n[map]', 1)
    session = begin('work trench;zone="H1-H2"', 'mines -;zone="H1-H2"', "ger_rifle", american=THERE, head=head)
    assert keys(session) == ["place trench H2"]
    answer(session, "place trench H2")
    assert "H1" not in places(session)
    answer(session, "place g1 H3")
    assert keys(session) == ["place mines H2"]
    answer(session, "place mines H2")
    full = begin('work trench;zone="H1"', 'mines -;zone="H1"', "ger_rifle", american=THERE, head=head)
    answer(full, "place g1 H3")
    assert not state(full).works and not state(full).mines and state(full).phase == "play"


@rule("ost", "29.2", "31.1", "30.1", "64.2")
def test_vehicles_are_set_up_in_no_work_that_they_could_not_enter() -> None:
    works = ('work pillbox;at="H1";facing=1', 'work roadblock;at="H2"', 'work trench;at="H3"')
    for kind, barred in (("ger_pz4h", {"H1", "H2"}), ("ger_truck", {"H1", "H2"}), ("ger_rifle", set())):
        session = begin(*works, f'{kind};zone="H1-H4"')
        found = {place.split()[0] for place in places(session)}
        assert {"H1", "H2", "H3", "H4"} - found == barred, kind


@rule("ost", "28.12", "29.5", "17.9")
def test_inside_a_work_there_is_room_for_foot_units_that_fit() -> None:
    for kind, inside in (("ger_rifle", True), ("ger_sniper", True), ("ger_flak36", False), ("ger_hmg42", True)):
        session = begin('work bunker;at="H1"', f'{kind};zone="H1"')
        assert ("H1 inside" in places(session)) is inside, kind
    outside = begin('work trench;at="H1"', 'ger_rifle;zone="H1"')
    assert places(outside) == {"H1"}, "a trench has no inside"


@rule("ost", "64.8")
def test_a_limit_counts_units_and_weapons_with_crews_but_no_single_people_and_no_passengers() -> None:
    side = '[[side.german.limit]]\nhexes = "G1-G6"\nmost = 2\n'

    def open_after(*units: str) -> bool:
        session = begin(
            *(f'{unit};zone="G1-G6"' if ";" not in unit else unit for unit in units), "ger_rifle", side=side
        )
        rows = iter(("G1", "G3", "G6"))
        while len(keys(session, "place")) and "Rifle Squad" not in session.ask.prompt:  # type: ignore[union-attr]
            answer(session, f"place {session.ask.options[0].key.split()[1]} {next(rows)}")  # type: ignore[union-attr]
            if keys(session, "face"):
                answer(session, "face 1")
        return any(place.startswith("G") for place in places(session))

    assert open_after("ger_hmg42")
    assert not open_after("ger_hmg42", "ger_pak40")
    assert open_after("ger_hmg42", "ger_sniper")


@rule("ost", "64.8", "15.4")
def test_leaders_do_not_fill_a_hex_that_the_scenario_limits() -> None:
    session = begin("ger_rifle", "ger_rifle", "ger_sgt", side="stack = 1\n")
    answer(session, "place g1 H1")
    assert "H1" not in places(session)
    answer(session, "place g2 H2", "attach g3 g1")
    assert unit(session, "g3").hex == "H1"


@rule("ost", "64.8")
def test_units_that_keep_apart_may_share_a_hex() -> None:
    session = begin("ger_rifle;count=2", side="apart = 3\n")
    answer(session, "place g1 H1")
    grid = session.scenario.battlefield.grid
    near = {hex.split()[0]: grid.distance("H1", hex.split()[0]) for hex in places(session)}
    assert near["H1"] == 0 and min(far for hex, far in near.items() if hex != "H1") == 3


@rule("ost", "16.6", "64.2")
def test_an_armor_leader_without_a_vehicle_takes_no_part() -> None:
    session = begin("ger_rifle", "ger_truck", "ger_arm_lt")
    answer(session, "place g1 H1", "place g2 H2", "face 1")
    assert unit(session, "g3").status == LOST and state(session).phase == "play"
    assert [event.unit for event in happened(session, move_events.LeftOut)] == ["g3"]


@rule("ost", "15.4", "15.13", "64.2")
def test_a_leader_begins_with_a_unit_of_his_zone_that_has_none() -> None:
    session = begin("ger_rifle;count=3", 'ger_sgt;zone="H1-H2"', "ger_lt")
    answer(session, "place g1 H1", "place g2 H2", "place g3 G6")
    assert keys(session) == ["attach g4 g1", "attach g4 g2", "alone g4"]
    answer(session, "attach g4 g1")
    assert keys(session) == ["attach g5 g2", "attach g5 g3", "alone g5"]
    (joined,) = happened(session, move_events.Attached)
    assert (joined.side, joined.unit, joined.to, joined.rules, joined.seen_by) == (
        "german",
        "g4",
        "g1",
        ("15.4",),
        "german",
    )


@rule("ost", "15.4", "15.5", "78.4")
def test_a_leader_who_comes_later_is_not_asked_and_an_armor_leader_comes_when_his_vehicle_does() -> None:
    later = ';turn=3;entry="J1-J6"'
    session = begin("ger_rifle", f"ger_rifle{later}", f"ger_sgt{later}")
    answer(session, "place g1 H1")
    assert unit(session, "g3").status == OFF_MAP and unit(session, "g3").attached == ""
    tanks = begin("ger_rifle", f"ger_pz4h{later}", 'ger_pz4h;turn=2;entry="J1-J6"', f"ger_arm_lt{later}")
    answer(tanks, "place g1 H1")
    leader = unit(tanks, "g4")
    assert (leader.attached, leader.status, leader.due) == ("g2", OFF_MAP, 3)
    assert leader.entry == tuple(f"J{row}" for row in range(1, 7))


@rule("ost", "73.1", "73.4", "15.4")
def test_a_leader_who_joins_hidden_men_in_a_bunker_is_hidden_there() -> None:
    session = begin('work bunker;at="H1"', "ger_rifle;hidden=true", "ger_sgt")
    answer(session, "place g1 H1 inside", "attach g2 g1")
    assert unit(session, "g2").hidden and unit(session, "g2").inside and not unit(session, "g2").on_road
    road = begin("ger_rifle", "ger_sgt")
    answer(road, "place g1 G5 road", "attach g2 g1")
    assert unit(road, "g2").on_road and not unit(road, "g2").hidden


@rule("ost", "64.2", "20.2")
def test_placing_is_told_to_its_own_side_as_it_happens() -> None:
    session = begin("ger_rifle;count=2", "weapon ger_lmg", 'mines -;zone="H6"')
    answer(session, "place g1 H1", "place g2 H2", "give w1 g2", "place mines H6")
    placed = [(e.side, e.kind, e.place, e.rules, e.seen_by) for e in happened(session, move_events.Placed)]
    assert placed == [
        ("german", "g1", "H1", ("64.2",), "german"),
        ("german", "g2", "H2", ("64.2",), "german"),
        ("german", "mines", "H6", ("27.1",), "german"),
    ]
    (taken,) = happened(session, move_events.WeaponTaken)
    assert (taken.side, taken.unit, taken.weapon, taken.seen_by) == ("german", "g2", "w1", "german")


@rule("ost", "73.8", "64.2")
def test_only_the_hidden_enemies_of_the_chosen_hex_are_shown() -> None:
    session = begin("ger_rifle;hidden=true;count=2", american=WAITING)
    answer(session, "place g1 H1", "place g2 H2", "place a1 H1")
    assert not unit(session, "g1").hidden and unit(session, "g2").hidden
    answer(session, "place a1 H3")
    assert unit(session, "a1").hex == "H3" and unit(session, "g2").hidden


@rule("ost", "34.5", "65.1", "64.2")
def test_a_battle_begins_as_its_scenario_says() -> None:
    head = HEAD.replace("turns = 5", 'turns = 5\nwrecks = "C3"').replace(
        "[map]", '[control.H1]\nowner = "german"\n[map]', 1
    )
    session = begin('ger_rifle;at="H1"', 'ger_rifle;at="H2";hidden=true', 'mines -;at="H3"', head=head)
    now = state(session)
    assert now.wrecks == {"C3": 1} and now.control == {"H1": "german"} and now.turn == 5
    assert now.casualties == now.victory == {"german": 0, "american": 0}
    assert now.mines["H3"].side == "german" and unit(session, "g2").hidden and not unit(session, "g1").hidden


@rule("ost", "15.4", "84.2", "83.3")
def test_a_leader_of_airborne_troops_may_begin_in_their_aircraft() -> None:
    lead = '[[side.american.unit]]\nkind = "us_ab_lt"\nid = "boss"\n'
    session = begin('ger_rifle;at="H1"', american=DROP + lead)
    answer(session, "place c1 A6", "face 1", "order p1 p2", "place c2 H6", "order p3 p4")
    assert {f"attach boss p{n}" for n in range(1, 5)} <= set(keys(session)) and "alone boss" in keys(session)
    answer(session, "attach boss p2")
    boss = unit(session, "boss")
    assert boss.attached == "p2" and boss.aboard == "c1"
    where = '[[side.american.unit]]\nkind = "us_ab_lt"\nid = "boss"\nzone = "A6"\n'
    walks = begin('ger_rifle;at="H1"', american=DROP + where)
    answer(walks, "place c1 A6", "face 1", "order p1 p2", "place c2 H6", "order p3 p4")
    assert "attach boss p2" in keys(walks)


@rule("ost", "84.2", "64.2")
def test_an_aircraft_without_room_takes_no_part_nor_do_its_men() -> None:
    american = DROP.replace('zone = "A6-J6"', 'zone = "A6-B6"')
    session = begin('ger_rifle;at="H1"', american=american)
    answer(session, "place c1 A6", "face 1", "order p1 p2")
    assert [unit(session, id).status for id in ("c2", "p3", "p4")] == [LOST] * 3
    assert [event.unit for event in happened(session, move_events.LeftOut)] == ["c2", "p3", "p4"]


@rule("ost", "15.4", "64.2")
def test_a_leader_whose_hex_is_fixed_is_asked_for_units_of_that_hex() -> None:
    session = begin('ger_rifle;at="H1"', 'ger_rifle;at="H2"', 'ger_rifle;at="H1";hidden=true', 'ger_sgt;at="H1"')
    assert unit(session, "g4").attached == "g1" or set(keys(session)) == {"attach g4 g1", "alone g4"}
