"""Handfuls (13.1): the shots of a volley that do the same are thrown together.

Every die has its own number, and the handful's tallies say how many shots need what. For odds a handful is thrown
with the damage of its hits (`combined_throws`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.core.tally import Tally
from grognard.games.bolt_action import combined_throws, damage, fire_events, to_hit, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.combined_throws import Shots
from grognard.games.bolt_action.shooting.volley import Burst, Pool
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.positions import position_cache


class Scored(NamedTuple):
    """A handful after it was thrown; ``rolled`` is its damage where that was thrown with it, for odds."""

    pool: Pool
    bursts: tuple[Burst, ...]
    shots: int
    hits: int
    rolled: tuple[int, int] | None = None


def throw(battle: BoltBattle, unit: Unit, target: Unit, pool: Pool, bursts: tuple[Burst, ...]) -> Scored:
    """Throw a handful to hit. Small arms at an enclosed armoured vehicle do nothing and are not thrown (6.5, 14.4)."""
    if pool.small and battle.type(target).enclosed:
        battle.emit(fire_events.Harmless(side=unit.side, target=target.id, rules=("6.5", "14.4")))
        return Scored(pool, bursts, 0, 0)
    if to_hit.combines(battle) and not pool.he and not battle.type(target).armoured:
        return _with_damage(battle, unit, target, pool, bursts)
    thrown_dice, tallies = _handful(battle, unit, bursts)
    rules = ("17.8",) if pool.indirect else ("13.1", "17.19")
    plain, doubled = to_hit.throw(
        battle,
        unit.side,
        "to hit",
        thrown_dice,
        again="six after six to hit",
        words=to_hit.HITS,
        rules=rules,
        again_rules=("13.12",),
        tallies=tallies,
        unit=unit.id,
    )
    return Scored(pool, bursts, len(thrown_dice), plain + doubled)


def _handful(
    battle: BoltBattle, unit: Unit, bursts: tuple[Burst, ...]
) -> tuple[tuple[to_hit.FaceValues, ...], tuple[Tally, ...]]:
    """The dice of a handful, and the tallies of what they need; kept unless a die tells how many there are."""
    kept = position_cache(battle)
    key = ("handful", unit.id, id(bursts))
    found: tuple[object, tuple[to_hit.FaceValues, ...], tuple[Tally, ...]] | None = kept.get(key)
    if found is not None and found[0] is bursts:
        return found[1], found[2]
    thrown_dice, tallies = _count_shots(battle, unit, bursts)
    if not any(burst.dice for burst in bursts):
        kept[key] = bursts, tuple(thrown_dice), tallies
    return tuple(thrown_dice), tallies


def _count_shots(
    battle: BoltBattle, unit: Unit, bursts: tuple[Burst, ...]
) -> tuple[list[to_hit.FaceValues], tuple[Tally, ...]]:
    """Count the shots of a handful, rolling for those of flamethrowers (17.14)."""
    thrown_dice: list[to_hit.FaceValues] = []
    thrown: list[tuple[Burst, str]] = []
    # The easiest shots come first, whoever fires them: the same handful is then worked out once.
    for burst in sorted(bursts, key=lambda burst: burst.needed.total):
        number = burst.shots
        if burst.dice:
            number = weapons.roll_dice(battle, unit.side, "shots", burst.dice, ("17.14",), unit.id)
        thrown_dice += [to_hit.hit_faces(burst.needed.total)] * number
        # Odds tell the dice: how many they come to is another on every path.
        thrown.append((burst, burst.dice if burst.dice and battle.for_odds else str(number)))
    return thrown_dice, _told(battle, unit, thrown)


def _told(battle: BoltBattle, unit: Unit, thrown: Sequence[tuple[Burst, str]]) -> tuple[Tally, ...]:
    """What the shots of a handful need: a tally for each kind, with how many there are of it, or which dice tell."""
    told: dict[tuple[str, tuple[object, ...]], tuple[Tally, list[str]]] = {}
    for burst, number in thrown:
        title = battle.weapon(unit, burst.firer.held.slot).title
        key = (title, tuple(burst.needed.lines))
        told.setdefault(key, (burst.needed, []))[1].append(number)
    found: list[Tally] = []
    for (title, _), (tally, numbers) in told.items():
        count = str(sum(map(int, numbers))) if all(map(str.isdigit, numbers)) else " + ".join(numbers)
        if count != "0":
            what = f"{tally.what}, {count} × {title.lower()}"
            found.append(Tally(what, tally.base, tally.rule, tally.source, tally.lines))
    return tuple(found)


def _with_damage(battle: BoltBattle, unit: Unit, target: Unit, pool: Pool, bursts: tuple[Burst, ...]) -> Scored:
    """Throw a handful with the damage of its hits, where only odds are wanted: it comes to the same, on few paths."""
    kept = position_cache(battle)
    needed = damage.tally(battle, target, pool.pen, shield=pool.shield, what=to_damage(pool))
    key = ("with damage", unit.id, id(bursts), needed.total)
    found: tuple[object, tuple[Shots, ...], tuple[Tally, ...]] | None = kept.get(key)
    if found is None or found[0] is not bursts:
        ordered = sorted(bursts, key=lambda burst: burst.needed.total)
        shots = tuple(Shots(burst.shots, burst.dice, to_hit.hit_faces(burst.needed.total)) for burst in ordered)
        tallies = _told(battle, unit, [(burst, burst.dice or str(burst.shots)) for burst in ordered])
        found = kept[key] = bursts, shots, (*tallies, needed)
    _, shots, tallies = found
    read = combined_throws.reader(shots, damage.faces_for_odds(battle, target, needed.total, pool.scoped))
    dice, rules = combined_throws.throw(shots), ("13.1", "14.3")
    hit, plain, exceptional = battle.roll(unit.side, "to hit and damage", dice, read, rules, tallies, unit.id)
    return Scored(pool, bursts, len(bursts), int(hit), (plain, exceptional))


def to_damage(pool: Pool) -> str:
    """What the number to damage is called."""
    return "To damage, small arms" if pool.small else f"To damage, penetration {pool.pen}"
