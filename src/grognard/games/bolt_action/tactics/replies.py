"""Quick answers for playing on in thought: the orders and places of the first glance, without looking at any exactly.

Nothing is listed that need not be: a move is one pose toward the best point of the chart, tried for room, and a shot is
the best of a few.
"""

from __future__ import annotations

from grognard.board.table.bodies import onward
from grognard.board.table.ways import Placed
from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose
from grognard.games.bolt_action import (
    advance_and_run,
    buildings,
    close_quarters,
    formation,
    movement,
    orders,
    reactions,
    vehicles,
)
from grognard.games.bolt_action.areas import FootArea, TurnArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import REACTION as CASUALTIES
from grognard.games.bolt_action.entry import DriveOn
from grognard.games.bolt_action.shooting import declaring, targets, volley
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, GUN, RUN, Unit
from grognard.games.bolt_action.tactics import victory_values
from grognard.games.bolt_action.tactics.answering import go_down
from grognard.games.bolt_action.tactics.fire import effect_of
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.tactics.sketch import Sketch
from grognard.games.bolt_action.vehicles import DRIVE, DriveArea
from grognard.kits.table.good_poses import first_free
from grognard.kits.table.state import ABOARD, RESERVE
from grognard.kits.table.tactics import replies
from grognard.kits.table.tactics.chart import Floats
from grognard.kits.table.tactics.moves import points_for
from grognard.kits.table.tactics.replies import to_edge

#: How many targets are weighed.
TARGETS = 2
#: How many points are tried where there isn't room at the best one, and by how much they must be better than to stay.
NEXT, GAIN = 10, 0.02
#: How many legs of a vehicle are tried.
LEGS = 6


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
        unit = battle.unit(area.unit)
        return replies.turn(sketch_of(battle, unit.side), unit, area)
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
    return replies.glance(battle, side, key, lambda: Sketch(BoltOutlook(battle, side)))


# ---- who and what --------------------------------------------------------------------------------------------


def _which(battle: BoltBattle, ask: Ask) -> str:
    """The unit that gains most by acting now."""
    sketch = sketch_of(battle, ask.side)
    best = max(orders.ready(battle, ask.side), key=lambda unit: sketch.gain(unit)[0], default=None)
    return f"unit {best.id}" if best is not None else ask.options[0].key


def _asked(battle: BoltBattle, ask: Ask) -> Unit | None:
    """The unit that a question is about."""
    return battle.state.units.get(ask.about[0]) if ask.about else None


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
    may_move = advance_and_run.can_move(battle, unit, RUN) is None
    return _charge(battle, unit) or ("move" if may_move else ask.options[-1].key)


def _charge(battle: BoltBattle, unit: Unit) -> str:
    """The assault that seems best, if one does and it may be made."""
    sketch = sketch_of(battle, unit.side)
    sketch.weigh(unit)
    victim = sketch.victims.get(unit.id)
    if victim and any(target.id == victim for target in close_quarters.targets(battle, unit)):
        return f"assault {victim}"
    return ""


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
    if found := _way_off(battle, unit, area):
        return found
    point = sketch.best_point(unit, ADVANCE if unit.die == ADVANCE else RUN)
    if point == outlook.here(unit):
        return "stay"
    indoors = int(chart.building[chart.where[point]])
    if indoors >= 0:
        piece = chart.pieces[indoors]
        if piece.id in battle.table.by_id and buildings.bar_enter(battle, unit, piece.id, area.ways) is None:
            return f"enter {piece.id}"
    heading = unit.models[0].heading if any(model.role == GUN for model in unit.models) else None
    poses = replies.toward(sketch, unit, point, far, area.names[0], heading)
    if not poses:
        return "stay"
    pose = first_free(area, poses, area.ways[0])
    return pose.key() if pose is not None else _next_best(battle, unit, area)


def _way_off(battle: BoltBattle, unit: Unit, area: FootArea) -> str:
    """To leave the table, where that scores and the edge is near enough."""
    way = victory_values.may_exit(battle, unit)
    if (
        way is None
        or to_edge(battle.table, way[0], *sketch_of(battle, unit.side).outlook.spot(unit)) >= area.ways[0].far
    ):
        return ""
    return next((f"exit {edge}" for edge in movement.exits(battle, unit, area.ways)), "")


def _next_best(battle: BoltBattle, unit: Unit, area: FootArea) -> str:
    """Where no straight way leads to the best point, or where there is no formation to keep: the best that has room."""
    sketch = sketch_of(battle, unit.side)
    chart, how = sketch.outlook.chart, ADVANCE if unit.die == ADVANCE else RUN
    worth, best = sketch.after(unit, how), sketch.stay(unit) + GAIN
    key = "stay"
    for piece in buildings.enterable(battle, unit, area.ways) if battle.type(unit).infantry else ():
        middle = battle.table.area(piece).centroid
        if (value := float(worth[chart.nearest(middle.x, middle.y)])) > best:
            best, key = value, f"enter {piece.id}"
    points = [point for point in points_for(sketch, unit, area, how)[:NEXT] if worth[point] > best]
    if not points:
        return key
    # All look the same way, so that the men are laid out but once.
    heading = unit.models[area.party[0]].heading
    spots = [(round(float(chart.x[point])), round(float(chart.y[point]))) for point in points]
    for form in area.names[:2]:
        poses = [Pose(x, y, heading, form) for x, y in spots]
        for ways in area.ways:
            if (pose := first_free(area, poses, ways)) is not None:
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
    return replies.best_listed(sketch, options, field, {"exit": 9.0, "stay": sketch.stay(unit)})


def _drive(battle: BoltBattle, ask: Ask, area: DriveArea) -> str:
    """A leg to where it is best, and another if a turn is left for it; then done."""
    unit, body, trip = battle.unit(area.unit), area.body, area.trip
    stay = "done" if trip.begun else "stay"
    if trip.begun and trip.turned >= trip.pivots:
        return stay
    sketch = sketch_of(battle, unit.side)
    chart = sketch.outlook.chart
    way = victory_values.may_exit(battle, unit)
    if way is not None and to_edge(battle.table, way[0], body.x, body.y) < trip.far - trip.used:
        if way[0] in vehicles.exits(battle, unit, area):
            return f"exit {way[0]}"
    field: Floats = sketch.after(unit, unit.die)
    wished: list[tuple[float, int, int, int]] = []
    courses = area.drive.courses
    here = float(field[chart.nearest(body.x, body.y)]) + 0.03
    for course in courses[:: max(1, len(courses) // 16)]:
        for part in (1.0, 0.5):
            far = float(area.drive.limits[course]) * part
            if far >= 100:
                x, y = onward(body.x, body.y, course, far)
                worth = float(field[chart.nearest(x, y)])
                if worth > here:
                    wished.append((worth, x, y, course))
    for _, x, y, course in sorted(wished, reverse=True)[:LEGS]:
        pose = Pose(x, y, course, DRIVE)
        if area.bar(pose) is None:
            return pose.key()
    return stay


# ---- shots and reactions -------------------------------------------------------------------------------------


def _aim(battle: BoltBattle, ask: Ask) -> str:
    """The shot that does most, of a few that look good."""
    unit = _asked(battle, ask)
    if unit is None or unit.side != ask.side:
        return _any_shot(ask)
    # Where another unit acts it is a shot from ambush: at that one, with what is loaded (16.4, 16.8).
    acting = battle.state.scratch.acting or unit.id
    reaction = AMBUSH if acting != unit.id else ""
    outlook = sketch_of(battle, unit.side).outlook
    here, moved = outlook.here(unit), unit.die == ADVANCE
    shots = outlook.shots(unit, False)[1]
    each = [(float(worth[here]), -foe.n, foe) for foe, worth in shots if not reaction or foe.id == acting]
    best, key, tried = 0.0, "", 0
    for seems, _, foe in sorted(each, reverse=True):
        if tried == TARGETS or seems <= 0:
            break
        if not targets.may_shoot(battle, unit, foe, moved, reaction):
            continue
        tried += 1
        for word, mode in declaring.plans(battle, unit, foe, moved, reaction).items():
            effect = effect_of(battle, foe, volley.prepare(battle, unit, foe, mode.firers, moved, reaction))
            if (
                any(battle.weapon(unit, firer.held.slot).one_shot for firer in mode.firers)
                and not battle.type(foe).armoured
            ):
                continue
            worth = outlook.gain_of(foe, effect)
            if worth > best:
                best, key = worth, f"at {foe.id} {word}".strip()
    # Nobody shoots at what he cannot harm, where he need not.
    return key or next((option.key for option in ask.options if option.verb == "done"), "") or _any_shot(ask)


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
        return go_down(sketch_of(battle, ask.side), ask)[0].key
    return options[0].key
