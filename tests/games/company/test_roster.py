"""The Teams and Units against a table of their own (units_table.txt), and a user's own laid over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.company import roster as modules
from grognard.games.company.charts import charts
from grognard.games.company.game import GAME
from grognard.games.company.roster import cost, leader_of, load_units, muster, roster, team_types

rule = pytest.mark.rule


def table(part: int) -> dict[str, dict[str, str]]:
    """A part of units_table.txt by id."""
    text = (Path(__file__).parent / "units_table.txt").read_text(encoding="utf-8").partition("\n")[2]
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in text.split("\n\n")[part].splitlines()]
    return {row[0]: dict(zip(head, [*row, *[""] * (len(head) - len(row))])) for row in rows}


TEAMS, UNITS = table(0), table(1)


@rule("company", "2.2", "2.3", "9.1", "16.1")
@pytest.mark.parametrize("id", sorted(TEAMS))
def test_a_team_is_what_the_table_says(id: str) -> None:
    team, row = team_types()[id], TEAMS[id]
    found = {
        "team": team.id,
        "type": team.type,
        "years": f"{team.years[0]}-{team.years[1]}",
        "weapons": ", ".join(team.weapons),
        "armor": str(team.armor or ""),
        "turret": "turret" if team.turret else "",
        "leader": team.leader,
        "tank assault": str(team.tank_assault),
        "carries": str(team.transport or ""),
        "base": team.footprint,
        "points": str(team.points),
    }
    assert found == row


@rule("company", "2.1", "2.3", "2.4")
@pytest.mark.parametrize("id", sorted(UNITS))
def test_a_unit_is_what_the_table_says(id: str) -> None:
    unit = roster()[id]
    teams = ", ".join(f"{each.count} {each.team}" for each in unit.teams)
    found = {
        "unit": unit.id,
        "role": unit.role,
        "training": unit.training,
        "points": str(unit.points),
        "teams": teams,
    }
    assert found == UNITS[id]


def test_the_table_has_every_team_and_unit_of_four_nations() -> None:
    assert set(TEAMS) == set(team_types()) and set(UNITS) == set(roster())
    assert {unit.nation for unit in roster().values()} == {"german", "american", "soviet", "british"}
    assert {team.provenance for team in team_types().values()} == {"reconstructed"}


@rule("company", "2.4", "14.1", "14.17")
def test_who_leads() -> None:
    """A Platoon Leader of his own, else the first vehicle; a commander leads no Unit."""
    assert leader_of(muster(roster()["us_rifles"].kinds)) == "t1"
    assert team_types()[muster(roster()["us_rifles"].kinds)[0].kind].leader == "pl"
    assert leader_of(muster(roster()["ger_pz4_platoon"].kinds)) == "t1"
    assert leader_of(muster(roster()["ger_commander"].kinds)) == ""


@rule("company", "12.4", "15.1", "15.9", "15.14")
def test_tank_units_and_artillery() -> None:
    tanks = {id for id, unit in roster().items() if unit.all_tanks}
    assert {"ger_tiger_platoon", "us_m8_platoon", "gb_carriers"} <= tanks and "us_armored_rifles" not in tanks
    guns = {id for id, unit in roster().items() if unit.artillery}
    assert {"us_mortars", "sov_katyusha_battery", "gb_25pdr_troop"} <= guns
    assert "gb_rifles" not in guns, "one mortar fires no barrage"
    observers = {id for id, unit in roster().items() if any(type.observer for type in unit.types)}
    assert observers == guns


def test_training_changes_the_price() -> None:
    kinds = roster()["us_rifles"].kinds
    assert [cost(kinds, training) for training in charts().trainings] == [59, 79, 107]


def test_the_years_of_a_unit_are_those_of_all_its_teams() -> None:
    assert roster()["us_m4_platoon"].years == (1944, 1945)
    assert roster()["ger_grenadiers"].years == (1943, 1945)


# ---- a user's own --------------------------------------------------------------------------------------------


def load(text: str) -> modules.Roster:
    return load_units(Document.from_toml(text, "mine.toml"))


def test_a_user_s_own_teams_and_units_are_laid_over_ours() -> None:
    teams, units = load(
        """
[[team]]
id = "us_rifle"
tank_assault = 3
[[unit]]
id = "us_rifles"
training = "elite"
"""
    )
    assert teams["us_rifle"].tank_assault == 3 and teams["us_rifle"].points == 7
    assert units["us_rifles"].training == "elite" and units["us_rifles"].provenance == "yours"
    assert team_types()["us_rifle"].tank_assault == 2


def test_all_faults_of_a_user_s_units_are_told_at_once_with_their_lines() -> None:
    text = """[[team]]
id = "us_rifle"
turret = true
[[team]]
id = "ger_tiger"
armor = -2
[[team]]
id = "ger_pz4"
weapons = ["gun_99"]
[[unit]]
id = "us_rifles"
teams = [{ team = "us_rifle", count = 9 }]
[[unit]]
id = "ger_grenadiers"
teams = [{ team = "ger_pl" }, { team = "ger_fo" }, { team = "ger_rifle_mg", count = 6 }]
[[unit]]
id = "gb_rifles"
training = "sleepy"
[[platoon]]
id = "mine"
"""
    with pytest.raises(MalformedError) as caught:
        load(text)
    told = str(caught.value)
    for wrong in (
        "only a Tank Team has a turret",
        "-2 is less than 0",
        'no weapon "gun_99"',
        "a Unit with Infantry or Gun Teams needs a Platoon Leader",
        "only artillery has a Forward Observer",
        'no training "sleepy": one of green, veteran, elite',
        'unknown key "platoon"',
    ):
        assert wrong in told, told
    assert all(fault.line for fault in caught.value.faults)


def test_every_unit_has_a_sheet() -> None:
    sheets = {sheet.id: sheet for sheet in GAME.units()}
    assert set(sheets) == set(roster())
    tiger = sheets["ger_tiger_platoon"]
    assert tiger.figures["armor"] == ["Tiger I 2+"] and tiger.weapons[0].figures["FP"] == 4
