"""The odds of a fight at close quarters: all its rounds to the end as one throw (21.7 to 21.12, 27.3).

Drawn rounds lead to more rounds, far too many to walk one by one. But the men of a unit fall from two ends of one
line: its owner gives up whoever is missed least, exceptional damage takes whoever is missed most. So a fight is
told by four numbers, and the chances of all its ends can be added up.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from grognard.core.dice import Faces, Reader, counts, meanings
from grognard.games.bolt_action import casualties, damage, fire_events, morale
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import GUNNER, SPOTTER, Unit
from grognard.games.bolt_action.to_hit import Sort, damage_sort, doubled_sort

#: The chances are told to nine places: the throw is of nine dice with ten faces.
PLACES = 9

DRAWN = "drawn"
ATTACKER, DEFENDER, BOTH = "attacker", "defender", "both"


class Party(NamedTuple):
    """A unit as it fights: the attacks of each man, whoever is missed least first, and the faces that damage it.

    ``gunner`` is the place of the man with whom a small team is lost if exceptional damage takes him, -1 for none
    (15.6); ``crew`` whether a man can serve the team's weapon, all men of a squad.
    """

    attacks: tuple[int, ...]
    hurt: Sort
    gunner: int = -1
    crew: tuple[bool, ...] = ()
    fanatics: bool = False


class End(NamedTuple):
    """How a fight ends: the men that both have lost, and who is destroyed, or "drawn" where they part (21.11)."""

    ours: int
    theirs: int
    lost: str


class Left(NamedTuple):
    """Who of a party is left: the men from one place of its line up to another."""

    start: int
    stop: int


class Fallen(NamedTuple):
    """What a party's losses come to: who is left, how many fell, and whether that is the end of it."""

    left: Left
    men: int
    gone: bool


# ---- the throw ---------------------------------------------------------------------------------------


def fight(battle: BoltBattle, unit: Unit, target: Unit, together: bool) -> None:
    """Throw a whole fight, where only odds are wanted, and carry out how it ends."""
    from grognard.games.bolt_action import close_quarters

    ours, theirs = _party(battle, unit, target), _party(battle, target, unit)
    most = figures().number("close_quarters", "most_drawn_rounds")
    tallies = (
        close_quarters.attacks(battle, unit),
        damage.tally(battle, target, 0, what=f"To damage {battle.say(target)}"),
        damage.tally(battle, unit, 0, what=f"To damage {battle.say(unit)}"),
    )
    read = reader(ours, theirs, together, most)
    rules = ("21.7", "21.9", "21.11")
    end: End = battle.roll(unit.side, "close quarters", f"{PLACES}d10", read, rules, tallies, unit.id)
    for each, enemy, men, who in ((target, unit, end.theirs, DEFENDER), (unit, target, end.ours, ATTACKER)):
        if end.lost in (who, BOTH):
            rule = "21.12" if battle.type(each).artillery else "21.9"
            morale.destroy(battle, each, (rule,), "loses the fight and is destroyed")
        elif men:
            _take_off(battle, each, men, enemy)
    if end.lost == DRAWN:
        battle.emit(fire_events.Parted(side=unit.side, unit=unit.id, target=target.id, rules=("21.11",)))


def _take_off(battle: BoltBattle, unit: Unit, men: int, enemy: Unit) -> None:
    """Take the losses of all rounds off whoever has won."""
    dead = [model.id for model in casualties.usual(battle, unit, battle.men(unit), enemy)[:men]]
    unit.models = [model for model in unit.models if model.id not in dead]
    battle.touched(unit)
    battle.emit(fire_events.Losses(side=unit.side, unit=unit.id, men=men, models=tuple(dead), rules=("21.7", "15.1")))


def _party(battle: BoltBattle, unit: Unit, enemy: Unit) -> Party:
    """A unit as it stands at the beginning of the fight."""
    from grognard.games.bolt_action import close_quarters

    line = casualties.usual(battle, unit, battle.men(unit), enemy)
    team = battle.type(unit).kind == "team"
    roles = [model.role for model in line]
    return Party(
        tuple(close_quarters.attacks_of(battle, unit, model) for model in line),
        damage_sort(damage.tally(battle, unit, 0).total, True),
        roles.index(GUNNER) if team and GUNNER in roles else -1,
        tuple(not team or role != SPOTTER for role in roles),
        battle.has(unit, "fanatics"),
    )


@lru_cache(maxsize=512)
def reader(ours: Party, theirs: Party, together: bool, most: int) -> Reader:
    """Reads nine dice as the end of a fight, by the chances of all ends."""
    whole = 10**PLACES
    found = sorted(_ends(ours, theirs, together, most).items())
    ways = {end: round(chance * whole) for end, chance in found}
    likely = max(ways, key=lambda end: ways[end])
    ways[likely] += whole - sum(ways.values())
    ways = {end: count for end, count in ways.items() if count > 0}

    def read(faces: Faces) -> End:
        number = int("".join(str(face % 10) for face in faces))
        for end, count in ways.items():
            number -= count
            if number < 0:
                return end
        return likely

    def spread(number: int, sides: int) -> dict[Any, int]:
        return dict(ways)

    read.spread = spread  # type: ignore[attr-defined]
    read.worth = lambda end: end.theirs - end.ours  # type: ignore[attr-defined]
    return read


# ---- the rounds --------------------------------------------------------------------------------------


def _ends(ours: Party, theirs: Party, together: bool, most: int) -> dict[End, float]:
    """The chance of every end of a fight."""
    found: dict[End, float] = {}
    start = (Left(0, len(ours.attacks)), Left(0, len(theirs.attacks)))
    waiting: dict[tuple[Left, Left], float] = {}
    if together:
        waiting[start] = 1.0
    else:
        nothing = _first(ours, theirs, start, waiting, found)
        _stalemate(ours, theirs, start, nothing, most - 1, waiting, found)
    while waiting:
        # Whoever has lost fewest comes first: nobody comes back to a fight that was counted.
        pair = max(waiting, key=lambda pair: sum(each.stop - each.start for each in pair))
        _stalemate(ours, theirs, pair, waiting.pop(pair), most, waiting, found)
    return found


def _first(
    ours: Party,
    theirs: Party,
    pair: tuple[Left, Left],
    waiting: dict[tuple[Left, Left], float],
    found: dict[End, float],
) -> float:
    """The first round, in which the attackers strike before the defenders; the chance that nobody falls."""
    nothing = 0.0
    for they, chance in _struck(ours, pair[0], theirs, pair[1]):
        if they.gone:
            _add(found, End(0, they.men, DEFENDER), chance)
            continue
        for we, back in _struck(theirs, they.left, ours, pair[0]):
            if not we.men and not they.men:
                nothing += chance * back
            else:
                _judge(ours, theirs, we, they, chance * back, waiting, found)
    return nothing


def _stalemate(
    ours: Party,
    theirs: Party,
    pair: tuple[Left, Left],
    chance: float,
    rounds: int,
    waiting: dict[tuple[Left, Left], float],
    found: dict[End, float],
) -> None:
    """Rounds in which both strike at once, until somebody falls or the attackers step back (21.9, 21.11)."""
    if not chance:
        return
    we_fall = list(_struck(theirs, pair[1], ours, pair[0]))
    they_fall = list(_struck(ours, pair[0], theirs, pair[1]))
    idle = sum(c for f, c in we_fall if not f.men) * sum(c for f, c in they_fall if not f.men)
    times = sum(idle**n for n in range(rounds)) * chance
    for we, one in we_fall:
        for they, other in they_fall:
            if we.men or they.men:
                _judge(ours, theirs, we, they, times * one * other, waiting, found)
    _add(found, End(_lost(ours, pair[0]), _lost(theirs, pair[1]), DRAWN), chance * idle**rounds)


def _judge(
    ours: Party,
    theirs: Party,
    we: Fallen,
    they: Fallen,
    chance: float,
    waiting: dict[tuple[Left, Left], float],
    found: dict[End, float],
) -> None:
    """Who has lost a round, if anybody (21.9, 21.11, 27.3)."""
    end = ""
    if we.gone or they.gone:
        end = BOTH if we.gone and they.gone else ATTACKER if we.gone else DEFENDER
    elif we.men > they.men and not ours.fanatics:
        end = ATTACKER
    elif they.men > we.men and not theirs.fanatics:
        end = DEFENDER
    if end:
        _add(found, End(_lost(ours, we.left), _lost(theirs, they.left), end), chance)
    else:
        pair = we.left, they.left
        waiting[pair] = waiting.get(pair, 0.0) + chance


def _add(found: dict[End, float], end: End, chance: float) -> None:
    """Count an end; the losses of whoever is destroyed are not told."""
    end = End(
        0 if end.lost in (ATTACKER, BOTH) else end.ours, 0 if end.lost in (DEFENDER, BOTH) else end.theirs, end.lost
    )
    found[end] = found.get(end, 0.0) + chance


def _lost(party: Party, left: Left) -> int:
    return len(party.attacks) - (left.stop - left.start)


@lru_cache(maxsize=65536)
def _struck(party: Party, left: Left, enemy: Party, there: Left) -> tuple[tuple[Fallen, float], ...]:
    """What the attacks of who is left of a party do to who is left of its enemy, with the chance of each."""
    number = sum(party.attacks[left.start : left.stop])
    if not number:
        return ((Fallen(there, 0, False), 1.0),)
    read = counts((doubled_sort(enemy.hurt, 1),) * number, 2)
    whole = 36**number
    found: dict[Fallen, float] = {}
    for (plain, picked), ways in meanings(number, 36, read):
        fallen = _fall(enemy, there, plain, picked)
        found[fallen] = found.get(fallen, 0.0) + ways / whole
    return tuple(found.items())


def _fall(party: Party, left: Left, plain: int, picked: int) -> Fallen:
    """Who is left when some men fall: the enemy's pick from one end of the line, the owner's from the other."""
    standing = left.stop - left.start
    if plain + picked >= standing:
        return Fallen(left, standing, True)
    after = Left(left.start + plain, left.stop - picked)
    gone = after.stop <= party.gunner < left.stop or not any(party.crew[after.start : after.stop])
    return Fallen(after, plain + picked, gone)
