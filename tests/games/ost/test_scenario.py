"""Scenario files (64): what they say, and how their faults are told: all at once, with line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.games.ost.game import GAME
from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.scenario import Scenario

rule = pytest.mark.rule

TEXT = """\
game = "ost"
name = "demo"
title = "A demonstration"
place = "Somewhere"
date = "May 1944"
turns = 8
setup_order = ["german", "american"]
wrecks = "C3"
special = ["No quarter."]
briefing = "Take the mill."
[options]
urban = true
[map]
columns = 12
rows = 8
[map.terrain]
woods = "F4"
[control.F5]
owner = "german"
[control.G5]
[side.american]
nation = "american"
impulse = "3d6+2"
gut_check = 7
assets = { mortars = 1, air = 1 }
asset_turns = { mortars = 4 }
zone = "A1-C8"
entry = "A1-A8"
exit = "L1-L8"
[[side.american.unit]]
kind = "us_rifle"
count = 3
[[side.american.unit]]
kind = "us_m4a1"
id = "tank"
turn = 6
[[side.american.unit]]
kind = "us_arm_lt"
attached = "tank"
[[side.american.unit]]
kind = "us_engineer"
aboard = "tank"
weapons = ["us_satchel"]
[[side.american.weapon]]
kind = "us_bar"
count = 2
[side.german]
nation = "german"
impulse = "2d6"
gut_check = 8
cards = 0
zone = "F1-L8"
hidden = 1
[[side.german.limit]]
hexes = "F1-F8"
most = 1
[[side.german.unit]]
kind = "ger_rifle"
count = 2
hidden = "may"
[[side.german.unit]]
kind = "ger_pak40"
at = "G5"
facing = 6
hidden = true
[[side.german.work]]
kind = "trench"
at = "H3, H4"
[[side.german.mines]]
count = 2
[victory]
tie = "german"
lead = { american = 2 }
[[victory.control]]
hexes = "F5"
points = { german = 3, american = 2 }
when = "turn"
from = 4
[[victory.casualties]]
per = 5
[[victory.exit]]
side = "american"
units = ["tank"]
points = 2
[[victory.win]]
side = "american"
when = "turn"
owns = "F5, G5"
present = { units = ["squad"], hexes = "F1-L8", good_order = true }
"""


def read(text: str, name: str = "demo.toml") -> Scenario:
    scenario = GAME.load_scenario(Document.from_toml(text, name))
    assert isinstance(scenario, Scenario)
    return scenario


def faults(text: str) -> list[Fault]:
    with pytest.raises(MalformedError) as error:
        read(text)
    return list(error.value.faults)


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


# ---- what a scenario says ------------------------------------------------------------------------------


@rule("ost", "64.1", "64.2", "64.3", "64.4", "64.7", "64.8", "64.9", "64.10")
def test_a_scenario_says_everything_a_battle_needs() -> None:
    scenario = read(TEXT)
    assert (scenario.name, scenario.title, scenario.turns) == ("demo", "A demonstration", 8)
    assert scenario.sides == scenario.side_names == ("american", "german")
    assert scenario.briefing == "Take the mill." and scenario.special == ("No quarter.",)
    assert scenario.options == OptionalRules(urban=True)
    assert scenario.impulse == {"american": "3d6+2", "german": "2d6"}
    assert scenario.gut_check == {"american": 7, "german": 8}
    assert scenario.cards == {"american": 1, "german": 0}
    assert scenario.assets["american"] == {"mortars": 1, "air": 1} and scenario.assets["german"] == {}
    assert scenario.asset_turns["american"] == {"mortars": 4}
    assert scenario.control == {"F5": "german", "G5": ""}
    assert scenario.exits["american"] == frozenset(f"L{row}" for row in range(1, 9)) and not scenario.exits["german"]
    assert [work.at for work in scenario.works] == ["H3", "H4"] and len(scenario.mines) == 2
    assert scenario.source == TEXT


@rule("ost", "1.0")
def test_a_hex_is_fifty_metres() -> None:
    grid = read(TEXT).battlefield.grid
    assert grid is not None and grid.size == 50 and len(grid.hexes) == 96


@rule("ost", "64.2", "15.5", "16.6")
def test_units_have_short_names_and_followers_come_with_whom_they_follow() -> None:
    units = {unit.id: unit for unit in read(TEXT).units}
    assert list(units) == ["a1", "a2", "a3", "tank", "a4", "a5", "g1", "g2", "g3"]
    assert [unit.n for unit in units.values()] == list(range(1, 10))
    for follower in ("a4", "a5"):
        assert units[follower].turn == 6 and units[follower].entry == tuple(f"A{row}" for row in range(1, 9))
    assert units["a4"].attached == "tank" and units["a5"].aboard == "tank"
    assert units["a1"].zone == tuple(f"{column}{row}" for column in "ABC" for row in range(1, 9))
    assert units["g1"].hidden == "may" and units["g3"].hidden == "yes" and units["g3"].at == "G5"
    assert [(weapon.kind, weapon.unit) for weapon in read(TEXT).weapons] == [
        ("us_satchel", "a5"),
        ("us_bar", ""),
        ("us_bar", ""),
    ]


def test_sides_with_the_same_letter_are_told_apart() -> None:
    text = TEXT.replace("side.american", "side.allies").replace("american = 2", "allies = 2")
    text = text.replace('side = "american"', 'side = "allies"').replace('"german", "american"', '"axis", "allies"')
    text = text.replace("side.german", "side.axis").replace("german = 3", "axis = 3")
    text = text.replace('owner = "german"', 'owner = "axis"').replace('tie = "german"', 'tie = "axis"')
    ids = [unit.id for unit in read(text).units]
    assert ids[:3] == ["al1", "al2", "al3"] and ids[-1] == "ax3"


def test_a_given_id_is_never_given_again() -> None:
    ids = [unit.id for unit in read(TEXT.replace('id = "tank"', 'id = "a2"').replace('"tank"\n', '"a2"\n')).units]
    assert ids[:4] == ["a1", "a3", "a4", "a2"]


def test_a_map_may_be_a_file(tmp_path: Path) -> None:
    import json

    inline = read(TEXT)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "meadow.geojson").write_text(json.dumps(inline.battlefield.to_geojson()))
    start, end = TEXT.index("[map]"), TEXT.index("[control.F5]")
    text = TEXT[:start] + TEXT[end:]
    text = text.replace('title = "A demonstration"', 'title = "A demonstration"\nmap = "meadow"')
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    assert GAME.load_scenario(Document.read(path)).battlefield == inline.battlefield
    path.write_text(text.replace("meadow", "medow"))
    with pytest.raises(MalformedError, match=r'no map called "medow".*did you mean "meadow"'):
        GAME.load_scenario(Document.read(path))


def test_a_save_carries_its_scenario() -> None:
    session = Session(GAME, read(TEXT), seed=b"x")
    session.answer(session.ask.options[0].key)  # type: ignore[union-attr]
    again = load(session.save(), GAME, read(session.scenario.source))
    assert again.digest == session.digest


# ---- faults ------------------------------------------------------------------------------------------------

WRONG = [
    ('kind = "us_rifle"', 'kind = "us_rifel"', "side.american.unit[1].kind", 'did you mean "us_rifle"?'),
    ('kind = "us_bar"', 'kind = "us_hmg"', "side.american.weapon[1].kind", "support"),
    ('kind = "us_m4a1"', 'kind = "ger_pz4h"', "side.american.unit[2].kind", "american"),
    ("count = 3", "count = 0", "side.american.unit[1].count", "1 to 60"),
    ("count = 3", "cuont = 3", "side.american.unit[1].cuont", 'did you mean "count"?'),
    ('hexes = "F5"', 'hexes = "Z9"', "victory.control[1].hexes", "Z9"),
    ('hexes = "F5"', 'hexes = "E5"', "victory.control[1].hexes", "[control.E5]"),
    ('at = "G5"', 'at = "g5"', "side.german.unit[2].at", '"G5" would be one'),
    ('at = "H3, H4"', 'at = "H3, H44"', "side.german.work[1].at", "H44"),
    ("[control.F5]", "[control.F55]", "control.F55", "F55"),
    ('woods = "F4"', 'wods = "F4"', "map.terrain.wods", 'did you mean "woods"?'),
    ("urban = true", "urbane = true", "options.urbane", 'did you mean "urban"?'),
    ("urban = true", 'melee_shaken = "some"', "options.melee_shaken", "all, any"),
    ('kind = "trench"', 'kind = "trnch"', "side.german.work[1].kind", 'did you mean "trench"?'),
    ('impulse = "2d6"', 'impulse = "2w6"', "side.german.impulse", "2d6 or 3d6+2"),
    ("gut_check = 8", "gut_check = 1", "side.german.gut_check", "2 to 12"),
    ("mortars = 1, air", "morters = 1, air", "side.american.assets.morters", 'did you mean "mortars"?'),
    ('exit = "L1-L8"', 'exit = "K4"', "side.american.exit", "along the edge"),
    ("turn = 6", "turn = 9", "side.american.unit[2].turn", "8 (the first) down to 1"),
    ("facing = 6", "facing = 7", "side.german.unit[2].facing", "1 (north) to 6"),
    ('hidden = "may"', 'hidden = "maybe"', "side.german.unit[1].hidden", "may"),
    ('attached = "tank"', 'attached = "a1"', "side.american.unit[3].attached", "16.6"),
    ('attached = "tank"', 'attached = "g1"', "side.american.unit[3].attached", "one of a1"),
    ('aboard = "tank"', 'aboard = "a1"', "side.american.unit[4].aboard", "79.1"),
    ('tie = "german"', 'tie = "soviet"', "victory.tie", "american, draw, german"),
    ('units = ["tank"]', 'units = ["tnak"]', "victory.exit[1].units", 'did you mean "tank"?'),
    ('when = "turn"\nfrom', 'when = "trun"\nfrom', "victory.control[1].when", 'did you mean "turn"?'),
    ("from = 4", "from = 40", "victory.control[1].from", "down to 1"),
    ('["german", "american"]', '["german", "german"]', "setup_order", "each side once"),
    ('name = "demo"', 'name = "A demo"', "name", "mill_farm"),
    ("turns = 8", "turns = 0", "turns", "1 to 99"),
    ("turns = 8", 'turns = "eight"', "turns", ""),
    ('nation = "german"', 'nation = "germany"', "side.german.nation", 'did you mean "german"?'),
    ('owner = "german"', 'owner = "germans"', "control.F5.owner", 'did you mean "german"?'),
    ('weapons = ["us_satchel"]', 'weapons = ["us_stachel"]', "side.american.unit[4].weapons", "us_satchel"),
    ('game = "ost"', 'game = "tcs"', "game", 'game = "ost"'),
]


@pytest.mark.parametrize(("right", "wrong", "place", "remedy"), WRONG, ids=[wrong for _, wrong, _, _ in WRONG])
def test_a_fault_names_its_line_its_place_and_what_would_be_right(
    right: str, wrong: str, place: str, remedy: str
) -> None:
    assert right in TEXT
    text = TEXT.replace(right, wrong, 1)
    found = [fault for fault in faults(text) if fault.place == place]
    assert found, [str(fault) for fault in faults(text)]
    assert found[0].file == "demo.toml"
    assert found[0].line == line_of(text, wrong.splitlines()[0])
    assert remedy in str(found[0])


def test_all_faults_are_told_together() -> None:
    text = TEXT
    for right, wrong in (
        ('kind = "us_rifle"', 'kind = "us_rifel"'),
        ("gut_check = 8", "gut_check = 99"),
        ('at = "H3, H4"', 'at = "H3, ZZ4, H99"'),
        ("urban = true", "urban = 3"),
        ("per = 5", "per = 0"),
        ('units = ["tank"]', 'units = ["tnak", "sqad"]'),
    ):
        text = text.replace(right, wrong, 1)
    places = [fault.place for fault in faults(text)]
    assert places.count("side.german.work[1].at") == 2 and places.count("victory.exit[1].units") == 2
    assert {"side.american.unit[1].kind", "side.german.gut_check", "options.urban", "victory.casualties[1].per"} <= set(
        places
    )


def test_what_is_missing_is_told() -> None:
    assert [fault.wrong for fault in faults('game = "ost"')] == [
        f'"{key}" is missing' for key in ("name", "title", "side", "turns", "map")
    ]
    text = TEXT.replace('impulse = "2d6"\n', "")
    assert [(fault.place, fault.wrong) for fault in faults(text)] == [("side.german", '"impulse" is missing')]
    nowhere = {fault.wrong for fault in faults(TEXT.replace('zone = "F1-L8"\n', ""))}
    assert nowhere == {"nowhere to set it up", "nowhere to place it"}
    assert "without entry hexes" in str(faults(TEXT.replace('entry = "A1-A8"\n', ""))[0])
    assert "exactly two" in str(faults(TEXT[: TEXT.index("[side.german]")] + TEXT[TEXT.index("[victory]") :])[0])


def test_units_of_another_year_are_faults_where_the_scenario_gives_its_year() -> None:
    assert read(TEXT.replace("turns = 8", "turns = 8\nyear = 1944"))
    found = faults(TEXT.replace("turns = 8", "turns = 8\nyear = 1941"))
    assert any("us_rifle" in str(fault) and "1942-1945" in str(fault) for fault in found)


AIRCRAFT = """
[[side.american.aircraft]]
kind = "us_c47"
id = "plane"
load = [{load}]
"""


@rule("ost", "83.1", "83.2", "83.3")
@pytest.mark.parametrize(
    ("load", "wrong"),
    [
        ('"a1", "a2", "a3"', ""),
        ('"a1", "a2", "a3", "p4"', "4 squads"),
        ('"gun"', ""),
        ('"gun", "a1"', "1 squads and 1 guns"),
        ('"boss"', "is a leader"),
        ('"nobody"', 'no unit "nobody"'),
        ('"g1"', 'no unit "g1" of american'),
    ],
)
def test_what_an_aircraft_can_carry(load: str, wrong: str) -> None:
    extra = '[[side.american.unit]]\nkind = "us_airborne"\nid = "p4"\n'
    extra += '[[side.american.unit]]\nkind = "us_pack75"\nid = "gun"\n'
    extra += '[[side.american.unit]]\nkind = "us_ab_lt"\nid = "boss"\n'
    text = TEXT.replace("[[side.american.weapon]]", extra + AIRCRAFT.format(load=load) + "[[side.american.weapon]]")
    if wrong:
        assert wrong in str(faults(text)[0])
    else:
        scenario = read(text)
        carried = [name.strip('"') for name in load.split(", ")]
        assert [unit.id for unit in scenario.units if unit.aboard == "plane"] == carried


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_mangled_file_is_refused_or_read_and_nothing_else(data: st.DataObject) -> None:
    """Whatever a slip of the pen does to a file, the reader neither crashes nor hangs."""
    lines = TEXT.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(lines) - 1))
        line = lines[number]
        where = data.draw(st.integers(0, len(line)))
        kind = data.draw(st.sampled_from(["cut", "insert", "drop", "double", "swap"]))
        if kind == "cut":
            lines[number] = line[:where] + line[where + 1 :]
        elif kind == "insert":
            lines[number] = line[:where] + data.draw(st.text(max_size=3)) + line[where:]
        elif kind == "drop":
            lines[number] = ""
        elif kind == "double":
            lines.insert(number, line)
        else:
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[number], lines[other] = lines[other], lines[number]
    try:
        read("\n".join(lines))
    except MalformedError as error:
        assert error.faults and all(fault.file == "demo.toml" for fault in error.faults)


def test_a_faulty_head_or_map_does_not_hide_the_faults_of_the_rest() -> None:
    text = (
        'game = "ost"\nname = "x"\ntitle = "X"\nturns = "ten"\nmap = "mil_farm"\n'
        '[side.german]\nnation = "german"\nimpulse = "2x6"\ngut_check = 7\n'
        '[[side.german.unit]]\nkind = "ger_rifel"\nat = "A1"\n'
        '[side.american]\nnation = "american"\nimpulse = "2d6"\ngut_check = 7\n'
    )
    with pytest.raises(MalformedError) as told:
        GAME.load_scenario(Document.from_toml(text, "bad.toml"))
    assert [fault.place for fault in told.value.faults] == [
        "turns",
        "map",
        "side.german.impulse",
        "side.german.unit[1].kind",
    ]


@pytest.mark.parametrize("wrong", ["[]", "{}", "3", "true"])
def test_an_id_of_a_wrong_kind_is_a_fault_like_any_other(wrong: str) -> None:
    text = (
        'game = "ost"\nname = "x"\ntitle = "X"\nturns = 3\nmap = "mill_farm"\n'
        f'[side.german]\nnation = "german"\nimpulse = "2d6"\ngut_check = 7\n[[side.german.unit]]\nid = {wrong}\n'
        'kind = "ger_rifle"\nat = "A1"\n[side.american]\nnation = "american"\nimpulse = "2d6"\ngut_check = 7\n'
    )
    with pytest.raises(MalformedError, match=r"side.german.unit\[1\].id"):
        GAME.load_scenario(Document.from_toml(text, "bad.toml"))


WORDS = [
    ("[victory]", '[[roll]]\nside = "{}"\nassets = {{ air = 1 }}\nat_least = 4\n[victory]', "roll[1].side"),
    ('[[victory.win]]\nside = "american"', '[[victory.win]]\nside = "{}"', "victory.win[1].side"),
    ('owns = "F5, G5"', 'owns = "F5, G5"\nwhen = "{}"', "victory.win[1].when"),
    ('[[victory.exit]]\nside = "american"', '[[victory.exit]]\nside = "{}"', "victory.exit[1].side"),
    ("per = 5", 'per = 5\nsides = ["{}"]', "victory.casualties[1].sides"),
    ("lead = {{ american = 2 }}", "lead = {{ {} = 2 }}", "victory.lead.{}"),
    ('tie = "german"', 'otherwise = "{}"', "victory.otherwise"),
    ("points = {{ german = 3, american = 2 }}", "points = {{ {} = 3 }}", "victory.control[1].points.{}"),
    ('units = ["squad"]', 'units = ["{}"]', "victory.win[1].present.units"),
    ('owner = "german"', 'owner = "{}"', "control.F5.owner"),
]


@rule("ost", "64.10", "65.1", "111.5")
@pytest.mark.parametrize(("right", "wrong", "place"), WORDS, ids=[place for _, _, place in WORDS])
def test_a_word_of_the_conditions_that_nobody_knows_is_a_fault_in_its_place(right: str, wrong: str, place: str) -> None:
    text = TEXT.replace('when = "turn"\nowns', "owns")
    right = right.replace("{{", "{").replace("}}", "}")
    assert right in text
    found = {fault.place for fault in faults(text.replace(right, wrong.format("martians"), 1))}
    assert place.format("martians") in found
