"""Breaking off (13.10, 13.20, 13.22): the way out by one die, pursuit by another, and who is run down."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly
from grognard.board.table.ways import Path
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import total
from grognard.core.poses import ModelPose, Preview
from grognard.games.company import ground, travel
from grognard.games.company.assault_events import BreaksOff, LostOverTheEdge, RunDown
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charge import goers
from grognard.games.company.charts import charts
from grognard.games.company.close_combat import Toll, fell
from grognard.games.company.state import Platoon
from grognard.kits.table.state import ON_TABLE

#: The courses of a Unit that breaks off, by degrees from straight away.
COURSES = (0, 30, -30, 60, -60)
#: How finely the way of whoever is stopped is cut off, in hundredths.
FINE = 10.0


def break_off(battle: CompanyBattle, unit: Platoon, foe: Platoon, toll: Toll) -> Procedure[None]:
    """A Unit falls back, its enemy may pursue, and whoever is caught within 2 inches is destroyed (13.10).

    One die for each Unit (13.20). Guns stay where they are (13.22), armour is not caught.
    """
    battle.emit(BreaksOff(side=unit.side, unit=unit.id, rules=("13.8", "13.10")))
    far = _die(battle, unit, "break_off", "breaks off")
    if goers(battle, unit):
        yield from _fall_back(battle, unit, foe, far, toll)
    if unit.status == ON_TABLE and unit.models:
        yield from _pursue(battle, foe, unit)
    near = charts().distance("assault", "fight_within") + bodies.HAIR
    for team in list(unit.models):
        if battle.team_type(team).armored or not foe.models or team not in unit.models:
            continue
        if bodies.gaps([battle.body(unit, team)], battle.bodies(foe)).min() <= near:
            name = battle.team_name(unit, team)
            battle.emit(RunDown(side=foe.side, unit=unit.id, team=name, rules=("13.10", "13.22")))
            yield from fell(battle, unit, team, toll, "13.10")


def _die(battle: CompanyBattle, unit: Platoon, key: str, what: str) -> int:
    dice = str(charts()["assault_movement"][key])
    inches: int = battle.roll(unit.side, what, dice, total(), ("13.10", "13.20"), unit=unit.id)
    return inches * 100


# ---- away ----------------------------------------------------------------------------------------------------


def _fall_back(battle: CompanyBattle, unit: Platoon, foe: Platoon, far: int, toll: Toll) -> Procedure[None]:
    """All that can move go the same way, away from the enemy; over the edge they are lost (13.10, 13.20)."""
    ways: dict[str, tuple[dict[str, Path], list[str]]] = {}
    for course in _courses(battle, unit, foe):
        ways.setdefault(f"away {course}", _ways_away(battle, unit, course, far))
    ranked = sorted(ways, key=lambda key: (len(ways[key][1]), -_apart(battle, unit, foe, ways[key][0])))
    options = []
    for key in ranked:
        gone, away = ways[key][1], exactly(_apart(battle, unit, foe, ways[key][0]), battle.measure)
        lost = f", {len(gone)} lost over the edge" if gone else ""
        label = f"On a course of {key.split()[1]}°, {away} from the enemy{lost}"
        options.append(Option(key, label, "away", unit.id, rule="13.10"))

    def foresee(key: str) -> Preview | None:
        paths = ways[key][0]
        return Preview(key, models=_poses(unit, paths))

    prompt = f"{battle.name(unit)} falls back {exactly(far, battle.measure)}: where?"
    answer = yield Ask(unit.side, prompt, options, rule="13.10", meanwhile=ranked[0], foresee=foresee)
    paths, gone = ways[answer]
    headings = {team.id: team.heading for team in unit.models}
    yield from travel.go_paths(battle, unit, paths, headings, watch=None, how="break_off", rules=("13.10",))
    for team in [team for team in unit.models if team.id in gone]:
        name = battle.team_name(unit, team)
        battle.emit(LostOverTheEdge(side=unit.side, unit=unit.id, team=name, rules=("13.20",)))
        yield from fell(battle, unit, team, toll, "13.20")


def _poses(unit: Platoon, paths: Mapping[str, Path]) -> list[ModelPose]:
    """Where Teams would go, as the client shows it: they look as they did."""
    heading = {team.id: team.heading for team in unit.models}
    return [ModelPose(id, *path[-1], heading[id], path) for id, path in paths.items()]


def _courses(battle: CompanyBattle, unit: Platoon, foe: Platoon) -> list[int]:
    """Straight away from the enemy, and to either side of that."""
    mine, theirs = battle.bodies(unit), battle.bodies(foe)
    near = np.argsort(bodies.gaps(mine, theirs).min(axis=0))[: len(mine)]
    x, y = (float(np.mean([theirs[i][axis] for i in near])) for axis in (0, 1))
    mx, my = (float(np.mean([body[axis] for body in mine])) for axis in (0, 1))
    away = round(bodies.bearing(x, y, mx, my)) if math.dist((x, y), (mx, my)) > 1 else (mine[0].heading + 180)
    return [(away + turn) % 360 for turn in COURSES]


def _ways_away(battle: CompanyBattle, unit: Platoon, course: int, far: int) -> tuple[dict[str, Path], list[str]]:
    """The way of each Team on a course, as far as it can go, and who leaves the table on it (13.20)."""
    stand, table = battle.bodies(unit), battle.table
    who = [number for number, team in enumerate(unit.models) if team in goers(battle, unit)]
    found: dict[str, Path] = {}
    gone: list[str] = []
    for number in who:
        body = stand[number]
        x, y = bodies.onward(body.x, body.y, course, far)
        if not (0 <= x <= table.width and 0 <= y <= table.height):
            gone.append(unit.models[number].id)
    goals = {number: bodies.onward(stand[number].x, stand[number].y, course, far) for number in who}
    found = straight(battle, unit, {n: goal for n, goal in goals.items() if unit.models[n].id not in gone}, far)
    return found, gone


def _apart(battle: CompanyBattle, unit: Platoon, foe: Platoon, paths: Mapping[str, Path]) -> float:
    """How far the Teams that go would be from the enemy."""
    stand = [battle.body(unit, team).at(*paths[team.id][-1]) for team in unit.models if team.id in paths]
    return float(bodies.gaps(stand, battle.bodies(foe)).min()) if stand else 0.0


def straight(
    battle: CompanyBattle, unit: Platoon, goals: Mapping[int, tuple[int, int]], far: int, *, foes: str = ""
) -> dict[str, Path]:
    """The ways of Teams, by number, straight to their goals, each as far as it gets and has room to stand (13.20)."""
    stand = battle.bodies(unit)
    who = list(goals)
    fars = [far + 1 if number in goals else 0 for number in range(len(stand))]
    ways = ground.ways_of(battle, unit, who, fars, foes=foes)
    rooms = ground.room(battle, unit, touching=foes, far=far)
    placed = [body for number, body in enumerate(stand) if number not in goals]
    found: dict[str, Path] = {}
    # Whoever is farthest on goes first, and leaves room to those behind.
    for number in sorted(who, key=lambda n: math.dist(goals[n], (stand[n].x, stand[n].y))):
        body, (gx, gy) = stand[number], goals[number]
        long = math.dist((body.x, body.y), (gx, gy))
        parts = np.linspace(1.0, 0.0, 2 + int(long / FINE))[:-1, None]
        points = np.round(np.array([[body.x, body.y]]) + parts * np.array([[gx - body.x, gy - body.y]]))
        good = ways.straight([number] * len(points), points)
        good &= rooms[number].has_room(body.foot, body.heading, points[:, 0], points[:, 1])
        end = (body.x, body.y)
        for x, y in points[good].astype(int).tolist():
            if not bodies.overlaps(body.at(x, y), placed):
                end = (x, y)
                break
        placed.append(body.at(*end))
        if end != (body.x, body.y):
            found[unit.models[number].id] = [(body.x, body.y), end]
    return found


# ---- after them ----------------------------------------------------------------------------------------------


def _pursue(battle: CompanyBattle, unit: Platoon, foe: Platoon) -> Procedure[None]:
    """Whoever is left in possession may follow, by a die of his own; he need not (13.10, 13.20)."""
    who = [n for n, team in enumerate(unit.models) if team in goers(battle, unit)]
    if not who or all(battle.team_type(team).armored for team in foe.models):
        return
    far = _die(battle, unit, "pursuit", "pursues")
    paths = _ways_after(battle, unit, foe, who, far)
    if not paths:
        return
    stand = {team.id: battle.body(unit, team) for team in unit.models}
    ends = [body.at(*paths[id][-1]) if id in paths else body for id, body in stand.items()]
    caught = _caught(battle, ends, foe)
    label = f"Pursue up to {exactly(far, battle.measure)}: {caught} would be run down"
    stays = f"Stay: {_caught(battle, list(stand.values()), foe)} would be run down"
    options = [
        Option("pursue", label, "pursue", unit.id, rule="13.10"),
        Option("stay", stays, "stay", unit.id, rule="13.20"),
    ]

    def foresee(key: str) -> Preview | None:
        if key == "stay":
            return None
        return Preview(key, models=_poses(unit, paths))

    prompt = f"{battle.name(foe)} has broken off: pursue?"
    answer = yield Ask(unit.side, prompt, options, rule="13.10", meanwhile="pursue", foresee=foresee)
    if answer == "pursue":
        headings = {team.id: team.heading for team in unit.models}
        yield from travel.go_paths(battle, unit, paths, headings, watch=None, how="pursue", rules=("13.10",))


def _ways_after(battle: CompanyBattle, unit: Platoon, foe: Platoon, who: Sequence[int], far: int) -> dict[str, Path]:
    """Each Team goes for the nearest enemy that nobody else is after, and stops when it touches him."""
    stand, theirs = battle.bodies(unit), battle.bodies(foe)
    soft = [body for team, body in zip(foe.models, theirs) if not battle.team_type(team).armored] or theirs
    gaps = bodies.gaps([stand[n] for n in who], soft)
    goals: dict[int, tuple[int, int]] = {}
    taken: set[int] = set()
    for row in np.argsort(gaps.min(axis=1), kind="stable").tolist():
        free = [i for i in range(len(soft)) if i not in taken] or list(range(len(soft)))
        goal = min(free, key=lambda i: float(gaps[row, i]))
        taken.add(goal)
        body = stand[who[row]]
        goals[who[row]] = _up_to(body, soft[goal], far)
    return straight(battle, unit, goals, far, foes=foe.id)


def _up_to(body: Body, goal: Body, far: int) -> tuple[int, int]:
    """A point toward somebody, so far on at most, and not past him."""
    course = bodies.bearing(body.x, body.y, goal.x, goal.y)
    return bodies.onward(body.x, body.y, course, min(float(far), math.dist((body.x, body.y), (goal.x, goal.y))))


def _caught(battle: CompanyBattle, stand: Sequence[Body], foe: Platoon) -> int:
    """How many would be run down by whoever stands so."""
    near = charts().distance("assault", "fight_within") + bodies.HAIR
    soft = [body for team, body in zip(foe.models, battle.bodies(foe)) if not battle.team_type(team).armored]
    return int((bodies.gaps(soft, stand).min(axis=1) <= near).sum()) if soft and stand else 0
