"""Casualties (8.4): a Unit that is removed whole, and what stays behind of it."""

from __future__ import annotations

from grognard.games.company import casualties
from grognard.games.company.fire_events import CommanderLost, UnitDestroyed
from grognard.kits.table.state import LOST
from tests.games.company.playing import battle_of, happened, platoon, run, team, unit_of


def test_a_unit_is_removed_with_all_that_is_aboard() -> None:
    battle = battle_of(
        platoon(
            "us_armored_rifles",
            "a1",
            team(20, 20, kind="us_m3ht", id="t5"),
            riders=[team(kind="us_rifle", id="t7", aboard="t5")],
        ),
        platoon("ger_pioneers", "g1", (20, 40)),
    )
    unit = unit_of(battle, "a1")
    run(casualties.destroy(battle, unit, ("12.2",)))
    assert unit.status == LOST and not unit.models and not unit.riders and unit.leader == ""
    assert battle.state.lost[unit.side] == ["a1"] and len(happened(battle, UnitDestroyed)) == 1
    assert unit not in battle.units(unit.side)


def test_a_commander_who_falls_is_no_unit_lost() -> None:
    battle = battle_of(
        platoon("us_commander", "ac", (20, 20)),
        platoon("us_rifles", "a1", (40, 20)),
        platoon("ger_pioneers", "g1", (20, 40)),
    )
    own = unit_of(battle, "ac")
    run(casualties.destroy(battle, own, ("14.9",)))
    assert own.status == LOST and battle.commander(own.side) is None and happened(battle, CommanderLost)
    assert battle.state.lost[own.side] == []
