"""Regrouping (21.10): the move of whoever is left of close quarters."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table.places import exactly
from grognard.core.ask import Option, Procedure
from grognard.core.poses import Pose
from grognard.games.bolt_action import formation, good_poses, movement
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.good_poses import inside
from grognard.kits.table.moving import ask_pose
from grognard.kits.table.state import ON_TABLE

#: How far men go, in hundredths, who have to get clear of the enemy and cannot do it within their die.
GET_CLEAR = (200, 300, 600, 1200)


def regroup(battle: BoltBattle, unit: Unit, inches: int) -> Procedure[None]:
    """The survivors of close quarters may move so many inches, and end in formation 1 in clear of the enemy (D12)."""
    if unit.status != ON_TABLE or not unit.models or unit.building:
        return
    far = inches * 100
    near = battle.charts.distance("movement_figures", "enemy_gap")
    foes = [foe for foe in battle.enemies(unit.side) if not foe.building]
    must = formation.broken(battle, unit) or any(battle.gap(unit, foe) < near - 1 for foe in foes)

    def area_within(reach: int) -> FootArea:
        ways = movement.standing_ways(battle, unit, reach, run=False)
        return FootArea(battle, unit, [ways], rule="21.10", everybody=must)  # a spotter has to get clear as well

    def poses(area: FootArea) -> list[Option]:
        return list(good_poses.good_poses(battle, unit, area)) or list(inside(area, battle.table))

    area = area_within(far)
    if must:
        # They have to get clear, if need be farther than the die lets them, as 21.11 moves men back.
        for wider in GET_CLEAR:
            if wider > far and not poses(area):
                far, area = wider, area_within(wider)

    def listed() -> Iterator[Option]:
        found = poses(area)
        if not must or not found:
            yield Option("stay", f"{battle.name(unit)} stays", "stay", unit.id, rule="21.10")
        yield from found

    prompt = f"{battle.name(unit)} regroups: where, up to {exactly(far, battle.measure)}?"
    if far > inches * 100:
        clear = f"must get {exactly(near, battle.measure)} clear of the enemy"
        enough = f"{exactly(inches * 100, battle.measure)} is not enough"
        prompt = f"{battle.name(unit)} {clear}: where, up to {exactly(far, battle.measure)} ({enough})?"
    answer = yield from ask_pose(
        unit.side,
        prompt,
        lambda: list(listed()),
        lambda: area,
        rule="21.10",
        meanwhile=lambda: next(listed()).key,
    )
    if isinstance(answer, Pose):
        yield from movement.go(battle, unit, area, answer, how="regroup", rules=("21.10",))
