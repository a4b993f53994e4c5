"""Going there (4): Teams walk and drive their ways, with what they roll for the ground and who fires at them."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.board.table.routes import long
from grognard.board.table.ways import Path
from grognard.core.ask import Procedure
from grognard.core.poses import length, place
from grognard.games.company import terrain_checks
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.move_events import Moved, Step, Turned
from grognard.games.company.state import Platoon, Team
from grognard.kits.table import travel as kit
from grognard.kits.table.state import LOST
from grognard.kits.table.travel import Journey, Watch


def go_paths(
    battle: CompanyBattle,
    unit: Platoon,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    *,
    watch: Watch[Platoon] | None,
    how: str,
    rules: tuple[str, ...],
    turrets: Mapping[str, int] | None = None,
    leg: Mapping[str, float] | None = None,
) -> Procedure[Journey]:
    """Move Teams along their ways, and turn them: terrain is rolled for, and those who watch may fire (4.4, 7.4).

    Whoever fails a roll goes as far as the ground that he failed at; the others go on (4.6). ``turrets`` say where
    turrets point in the end: ahead where nothing is said. ``leg`` is how far one move goes by Team, where a way is
    longer than that.
    """
    whole = {id: list(path) for id, path in paths.items()}
    ways, headings, stuck = yield from terrain_checks.checked(battle, unit, whole, headings, leg or {})
    for team in unit.models:  # whoever fires at them on the way fires at Teams that move
        team.moved = team.moved or (team.id in ways and long(ways[team.id]) > 0)
    start, turned = battle.anchor(unit), {team.id: team.turret for team in unit.models}

    def moved(unit: Platoon) -> None:
        _carry(unit)
        battle.invalidate(unit)

    battle.state.moving = unit.id
    journey = yield from kit.travel(battle, unit, ways, headings, watch=watch, moved=moved)
    battle.state.moving = ""
    if unit.status == LOST or not unit.models:
        return journey
    for team in unit.models:
        if team.turret >= 0 and team.id in ways and journey.whole:
            team.turret = (turrets or {}).get(team.id, team.heading)
    _carry(unit)
    battle.invalidate(unit)
    gone = [team for team in unit.models if team.id in ways and _has_moved(battle, team, journey, turned)]
    for team in [*gone, *(rider for rider in unit.riders if rider.aboard in {team.id for team in gone})]:
        team.moved = True
    _tell(battle, unit, gone, journey, start, how, rules)
    terrain_checks.stick(battle, unit, stuck)
    return journey


def _carry(unit: Platoon) -> None:
    """Riders are where their vehicle is (16.1)."""
    where = {team.id: team for team in unit.models}
    for rider in unit.riders:
        vehicle = where[rider.aboard]
        rider.x, rider.y, rider.heading = vehicle.x, vehicle.y, vehicle.heading


def _has_moved(battle: CompanyBattle, team: Team, journey: Journey, turned: Mapping[str, int]) -> bool:
    """Whether a Team has moved: to turn is a move of what has a front (6.4)."""
    x, y, heading = journey.before[team.id]
    if (team.x, team.y) != (x, y):
        return True
    return not battle.team_type(team).infantry and (team.heading, team.turret) != (heading, turned[team.id])


def _tell(
    battle: CompanyBattle,
    unit: Platoon,
    gone: list[Team],
    journey: Journey,
    start: tuple[int, int],
    how: str,
    rules: tuple[str, ...],
) -> None:
    if not gone:
        return
    steps: list[Step] = [
        (team.id, *journey.before[team.id][:2], team.x, team.y, team.heading, team.turret) for team in gone
    ]
    who = "" if len(gone) == len(unit.models) else _who(battle, unit, gone)
    if all(step[1:3] == step[3:5] for step in steps):
        who = who or "it"
        battle.emit(Turned(side=unit.side, unit=unit.id, who=who, models=tuple(steps), rules=rules))
        return
    if who:
        start = (steps[0][1], steps[0][2])
    end = battle.anchor(unit) if not who else (gone[0].x, gone[0].y)
    battle.emit(
        Moved(
            side=unit.side,
            unit=unit.id,
            how=how,
            start=place(*start),
            end=place(*end),
            inches=length(round(journey.far)),
            who=who,
            models=tuple(steps),
            rules=rules,
        )
    )


def _who(battle: CompanyBattle, unit: Platoon, teams: list[Team]) -> str:
    """Some Teams in words: all by name where they are few."""
    names = [battle.team_name(unit, team) for team in teams]
    if len(names) > 3:
        return f"{len(names)} Teams"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
