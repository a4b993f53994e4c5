"""What fire comes to on average, over many distances and covers at once: by the figures that resolve it (6, 8, 9)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import Weapon, charts
from grognard.games.company.roster import TeamType
from grognard.games.company.state import Platoon, Team
from grognard.kits.table.tactics.chart import Bytes, Floats, Ints
from grognard.kits.table.tactics.threats import Toll

#: How a platoon comes out of its action: whether it moved, fired from where it was, or did neither (6.27, 10.7).
MOVED, FIRED, STILL = "moved", "fired", "still"
#: So many volleys are kept.
KEPT = 20_000
#: How many of a platoon's Teams find a target at once: others stand behind, or do not see it.
BEARING = 0.8
#: How often whoever sees a flank is behind the front of hull or turret (9.6).
FROM_BEHIND = 0.5
#: A marker on a platoon that has still to activate may be lifted before it fires.
FREED = 0.5


class Guns(NamedTuple):
    """So many dice of one weapon: how far it reaches, its dice at normal and at long range, and whether it is AT."""

    range: int
    dice: float
    long: float
    at: bool


class Target(NamedTuple):
    """All of a platoon that decides what fire does to it, but its place."""

    to_hit: int
    teams: int
    armored: float  # the share of its Teams that only AT can hurt
    armor: int
    guns: float  # the share of its Teams that save as guns do
    soft: float  # the share of soft-skinned vehicles
    stayed: bool  # every Team stayed put, and is concealed in the open (10.7)
    down: bool
    ran: bool

    def exposed(self, posture: str) -> Target:
        """The same platoon when it has moved, has fired from where it was, or has kept still."""
        if posture == MOVED:
            return self._replace(stayed=False, down=False)
        return self._replace(stayed=self.stayed or not self.armored, down=posture == STILL)


class Volley(NamedTuple):
    """The fire of a platoon at another, wherever they stand; ``shift`` is what its action changes of the hit number."""

    guns: tuple[Guns, ...]
    shift: int
    target: Target


@lru_cache(maxsize=KEPT)
def volley(weapons: tuple[tuple[str, bool, float], ...], shift: int, target: Target) -> Volley:
    """One and the same object for the same fire: fields of fire are kept by it.

    Each weapon is told with whether its shell is fired, and how many Teams fire it.
    """
    known, half = charts().weapons, float(charts()["to_hit_limits"]["long_range_fp"])
    guns = []
    for id, shell, count in weapons:
        weapon = known[id]
        fp = weapon.he_fp if shell else weapon.fp
        guns.append(Guns(weapon.range, count * fp, count * float(int(fp * half)), weapon.at and not shell))
    return Volley(tuple(guns), shift, target)


def fire_of(battle: CompanyBattle, unit: Platoon, target: Target, shift: int) -> Volley:
    """The fire of a platoon at another: each Team with the weapon that does most to it."""
    hard = 2 * target.armored > 1
    found: dict[tuple[str, bool], float] = {}
    for team in unit.models:
        type = battle.team_type(team)
        best = best_weapon(type, hard)
        if best is not None:
            able = BEARING * (FREED if team.marks else 1.0)
            found[best] = found.get(best, 0.0) + able
    weapons = tuple((id, shell, round(count, 2)) for (id, shell), count in sorted(found.items()))
    return volley(weapons, shift, target)


def best_weapon(type: TeamType, hard: bool) -> tuple[str, bool] | None:
    """What a Team fires, and whether its shell: the most dice that can hurt such a target (6.25, 16.7)."""
    found = [
        (worth, weapon.id, shell)
        for weapon in type.arms
        for shell in ((False, True) if weapon.he_fp else (False,))
        if (worth := _dice_worth(weapon, shell, hard))
    ]
    if not found:
        return None
    _, id, shell = max(found)
    return id, shell


def _dice_worth(weapon: Weapon, shell: bool, hard: bool) -> float:
    """How much the dice of a weapon count against armour, or against men: the hits of AT fall on one Team."""
    at = weapon.at and not shell
    if hard:
        return float(weapon.fp) if at else 0.0
    dice = weapon.he_fp if shell else weapon.fp
    return (0.5 * dice if at else float(dice)) + weapon.range / 1e6


def target_of(battle: CompanyBattle, unit: Platoon) -> Target:
    """A platoon as fire sees it."""
    types = [battle.team_type(team) for team in unit.models]
    count = max(len(types), 1)
    saves = [type.armor for type in types if type.armored]
    quiet = all(_quiet(team) for team in unit.models)
    return Target(
        battle.training(unit).to_hit,
        len(types),
        sum(type.armored for type in types) / count,
        round(sum(saves) / len(saves)) if saves else 0,
        sum(type.gun and not _quiet(team) for type, team in zip(types, unit.models)) / count,
        sum(type.soft_skin for type in types) / count,
        all(type.infantry and not team.moved for type, team in zip(types, unit.models)),
        unit.down or quiet,
        any(team.ran for team in unit.models),
    )


def _quiet(team: Team) -> bool:
    """Whether it neither moved nor fired (6.27)."""
    return not team.moved and not team.fired


def tolls(fire: Volley, far: Floats, cover: Bytes, flank: Floats | float) -> Toll:
    """What a volley does to its target over many distances and covers (6.7 to 6.17, 8, 9)."""
    now, target = charts(), fire.target
    lines = now.to_hit
    base = target.to_hit + lines["target_concealed"].amount * ((cover > 0) | target.stayed)
    base = base + lines["target_gone_to_ground"].amount * target.down
    base = base + fire.shift
    plain = _lost_by(target, np.where(cover > 1, now.saves["infantry"].hard, now.saves["infantry"].soft), 1.0)
    guns = _lost_by(target, np.where(cover > 1, now.saves["gun"].hard, now.saves["gun"].soft), 1.0)
    men = 1.0 - target.armored
    falls = (men - target.guns) * plain + target.guns * guns
    from_at = (men - target.guns - target.soft) * plain + (target.guns + target.soft) * guns
    front, behind = (damages("destroyed", add) for add in (0, now.modifier("behind").amount))
    hits, lost, results = np.zeros(len(far)), np.zeros(len(far)), np.zeros(len(far))
    for gun in fire.guns:
        for dice, number, reached in (
            (gun.dice, base, far <= gun.range),
            (gun.long, base + lines["long_range"].amount, (far > gun.range) & (far <= 2 * gun.range)),
        ):
            found = np.where(reached, dice * chance_to_hit(number), 0.0)
            hits += found if gun.at else found * men
            lost += found * (from_at if gun.at else falls)
            if gun.at and target.armored:
                failed = found * target.armored * (target.armor - 1) / 6
                lost += failed * (front + np.minimum(flank, 1.0) * FROM_BEHIND * (behind - front))
                results += failed * damages("suppressed")
    marks = hits / now.number("suppression", "hits") + results
    part = np.minimum(lost / max(target.teams, 1), 1.0)
    return Toll(lost, marks, part**target.teams)


def damages(result: str, add: int = 0) -> float:
    """The chance that a failed armour Save comes to a result (9.5, 9.6)."""
    table = charts().vehicle_damage
    return sum(table.row(face + add).id == result for face in range(1, 7)) / 6


def passes(need: int) -> float:
    """The chance of a die to show a number or more (3.13, 8.1)."""
    return max(0.0, (7 - need) / 6)


def chance_to_hit(number: Ints) -> Floats:
    """The chance of one die to reach a number: never above 5 in 6, and nothing where no die can (6.16, 6.17)."""
    fails = number >= charts().number("to_hit_limits", "fails_at")
    return np.where(fails, 0.0, (7 - np.maximum(number, 2)) / 6)


def _lost_by(target: Target, save: Floats, share: float) -> Floats:
    """The chance that a Team which is hit falls: saving twice if it ran (3.8)."""
    saved = (7 - save) / 6
    found: Floats = share * (1 - (saved * saved if target.ran else saved))
    return found
