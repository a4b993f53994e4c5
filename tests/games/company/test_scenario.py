"""Scenarios (16.5): the six that come with the game, and every fault of a file with its line."""

from __future__ import annotations

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.company.game import GAME
from grognard.games.company.scenario import Scenario

rule = pytest.mark.rule

GOOD = """game = "company"
name = "mill"
title = "The Mill"
year = 1944
turns = 6
[table]
name = "Mill"
size = [48, 48]
[[objective]]
id = "mill"
at = [24, 24]
points = 2
[side.american]
nation = "american"
[[side.american.zone]]
name = "south"
points = [[0, 36], [48, 36], [48, 48], [0, 48]]
[[side.american.unit]]
kind = "us_rifles"
[[side.american.unit]]
kind = "us_commander"
[side.german]
nation = "german"
[[side.german.zone]]
name = "north"
points = [[0, 0], [48, 0], [48, 12], [0, 12]]
[[side.german.unit]]
kind = "ger_grenadiers"
training = "green"
teams = { ger_rifle_mg = 4 }
"""


def load(text: str) -> Scenario:
    return GAME.load_scenario(Document.from_toml(text, "mill.toml"))


def faults(text: str) -> str:
    with pytest.raises(MalformedError) as caught:
        load(text)
    assert all(fault.line for fault in caught.value.faults), caught.value
    return str(caught.value)


@rule("company", "16.5")
def test_a_scenario_names_table_forces_zones_objectives_and_its_last_turn() -> None:
    found = load(GOOD)
    assert (found.table.width, found.turns, found.year, found.sides) == (4800, 6, 1944, ("american", "german"))
    [mill] = found.objectives
    assert (mill.x, mill.y, mill.points) == (2400, 2400, 2)
    grenadiers = found.placing("g1")
    assert grenadiers is not None
    assert grenadiers.training == "green" and grenadiers.teams.count("ger_rifle_mg") == 4
    state = GAME.begin(found)
    assert state.companies["american"].start == 1 and state.companies["american"].commander == "a2"
    assert state.companies["german"].start == 1 and state.companies["german"].commander == ""


@rule("company", "16.5")
@pytest.mark.parametrize("name", sorted(GAME.scenario_files()))
def test_the_scenarios_that_come_with_the_game(name: str) -> None:
    found = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    assert found.briefing and found.victory.text and found.objectives and found.place and found.year
    forces = GAME.forces(found)
    points = [int(lines[-1].split()[0]) for lines in forces.values()]
    assert all(points) and max(points) < 2 * min(points)


def test_the_six_scenarios_bring_up_what_they_are_for() -> None:
    found = {name: GAME.load_scenario(Document.read(path)) for name, path in GAME.scenario_files().items()}
    assert set(found) == {"sunken_lane", "hedges", "steppe_village", "the_stream", "the_gap", "half_tracks_through"}
    units = {name: {placing.kind for placing in each.units} for name, each in found.items()}
    assert {"us_mortars", "us_m4_platoon", "ger_stug_platoon"} <= units["hedges"]
    assert {"sov_katyusha_battery", "sov_rifles", "ger_pioneers"} <= units["steppe_village"]
    assert {"gb_25pdr_troop", "ger_panther_platoon"} <= units["the_stream"]
    assert {"sov_is2_platoon", "ger_tiger_platoon", "ger_pak40_motorised"} <= units["the_gap"]
    assert found["half_tracks_through"].victory.exits
    assert all(placing.mounted for placing in found["half_tracks_through"].units if "armored" in placing.kind)
    kinds = {piece.kind for each in found.values() for piece in each.table.pieces}
    assert kinds == set(GAME.terrain()) - {"smoke"}, "every kind of terrain is on some table"


def test_all_faults_of_a_file_are_told_at_once_with_their_lines() -> None:
    told = faults(
        GOOD.replace('game = "company"', 'game = "chess"')
        .replace("turns = 6", "turns = 60")
        .replace('kind = "us_rifles"', 'kind = "us_rifle"')
        .replace('training = "green"', 'training = "sharp"')
        .replace("ger_rifle_mg = 4", "ger_rifle_mg = 90, us_rifle = 2, ger_pl = 0")
        .replace("at = [24, 24]", "at = [240, 24]")
        .replace('nation = "german"', 'nation = "goth"')
    )
    for wrong in (
        'mill.toml:1: game: a scenario of "chess"',
        "mill.toml:5: turns: 60 turns (1 to 20)",
        "mill.toml:11: objective[1].at: [240, 24] is not on the table",
        'no unit called "us_rifle" (did you mean "us_rifles"?)',
        'unknown training "sharp"',
        "90 of ger_rifle_mg (0 to 14)",
        'unknown Team "us_rifle"',
        "0 of ger_pl (1)",
        'unknown nation "goth"',
    ):
        assert wrong in told, told


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("year = 1944", "year = 1941", "Rifle platoon in 1941 (one of 1942 to 1945)"),
        ('kind = "us_rifles"', 'kind = "us_commander"', "2 commanders of american (one at most)"),
        ('[[side.american.unit]]\nkind = "us_rifles"\n', "", "a commander without Units"),
        ('kind = "us_rifles"', 'kind = "us_rifles"\nmounted = true', "Rifle platoon has no transport"),
        ('kind = "us_rifles"', 'kind = "us_rifles"\naboard = "a2"', "a Unit neither rides in another nor comes later"),
        ('kind = "us_rifles"', 'kind = "us_rifles"\nedge = "top"\nturn = 2', "a Unit neither rides in another"),
        ('kind = "us_rifles"', 'kind = "us_rifles"\ncount = 12', "square inches are too few for its Units"),
        ("[[0, 0], [48, 0], [48, 12], [0, 12]]", "[[0, 0], [0, 0], [0, 0]]", "do not enclose an area"),
        ("[48, 0], [48, 12], [0, 12]", "[4, 0], [4, 8], [0, 8]", "32 square inches are too few"),
        ("[side.german]", "[victory]\nlead = 0\n[side.german]", "a lead of 0 points"),
        ("[side.german]", '[victory]\notherwise = "dutch"\n[side.german]', 'unknown side "dutch"'),
        ("[side.german]", '[[victory.exit]]\nside = "german"\nedge = "sky"\n[side.german]', 'unknown edge "sky"'),
        ('kind = "us_rifles"', 'kind = "us_rifles"\nat = [47.9, 40]', "is off the table"),
    ],
)
def test_one_fault_at_a_time(old: str, new: str, wrong: str) -> None:
    assert old in GOOD
    assert wrong in faults(GOOD.replace(old, new))


def test_a_gun_placed_in_woods_is_refused() -> None:
    text = GOOD.replace('kind = "us_rifles"', 'kind = "us_hmg_platoon"\nat = [24, 42]')
    woods = '[[terrain]]\nkind = "woods"\narea = [[10, 38], [40, 38], [40, 46], [10, 46]]\n'
    text = text.replace("[[objective]]", f"{woods}[[objective]]")
    assert "guns can't go through" in faults(text)
