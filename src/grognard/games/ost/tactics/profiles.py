"""What a counter in its present condition can do and is worth: worked out once for each, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.state import GOOD, Unit
from grognard.games.ost.tactics.harm import FULL, HALF, ONLY, foot_harm, gun_harm, vehicle_harm

if TYPE_CHECKING:
    from grognard.games.ost.tactics.victory_values import VictoryValues

Key = tuple[object, ...]

#: The loss of an ordinary squad by column, from -5 to 8: for danger that is felt before it is known to whom.
LOSSES = tuple(foot_harm(column, 0, 2, True, GOOD, 7).loss for column in range(-5, 9))
#: Sustained Fire is two attacks with one action (18.6); so much of the second action that a machine gun has as long as
#: it stays where it is has to be reckoned with as well (74.5).
ATTACKS, AGAIN = 2, 0.5
#: Beyond this many kept shots at vehicles all are forgotten.
KEEP = 60_000


def joined(loss: float, attacks: float) -> float:
    """What several attacks cost in all, each a part of what the others have left."""
    return 1 - float((1 - loss) ** attacks)


#: The same losses by Sustained Fire, and by all that a machine gun may do in a turn.
BURST = tuple(joined(loss, ATTACKS) for loss in LOSSES)
TURN_OF_BURSTS = tuple(joined(loss, ATTACKS * (1 + AGAIN)) for loss in LOSSES)


class Profile:
    """A counter of a side in a condition: its figures against men and vehicles, and its worth.

    ``whole`` is what it is worth to fight with at full strength, ``power`` as it is, ``points`` what its Casualty
    Points are worth; ``steps`` and ``two`` tell how much of it is left.
    """

    __slots__ = (
        "_hits",
        "armor",
        "guard",
        "gut",
        "kind",
        "men",
        "points",
        "power",
        "reach",
        "steps",
        "two",
        "whole",
    )

    def __init__(
        self,
        victory_values: VictoryValues,
        battle: OstBattle,
        unit: Unit,
        weapons: tuple[str, ...],
        loaded: bool,
        high: bool,
    ) -> None:
        kind = self.kind = battle.kinds[unit.kind]
        self.two = kind.reduced is not None
        self.steps = 2 if self.two and not unit.reduced else 1
        self.gut = battle.scenario.gut_check.get(unit.side, 7)
        left = (FULL if self.steps == 2 else HALF) if self.two else ONLY
        self.whole = victory_values.fighting(kind, unit.side)
        self.power = self.whole * left[unit.morale]
        self.points = victory_values.points_left(kind, unit) * victory_values.loss[battle.other(unit.side)]
        small, self.armor = arms_of(battle, unit, kind, weapons, loaded)
        if high:
            small, self.armor = further(battle, small, self.armor)
        self.reach = max([each[0] for each in small] + [each[0] for each in self.armor], default=0)
        #: The best Firepower against men by distance.
        self.men = [max((p for r, p in small if r >= d), default=0) for d in range(self.reach + 1)]
        own = kind.reduced.defense if unit.reduced and kind.reduced else kind.defense
        self.guard = (kind.front + kind.flank + 1) // 2 if kind.vehicle else own
        self._hits: dict[tuple[str, int, int, int, int, int], float] = {}

    def on_vehicle(self, target: UnitType, distance: int, degraded: int, guard: int, lead: int, gut: int) -> float:
        """The part of a vehicle that one shot costs on average."""
        key = (target.id, distance, degraded, guard, lead, gut)
        found = self._hits.get(key)
        if found is None:
            if len(self._hits) > KEEP:
                self._hits.clear()
            found = self._hits[key] = self._on_vehicle(target, distance, degraded, guard, lead, gut)
        return found

    def _on_vehicle(self, target: UnitType, distance: int, degraded: int, guard: int, lead: int, gut: int) -> float:
        best = 0.0
        if target.soft:
            power = (self.men[distance] if distance <= self.reach else 0) // (1 if self.kind.guns else 2)
            if power:
                best = vehicle_harm(power - degraded - guard, lead, target.armed, False, 0, gut, 1).loss
        for last, needed, power, first in self.armor:
            if first <= distance <= last:
                column = power - degraded - guard
                column = -5 if column < -5 else 8 if column > 8 else column
                loss = gun_harm(needed, lead - degraded, column, lead, target.armed, False, 0, gut, 2).loss
                best = max(best, loss)
        return best


class Profiles:
    """All profiles met in a scenario."""

    def __init__(self, victory_values: VictoryValues) -> None:
        self.victory_values = victory_values
        self._cache: dict[Key, Profile] = {}

    def of(self, battle: OstBattle, unit: Unit, weapons: tuple[str, ...], loaded: bool) -> Profile:
        """The profile of a unit with these kinds of support weapons; vehicles may be loaded."""
        key = (
            unit.kind,
            unit.side,
            unit.reduced,
            unit.morale,
            weapons,
            loaded,
            unit.mgs_out,
            unit.guns_out or None,
            high := battle.level(unit) >= 2,
        )
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = Profile(self.victory_values, battle, unit, weapons, loaded, high)
        return found


def carried(battle: OstBattle) -> dict[str, tuple[str, ...]]:
    """The kinds of support weapons that each unit has."""
    found: dict[str, tuple[str, ...]] = {}
    for weapon in battle.state.weapons.values():
        if weapon.unit:
            found[weapon.unit] = (*found.get(weapon.unit, ()), weapon.kind)
    return found


def further(
    battle: OstBattle, small: list[tuple[int, int]], armor: list[tuple[int, int, int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int, int, int]]]:
    """The same arms from a height: a hex further, guns in their last band (49.7, 60.9).

    That holds for targets below only; most are, and whoever stops a hex short of being safe is lost.
    """
    bonus = battle.charts["levels"]["range_bonus_firing_down"]
    last = max((each[0] for each in armor), default=0)
    return (
        [(reach + bonus if reach > 1 else reach, power) for reach, power in small],
        [(each[0] + bonus, *each[1:]) if each[0] == last > 1 else each for each in armor],
    )


def arms_of(
    battle: OstBattle, unit: Unit, kind: UnitType, weapons: tuple[str, ...], loaded: bool
) -> tuple[list[tuple[int, int]], list[tuple[int, int, int, int]]]:
    """Firepower against men by range, and against vehicles: furthest range, To Hit, AP, nearest range."""
    small: list[tuple[int, int]] = []
    armor: list[tuple[int, int, int, int]] = []
    half = 2 if unit.morale else 1
    if kind.leader or kind.armor_leader or kind.crew:
        return small, armor
    if kind.vehicle:
        if not loaded:
            for number in battle.working_guns(unit):
                gun = kind.guns[number]
                small.append((gun.range, gun.he // half))
                armor += [(last, needed, power // half, first) for first, last, needed, power in gun.bands]
        if battle.working_mgs(unit) and (not loaded or kind.armored_transport):
            small.append((kind.secondary.range, kind.secondary.fp // half))
        return small, armor
    if kind.guns:
        gun = kind.guns[0]
        small.append((gun.range, battle.he(unit) // half))
        armor += [(last, needed, power // half, first) for first, last, needed, power in gun.bands]
        return small, armor
    reach = kind.reduced.range if unit.reduced and kind.reduced else kind.range
    own = battle.firepower(unit)
    small.append((reach, own // half))
    if kind.squad:
        for name in weapons:
            type_ = roster()[name]
            if type_.at_weapon:
                armor += [(last, needed, power // half, first) for first, last, needed, power in type_.bands]
            elif type_.class_ == "satchel":
                small.append((1, 10))
            elif type_.close_weapon:
                small.append((1, (own + type_.fp) // half))
                armor.append((1, 2, type_.fp // 2, 1))
            elif type_.mortar:
                small.append((type_.range, type_.fp // half))
            else:
                small.append((min(reach, type_.range), (own + type_.fp) // half))
                if type_.range > reach:
                    small.append((type_.range, type_.fp // half))
    return small, armor
