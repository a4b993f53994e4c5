"""Close combat (13.7, 13.9, 13.13, 13.17, 13.18): Team after Team checks, and who falls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from grognard.board.table import bodies
from grognard.core.ask import Procedure
from grognard.core.dice import Reader, counts
from grognard.games.company import armour, casualties, dealing, leaders, training
from grognard.games.company.assault_events import CutDown
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import CC, Platoon, Team

#: What a fight has cost: casualties by Unit (13.12).
Toll = dict[str, int]


class Blow(NamedTuple):
    """Teams that check together, because they have the same enemies within 2 inches; who these are, and their dice."""

    teams: tuple[str, ...]
    foes: tuple[str, ...]
    armored: bool
    dice: int


def fighting(battle: CompanyBattle, unit: Platoon, target: Platoon, ids: Collection[str]) -> list[Blow]:
    """Who of some Teams can strike at whom, those with the fewest enemies within 2 inches first (13.7, 13.17).

    In that order most of them fall. Armour is gone for where nobody else is near, and not by vehicles (13.13, 13.14).
    """
    near = charts().distance("assault", "fight_within") + bodies.HAIR
    found: dict[tuple[tuple[str, ...], bool, int], list[str]] = {}
    if not unit.models or not target.models:
        return []
    gaps = bodies.gaps(battle.bodies(unit), battle.bodies(target))
    for team, row in zip(unit.models, gaps):
        if team.id not in ids:
            continue
        mine = battle.team_type(team)
        there = [(foe, battle.team_type(foe)) for foe, gap in zip(target.models, row) if gap <= near]
        if mine.tank:
            there = [(foe, theirs) for foe, theirs in there if not theirs.tank]
        soft = tuple(foe.id for foe, theirs in there if not theirs.armored)
        hard = [foe for foe, theirs in there if theirs.armored]
        if soft:
            found.setdefault((soft, False, 1), []).append(team.id)
        elif hard and mine.tank_assault:
            body = battle.body(unit, team)
            nearest = min(hard, key=lambda foe: bodies.gap(body, battle.body(target, foe)))
            found.setdefault(((nearest.id,), True, mine.tank_assault), []).append(team.id)
    blows = [Blow(tuple(teams), foes, armored, dice) for (foes, armored, dice), teams in found.items()]
    return sorted(blows, key=lambda blow: len(blow.foes))


def exchange(
    battle: CompanyBattle, unit: Platoon, target: Platoon, ids: Collection[str], toll: Toll, rule: str
) -> Procedure[None]:
    """Every Team within 2 inches of an enemy checks, and each success removes one: no Saves are rolled (13.7, 13.9).

    Those who have the same enemies by them check together: what one removes, none of the others can miss.
    """
    waiting, offered = set(ids), False
    while blows := fighting(battle, unit, target, waiting):
        blow = blows[0]
        waiting -= set(blow.teams)
        dice = blow.dice * len(blow.teams)
        worth = dice if blow.armored else min(dice, len(blow.foes))
        hits = _checks(battle, unit, target, dice, rule)
        if hits < worth and not offered:
            offered = True
            failing = "one enemy Team less falls"
            if (yield from leaders.offer_reroll(battle, unit, "close combat", failing)):
                hits += _checks(battle, unit, target, 1, rule)
        if blow.armored:
            yield from _at_armour(battle, unit, target, blow.foes[0], hits, toll)
            continue
        left = [team for team in target.models if team.id in blow.foes]
        for team in (yield from _who_fall(battle, target, left, min(hits, len(left)))):
            yield from _cut_down(battle, unit, target, team, toll, rule)
            if not target.models:
                return


def _checks(battle: CompanyBattle, unit: Platoon, target: Platoon, dice: int, rule: str) -> int:
    """How many checks of a Unit's Teams succeed: by its training, whatever suppression it bears (13.17)."""
    need = training.needed(battle, unit)
    read = _reader(dice, max(need.total, charts().number("training_check", "always_fails") + 1))
    found: int = battle.roll(unit.side, "close combat", f"{dice}d6", read, (rule, "13.17"), (need,), unit=target.id)
    return found


@cache
def _reader(dice: int, need: int) -> Reader:
    return counts((tuple(int(face >= need) for face in range(1, 7)),) * dice, 1, ("passed",))


def _who_fall(battle: CompanyBattle, target: Platoon, among: Sequence[Team], number: int) -> Procedure[list[Team]]:
    """Which of the Teams in reach are removed: their owner says, where they differ (13.17)."""
    return (
        yield from dealing.choose(
            battle,
            target,
            among,
            number,
            lambda team: dealing.worth(battle, target, team),
            verb="lose",
            prompt=lambda _: f"{battle.name(target)}: who falls?",
            label="Lose {}",
            rule="13.17",
        )
    )


def _cut_down(
    battle: CompanyBattle, unit: Platoon, target: Platoon, team: Team, toll: Toll, rule: str
) -> Procedure[None]:
    name = battle.team_name(target, team)
    battle.emit(CutDown(side=unit.side, unit=unit.id, target=target.id, team=name, rules=(rule, "13.17")))
    yield from fell(battle, target, team, toll, rule)


def fell(battle: CompanyBattle, unit: Platoon, team: Team, toll: Toll, rule: str) -> Procedure[None]:
    """A Team is a casualty of the assault; a commander among them is none of his platoon's (13.12, 13.19, 14.14)."""
    if battle.team_type(team).leader != CC:
        toll[unit.id] = toll.get(unit.id, 0) + 1
    yield from casualties.lose(battle, unit, team.id, (rule,))


def _at_armour(
    battle: CompanyBattle, unit: Platoon, target: Platoon, id: str, hits: int, toll: Toll
) -> Procedure[None]:
    """Each success is a Save of the armour, and each that fails a roll for damage, from no side (13.13, 13.18)."""
    if not hits:
        return
    before = len(target.models)
    yield from armour.strike(battle, unit.side, target, id, {armour.CLOSE: hits}, rules=("13.13", "13.18"))
    if len(target.models) < before:
        toll[target.id] = toll.get(target.id, 0) + 1
