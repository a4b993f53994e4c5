"""3.2, 3.3: shells and smoke, called down under a square."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from grognard.board.table import formations
from grognard.board.table.places import exactly
from grognard.board.table.point_area import PointArea
from grognard.board.table.templates import Square, touched
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least
from grognard.core.poses import Pose, read_pose
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.shooting import lose
from tests.kits.table.stands.state import Unit


def call(battle: Field, unit: Unit, verb: str) -> Procedure[None]:
    """3.2, 3.3: shells or smoke within 60 cm, under a square that is turned as one likes."""
    rule = "3.2" if verb == "shells" else "3.3"
    reach, kills = charts().distance("calling", "range"), charts().number("calling", "shells_kill")
    side = charts().distance("calling", "shells_side" if verb == "shells" else "smoke_side")
    leader = battle.bodies(unit)[0]
    table = shapely.box(0, 0, battle.table.width, battle.table.height)
    area = PointArea(
        unit.id,
        lambda: shapely.Point(leader.x, leader.y).buffer(reach).intersection(table),
        (leader.x, leader.y),
        label=f"{verb.capitalize()} there",
        verb="at",
        rule=rule,
        template=lambda pose: Square(pose.x, pose.y, side, pose.heading),
        standing=lambda: [(battle.name(each), battle.bodies(each)) for each in battle.units()],
        turns=True,
        outside=Bar(rule, f"it is farther than {exactly(reach, battle.table.measure)}"),
    )

    def aims() -> Iterator[Option]:
        for foe in battle.enemies(unit.side):
            x, y = formations.anchor(battle.bodies(foe))
            pose = Pose(x, y, 0, PointArea.FORM)
            if area.bar(pose) is None:
                yield Option(pose.key("at"), f"On {battle.name(foe)}", "at", unit.id, pose.place, foe.id, rule=rule)
        yield Option("keep", "Call nothing", "keep", unit.id, rule=rule)

    read = read_pose(
        (yield Ask(unit.side, f"{verb.capitalize()}: where?", lambda: list(aims()), rule=rule, area=lambda: area))
    )
    if read is None:
        return
    unit.called = True
    square = Square(read[1].x, read[1].y, side, read[1].heading)
    if verb == "smoke":
        battle.state.smoke.append((square.x, square.y, square.heading))
        battle.invalidate()
        return
    for other in battle.units():
        under = [m.id for m, hit in zip(other.models, touched(battle.bodies(other), square)) if hit]
        gone = [id for id in under if battle.roll(unit.side, "shells", "1d6", at_least(kills), ("3.2",), unit=other.id)]
        yield from lose(battle, other, gone, "3.2")
