"""What an attack does on average: the tables themselves read for every throw, and kept by the attack's signature.

The chances come from the very readers that resolve an attack, so that a user's own charts change them too.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grognard.core.dice import at_least, weigh
from grognard.games.ost.charts import charts
from grognard.games.ost.shooting import hit_reader

#: What is left of a unit by steps and morale: full strength, one step of two, and units with one step only.
FULL = (1.0, 0.76, 0.52)
HALF = (0.55, 0.42, 0.28)
ONLY = (1.0, 0.74, 0.5)
#: What a damage marker costs a vehicle, by the kind of damage.
DAMAGE = {"minor": 0.0, "mgs": 0.15, "main_gun": 0.5, "immobilized": 0.35}


class Harm(NamedTuple):
    """What an attack does on average.

    ``loss``: the part of the unit's fighting worth that is lost; ``points``: Casualty Points; then the chances of any
    effect, of a step lost or damage, of the unit being gone, and of its morale falling.
    """

    loss: float
    points: float
    effect: float
    casualty: float
    gone: float
    falls: float

    def times(self, chance: float) -> Harm:
        """The same, if something else must happen first."""
        return Harm(*(chance * each for each in self))

    def plus(self, other: Harm) -> Harm:
        """With another attack after it; chances are joined as if they did not hang together."""
        return Harm(
            min(self.loss + other.loss, 1.0),
            self.points + other.points,
            *(1 - (1 - a) * (1 - b) for a, b in zip(self[2:], other[2:])),
        )


NONE = Harm(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@cache
def chance_of(needed: int, add: int = 0) -> float:
    """The chance that 2D6, modified, reach a number."""
    return weigh(2, 6, at_least(needed, add)).each.get(True, (0.0, 0.0))[1]


@cache
def chance_of_one(needed: int, add: int = 0) -> float:
    """The chance that 1D6, modified, reaches a number."""
    return weigh(1, 6, at_least(needed, add)).each.get(True, (0.0, 0.0))[1]


@cache
def chances(table: str, column: int, add: int) -> tuple[tuple[str, float], ...]:
    """Every result of an attack roll with its chance."""
    chart = charts().ict if table == "ict" else charts().vct
    reader = chart.reader(chart.column(column), add)
    return tuple((result, chance) for result, (_, chance) in weigh(2, 6, reader).each.items())


def left(steps: int, two: bool, morale: int) -> float:
    """The part of its fighting worth that a unit still has."""
    if steps <= 0:
        return 0.0
    return (FULL if steps == 2 else HALF)[morale] if two else ONLY[morale]


def fallen(morale: int, result: str) -> int:
    """The morale after a failed check (68.10, 68.11)."""
    return 2 if result == "B" or morale else 1


@cache
def foot_harm(column: int, add: int, steps: int, two: bool, morale: int, gut: int) -> Harm:
    """An attack on a foot unit on the ICT (94), with ``steps`` left of two or one and its side's Gut Check number."""
    fails = 1 - chance_of(gut)
    before = left(steps, two, morale)
    loss = points = effect = casualty = gone = falls = 0.0
    for result, chance in chances("ict", column, add):
        if not result:
            continue
        harm, _, after = result.partition("-")
        if harm == "X" or (harm == "C" and steps == 1):
            loss, points = loss + chance * before, points + chance * steps
            effect, casualty, gone = effect + chance, casualty + chance, gone + chance
        elif harm == "C":
            points, effect, casualty = points + chance, effect + chance, casualty + chance
            down = fails if after and morale < 2 else 0.0
            worse = left(steps - 1, two, fallen(morale, after)) if after else 0.0
            loss += chance * (before - (1 - down) * left(steps - 1, two, morale) - down * worse)
            falls += chance * down
        elif morale < 2:
            effect, falls = effect + chance * fails, falls + chance * fails
            loss += chance * fails * (before - left(steps, two, fallen(morale, harm)))
    return Harm(loss / before, points, effect, casualty, gone, falls)


@cache
def crew_harm(column: int, add: int, morale: int, gut: int) -> Harm:
    """An attack on the exposed crew of an open top (21.17): X Breaks, C Shakes, S and B as usual."""
    fails, before = 1 - chance_of(gut), ONLY[morale]
    loss = falls = 0.0
    for result, chance in chances("ict", column, add):
        harm = result.partition("-")[0]
        if not harm or morale == 2:
            continue
        down = 1.0 if harm in ("X", "C") else fails
        after = fallen(morale, "B" if harm in ("X", "B") else "S")
        loss, falls = loss + chance * down * (before - ONLY[after]), falls + chance * down
    return Harm(loss / before, 0.0, falls, 0.0, 0.0, falls)


@cache
def _damage(armed: bool, damaged: bool, gut: int) -> tuple[float, float, float]:
    """The damage roll (96.2, 97): loss, the chance that the vehicle is gone, and that anything comes of it."""
    fails = 1 - chance_of(gut)
    loss = gone = effect = 0.0
    table = charts()["vehicle_damage"]
    rows = table["rows"]
    lost = table["second_damage_abandons_on"] if armed and damaged else [] if armed else table["unarmed_destroyed_on"]
    for face, what in enumerate(rows, 1):
        if face in lost:
            loss, gone, effect = loss + 1, gone + 1, effect + 1
        elif what == "minor" or not armed:
            continue
        elif what == "abandon_roll":
            loss, gone, effect = loss + fails, gone + fails, effect + fails
        else:
            loss, effect = loss + DAMAGE.get(what, 0.3), effect + 1
    return loss / len(rows), gone / len(rows), effect / len(rows)


@cache
def vehicle_harm(column: int, add: int, armed: bool, damaged: bool, morale: int, gut: int, points: int) -> Harm:
    """A hit on a vehicle on the VCT (96); ``points`` are what it counts when it is destroyed."""
    fails, before = 1 - chance_of(gut), ONLY[morale]
    lost, abandoned, hurt = _damage(armed, damaged, gut)
    loss = scored = effect = casualty = gone = falls = 0.0
    for result, chance in chances("vct", column, add):
        if not result:
            continue
        harm, _, after = result.partition("-")
        if harm == "X":
            loss, scored = loss + chance, scored + chance * points
            effect, casualty, gone = effect + chance, casualty + chance, gone + chance
            continue
        down = 0.0
        if harm == "D":
            loss, scored, gone = loss + chance * lost, scored + chance * abandoned, gone + chance * abandoned
            casualty += chance * hurt
            effect += chance * hurt
            down = fails * (1 - abandoned) if after and morale < 2 else 0.0
            harm = after
        elif morale < 2:
            down = fails
            effect += chance * fails
        if down:
            loss += chance * down * (before - ONLY[fallen(morale, harm)]) / before
            falls += chance * down
    return Harm(min(loss, 1.0), scored, effect, casualty, gone, falls)


@cache
def gun_harm(
    needed: int, hit_add: int, column: int, add: int, armed: bool, damaged: bool, morale: int, gut: int, points: int
) -> Harm:
    """A shot of a gun or anti-tank weapon at a vehicle: To Hit first, a Critical Hit a column higher (95.6-95.10)."""
    found = weigh(2, 6, hit_reader(needed, hit_add)).each
    hit, critical = (found.get(word, (0.0, 0.0))[1] for word in ("hit", "critical"))
    plain = vehicle_harm(column, add, armed, damaged, morale, gut, points).times(hit)
    better = vehicle_harm(column + 1, add, armed, damaged, morale, gut, points).times(critical)
    return Harm(*(a + b for a, b in zip(plain, better)))
