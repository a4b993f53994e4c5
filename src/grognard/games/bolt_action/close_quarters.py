"""Close quarters (21): assaults of infantry, the reactions to them, the rounds of the fight and the regroup."""

from __future__ import annotations

from grognard.board.table.bodies import HAIR, Body, overlaps
from grognard.board.table.places import exactly
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.tally import Tally
from grognard.games.bolt_action import (
    buildings,
    casualties,
    charge,
    damage,
    fire_events,
    fubar,
    line_of_sight,
    morale,
    order_tests,
    pins,
    reactions,
    regroup,
    vehicle_assault,
    weapons,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.move_events import FellShort
from grognard.games.bolt_action.shooting import procedure
from grognard.games.bolt_action.shooting.targets import bar as bar_shot
from grognard.games.bolt_action.shooting.weapon_groups import ASSAULT
from grognard.games.bolt_action.state import DOWN, Unit
from grognard.kits.table.charging import step_back
from grognard.kits.table.state import ABOARD, ON_TABLE


def bar(battle: BoltBattle, unit: Unit, target: Unit) -> Bar | None:
    """Why a unit may not assault another (21.2, 22.1); None if it may try."""
    if not battle.type(unit).infantry:
        return Bar("21.2", "only infantry can assault")
    if unit.status == ABOARD:
        return Bar("24.3", "a unit that gets out of a vehicle can't assault")
    if unit.status != ON_TABLE or not unit.models:
        return Bar("21.2", "it isn't on the table")
    if target.side == unit.side:
        return Bar("21.2", "you can assault only enemies")
    if target.status != ON_TABLE or not target.models:
        return Bar("21.2", "there is no enemy to assault")
    if battle.type(target).vehicle and (found := vehicle_assault.bar(battle, target)):
        return found
    if charts().rates[battle.type(unit).moves_as].run <= 0:
        return Bar("23.3", "it can't run")
    if not line_of_sight.sees(battle, unit, target):
        return Bar("21.2", "it isn't in sight")
    if charge.out_of_reach(battle, unit, target):
        away = exactly(charge.gap(battle, unit, target), battle.measure)
        return Bar("21.2", f"it is {away} away, farther than the assault can go")
    return None


def targets(battle: BoltBattle, unit: Unit) -> list[Unit]:
    """The enemy units that a unit may assault with a Run: seen, and no farther away than it goes (21.2)."""
    if unit.status != ON_TABLE or not battle.type(unit).infantry:
        return []
    # Who is out of reach need not be looked for.
    far = charge.paces(battle, unit)[0]
    found = [enemy for enemy in battle.enemies(unit.side) if enemy.models and _might_reach(battle, unit, enemy, far)]
    line_of_sight.looks_of(battle).at(unit, found)
    return [enemy for enemy in found if bar(battle, unit, enemy) is None]


def _might_reach(battle: BoltBattle, unit: Unit, enemy: Unit, far: int) -> bool:
    """Whether an enemy is anywhere near; how far it is from or to a building is measured at its openings (25.3)."""
    return bool(unit.building or enemy.building) or battle.gap(unit, enemy) <= far


def option(battle: BoltBattle, unit: Unit, target: Unit) -> Option:
    """The option of an assault; of one that cannot get there it says that it stops short, and why (21.2, 9.10)."""
    label = f"Assault {battle.name(target)}"
    if not charge.can_reach(battle, unit, target):
        full, slow = (exactly(pace, battle.measure) for pace in charge.paces(battle, unit))
        rough = f", or {slow} through rough ground" if slow != full else ""
        label += f" (would stop short: no way to it within {full}{rough})"
    return Option(f"assault {target.id}", label, "assault", unit.id, target=target.id, rule="21.2")


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
    together = strikes_together(battle, unit, target)
    inside = target.building
    start = len(battle.log)
    reached = yield from charge.charge(battle, unit, target)
    if reached != "contact" or not battle.alive(unit) or not battle.alive(target):
        told = any(isinstance(event, FellShort) for event in battle.log[start:])
        if battle.alive(unit) and not told:
            battle.emit(fire_events.AssaultFails(side=unit.side, unit=unit.id, target=target.id, rules=("21.2",)))
        return
    battle.state.scratch.fighting = (unit.id, target.id)
    rules = ("21.5", "21.8") if together else ("21.5",)
    battle.emit(fire_events.Contact(side=unit.side, unit=unit.id, target=target.id, together=together, rules=rules))
    pins.remove(battle, target, target.pins, "21.6")
    if battle.type(target).vehicle:
        yield from vehicle_assault.fight(battle, unit, target)
    else:
        yield from fight(battle, unit, target, together)
    battle.state.scratch.fighting = ()
    yield from _regroup(battle, unit, target, inside)


def _dares(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """The test before men without anti-tank weapons go for a tank (22.3)."""
    extra = charts().number("order_test", "assault_armour_without_at")
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
    near = charts().distance("close_quarters", "reaction_fire_if_start_over")
    if charge.gap(battle, unit, target) <= near + HAIR:
        return Bar("21.4", "the assault starts too near")
    return bar_shot(battle, target, unit, False, ASSAULT)


def _react(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[None]:
    """The target escapes (16.9), or shoots at assaulters who start far enough away (21.3)."""
    done = yield from reactions.target_reacts(battle, unit, target, "assault")
    if done or target.status != ON_TABLE or bar_reaction_fire(battle, unit, target):
        return
    # What a unit does in its own defence uses no die and needs none (21.3).
    yield from procedure.shoot(battle, target, moved=False, at=unit.id, reaction=ASSAULT)


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
    most = charts().number("close_quarters", "most_drawn_rounds")
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
    now = charts()
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
    step = charts().distance("close_quarters", "moved_back")
    battle.emit(fire_events.Parted(side=unit.side, unit=unit.id, target=target.id, rules=("21.11",)))
    others = [*battle.everybody([unit]), *battle.wreck_bodies()]

    def free(body: Body) -> bool:
        on_table = 0 <= body.x <= battle.table.width and 0 <= body.y <= battle.table.height
        return on_table and not overlaps(body, others)

    moved = step_back(battle.bodies(unit), battle.bodies(target), step, free)
    if moved:
        for model, (x, y) in zip(unit.models, moved):
            model.x, model.y = x, y
        unit.moved = battle.state.turn
        battle.invalidate(unit)


def _regroup(battle: BoltBattle, unit: Unit, target: Unit, inside: str) -> Procedure[None]:
    """Whoever is left regroups: a building that was fought for is his, otherwise he may move D6 in (21.10, 25.7)."""
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
    if winner.building or not battle.type(winner).infantry:
        return
    if not battle.state.scratch.spilled:
        battle.settled()  # who stands where afterwards changes nobody's fate
    dice = str(battle.charts["movement_figures"]["regroup"])
    inches = weapons.roll_dice(battle, winner.side, "regroup", dice, ("21.10",), winner.id)
    yield from regroup.regroup(battle, winner, inches)
