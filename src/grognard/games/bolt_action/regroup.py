"""Regrouping (21.10): the move of whoever is left of close quarters."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from grognard.board.table.places import exactly, told
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.poses import Pose, read_pose
from grognard.games.bolt_action import candidates, formation
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ON_TABLE, Unit

#: How far men go, in hundredths, who have to get clear of the enemy and cannot do it within their die.
GET_CLEAR = (200, 300, 600, 1200)


def regroup(battle: BoltBattle, unit: Unit, inches: int) -> Procedure[None]:
    """The survivors of close quarters may move so many inches, and end in formation 1 in clear of the enemy (D12)."""
    from grognard.games.bolt_action import movement

    if unit.status != ON_TABLE or not unit.models or unit.building:
        return
    far = inches * 100
    near = battle.figures.distance("movement_figures", "enemy_gap")
    foes = [foe for foe in battle.enemies(unit.side) if not foe.building]
    must = formation.broken(battle, unit) or any(battle.gap(unit, foe) < near - 1 for foe in foes)

    def area_within(reach: int) -> FootArea:
        ways = movement.standing_ways(battle, unit, reach, run=False)
        return FootArea(battle, unit, [ways], rule="21.10", everybody=must)  # a spotter has to get clear as well

    def poses(area: FootArea) -> list[Option]:
        return list(candidates.good_poses(battle, unit, area)) or list(_clear_poses(battle, unit, area))

    area = area_within(far)
    if must and not battle.ahead:
        # They have to get clear, if need be farther than the die lets them, as 21.11 moves men back.
        for wider in GET_CLEAR:
            if wider > far and not poses(area):
                far, area = wider, area_within(wider)

    def listed() -> Iterator[Option]:
        found = poses(area)
        if not must or not found:
            yield Option("stay", f"{battle.say(unit)} stays", "stay", unit.id, rule="21.10")
        yield from found

    prompt = f"{battle.say(unit)} regroups: where, up to {exactly(far)}?"
    if far > inches * 100:
        clear = f"must get {exactly(near)} clear of the enemy"
        prompt = f"{battle.say(unit)} {clear}: where, up to {exactly(far)} ({inches}″ is not enough)?"
    answer = yield Ask(unit.side, prompt, lambda: list(listed()), rule="21.10", area=lambda: area)
    if answer == "stay":
        return
    read = read_pose(answer)
    assert read is not None
    yield from movement.go(battle, unit, area, read[1], how="regroup", rules=("21.10",))


def _clear_poses(battle: BoltBattle, unit: Unit, area: FootArea) -> Iterator[Option]:
    """Poses that are found in the area itself, where no straight move is free."""
    for form in area.names:
        region = [shapely.Polygon(part[0], part[1:]) for part in area.polygons(form, 0)]
        for part in region[:4]:
            at = part.representative_point()
            pose = Pose(round(at.x), round(at.y), 0, form)
            if area.bar(pose) is None:
                yield Option(
                    pose.key(), told(battle.table, pose.x, pose.y), "pose", unit.id, pose.place, rule=area.rule
                )
