"""Where a unit may be set up: any pose in its zone, clear of others and on ground it can be on."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity

from grognard.board.table import bodies, formations, placement, places
from grognard.board.table.bodies import Body, Footprint, Place
from grognard.board.table.reach import rings
from grognard.core.ask import Bar, Option
from grognard.core.poses import Area, Form, Hand, ModelPose, Polygon, Pose, Preview
from grognard.kits.table import lining
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.scenario import Zone
from grognard.kits.table.setup_rules import SetupRules
from grognard.kits.table.standing_room import StandingRoom

Floats = NDArray[np.float64]

#: How many poses are listed, and how many points are looked at for them.
LISTED, LOOKED_AT = 12, 160
#: How many of them are along a wall.
WALLS = 3
#: The finest net of points for a unit that finds no room in the usual one.
FINE = 50
#: How far behind a hedge or wall men are set up, from their middle.
BEHIND = 80
#: How many hundredths of distance from the others a pose in cover is worth.
COVER_WORTH = 900


class DeployArea(Area):
    """Every pose that a unit may be set up in."""

    def __init__(self, rules: SetupRules[Any, Any], unit: Any, zone: Zone | None) -> None:
        battle = rules.battle
        super().__init__(unit.id, f"{battle.name(unit)} sets up here", rule=rules.rule)
        table = battle.table
        self.battle, self.rules, self.of = battle, rules, unit
        self.whole = shapely.box(0, 0, table.width, table.height)
        self.zone, self._zone_key, self.facing = _ground(battle, unit.side, zone)
        self.names = rules.names(unit)
        self._feet = [battle.foot(unit, model) for model in unit.models]
        self.standing = StandingRoom(rules, unit, self.zone, self._zone_key, self._feet)
        self._pairs = tuple(rules.pairs(unit))
        self._offsets: dict[tuple[str, int], list[Place]] = {}

    # ---- what an area has to say ----

    def forms(self) -> list[Form]:
        """The forms to choose from."""
        return self.rules.forms(self.of, self.names)

    def headings(self) -> tuple[int, ...]:
        """Any heading will do."""
        return ()

    @property
    def start(self) -> Pose:
        """A good pose to begin with."""
        found = self.good_poses(1)
        middle = self.zone.representative_point()
        return found[0] if found else Pose(round(middle.x), round(middle.y), self.facing, self.names[0])

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """The points for which every model has room."""
        found = self.whole
        for number, (x, y) in enumerate(self.offsets(form, heading)):
            found = found.intersection(affinity.translate(self.standing.room(number, heading), -x, -y))
        return rings(found)

    def bar(self, pose: Pose) -> Bar | None:
        """Why a pose is refused; None if it is legal."""
        known = [model.id for model in self.of.models]
        if bar := placement.bar_hands(pose, known, self.rule, turn=self.rules.turns):
            return bar
        stand = self.stand(pose)
        if pose.by_hand:
            if bar := self.rules.bar_layout(self.of, stand):
                return bar
        for number, (id, body) in enumerate(zip(known, stand)):
            here = np.array([float(body.x)]), np.array([float(body.y)])
            if not self.standing.has_room(number, body.heading, *here)[0]:
                bar = self.standing.why_not(number, body)
                return Bar(bar.rule, f"{id}: {bar.reason}" if len(stand) > 1 else bar.reason, bar.source)
        return None

    def preview(self, pose: Pose) -> Preview:
        """How the unit would stand."""
        models = [
            ModelPose(model.id, body.x, body.y, body.heading) for model, body in zip(self.of.models, self.stand(pose))
        ]
        bar = self.bar(pose)
        where = places.surroundings(self.battle.table, pose.x, pose.y) if bar is None else ""
        return Preview(pose.key(self.verb), bar, models, lines=[where[:1].upper() + where[1:]] if where else [])

    # ---- where it would stand ----

    def offsets(self, form: str, heading: int) -> list[Place]:
        """Each model's place about the pose."""
        form = form or self.names[0]
        key = (form, heading)
        found = self._offsets.get(key)
        if found is None:
            feet, gap = tuple(self._feet), self.rules.spacing
            found = self._offsets[key] = _laid_out(form, feet, heading, gap, self._pairs)
        return found

    def stand(self, pose: Pose) -> list[Body]:
        """The bases as the pose puts them."""
        by_hand = {hand.id: hand for hand in pose.by_hand}
        found = []
        for model, foot, (x, y) in zip(self.of.models, self._feet, self.offsets(pose.form, pose.heading)):
            hand = by_hand.get(model.id, Hand(model.id, pose.x + x, pose.y + y))
            found.append(Body(hand.x, hand.y, hand.heading if hand.turned else pose.heading, foot))
        return found

    # ---- good poses ----

    def good_poses(self, most: int = LISTED) -> list[Pose]:
        """A few poses to choose from, spread over the zone, in cover where there is some, facing the enemy."""
        for form in self.names:
            points, covered = self._points()
            free = self._have_room(form, self.facing, points)
            if free.any():
                return [
                    Pose(round(x), round(y), self.facing, form)
                    for x, y in _spread_out(points[free], covered[free], most)
                ]
        return self._any_poses(most)

    def _any_poses(self, most: int) -> list[Pose]:
        """The same in a full zone: any room at all, in any form and heading."""
        points = _net(self.zone, FINE)
        for form in reversed(self.names):
            for turn in range(0, 360, 45):
                heading = (self.facing + turn) % 360
                free = self._have_room(form, heading, points)
                if free.any():
                    spread = _spread_out(points[free], np.zeros(int(free.sum())), most)
                    return [Pose(round(x), round(y), heading, form) for x, y in spread]
        return []

    def _have_room(self, form: str, heading: int, points: Floats) -> NDArray[np.bool_]:
        """For which points every model has room."""
        free = np.ones(len(points), dtype=np.bool_)
        for number, (x, y) in enumerate(self.offsets(form, heading)):
            left = np.flatnonzero(free)
            if len(left):
                free[left] = self.standing.has_room(number, heading, points[left, 0] + x, points[left, 1] + y)
        return free

    def _points(self) -> tuple[Floats, Floats]:
        """Points to look at: a net over the zone, and places in and behind cover; with how much cover counts."""
        vehicle, table = self.battle.type(self.of).vehicle, self.battle.table
        key = ("deployment points", self._zone_key, self.facing, vehicle)
        found: tuple[Floats, Floats] | None = table.cache.get(key)
        if found is None:
            net = _net(self.zone, max(2 * FINE, math.sqrt(self.zone.area / LOOKED_AT)))
            extra = [] if vehicle else self._cover_points()
            points = np.concatenate([np.array(extra, dtype=np.float64).reshape(-1, 2), net])
            covered = np.zeros(len(points))
            covered[: len(extra)] = COVER_WORTH
            found = table.cache[key] = points, covered
        return found

    def _cover_points(self) -> list[tuple[float, float]]:
        """Points behind each hedge or wall of the zone, and in each wood, where its cover is."""
        table = self.battle.table
        back = math.radians(self.facing)
        away = (-math.sin(back) * BEHIND, math.cos(back) * BEHIND)
        found = []
        for piece in table.pieces:
            kind = table.kind(piece)
            if not self.rules.shelters(kind):
                continue
            if kind.linear:
                line = table.line(piece)
                for part in (0.25, 0.5, 0.75):
                    at = line.interpolate(part, normalized=True)
                    found.append((round(at.x + away[0]), round(at.y + away[1])))
            else:
                here = table.area(piece).intersection(self.zone)
                if not here.is_empty:
                    at = here.representative_point()
                    found.append((round(at.x), round(at.y)))
        return [(float(x), float(y)) for x, y in found if shapely.intersects_xy(self.zone, x, y)]

    def along_walls(self) -> list[tuple[Pose, str]]:
        """Walls, hedges, fences and trenches of the zone to line against the enemy each with its name."""
        foot, table = self._feet[0], self.battle.table
        if not self.rules.lines_walls(self.of) or any(other != foot for other in self._feet):
            return []
        ahead = bodies.direction(self.facing)
        tried: dict[str, list[tuple[lining.Post, int, tuple[Place, ...]]]] = {}
        for post in lining.in_zone(table, self.zone, self._zone_key, self.facing):
            heading = lining.behind(post, post.x + ahead[0] * BEHIND, post.y + ahead[1] * BEHIND)
            stand = lining.places(table, post, heading, foot, len(self._feet), self.rules.spacing, self.rules.at_hand)
            if stand:
                tried.setdefault(post.piece.id, []).append((post, heading, stand))
        found: list[tuple[Pose, str]] = []
        for each in tried.values():
            points = np.array([stand for _, _, stand in each], dtype=np.float64)
            room = self.standing.has_room(0, 0, points[..., 0].ravel(), points[..., 1].ravel())
            good = room.reshape(len(each), -1).all(axis=1)
            for number in np.flatnonzero(good).tolist():
                post, heading, stand = each[number]
                pose = lining.pose(self.names[0], heading, [model.id for model in self.of.models], stand)
                if self.rules.bar_layout(self.of, self.stand(pose)) is None:
                    found.append((pose, places.the(table, post.piece)))
                    break
            if len(found) == WALLS:
                break
        return found

    def options(self) -> list[Option]:
        """The good poses as options."""
        lined = self.along_walls()
        walls = [
            Option(pose.key(), f"Line {name}", self.verb, self.unit, pose.place, rule=self.rule)
            for (pose, _), name in zip(lined, lining.told_apart(self.battle.table, lined))
        ]
        return walls + [
            Option(
                pose.key(),
                places.told(self.battle.table, pose.x, pose.y),
                self.verb,
                self.unit,
                pose.place,
                rule=self.rule,
            )
            for pose in self.good_poses(LISTED - len(walls))
        ]


@lru_cache(maxsize=512)
def _laid_out(
    form: str, feet: tuple[Footprint, ...], heading: int, gap: int, pairs: tuple[tuple[int, int], ...]
) -> list[Place]:
    """Where models go about a pose that come from nowhere."""
    bodies = [Body(0, 0, heading, foot) for foot in feet]
    return formations.lay_out(form, bodies, 0, 0, heading, gap, pairs=pairs)


def _ground(battle: TableBattle[Any, Any, Any, Any], side: str, zone: Zone | None) -> tuple[Any, bytes, int]:
    """A zone as a shape and as a key, and the way units of a side look in it; kept with the table."""
    table = battle.table
    key = ("zone", zone.points if zone is not None else None, side, battle.scenario.name)
    found: tuple[Any, bytes, int] | None = table.cache.get(key)
    if found is None:
        shape = shapely.Polygon(zone.points) if zone is not None else shapely.box(0, 0, table.width, table.height)
        shapely.prepare(shape)
        found = table.cache[key] = shape, shape.wkb, facing(battle, side, shape)
    return found


def facing(battle: TableBattle[Any, Any, Any, Any], side: str, zone: Any) -> int:
    """The way a unit looks when it is set up: towards the enemy's zones, by eighths of a turn."""
    theirs = [shapely.Polygon(z.points) for z in battle.scenario.zones.get(battle.other(side), ())]
    table = battle.table
    enemy = shapely.union_all(theirs).centroid if theirs else shapely.Point(table.width / 2, table.height / 2)
    here = zone.centroid
    if here.distance(enemy) < 1:
        return 0
    return round(bodies.bearing(here.x, here.y, enemy.x, enemy.y) / 45) * 45 % 360


def _net(zone: Any, step: float) -> Floats:
    """A net of points over a zone, in whole hundredths."""
    left, top, right, bottom = zone.bounds
    across = np.arange(left + step / 2, right, step)
    down = np.arange(top + step / 2, bottom, step)
    points = np.array([(x, y) for y in np.round(down) for x in np.round(across)], dtype=np.float64).reshape(-1, 2)
    return points[shapely.intersects_xy(zone, points[:, 0], points[:, 1])]


def _spread_out(points: Floats, worth: Floats, most: int) -> list[tuple[float, float]]:
    """So many of the points, far from one another, the worthiest first."""
    chosen: list[int] = []
    apart = np.full(len(points), 1200.0)
    for _ in range(min(most, len(points))):
        value = apart + worth
        value[chosen] = -1.0
        best = int(np.argmax(value))
        if chosen and apart[best] < FINE:
            break
        chosen.append(best)
        apart = np.minimum(apart, np.hypot(*(points - points[best]).T))
    return [(float(points[i, 0]), float(points[i, 1])) for i in chosen]
