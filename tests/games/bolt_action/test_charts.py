"""Every figure of the charts against the ledger, which says it in words: rule by rule, and a few of them played.

Weapons and shells are in test_weapons_table.py, the roster in test_units_table.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import casualties, fubar, morale, special, victory
from grognard.games.bolt_action.charts import charts
from tests.games.bolt_action.play import field, unit
from tests.playing import figures

rule = pytest.mark.rule


def chart(name: str) -> dict[str, Any]:
    """A table's figures."""
    return figures(charts()[name])


def column(name: str, *keys: str) -> dict[str, Any]:
    """The entries of a table, each as what it has under the keys."""
    return {id: tuple(entry.get(key) for key in keys) for id, entry in chart(name).items()}


@rule("bolt_action", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.9")
def test_the_six_orders() -> None:
    assert set(chart("orders")) == {"fire", "advance", "run", "ambush", "rally", "down"}
    assert chart("rally").items() <= {"pins_lost": "D6"}.items()


@rule("bolt_action", "3.2", "3.3", "3.4", "3.5", "22.3", "26.7", "27.6")
def test_the_order_test() -> None:
    assert (
        chart("order_test").items()
        <= {
            "dice": "2D6",
            "always_pass": 2,
            "always_fail": 12,
            "per_pin": -1,
            "pins_removed_on_pass": 1,
            "assault_armour_without_at": -3,
            "command_vehicle_bonus": 1,
            "command_vehicle_range": 12,
            "shirkers_per_pin": -2,
        }.items()
    )


@rule("bolt_action", "4.1", "4.2", "4.3", "4.4")
def test_the_fubar_chart() -> None:
    assert column("fubar", "lo", "hi") == {"friendly_fire": (1, 2), "panic": (3, 6)}
    assert [charts().fubar.row(face).id for face in range(1, 7)] == ["friendly_fire"] * 2 + ["panic"] * 4
    assert chart("fubar_figures").items() <= {"enemy_within": 12}.items()


@rule("bolt_action", "5.1", "13.5", "14.1")
def test_the_qualities() -> None:
    assert column("quality", "morale", "damage_value", "to_hit") == {
        "inexperienced": (8, 3, -1),
        "regular": (9, 4, 0),
        "veteran": (10, 5, 0),
    }


@rule("bolt_action", "15.5", "27.3", "27.5")
def test_losses_fanatics_and_green_men() -> None:
    assert chart("morale").items() <= {"fraction_lost": 0.5}.items()
    assert chart("fanatics").items() <= {"men": 2}.items()
    assert column("green", "lo", "hi", "pins", "die", "quality") == {
        "shaken": (1, 1, "D6", "down", None),
        "steady": (2, 4, None, None, None),
        "regular": (5, 6, None, None, "regular"),
    }


@rule("bolt_action", "8.1", "8.2", "10.7", "23.3")
def test_the_rates_of_movement() -> None:
    assert column("movement", "advance", "run") == {
        "infantry": (6, 12),
        "tracked": (9, 18),
        "half_tracked": (9, 18),
        "wheeled": (12, 24),
        "slow_vehicle": (6, 12),
        "mmg_hmg_team": (0, 12),
        "medium_mortar": (0, 12),
        "heavy_mortar": (0, 6),
        "gun_light": (0, 6),
        "gun_medium": (0, 6),
        "gun_heavy": (0, 0),
        "gun_superheavy": (0, 0),
    }


@rule(
    "bolt_action", "7.2", "8.4", "9.5", "9.10", "10.3", "10.4", "16.4", "21.10", "23.1", "24.2", "24.3", "24.5", "24.8"
)
def test_the_distances_of_movement() -> None:
    assert (
        chart("movement_figures").items()
        <= {
            "reverse_fraction": 0.5,
            "recce_reverse_fraction": 1.0,
            "road_factor": 2,
            "enemy_gap": 1,
            "friend_gap": 1,
            "formation_gap": 1,
            "formation_spacing": 0.25,
            "crew_gap": 1,
            "ambush_step": 1,
            "assault_through_rough": 6,
            "regroup": "D6",
            "contact": 0.02,
            "boarding_gap": 1,
            "leave_advance": 6,
            "leave_run": 12,
            "unhitch_gap": 1,
            "spill_within": 3,
            "spill_hits": "D6",
        }.items()
    )


@rule("bolt_action", "11.3", "11.7", "11.8")
def test_the_pieces_of_terrain() -> None:
    """Ground, shape, cover, sight, height, and where it has them its width, how far one sees in it, and teeth."""
    keys = ("ground", "shape", "cover", "sight", "height", "width", "depth_visible", "anti_tank")
    found = {
        id: tuple(value for value in row if value is not None) for id, row in column("terrain_types", *keys).items()
    }
    assert found == {
        "woods": ("rough", "area", "soft", "no_through", 4.0, 6),
        "orchard": ("rough", "area", "soft", "clear", 3.0),
        "crops": ("open", "area", "soft", "clear", 0.8),
        "rocks": ("rough", "area", "hard", "clear", 1.0),
        "marsh": ("rough", "area", "none", "clear", 0.0),
        "soft_sand": ("rough", "area", "none", "clear", 0.0),
        "ruins": ("rough", "area", "hard", "no_through", 3.0, 6),
        "rubble": ("rough", "area", "hard", "clear", 1.0),
        "hill": ("open", "area", "none", "crest", 2.0),
        "building": ("building", "area", "hard", "blocks", 4.0),
        "pond": ("impassable", "area", "none", "clear", 0.0),
        "hedge": ("obstacle", "line", "soft", "clear", 1.0),
        "fence": ("obstacle", "line", "soft", "clear", 0.8),
        "stone_wall": ("obstacle", "line", "hard", "clear", 0.8),
        "bocage": ("obstacle", "line", "hard", "blocks", 2.5, True),
        "dragons_teeth": ("obstacle", "line", "none", "clear", 0.6, True),
        "trench": ("obstacle", "line", "hard", "clear", 0.2),
        "road": ("road", "line", "none", "clear", 0.0, 3.0),
        "river": ("impassable", "line", "none", "clear", 0.0, 4.0),
        "smoke": ("open", "area", "soft", "no_through", 6.0, 3),
    }


@rule("bolt_action", "11.2", "11.8", "25.1", "25.2", "25.6", "25.8")
def test_buildings_and_sight() -> None:
    assert (
        chart("buildings").items()
        <= {
            "largest": 8,
            "opening_gap": 1,
            "collapse_hits": 10,
            "demolish_needed": 4,
            "becomes": "rubble",
        }.items()
    )
    assert chart("sight").items() <= {"target_height": 0.7, "at_hand": 1, "low": 1.5, "friends_gap": 1}.items()


@rule("bolt_action", "13.1", "13.2", "13.4", "13.8", "13.10", "13.12", "7.4")
def test_the_figures_of_hitting() -> None:
    assert (
        chart("to_hit_figures").items()
        <= {
            "base": 3,
            "best": 2,
            "two_sixes_from": 7,
            "point_blank_distance": 6,
            "long_range_over_fraction": 0.5,
            "small_unit_models": 2,
        }.items()
    )


@rule("bolt_action", "14.6", "19.2", "19.3", "19.4", "19.6", "20.1", "20.2", "20.3", "20.4", "20.5", "20.6")
def test_damage_on_armour() -> None:
    assert column("penetration", "amount") == {
        "side": (1,),
        "top": (1,),
        "rear": (2,),
        "long_range": (-1,),
        "gun_shield": (-1,),
        "heavy_frontal_armour": (-1,),
    }
    assert column("damage_grade", "over", "dice", "add") == {
        "superficial": (0, 1, -3),
        "full": (1, 1, 0),
        "massive": (3, 2, 0),
    }
    # from below every roll to above every one
    assert column("damage_result", "lo", "hi", "pins") == {
        "crew_stunned": (-9, 1, 1),
        "immobilised": (2, 2, 1),
        "on_fire": (3, 3, 1),
        "knocked_out": (4, 99, 0),
    }
    assert chart("damage_result_figures").items() <= {"open_topped_indirect": 1}.items()


@rule("bolt_action", "21.3", "21.7", "21.11", "22.5", "27.2")
def test_the_figures_of_close_quarters() -> None:
    assert column("assault_vehicle", "needed") == {"advancing": (6,), "running": (7,), "otherwise": (4,)}
    assert (
        chart("close_quarters").items()
        <= {
            "reaction_fire_if_start_over": 6,
            "attacks": 1,
            "attacks_with_assault_weapon": 2,
            "tough_fighters_extra": 1,
            "most_drawn_rounds": 5,
            "moved_back": 1,
        }.items()
    )


@rule("bolt_action", "17.8", "17.16", "17.17", "17.18", "26.1", "27.1", "27.9")
def test_the_figures_of_special_weapons() -> None:
    assert (
        chart("indirect_fire").items()
        <= {
            "needed": [6, 5, 4, 3, 2],
            "after_a_hit": 2,
            "launcher_needed": 6,
            "launcher_radius": 6,
        }.items()
    )
    assert (
        chart("flamethrower").items()
        <= {"extra_pins": "D3", "empty_infantry_up_to": 2, "empty_vehicle_up_to": 1}.items()
    )
    assert chart("sniper").items() <= {"max": 36, "min": 12}.items()
    assert chart("national").items() <= {"german_machine_gun_shots": 1}.items()
    assert chart("medic").items() <= {"range": 6, "saved_on": 6}.items()


@rule("bolt_action", "26.3", "26.4", "26.6", "26.8")
def test_barrages_and_aircraft() -> None:
    assert column("barrage", "lo", "hi") == {"astray": (1, 1), "delayed": (2, 3), "falls": (4, 6)}
    assert column("barrage_effect", "lo", "hi", "pins", "he") == {
        "nothing": (1, 1, "0", None),
        "pinned": (2, 3, "1", None),
        "shelled": (4, 5, "D3", None),
        "direct_hit": (6, 6, None, "3D6"),
    }
    figures_of = chart("barrage_figures")
    assert (figures_of["astray_by"], figures_of["radius_dice"], figures_of["radius_add"]) == (12, "D6", 6)
    assert column("air_strike", "lo", "hi", "hits", "add", "needed", "he") == {
        "astray": (1, 1, "D6", 1, None, None),
        "fighter": (2, 3, "D6", 1, None, None),
        "fighter_bomber": (4, 5, None, None, 4, "2D6"),
        "ground_attack": (6, 6, None, None, 3, "3D6"),
    }
    assert (
        chart("air_strike_figures").items()
        <= {
            "arrives_on": 3,
            "astray_within": 12,
            "splash_radius": 6,
            "splash_pins": 1,
            "flak_hits_on": 5,
            "flak_hits_needed": 3,
        }.items()
    )


@rule("bolt_action", "28.3", "28.4", "28.5")
def test_length_and_victory() -> None:
    assert (
        chart("length").items()
        <= {"turns": 6, "further_turn_on": 4, "objective_distance": 3, "lead": 2, "attrition": 1}.items()
    )


@rule("bolt_action", "7.1")
def test_the_bases() -> None:
    """Radius, or length and width; height; the height of the eye. Men stand on 25 mm, vehicles are 1:56."""
    keys = ("shape", "radius", "length", "width", "height", "eye")
    found = {id: tuple(value for value in row if value is not None) for id, row in column("footprints", *keys).items()}
    assert found == {
        "man": ("disc", 0.5, 1.2, 1.1),
        "motorcycle": ("rect", 1.8, 0.9, 1.2, 1.1),
        "gun_light": ("rect", 2.0, 1.4, 0.9, 0.8),
        "gun_medium": ("rect", 2.8, 1.6, 1.0, 0.9),
        "gun_heavy": ("rect", 3.6, 2.0, 1.3, 1.0),
        "jeep": ("rect", 2.4, 1.2, 1.2, 1.2),
        "truck": ("rect", 4.4, 1.7, 1.9, 1.6),
        "armoured_car": ("rect", 3.6, 1.6, 1.7, 1.7),
        "carrier": ("rect", 2.7, 1.5, 1.2, 1.2),
        "half_track": ("rect", 4.2, 1.6, 1.6, 1.6),
        "light_tank": ("rect", 3.3, 1.8, 1.8, 1.8),
        "medium_tank": ("rect", 4.3, 2.1, 2.0, 2.0),
        "heavy_tank": ("rect", 4.9, 2.6, 2.1, 2.1),
    }


@rule("bolt_action", "28.1")
def test_the_points_and_limits_of_forces() -> None:
    assert chart("points_men").items() <= {"inexperienced": 7, "regular": 10, "veteran": 13}.items()
    assert chart("points_quality").items() <= {"inexperienced": 0.8, "regular": 1.0, "veteran": 1.2}.items()
    assert column("upgrades", "points", "most", "replaces", "crew", "each_man") == {
        "smg": (3, 0, "rifle", None, None),
        "automatic_rifle": (5, 2, "rifle", None, None),
        "assault_rifle": (5, 0, "rifle", None, None),
        "lmg": (20, 2, "rifle", 2, None),
        "flamethrower": (20, 1, "rifle", 2, None),
        "panzerfaust": (5, 4, "", None, None),
        "anti_tank_grenades": (2, 1, "", None, True),
    }
    assert chart("upgrade_limits").items() <= {"most_men": 12, "least_men": 5}.items()
    limits = column("platoon", "least", "most")
    assert (limits.pop("lieutenant"), limits.pop("squad"), limits.pop("transport")) == ((1, 1), (2, 5), (0, 0))
    assert set(limits.values()) == {(0, 1)} and len(limits) == 11


# ---- a few of them played ------------------------------------------------------------------------------------


@rule("bolt_action", "4.3")
@pytest.mark.parametrize(("away", "mistaken"), [(12, ["a2"]), (12.1, [])])
def test_a_friend_is_taken_for_the_enemy_with_one_within_twelve_inches(away: float, mistaken: list[str]) -> None:
    friend, foe = unit("us_2lt", "a2", at=(36, 30)), unit("ger_2lt", "g1", at=(36, 30 - 1 - away), heading=180)
    battle = field(unit("us_squad", "a1", at=(36, 40)), friend, foe)
    assert [each.id for each in fubar.friendly_targets(battle, battle.unit("a1"))] == mistaken


@rule("bolt_action", "5.3", "5.4")
@pytest.mark.parametrize(
    ("kind", "away", "bonus"),
    [
        ("us_2lt", 6, 1),
        ("us_2lt", 6.1, 0),
        ("us_1lt", 6, 2),
        ("us_1lt", 6.1, 0),
        ("us_captain", 12, 3),
        ("us_captain", 12.1, 0),
        ("us_major", 12, 4),
        ("us_major", 12.1, 0),
    ],
)
def test_how_far_an_officer_is_heard(kind: str, away: float, bonus: int) -> None:
    """From the officer himself, edge to edge; his men stand beyond him."""
    men = {"us_2lt": 1, "us_1lt": 2}.get(kind, 3)
    officer = unit(kind, "a2", models=[(36, 30 - 1 - away - 1.1 * n) for n in range(men)])
    battle = field(unit("us_squad", "a1", at=(36, 30), men=1), officer, unit("ger_2lt", "g1", at=(2, 2)))
    found = {line.id: line.amount for line in morale.target(battle, battle.unit("a1"), morale.MORALE_CHECK).lines}
    assert found.get("officer", 0) == bonus


@rule("bolt_action", "26.1")
@pytest.mark.parametrize(("away", "near"), [(6, True), (6.1, False)])
def test_how_far_a_medic_gets(away: float, near: bool) -> None:
    battle = field(
        unit("us_squad", "a1", at=(36, 30), men=1),
        unit("us_medic", "a2", at=(36, 30 - 1 - away)),
        unit("ger_medic", "g1", at=(36, 31.2), heading=180),
    )
    found = casualties.medic_near(battle, battle.unit("a1"))
    assert (found.id if found is not None else "") == ("a2" if near else "")


@rule("bolt_action", "26.7")
@pytest.mark.parametrize(("away", "bonus"), [(12, 1), (12.1, 0)])
def test_how_far_a_command_vehicle_is_heard(away: float, bonus: int) -> None:
    """The tanks stand side by side, each 2.1 in wide."""
    battle = field(
        unit("ger_panzer4", "g1", at=(20, 30)),
        unit("ger_panzer4_command", "g2", at=(20 + 2.1 + away, 30)),
        unit("us_2lt", "a1", at=(2, 2)),
    )
    found = {line.id: line.amount for line in morale.target(battle, battle.unit("g1"), morale.MORALE_CHECK).lines}
    assert found.get("command_vehicle", 0) == bonus


@rule("bolt_action", "15.5")
@pytest.mark.parametrize(("before", "lost", "checks"), [(8, 4, True), (8, 3, False), (9, 5, True), (9, 4, False)])
def test_half_of_the_men_and_no_fewer_call_for_a_check(before: int, lost: int, checks: bool) -> None:
    battle = field(unit("us_squad", "a1", at=(36, 30), men=before - lost), unit("ger_2lt", "g1", at=(2, 2)))
    assert casualties.must_check(battle, battle.unit("a1"), before, lost) == checks


@rule("bolt_action", "27.3")
@pytest.mark.parametrize(("men", "fights"), [(2, True), (1, False)])
def test_two_fanatics_fight_on_whatever_their_pins(men: int, fights: bool) -> None:
    battle = field(unit("ger_hitlerjugend", "g1", at=(36, 30), men=men), unit("us_2lt", "a1", at=(2, 2)))
    assert special.fights_on(battle, battle.unit("g1")) == fights


@rule("bolt_action", "28.5")
@pytest.mark.parametrize(("away", "held"), [(3, "german"), (3.1, "")])
def test_how_near_a_hull_must_be_to_an_objective(away: float, held: str) -> None:
    """A truck that looks along the table: its side is 0.85 in from its middle."""
    battle = field(
        unit("ger_truck", "g1", at=(40, 24 + 0.85 + away), heading=90),
        unit("us_2lt", "a1", at=(2, 2)),
        objective=[{"at": [40, 24], "points": 3}],
    )
    assert victory.holder(battle, battle.scenario.objectives[0]) == held
