"""The dice to hit (6.7, 6.19, 14.4): all that is not AT in one throw, each AT weapon in one, misses thrown again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from grognard.core.ask import Procedure
from grognard.core.dice import Reader, counts
from grognard.core.tally import Tally
from grognard.games.company import dealing, fire_events, leaders, to_hit
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import Platoon
from grognard.games.company.volley import Firer, Volley
from grognard.kits.table.positions import position_cache


class Throw(NamedTuple):
    """Dice that are thrown together: how they are read, and the Team that each class of hits is told under."""

    dice: str
    read: Reader
    teams: tuple[str, ...]
    tallies: tuple[Tally, ...]


def roll(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> Procedure[dict[str, int]]:
    """The hits of a volley by the Team that scored them; those of dice that nobody need tell apart under one of them.

    Whose dice could be thrown again for a helper are told apart (14.4); for odds nobody helps.
    """
    free = [] if battle.for_odds else leaders.helpers(battle, unit)
    near = {
        firer.team
        for firer in fired.firers
        if any(leaders.within(battle, helper, unit, unit.models[firer.row]) for helper in free)
    }
    hits: dict[str, int] = {}
    for throw in (
        _planned(battle, unit, target, fired) if battle.for_odds else _parts(battle, unit, target, fired, near)
    ):
        hits |= _throw(battle, unit, target, throw, "to hit", ("6.7", "6.8"))
    able = {firer.team: firer for firer in fired.firers if firer.team in near and not to_hit.fails(firer.needed)}
    misses = {team: firer.dice - hits[team] for team, firer in able.items()}
    while any(misses.values()):
        team = yield from leaders.direct(battle, unit, misses)
        if not team:
            break
        again = _made(battle, unit, [[able[team]._replace(dice=misses.pop(team))]])
        hits[team] += _throw(battle, unit, target, again, "misses again", ("14.4", "6.31"))[team]
    return hits


def _throw(
    battle: CompanyBattle, unit: Platoon, target: Platoon, throw: Throw, what: str, rules: tuple[str, ...]
) -> dict[str, int]:
    found: Any = battle.roll(unit.side, what, throw.dice, throw.read, rules, throw.tallies, unit=target.id)
    return dict(zip(throw.teams, (found,) if len(throw.teams) == 1 else found))


def _planned(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> list[Throw]:
    """The throws of a volley for odds, which play it again and again: kept with it."""
    kept = position_cache(battle)
    found: tuple[Volley, list[Throw]] | None = kept.get(("throws", id(fired)))
    if found is None or found[0] is not fired:
        found = kept["throws", id(fired)] = fired, _parts(battle, unit, target, fired, ())
    return found[1]


def _parts(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley, near: Collection[str]) -> list[Throw]:
    """What is thrown together: all that is not AT (6.7), and each AT weapon by itself (6.19)."""
    able = sorted(
        (firer for firer in fired.firers if not to_hit.fails(firer.needed)), key=lambda firer: firer.needed.total
    )
    plain = [firer for firer in able if not firer.shot.at]
    rest = [firer for firer in plain if firer.team not in near]
    classes = [*([rest] if rest else []), *([firer] for firer in plain if firer.team in near)]
    heavy = _alike(battle, target, [firer for firer in able if firer.shot.at])
    return [*([_made(battle, unit, classes)] if classes else []), *(_made(battle, unit, [each]) for each in heavy)]


def _alike(battle: CompanyBattle, target: Platoon, firers: Sequence[Firer]) -> list[list[Firer]]:
    """AT weapons weapon by weapon; for odds those whose hits fall on the same Team in the same way at once."""
    if not battle.for_odds:
        return [[firer] for firer in firers]
    found: dict[object, list[Firer]] = {}
    for firer in firers:
        at = [(column, dealing.aspect_of(battle, target, column, firer)) for column in firer.columns]
        found.setdefault(tuple(at), []).append(firer)
    return list(found.values())


def _made(battle: CompanyBattle, unit: Platoon, classes: Sequence[Sequence[Firer]]) -> Throw:
    """One throw of the dice of some Teams, each class counted by itself."""
    dice: list[tuple[int, ...]] = []
    for number, each in enumerate(classes, 1):
        for firer in each:
            dice += [tuple(number * face for face in to_hit.faces(firer.needed.total))] * firer.dice
    teams = tuple(each[0].team for each in classes)
    words = (
        ("hit",)
        if len(classes) == 1
        else tuple("hit" if len(each) > 1 else f"hit by {_name(battle, unit, each[0])}" for each in classes)
    )
    tallies = _tallies([firer for each in classes for firer in each])
    return Throw(f"{len(dice)}d6", counts(tuple(dice), len(classes), words), teams, tallies)


def _name(battle: CompanyBattle, unit: Platoon, firer: Firer) -> str:
    return battle.team_name(unit, battle.team(unit, firer.team))


def _tallies(firers: Sequence[Firer]) -> tuple[Tally, ...]:
    """What the dice of a throw need: a tally for each shot and number, with how many dice there are of it."""
    told: dict[tuple[str, tuple[object, ...]], list[Firer]] = {}
    for firer in firers:
        told.setdefault((firer.shot.title, tuple(firer.needed.lines)), []).append(firer)
    found = []
    for (title, _), same in told.items():
        tally, number = same[0].needed, sum(firer.dice for firer in same)
        what = f"{tally.what}, {fire_events.dice(number)}, {title}"
        found.append(Tally(what, tally.base, tally.rule, tally.source, tally.lines))
    return tuple(found)
