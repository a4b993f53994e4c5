"""Every figure of the charts against the ledger, which says it in words, and the user's own laid over them."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.company.charts import CompanyCharts, charts
from grognard.games.company.game import GAME
from grognard.games.company.roster import team_types
from tests.playing import figures

rule = pytest.mark.rule


def chart(name: str) -> dict[str, Any]:
    """A table's figures."""
    return figures(charts()[name])


def read(text: str) -> CompanyCharts:
    return CompanyCharts.read(Document.from_toml(text, "mine.toml"))


@rule("company", "3.2")
def test_the_training_table() -> None:
    assert chart("training") == {
        "green": {"check": 5, "to_hit": 2},
        "veteran": {"check": 4, "to_hit": 3},
        "elite": {"check": 3, "to_hit": 4},
    }
    assert chart("training_check") == {"always_fails": 1, "highest": 6}


@rule("company", "3.3", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12")
def test_the_actions_of_both_lists() -> None:
    success = {id for id, action in charts().actions.items() if action.success}
    assert success == {"fire_and_move", "move_and_fire", "run", "aimed_fire", "assault", "barrage"}
    assert set(charts().actions) - success == {"move", "fire", "overwatch"}


@rule("company", "4.1", "4.4", "13.3", "13.5", "13.9", "13.10")
def test_how_far_teams_go() -> None:
    assert chart("movement") == {"infantry": 6, "gun": 3, "tank": 12}
    assert chart("assault_movement") == {
        "assault": 12,
        "counter_attack": 4,
        "break_off": "1d6",
        "pursuit": "1d6",
        "halted_gap": 2,
    }
    assert chart("terrain_checks") == {"difficult": 2}


@rule("company", "6.9", "6.10", "6.11", "6.12", "6.13", "6.14", "6.15", "6.16", "6.17")
def test_the_modifiers_to_hit() -> None:
    assert {id: line.amount for id, line in charts().to_hit.items()} == {
        "target_concealed": 1,
        "target_gone_to_ground": 1,
        "long_range": 1,
        "firer_moved": 1,
        "reaction_fire": 1,
        "commander_observes": 1,
        "aimed_fire": -1,
    }
    assert chart("to_hit_limits") == {"fails_at": 7, "saves_again_at": 1, "long_range": 2, "long_range_fp": 0.5}


@rule("company", "5.1", "5.2", "5.4", "6.3", "6.5", "7.1", "11.1", "11.3", "11.7", "12.1", "12.4")
def test_small_figures() -> None:
    assert chart("cohesion") == {"distance": 6, "links": 1, "least": 0.5}
    assert chart("arcs") == {"infantry": 360, "gun": 180, "tank": 180}
    assert chart("reaction") == {"distance": 8}
    assert chart("suppression") == {"hits": 3, "per_marker": 1, "lifted_on_failure": 1}
    assert chart("morale") == {"below": 0.5, "teams_destroyed": 1}


@rule("company", "8.2", "9.5", "9.6", "9.7", "10.8")
def test_saves_and_the_damage_of_vehicles() -> None:
    assert chart("saves") == {"infantry": {"soft": 3, "hard": 2}, "gun": {"soft": 5, "hard": 3}}
    damage = [charts().vehicle_damage.row(roll).id for roll in range(1, 8)]
    assert damage == ["no_effect"] * 3 + ["suppressed"] * 2 + ["destroyed"] * 2
    assert [charts().part_hit.row(roll).id for roll in range(1, 7)] == ["hull"] * 3 + ["turret"] * 3
    assert charts().modifier("behind").amount == charts().modifier("top_hit").amount == 1


@rule("company", "13.5", "13.6", "13.7", "14.3", "14.4", "14.10", "14.12", "15.6", "15.7", "15.9", "15.11")
def test_assaults_leaders_and_barrages() -> None:
    assert chart("assault") == {"hits_to_halt": 5, "results_to_halt": 2, "fight_within": 2}
    assert chart("leaders") == {"extra_move": 4, "reach": 2, "join_within": 6, "company_lost": 0.5}
    assert chart("barrage") == {
        "side": 6,
        "shift": 6,
        "many_guns": 5,
        "many_guns_fp": 1,
        "few_guns": 2,
        "few_guns_fp": 0.5,
        "least_guns": 2,
        "ranged_in_markers": 1,
    }
    assert chart("barrage_limits") == {"least_range": 8, "point_number": 3, "smoke_turns": 2}


@rule("company", "4.2", "4.3", "4.4", "10.1", "10.2", "10.4", "10.6")
def test_what_ground_is_to_vehicles_and_guns() -> None:
    found = {id: (charts().ground(id).tank, charts().ground(id).gun, kind.cover) for id, kind in charts().kinds.items()}
    assert found == {
        "road": ("road", "ok", "none"),
        "woods": ("very_difficult", "closed", "soft"),
        "orchard": ("difficult", "ok", "soft"),
        "field": ("open", "ok", "soft"),
        "building": ("closed", "closed", "hard"),
        "ruins": ("very_difficult", "closed", "hard"),
        "rocks": ("very_difficult", "closed", "hard"),
        "marsh": ("very_difficult", "closed", "none"),
        "stream": ("difficult", "closed", "none"),
        "hedge": ("difficult", "ok", "soft"),
        "fence": ("open", "ok", "soft"),
        "stone_wall": ("difficult", "closed", "hard"),
        "tall_wall": ("closed", "closed", "hard"),
        "bocage": ("very_difficult", "closed", "hard"),
        "hill": ("open", "ok", "none"),
        "smoke": ("open", "ok", "soft"),
    }
    across = {id for id, kind in charts().kinds.items() if kind.sight == "no_through"}
    assert across == {"woods", "orchard", "field", "building", "ruins", "smoke"}
    assert {id for id, kind in charts().kinds.items() if kind.sight == "blocks"} == {"tall_wall", "bocage"}


@rule("company", "6.7", "15.8", "16.7")
def test_every_weapon_that_a_team_has_is_in_the_chart_and_no_other() -> None:
    used = {weapon for team in team_types().values() for weapon in team.weapons}
    assert used == set(charts().weapons)
    gun = charts().weapons["gun_88"]
    assert (gun.range, gun.fp, gun.at, gun.he_fp, gun.barrage_fp) == (2800, 4, True, 4, 0)
    assert not charts().weapons["gun_2pdr"].he_fp, "the 2-pounder had no shell"
    assert {id for id, weapon in charts().weapons.items() if weapon.barrage_fp} == {
        "light_mortar",
        "mortar_81",
        "mortar_120",
        "infantry_gun_75",
        "howitzer_75",
        "howitzer_25pdr",
        "howitzer_105",
        "rocket_battery",
    }


def test_every_table_says_where_it_is_from_and_has_a_heading() -> None:
    tables = charts().tables
    assert {table["provenance"] for table in tables.values()} == {"rulebook", "reconstructed"}
    assert {view.id for view in GAME.charts()} == set(tables)


def test_a_user_s_own_charts_are_laid_over_ours() -> None:
    own = read("[weapons]\nrifle = { fp = 2 }\n")
    assert own.weapons["rifle"].fp == 2 and own.weapons["rifle"].range == 1200
    assert own.user_tables == ["weapons"] and charts().weapons["rifle"].fp == 1


def test_all_faults_of_a_user_s_charts_are_told_at_once_with_their_lines() -> None:
    text = """[weapons]
rifle = { fp = -1 }
[terrain]
woods = { cover = "thick", ground = "swampy" }
[movement]
gun = -3
boat = 4
"""
    with pytest.raises(MalformedError) as caught:
        read(text)
    assert "movement.boat" in str(caught.value)  # what has the wrong shape is told first
    with pytest.raises(MalformedError) as caught:
        read(text.replace("boat = 4\n", ""))
    told = str(caught.value)
    for wrong in (
        "mine.toml:2: weapons.rifle.fp: -1 is less than 0",
        'mine.toml:4: terrain.woods.cover: "thick" (one of none, soft, hard)',
        'mine.toml:4: terrain.woods.ground: "swampy"',
        "mine.toml:6: movement.gun: -3 is less than 0",
    ):
        assert wrong in told, told
