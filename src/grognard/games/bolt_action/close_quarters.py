"""Close quarters (21): assaults of infantry, the reactions to them, the rounds of the fight and the regroup."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.board.table.bodies import HAIR, overlaps
from grognard.board.table.places import exactly
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.tally import Tally
from grognard.games.bolt_action import (
    casualties,
    charge,
    damage,
    fire_events,
    firing,
    line_of_sight,
    morale,
    order_tests,
    pins,
    reactions,
    shooting,
    vehicle_assault,
    weapons,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.move_events import FellShort
from grognard.games.bolt_action.state import ABOARD, DOWN, ON_TABLE, Unit
from grognard.games.bolt_action.stations import ASSAULT


def bar(battle: BoltBattle, unit: Unit, target: Unit) -> Bar | None:
    """Why a unit may not assault another (21.2, 22.1); None if it may try."""
    if not battle.type(unit).infantry:
        return Bar("21.2", "only infantry may assault")
    if unit.status == ABOARD:
        return Bar("24.3", "whoever gets out of a vehicle does not assault")
    if unit.status != ON_TABLE or not unit.models:
        return Bar("21.2", "it is not on the table")
    if target.side == unit.side:
        return Bar("21.2", "only enemies are assaulted")
    if target.status != ON_TABLE or not target.models:
        return Bar("21.2", "there is nobody to assault")
    if battle.type(target).vehicle and (found := vehicle_assault.bar(battle, target)):
        return found
    if figures().rates[battle.type(unit).moves_as].run <= 0:
        return Bar("23.3", "it cannot run")
    if not line_of_sight.sees(battle, unit, target):
        return Bar("21.2", "it is not in sight")
    if charge.out_of_reach(battle, unit, target):
        away = exactly(charge.gap(battle, unit, target))
        return Bar("21.2", f"it is {away} away, farther than the assault can go")
    return None


def option(battle: BoltBattle, unit: Unit, target: Unit) -> Option:
    """The option of an assault. One whose way round is too long stops short and meets nobody: it is aimed at no one."""
    short = not charge.can_reach(battle, unit, target)
    label = f"Assault {battle.say(target)}" + (" (the way is too long: would stop short)" if short else "")
    return Option(f"assault {target.id}", label, "assault", unit.id, target="" if short else target.id, rule="21.2")


def assault(battle: BoltBattle, unit: Unit, target: Unit, *, tested: bool = False) -> Procedure[None]:
    """An assault from its declaration to the regroup (21.1).

    Without anti-tank weapons an assault on enclosed armour takes a test at -3 first, unless it was ``tested`` with
    the order (22.3).
    """
    if not tested and vehicle_assault.needs_test(battle, unit, target):
        if not (yield from _dares(battle, unit)):
            return
    battle.emit(fire_events.Assaults(side=unit.side, unit=unit.id, target=target.id, rules=("21.1", "21.2")))
    yield from _react(battle, unit, target)
    if not battle.alive(unit) or target.status != ON_TABLE:
        return
    if battle.type(target).vehicle and vehicle_assault.bar(battle, target):
        # It has made off with a Run as it reacted, however far it went (16.9, 22.1).
        battle.emit(fire_events.AssaultFails(side=unit.side, unit=unit.id, target=target.id, rules=("22.1",)))
        return
    from grognard.games.bolt_action import movement

    together = strikes_together(battle, unit, target)
    inside = target.building
    start = len(battle.log)
    reached = yield from movement.charge(battle, unit, target)
    if reached != "contact" or not battle.alive(unit) or not battle.alive(target):
        told = any(isinstance(event, FellShort) for event in battle.log[start:])
        if battle.alive(unit) and not told:
            battle.emit(fire_events.AssaultFails(side=unit.side, unit=unit.id, target=target.id, rules=("21.2",)))
        return
    memory = battle.state.memory
    memory[shooting.FIGHTING] = [unit.id, target.id]
    rules = ("21.5", "21.8") if together else ("21.5",)
    battle.emit(fire_events.Contact(side=unit.side, unit=unit.id, target=target.id, together=together, rules=rules))
    pins.remove(battle, target, target.pins, "21.6")
    if battle.type(target).vehicle:
        yield from vehicle_assault.fight(battle, unit, target)
    else:
        yield from fight(battle, unit, target, together)
    memory.pop(shooting.FIGHTING, None)
    yield from _regroup(battle, unit, target, inside)


def _dares(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """The test before men without anti-tank weapons go for a tank (22.3)."""
    from grognard.games.bolt_action import fubar

    extra = figures().number("order_test", "assault_armour_without_at")
    result = order_tests.take(battle, unit, [("without_at", extra, "22.3")])
    if result == order_tests.FUBAR:
        yield from fubar.happen(battle, unit)
    elif result != order_tests.PASS:
        morale.put_down(battle, unit, "3.6")
    return result == order_tests.PASS


# ---- the target reacts (21.3, 21.4, 22.4, 22.12) -----------------------------------------------------


def bar_reaction_fire(battle: BoltBattle, unit: Unit, target: Unit) -> Bar | None:
    """Why the target of an assault cannot shoot at the assaulters (21.3, 21.4, 22.12); None if it can."""
    if target.die == DOWN:
        return Bar("21.3", "it is Down")
    near = figures().distance("close_quarters", "reaction_fire_if_start_over")
    if charge.gap(battle, unit, target) <= near + HAIR:
        return Bar("21.4", "the assault starts too near")
    return shooting.bar(battle, target, unit, False, ASSAULT)


def _react(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[None]:
    """The target escapes (16.9), or shoots at assaulters who start far enough away (21.3)."""
    done = yield from reactions.target_reacts(battle, unit, target, kind="assault")
    if done or battle.ahead or target.status != ON_TABLE or bar_reaction_fire(battle, unit, target):
        return
    # What a unit does in its own defence uses no die and needs none (21.3).
    yield from firing.fire(battle, target, moved=False, at=unit.id, reaction=ASSAULT)


def strikes_together(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether both sides strike at once in the first round: a building, or an obstacle to be crossed (21.8)."""
    if battle.type(target).vehicle:
        return False  # it does not strike at all (22.10)
    if target.building:
        return True
    return charge.crosses_obstacle(battle, unit, target)


# ---- the fight (21.7 to 21.13) -----------------------------------------------------------------------


def fight(battle: BoltBattle, unit: Unit, target: Unit, together: bool) -> Procedure[None]:
    """Fight round after round until one side is destroyed, or nobody falls for too long (21.9, 21.11)."""
    most = figures().number("close_quarters", "most_drawn_rounds")
    bloodless = 0
    while battle.alive(unit) and battle.alive(target):
        ours, theirs = yield from _round(battle, unit, target, together)
        together = True
        if not battle.alive(unit) or not battle.alive(target):
            return
        loser = _loser(battle, unit, target, ours, theirs)
        winner = "" if loser is None else battle.other(loser.side)
        battle.emit(
            fire_events.RoundOver(
                side=winner, unit=unit.id, target=target.id, ours=ours, theirs=theirs, rules=("21.9",)
            )
        )
        if loser is not None:
            rule = "21.12" if battle.type(loser).artillery else "21.9"
            morale.destroy(battle, loser, (rule,), "loses the fight and is destroyed")
            return
        bloodless = 0 if ours or theirs else bloodless + 1
        if bloodless >= most:
            _part(battle, unit, target)
            return


def _loser(battle: BoltBattle, unit: Unit, target: Unit, ours: int, theirs: int) -> Unit | None:
    """Who lost more men; a round that Fanatics lose is a draw while any of them lives (21.9, 27.3)."""
    if ours == theirs:
        return None
    loser = unit if ours > theirs else target
    return None if battle.has(loser, "fanatics") else loser


def attacks(battle: BoltBattle, unit: Unit) -> Tally:
    """How many attacks a unit has: one a man, two with an Assault weapon, one more for Tough Fighters (21.7, 27.2)."""
    now = figures()
    men = battle.men(unit)
    found = Tally("Attacks", len(men) * now.number("close_quarters", "attacks"), "21.7", "one for each man")
    more = now.number("close_quarters", "attacks_with_assault_weapon") - now.number("close_quarters", "attacks")
    armed = sum(any(battle.weapon(unit, index).assault for index in model.arms) for model in men)
    if armed:
        found.add("assault_weapons", armed * more, "17.3")
    if battle.has(unit, "tough_fighters"):
        found.add("tough_fighters", len(men) * now.number("close_quarters", "tough_fighters_extra"), "27.2")
    return found


def _strike(battle: BoltBattle, unit: Unit, target: Unit) -> Toll:
    """Every man of a unit rolls to damage; there is no roll to hit and no modifier (21.7)."""
    number = attacks(battle, unit)
    needed = damage.tally(battle, target, 0, what="To damage, close quarters")
    blow = damage.Blow(number.total, needed, small=False, anywhere=True)
    toll, _ = damage.roll(battle, unit.side, target, blow, ("21.7", "14.4"), (number,))
    return toll


def _round(battle: BoltBattle, unit: Unit, target: Unit, together: bool) -> Procedure[tuple[int, int]]:
    """One round: the attackers strike, then what is left of the defenders, or both at once; the losses of both."""
    if together:
        against_target, against_unit = _strike(battle, unit, target), _strike(battle, target, unit)
        theirs = yield from _fall(battle, target, unit, against_target)
        ours = yield from _fall(battle, unit, target, against_unit)
        return ours, theirs
    theirs = yield from _fall(battle, target, unit, _strike(battle, unit, target))
    if not battle.alive(target):
        return 0, theirs
    ours = yield from _fall(battle, unit, target, _strike(battle, target, unit))
    return ours, theirs


def _fall(battle: BoltBattle, unit: Unit, enemy: Unit, toll: Toll) -> Procedure[int]:
    """Casualties of close quarters: anybody may fall, and no check is taken for them (21.13)."""
    if not toll.men:
        return 0
    rules = ("21.7", "15.1")
    return (yield from casualties.take(battle, unit, enemy.side, [toll], enemy=enemy, rules=rules))


def _part(battle: BoltBattle, unit: Unit, target: Unit) -> None:
    """After five rounds in which nobody fell the attackers step back 1 in (21.11)."""
    step = figures().distance("close_quarters", "moved_back")
    battle.emit(fire_events.Parted(side=unit.side, unit=unit.id, target=target.id, rules=("21.11",)))
    there = battle.bodies(target)
    middle = (sum(body.x for body in there) / len(there), sum(body.y for body in there) / len(there))
    others = [*battle.everybody([unit]), *battle.wreck_bodies()]
    for turn in (0, 30, -30, 60, -60, 90, -90):
        moved = _stepped(battle, unit, middle, step, turn)
        inside = all(0 <= x <= battle.table.width and 0 <= y <= battle.table.height for x, y in moved)
        if inside and not any(overlaps(body.at(x, y), others) for body, (x, y) in zip(battle.bodies(unit), moved)):
            for model, (x, y) in zip(unit.models, moved):
                model.x, model.y = x, y
            unit.moved = battle.state.turn
            battle.touched(unit)
            return


def _stepped(
    battle: BoltBattle, unit: Unit, middle: tuple[float, float], step: int, turn: int
) -> Sequence[tuple[int, int]]:
    """Where the men of a unit would stand a step away from a point, all in the same direction."""
    ours = battle.bodies(unit)
    dx = sum(body.x for body in ours) / len(ours) - middle[0]
    dy = sum(body.y for body in ours) / len(ours) - middle[1]
    way = math.atan2(dy, dx) + math.radians(turn)
    return [(round(b.x + step * math.cos(way)), round(b.y + step * math.sin(way))) for b in ours]


def _regroup(battle: BoltBattle, unit: Unit, target: Unit, inside: str) -> Procedure[None]:
    """Whoever is left regroups: a building that was fought for is his, otherwise he may move D6 in (21.10, 25.7)."""
    from grognard.games.bolt_action import buildings, movement

    standing = [each for each in (unit, target) if battle.alive(each)]
    if battle.type(target).vehicle:
        winner = unit if battle.alive(unit) else None
    else:
        winner = standing[0] if len(standing) == 1 else None
    if winner is None:
        return
    if winner is unit and inside and not battle.alive(target):
        if buildings.bar_occupy(battle, unit, inside) is None:
            buildings.occupy(battle, unit, inside)
            return
    if winner.building or battle.ahead or not battle.type(winner).infantry:
        return
    inches = weapons.roll_dice(battle, winner.side, "regroup", "D6", ("21.10",), winner.id)
    yield from movement.regroup(battle, winner, inches)
