"""Dealing hits (6.18 to 6.21, 6.29, 9.9): which Team of a target each die that hits lies on.

Plain hits are dealt one each through the Teams in the open, in soft cover, in hard cover and gone to ground; then each
AT weapon's hits fall on one Team. The owner chooses among Teams of one class, and is asked only where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from grognard.board.table import bodies
from grognard.core.ask import Ask, Option, Procedure
from grognard.games.company import fire_events
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import Platoon, Team, everybody
from grognard.games.company.volley import NAMED, Firer, Volley

HITS = "hits"
#: From where a Tank Team is hit: before the fronts of hull and turret, behind both, or behind one of them (9.6, 9.7).
FRONT, BEHIND, HULL_AWAY, TURRET_AWAY = "front", "behind", "hull away", "turret away"


class Lot(NamedTuple):
    """What lies on a Team: plain dice, and AT dice by where they come from."""

    plain: int = 0
    at: tuple[tuple[str, int], ...] = ()

    def plus(self, aspect: str, hits: int) -> Lot:
        """The same with AT dice added."""
        found = dict(self.at)
        found[aspect] = found.get(aspect, 0) + hits
        return self._replace(at=tuple(sorted(found.items())))


class Dealt(NamedTuple):
    """The dice on each Team, and how many hits count for suppression (11.1, 9.9, 15.23)."""

    lots: Mapping[str, Lot]
    covers: Mapping[str, int]
    counted: int


# ---- as usual --------------------------------------------------------------------------------------------------


def sameness(battle: CompanyBattle, unit: Platoon, team: Team) -> tuple[object, ...]:
    """What a Team is to its owner: among Teams of which this is the same it does not matter who is hit."""
    return team.kind, team.id == unit.leader, team.marks > 0, team.ran, not (team.moved or team.fired)


def worth(battle: CompanyBattle, unit: Platoon, team: Team) -> tuple[object, ...]:
    """What a Team is worth to its owner: plain Infantry least, then specialists, Leader and commander most."""
    type = battle.team_type(team)
    return bool(type.leader) or team.id == unit.leader, type.points, -team.marks, everybody(unit).index(team)


def usual(battle: CompanyBattle, unit: Platoon, teams: Sequence[Team]) -> list[Team]:
    """Some Teams of a Unit, those first that it would rather lose."""
    return sorted(teams, key=lambda team: worth(battle, unit, team))


def choose(
    battle: CompanyBattle,
    unit: Platoon,
    among: Sequence[Team],
    number: int,
    order: Callable[[Team], object],
    *,
    verb: str,
    prompt: Callable[[int], str],
    label: str,
    rule: str,
) -> Procedure[list[Team]]:
    """So many of some Teams: as usual those that come first, or one by one where the owner wants it otherwise.

    He is asked only where it matters who they are. ``prompt`` is given how many are still to be chosen.
    """
    chosen: list[Team] = []
    left = sorted(among, key=order)  # type: ignore[arg-type]
    while 0 < number - len(chosen) < len(left) and len({sameness(battle, unit, team) for team in left}) > 1:
        first = left[: number - len(chosen)]

        def options(first: list[Team] = first, left: list[Team] = left) -> Iterator[Option]:
            names = ", ".join(battle.team_name(unit, team) for team in first)
            yield Option("deal", f"As usual: {names}", "pass", unit.id, rule=rule)
            for team in left:
                text = label.format(battle.team_name(unit, team))
                yield Option(f"{verb} {team.id}", text, verb, unit.id, rule=rule, model=team.id)

        about = tuple(team.id for team in left)
        answer = yield Ask(
            unit.side, prompt(len(first)), options, reaction=HITS, rule=rule, meanwhile="deal", about=about
        )
        if answer == "deal":
            break
        id = answer.split()[1]
        chosen.append(next(team for team in left if team.id == id))
        left = [team for team in left if team.id != id]
    return chosen + left[: number - len(chosen)]


# ---- dealing ---------------------------------------------------------------------------------------------------


def deal(
    battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley, hits: Mapping[str, int]
) -> Procedure[Dealt]:
    """Deal the hits of a volley, by the Team that scored them, to the Teams of its target (6.18, 9.9)."""
    place = {column: fired.judged.place(battle, target, column) for column in fired.valid}
    at = {firer.team: firer for firer in fired.firers if firer.shot.at}
    plain = sum(number for team, number in hits.items() if team not in at)
    lots: dict[str, Lot] = {}
    able = [column for column in fired.valid if not battle.team_type(target.models[column]).armored]
    if plain and not able:
        battle.emit(fire_events.NoHarm(side=unit.side, unit=target.id, hits=plain, rules=("9.3", "9.9")))
    elif plain:
        given = yield from _plain(battle, target, {column: place[column] for column in able}, plain)
        lots |= {id: Lot(number) for id, number in given.items()}
    for id, firer in at.items():
        if hits.get(id):
            column = yield from _single(battle, target, firer, place, fired.word, lots)
            team = target.models[column]
            aspect = aspect_of(battle, target, column, firer)
            lots[team.id] = lots.get(team.id, Lot()).plus(aspect, hits[id])
    _tell(battle, target, lots)
    observers = {team.id for team in target.models if battle.team_type(team).observer}
    counted = sum(lot.plain + sum(n for _, n in lot.at) for id, lot in lots.items() if id not in observers)
    covers = {target.models[column].id: fired.judged.cover[column] for column in fired.valid}
    return Dealt(lots, covers, counted)


def _plain(battle: CompanyBattle, target: Platoon, place: Mapping[int, int], hits: int) -> Procedure[dict[str, int]]:
    """Hits one each through the classes, and round again (6.18, 6.20)."""
    each, left = divmod(hits, len(place))
    found = {target.models[column].id: each for column in place if each}
    for number in sorted(set(place.values())):
        if not left:
            break
        same = [target.models[column] for column in place if place[column] == number]
        taken = min(left, len(same))
        left -= taken
        for team in (
            yield from choose(
                battle,
                target,
                same,
                taken,
                lambda team: worth(battle, target, team),
                verb="give",
                prompt=lambda more: f"{battle.name(target)}: who takes {_next(more)}?",
                label="A hit on {}",
                rule="6.18",
            )
        ):
            found[team.id] = found.get(team.id, 0) + 1
    return found


def _next(more: int) -> str:
    return "a hit" if more == 1 else f"the next of {more} hits"


def _single(
    battle: CompanyBattle,
    target: Platoon,
    firer: Firer,
    place: Mapping[int, int],
    word: str,
    lots: Mapping[str, Lot],
) -> Procedure[int]:
    """The Team that all hits of an AT weapon fall on: of a named type first, then by class (6.19, 6.21, 6.29)."""
    named = NAMED.get(word, "")

    def order(column: int) -> tuple[bool, int]:
        return battle.team_type(target.models[column]).type != named, place[column]

    first = min(map(order, firer.columns))
    same = [column for column in firer.columns if order(column) == first]
    numbers = {target.models[column].id: column for column in same}

    def by_harm(team: Team) -> tuple[object, ...]:
        aspect = aspect_of(battle, target, numbers[team.id], firer)
        lies = team.id in lots and bool(lots[team.id].at)
        led, points, *rest = worth(battle, target, team)
        return led, points, aspect != FRONT, not lies, *rest

    found = yield from choose(
        battle,
        target,
        [target.models[column] for column in same],
        1,
        by_harm,
        verb="give",
        prompt=lambda _: f"{battle.name(target)}: whom does the {firer.shot.title} hit?",
        label="It hits {}",
        rule="6.29",
    )
    return numbers[found[0].id]


def _tell(battle: CompanyBattle, target: Platoon, lots: Mapping[str, Lot]) -> None:
    """The dice on each Team, for the log."""
    if not lots:
        return
    parts = []
    for team in target.models:
        if lot := lots.get(team.id):
            number = lot.plain + sum(n for _, n in lot.at)
            parts.append(f"{number} on {battle.team_name(target, team)}")
    told = ", ".join(parts)
    battle.emit(fire_events.HitsDealt(side=target.side, unit=target.id, teams=told, rules=("6.18", "6.20")))


# ---- in front or behind (9.6, 9.7) -----------------------------------------------------------------------------


def aspect_of(battle: CompanyBattle, target: Platoon, column: int, firer: Firer) -> str:
    """From where a firer hits a Team: it matters for armour only."""
    team = target.models[column]
    if not battle.team_type(team).armored:
        return FRONT
    x, y = firer.spot
    body = battle.body(target, team)
    before = bodies.ahead(body, team.heading, x, y) >= 0
    if team.turret < 0:
        return FRONT if before else BEHIND
    turret = bodies.ahead(body, team.turret, x, y, front=charts().distance("distances", "turret_front")) >= 0
    if before == turret:
        return FRONT if before else BEHIND
    return TURRET_AWAY if before else HULL_AWAY
