"""Quick answers for playing on in thought: the orders and places of the first glance, without looking at any exactly.

Nothing is listed that need not be: a move is one pose toward the best point of the chart, tried for room, and a shot is
the best of a few.
"""

from __future__ import annotations

import math

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose
from grognard.games.bolt_action import (
    buildings,
    candidates,
    formation,
    movement,
    orders,
    reactions,
    shooting,
    valuing,
    vehicles,
    volley,
)
from grognard.games.bolt_action.areas import FootArea, Placed, TurnArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import REACTION as CASUALTIES
from grognard.games.bolt_action.entry import DriveOn
from grognard.games.bolt_action.state import ABOARD, ADVANCE, AMBUSH, DOWN, RESERVE, RUN, Unit
from grognard.games.bolt_action.tactics_fire import effect_of
from grognard.games.bolt_action.tactics_ground import Floats
from grognard.games.bolt_action.tactics_moves import points_for
from grognard.games.bolt_action.tactics_orders import within
from grognard.games.bolt_action.tactics_outlook import Outlook
from grognard.games.bolt_action.tactics_reactions import go_down
from grognard.games.bolt_action.tactics_sketch import Sketch
from grognard.games.bolt_action.vehicles import DRIVE, DriveArea

#: How many targets are weighed.
TARGETS = 2
#: How many points are tried where there is no room at the best one, and by how much they must be better than to stay.
NEXT, GAIN = 10, 0.02
#: How many legs of a vehicle are tried.
LEGS = 6
#: Where the sketch of a side is kept in a battle's memo.
SKETCH = "sketch"


def quick_reply(battle: BoltBattle, ask: Ask) -> str:
    """A sensible answer at once, the same every time."""
    if ask.reaction:
        return _react(battle, ask)
    if ask.quiet and ask.rule == "1.3":
        return _which(battle, ask)
    if ask.rule == "1.3":
        return _order(battle, ask)
    if ask.rule == "2.3":
        return _assault_or_move(battle, ask)
    if ask.rule == "12.1":
        return _aim(battle, ask)
    area = ask.area if not ask.quiet and ask.rule not in ("26.2", "26.3") else None
    if isinstance(area, FootArea):
        return _march(battle, ask, area)
    if isinstance(area, DriveArea):
        return _drive(battle, ask, area)
    if isinstance(area, TurnArea):
        return _turn(battle, area)
    options = ask.options
    if isinstance(area, DriveOn):
        return _listed(battle, options, battle.unit(area.unit))
    verbs = {option.verb for option in options}
    if "keep" in verbs:
        return "done"
    if ask.quiet and "pose" in verbs:
        indoors = [option for option in options if option.verb == "building"]
        unit = battle.unit(options[0].unit)
        if indoors and battle.type(unit).infantry:
            return indoors[0].key
        return next(option.key for option in options if option.verb == "pose")
    best = [option for option in options if option.verb in ("barrage_on", "air", "wrong", "marker_on")]
    return (best or options)[0].key


def sketch_of(battle: BoltBattle, side: str) -> Sketch:
    """How things look to a side at a glance, kept while nothing changes that matters to it."""
    units = battle.units(on_table=False)
    now = tuple((u.pins, u.die if u.side != side else u.die == DOWN, len(u.models)) for u in units)
    key = (now, battle.state.turn, battle.state.cup.get(battle.other(side), 0) > 0)
    found: tuple[object, Sketch] | None = battle.memo.get((SKETCH, side))
    if found is None or found[0] != key:
        found = battle.memo[SKETCH, side] = key, Sketch(Outlook(battle, side))
    return found[1]


# ---- who and what --------------------------------------------------------------------------------------------


def _which(battle: BoltBattle, ask: Ask) -> str:
    """The unit that gains most by acting now."""
    sketch = sketch_of(battle, ask.side)
    best = max(orders.ready(battle, ask.side), key=lambda unit: sketch.gain(unit)[0], default=None)
    return f"unit {best.id}" if best is not None else ask.options[0].key


def _asked(battle: BoltBattle, ask: Ask) -> Unit | None:
    """The unit that a question is about: it is named last before the colon or the verb."""
    words = ask.prompt.partition(":")[0].removesuffix(" runs").split()
    return battle.state.units.get(words[-1])


def _order(battle: BoltBattle, ask: Ask) -> str:
    """The order that seems best."""
    unit = _asked(battle, ask)
    return sketch_of(battle, ask.side).weigh(unit)[0].key if unit is not None else ask.options[0].key


# ---- moves ---------------------------------------------------------------------------------------------------


def _assault_or_move(battle: BoltBattle, ask: Ask) -> str:
    """To assault if the Run was thought of as an assault."""
    unit = _asked(battle, ask)
    if unit is None:
        return ask.options[-1].key
    may_move = movement.can_move(battle, unit, RUN) is None
    return _charge(battle, unit) or ("move" if may_move else ask.options[-1].key)


def _charge(battle: BoltBattle, unit: Unit) -> str:
    """The assault that seems best, if one does and it may be made."""
    sketch = sketch_of(battle, unit.side)
    sketch.weigh(unit)
    victim = sketch.victims.get(unit.id)
    if victim and any(target.id == victim for target in orders.assault_targets(battle, unit)):
        return f"assault {victim}"
    return ""


def _goal_point(sketch: Sketch, unit: Unit) -> int:
    """Where the move of a unit leads best."""
    order = ADVANCE if unit.die == ADVANCE else RUN
    mask = within(sketch.outlook, unit, order)
    mask[sketch.outlook.here(unit)] = True
    return int(np.where(mask, sketch.after(unit, order), -np.inf).argmax())


def _march(battle: BoltBattle, ask: Ask, area: FootArea) -> str:
    """One pose at the best point that has room, or to stay."""
    unit = battle.unit(area.unit)
    if ask.rule == "21.10" or unit.status in (RESERVE, ABOARD):
        return _listed(battle, ask.options, unit)
    if unit.die == RUN and (found := _charge(battle, unit)):
        return found
    if unit.building or any(isinstance(way, Placed) for way in area.ways):
        return _way_off(battle, unit, area) or _next_best(battle, unit, area)
    if formation.broken(battle, unit):
        return "close_up"
    sketch = sketch_of(battle, unit.side)
    outlook, chart = sketch.outlook, sketch.outlook.chart
    far = float(area.ways[0].far)
    x, y = outlook.spot(unit)
    if found := _way_off(battle, unit, area):
        return found
    point = _goal_point(sketch, unit)
    if point == outlook.here(unit):
        return "stay"
    indoors = int(chart.building[chart.where[point]])
    if indoors >= 0:
        piece = chart.pieces[indoors]
        if piece.id in battle.table.by_id and buildings.bar_enter(battle, unit, piece.id, area.ways) is None:
            return f"enter {piece.id}"
    gx, gy = float(chart.x[point]), float(chart.y[point])
    away = math.hypot(gx - x, gy - y)
    foes = [outlook.spot(foe) for foe in outlook.foes]
    near = min(foes, key=lambda spot: math.hypot(spot[0] - gx, spot[1] - gy), default=None)
    heading = round(bearing(gx, gy, *near)) % 360 if near is not None else unit.models[0].heading
    if any(model.role == "gun" for model in unit.models):
        heading = unit.models[0].heading
    course = bearing(x, y, gx, gy)
    poses = []
    for part, swerve in ((1.0, 0), (0.85, 0), (0.95, 15), (0.95, -15), (0.7, 0), (0.8, 40), (0.8, -40), (0.4, 0)):
        angle, step = math.radians(course + swerve), min(away, far - 4) * part
        poses.append(Pose(round(x + math.sin(angle) * step), round(y - math.cos(angle) * step), heading, area.names[0]))
    if away <= 60:
        return "stay"
    pose = candidates.first_free(area, poses, area.ways[0])
    return pose.key() if pose is not None else _next_best(battle, unit, area)


def _way_off(battle: BoltBattle, unit: Unit, area: FootArea) -> str:
    """To leave the table, where that scores and the edge is near enough."""
    way = valuing.may_exit(battle, unit)
    if way is None or _to_edge(battle, way[0], *sketch_of(battle, unit.side).outlook.spot(unit)) >= area.ways[0].far:
        return ""
    return next((f"exit {edge}" for edge in movement.exits(battle, unit, area.ways)), "")


def _to_edge(battle: BoltBattle, edge: str, x: float, y: float) -> float:
    """How far a point is from an edge of the table."""
    table = battle.table
    return {"left": x, "right": table.width - x, "top": y, "bottom": table.height - y}[edge]


def _next_best(battle: BoltBattle, unit: Unit, area: FootArea) -> str:
    """Where no straight way leads to the best point, or where there is no formation to keep: the best that has room."""
    sketch = sketch_of(battle, unit.side)
    chart, shoots = sketch.outlook.chart, unit.die == ADVANCE
    worth, best = sketch.after(unit, ADVANCE if shoots else RUN), sketch.stay(unit) + GAIN
    key = "stay"
    for piece in buildings.enterable(battle, unit, area.ways) if battle.type(unit).infantry else ():
        middle = battle.table.area(piece).centroid
        if (value := float(worth[chart.nearest(middle.x, middle.y)])) > best:
            best, key = value, f"enter {piece.id}"
    points = [point for point in points_for(sketch, unit, area, shoots)[:NEXT] if worth[point] > best]
    if not points:
        return key
    # All look the same way, so that the men are laid out but once.
    heading = unit.models[area.party[0]].heading
    spots = [(round(float(chart.x[point])), round(float(chart.y[point]))) for point in points]
    for form in area.names[:2]:
        poses = [Pose(x, y, heading, form) for x, y in spots]
        for ways in area.ways:
            if (pose := candidates.first_free(area, poses, ways)) is not None:
                return pose.key()
    return key


def _listed(battle: BoltBattle, listed: list[Option], unit: Unit) -> str:
    """Of the places that are listed, the best one."""
    options = [option for option in listed if option.verb in ("pose", "exit", "stay")]
    if unit.status == RESERVE and len(options) > 1:  # who was told to come on comes on
        options = [option for option in options if option.verb != "stay"]
    if not options:
        return listed[0].key
    sketch = sketch_of(battle, unit.side)
    field = sketch.after(unit, unit.die)
    stay = sketch.stay(unit)

    def worth(option: Option) -> float:
        if option.verb != "pose":
            return 9.0 if option.verb == "exit" else stay
        x, _, y = option.place.partition(",")
        return float(field[sketch.outlook.chart.nearest(float(x) * 100, float(y) * 100)])

    return max(options, key=worth).key


def _drive(battle: BoltBattle, ask: Ask, area: DriveArea) -> str:
    """A leg to where it is best, and another if a turn is left for it; then done."""
    unit, body, trip = battle.unit(area.unit), area.body, area.trip
    stay = "done" if trip.begun else "stay"
    if trip.begun and trip.turned >= trip.pivots:
        return stay
    sketch = sketch_of(battle, unit.side)
    chart = sketch.outlook.chart
    way = valuing.may_exit(battle, unit)
    if way is not None and _to_edge(battle, way[0], body.x, body.y) < trip.far - trip.used:
        if way[0] in vehicles.exits(battle, unit, area):
            return f"exit {way[0]}"
    field: Floats = sketch.after(unit, unit.die)
    wished: list[tuple[float, int, int, int]] = []
    courses = area.drive.courses
    here = float(field[chart.nearest(body.x, body.y)]) + 0.03
    for course in courses[:: max(1, len(courses) // 16)]:
        angle = math.radians(course)
        for part in (1.0, 0.5):
            far = float(area.drive.limits[course]) * part - 1
            if far >= 100:
                x, y = round(body.x + math.sin(angle) * far), round(body.y - math.cos(angle) * far)
                worth = float(field[chart.nearest(x, y)])
                if worth > here:
                    wished.append((worth, x, y, course))
    for _, x, y, course in sorted(wished, reverse=True)[:LEGS]:
        pose = Pose(x, y, course, DRIVE)
        if area.bar(pose) is None:
            return pose.key()
    return stay


def _turn(battle: BoltBattle, area: TurnArea) -> str:
    """Turn to the enemy that most can be done to."""
    unit = battle.unit(area.unit)
    outlook = sketch_of(battle, unit.side).outlook
    here = outlook.here(unit)
    x, y = area.at
    best = max(outlook.shots(unit, False)[1], key=lambda each: float(each[1][here]), default=None)
    if best is None or float(best[1][here]) <= 0:
        return "stay"
    pose = Pose(x, y, round(bearing(x, y, *outlook.spot(best[0]))) % 360, area.start.form)
    return pose.key() if area.bar(pose) is None else "stay"


# ---- shots and reactions -------------------------------------------------------------------------------------


def _aim(battle: BoltBattle, ask: Ask) -> str:
    """The shot that does most, of a few that look good."""
    unit = _asked(battle, ask)
    if unit is None or unit.side != ask.side:
        return _any_shot(ask)
    # Where another unit acts it is a shot from ambush: at that one, with what is loaded (16.4, 16.8).
    acting = battle.state.memory.get(reactions.ACTING, unit.id)
    reaction = AMBUSH if acting != unit.id else ""
    outlook = sketch_of(battle, unit.side).outlook
    here, moved = outlook.here(unit), unit.die == ADVANCE
    shots = outlook.shots(unit, False)[1]
    each = [(float(worth[here]), -foe.n, foe) for foe, worth in shots if not reaction or foe.id == acting]
    best, key, tried = 0.0, "", 0
    for seems, _, foe in sorted(each, reverse=True):
        if tried == TARGETS or seems <= 0:
            break
        if not shooting.may_shoot(battle, unit, foe, moved, reaction):
            continue
        tried += 1
        for word, mode in shooting.plans(battle, unit, foe, moved, reaction).items():
            effect = effect_of(battle, foe, volley.prepare(battle, unit, foe, mode.loads, moved, reaction))
            if (
                any(battle.weapon(unit, load.arm.slot).one_shot for load in mode.loads)
                and not battle.type(foe).armoured
            ):
                continue
            worth = outlook.gain(foe, effect)
            if worth > best:
                best, key = worth, f"at {foe.id} {word}".strip()
    return key or _any_shot(ask)


def _any_shot(ask: Ask) -> str:
    """Where nothing is known of the targets, the nearest."""
    shots = [option for option in ask.options if option.verb == "at"]
    return min(shots, key=lambda option: option.range).key if shots else ask.options[-1].key


def _react(battle: BoltBattle, ask: Ask) -> str:
    """The answers to an interrupt."""
    if ask.reaction == CASUALTIES:
        return "usual"
    options = ask.options
    if ask.reaction == reactions.GO_DOWN:
        return go_down(sketch_of(battle, ask.side), options)[0].key
    return options[0].key
