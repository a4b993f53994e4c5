"""Rolling to hit (13): the number each shot needs as a tally, and handfuls in which sixes may be thrown again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from grognard.board.table.bodies import HAIR
from grognard.core.dice import counts
from grognard.core.tally import Tally
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import Weapon, charts
from grognard.games.bolt_action.state import DOWN, Unit

#: For each face of a die what it means: 0 nothing, 1 it counts, 2 it is thrown again.
FaceValues = tuple[int, ...]

SOFT, HARD = 1, 2

#: Whether throws that follow each other are made as one where only odds are wanted; tests compare both ways.
COMBINING = True


def combines(battle: BoltBattle) -> bool:
    """Whether to throw together what is thrown one after the other in play: only for odds, and to the same effect."""
    return COMBINING and battle.for_odds


class Shot(NamedTuple):
    """What a shot's number depends on beside the two units."""

    weapon: Weapon
    distance: float
    cover: int
    moved: bool = False
    alone: bool = False
    scoped: bool = False


def tally(battle: BoltBattle, unit: Unit, target: Unit, shot: Shot, what: str = "To hit") -> Tally:
    """The number needed: 3, and every modifier made it harder or easier (13.1 to 13.13, B22).

    The tally's total is the number itself, so that a modifier of -1 stands in it as +1. A sniper is hindered only by
    pins and by having nobody beside him (27.1), a flamethrower not by cover, Down or long range (17.14).
    """
    now = charts()
    found = Tally(what, now.number("to_hit_figures", "base"), "13.1")

    def add(id: str, times: int = 1) -> None:
        modifier = now.to_hit[id]
        found.add(id, -modifier.amount * times, modifier.rule)

    flame = shot.weapon.flame
    kind = battle.type(target)
    if shot.distance <= now.distance("to_hit_figures", "point_blank_distance") + HAIR:
        add("point_blank")
    if unit.pins:
        add("per_pin_on_firer", unit.pins)
    if not shot.scoped:
        if not flame and is_long(shot.weapon, shot.distance):
            add("long_range")
        if now.quality[unit.quality].to_hit:
            add("inexperienced")
        if shot.moved and not shot.weapon.assault:
            add("fire_on_the_move")
        if not kind.vehicle and target.die == DOWN and not flame:
            add("target_down")
        if is_small(battle, target):
            add("small_unit")
        if shot.cover and not flame:
            add("hard_cover" if shot.cover == HARD else "soft_cover")
    if shot.alone:
        add("single_crew")
    found.at_least(now.number("to_hit_figures", "best"), "one_always_misses", "13.11")
    return found


def is_long(weapon: Weapon, distance: float) -> bool:
    """Whether a range is long for a weapon: more than half its maximum (13.10)."""
    return distance > weapon.max * float(charts()["to_hit_figures"]["long_range_over_fraction"]) + HAIR


def is_small(battle: BoltBattle, target: Unit) -> bool:
    """Whether a target is a small unit: one or two men, the gun not counted, never a vehicle (7.4)."""
    if battle.type(target).vehicle:
        return False
    return len(battle.men(target)) <= charts().number("to_hit_figures", "small_unit_models")


@cache
def hit_faces(needed: int) -> FaceValues:
    """What each face of a die to hit means: from 7 on only a six followed by a six hits (13.12).

    >>> hit_faces(4), hit_faces(9)
    ((0, 0, 0, 1, 1, 1), (0, 0, 0, 0, 0, 2))
    """
    if needed >= charts().number("to_hit_figures", "two_sixes_from"):
        return (0, 0, 0, 0, 0, 2)
    return tuple(int(face >= needed) for face in range(1, 7))


@cache
def damage_faces(needed: int, again: bool) -> FaceValues:
    """What each face of a die to damage means; a six that damages is thrown again where that matters (14.4, 15.3)."""
    values = [int(face >= max(needed, 2)) for face in range(1, 7)]
    if again and values[5]:
        values[5] = 2
    return tuple(values)


def throw(
    battle: BoltBattle,
    side: str,
    what: str,
    dice: Sequence[FaceValues],
    *,
    again: str,
    words: tuple[str, str, str],
    otherwise: int = 0,
    rules: tuple[str, ...] = (),
    again_rules: tuple[str, ...] = (),
    tallies: tuple[Tally, ...] = (),
    unit: str = "",
) -> tuple[int, int]:
    """Throw a handful: how many dice count, and how many sixes were followed by a six.

    A six that is not followed by one counts as ``otherwise``: nothing to hit (13.12), plain damage to damage (15.3).
    ``words`` say what a die that counts does, a six that is thrown again, and a six after it.
    Where somebody only wants odds both throws are one with dice of 36 faces: it comes to the same, on fewer paths.
    """
    number = len(dice)
    if number == 0:
        return 0, 0
    twice = any(values[5] == 2 for values in dice)
    if not twice:
        found: int = battle.roll(side, what, f"{number}d6", counts(tuple(dice), words=words[:1]), rules, tallies, unit)
        return found, 0
    if combines(battle):
        both = tuple(doubled_faces(values, otherwise) for values in dice)
        plain, doubled = battle.roll(side, what, f"{number}d36", counts(both, 2), rules + again_rules, tallies, unit)
        return plain, doubled
    plain, sixes = battle.roll(side, what, f"{number}d6", counts(tuple(dice), 2, words[:2]), rules, tallies, unit)
    doubled = 0
    if sixes:
        doubled = battle.roll(
            side, again, f"{sixes}d6", counts((_SIX,) * sixes, words=words[2:]), again_rules, (), unit
        )
    return plain + (sixes - doubled) * otherwise, doubled


_SIX: FaceValues = (0, 0, 0, 0, 0, 1)
#: What the dice of a handful do: one that counts, a six that is thrown again, and a six after it (13.12, 15.3).
HITS = ("hit", "hit on another six", "hit")
DAMAGES = ("damage", "damage (exceptional on another six)", "exceptional")


@cache
def doubled_faces(values: FaceValues, otherwise: int) -> FaceValues:
    """What two dice one after the other mean, as the faces of a die of 36."""
    return tuple(
        (2 if second == 6 else otherwise) if values[first - 1] == 2 else values[first - 1]
        for first in range(1, 7)
        for second in range(1, 7)
    )
