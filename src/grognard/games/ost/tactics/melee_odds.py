"""What an assault leads to: the Melee at the turn's end, weighed before it is begun (82, 101-104)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.ost import melee
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.retreats import combatants
from grognard.games.ost.state import GOOD, Unit, Weapon
from grognard.games.ost.tactics.harm import Harm
from grognard.games.ost.tactics.shots import Shots


class Outlook(NamedTuple):
    """How a Melee will go: the chances that one side is alone in good order, and what each loses on average."""

    won: float
    lost: float
    gained: float
    paid: float


def outlook(shots: Shots, ours: Sequence[Unit], theirs: Sequence[Unit]) -> Outlook:
    """One turn of a Melee between these units."""
    battle = shots.position.battle
    we, they = _harms(shots, ours, theirs), _harms(shots, theirs, ours)
    gained = sum(shots.gain(unit, harm) for unit, harm in we)
    paid = -sum(shots.gain(unit, harm) for unit, harm in they)
    left, stay = _stand(battle, they), _stand(battle, we)
    return Outlook(left * (1 - stay), stay * (1 - left), gained, paid)


def _harms(shots: Shots, ours: Sequence[Unit], theirs: Sequence[Unit]) -> list[tuple[Unit, Harm]]:
    """What one side's attack does to each unit of the other (102.11, 102.15)."""
    battle = shots.position.battle
    weapons = {unit.id: weapon for unit in ours if (weapon := best_weapon(battle, unit, theirs)) is not None}
    power = melee.total_firepower(battle, ours[0].side, ours, weapons).total if ours else 1
    guard = melee.total_defense(battle, theirs[0].side, theirs).total if theirs else 1
    add = melee.roll_modifiers(battle, ours).total
    fights = any(melee.fights(battle, unit) for unit in ours)
    column = power - guard
    return [(unit, shots.on(unit, column, add) if fights else shots.on(unit, -99, -12)) for unit in theirs]


def _stand(battle: OstBattle, harms: Sequence[tuple[Unit, Harm]]) -> float:
    """The chance that one of the units is still there in good order."""
    none = 1.0
    for unit, harm in harms:
        if unit.morale == GOOD and not battle.kinds[unit.kind].single and not battle.kinds[unit.kind].truck:
            none *= min(1.0, harm.gone + harm.falls)
    return 1 - none


def best_weapon(battle: OstBattle, unit: Unit, enemies: Sequence[Unit]) -> Weapon | None:
    """The support weapon with which a squad fights best in a Melee; none that is better kept."""
    if not battle.kinds[unit.kind].squad:
        return None
    vehicles = any(battle.kinds[enemy.kind].vehicle for enemy in enemies)
    best, most = None, 0
    for weapon in battle.weapons(unit):
        kind = battle.kinds[weapon.kind]
        if kind.class_ in melee.NOT_IN_MELEE or (kind.engineers_only and not battle.kinds[unit.kind].engineer):
            continue
        if weapon.used_by not in ("", unit.id) or (kind.at_weapon and not vehicles):
            continue
        power = 2 if kind.at_weapon else kind.fp
        if power > most:
            best, most = weapon, power
    return best


def with_company(battle: OstBattle, units: Sequence[Unit]) -> list[Unit]:
    """Units with the Leaders attached to them."""
    found = list(units)
    for unit in units:
        leader = battle.leader(unit)
        if leader is not None and battle.kinds[leader.kind].leader:
            found.append(leader)
    return found


def defenders(battle: OstBattle, hex: str, side: str) -> list[Unit]:
    """The enemies of a side in a hex that it sees."""
    return [unit for unit in combatants(battle, hex, battle.other(side)) if not unit.hidden]
