"""High explosive (18): shells that become many hits, their pins, falling buildings (25.5, 25.6), rockets (17.18)."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board.table.bodies import HAIR, gap_to_point
from grognard.core.ask import Procedure
from grognard.core.dice import counts
from grognard.core.tally import Tally
from grognard.games.bolt_action import armour, combined_throws, damage, fire_events, pins, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.collapse import collapse
from grognard.games.bolt_action.combined_throws import Shots
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.to_hit import combines, hit_faces


class ShellHits(NamedTuple):
    """What the shells of one rating came to: the hits of all, and whether one brought the building down (25.6)."""

    hits: int
    collapses: bool


def burst(battle: BoltBattle, side: str, target: Unit, rating: str, shells: int) -> ShellHits:
    """Each shell that hit troops or a soft-skin becomes as many hits as its dice show (18.2, 25.5)."""
    hits, collapses = 0, False
    most = charts().number("buildings", "collapse_hits")
    for _ in range(shells):
        found = weapons.roll_dice(battle, side, f"HE {rating}", rating, ("18.1", "18.2"), target.id)
        battle.emit(fire_events.Shelled(side=side, target=target.id, hits=found, rules=("18.2",)))
        hits += found
        collapses = collapses or bool(target.building and found >= most)
    return ShellHits(hits, collapses)


def foresee(battle: BoltBattle, side: str, target: Unit, rating: str, shells: int, needed: Tally) -> tuple[int, int]:
    """The damage of shells, plain and exceptional, thrown together with the hits they become: for odds only (18.2)."""
    shots = (Shots(0, rating, combined_throws.ALWAYS),) * shells
    read = combined_throws.reader(shots, damage.faces_for_odds(battle, target, needed.total))
    rules = ("18.1", "18.2", "14.3")
    _, plain, doubled = battle.roll(
        side, f"HE {rating} and damage", combined_throws.throw(shots), read, rules, (needed,), target.id
    )
    return plain, doubled


def pin(battle: BoltBattle, side: str, target: Unit, rating: str, shells: int) -> int:
    """The pins of shells: by the chart on troops and soft-skins (18.1, 18.3), one each on armour (18.5)."""
    if battle.type(target).armoured:
        return shells
    dice = charts().he[rating].pins
    return sum(weapons.roll_dice(battle, side, "pins", dice, ("18.3",), target.id) for _ in range(shells))


def shell(
    battle: BoltBattle,
    side: str,
    target: Unit,
    rating: str,
    *,
    source: str = "HE",
    rules: tuple[str, ...] = (),
    top: bool = True,
    pen: int | None = None,
) -> Procedure[None]:
    """One shell that has hit a unit: a barrage, a bomb or a rocket (17.18, 26.4, 26.6).

    Armour takes it as one hit with the shell's penetration, on top, and one pin (18.4, 18.5).
    """
    chart = charts().he[rating]
    pen = chart.pen if pen is None else pen
    if battle.type(target).armoured:
        pins.add(battle, target, pin(battle, side, target, rating, 1), "18.5")
        added = armour.penetration(
            battle, target, pen, face=armour.TOP if top else armour.FRONT, he=True, indirect=top, source=source
        )
        armour.strike(battle, side, target, added, source, indirect=top)
        pins.settle(battle, target)
        return
    needed = damage.tally(battle, target, pen)
    blow = damage.Blow(1, needed, heavy=True, anywhere=True)
    if combines(battle) and not target.building:
        blow = blow._replace(rolled=foresee(battle, side, target, rating, 1, needed))
    else:
        found = burst(battle, side, target, rating, 1)
        if found.collapses:
            collapse(battle, target.building)
            return
        blow = blow._replace(hits=found.hits)
    pins.add(battle, target, pin(battle, side, target, rating, 1), "18.3")
    yield from damage.strike(battle, side, target, [blow])


def salvo(battle: BoltBattle, unit: Unit, target: Unit, rating: str, tally: Tally) -> Procedure[None]:
    """Rockets come down about a point: every unit within 6 in of it is hit on a natural 6, always (17.18)."""
    hull = battle.bodies(target)[0]
    far = charts().distance("indirect_fire", "launcher_radius") + HAIR
    under = [
        other
        for other in battle.units()
        if other is not unit and any(gap_to_point(body, hull.x, hull.y) <= far for body in battle.bodies(other))
    ]
    for other in under:
        if not battle.alive(other):
            continue
        values = hit_faces(tally.total)
        if battle.roll(unit.side, "rockets", "1d6", counts((values,)), ("17.18",), (tally,), other.id):
            battle.emit(fire_events.Rocketed(side=unit.side, target=other.id, rules=("17.18",)))
            yield from shell(battle, unit.side, other, rating, source="rockets", rules=("17.18",))
