"""What no rule leads to: checked after every event in tests, and of every position that is set by hand."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry.base import BaseGeometry

from grognard.board.table import footing
from grognard.board.table.bodies import shape
from grognard.board.table.terrain import Piece, Table
from grognard.games.company import ground
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import CC, DEPLOY, FO, PL, Platoon, everybody, living
from grognard.kits.table import invariants as kit
from grognard.kits.table.invariants import Wrong
from grognard.kits.table.state import EXITED, LOST, ON_TABLE

#: A base may lie in closed ground by so many square hundredths: what whole hundredths lose along an edge.
SLIVER = 500.0


def invariants(battle: CompanyBattle) -> list[str]:
    """What is wrong with a state that the rules should never reach."""
    return [wrong.says for wrong in impossible(battle)]


def impossible(battle: CompanyBattle) -> Iterator[Wrong]:
    """The same, each with the Unit and the Team that it is about."""
    # Who is on his way passes through friends, and turns only at its end.
    settled = [unit for unit in battle.units() if unit.id != battle.state.moving]
    yield from kit.standing(battle, settled, lambda one, other: False)
    for unit in battle.state.units.values():
        if unit.status in (LOST, EXITED):
            if unit.status == LOST and everybody(unit):
                yield Wrong(f"{battle.name(unit)} is lost, but has Teams", unit.id, "status")
            continue
        yield from _teams(battle, unit)
        yield from _riders(battle, unit)
        yield from _numbers(battle, unit)
    yield from _companies(battle)


def barred(battle: CompanyBattle) -> Iterator[Wrong]:
    """What is against a rule where a file puts things: strangers in a Unit, Teams on ground that is closed to them."""
    for unit in battle.units(on_table=False):
        yield from _strangers(battle, unit)
    table = battle.table
    for unit in battle.units():
        for team, body in zip(unit.models, battle.bodies(unit)):
            base = shape(body)
            for piece in table.near(base):
                bar = ground.bar_closed(battle, piece, ground.column(battle, team))
                thin = table.thin(piece)
                if bar is not None and (base.crosses(table.line(piece)) if thin else _deep(table, piece, base)):
                    says = f"{battle.name(unit)}: {battle.team_name(unit, team)}: {bar.reason} ({bar.rule})"
                    yield Wrong(says, unit.id, "at", team.id, "a place beside it")


def _strangers(battle: CompanyBattle, unit: Platoon) -> Iterator[Wrong]:
    """A Unit has Teams of its own nation, one Leader, and an observer only with guns (2.4, 14.1, 15.14)."""
    kind, name, leads = battle.type(unit), battle.name(unit), 0
    for team in everybody(unit):
        type = battle.team_type(team)
        title = battle.team_name(unit, team)
        leads += type.leader == PL
        if type.nation != kind.nation:
            yield Wrong(f"{name}: {title} is {type.nation}", unit.id, "teams", team.id, f"a {kind.nation} Team")
        elif type.observer and not kind.artillery:
            yield Wrong(f"{name}: only artillery has a Forward Observer", unit.id, "teams", team.id, "another Team")
        elif (type.leader == CC) != kind.commander:
            yield Wrong(f"{name}: {title}, but a commander is a unit of his own", unit.id, "teams", team.id)
        elif leads > 1:
            yield Wrong(f"{name}: a second Platoon Leader", unit.id, "teams", team.id, "one")


def _deep(table: Table, piece: Piece, base: BaseGeometry) -> bool:
    return bool(footing.shape_of(table, piece).intersection(base).area > SLIVER)


def _teams(battle: CompanyBattle, unit: Platoon) -> Iterator[Wrong]:
    """Every Team has its own id, a turret only where its type has one, and markers only where it may bear them."""
    name, seen = battle.name(unit), set[str]()
    for team in everybody(unit):
        kind = battle.team_type(team)
        if team.id in seen:
            yield Wrong(f"{name}: two Teams {team.id}", unit.id, "teams", team.id)
        seen.add(team.id)
        if (team.turret >= 0) != kind.turret:
            says = f"{name}: {battle.team_name(unit, team)} has {'a' if team.turret >= 0 else 'no'} turret"
            yield Wrong(says, unit.id, "teams", team.id)
        if team.marks and kind.observer:
            yield Wrong(f"{name}: a marker on its Forward Observer", unit.id, "teams", team.id, "marks = 0")
        if team.watch and team.marks:
            says = f"{name}: {battle.team_name(unit, team)} is on Overwatch and suppressed"
            yield Wrong(says, unit.id, "teams", team.id, "one of the two")
        if team.shot > battle.state.initiative:
            says = f"{name}: {battle.team_name(unit, team)} fired in Initiative {team.shot}, which is yet to come"
            yield Wrong(says, unit.id, "teams", team.id, f"shot = {battle.state.initiative} or less")


def _riders(battle: CompanyBattle, unit: Platoon) -> Iterator[Wrong]:
    """Who rides is in or behind a vehicle of his Unit that has room for him (16.1)."""
    name, here = battle.name(unit), {team.id: team for team in unit.models}
    for team in unit.models:
        if team.aboard:
            yield Wrong(f"{name}: {team.id} stands on the table, but rides in {team.aboard}", unit.id, "teams", team.id)
    loads: dict[str, list[str]] = {}
    for team in unit.riders:
        carrier = here.get(team.aboard)
        if carrier is None or not battle.team_type(carrier).transport:
            yield Wrong(f"{name}: {team.id} rides in {team.aboard!r}, no transport", unit.id, "riders", team.id)
        else:
            loads.setdefault(carrier.id, []).append(team.id)
    for id, load in loads.items():
        wrong = overloaded(battle, unit, id, load)
        if wrong:
            yield Wrong(wrong, unit.id, "riders", load[-1], "fewer aboard")


def overloaded(battle: CompanyBattle, unit: Platoon, carrier: str, load: list[str]) -> str:
    """What is wrong with a vehicle's load, "" if nothing is: so many Infantry Teams, or one gun in tow (16.1)."""
    vehicle = battle.team(unit, carrier)
    types = [battle.team_type(battle.team(unit, id)) for id in load]
    name, room = battle.team_name(unit, vehicle), battle.team_type(vehicle).transport
    if any(type.tank for type in types):
        return f"{name} carries a vehicle"
    if any(type.gun for type in types) and len(types) > 1:
        return f"{name} tows a gun and has {len(types) - 1} more aboard"
    return f"{name} has {len(types)} Teams aboard, with room for {room}" if len(types) > room else ""


def _numbers(battle: CompanyBattle, unit: Platoon) -> Iterator[Wrong]:
    """A Unit has no more Teams than it began with, its leader among them, and acts once a turn (1.6, 12.1)."""
    name, teams = battle.name(unit), everybody(unit)
    if unit.status == ON_TABLE and not living(unit):
        yield Wrong(f"{name} is on the table without any Team", unit.id, "status")
    # A commander who has joined it for a while counts for nothing there (14.14).
    own = sum(battle.team_type(team).leader != CC for team in teams)
    if own > unit.size:
        yield Wrong(f"{name} has {own} Teams of {unit.size}", unit.id, "size")
    if unit.leader and unit.leader not in {team.id for team in teams}:
        yield Wrong(f"{name} is led by {unit.leader}, who is none of its Teams", unit.id, "leader")
    yield from _leader(battle, unit)
    if unit.acted > battle.state.turn:
        says = f"{name} acted in turn {unit.acted}, which is yet to come"
        yield Wrong(says, unit.id, "acted", right=f"acted = {battle.state.turn} or less")
    if unit.down and any(team.watch for team in teams):
        yield Wrong(f"{name} has gone to ground and is on Overwatch", unit.id, "down")


def _leader(battle: CompanyBattle, unit: Platoon) -> Iterator[Wrong]:
    """While its Platoon Leader lives he leads it, nobody else, and an observer leads nobody (14.1, 14.13, 15.14)."""
    team = next((team for team in everybody(unit) if team.id == unit.leader), None)
    if team is None:
        return
    name, title = battle.name(unit), battle.team_name(unit, team)
    living_leader = next((each for each in everybody(unit) if battle.team_type(each).leader == PL), None)
    if living_leader is not None and battle.team_type(team).leader != PL:
        says = f"{name} is led by {title}, but its Platoon Leader {living_leader.id} is alive"
        yield Wrong(says, unit.id, "leader", right=f'leader = "{living_leader.id}", or "" for nobody')
    elif battle.team_type(team).leader in (FO, CC):
        yield Wrong(f"{name} is led by {title}, who leads no platoon", unit.id, "leader", right='another Team, or ""')


def _companies(battle: CompanyBattle) -> Iterator[Wrong]:
    """The Units that a company has, and has lost or sent off the table, are those that it began with (14.10)."""
    if battle.state.phase == DEPLOY:
        return
    for side in battle.sides:
        company = battle.company(side)
        own = [unit for unit in battle.units(side, on_table=False) if not battle.is_commander(unit)]
        if company.joined and company.joined not in battle.state.units:
            yield Wrong(f"the {side} commander has joined {company.joined}, which there is not")
        # Who found no room when he was to be set up takes no part.
        took_part = [unit.id for unit in own if unit.status != EXITED or unit.id in battle.state.exits]
        total = {*battle.state.lost.get(side, []), *took_part}
        if len(total) != company.start:
            says = f"the {side} company has {len(total)} Units of {company.start}"
            yield Wrong(says, right=f"start = {len(total)}, or the others among the lost")
