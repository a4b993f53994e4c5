"""What a volley that can be fired now comes to on average: by the Teams, dice and numbers that resolve it (6, 8, 9)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grognard.core.tally import Tally
from grognard.games.company import to_hit, volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.roster import TeamType
from grognard.games.company.state import Platoon, Team
from grognard.games.company.tactics.outlook import CompanyOutlook
from grognard.games.company.tactics.volleys import damages, passes
from grognard.games.company.volley import Firer, Mode, Volley
from grognard.kits.table.tactics.judge import Aim


class Effect(NamedTuple):
    """What a volley does on average: Teams lost, markers, and the chance that the Unit is gone."""

    lost: float
    marks: float
    gone: float


NOTHING = Effect(0.0, 0.0, 0.0)


def chance(firer: Firer) -> float:
    """The chance of one of its dice to hit (6.7, 6.16, 6.17)."""
    return chance_of(firer.needed)


def chance_of(need: Tally) -> float:
    """The chance of a die to make the number of a tally."""
    return 0.0 if to_hit.fails(need) else sum(to_hit.faces(need.total)) / 6


def effect_of(battle: CompanyBattle, target: Platoon, fired: Volley) -> Effect:
    """What a volley does on average."""
    if not fired.firers:
        return NOTHING
    types = [battle.team_type(team) for team in target.models]
    # Hits are dealt to those in the open first, and plain ones never to armour (6.20, 9.3).
    order = sorted(fired.valid, key=lambda column: fired.judged.place(battle, target, column))
    men = [column for column in order if not types[column].armored]
    plain = sum(firer.dice * chance(firer) for firer in fired.firers if not firer.shot.at) if men else 0.0
    dealt = men[: max(1, math.ceil(plain))]
    falls = [1 - saved(types[c], target.models[c], fired.judged.cover[c], at=False) for c in dealt]
    lost = min(plain * sum(falls) / len(falls), float(len(men))) if falls else 0.0
    hits, results = plain, 0.0
    for firer in fired.firers:
        if firer.shot.at:
            hits += firer.dice * chance(firer)
            down, suppressed = _struck(target, types, firer, fired)
            lost, results = lost + down, results + suppressed
    teams = len(target.models)
    marks = hits / charts().number("suppression", "hits") + results
    return Effect(min(lost, teams), marks, min(lost / max(teams, 1), 1.0) ** teams)


def _struck(target: Platoon, types: list[TeamType], firer: Firer, fired: Volley) -> tuple[float, float]:
    """What an AT weapon does to the one Team that its hits fall on (6.19, 6.29): felled, suppressed."""
    column = min(firer.columns, key=lambda c: (not types[c].armored, fired.judged.cover[c]))
    type = types[column]
    falls = 1 - saved(type, target.models[column], fired.judged.cover[column], at=True)
    each = chance(firer) * falls * (damages("destroyed") if type.armored else 1.0)
    felled = 1 - (1 - each) ** firer.dice
    return felled, firer.dice * chance(firer) * falls * damages("suppressed") if type.armored else 0.0


def saved(type: TeamType, team: Team, cover: int, *, at: bool) -> float:
    """The chance that a Team saves against one hit (8.2, 9.1, 9.4); who ran saves twice (3.8)."""
    now = charts()
    if type.armored:
        need = type.armor
    else:
        quiet = not team.moved and not team.fired
        row = now.saves["gun" if (type.gun and not quiet) or (type.soft_skin and at) else "infantry"]
        need = row.hard if cover > 1 else row.soft
    found = passes(need)
    return found * found if team.ran else found


def aims(outlook: CompanyOutlook, unit: Platoon, modes: Mapping[str, Mode], foes: Iterable[Platoon]) -> list[Aim]:
    """What a Unit can fire at now with some of its Teams, the best first, and why."""
    battle = outlook.battle
    ready = volley.ready(battle, unit, modes)
    fired = [(foe, each) for foe in foes if ready for each in volley.ways(battle, unit, foe, ready)]
    found = [aim(outlook, *each) for each in fired]
    return sorted(found, key=lambda each: -each.worth)


def aim(outlook: CompanyOutlook, foe: Platoon, fired: Volley) -> Aim:
    """A volley with what it is worth."""
    effect = effect_of(outlook.battle, foe, fired)
    worth = outlook.gain(foe, *effect) * (outlook.taste.still_to_act if outlook.waits(foe) else 1.0)
    name = outlook.battle.name(foe)
    text = f"{name} loses {effect.lost:.1f} Teams on average, and {effect.marks:.1f} markers"
    return Aim(f"at {foe.id} {fired.word}".strip(), foe, worth, ((text, worth),))
