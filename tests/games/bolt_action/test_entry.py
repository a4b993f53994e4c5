"""Reserves that come on over an edge (28.2)."""

from __future__ import annotations

import pytest

from grognard.core.dice import FairDice
from grognard.core.files import Document
from grognard.core.poses import Pose
from grognard.games.bolt_action import advance_and_run, entry, formation, movement
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.game import GAME
from grognard.kits.table.state import ON_TABLE, RESERVE
from tests.games.bolt_action.play import field, piece, run, unit

SIDES = ["american", "german"]


def reserves() -> list[tuple[str, str]]:
    """Units of the scenarios that come as reserves."""
    found = []
    for name in GAME.scenario_files():
        scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
        found += [(name, placing.id) for placing in scenario.units if placing.edge]
    return found


@pytest.mark.rule("bolt_action", "28.2")
@pytest.mark.parametrize(("name", "id"), reserves())
def test_every_reserve_can_come_on(name: str, id: str) -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    battle = BoltBattle(scenario, GAME.begin(scenario), FairDice(b"entry"))
    who = battle.unit(id)
    if who.aboard:
        return
    who.status = RESERVE
    for order in ("advance", "run"):
        if advance_and_run.can_move(battle, who, order) is not None:
            continue
        who.status = RESERVE
        battle.invalidate()
        area = entry.area_of(battle, who, order)
        poses = [option.key for option in entry.options(battle, who, order) if option.verb == "pose"]
        assert poses, (name, id, order)
        edge = entry.edge_of(battle, who)
        if isinstance(area, FootArea) or area.far_on_road == area.far:
            assert area.bar(Pose(3600, 2400, edge.heading)) is not None, "not in the middle of the table"
        if isinstance(area, FootArea):
            assert area.polygons(area.names[0], edge.heading)
        else:
            assert area.polygons("drive", edge.heading)
        run(advance_and_run.move(battle, who, order), poses[0])
        assert who.status == ON_TABLE and not formation.broken(battle, who)
        far = area.far_on_road if isinstance(area, entry.DriveOn) else movement.rate(battle, who, order)
        level = edge.a[1] if edge.name in ("top", "bottom") else edge.a[0]
        for model in who.models:
            assert abs((model.y if edge.name in ("top", "bottom") else model.x) - level) <= far + 1


@pytest.mark.rule("bolt_action", "8.4", "28.2")
def test_a_vehicle_that_comes_on_stops_an_inch_clear_of_friends_but_may_drive_past_them() -> None:
    friend = unit("us_2lt", "a1", at=(20, 43))
    battle = field(unit("us_m4", "a2", status="reserve"), friend, unit("ger_2lt", "g1", at=(5, 5)))
    area = entry.area_of(battle, battle.unit("a2"), "run")
    wide = battle.hull(battle.unit("a2")).foot.width // 2
    beside = 2000 + 50 + wide + 50
    assert area.bar(Pose(beside, 4300, 0, "drive")) is not None, "half an inch from him"
    assert area.bar(Pose(beside + 60, 4300, 0, "drive")) is None
    assert area.bar(Pose(beside, 3400, 0, "drive")) is None, "past him"


@pytest.mark.rule("bolt_action", "9.5", "28.2")
def test_a_vehicle_comes_on_twice_as_far_along_a_road() -> None:
    """A truck goes 12 in with an Advance, 24 by the road that leads in at x 20; where the road bends off it ends."""
    straight = piece("road", (20, 48), (20, 0))
    bend = piece("road", (20, 48), (20, 34), (40, 20))
    for road, far in ((straight, 24.0), (bend, 14.0)):
        battle = field(
            unit("us_truck", "a1", status="reserve"), unit("ger_2lt", "g1", at=(5, 5)), terrain=[road], sides=SIDES
        )
        who = battle.unit("a1")
        area = entry.area_of(battle, who, "advance")
        for x, y, free in (
            (20, 48 - far + 0.1, True),
            (20, 48 - far - 2.0, False),
            (30, 36.1, True),
            (30, 35.8, False),
        ):
            bar = area.bar(Pose(round(x * 100), round(y * 100), 0, "drive"))
            assert (bar is None) is free, (road["points"], x, y)
            if bar is not None:
                assert "24″ along a road" in bar.reason
    battle = field(unit("us_truck", "a1", status="reserve"), unit("ger_2lt", "g1", at=(5, 5)), terrain=[straight])
    who = battle.unit("a1")
    by_road = [option.key for option in entry.options(battle, who, "run") if option.rule == "9.5"]
    run(advance_and_run.move(battle, who, "run"), by_road[0])
    assert who.models[0].y == 1200, "36 in: the hull would be over the far edge after 48"
