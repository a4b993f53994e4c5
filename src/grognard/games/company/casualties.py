"""Casualties (8.4): a Team is taken off, with all that hangs on it: Leader, markers, who is aboard, and its Unit."""

from __future__ import annotations

from grognard.board.table.bodies import Body
from grognard.core.ask import Procedure
from grognard.games.company import fire_events, saves, suppression, transports
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import CC, Platoon, Team, everybody
from grognard.kits.table.state import LOST


def lose(battle: CompanyBattle, unit: Platoon, team: str, rules: tuple[str, ...]) -> Procedure[None]:
    """Take a Team off (8.4): its markers move on (11.5), who was aboard bails out (16.2), its Unit may be destroyed.

    A commander who stands among the Teams of a Unit is none of its casualties (14.14).
    """
    gone = battle.team(unit, team)
    hull, name = battle.body(unit, gone), battle.team_name(unit, gone)
    aboard = [each for each in unit.riders if each.aboard == team]
    unit.models = [each for each in unit.models if each is not gone]
    unit.riders = [each for each in unit.riders if each is not gone]
    battle.invalidate()
    if battle.team_type(gone).leader == CC:
        _lose_commander(battle, unit, rules)
        return
    battle.emit(fire_events.TeamLost(side=unit.side, unit=unit.id, team=name, id=team, rules=rules))
    unit.lost_now += 1
    if unit.leader == team:
        unit.leader = ""
        battle.emit(fire_events.LeaderLost(side=unit.side, unit=unit.id, rules=("14.6",)))
    if aboard:
        yield from _bail_out(battle, unit, hull, aboard)
    if not everybody(unit):
        _destroyed(battle, unit, rules)
    elif gone.marks:
        yield from suppression.move_on(battle, unit, gone.marks)


def _bail_out(battle: CompanyBattle, unit: Platoon, hull: Body, aboard: list[Team]) -> Procedure[None]:
    """Who was aboard saves like Infantry in the open; who lives is set down beside it and suppressed (16.2).

    Who finds no room is lost with the vehicle.
    """
    tallies = [(team, saves.in_the_open()) for team in aboard]
    fallen = saves.single(battle, unit, tallies, ("16.2",), "getting out")
    for team in aboard:
        if team in fallen or not transports.set_down(battle, unit, hull, team):
            yield from lose(battle, unit, team.id, ("16.2",))
            continue
        name = battle.team_name(unit, team)
        battle.emit(fire_events.BailedOut(side=unit.side, unit=unit.id, team=name, rules=("16.2",)))
        suppression.put(battle, unit, team.id, 1, ("16.2",))


def _lose_commander(battle: CompanyBattle, unit: Platoon, rules: tuple[str, ...]) -> None:
    """The commander falls: his company has none any more (14.11, 14.16)."""
    company = battle.company(unit.side)
    own = battle.unit(company.commander)
    own.models, own.status, own.aboard = [], LOST, ""
    company.commander, company.joined = "", ""
    battle.invalidate()
    battle.emit(fire_events.CommanderLost(side=unit.side, rules=rules))
    if unit is not own and not everybody(unit):  # he had joined it, and was the last who stood
        _destroyed(battle, unit, rules)


def destroy(battle: CompanyBattle, unit: Platoon, rules: tuple[str, ...]) -> Procedure[None]:
    """A Unit is destroyed: all its Teams are removed (12.2, 12.4)."""
    if battle.is_commander(unit):
        _lose_commander(battle, unit, rules)
        return
    unit.models, unit.riders, unit.leader = [], [], ""
    battle.invalidate()
    _destroyed(battle, unit, rules)
    yield from ()


def _destroyed(battle: CompanyBattle, unit: Platoon, rules: tuple[str, ...]) -> None:
    unit.status = LOST
    battle.state.lost.setdefault(unit.side, []).append(unit.id)
    battle.invalidate()
    battle.emit(fire_events.UnitDestroyed(side=unit.side, unit=unit.id, rules=rules))
