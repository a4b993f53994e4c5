"""Artillery and Fixed weapons on the move (17.5, 23.1, 23.3, 9.7): turning on the spot."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.poses import Pose
from grognard.games.bolt_action import formation, ground, travel
from grognard.games.bolt_action.areas import TurnArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, SPOTTER, Unit, party
from grognard.kits.table.moving import ask_pose

#: The headings that are listed; any other may be turned to as well.
LISTED = range(0, 360, 45)

NO_ROOM = Bar("17.5", "there isn't room to turn it that way")


def turn(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """A Fixed weapon does not move with Advance but may be turned to any facing (17.5)."""
    area = area_of(battle, unit)
    prompt = f"{battle.name(unit)}: which way should it face?"
    answer = yield from ask_pose(
        unit.side, prompt, lambda: list(options(battle, unit, area)), lambda: area, rule="17.5"
    )
    if not isinstance(answer, Pose):
        return
    heading = answer.heading
    stand = turned(battle, unit, heading)
    assert stand is not None
    for model, body in zip(unit.models, stand):
        model.x, model.y = body.x, body.y
    battle.invalidate(unit)
    headings = {model.id: heading for model in unit.models}
    yield from travel.travel(battle, unit, {}, headings, how="turn", rules=("17.5",))


def area_of(battle: BoltBattle, unit: Unit) -> TurnArea:
    """The poses that turn a Fixed weapon on the spot."""

    def may(heading: int) -> Bar | None:
        return None if turned(battle, unit, heading) is not None else NO_ROOM

    return TurnArea(battle, unit, may, rule="17.5")


def options(battle: BoltBattle, unit: Unit, area: TurnArea) -> Iterator[Option]:
    """To stay as it is, and the eight principal headings."""
    yield Option("stay", f"{battle.name(unit)} stays as it is", "stay", unit.id, rule="2.8")
    x, y = area.at
    for heading in LISTED:
        if heading != unit.models[0].heading and area.may(heading) is None:
            pose = Pose(x, y, heading, formations.AS_THEY_STAND)
            yield Option(pose.key(), f"turn to {heading}°", "pose", unit.id, pose.place, rule="17.5")


def turned(battle: BoltBattle, unit: Unit, heading: int) -> list[Body] | None:
    """How a unit stands when its weapon has turned: the crew goes round a gun where it would be in the way (23.1).

    None if there isn't room for the gun.
    """
    known = battle.bodies(unit)
    guns = [number for number, model in enumerate(unit.models) if model.role == GUN]
    if not guns or unit.building:
        return [body.at(body.x, body.y, heading) for body in known]
    gun = known[guns[0]].at(known[guns[0]].x, known[guns[0]].y, heading)
    if not _fits(battle, unit, gun):
        return None
    numbers = party(unit)
    crew = [known[number] for number in numbers]
    swung = formations.lay_out(formations.AS_THEY_STAND, crew, gun.x, gun.y, heading, formation.spacing(battle))
    fresh = formations.lay_out(formations.CLUSTER, crew, gun.x, gun.y, heading, formation.spacing(battle))
    placed: dict[int, Body] = {guns[0]: gun}
    far = battle.charts.distance("movement_figures", "crew_gap")
    spare = [fresh[i] for i, number in enumerate(numbers) if number != guns[0]]
    for i, number in enumerate(numbers):
        if number == guns[0]:
            continue
        body = known[number]
        for x, y in ((body.x, body.y), swung[i], *spare):
            there = body.at(x, y, heading)
            close = bodies.gap(there, gun) <= far + bodies.HAIR
            if close and not bodies.overlaps(there, placed.values()) and _fits(battle, unit, there):
                placed[number] = there
                break
        else:
            return None
    return [
        placed.get(number) or body.at(body.x, body.y, body.heading if unit.models[number].role == SPOTTER else heading)
        for number, body in enumerate(known)
    ]


def _fits(battle: BoltBattle, unit: Unit, body: Body) -> bool:
    """Whether a base fits where it would be: on the table, in nobody, not in a building or the like."""
    table = battle.table
    if body.foot.length:
        points = bodies.corners(body)
        on = bool((points >= 0).all() and (points <= (table.width, table.height)).all())
    else:
        on = 0 <= body.x <= table.width and 0 <= body.y <= table.height
    if not on or bodies.overlaps(body, battle.everybody([unit])) or bodies.overlaps(body, battle.wreck_bodies()):
        return False
    if unit.dug_in:
        return True
    around = body.foot.farthest * 1.01 + 1  # a disc is drawn with corners outside its rim
    shape = bodies.shape(body)
    at_home = any((model.x, model.y) == (body.x, body.y) for model in unit.models)
    for barrier in ground.barriers(table, battle.type(unit).column, run=False, radius=0):
        left, top, right, bottom = barrier.box
        if body.x + around < left or body.x - around > right or body.y + around < top or body.y - around > bottom:
            continue
        if barrier.whole and barrier.shape.intersects(shape):
            return False
        if not barrier.whole and not at_home and shapely.intersects_xy(barrier.shape, body.x, body.y):
            return False
    return True
