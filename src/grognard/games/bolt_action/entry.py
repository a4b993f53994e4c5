"""Reserves (28.2): units that come onto the table over an edge, within their move of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from grognard.board.table import bodies, footing
from grognard.board.table.places import exactly, from_edges, told
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Area, Form, ModelPose, Polygon, Pose, Preview, read_pose
from grognard.games.bolt_action import ground, travel
from grognard.games.bolt_action.areas import FootArea, Placed, Zone
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ON_TABLE, RUN, Unit

#: Which way units look that come on over an edge.
INWARD = {"top": 180, "bottom": 0, "left": 90, "right": 270}
#: How many places along the edge are listed.
STEPS = 7
RULE = "28.2"


def edge_of(battle: BoltBattle, unit: Unit) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """The edge that a unit comes on over, and the two ends of the stretch that is open to it."""
    placing = battle.scenario.placing(unit.id)
    table = battle.table
    edge = (placing.edge if placing else "") or "bottom"
    across = table.width if edge in ("top", "bottom") else table.height
    low, high = placing.entry if placing and placing.entry else (0, across)
    if edge == "top":
        return edge, (low, 0), (high, 0)
    if edge == "bottom":
        return edge, (low, table.height), (high, table.height)
    return edge, (0 if edge == "left" else table.width, low), (0 if edge == "left" else table.width, high)


def _strip(battle: BoltBattle, unit: Unit, far: float) -> tuple[str, Any, Any]:
    """The edge, its open stretch as a line, and the ground within a distance of it."""
    edge, a, b = edge_of(battle, unit)
    ux, uy = bodies.direction(INWARD[edge])
    ring = [a, b, (b[0] + ux * far, b[1] + uy * far), (a[0] + ux * far, a[1] + uy * far)]
    return edge, shapely.LineString([a, b]), shapely.Polygon(ring)


def _added(shape: Any, points: Sequence[tuple[float, float]]) -> Any:
    """A shape grown by a convex one about the origin, or drawn out along a line from it: all sums of their points."""
    by = np.array(points, dtype=np.float64)
    shape = shape if shape.area else shape.buffer(bodies.HAIR)
    hull = shape.convex_hull
    if hull.area - shape.area < 1.0 and hull.area > 0:
        ring = shapely.get_coordinates(hull)
        return shapely.MultiPoint((ring[:, None, :] + by[None]).reshape(-1, 2)).convex_hull
    edges = footing.edges_of(shape)
    ends = np.concatenate([edges[:, None, 0:2] + by[None], edges[:, None, 2:4] + by[None]], axis=1)
    return shapely.union_all([shape, *(shapely.MultiPoint(each).convex_hull for each in ends)])


def _behind(shape: Any, edge: str, far: float) -> Any:
    """A thing with its shadow inward: what cannot be reached straight from the edge because of it."""
    ux, uy = bodies.direction(INWARD[edge])
    return _added(shape, [(0.0, 0.0), (ux * far, uy * far)])


def ways_on(battle: BoltBattle, unit: Unit, order: str) -> Placed:
    """Where each model of a unit on foot may come to: straight in from the edge, within its move."""
    from grognard.games.bolt_action import movement

    far = movement.rate(battle, unit, order)
    edge, line, strip = _strip(battle, unit, far)
    known = battle.bodies(unit)
    starts = np.array(line.coords, dtype=np.float64)
    ways: dict[float, tuple[Zone, ground.Ground]] = {}
    for body in known:
        radius = body.foot.farthest
        if radius in ways:
            continue
        over = ground.for_model(battle, unit, starts, radius, far, run=order == RUN, placed=True)
        closed = [_behind(over.shape(n), edge, far) for n in range(len(over.bars))]
        if over.no_end is not None:
            closed.append(over.no_end)
        room = strip
        if body.foot.length:
            table = battle.table
            room = room.intersection(shapely.box(radius, radius, table.width - radius, table.height - radius))
        ways[radius] = (Zone(room.difference(shapely.union_all(closed)) if closed else room), over)
    picked = [ways[body.foot.farthest] for body in known]
    outside = Bar(RULE, f"it comes on within {exactly(far)} of its edge")
    return Placed(line, [zone for zone, _ in picked], [over for _, over in picked], far, outside)


class DriveOn(Area):
    """Where a vehicle may come to that drives straight on over an edge: its whole hull on the table."""

    def __init__(self, battle: BoltBattle, unit: Unit, order: str) -> None:
        super().__init__(unit.id, f"{battle.say(unit)} comes on", rule=RULE)
        from grognard.games.bolt_action import movement

        self.battle, self.of = battle, unit
        self.far = movement.rate(battle, unit, order)
        road = ground.corridor(battle.table)
        factor = battle.figures.number("movement_figures", "road_factor")
        self.far_on_road = factor * self.far if road is not None else self.far
        self.edge, self.line, strip = _strip(battle, unit, self.far)
        self.heading = INWARD[self.edge]
        self.foot = battle.hull(unit).foot
        middle = self.line.centroid
        body = bodies.Body(round(middle.x), round(middle.y), self.heading, self.foot)
        reach = self.line.length / 2 + self.far_on_road
        hulls, centres = ground.hull_barriers(battle, unit, body, reach, run=order == RUN)
        closed = [_behind(_widened(thing.shape, self), self.edge, self.far_on_road) for thing in hulls]
        closed += [_behind(thing.shape, self.edge, self.far_on_road) for thing in centres]
        # Close by friends it may drive past, but not stop (8.4).
        gap = battle.figures.distance("movement_figures", "friend_gap") + bodies.HAIR
        friends = [one for one in battle.units(unit.side) if not one.building and not _comes_to_tow(battle, unit, one)]
        closed += [_widened(bodies.shape(base, gap), self) for one in friends for base in battle.bodies(one)]
        if road is not None:
            strip = shapely.union_all([strip, self._along(road)])
        region = strip.intersection(self._whole())
        self.zone = Zone(region.difference(shapely.union_all(closed)) if closed else region)

    def _along(self, road: Any) -> Any:
        """Where it can come to whose centre keeps to a road all the way from the edge: twice as far (9.5, B8)."""
        _, _, strip = _strip(self.battle, self.of, self.far_on_road)
        off = strip.difference(shapely.buffer(road, 1))
        found = strip
        for part in shapely.get_parts(off).tolist():
            found = found.difference(_behind(part, self.edge, self.far_on_road))
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
        from grognard.board.table.reach import rings

        return rings(self.zone.polygon) if heading == self.heading else []

    def bar(self, pose: Pose) -> Bar | None:
        """Why it cannot come there."""
        if pose.by_hand or pose.heading != self.heading:
            return Bar(RULE, "it drives straight in")
        if self.zone.contains(pose.x, pose.y):
            return None
        road = f" ({exactly(self.far_on_road)} along a road)" if self.far_on_road > self.far else ""
        return Bar(RULE, f"it must come on whole, straight in and free, within {exactly(self.far)} of its edge{road}")

    def preview(self, pose: Pose) -> Preview:
        """How it would stand."""
        near = shapely.shortest_line(self.line, shapely.Point(pose.x, pose.y)).coords[0]
        path = [(round(near[0]), round(near[1])), (pose.x, pose.y)]
        models = [ModelPose(self.of.models[0].id, pose.x, pose.y, self.heading, path)]
        return Preview(pose.key(self.verb), self.bar(pose), models)


def _comes_to_tow(battle: BoltBattle, vehicle: Unit, gun: Unit) -> bool:
    """Whether a vehicle may stop close to a gun because it can tow it (24.8)."""
    from grognard.games.bolt_action import transports

    return battle.type(gun).artillery and transports.bar_aboard(battle, gun, vehicle) is None


def _rim(area: DriveOn) -> list[tuple[float, float]]:
    """The corners of the hull about its middle as it drives in, the least first."""
    ux, uy = bodies.direction(area.heading)
    long, wide = area.foot.length / 2, area.foot.width / 2
    x, y = long * abs(ux) + wide * abs(uy), long * abs(uy) + wide * abs(ux)
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _widened(shape: Any, area: DriveOn) -> Any:
    """A thing grown by the hull: where the hull's middle may not be."""
    return _added(shape, _rim(area))


def area_of(battle: BoltBattle, unit: Unit, order: str) -> Area:
    """The poses by which a reserve comes on."""
    key = ("area", unit.id, order)
    found: Area | None = battle.memo.get(key)
    if found is None:
        if battle.type(unit).vehicle:
            found = DriveOn(battle, unit, order)
        else:
            found = FootArea(battle, unit, [ways_on(battle, unit, order)], rule=RULE)
        battle.memo[key] = found
    return found


def options(battle: BoltBattle, unit: Unit, order: str) -> Iterator[Option]:
    """To wait, and a few places along the edge."""
    yield Option("stay", f"{battle.say(unit)} does not come on yet", "stay", unit.id, rule=RULE)
    area = area_of(battle, unit, order)
    edge, a, b = edge_of(battle, unit)
    ux, uy = bodies.direction(INWARD[edge])
    deep = area.far if isinstance(area, DriveOn) else area.ways[0].far if isinstance(area, FootArea) else 0
    yield from _by_road(battle, unit, area)
    for part in (1.0, 0.6):
        for step in range(1, STEPS):
            for form in area.names if isinstance(area, FootArea) else ["drive"]:
                back = _depth(area, form, INWARD[edge])
                way = max(back + 1, deep * part - back) if isinstance(area, FootArea) else deep * part
                x = round(a[0] + (b[0] - a[0]) * step / STEPS + ux * way)
                y = round(a[1] + (b[1] - a[1]) * step / STEPS + uy * way)
                pose = Pose(x, y, INWARD[edge], form)
                if area.bar(pose) is None:
                    yield Option(pose.key(), told(battle.table, x, y), "pose", unit.id, pose.place, rule=RULE)
                    break


def _by_road(battle: BoltBattle, unit: Unit, area: Area) -> Iterator[Option]:
    """As far as each road that leads in takes a vehicle."""
    road = ground.corridor(battle.table)
    if not isinstance(area, DriveOn) or road is None:
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


def _depth(area: Area, form: str, heading: int) -> float:
    """How deep a form is along its heading, from its middle."""
    if not isinstance(area, FootArea):
        return 0.0
    return max(math.hypot(x, y) for x, y in area.offsets(form, heading))


def enter(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Ask where a reserve comes on, and bring it on, with whoever it carries (28.2)."""
    edge, _, _ = edge_of(battle, unit)
    prompt = f"{battle.say(unit)}: come on where over the {edge} edge?"
    answer = yield Ask(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order)),
        rule=RULE,
        area=lambda: area_of(battle, unit, order),
    )
    if answer == "stay":
        return
    read = read_pose(answer)
    assert read is not None
    area, pose = area_of(battle, unit, order), read[1]
    if isinstance(area, FootArea):
        ends = area.ends(pose)
        paths = {unit.models[n].id: area.ways[0].path(n, end) for n, end in ends.items()}
    else:
        shown = area.preview(pose).models
        paths = {one.id: one.path for one in shown}
    for model in unit.models:
        model.x, model.y = paths[model.id][0]
        model.heading = pose.heading
    unit.status = ON_TABLE
    battle.touched()
    headings = {model.id: pose.heading for model in unit.models}
    # A hull or a gun would hang over the edge on its way.
    big = not battle.type(unit).infantry
    yield from travel.travel(battle, unit, paths, headings, how="enter_table", rules=(RULE,), at_once=big)
