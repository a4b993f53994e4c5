"""Terrain checks (4.4 to 4.6, 4.10): what a vehicle rolls for the ground that its way meets, and where it sticks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.lines import met
from grognard.board.table.places import the
from grognard.board.table.regions import SPECK
from grognard.board.table.routes import along, long
from grognard.board.table.terrain import Piece, Table
from grognard.board.table.ways import Path
from grognard.core.ask import Procedure
from grognard.core.dice import at_least
from grognard.core.tally import Tally
from grognard.games.company import suppression, training
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.move_events import Stuck
from grognard.games.company.state import Platoon, Team

#: What a difficult kind of ground is called in the charts, and a very difficult one.
DIFFICULT, VERY_DIFFICULT = "difficult", "very_difficult"
#: Whoever has no room where he sticks is set back by steps of this many hundredths.
BACK = 10.0
#: A way keeps to a road if no more of it than this lies beside it, in hundredths.
BESIDE = 1.0
#: A base that lies no deeper than this in a piece of ground, in hundredths, only touches it.
EDGE = 3.0


class Contact(NamedTuple):
    """A piece of ground that a way meets: how far along it, and what the ground is to a vehicle."""

    far: float
    piece: Piece
    ground: str


class Checked(NamedTuple):
    """The ways as far as the rolls let them go, which way Teams look at their ends, and who sticks at his."""

    paths: dict[str, Path]
    headings: dict[str, int]
    stuck: list[str]


def ground_of(battle: CompanyBattle, piece: Piece) -> str:
    """What a piece of ground is to a vehicle."""
    return battle.charts.grounds[battle.table.kind(piece).ground].tank


def contacts(battle: CompanyBattle, body: Body, path: Path, leg: float = math.inf) -> list[Contact]:
    """The ground that a vehicle rolls for on a way, in order (4.6).

    It rolls for every separate piece that it meets, and for one in which it begins. A way longer than a ``leg`` is more
    moves than one: each of the others begins where the one before ended.
    """
    whole = long(path)
    if whole <= 0:
        return []
    found: list[Contact] = []
    begin = 0.0
    while begin < whole:
        part = stretch(path, begin, min(whole, begin + leg))
        found += [Contact(begin + far, piece, ground) for far, piece, ground in _in_one_move(battle, body, part)]
        begin += leg
    return found


def _in_one_move(battle: CompanyBattle, body: Body, path: Path) -> list[Contact]:
    table, way, near = battle.table, shapely.LineString(path), body.foot.narrowest
    here = Body(*path[0], body.heading, body.foot)
    entered = {
        each.piece.id: each.far for each in reversed(met(table, path, lambda _: True, foot=body.foot)) if each.entering
    }
    found = []
    for piece in table.near(way, near):
        ground = ground_of(battle, piece)
        if ground in (DIFFICULT, VERY_DIFFICULT) and not _on_road(battle, way, piece, near):
            if piece.id in entered and not _begins_in(table, here, piece):
                found.append(Contact(entered[piece.id], piece, ground))
            elif _begins_in(table, here, piece) or _goes_in(table, way, piece, near):
                found.append(Contact(0.0, piece, ground))
    return sorted(found, key=lambda contact: contact.far)


def _begins_in(table: Table, here: Body, piece: Piece) -> bool:
    """Whether a move begins inside a piece of ground; a line has no inside."""
    return not table.thin(piece) and bool(table.area(piece).intersection(bodies.shape(here)).area > SPECK)


def _goes_in(table: Table, way: shapely.LineString, piece: Piece, near: float) -> bool:
    """Whether a way goes on into a piece at whose edge it begins, as that of a vehicle does that stuck there."""
    if table.thin(piece):
        return bool(way.intersects(table.line(piece)))
    return bool(way.distance(table.area(piece)) < near - EDGE)


def _on_road(battle: CompanyBattle, way: shapely.LineString, piece: Piece, near: float) -> bool:
    """Whether a way keeps to the road where it goes through a piece of ground (4.10)."""
    table = battle.table
    roads = roads_of(battle, table)
    if roads.is_empty:
        return False
    plan = table.line(piece) if table.thin(piece) else table.area(piece)
    inside = way.intersection(plan.buffer(near))
    return bool(inside.difference(roads).length <= BESIDE)


def roads_of(battle: CompanyBattle, table: Table) -> BaseGeometry:
    """All roads of a table; kept with it."""
    found: BaseGeometry | None = table.cache.get("company roads")
    if found is None:
        ways = [table.area(piece) for piece in table.pieces if ground_of(battle, piece) == "road"]
        found = table.cache["company roads"] = shapely.union_all(ways)
        shapely.prepare(found)
    return found


def stretch(path: Path, begin: float, end: float) -> Path:
    """The part of a way from so far to so far along it."""
    if begin <= 0 and end >= long(path):
        return list(path)
    found, gone = [along(path, begin)], 0.0
    for one, other in pairwise(path):
        gone += math.dist(one, other)
        if begin < gone < end:
            found.append(other)
    return [*found, along(path, end)]


# ---- rolling -------------------------------------------------------------------------------------------------


def checked(
    battle: CompanyBattle,
    unit: Platoon,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    leg: Mapping[str, float],
) -> Procedure[Checked]:
    """Roll for the ground that the ways of vehicles meet, and cut the way of each that fails there (4.4 to 4.6).

    ``leg`` is how far one move goes, by Team: a way may be longer than that.
    """
    fars, stuck = {id: long(path) for id, path in paths.items()}, list[str]()
    for team in list(unit.models):
        if team.id not in paths or not battle.team_type(team).tank:
            continue
        for contact in contacts(battle, battle.body(unit, team), paths[team.id], leg.get(team.id, math.inf)):
            if not (yield from _roll(battle, unit, team, contact)):
                fars[team.id] = contact.far
                stuck.append(team.id)
                break
    if not stuck:
        return Checked(dict(paths), dict(headings), [])
    return _make_room(battle, unit, paths, headings, fars, stuck)


def _roll(battle: CompanyBattle, unit: Platoon, team: Team, contact: Contact) -> Procedure[bool]:
    """2 or more through difficult ground, a check through very difficult (4.4)."""
    what = f"{battle.team_name(unit, team)}: through {the(battle.table, contact.piece)}"
    if contact.ground == VERY_DIFFICULT:
        failing = f"{battle.team_name(unit, team)} stops there, suppressed"
        return (yield from training.training_check(battle, unit, what, ("4.4",), failing=failing)).passed
    needs = battle.charts.number("terrain_checks", "difficult")
    tally = Tally("Terrain check", needs, "4.4", the(battle.table, contact.piece))
    passed: bool = battle.roll(unit.side, what, "1d6", at_least(needs), ("4.4",), (tally,), unit=unit.id)
    return passed


def _make_room(
    battle: CompanyBattle,
    unit: Platoon,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    fars: dict[str, float],
    stuck: list[str],
) -> Checked:
    """Whoever sticks does not stand in those who go on, nor they in him: each stops as much sooner as he has to.

    Who makes no more than a step stays as he is.
    """
    others, held = battle.everybody([unit]), {id for id in stuck if fars[id] <= 0}
    teams = {team.id: battle.body(unit, team) for team in unit.models}

    def body(id: str) -> Body:
        base = teams[id]
        if id not in paths or id in held:
            return base
        return base.at(*along(paths[id], fars[id]), headings.get(id, base.heading) % 360)

    def in_the_way() -> str | None:
        stand = {id: body(id) for id in teams}
        for id in (*stuck, *(id for id in paths if id not in stuck)):
            rest = [base for other, base in stand.items() if other != id]
            if id not in held and bodies.overlaps(stand[id], [*rest, *others]):
                return id
        return None

    while (id := in_the_way()) is not None:
        fars[id] = max(0.0, fars[id] - BACK)
        if fars[id] <= 0:
            held.add(id)
    ways = {id: stretch(path, 0.0, fars[id]) for id, path in paths.items()}
    return Checked(ways, {id: body(id).heading for id in paths}, stuck)


def stick(battle: CompanyBattle, unit: Platoon, stuck: Sequence[str]) -> None:
    """Who failed has come to where he sticks, and is suppressed there, if he still lives (4.5, 4.6)."""
    for id in stuck:
        team = next((team for team in unit.models if team.id == id), None)
        if team is not None:
            name = battle.team_name(unit, team)
            battle.emit(Stuck(side=unit.side, unit=unit.id, team=name, rules=("4.5", "4.6")))
            suppression.put(battle, unit, id, 1, ("4.5",))


# ---- told beforehand -----------------------------------------------------------------------------------------


def told(battle: CompanyBattle, unit: Platoon, paths: Mapping[str, Path], leg: Mapping[str, float]) -> Iterator[str]:
    """What would be rolled on ways, for whoever chooses them (4.10)."""
    for team in unit.models:
        if team.id not in paths or not battle.team_type(team).tank:
            continue
        for contact in contacts(battle, battle.body(unit, team), paths[team.id], leg.get(team.id, math.inf)):
            needs = battle.charts.number("terrain_checks", "difficult")
            if contact.ground == VERY_DIFFICULT:
                needs = battle.training(unit).check
            yield f"{battle.team_name(unit, team)} needs {needs}+ at {the(battle.table, contact.piece)}"
