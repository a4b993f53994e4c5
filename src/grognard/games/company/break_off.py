"""Breaking off (13.10, 13.20, 13.22): the way out by one die, pursuit by another, and who is run down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly
from grognard.board.table.stand_area import Room
from grognard.board.table.ways import Path, Ways
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
    strides = Strides(battle, unit, foe, far)
    flight = cache(lambda course: _flight(battle, unit, foe, strides, course))

    courses = _courses(battle, unit, foe)

    def ranked() -> list[int]:
        return sorted(courses, key=lambda course: flight(course).worth)

    def usual() -> str:
        # Straight away will do if everybody gets clear.
        safe = flight(courses[0]).worth == (0, -len(strides.who))
        return f"away {courses[0] if safe else ranked()[0]}"

    def options() -> Iterator[Option]:
        for course in ranked():
            paths, gone, clear = flight(course)
            lost = f", {len(gone)} lost over the edge" if gone else ""
            label = f"On a course of {course}°: {clear} of {len(paths) + len(gone)} get away{lost}"
            yield Option(f"away {course}", label, "away", unit.id, rule="13.10")

    def foresee(key: str) -> Preview | None:
        return Preview(key, models=_poses(unit, flight(int(key.split()[1])).paths))

    prompt = f"{battle.name(unit)} falls back {exactly(far, battle.measure)}: where?"
    answer = yield Ask(
        unit.side,
        prompt,
        lambda: list(options()),
        rule="13.10",
        meanwhile=usual,
        foresee=foresee,
    )
    chosen = flight(int(answer.split()[1]))
    headings = {team.id: team.heading for team in unit.models}
    yield from travel.go_paths(battle, unit, chosen.paths, headings, watch=None, how="break_off", rules=("13.10",))
    for team in [team for team in unit.models if team.id in chosen.gone]:
        name = battle.team_name(unit, team)
        battle.emit(LostOverTheEdge(side=unit.side, unit=unit.id, team=name, rules=("13.20",)))
        yield from fell(battle, unit, team, toll, "13.20")


class Flight(NamedTuple):
    """A course of a Unit that breaks off: the ways of its Teams, who leaves the table, and how many get clear."""

    paths: dict[str, Path]
    gone: list[str]
    clear: int

    @property
    def worth(self) -> tuple[int, int]:
        """The less the better: who gets clear counts more than who is lost over the edge."""
        return len(self.gone), -self.clear


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


def _flight(battle: CompanyBattle, unit: Platoon, foe: Platoon, strides: Strides, course: int) -> Flight:
    """The way of each Team on a course, as far as it can go, and who leaves the table on it (13.20)."""
    table, goals, gone = battle.table, dict[int, tuple[int, int]](), list[str]()
    for number in strides.who:
        team = unit.models[number]
        x, y = bodies.onward(team.x, team.y, course, strides.far)
        if 0 <= x <= table.width and 0 <= y <= table.height:
            goals[number] = x, y
        else:
            gone.append(team.id)
    ends = strides.ends(goals)
    near = charts().distance("assault", "fight_within") + bodies.HAIR
    apart = bodies.gaps(list(ends.values()), battle.bodies(foe)).min(axis=1) if ends else np.zeros(0)
    return Flight(strides.paths(ends), gone, int((apart > near).sum()))


class Strides:
    """How those of a Unit's Teams who can move go straight on, so far at most, past whom they fight (13.10)."""

    def __init__(self, battle: CompanyBattle, unit: Platoon, foe: Platoon, far: int) -> None:
        self.unit, self.far, self.stand = unit, far, battle.bodies(unit)
        self.who = [number for number, team in enumerate(unit.models) if not battle.team_type(team).gun]
        fars = [far + 1 if number in self.who else 0 for number in range(len(self.stand))]
        self.ways = ground.ways_of(battle, unit, self.who, fars, foes=foe.id)
        self.rooms = ground.room(battle, unit, touching=foe.id, far=far)

    def ends(self, goals: Mapping[int, tuple[int, int]]) -> dict[int, Body]:
        """Where Teams, by number, end that go straight to goals: there, or short of them (13.20)."""
        standing, found = dict(enumerate(self.stand)), dict[int, Body]()
        # Whoever is farthest ahead goes first, and leaves room to those behind him.
        ways = {n: (x - self.stand[n].x, y - self.stand[n].y) for n, (x, y) in goals.items()}
        dx, dy = (sum(way[axis] for way in ways.values()) for axis in (0, 1))
        for number in sorted(goals, key=lambda n: -(self.stand[n].x * dx + self.stand[n].y * dy)):
            others = [body for n, body in standing.items() if n != number]
            room = self.rooms[number]
            end = _as_far_as_it_can(self.ways, room, number, self.stand[number], goals[number], others)
            standing[number] = found[number] = end
        return found

    def paths(self, ends: Mapping[int, Body]) -> dict[str, Path]:
        """The ways of those who go anywhere, by their ids."""
        return {
            self.unit.models[number].id: [(self.stand[number].x, self.stand[number].y), (end.x, end.y)]
            for number, end in ends.items()
            if end != self.stand[number]
        }


def _as_far_as_it_can(
    ways: Ways, room: Room, number: int, body: Body, goal: tuple[int, int], others: Sequence[Body]
) -> Body:
    """Where a Team ends on its way straight to a goal: there, or short of it where it finds room."""
    long = math.dist((body.x, body.y), goal)
    parts = np.linspace(1.0, 0.0, 2 + int(long / FINE))[:-1, None]
    points = np.round(np.array([[body.x, body.y]]) + parts * np.array([[goal[0] - body.x, goal[1] - body.y]]))
    # Most get where they want to: only where one does not is the rest of the way looked at.
    for some in (points[:1], points[1:]) if len(points) > 1 else (points,):
        good = ways.straight([number] * len(some), some)
        good &= room.has_room(body.foot, body.heading, some[:, 0], some[:, 1])
        for x, y in some[good].astype(int).tolist():
            if not bodies.overlaps(body.at(x, y), others):
                return body.at(x, y)
    return body


# ---- after them ----------------------------------------------------------------------------------------------


def _pursue(battle: CompanyBattle, unit: Platoon, foe: Platoon) -> Procedure[None]:
    """Whoever is left in possession may follow, by a die of his own; he need not (13.10, 13.20)."""
    if not goers(battle, unit) or all(battle.team_type(team).armored for team in foe.models):
        return
    far = _die(battle, unit, "pursuit", "pursues")
    strides = Strides(battle, unit, foe, far)
    ends = strides.ends(_goals(battle, foe, strides))
    paths = strides.paths(ends)
    if not paths:
        return
    stand = dict(enumerate(strides.stand))
    caught = _caught(battle, list((stand | ends).values()), foe)
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


def _goals(battle: CompanyBattle, foe: Platoon, strides: Strides) -> dict[int, tuple[int, int]]:
    """Each Team goes for the nearest enemy that nobody else is after, and stops when it touches him."""
    soft = [body for team, body in zip(foe.models, battle.bodies(foe)) if not battle.team_type(team).armored]
    gaps = bodies.gaps([strides.stand[number] for number in strides.who], soft)
    goals: dict[int, tuple[int, int]] = {}
    taken: set[int] = set()
    for row in np.argsort(gaps.min(axis=1), kind="stable").tolist():
        free = [i for i in range(len(soft)) if i not in taken] or list(range(len(soft)))
        goal = min(free, key=lambda i: float(gaps[row, i]))
        taken.add(goal)
        number = strides.who[row]
        goals[number] = _up_to(strides.stand[number], soft[goal], strides.far)
    return goals


def _up_to(body: Body, goal: Body, far: int) -> tuple[int, int]:
    """A point toward somebody, so far on at most, and no farther than to where it may touch him."""
    course = bodies.bearing(body.x, body.y, goal.x, goal.y)
    return bodies.onward(body.x, body.y, course, min(float(far), bodies.gap(body, goal)))


def _caught(battle: CompanyBattle, stand: Sequence[Body], foe: Platoon) -> int:
    """How many would be run down by whoever stands so."""
    near = charts().distance("assault", "fight_within") + bodies.HAIR
    soft = [body for team, body in zip(foe.models, battle.bodies(foe)) if not battle.team_type(team).armored]
    return int((bodies.gaps(soft, stand).min(axis=1) <= near).sum()) if soft and stand else 0
