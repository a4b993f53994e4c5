"""Quick answers for playing on in thought: sensible policy by distances and one line of sight at a time.

Nothing is listed that need not be: a move is one pose toward the unit's goal, tried for room, and not a choice of many.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose
from grognard.games.bolt_action import candidates, formation, headquarters, orders, reactions, shooting, valuing, volley
from grognard.games.bolt_action.areas import FootArea, Placed, TurnArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import REACTION as CASUALTIES
from grognard.games.bolt_action.state import (
    ABOARD,
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    RALLY,
    RESERVE,
    RUN,
    Unit,
)
from grognard.games.bolt_action.tactics_fire import effect_of
from grognard.games.bolt_action.tactics_ground import Floats, chart_of, objective_reach
from grognard.games.bolt_action.vehicles import DRIVE, DriveArea

#: With so many pins a unit mostly rallies.
SHAKEN = 3
#: An assault from nearer than this is thought of.
NEAR = 900.0
#: How many targets are weighed.
TARGETS = 3


def quick_reply(battle: BoltBattle, ask: Ask, rng: Random) -> str:
    """A sensible answer at once."""
    if ask.reaction:
        return _react(battle, ask, rng)
    if ask.quiet and ask.rule == "1.3":
        return _which(battle, ask, rng)
    if ask.rule == "1.3":
        return _order(battle, ask, rng)
    area = ask.area if not ask.quiet and ask.rule not in ("26.2", "26.3") else None
    if isinstance(area, FootArea):
        return _march(battle, ask, area, rng)
    if isinstance(area, DriveArea):
        return _drive(battle, ask, area, rng)
    if isinstance(area, TurnArea):
        return _turn(battle, area)
    options = ask.options
    verbs = {option.verb for option in options}
    if "at" in verbs:
        return _aim(battle, options, rng)
    if "assault" in verbs:
        return _assault(battle, options)
    if "keep" in verbs:
        return "done"
    if ask.quiet and "pose" in verbs:
        indoors = [option for option in options if option.verb == "building"]
        unit = battle.unit(options[0].unit)
        if indoors and battle.type(unit).infantry and rng.random() < 0.5:
            return rng.choice(indoors).key
        poses = [option for option in options if option.verb == "pose"]
        return rng.choice(poses[:8]).key
    best = [option for option in options if option.verb in ("barrage_on", "air", "wrong", "marker_on")]
    return rng.choice(best or options).key


def _spot(unit: Unit) -> tuple[float, float]:
    model = unit.models[0]
    return float(model.x), float(model.y)


def _foes(battle: BoltBattle, unit: Unit) -> list[tuple[float, Unit]]:
    """The enemies of a unit, the nearest first, each with how far away it is."""
    x, y = _spot(unit)
    found = [
        (math.hypot(foe.models[0].x - x, foe.models[0].y - y), foe) for foe in battle.enemies(unit.side) if foe.models
    ]
    found.sort(key=lambda each: (each[0], each[1].n))
    return found


# ---- who and what --------------------------------------------------------------------------------------------


def _which(battle: BoltBattle, ask: Ask, rng: Random) -> str:
    """A unit near the enemy sooner than one far away."""
    units = orders.ready(battle, ask.side)
    best, key = -1.0, ""
    for unit in units:
        foes = _foes(battle, unit) if unit.models else []
        near = foes[0][0] if foes else 4000.0
        score = rng.random() + 1.2 / (1.0 + near / 1200.0) - 0.1 * unit.pins
        if score > best:
            best, key = score, f"unit {unit.id}"
    return key or ask.options[0].key


def _order(battle: BoltBattle, ask: Ask, rng: Random) -> str:
    """An order by what is near and in sight."""
    # The question names its unit last; its options would have to be looked for.
    unit = battle.state.units.get(ask.prompt.rpartition(":")[0].rpartition(" ")[2])
    if unit is None:
        return ask.options[0].key
    wish = _wish(battle, unit, rng)
    return next((order for order in wish if orders.bar(battle, unit, order) is None), DOWN)


def _wish(battle: BoltBattle, unit: Unit, rng: Random) -> tuple[str, ...]:
    """The orders that a unit would like, the best first."""
    if unit.status == RESERVE:
        return (ADVANCE, RUN)
    if unit.status == ABOARD:
        return (DOWN,) if valuing.may_exit(battle, unit) else (ADVANCE, RUN)
    if unit.pins >= SHAKEN and rng.random() < 0.7:
        return (RALLY,)
    if headquarters.may_call(battle, unit):
        return (FIRE,)
    kind = battle.type(unit)
    foes = _foes(battle, unit)
    away = _turns(battle, unit)
    here = 0.0 if away is None else float(away[chart_of(battle.table).nearest(*_spot(unit))])
    target = _in_sight(battle, unit, foes)
    if target is not None and kind.infantry and len(unit.models) >= 5 and target[0] < NEAR:
        if not battle.type(target[1]).vehicle and len(unit.models) > len(target[1].models):
            return (RUN, ADVANCE, FIRE)
    late = here > valuing.turns_left(battle) - 1.6
    if kind.artillery or kind.kind == "team":
        return (FIRE, ADVANCE) if target is not None else (DOWN,) if rng.random() < 0.7 else (RUN, ADVANCE)
    if valuing.may_exit(battle, unit) and (late or rng.random() < 0.7):
        return (RUN, ADVANCE) if target is None or late else (ADVANCE, RUN)
    if target is not None:
        return (ADVANCE, FIRE) if here > 0.05 and (late or rng.random() < 0.5) else (FIRE, ADVANCE)
    # Whoever has nothing to do lies low: to wait in ambush would be better, but thought goes on quicker without.
    return (RUN, ADVANCE) if here > 0.05 else (DOWN,)


def _in_sight(battle: BoltBattle, unit: Unit, foes: list[tuple[float, Unit]]) -> tuple[float, Unit] | None:
    """The nearest enemy in range and, by one line, in sight."""
    if shooting.bar_unit(battle, unit) is not None:
        return None
    reach = shooting.longest(battle, unit, False)
    chart = chart_of(battle.table)
    x, y = _spot(unit)
    for away, foe in foes[:4]:
        if away > reach + 100:
            return None
        if chart.sees(x, y, *_spot(foe)):
            return away, foe
    return None


def _turns(battle: BoltBattle, unit: Unit) -> Floats | None:
    """The turns from every point to what a unit is after: the way out, or the nearest objective worth most."""
    chart = chart_of(battle.table)
    kind = battle.type(unit)
    if (way := valuing.may_exit(battle, unit)) is not None:
        return chart.turns_to(("edge", way[0]), chart.along_edge(way[0]), kind.column)
    if kind.artillery or not battle.scenario.objectives or not unit.models:
        return None
    here = chart.nearest(*_spot(unit))
    best: tuple[float, Floats] | None = None
    for objective in battle.scenario.objectives:
        sources = chart.near_point(objective.x, objective.y, objective_reach() - 50)
        field = chart.turns_to(objective.id, sources, kind.column)
        # Units are spread over the objectives by their numbers, so that not all go the same way.
        score = (
            objective.points * 0.7 ** float(min(field[here], 12.0)) * (1.0 + 0.3 * ((unit.n + objective.points) % 2))
        )
        if best is None or score > best[0]:
            best = score, field
    return best[1] if best is not None else None


# ---- moves ---------------------------------------------------------------------------------------------------


def _goal_point(battle: BoltBattle, unit: Unit, x: float, y: float, far: float, rng: Random) -> tuple[float, float]:
    """Where a move of so far leads best: nearest to the goal, in cover where that is as good."""
    chart = chart_of(battle.table)
    field = _turns(battle, unit)
    away = np.hypot(chart.x - x, chart.y - y)
    if field is None:
        foes = _foes(battle, unit)
        if not foes:
            return x, y
        fx, fy = _spot(foes[0][1])
        field = np.hypot(chart.x - fx, chart.y - fy) / 1000.0
    score = field - 0.12 * chart.cover[chart.where] + (away > far - 30) * 99.0
    score = score + rng.random() * 0.01
    point = int(score.argmin())
    return float(chart.x[point]), float(chart.y[point])


def _march(battle: BoltBattle, ask: Ask, area: FootArea, rng: Random) -> str:
    """One pose toward the goal that has room, or to stay."""
    unit = battle.unit(area.unit)
    if (
        ask.rule == "21.10"
        or unit.status in (RESERVE, ABOARD)
        or unit.building
        or any(isinstance(way, Placed) for way in area.ways)
    ):
        return _listed(battle, ask, unit, rng)
    if unit.die == RUN and (found := _charge(battle, unit)):
        return found
    if formation.broken(battle, unit):
        return "close_up"
    far = float(area.ways[0].far)
    x, y = (float(v) for v in formation.anchor(battle, unit))
    gx, gy = _goal_point(battle, unit, x, y, far, rng)
    away = math.hypot(gx - x, gy - y)
    foes = _foes(battle, unit)
    heading = round(bearing(x, y, *_spot(foes[0][1]))) % 360 if foes else unit.models[0].heading
    if any(model.role == "gun" for model in unit.models):
        heading = unit.models[0].heading
    if valuing.may_exit(battle, unit) is not None and away < 150:
        return next((option.key for option in ask.options if option.verb == "exit"), "stay")
    course = bearing(x, y, gx, gy)
    poses = []
    for part, swerve in ((1.0, 0), (0.75, 0), (0.9, 30), (0.9, -30), (0.5, 0), (0.6, 60), (0.6, -60)):
        angle, step = math.radians(course + swerve), min(away, far - 4) * part
        poses.append(Pose(round(x + math.sin(angle) * step), round(y - math.cos(angle) * step), heading, area.names[0]))
    pose = candidates.first_free(area, poses) if away > 60 else None
    if pose is not None:
        return pose.key()
    return "stay"


def _charge(battle: BoltBattle, unit: Unit) -> str:
    """An assault that is likely to be won, if there is one."""
    near = [foe for away, foe in _foes(battle, unit)[:2] if away < NEAR + 300]
    for foe in near:
        if not battle.type(foe).vehicle and len(unit.models) > len(foe.models) and battle.gap(unit, foe) < NEAR:
            if any(target is foe for target in orders.assault_targets(battle, unit)):
                return f"assault {foe.id}"
    return ""


def _listed(battle: BoltBattle, ask: Ask, unit: Unit, rng: Random) -> str:
    """Of the poses that are listed, the one nearest to the goal."""
    options = [option for option in ask.options if option.verb in ("pose", "exit")]
    if not options:
        return ask.options[0].key
    field = _turns(battle, unit)
    chart = chart_of(battle.table)
    if field is None:
        return rng.choice(options).key

    def turns(option: Option) -> float:
        if option.verb == "exit":
            return -1.0
        x, _, y = option.place.partition(",")
        return float(field[chart.nearest(float(x) * 100, float(y) * 100)])

    return min(options, key=turns).key


def _drive(battle: BoltBattle, ask: Ask, area: DriveArea, rng: Random) -> str:
    """One leg toward the goal, then done."""
    unit, body = battle.unit(area.unit), area.body
    if area.trip.begun:
        return "done"
    field, chart = _turns(battle, unit), chart_of(battle.table)
    way = valuing.may_exit(battle, unit)
    if way is not None and field is not None and float(field[chart.nearest(body.x, body.y)]) < 0.9:
        if any(option.verb == "exit" for option in ask.options):
            return f"exit {way[0]}"
    if field is None:
        return "stay"
    best, found = float(field[chart.nearest(body.x, body.y)]) - 0.05, ""
    courses = area.drive.courses
    for course in courses[:: max(1, len(courses) // 8)]:
        far = float(area.drive.limits[course]) - 1
        if far < 100:
            continue
        angle = math.radians(course)
        x, y = round(body.x + math.sin(angle) * far), round(body.y - math.cos(angle) * far)
        turns = float(field[chart.nearest(x, y)])
        if turns < best:
            pose = Pose(x, y, course, DRIVE)
            if area.bar(pose) is None:
                best, found = turns, pose.key()
    return found or "stay"


def _turn(battle: BoltBattle, area: TurnArea) -> str:
    """Turn to the nearest enemy that a line of sight leads to."""
    unit = battle.unit(area.unit)
    chart = chart_of(battle.table)
    x, y = area.at
    foes = _foes(battle, unit)
    for _, foe in foes[:4]:
        if chart.sees(x, y, *_spot(foe)):
            pose = Pose(x, y, round(bearing(x, y, *_spot(foe))) % 360, area.start.form)
            return pose.key() if area.bar(pose) is None else "stay"
    return "stay"


# ---- shots and reactions -------------------------------------------------------------------------------------


def _aim(battle: BoltBattle, options: list[Option], rng: Random) -> str:
    """The shot that does most, of a few."""
    unit = battle.unit(options[0].unit)
    shots = [option for option in options if option.verb == "at" and battle.unit(option.target).side != unit.side]
    if not shots:
        return rng.choice(options).key
    moved = unit.die == ADVANCE
    best, key = 0.0, ""
    for option in sorted(shots, key=lambda each: each.range)[:TARGETS]:
        target = battle.unit(option.target)
        word = " ".join(option.key.split()[2:])
        mode = shooting.plans(battle, unit, target, moved).get(word)
        if mode is None:
            continue
        effect = effect_of(battle, target, volley.prepare(battle, unit, target, mode.loads, moved, ""))
        worth = valuing.worth(battle, target)
        men = max(len(target.models), 1)
        value = worth * (effect.kill + 0.6 * min(effect.men / men, 1.0)) + 0.1 * effect.pins
        if value > best:
            best, key = value, option.key
    return key or next((option.key for option in options if option.verb in ("done", "pass")), shots[0].key)


def _assault(battle: BoltBattle, options: list[Option]) -> str:
    """To assault whoever is weaker, else to move."""
    unit = battle.unit(options[0].unit)
    for option in options:
        if option.verb == "assault":
            target = battle.unit(option.key.split()[1])
            if not battle.type(target).vehicle and len(unit.models) > len(target.models):
                return option.key
    return options[-1].key


def _react(battle: BoltBattle, ask: Ask, rng: Random) -> str:
    """The answers to an interrupt."""
    if ask.reaction == CASUALTIES:
        return "usual"
    options = ask.options
    if ask.reaction == reactions.GO_DOWN:
        unit = battle.unit(options[0].unit)
        frail = len(unit.models) <= 3 or unit.pins >= 2
        return "down" if rng.random() < (0.6 if frail else 0.25) else "pass"
    if ask.reaction == AMBUSH:
        return options[0].key if rng.random() < 0.85 else "pass"
    return options[0].key
