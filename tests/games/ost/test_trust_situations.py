"""Positions written by hand that could not be on a table: a fault each, with its line and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document
from grognard.games.ost.game import GAME

HEAD = """game = "ost"
turn = 5
turns = 8
sides = ["american", "german"]
[map]
columns = 20
rows = 16
[map.terrain]
woods = "D6, E6"
river = "F1"
stream = "F2"
heavy_structure = "C2, H2, C8"
[[map.road]]
path = "H2:H1"
[[map.road]]
path = "E6:E8"
[[unit]]
id = "g"
kind = "ger_rifle"
hex = "A1"
"""


def table(name: str, **keys: object) -> str:
    """A TOML table of an array of tables."""
    lines = []
    for key, value in keys.items():
        if isinstance(value, bool):
            text = str(value).lower()
        elif isinstance(value, int | list):
            text = str(value).replace("'", '"')
        else:
            text = f'"{value}"'
        lines.append(f"{key} = {text}\n")
    return f"[[{name}]]\n" + "".join(lines)


def unit(kind: str, id: str = "k", hex: str = "B5", **keys: object) -> str:
    return table("unit", id=id, kind=kind, **({"hex": hex} if hex else {}), **keys)


def faults(*tables: str) -> list[Fault]:
    """All that is wrong with a position; nothing if it is good."""
    try:
        GAME.load_situation(Document.from_toml(HEAD + "".join(tables), "position.toml"))
    except MalformedError as error:
        return list(error.faults)
    return []


def only(*tables: str) -> tuple[str, str, str, str]:
    """The one fault of a position: the line it stands in, its place, what is wrong and what would be right."""
    (fault,) = faults(*tables)
    line = (HEAD + "".join(tables)).splitlines()[fault.line - 1]
    return line, fault.place, fault.wrong, fault.right


# ---- ground ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "53.7", "57.4")
def test_a_tank_stands_in_no_house_unless_a_road_leads_through() -> None:
    line, place, wrong, right = only(unit("us_m4a1", hex="C2", facing=1))
    assert (line, place) == ('hex = "C2"', "unit[2].hex")
    assert "M4A1 Sherman k can't be in C2" in wrong and "[53.7]" in wrong
    assert "another hex" in right and "road" in right
    assert faults(unit("us_m4a1", hex="H2", facing=1)) == []


@pytest.mark.rule("ost", "57.4", "57.6")
def test_a_vehicle_in_a_road_and_structure_hex_is_on_the_road_with_its_riders() -> None:
    text = HEAD + unit("us_truck", hex="H2", facing=1) + unit("us_rifle", "r", "", aboard="k")
    _, state = GAME.load_situation(Document.from_toml(text, "position.toml"))
    assert state.units["k"].on_road and state.units["r"].on_road


@pytest.mark.rule("ost", "41.3")
def test_a_truck_stands_in_no_woods_without_a_road() -> None:
    line, place, wrong, right = only(unit("us_truck", hex="D6", facing=1))
    assert (line, place) == ('hex = "D6"', "unit[2].hex") and "woods [41.3]" in wrong and "road" in right
    assert faults(unit("us_truck", hex="E6", facing=1)) == []
    assert faults(unit("us_m4a1", hex="D6", facing=1)) == [], "tracks go into woods"


@pytest.mark.rule("ost", "44.1", "17.9", "29.2", "31.1")
@pytest.mark.parametrize(
    ("tables", "rule"),
    [
        ((unit("us_rifle", hex="F1"),), "44.1"),
        ((unit("ger_flak36", hex="C2", facing=1),), "17.9"),
        ((unit("ger_flak36", hex="H2", facing=1),), "17.9"),
        ((unit("us_m4a1", facing=1), table("work", kind="pillbox", hex="B5", side="american", facing=1)), "29.2"),
        ((unit("us_m4a1", facing=1), table("work", kind="roadblock", hex="B5", side="german")), "31.1"),
    ],
)
def test_nobody_is_where_he_could_never_go(tables: tuple[str, ...], rule: str) -> None:
    line, place, wrong, right = only(*tables)
    assert line.startswith("hex") and place == "unit[2].hex" and f"[{rule}]" in wrong and "another hex" in right


@pytest.mark.rule("ost", "28.12", "57.6")
@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        (unit("us_rifle", inside=True), "inside", "[[work]]"),
        (unit("us_rifle", hex="C8", inside=True), "inside", "on_road"),
        (unit("us_rifle", on_road=True), "on_road", "leave out on_road"),
    ],
)
def test_inside_and_on_the_road_of_what_there_is(text: str, key: str, hint: str) -> None:
    line, place, _, right = only(text)
    assert (line, place) == (f"{key} = true", f"unit[2].{key}") and hint in right


@pytest.mark.rule("ost", "17.9", "57.4")
def test_a_large_gun_is_told_of_the_road_only_where_there_is_one() -> None:
    assert only(unit("ger_flak36", hex="H2", facing=1))[3] == "on_road = true, or another hex"
    assert only(unit("ger_flak36", hex="C2", facing=1))[3] == "another hex"


@pytest.mark.rule("ost", "17.9", "28.12")
def test_a_large_gun_is_not_inside_a_bunker() -> None:
    bunker = table("work", kind="bunker", hex="B5", side="german")
    assert only(unit("ger_flak36", facing=1, inside=True), bunker)[1] == "unit[2].inside"
    assert faults(unit("ger_pak40", facing=1, inside=True), bunker) == []


# ---- facing ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "17.13", "21.3", "84.4")
@pytest.mark.parametrize("kind", ["us_m4a1", "us_truck", "ger_pak40", "us_c47"])
def test_what_has_a_front_needs_a_facing(kind: str) -> None:
    line, place, wrong, right = only(unit(kind))
    assert (line, place) == ("[[unit]]", "unit[2].facing")
    assert "needs a facing" in wrong and "1 (north) to 6" in right
    assert faults(unit(kind, facing=3)) == []


@pytest.mark.rule("ost", "17.3", "79.12")
def test_who_is_carried_or_off_the_map_needs_none_but_an_unmanned_gun_does() -> None:
    truck = unit("us_truck", facing=1)
    assert faults(truck, unit("us_at57", "p", "", aboard="k")) == []
    assert faults(unit("us_m4a1", hex="", due=3, entry="A1-A3")) == []
    assert faults(unit("us_c47", hex="", due=3)) == [], "it is not set up"
    assert faults(unit("us_rifle"), unit("ger_hmg42", "m", "B7")) == []
    assert only(unit("ger_pak40", status="unmanned"))[1] == "unit[2].facing"


@pytest.mark.rule("ost", "29.7")
def test_a_pillbox_needs_a_facing() -> None:
    line, place, _, right = only(table("work", kind="pillbox", hex="B5", side="german"))
    assert (line, place) == ("[[work]]", "work[1].facing") and "1 (north)" in right
    assert only(table("work", kind="pillbox", hex="B5", side="german", facing=7))[1] == "work[1].facing"


# ---- aircraft -------------------------------------------------------------------------------------


def plane(id: str, hex: str, load: list[str], facing: int = 1, due: int = 5, **keys: object) -> str:
    return unit("us_c47", id, hex, facing=facing, due=due, load=load, **keys)


def men(*kinds: str) -> list[str]:
    return [table("unit", id=f"a{number}", kind=kind) for number, kind in enumerate(kinds, 1)]


@pytest.mark.rule("ost", "83.1", "83.2")
@pytest.mark.parametrize(
    ("kinds", "rule"),
    [
        (("us_airborne",) * 4, "83.1"),
        (("us_airborne", "us_at57"), "83.2"),
        (("us_at57", "us_at57"), "83.2"),
        (("us_lt",), "83.1"),
        (("us_sniper",), "83.1"),
    ],
)
def test_a_load_that_no_aircraft_carries(kinds: tuple[str, ...], rule: str) -> None:
    load = [f"a{number + 1}" for number in range(len(kinds))]
    line, place, wrong, right = only(plane("p", "D12", load), *men(*kinds))
    assert line.startswith("load") and place == "unit[2].load" and f"[{rule}]" in wrong and "up to 3" in right


@pytest.mark.rule("ost", "83.1", "83.2")
def test_loads_that_are_carried() -> None:
    assert faults(plane("p", "D12", ["a1", "a2", "a3"]), *men("us_airborne", "us_ab_mmg", "us_airborne")) == []
    assert faults(plane("p", "D12", ["a1"]), *men("us_at57")) == []
    sergeant = table("unit", id="s", kind="us_sgt", attached="a1")
    assert faults(plane("p", "D12", ["a1"]), *men("us_airborne"), sergeant) == []


@pytest.mark.rule("ost", "83.1")
def test_who_is_in_a_load_is_there_once_and_nowhere_else() -> None:
    two = (plane("p", "D12", ["a1"]), plane("q", "K12", ["a1"]))
    assert "already" in only(*two, *men("us_airborne"))[2]
    assert only(plane("p", "D12", ["a1"]), unit("us_airborne", "a1", "B7"))[:2] == ('hex = "B7"', "unit[3].hex")
    assert 'no unit "g" of american' in only(plane("p", "D12", ["g"]))[2]
    assert "is not an aircraft" in only(unit("us_rifle", load=["g"]))[2]


@pytest.mark.rule("ost", "84.3", "84.5")
def test_aircraft_of_one_operation_keep_apart_and_fly_one_way() -> None:
    first = plane("p", "D12", [])
    line, place, wrong, right = only(first, plane("q", "F12", []))
    assert (line, place) == ('hex = "F12"', "unit[3].hex") and "[84.3]" in wrong and "5 hexes" in right
    line, place, wrong, right = only(first, plane("q", "K12", [], facing=2))
    assert (line, place) == ("facing = 2", "unit[3].facing") and "[84.5]" in wrong and "facing = 1" in right
    assert [fault.place for fault in faults(first, plane("q", "F12", [], facing=2))] == [
        "unit[3].hex",
        "unit[3].facing",
    ]
    assert faults(first, plane("q", "I12", [])) == []
    assert faults(first, plane("q", "F12", [], facing=2, due=3)) == [], "an operation of its own"


# ---- markers, Melees and stacks -------------------------------------------------------------------


@pytest.mark.rule("ost", "10.4", "16.6", "17.2", "81.1", "97.2")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        (unit("us_rifle", bogged=True), "bogged"),
        (unit("us_rifle", immobilized=True), "immobilized"),
        (unit("us_truck", facing=1, mgs_out=True), "mgs_out"),
        (unit("us_m4a1", facing=1, guns_out=[1]), "guns_out"),
        (unit("us_rifle", status="unmanned"), "status"),
        (unit("us_rifle", captured=True), "captured"),
        (unit("us_rifle", clearing="mines"), "clearing"),
        (unit("us_engineer", clearing="trees"), "clearing"),
        (unit("us_arm_lt"), "attached"),
        (unit("us_rifle", moved=True, fired=2), "fired"),
    ],
)
def test_markers_that_a_counter_cannot_have(text: str, key: str) -> None:
    _, place, wrong, right = only(text)
    assert place == f"unit[2].{key}" and "[" in wrong and right


@pytest.mark.rule("ost", "81.1", "81.3")
def test_rolling_cover_is_a_squad_and_an_armored_vehicle() -> None:
    assert faults(unit("us_rifle", partner="t"), unit("us_m4a1", "t", facing=1, partner="k")) == []
    assert only(unit("us_rifle", partner="t"), unit("us_truck", "t", facing=1, partner="k"))[1] == "unit[2].partner"
    alone = faults(unit("us_rifle", partner="t"), unit("us_m4a1", "t", facing=1))
    assert [fault.place for fault in alone] == ["unit[2].partner"] and alone[0].line > 1


@pytest.mark.rule("ost", "102.30", "75.10", "72.1", "79.3", "15.13", "12.2")
@pytest.mark.parametrize(
    ("tables", "place", "rule"),
    [
        ((unit("us_rifle"), table("melee", hex="B5", initiator="german")), "melee[1].hex", "102.30"),
        ((unit("us_rifle", hex="A1"),), "unit[2].hex", "75.10"),
        ((unit("us_rifle"), unit("us_rifle", "b"), unit("us_rifle", "c")), "unit[4].hex", "72.1"),
        ((unit("us_lt"), unit("us_lt", "b"), unit("us_lt", "c")), "unit[4].hex", "72.1"),
        ((unit("us_sniper"), unit("us_rifle", "b")), "unit[3].hex", "12.2"),
        (
            (unit("us_rifle"), unit("us_lt", "b", "", attached="k"), unit("us_lt", "c", "", attached="k")),
            "unit[4].attached",
            "15.13",
        ),
        (
            (unit("us_truck", facing=1), unit("us_rifle", "b", "", aboard="k"), unit("us_rifle", "c", "", aboard="k")),
            "unit[4].aboard",
            "79.3",
        ),
    ],
)
def test_stacks_and_melees_have_their_line_too(tables: tuple[str, ...], place: str, rule: str) -> None:
    (fault,) = faults(*tables)
    assert fault.place == place and f"[{rule}]" in fault.wrong and fault.right and fault.line > 1


@pytest.mark.rule("ost", "25.5", "28.3", "29.3")
@pytest.mark.parametrize(("kind", "hex"), [("bunker", "C8"), ("bunker", "F2"), ("pillbox", "C8"), ("cover", "F2")])
def test_works_stand_where_the_ground_takes_them(kind: str, hex: str) -> None:
    line, place, wrong, right = only(table("work", kind=kind, hex=hex, side="german", facing=1))
    assert (line, place) == (f'hex = "{hex}"', "work[1].hex") and "[2" in wrong and right == "another hex"


# ---- scenarios ------------------------------------------------------------------------------------

SCENARIO = """game = "ost"
name = "small"
title = "Small"
turns = 5
map = {columns = 8, rows = 7, terrain = {woods = "D6", heavy_structure = "C2"}}
[side.german]
nation = "german"
impulse = "2d6"
gut_check = 7
zone = "A1-B7"
[[side.german.unit]]
kind = "ger_rifle"
[side.american]
nation = "american"
impulse = "2d6"
gut_check = 7
zone = "G1-H7"
"""


@pytest.mark.rule("ost", "53.7", "41.3", "28.3", "84.3")
@pytest.mark.parametrize(
    ("kind", "keys", "place", "rule"),
    [
        ("unit", {"kind": "us_m4a1", "at": "C2", "facing": 1}, "unit[1].at", "53.7"),
        ("unit", {"kind": "us_m4a1", "at": "C2"}, "unit[1].at", "53.7"),
        ("unit", {"kind": "us_truck", "at": "D6", "facing": 1}, "unit[1].at", "41.3"),
        ("unit", {"kind": "us_rifle", "at": "D5", "inside": True}, "unit[1].inside", "28.12"),
        ("work", {"kind": "bunker", "at": "C2"}, "work[1].at", "28.3"),
    ],
)
def test_what_a_scenario_fixes_stands_where_it_can(kind: str, keys: dict[str, object], place: str, rule: str) -> None:
    with pytest.raises(MalformedError) as found:
        GAME.load_scenario(Document.from_toml(SCENARIO + table(f"side.american.{kind}", **keys), "small.toml"))
    (fault,) = found.value.faults
    assert fault.place == f"side.american.{place}" and f"[{rule}]" in fault.wrong and fault.right
    assert SCENARIO.count("\n") < fault.line


def test_scenarios_of_the_house_have_no_such_fault() -> None:
    for path in sorted((Path(GAME.folder) / "scenarios").glob("*.toml")):
        GAME.load_scenario(Document.read(path))


@pytest.mark.rule("ost", "29.7")
def test_a_scenario_may_leave_a_pillbox_to_be_turned_by_its_owner() -> None:
    inside = table("side.american.unit", kind="us_rifle", at="D5", inside=True)
    text = SCENARIO + inside + table("side.american.work", kind="pillbox", at="D5")
    GAME.load_scenario(Document.from_toml(text, "small.toml"))


def test_a_gun_of_a_number_below_0_is_refused_as_it_is_read() -> None:
    assert any("guns_out" in fault.place for fault in faults(unit("us_m4a1", facing=1, guns_out=[-1])))
