"""What a side sees: Units with their Teams, markers on stands, turrets, smoke, tracks, and what everything means."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.glossary import explain
from grognard.core.view import ModelView, UnitView, View
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.game import GAME
from grognard.kits.table.state import LOST
from tests.games.company.playing import battle_of, platoon, team, unit_of

rule = pytest.mark.rule

FOE = platoon("ger_grenadiers", "g1", at=(20, 5), heading=180)


def view(*platoons: dict[str, Any], **more: Any) -> View:
    return GAME.view(battle_of(*platoons, FOE, **more), "american")


def seen(view: View, id: str) -> UnitView:
    return next(unit for unit in view.units if unit.id == id)


def model(view: View, unit: str, id: str) -> ModelView:
    return next(model for model in seen(view, unit).models if model.id == id)


def test_stands_have_their_bases_figures_and_letters() -> None:
    found = view(platoon("us_rifles", "a1", (20, 30), (23, 30), team(26, 30, kind="us_bazooka")))
    lead, rifle, bazooka = seen(found, "a1").models
    assert (lead.short, lead.look, lead.figures) == ("PL", "stand", 2)
    assert (rifle.short, rifle.length, rifle.width, rifle.figures) == ("R", 1.25, 2.0, 4)
    assert bazooka.short == "AT" and bazooka.title == "Bazooka team t3: Bazooka"


def test_guns_tanks_and_cars_are_drawn_as_such_with_hull_and_turret() -> None:
    found = view(
        platoon("us_m4_platoon", "a1", team(20, 30, heading=90, turret=180)),
        platoon("us_57_platoon", "a2", (40, 30), (43, 30)),
        platoon("us_armored_rifles", "a3", team(50, 30), team(54, 30, kind="us_m3ht")),
    )
    tank = model(found, "a1", "t1")
    assert (tank.look, tank.heading, tank.turret) == ("tank", 90, 180)
    assert model(found, "a2", "t2").look == "gun" and model(found, "a2", "t2").turret == -1
    assert model(found, "a3", "t2").look == "car"


@rule("company", "3.17", "11.1")
def test_markers_and_overwatch_lie_on_single_stands_with_a_word() -> None:
    found = view(
        platoon("us_rifles", "a1", (20, 30), team(23, 30, marks=1), team(26, 30, marks=2), team(29, 30, watch=True))
    )
    badges = {each.id: each.badges for each in seen(found, "a1").models}
    assert badges == {"t1": ("PL",), "t2": ("S",), "t3": ("2S",), "t4": ("OW",)}
    states = {each.id: each.states for each in seen(found, "a1").models}
    assert states["t1"][0] == "leader" and states["t2"][0] == "suppressed" and states["t4"][0] == "overwatch"
    assert "2 suppression markers" in states["t3"]
    unit = seen(found, "a1")
    assert unit.badges == ("3S", "OW") and unit.states[:2] == ("3 suppression", "on Overwatch")


@rule("company", "1.6", "6.28")
def test_who_has_acted_and_who_lies_low() -> None:
    found = view(
        platoon("us_rifles", "a1", (20, 30), acted=1, moved=True), platoon("us_rifles", "a2", (40, 30), down=True)
    )
    assert "done" in seen(found, "a1").states and "moved" in model(found, "a1", "t1").states
    assert seen(found, "a2").badges == ("GTG",) and "gone to ground" in model(found, "a2", "t1").states
    assert found.tracks["Ready"] == {"american": 1, "german": 1}


@rule("company", "14.6", "16.1")
def test_riders_and_a_dead_leader() -> None:
    riders = [{"kind": "us_rifle", "aboard": "t2"}, {"kind": "us_rifle", "aboard": "t2"}]
    found = view(
        platoon("us_armored_rifles", "a1", (20, 30), team(24, 30, kind="us_m3ht"), riders=riders, leader=""),
    )
    unit = seen(found, "a1")
    assert unit.badges == ("+2", "NL") and len(unit.models) == 2
    carrier = model(found, "a1", "t2")
    assert carrier.badges == ("+2",) and carrier.states[0] == "carries Rifle team t3, Rifle team t4"


def test_the_tracks_tell_turn_initiative_points_losses_and_objectives() -> None:
    objective = [{"id": "farm", "name": "The farm", "at": [20, 28], "points": 2}]
    found = view(platoon("us_rifles", "a1", (20, 30)), initiative=4, objective=objective, lost={"german": ["g7"]})
    assert found.tracks["Turn"] == {"turn": 1, "of": 8}
    assert found.tracks["Initiative"] == {"american": 4, "german": "-"}
    assert found.tracks["Points"] == {"american": 2, "german": 0}
    assert found.tracks["Losses"] == {"american": "0 of 1", "german": "1 of 2"}
    assert found.tracks["Objectives"] == {"The farm": "American (2)"}
    assert (found.phase, found.active) == ("American Initiative", "american")


@rule("company", "15.12", "15.17")
def test_smoke_is_a_square_that_turns() -> None:
    gone = {"american": ["a9"]}
    found = view(platoon("us_rifles", "a1", (20, 30)), smoke=[{"at": [30, 20], "heading": 30, "until": 2}], lost=gone)
    [smoke] = [marker for marker in found.markers if marker.kind == "smoke"]
    assert (smoke.place, smoke.length, smoke.width, smoke.facing) == ("30,20", 6.0, 6.0, 30)
    assert smoke.text == "Smoke until the end of turn 2"


def test_a_card_tells_a_unit_by_rule() -> None:
    found = view(
        platoon("us_m4_platoon", "a1", (20, 30), training="elite"), platoon("us_armored_rifles", "a2", at=(50, 30))
    )
    stats = seen(found, "a1").stats
    assert (stats["training"], stats["check"], stats["hit on"], stats["armor"]) == (
        "Elite",
        "3+",
        "4+",
        "M4 Sherman 75 4+",
    )
    assert stats["weapons"][0] == {"weapon": "75mm gun", "no.": 1, "range": "20", "FP": 2, "AT": "AT", "HE": 3}
    stats = seen(found, "a2").stats
    assert stats["move"] == "Infantry 6, Tank 12" and stats["carries"] == "2 Infantry or 1 Gun each"


def test_what_is_lost_is_not_shown_and_what_waits_has_no_place() -> None:
    battle = battle_of(platoon("us_rifles", "a1", (20, 30)), platoon("us_rifles", "a2", status="unplaced"), FOE)
    found = GAME.view(battle, "american")
    assert seen(found, "a2").place == "" and seen(found, "a2").states == ("to be set up",)
    assert len(seen(found, "a2").models) == 11
    gone = unit_of(battle, "a1")
    gone.status, gone.models = LOST, []
    battle.invalidate()
    assert {unit.id for unit in GAME.view(battle, "american").units} == {"a2", "g1"}


def test_nothing_is_hidden_and_own_symbols_are_friends() -> None:
    battle = battle_of(platoon("us_rifles", "a1", (20, 30)), FOE)
    mine, theirs = GAME.view(battle, "american"), GAME.view(battle, "german")
    assert [unit.models for unit in mine.units] == [unit.models for unit in theirs.units]
    assert seen(mine, "a1").symbol[3] == "3" and seen(theirs, "a1").symbol[3] == "6"


def test_every_badge_is_in_the_glossary() -> None:
    riders = [{"kind": "us_rifle", "aboard": "t2"}]
    found = view(
        platoon("us_armored_rifles", "a1", (20, 30), team(24, 30, kind="us_m3ht"), riders=riders, leader=""),
        platoon("us_mortars", "a2", team(40, 30, marks=3), (43, 30), team(46, 30, watch=True), down=False),
        platoon("us_rifles", "a3", (50, 40), down=True),
        platoon("us_commander", "a4", (60, 40)),
    )
    words = {word for unit in found.units for word in (*unit.badges, unit.short.split()[0])}
    words |= {word for unit in found.units for each in unit.models for word in (*each.badges, each.short) if word}
    assert words >= {"PL", "CC", "FO", "3S", "OW", "GTG", "NL", "+1", "Mech", "Mor", "Inf"}
    for word in words:
        assert explain(GAME.glossary(), word) is not None, word


@rule("company", "6.3", "7.1", "14.3", "14.12")
def test_a_field_of_fire_has_arcs_and_how_far_leaders_reach() -> None:
    battle = battle_of(
        platoon("us_57_platoon", "a1", (20, 30), team(24, 30, heading=90)), platoon("us_commander", "a2", (40, 30)), FOE
    )
    field = GAME.field_of_fire(battle, "american", "a1")
    arcs = {(fan.width, fan.heading, fan.range) for fan in field.fans if "helps" not in fan.text}
    assert (180, 90, 20.0) in arcs and (360, 0, 6.0) in arcs
    [help] = [fan for fan in field.fans if "helps" in fan.text]
    assert (help.x, help.y, help.range) == (20.0, 30.0, 2.5) and help.text == "Platoon Leader t1 helps, from his middle"
    rings = [ring.range for ring in GAME.field_of_fire(battle, "american", "a2").rings]
    assert rings == [6, 8]


def test_some_teams_are_named_and_many_are_counted() -> None:
    battle = battle_of(platoon("us_rifles", "a1", *[(20 + 3 * column, 30) for column in range(5)]), FOE)
    unit = unit_of(battle, "a1")
    assert battle.teams_named(unit, unit.models[:2]) == "Platoon Leader t1, Rifle team t2"
    assert battle.teams_named(unit, unit.models) == "5 Teams"


def test_where_nobody_types_ids_numbers_tell_teams_apart_and_leaders_have_none() -> None:
    battle = battle_of(platoon("us_rifles", "a1", (20, 30), (23, 30)), FOE)
    called = CompanyBattle(GAME.for_people(battle.scenario, battle.state), battle.state, battle.dice)
    unit = unit_of(called, "a1")
    assert called.teams_named(unit, unit.models) == "Platoon Leader, Rifle team 2"
