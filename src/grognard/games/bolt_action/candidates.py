"""Candidates: a handful of good poses for a unit on foot, listed beside the area that takes any legal one (8.3).

They are what people choose most, what newcomers and programs choose from, and are listed at every move: what can be
judged by plain arithmetic is, and only poses that every model can go straight to are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grognard.board.table import formations
from grognard.board.table.bodies import bearing
from grognard.board.table.places import measured, the
from grognard.board.table.terrain import Table
from grognard.core.ask import Option
from grognard.core.poses import Pose
from grognard.games.bolt_action import formation, lining
from grognard.games.bolt_action.areas import FootArea, Ways
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, Unit

Floats = NDArray[np.float64]

#: How many good poses are listed beside the area, and how many of them are along a wall.
MOST, WALLS = 12, 3
#: How many poses are looked at together where the first that is free will do.
AT_ONCE = 24
#: Who is nearer to cover than this is at it; and how far from its edge the middle of a unit goes.
AT_IT, SHORT_OF_IT = 150, 60.0
#: What a label says of a pose that leads to what matters.
TOWARD = "toward"


def good_poses(battle: BoltBattle, unit: Unit, area: FootArea) -> Iterator[Option]:
    """A few poses worth choosing: toward what matters and away from it, straight and free (8.3).

    Where nothing leads on for the unit as it stands, moves in closer forms are looked for, and at last shorter ones.
    """
    outdoors = formation.on_the_ground(unit)
    found = _free(battle, unit, area, area.names[:1], (1.0, 0.5) if outdoors else (0.7, 0.4))
    if outdoors and len(area.names) > 1 and not any(label.startswith(TOWARD) for _, label in found):
        closer = _free(battle, unit, area, area.names[1:], (0.8, 0.4))
        on = [(pose, f"{label}, {formation.TITLES[pose.form]}") for pose, label in closer if label.startswith(TOWARD)]
        found = on[: MOST // 2] + found
    if not found:
        found = _free(battle, unit, area, area.names, (0.75, 0.25, 0.1))
    walls = list(_along_walls(battle, unit, area)) if outdoors and battle.type(unit).infantry else []
    yield from walls
    starts = [formation.anchor(battle, unit)] if outdoors else [tuple(ways.starts[0]) for ways in area.ways]
    for pose, label in found[: MOST - len(walls)]:
        gone = min(math.hypot(pose.x - x, pose.y - y) for x, y in starts)
        far = measured(gone)
        yield Option(pose.key(), f"{far} {label}", "pose", unit.id, pose.place, cost=far, rule=area.rule)


def _along_walls(battle: BoltBattle, unit: Unit, area: FootArea) -> Iterator[Option]:
    """Walls, hedges, fences and trenches that the unit can line against the nearest enemy (11.8)."""
    ways = area.ways[0]
    men = [area.known[number] for number in area.party]
    foes = _nearest(battle, unit, men[0].x, men[0].y)
    if not foes:
        return
    wanted = lining.about(battle, men, foes[0][1:3], ways.far)
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
            costs.append(measured(gone))
    for (pose, _), name, far in zip(lined, lining.told_apart(battle.table, lined), costs):
        yield Option(pose.key(), f"Line {name}, {far}", "pose", unit.id, pose.place, cost=far, rule="11.8")


def _free(
    battle: BoltBattle, unit: Unit, area: FootArea, forms: Sequence[str], parts: Sequence[float]
) -> list[tuple[Pose, str]]:
    """The poses, of those one could wish for, that every model can go straight to."""
    x0, y0 = formation.anchor(battle, unit)
    gun = any(model.role == GUN for model in unit.models)
    own = unit.models[area.party[0]].heading
    found: list[tuple[Pose, str]] = []
    for ways in area.ways:
        poses: dict[Pose, str] = {}
        for form in forms:
            for label, x, y, heading in _wishes(battle, unit, ways, parts):
                if (x, y) != (x0, y0) or form != formations.AS_THEY_STAND:
                    poses.setdefault(Pose(x, y, own if gun else heading, form), label)
        if poses:
            listed = list(poses)
            free = straight_to(area, listed, ways)
            found += [(pose, poses[pose]) for pose, good in zip(listed, free) if good and not _bad_layout(area, pose)]
    return list(dict(found).items())


def straight_to(area: FootArea, poses: Sequence[Pose], ways: Ways) -> NDArray[np.bool_]:
    """Which poses every model can go straight to by a way."""
    count = len(area.party)
    about = {(pose.form, pose.heading): np.empty(0) for pose in poses}
    for form, heading in about:
        about[form, heading] = np.array(area.offsets(form, heading), dtype=np.float64)
    ends = np.concatenate([about[pose.form, pose.heading] + (pose.x, pose.y) for pose in poses])
    free = ways.straight(area.party * len(poses), ends).reshape(len(poses), count)
    return np.asarray(np.all(free, axis=1))


def first_free(area: FootArea, poses: Sequence[Pose], ways: Ways) -> Pose | None:
    """The first of some poses that every model can go straight to by a way; None if there is none."""
    # The first ones are mostly free: those after them are looked at only if none of them is.
    for start in range(0, len(poses), AT_ONCE):
        some = poses[start : start + AT_ONCE]
        free = straight_to(area, some, ways)
        found = next((pose for pose, good in zip(some, free) if good and not _bad_layout(area, pose)), None)
        if found is not None:
            return found
    return None


def _bad_layout(area: FootArea, pose: Pose) -> bool:
    """Whether a layout that forms do not vouch for breaks the chain: crews, and teams with a spotter apart."""
    if pose.form in area.sure and len(area.party) == len(area.known):
        return False
    return area.bar_stand(pose, area.ends(pose)) is not None


Wish = tuple[str, int, int, int]


def _wishes(battle: BoltBattle, unit: Unit, ways: Ways, parts: Sequence[float]) -> list[Wish]:
    """Points worth going to, each with a label and the way to look there; the far ones first."""
    outdoors = formation.on_the_ground(unit)
    x0, y0 = formation.anchor(battle, unit) if outdoors else (float(v) for v in ways.starts[0])
    foes = _nearest(battle, unit, x0, y0)
    look = bearing(x0, y0, *foes[0][1:3]) if foes else float(unit.models[0].heading)
    heading = round(look) % 360
    goals: list[tuple[str, float, float, float]] = []  # label, where, how near to go
    goals += [(f"{TOWARD} {o.called}", o.x, o.y, 0.0) for o in battle.scenario.objectives[:2]]
    goals += [(f"{TOWARD} {battle.say(foe)}", x, y, 320.0) for foe, x, y in foes[:2]]
    if outdoors and (near := _cover_near(battle, x0, y0)) is not None:
        goals.append(near)
    if outdoors and (ahead := _cover_toward(battle, x0, y0, ways.far)) is not None:
        goals.append(ahead)
    lines = [(label, bearing(x0, y0, x, y), math.hypot(x - x0, y - y0) - short) for label, x, y, short in goals]
    if outdoors:
        turns = ((180, "back"), (90, "to the right"), (270, "to the left"), (0, "ahead"))
        lines += [(label, look + turn, math.inf) for turn, label in turns]
    else:
        middle = battle.table.area(battle.table.by_id[unit.building]).centroid
        lines.append(("out of the door", bearing(middle.x, middle.y, x0, y0), math.inf))
    found: list[Wish] = []
    for part in parts:
        for label, course, most in lines:
            way = min((ways.far - 2) * part, most)
            if way >= 30:
                angle = math.radians(course)
                found.append((label, round(x0 + math.sin(angle) * way), round(y0 - math.cos(angle) * way), heading))
    return found


def _nearest(battle: BoltBattle, unit: Unit, x: float, y: float) -> list[tuple[Unit, int, int]]:
    """The enemy units, the nearest first, each with where its first model stands."""
    foes = [(foe, foe.models[0].x, foe.models[0].y) for foe in battle.enemies(unit.side) if foe.models]
    foes.sort(key=lambda foe: (math.hypot(foe[1] - x, foe[2] - y), foe[0].n))
    return foes


def _cover_near(battle: BoltBattle, x: float, y: float) -> tuple[str, float, float, float] | None:
    """The nearest cover: its title, the point of its outline, and how near to go."""
    titles, where = _rims(battle.table)
    if not len(where):
        return None
    apart = np.hypot(where[:, 0] - x, where[:, 1] - y)
    apart[apart < AT_IT] = np.inf
    best = int(apart.argmin())
    if not np.isfinite(apart[best]):
        return None
    return f"to {titles[best]}", float(where[best, 0]), float(where[best, 1]), SHORT_OF_IT


def _cover_toward(battle: BoltBattle, x: float, y: float, far: float) -> tuple[str, float, float, float] | None:
    """The cover within a move that is nearest to the nearest objective, if it leads there: as `_cover_near` has it."""
    titles, where = _rims(battle.table)
    goals = [(math.hypot(o.x - x, o.y - y), o) for o in battle.scenario.objectives]
    if not len(where) or not goals:
        return None
    there, goal = min(goals, key=lambda each: each[0])
    apart = np.hypot(where[:, 0] - x, where[:, 1] - y)
    left = np.hypot(where[:, 0] - goal.x, where[:, 1] - goal.y)
    left[(apart < AT_IT) | (apart > far + SHORT_OF_IT - 2)] = np.inf
    best = int(left.argmin())
    if left[best] > there - AT_IT:
        return None
    label = f"to {titles[best]} on the way to {goal.called}"
    return label, float(where[best, 0]), float(where[best, 1]), SHORT_OF_IT


def _rims(table: Table) -> tuple[list[str], Floats]:
    """Points on the outlines of everything that gives cover, each with its title; kept with the table."""
    known: tuple[list[str], Floats] | None = table.kept.get("bolt_action cover")
    if known is None:
        titles, points = [], []
        for piece in table.pieces:
            if table.kind(piece).cover != "none":
                rim = table.line(piece)
                steps = max(2, int(rim.length // 200))
                for step in range(steps + 1):
                    at = rim.interpolate(step / steps, normalized=True)
                    titles.append(the(table, piece))
                    points.append((at.x, at.y))
        known = titles, np.array(points, dtype=np.float64).reshape(-1, 2)
        table.kept["bolt_action cover"] = known
    return known
