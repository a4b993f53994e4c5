"""Rolling to damage troops and soft-skins (14, 15.2 to 15.4), and what follows: casualties, the check, pins (B24)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.core.ask import Procedure
from grognard.core.tally import Tally
from grognard.games.bolt_action import casualties, morale, pins
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.to_hit import DAMAGES, FaceValues, damage_faces, throw


class Blow(NamedTuple):
    """Hits of one class: how many, and what they need to damage.

    ``heavy`` hits come from a weapon with penetration, HE or fire (15.4); ``anywhere`` may fell any model (15.2);
    ``sure`` damage is always exceptional (27.1). ``rolled`` is the damage, plain and exceptional, where it was thrown
    with the hits for odds.
    """

    hits: int
    needed: Tally
    small: bool = False
    heavy: bool = False
    anywhere: bool = False
    sure: bool = False
    rolled: tuple[int, int] | None = None


def value(battle: BoltBattle, target: Unit) -> tuple[int, str, str]:
    """The damage value of a target: the number, the rule and what it goes by (14.1, 14.2)."""
    kind = battle.type(target)
    if kind.vehicle:
        found = charts().damage_classes[kind.damage_class]
        return found.value, found.rule, found.title
    quality = battle.quality(target)
    return quality.damage_value, "14.1", quality.title


def tally(battle: BoltBattle, target: Unit, pen: int, *, shield: bool = False, what: str = "To damage") -> Tally:
    """What a die needs to damage troops or a soft-skin: the damage value less the penetration (14.3).

    A gun shield makes it 1 harder (14.6); a natural 1 always fails (14.4).
    """
    number, rule, source = value(battle, target)
    found = Tally(what, number, rule, source)
    if pen:
        found.add("penetration", -pen, "14.3")
    if shield:
        modifier = charts().penetration["gun_shield"]
        found.add("gun_shield", -modifier.amount, modifier.rule)
    found.at_least(2, "one_always_fails", "14.4")
    return found


def faces_for_odds(battle: BoltBattle, target: Unit, needed: int, sure: bool = False) -> FaceValues:
    """What each face of a die to damage means, where hits and damage are thrown together for odds.

    Exceptional damage is left out on targets where nothing but its victim's name comes of it: shots take a man off a
    squad in any case.
    """
    told = battle.type(target).kind in ("hq", "team", "artillery")
    return damage_faces(needed, told and not sure)


def strike(
    battle: BoltBattle,
    side: str,
    target: Unit,
    blows: Sequence[Blow],
    *,
    visible: frozenset[str] | None = None,
    enemy: Unit | None = None,
    forced: tuple[str, ...] = (),
) -> Procedure[int]:
    """Roll all hits of an attack to damage and take what follows: the last steps of the sheet (B24); the men lost.

    ``visible`` are the models that direct fire can fell; ``forced`` the rules of a check that comes whatever the
    losses (17.16).
    """
    if battle.type(target).vehicle:
        _soft_skin(battle, side, target, blows)
        _afterwards(battle, target, 0, 0, forced)
        return 0
    before = len(battle.men(target))
    # 5. Roll to damage
    tolls: list[Toll] = []
    for blow in blows:
        toll, gun_hit = roll(battle, side, target, blow)
        tolls.append(toll)
        if gun_hit:
            morale.destroy(battle, target, ("15.4",), "loses its gun and is destroyed")
            return before
    # 6. Target takes casualties
    lost = yield from suffer(battle, side, target, tolls, visible=visible, enemy=enemy)
    # 7. Target checks morale
    _afterwards(battle, target, before, lost, forced)
    return lost


def roll(
    battle: BoltBattle,
    side: str,
    target: Unit,
    blow: Blow,
    rules: tuple[str, ...] = ("14.3", "14.4"),
    tallies: tuple[Tally, ...] = (),
) -> tuple[Toll, bool]:
    """Roll one class of hits: the toll, and whether a gun was destroyed by exceptional damage (15.3, 15.4).

    ``tallies`` tell how the number of dice came about.
    """
    needed = blow.needed.total
    if not blow.hits or needed > 6:
        return Toll(0, 0), False
    plain, doubled = blow.rolled or throw(
        battle,
        side,
        "damage",
        (damage_faces(needed, not blow.sure),) * blow.hits,
        again="exceptional damage",
        words=DAMAGES,
        otherwise=1,
        rules=rules,
        again_rules=("15.3",),
        tallies=(*tallies, blow.needed),
        unit=target.id,
    )
    if blow.sure:
        plain, doubled = 0, plain
    gun_hit = bool(doubled) and blow.heavy and battle.type(target).artillery
    return Toll(plain, doubled, blow.small, blow.anywhere), gun_hit


def suffer(
    battle: BoltBattle,
    side: str,
    target: Unit,
    tolls: Sequence[Toll],
    *,
    visible: frozenset[str] | None = None,
    enemy: Unit | None = None,
) -> Procedure[int]:
    """Take the casualties of an attack, after a medic did what he could (26.1); the men lost."""
    tolls = casualties.tend(battle, target, tolls)
    if not any(toll.men for toll in tolls):
        return 0
    return (yield from casualties.take(battle, target, side, tolls, visible=visible, enemy=enemy))


def _afterwards(battle: BoltBattle, target: Unit, before: int, lost: int, forced: tuple[str, ...]) -> None:
    """One morale check at most, then pins beyond endurance (15.5, 17.16, 6.3)."""
    if not battle.alive(target):
        return
    if forced:
        morale.check(battle, target, forced)
    elif casualties.must_check(battle, target, before, lost):
        morale.check(battle, target, ("15.5",))
    pins.settle(battle, target)


def _soft_skin(battle: BoltBattle, side: str, target: Unit, blows: Sequence[Blow]) -> None:
    """One point of damage destroys a soft-skinned vehicle (14.5)."""
    for blow in blows:
        if not blow.hits or blow.needed.total > 6:
            continue
        dice = (damage_faces(blow.needed.total, False),) * blow.hits
        damaged = blow.rolled or throw(
            battle,
            side,
            "damage",
            dice,
            again="",
            words=DAMAGES,
            rules=("14.3",),
            tallies=(blow.needed,),
            unit=target.id,
        )
        if any(damaged):
            morale.destroy(battle, target, ("14.5",), "is destroyed")
            return


def apply_hits(battle: BoltBattle, side: str, target: Unit, hits: int, source: str) -> Procedure[int]:
    """Hits of small arms that come from no unit: a fighter's guns, a wrecked transport (24.5, 26.6); the men lost.

    ``side`` is who rolls, ``source`` what they come from. Armour comes to no harm (14.4). Any model may fall (15.2).
    """
    if battle.type(target).armoured:
        pins.settle(battle, target)
        return 0
    blow = Blow(hits, tally(battle, target, 0, what=f"To damage, {source}"), small=True, anywhere=True)
    return (yield from strike(battle, side, target, [blow]))
