"""Armour (9): armour Saves, hull and turret, and the Vehicle Damage Table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

from grognard.core.ask import Procedure
from grognard.core.dice import Faces, Reader, counts
from grognard.core.tally import Tally
from grognard.games.company import casualties, fire_events, suppression, to_hit
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.dealing import BEHIND, FRONT, HULL_AWAY, TURRET_AWAY
from grognard.games.company.state import Platoon

#: From above (15.21), and in close combat, where nobody is behind (13.18).
TOP, CLOSE = "top", "close"
SUPPRESSED, DESTROYED = "suppressed", "destroyed"
#: The part of a Team that is turned away from who is before one part of it and behind the other.
TURNED_AWAY = {HULL_AWAY: "hull", TURRET_AWAY: "turret"}
_PARTS = {HULL_AWAY: ("on the turret", "on the hull"), TURRET_AWAY: ("on the hull", "on the turret")}
#: The classes of a damage roll, as they are counted.
_CLASSES = {SUPPRESSED: 1, DESTROYED: 2}


def save_tally(battle: CompanyBattle, unit: Platoon, team: str) -> Tally:
    """The armour Save of a Team (9.4): cover never improves it (10.11)."""
    type = battle.team_type(battle.team(unit, team))
    return Tally("Armour Save", type.armor, "9.4", type.name)


def damage_tally(aspect: str) -> Tally:
    """What is added to a damage roll (9.6, 13.18, 15.21)."""
    found = Tally("Vehicle damage", 0, "9.5", "die")
    if aspect in (BEHIND, TOP):
        to_hit.add(found, "behind" if aspect == BEHIND else "top_hit")
    return found


@cache
def damage_faces(add: int) -> tuple[int, ...]:
    """What each face of a damage roll comes to: 0 nothing, 1 a suppression, 2 destroyed (9.5, 9.8).

    >>> damage_faces(1)
    (0, 0, 1, 1, 2, 2)
    """
    table = charts().vehicle_damage
    return tuple(_CLASSES.get(table.row(face + add).id, 0) for face in range(1, 7))


def strike(
    battle: CompanyBattle,
    side: str,
    unit: Platoon,
    team: str,
    hits: Mapping[str, int],
    *,
    again: bool = False,
    rules: tuple[str, ...] = (),
) -> Procedure[int]:
    """AT hits on an Armored Team, by where they come from: its results, suppressions and a kill (9.4, 13.23).

    ``side`` throws for damage. Markers go on the Team, and on to another if it is destroyed (11.5).
    """
    if sum(hits.values()) == 0:
        return 0
    if battle.for_odds:
        marks, killed = _at_once(battle, unit, team, hits, again, rules)
    else:
        marks, killed = _one_by_one(battle, side, unit, team, hits, again, rules)
    name = battle.team_name(unit, battle.team(unit, team))
    if marks or killed:
        words = [fire_events.count(marks, "suppression")] if marks else []
        told = " and ".join([*words, *(["destroyed"] if killed else [])])
        battle.emit(fire_events.Struck(side=side, unit=unit.id, team=name, result=told, rules=("9.5",)))
    if marks:
        suppression.put(battle, unit, team, marks, ("9.5",))
    if killed:
        yield from casualties.lose(battle, unit, team, ("9.5",))
    return marks + killed


def _one_by_one(
    battle: CompanyBattle,
    side: str,
    unit: Platoon,
    team: str,
    hits: Mapping[str, int],
    again: bool,
    rules: tuple[str, ...],
) -> tuple[int, bool]:
    """Saves, the part hit where one of two is turned away, and a damage roll for each Save that fails (9.4 to 9.7)."""
    tally = save_tally(battle, unit, team)
    failed: dict[str, int] = {}
    for aspect, number in hits.items():
        lost = _fail(battle, unit, tally, number, "armour Saves", rules)
        if again and number > lost:
            lost += _fail(battle, unit, tally, number - lost, "armour Saves again", (*rules, "8.5"))
        parts = _parts(battle, side, unit, aspect, lost) if lost and aspect in TURNED_AWAY else {aspect: lost}
        for each, count in parts.items():
            failed[each] = failed.get(each, 0) + count
    marks, killed = 0, False
    for aspect, number in failed.items():
        if number:
            added = damage_tally(aspect)
            read = counts((damage_faces(added.total),) * number, 2, ("suppression", "destroyed"))
            some, dead = battle.roll(side, "vehicle damage", f"{number}d6", read, ("9.5",), (added,), unit=unit.id)
            marks, killed = marks + some, killed or dead > 0
    return marks, killed


def _fail(battle: CompanyBattle, unit: Platoon, tally: Tally, number: int, what: str, rules: tuple[str, ...]) -> int:
    read = counts((tuple(int(face < tally.total) for face in range(1, 7)),) * number, words=("failed",))
    lost: int = battle.roll(unit.side, what, f"{number}d6", read, rules, (tally,), unit=unit.id)
    return lost


def _parts(battle: CompanyBattle, side: str, unit: Platoon, aspect: str, number: int) -> dict[str, int]:
    """Which part each hit strikes whose Save failed: the one turned away is hit from behind (9.7)."""
    read = counts((tuple(2 if _away(aspect, face) else 1 for face in range(1, 7)),) * number, 2, _PARTS[aspect])
    front, away = battle.roll(side, "part hit", f"{number}d6", read, ("9.7",), unit=unit.id)
    return {FRONT: front, BEHIND: away}


def _away(aspect: str, face: int) -> bool:
    """Whether a roll for the part hit finds the one that is turned away (9.7)."""
    return charts().part_hit.row(face).id == TURNED_AWAY.get(aspect)


# ---- everything in one throw, for odds -------------------------------------------------------------------------


@cache
def struck(armor: int, again: bool, aspects: tuple[str, ...]) -> Reader:
    """Reads hits on armour whole: two dice of 36 each, for Save and Save again, and for damage and part.

    The meaning is how many suppressions there are, and whether any hit destroys. Only throws are added to throws here:
    which faces do what is said by the rules above, and a test demands the same odds both ways.

    >>> read = struck(4, False, (FRONT,))
    >>> read((1, 36)), read((1, 19)), read((36, 36))
    ((0, True), (1, False), (0, False))
    """

    def of(aspect: str, first: int, second: int) -> int:
        save, once_more = divmod(first - 1, 6)
        damage, part = divmod(second - 1, 6)
        if save + 1 >= armor and (not again or once_more + 1 >= armor):
            return 0
        if aspect in TURNED_AWAY:
            aspect = BEHIND if _away(aspect, part + 1) else FRONT
        return damage_faces(damage_tally(aspect).total)[damage]

    def read(faces: Faces) -> tuple[int, bool]:
        found = [of(aspect, *faces[2 * n : 2 * n + 2]) for n, aspect in enumerate(aspects)]
        return found.count(1), 2 in found

    def spread(number: int, sides: int) -> dict[Any, int]:
        ways: dict[tuple[int, bool], int] = {(0, False): 1}
        for aspect in aspects:
            each = [of(aspect, *dice) for dice in product(range(1, sides + 1), repeat=2)]
            nothing, some, dead = (each.count(value) for value in range(3))
            after: dict[tuple[int, bool], int] = {}
            for (marks, killed), equal in ways.items():
                for key, count in (
                    ((marks, killed), nothing),
                    ((marks + 1, killed), some),
                    ((marks, True), dead),
                ):
                    if count:
                        after[key] = after.get(key, 0) + equal * count
            ways = after
        return ways

    read.spread = spread  # type: ignore[attr-defined]
    read.worth = sum  # type: ignore[attr-defined]
    return read


def _at_once(
    battle: CompanyBattle, unit: Platoon, team: str, hits: Mapping[str, int], again: bool, rules: tuple[str, ...]
) -> tuple[int, bool]:
    tally = save_tally(battle, unit, team)
    aspects = tuple(aspect for aspect, number in sorted(hits.items()) for _ in range(number))
    read = struck(tally.total, again, aspects)
    tallies = (tally, *map(damage_tally, sorted(hits)))
    marks, killed = battle.roll(
        unit.side, "armour Saves and damage", f"{2 * len(aspects)}d36", read, (*rules, "9.5"), tallies, unit=unit.id
    )
    return marks, killed
