"""Reserves (28.2): units that come onto the table over an edge, within their move of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import shapely

from grognard.board.table import bodies
from grognard.board.table.footing import Footing
from grognard.board.table.places import exactly, from_edges, told
from grognard.board.table.reach import rings
from grognard.board.table.ways import Placed, Zone
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.poses import Area, Form, ModelPose, Polygon, Pose, Preview
from grognard.games.bolt_action import ground, movement, transports, travel
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import RUN, Unit
from grognard.kits.table import entering
from grognard.kits.table.entering import Edge
from grognard.kits.table.ground import footing_for
from grognard.kits.table.moving import ask_pose
from grognard.kits.table.riding import Floats

RULE = "28.2"


def edge_of(battle: BoltBattle, unit: Unit) -> Edge:
    """The edge that a unit comes on over, and the stretch of it that is open to it."""
    return entering.edge_of(battle.table, battle.scenario.placing(unit.id))


def ways_on(battle: BoltBattle, unit: Unit, order: str) -> Placed:
    """Where each model of a unit on foot may come to: straight in from the edge, within its move."""
    far, rules = movement.rate(battle, unit, order), ground.FootGround(battle, run=order == RUN)
    outside = Bar(RULE, f"it comes on within {exactly(far, battle.measure)} of its edge")

    def over(radius: float, starts: Floats, reach: float) -> Footing:
        return footing_for(rules, unit, starts, radius, reach, placed=True)

    return entering.ways_on(battle.bodies(unit), edge_of(battle, unit), far, over, outside)


class DriveOn(Area):
    """Where a vehicle may come to that drives straight on over an edge: its whole hull on the table."""

    def __init__(self, battle: BoltBattle, unit: Unit, order: str) -> None:
        super().__init__(unit.id, f"{battle.name(unit)} comes on", rule=RULE)
        self.battle, self.of = battle, unit
        self.far = movement.rate(battle, unit, order)
        road = ground.corridor(battle.table)
        factor = battle.charts.number("movement_figures", "road_factor")
        self.far_on_road = factor * self.far if road is not None else self.far
        self.edge = edge_of(battle, unit)
        self.line, self.heading, strip = self.edge.line, self.edge.heading, self.edge.strip(self.far)
        self.foot = battle.hull(unit).foot
        middle = self.line.centroid
        body = bodies.Body(round(middle.x), round(middle.y), self.heading, self.foot)
        reach = self.line.length / 2 + self.far_on_road
        hulls, centres = ground.hull_barriers(battle, unit, body, reach, run=order == RUN)
        closed = [self.edge.behind(_widened(thing.shape, self), self.far_on_road) for thing in hulls]
        closed += [self.edge.behind(thing.shape, self.far_on_road) for thing in centres]
        # Close by friends it may drive past, but not stop (8.4).
        gap = battle.charts.distance("movement_figures", "friend_gap") - bodies.HAIR
        friends = [one for one in battle.units(unit.side) if not one.building and not _comes_to_tow(battle, unit, one)]
        closed += [_widened(bodies.shape(base, gap), self) for one in friends for base in battle.bodies(one)]
        if road is not None:
            strip = shapely.union_all([strip, self._along(road)])
        region = strip.intersection(self._whole())
        self.zone = Zone(region.difference(shapely.union_all(closed)) if closed else region)

    def _along(self, road: Any) -> Any:
        """Where it can come to whose centre keeps to a road all the way from the edge: twice as far (9.5, B8)."""
        strip = self.edge.strip(self.far_on_road)
        off = strip.difference(shapely.buffer(road, 1))
        found = strip
        for part in shapely.get_parts(off).tolist():
            found = found.difference(self.edge.behind(part, self.far_on_road))
        return found

    def _whole(self) -> Any:
        """Where its centre is when its whole hull is on the table."""
        (low_x, low_y), (high_x, high_y) = _rim(self)[0], _rim(self)[2]
        return shapely.box(-low_x, -low_y, self.battle.table.width - high_x, self.battle.table.height - high_y)

    def forms(self) -> list[Form]:
        """It drives straight in."""
        return [Form("drive", "straight in", [(self.of.models[0].id, 0, 0)], False)]

    def headings(self) -> tuple[int, ...]:
        """It looks inward."""
        return (self.heading,)

    @property
    def start(self) -> Pose:
        """Somewhere it can come to."""
        at = self.zone.polygon.representative_point() if not self.zone.polygon.is_empty else self.line.centroid
        return Pose(round(at.x), round(at.y), self.heading, "drive")

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """Where its middle may be."""
        return rings(self.zone.polygon) if heading == self.heading else []

    def bar(self, pose: Pose) -> Bar | None:
        """Why it cannot come there."""
        if pose.by_hand or pose.heading != self.heading:
            return Bar(RULE, "it drives straight in")
        if self.zone.contains(pose.x, pose.y):
            return None
        far, on_road = (exactly(each, self.battle.measure) for each in (self.far, self.far_on_road))
        road = f" ({on_road} along a road)" if self.far_on_road > self.far else ""
        return Bar(RULE, f"it must come on whole, straight in and free, within {far} of its edge{road}")

    def preview(self, pose: Pose) -> Preview:
        """How it would stand."""
        near = shapely.shortest_line(self.line, shapely.Point(pose.x, pose.y)).coords[0]
        path = [(round(near[0]), round(near[1])), (pose.x, pose.y)]
        models = [ModelPose(self.of.models[0].id, pose.x, pose.y, self.heading, path)]
        return Preview(pose.key(self.verb), self.bar(pose), models)


def _comes_to_tow(battle: BoltBattle, vehicle: Unit, gun: Unit) -> bool:
    """Whether a vehicle may stop close to a gun because it can tow it (24.8)."""
    return battle.type(gun).artillery and transports.bar_aboard(battle, gun, vehicle) is None


def _rim(area: DriveOn) -> list[tuple[float, float]]:
    """The corners of the hull about its middle as it drives in, the least first."""
    ux, uy = bodies.direction(area.heading)
    long, wide = area.foot.length / 2, area.foot.width / 2
    x, y = long * abs(ux) + wide * abs(uy), long * abs(uy) + wide * abs(ux)
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _widened(shape: Any, area: DriveOn) -> Any:
    """A thing grown by the hull: where the hull's middle may not be."""
    return entering.sums(shape, _rim(area))


def area_of(battle: BoltBattle, unit: Unit, order: str) -> Area:
    """The poses by which a reserve comes on."""
    key = ("area", unit.id, order)
    found: Area | None = battle.cache.get(key)
    if found is None:
        if battle.type(unit).vehicle:
            found = DriveOn(battle, unit, order)
        else:
            found = FootArea(battle, unit, [ways_on(battle, unit, order)], rule=RULE)
        battle.cache[key] = found
    return found


def options(battle: BoltBattle, unit: Unit, order: str) -> Iterator[Option]:
    """To wait, and a few places along the edge."""
    yield Option("stay", f"{battle.name(unit)} does not come on yet", "stay", unit.id, rule=RULE)
    area, edge = area_of(battle, unit, order), edge_of(battle, unit)
    if isinstance(area, FootArea):
        yield from entering.places_along(area, edge, battle.table)
        return
    assert isinstance(area, DriveOn)
    yield from _by_road(battle, unit, area)
    for part in entering.DEPTHS:
        for step in range(1, entering.STEPS):
            pose = Pose(*edge.at(step, area.far * part), edge.heading, "drive")
            if area.bar(pose) is None:
                label = told(battle.table, pose.x, pose.y)
                yield Option(pose.key(), label, "pose", unit.id, pose.place, rule=RULE)


def _by_road(battle: BoltBattle, unit: Unit, area: DriveOn) -> Iterator[Option]:
    """As far as each road that leads in takes a vehicle."""
    road = ground.corridor(battle.table)
    if road is None:
        return
    ux, uy = bodies.direction(area.heading)
    for gate in shapely.get_parts(area.line.intersection(road)).tolist():
        if gate.is_empty:
            continue
        at = gate.centroid
        for part in (1.0, 0.75, 0.5):
            way = area.far_on_road * part
            pose = Pose(round(at.x + ux * way), round(at.y + uy * way), area.heading, "drive")
            if area.bar(pose) is None:
                label = f"{from_edges(battle.table, pose.x, pose.y)}, along the road"
                yield Option(pose.key(), label, "pose", unit.id, pose.place, rule="9.5")
                break


def enter(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Ask where a reserve comes on, and bring it on, with whoever it carries (28.2)."""
    prompt = f"{battle.name(unit)}: come on where over the {edge_of(battle, unit).name} edge?"
    pose = yield from ask_pose(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order)),
        lambda: area_of(battle, unit, order),
        rule=RULE,
    )
    if not isinstance(pose, Pose):
        return
    area = area_of(battle, unit, order)
    if isinstance(area, FootArea):
        paths = area.paths(pose)
    else:
        paths = {one.id: one.path for one in area.preview(pose).models}
    entering.set_on(unit, paths, pose.heading)
    battle.invalidate()
    headings = {model.id: pose.heading for model in unit.models}
    # A hull or a gun would hang over the edge on its way.
    big = not battle.type(unit).infantry
    yield from travel.travel(battle, unit, paths, headings, how="enter_table", rules=(RULE,), at_once=big)
