"""Good poses: a handful to choose from, listed beside the area that takes any legal one.

They are what people choose most, what newcomers and programs choose from, and are listed at every move: what can be
judged by plain arithmetic is, and only poses that every model can go straight to are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import formations
from grognard.board.table.bodies import bearing, onward
from grognard.board.table.placement import FormationArea
from grognard.board.table.places import measured, the, told
from grognard.board.table.stand_area import StandArea
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Ways
from grognard.core.ask import Option
from grognard.core.poses import Pose, place
from grognard.kits.table import lining
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Unit

Floats = NDArray[np.float64]
AnyBattle = TableBattle[Any, Any, Any, Any]
AnyUnit = Unit[Any]

#: How many good poses are listed beside the area, and how many of them are along a wall.
MOST, WALLS = 12, 3
#: How many poses are looked at together where the first that is free will do.
AT_ONCE = 24
#: Of so many parts of an area a pose is listed.
PARTS = 4
#: In inches: who is nearer to cover than this is at it; how far from its edge the middle of a unit goes; how near to an
#: enemy; the shortest move that is worth listing; how far apart points of cover are that are looked at.
AT_IT, SHORT_OF_IT, SHORT_OF_FOES, SHORTEST, RIM = 1.5, 0.6, 3.2, 0.3, 2.0
#: So far off its course a move may end, in inches, to be as long as it says.
ASIDE = 0.2


class Wishes(NamedTuple):
    """What matters to a unit that goes somewhere.

    ``door`` is the middle of the building that it comes out of, None where it stands outdoors. Only whoever has an
    ``at_hand``, how near to a wall one is at it, lines walls, by a rule. Men look toward the enemy, but guns and the
    like may keep the ``heading`` that they have. ``inch`` is how many hundredths of the table's measure an inch has.
    Where some of a unit go and others stay, ``start`` is the middle of those who go.
    """

    door: tuple[float, float] | None = None
    heading: int | None = None
    at_hand: float | None = None
    lining_rule: str = ""
    inch: int = 100
    start: tuple[int, int] | None = None


def good_poses(battle: AnyBattle, unit: AnyUnit, area: FormationArea, wishes: Wishes) -> Iterator[Option]:
    """A few poses worth choosing: toward what matters and away from it, straight and free.

    Where nothing leads on for the unit as it stands, moves in closer forms are looked for, and at last shorter ones.
    """
    outdoors = wishes.door is None
    found = _free(battle, unit, area, wishes, area.names[:1], (1.0, 0.5) if outdoors else (0.7, 0.4))
    if outdoors and len(area.names) > 1 and not any(whither.toward for _, whither in found):
        closer = _free(battle, unit, area, wishes, area.names[1:], (0.8, 0.4))
        on = [
            (pose, Whither(f"{whither.label}, {area.titles.get(pose.form, pose.form)}", toward=True))
            for pose, whither in closer
            if whither.toward
        ]
        found = on[: MOST // 2] + found
    if not found:
        found = _free(battle, unit, area, wishes, area.names, (0.75, 0.25, 0.1))
    walls = list(_along_walls(battle, unit, area, wishes)) if outdoors and wishes.at_hand is not None else []
    yield from walls
    starts = [wishes.start or battle.anchor(unit)] if outdoors else [tuple(ways.starts[0]) for ways in area.ways]
    for pose, whither in found[: MOST - len(walls)]:
        gone = min(math.hypot(pose.x - x, pose.y - y) for x, y in starts)
        far = measured(gone, battle.measure)
        where = _where(battle, unit, area, pose)
        yield Option(pose.key(area.verb), f"{far} {whither.label}", area.verb, unit.id, where, cost=far, rule=area.rule)


def _where(battle: AnyBattle, unit: AnyUnit, area: FormationArea, pose: Pose) -> str:
    """Where the unit is then: not quite at the pose if some of it stay."""
    if len(area.party) == len(area.known):
        return pose.place
    return place(*battle.middle(unit, area.stand(pose, area.ends(pose))))


def _along_walls(battle: AnyBattle, unit: AnyUnit, area: FormationArea, wishes: Wishes) -> Iterator[Option]:
    """Walls, hedges, fences and trenches that the unit can line against the nearest enemy."""
    ways = area.ways[0]
    men = [area.known[number] for number in area.party]
    foes = _nearest(battle, unit, men[0].x, men[0].y)
    if not foes or wishes.at_hand is None:
        return
    wanted = lining.about(
        battle.table,
        men,
        foes[0][1:3],
        ways.far,
        area.spacing,
        wishes.at_hand,
        area.pairs,
    )
    if not wanted:
        return
    ends = np.array([place for _, _, stand in wanted for place in stand], dtype=np.float64)
    free = np.all(ways.straight(area.party * len(wanted), ends).reshape(len(wanted), len(men)), axis=1)
    ids = [area.models[number] for number in area.party]
    listed: set[str] = set()
    lined: list[tuple[Pose, str]] = []
    costs: list[str] = []
    for (post, heading, stand), good in zip(wanted, free):
        if not good or post.piece.id in listed or len(listed) == WALLS:
            continue
        pose = lining.pose(area.names[0], heading, ids, stand)
        if area.bar_stand(pose, area.ends(pose)) is None:
            listed.add(post.piece.id)
            gone = max(math.hypot(body.x - x, body.y - y) for body, (x, y) in zip(men, stand))
            lined.append((pose, the(battle.table, post.piece)))
            costs.append(measured(gone, battle.measure))
    for (pose, _), name, far in zip(lined, lining.told_apart(battle.table, lined), costs):
        yield Option(
            pose.key(area.verb),
            f"Line {name}, {far}",
            area.verb,
            unit.id,
            pose.place,
            cost=far,
            rule=wishes.lining_rule,
        )


def _free(
    battle: AnyBattle, unit: AnyUnit, area: FormationArea, wishes: Wishes, forms: Sequence[str], parts: Sequence[float]
) -> list[tuple[Pose, Whither]]:
    """The poses, of those one could wish for, that every model can go straight to."""
    x0, y0 = wishes.start or battle.anchor(unit)
    found: list[tuple[Pose, Whither]] = []
    for ways in area.ways:
        poses: dict[Pose, Whither] = {}
        points = _points(battle, unit, wishes, ways, parts)
        for form in forms:
            for whither, x, y, heading in points:
                if (x, y) != (x0, y0) or form != formations.AS_THEY_STAND:
                    poses.setdefault(Pose(x, y, heading if wishes.heading is None else wishes.heading, form), whither)
        if poses:
            listed = list(poses)
            free = straight_to(area, listed, ways)
            found += [(pose, poses[pose]) for pose, good in zip(listed, free) if good and _fits(area, pose)]
    return list(dict(found).items())


def inside(area: FormationArea, table: Table) -> Iterator[Option]:
    """Poses found in an area itself, where no straight move is free: one in each of a few parts."""
    for form in area.names:
        for part in area.polygons(form, 0)[:PARTS]:
            at = shapely.Polygon(part[0], part[1:]).representative_point()
            pose = Pose(round(at.x), round(at.y), 0, form)
            if area.bar(pose) is None:
                label = told(table, pose.x, pose.y)
                yield Option(pose.key(area.verb), label, area.verb, area.unit, pose.place, rule=area.rule)


def straight_to(area: FormationArea, poses: Sequence[Pose], ways: Ways) -> NDArray[np.bool_]:
    """Which poses every model can go straight to by a way."""
    count = len(area.party)
    about = {(pose.form, pose.heading): np.empty(0) for pose in poses}
    for form, heading in about:
        about[form, heading] = np.array(area.offsets(form, heading), dtype=np.float64)
    ends = np.concatenate([about[pose.form, pose.heading] + (pose.x, pose.y) for pose in poses])
    free = ways.straight(area.party * len(poses), ends).reshape(len(poses), count)
    return np.asarray(np.all(free, axis=1))


def first_free(area: FormationArea, poses: Sequence[Pose], ways: Ways) -> Pose | None:
    """The first of some poses that every model can go straight to by a way; None if there is none."""
    # The first ones are mostly free: those after them are looked at only if none of them is.
    for start in range(0, len(poses), AT_ONCE):
        some = poses[start : start + AT_ONCE]
        free = straight_to(area, some, ways)
        found = next((pose for pose, good in zip(some, free) if good and _fits(area, pose)), None)
        if found is not None:
            return found
    return None


def _fits(area: FormationArea, pose: Pose) -> bool:
    """Whether models that can go there may stand so, where their form does not vouch for it."""
    if isinstance(area, StandArea):
        return area.allows(pose)
    if pose.form in area.sure and len(area.party) == len(area.known):
        return True
    return area.bar_stand(pose, area.ends(pose)) is None


class Whither(NamedTuple):
    """Where a pose leads, in words, and whether that is toward an objective or an enemy."""

    label: str
    toward: bool = False


#: Where it leads, a point and the way to look there.
Spot = tuple[Whither, int, int, int]
#: Where it leads, the point there, and how near to go.
Goal = tuple[Whither, float, float, float]


def _points(battle: AnyBattle, unit: AnyUnit, wishes: Wishes, ways: Ways, parts: Sequence[float]) -> list[Spot]:
    """Points worth going to, each with where it leads and the way to look there; the far ones first."""
    outdoors, inch = wishes.door is None, wishes.inch
    x0, y0 = wishes.start or battle.anchor(unit) if outdoors else (float(v) for v in ways.starts[0])
    foes = _nearest(battle, unit, x0, y0)
    look = bearing(x0, y0, *foes[0][1:3]) if foes else float(unit.models[0].heading)
    heading = round(look) % 360
    goals: list[Goal] = []
    goals += [(Whither(f"toward {o.called}", toward=True), o.x, o.y, 0.0) for o in battle.scenario.objectives[:2]]
    goals += [
        (Whither(f"toward {battle.name(foe)}", toward=True), x, y, SHORT_OF_FOES * inch) for foe, x, y in foes[:2]
    ]
    if outdoors and (near := _cover_near(battle, x0, y0, inch)) is not None:
        goals.append(near)
    if outdoors and (ahead := _cover_toward(battle, x0, y0, ways.far, inch)) is not None:
        goals.append(ahead)
    lines = [(whither, bearing(x0, y0, x, y), math.hypot(x - x0, y - y0) - short) for whither, x, y, short in goals]
    if wishes.door is None:
        turns = ((180, "back"), (90, "to the right"), (270, "to the left"), (0, "ahead"))
        lines += [(Whither(label), look + turn, math.inf) for turn, label in turns]
    else:
        lines.append((Whither("out of the door"), bearing(*wishes.door, x0, y0), math.inf))
    found: list[Spot] = []
    for part in parts:
        for whither, course, most in lines:
            way = min(ways.far * part, most)
            if way >= round(SHORTEST * inch):
                found.append((whither, *onward(x0, y0, course, way, round(ASIDE * inch)), heading))
    return found


def _nearest(battle: AnyBattle, unit: AnyUnit, x: float, y: float) -> list[tuple[AnyUnit, int, int]]:
    """The enemy units, the nearest first, each with where its first model stands."""
    foes = [(foe, foe.models[0].x, foe.models[0].y) for foe in battle.enemies(unit.side) if foe.models]
    foes.sort(key=lambda foe: (math.hypot(foe[1] - x, foe[2] - y), foe[0].n))
    return foes


def _cover_near(battle: AnyBattle, x: float, y: float, inch: int) -> Goal | None:
    """The nearest cover: the point of its outline."""
    titles, where = _rims(battle.table, inch)
    if not len(where):
        return None
    apart = np.hypot(where[:, 0] - x, where[:, 1] - y)
    apart[apart < AT_IT * inch] = np.inf
    best = int(apart.argmin())
    if not np.isfinite(apart[best]):
        return None
    return Whither(f"to {titles[best]}"), float(where[best, 0]), float(where[best, 1]), SHORT_OF_IT * inch


def _cover_toward(battle: AnyBattle, x: float, y: float, far: float, inch: int) -> Goal | None:
    """The cover within a move that is nearest to the nearest objective, if it leads there: as `_cover_near` has it."""
    titles, where = _rims(battle.table, inch)
    goals = [(math.hypot(o.x - x, o.y - y), o) for o in battle.scenario.objectives]
    if not len(where) or not goals:
        return None
    there, goal = min(goals, key=lambda each: each[0])
    apart = np.hypot(where[:, 0] - x, where[:, 1] - y)
    left = np.hypot(where[:, 0] - goal.x, where[:, 1] - goal.y)
    left[(apart < AT_IT * inch) | (apart > far + SHORT_OF_IT * inch - 2)] = np.inf
    best = int(left.argmin())
    if left[best] > there - AT_IT * inch:
        return None
    label = f"to {titles[best]} on the way to {goal.called}"
    return Whither(label), float(where[best, 0]), float(where[best, 1]), SHORT_OF_IT * inch


def _rims(table: Table, inch: int) -> tuple[list[str], Floats]:
    """Points on the outlines of everything that gives cover, each with its title; kept with the table."""
    known: tuple[list[str], Floats] | None = table.cache.get("points of cover")
    if known is None:
        titles, points = [], []
        for piece in table.pieces:
            if table.kind(piece).cover != "none":
                rim = table.line(piece)
                steps = max(2, int(rim.length // (RIM * inch)))
                for step in range(steps + 1):
                    at = rim.interpolate(step / steps, normalized=True)
                    titles.append(the(table, piece))
                    points.append((at.x, at.y))
        known = titles, np.array(points, dtype=np.float64).reshape(-1, 2)
        table.cache["points of cover"] = known
    return known
