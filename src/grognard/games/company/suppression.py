"""Suppression (11): on whom markers are placed, and how they are taken off."""

from __future__ import annotations

from collections.abc import Collection

from grognard.core.ask import Procedure
from grognard.games.company import dealing, fire_events
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import CC, FO, Platoon, Team, everybody


def bears(battle: CompanyBattle, unit: Platoon, team: Team) -> bool:
    """Whether a Team bears markers: an observer never (15.23), a commander only when he is by himself (14.16)."""
    leader = battle.team_type(team).leader
    return leader != FO and (leader != CC or battle.is_commander(unit))


def mark(
    battle: CompanyBattle, unit: Platoon, number: int, valid: Collection[str], rules: tuple[str, ...]
) -> Procedure[None]:
    """Place markers on Teams that were valid targets, on any if none of those is left (11.1, 11.8).

    Who is not suppressed comes first, so that nobody is twice before everybody is once (11.4, 11.9).
    """
    while number:
        among = [team for team in unit.models if team.id in valid and bears(battle, unit, team)]
        among = among or [team for team in everybody(unit) if bears(battle, unit, team)]
        if not among:
            return
        least = [team for team in among if not team.marks] or among
        now = min(number, len(least))
        number -= now
        chosen = yield from dealing.choose(
            battle,
            unit,
            least,
            now,
            lambda team: least_use(battle, unit, team),
            verb="mark",
            prompt=lambda _: f"{battle.name(unit)}: who is suppressed?",
            label="A marker on {}",
            rule="11.1",
        )
        for team in chosen:
            put(battle, unit, team.id, 1, rules)


def least_use(battle: CompanyBattle, unit: Platoon, team: Team) -> tuple[object, ...]:
    """Who can do least bears a marker best: who has fired or isn't on Overwatch, has few dice, and leads nobody."""
    type = battle.team_type(team)
    busy = team.shot == battle.state.initiative
    dice = max((weapon.fp for weapon in type.arms), default=0)
    return team.watch, not busy and dice, *dealing.worth(battle, unit, team)[:2], team.id


def put(battle: CompanyBattle, unit: Platoon, team: str, number: int, rules: tuple[str, ...]) -> None:
    """A Team takes markers; it is on Overwatch no longer (3.16, 4.5, 9.5)."""
    found = battle.team(unit, team)
    found.marks += number
    found.watch = False
    name = battle.team_name(unit, found)
    battle.emit(fire_events.Suppressed(side=unit.side, unit=unit.id, team=name, marks=number, rules=rules))


def move_on(battle: CompanyBattle, unit: Platoon, marks: int) -> Procedure[None]:
    """The markers of a Team that is lost move to another of its Unit (11.5)."""
    among = [team for team in everybody(unit) if bears(battle, unit, team)]
    among = [team for team in among if not team.marks] or among
    if not among:
        return
    chosen = yield from dealing.choose(
        battle,
        unit,
        among,
        1,
        lambda team: least_use(battle, unit, team),
        verb="mark",
        prompt=lambda _: f"{battle.name(unit)}: who takes over {fire_events.count(marks, 'marker')}?",
        label="To {}",
        rule="11.5",
    )
    team = chosen[0]
    team.marks += marks
    team.watch = False
    name = battle.team_name(unit, team)
    battle.emit(fire_events.MarksMoved(side=unit.side, unit=unit.id, team=name, marks=marks, rules=("11.5",)))


def lift(battle: CompanyBattle, unit: Platoon, *, all: bool) -> Procedure[None]:
    """Take off all markers of a Unit that has made its check (11.6), or one of one that failed it (11.7)."""
    suppressed = [team for team in everybody(unit) if team.marks]
    if not suppressed:
        return
    if all:
        number = sum(team.marks for team in suppressed)
        for team in suppressed:
            team.marks = 0
        battle.emit(fire_events.MarksLifted(side=unit.side, unit=unit.id, marks=number, rules=("11.6",)))
        return
    number = battle.charts.number("suppression", "lifted_on_failure")
    chosen = yield from dealing.choose(
        battle,
        unit,
        suppressed,
        number,
        lambda team: (team.marks > 1, *(-int(each) for each in _use(battle, team)), team.id),
        verb="lift",
        prompt=lambda _: f"{battle.name(unit)}: whose marker is taken off?",
        label="One of {}",
        rule="11.7",
    )
    for team in chosen:
        team.marks -= 1
        name = battle.team_name(unit, team)
        battle.emit(fire_events.MarksLifted(side=unit.side, unit=unit.id, marks=1, team=name, rules=("11.7",)))


def _use(battle: CompanyBattle, team: Team) -> tuple[int, ...]:
    """What a Team could do without its marker."""
    type = battle.team_type(team)
    return max((weapon.fp for weapon in type.arms), default=0), type.points
