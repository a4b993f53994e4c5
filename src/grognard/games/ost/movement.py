"""Movement: the Move of a unit or group, step by step, and off the map (74, 75, 78.1, 78.2).

`travel.Travel` is one Move under way. A step follows the order of the rules: pay, hidden enemies, mines, strike
zone, Bog roll, wire, Opportunity Fire, control, facing (M-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from grognard.board.hex.arcs import turned
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import (
    artillery,
    control,
    crewed_weapons,
    fortifications,
    hidden,
    move_events,
    opportunity_fire,
    positions,
    results,
    stacking,
    support_weapons,
    terrain,
    transport,
    vehicle_movement,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IS_BROKEN, IS_USED, bar_over
from grognard.games.ost.luck import lasting
from grognard.games.ost.state import BROKEN, EXITED, GOOD, ON_MAP, Unit
from grognard.games.ost.terrain import Cost, say_points
from grognard.games.ost.travel import Travel, leave_behind, mark_moved, note_move, pay_step, put
from grognard.games.ost.unit_memory import Each, each_unit

NOT_ON_MAP = Bar("75.1", "it isn't on the map")
WITH_UNIT = Bar("15.7", "an attached Leader moves with his unit")
IN_VEHICLE = Bar("16.6", "an Armor Leader stays with his vehicle")
HAS_MOVED = Bar("75.2", "it has moved this turn")
PAIRED = Bar("81.10", "it is in Rolling Cover and moves only with its partner")
NOWHERE = Bar("75.6", "it has nowhere to go")
MELEE_THERE = Bar("101.5", "there is a Melee in the hex")
ENEMY_THERE = Bar("75.10", "an enemy unit is in the hex")
BY_TRANSPORT = Bar("79.10", "it moves to a new hex by transport only")
TOO_FAR = Bar("75.6", "it has too few Movement Points left")
TOO_MANY_WEAPONS = Bar("20.11", "a unit can carry only one support weapon while moving; it must drop the others first")
NO_EXIT = Bar("78.2", "its side can't leave the map here")


# ---- may it move at all ------------------------------------------------------------------------------------


def bar_action(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit has no Move to make now, wherever it would go (74.1, 75.2)."""
    if unit.status != ON_MAP:
        return NOT_ON_MAP
    if unit.attached:
        return IN_VEHICLE if battle.type(unit).armor_leader else WITH_UNIT
    if unit.moved:
        return HAS_MOVED
    if unit.morale == BROKEN:
        return IS_BROKEN
    if bar := bar_over(battle, unit):
        return bar
    if battle.used(unit):
        return IS_USED
    return vehicle_movement.bar_vehicle(unit) if unit.bogged or unit.immobilized else None


def bar_move(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not Move by itself (74.1, 75.2, 75.6, 81.10)."""
    if bar := bar_action(battle, unit):
        return bar
    if unit.partner:
        return PAIRED
    if unit.aboard:
        bar = transport.bar_unload(battle, unit)
        if bar is not None and terrain.road_and_structure(battle, unit.hex):
            bar = transport.bar_unload(battle, unit, road=True)
        return bar
    return None if _has_way(battle, unit) else NOWHERE


def _has_way(battle: OstBattle, unit: Unit) -> bool:
    """Whether a Move could do anything; the likely things first, because every unit is asked at every Impulse."""
    kind = battle.kinds[unit.kind]
    if kind.vehicle and battle.allowance(unit) >= vehicle_movement.pivot_points(battle):
        return True
    if kind.crewed and kind.covered_arc:
        return True
    if not kind.vehicle and any(bar_step(battle, [unit], hex) is None for hex in battle.grid.adjacent[unit.hex]):
        return True
    return next(acts(Travel(battle, [unit])), None) is not None


def bar_step(
    battle: OstBattle,
    movers: Sequence[Unit],
    hex: str,
    *,
    road: bool | None = None,
    reverse: bool = False,
    left: Sequence[int] | None = None,
) -> Bar | None:
    """Why units moving together may not step into a hex, as far as their side knows (72.4, 75.6-75.10).

    ``left`` are the half points each has left; None for the first step of a Move, which may be made whatever
    it costs (75.7).
    """
    unit = movers[0]
    start, side = unit.hex, unit.side
    if not battle.grid.direction(start, hex):
        return terrain.NOT_ADJACENT
    if hex in battle.at or hex in battle.state.melees:
        if bar := bar_occupied(battle, side, hex) or stacking.bar_stack(battle, side, hex, movers):
            return bar
    for number, mover in enumerate(movers):
        kind = battle.kinds[mover.kind]
        if kind.vehicle:
            if bar := vehicle_movement.bar_direction(battle, mover, hex, reverse):
                return bar
        elif kind.transport_only:
            return BY_TRANSPORT
        if bar := terrain.bar_entry(battle, mover, start, hex, road=road):
            return bar
        if left is not None:
            points = terrain.entry_points(battle, mover, start, hex, road=road, reverse=reverse)
            if points > left[number]:
                return TOO_FAR
        if kind.squad and len(battle.weapons(mover)) > 1:
            return TOO_MANY_WEAPONS
    return None


def bar_occupied(battle: OstBattle, side: str, hex: str) -> Bar | None:
    """Why normal movement may not enter a hex: a Melee, or an enemy unit that the side can see (75.10, 101.5)."""
    if hex in battle.state.melees:
        return MELEE_THERE
    for unit in battle.at.get(hex, ()):
        if unit.side != side and not unit.hidden:
            return ENEMY_THERE
    return None


# ---- a Move from beginning to end --------------------------------------------------------------------------


def options_move(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every unit that may Move (75)."""
    return each(battle, side, _move_of, reach=1)


def _move_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    if not unit.moved and bar_move(battle, unit) is None:
        yield Option(f"move {unit.id}", "Move", "move", unit.id, unit.hex, cost="1 IP", rule="75.1")


def act_move(battle: OstBattle, side: str, unit_id: str) -> Procedure[bool]:
    """Move a unit, its Leader and whoever rides on it: 1 point (15.7, 67.2, 75).

    True if Opportunity Fire halted it: the same side has the next Impulse (105.7).
    """
    unit = battle.unit(unit_id)
    battle.spend(side, battle.charts["impulse"]["cost_action"], "67.2")
    hidden.come_out(battle, unit)
    return (yield from travel(Travel(battle, [unit], double_time(battle, unit))))


def double_time(battle: OstBattle, unit: Unit) -> int:
    """The extra half points that a Luck card gives a good order squad in this Impulse (62.4)."""
    if not battle.type(unit).squad or unit.morale != GOOD:
        return 0
    card = lasting.use_boon(battle, unit.side, "extra_mp")
    return 2 * card.mp if card is not None else 0


def travel(move: Travel) -> Procedure[bool]:
    """Ask for step after step until the Move ends; then mark the movers (75.3, 74.6)."""
    battle = move.battle
    while not move.over:
        offered = acts(move)
        if (first := next(offered, None)) is None:
            break
        unit = move.movers[0]
        names = " and ".join(f"{battle.name(mover)}" for mover in move.movers)
        left = " and ".join(dict.fromkeys(say_points(max(0, points)) for points in move.left))
        answer = yield Ask(
            move.side,
            f"Move {names} in {unit.hex}: {left} MP left",
            partial(_options, move, first, offered),
            rule="75.1",
            about=(str(max(0, move.left[0])),),
        )
        if answer == "stop":
            break
        yield from _do(move, answer.split())
        move.acted = True
    for mover in move.movers:
        if mover.status == ON_MAP:
            mark_moved(battle, mover)
    return move.halted


def _options(move: Travel, first: Option, others: Iterator[Option]) -> list[Option]:
    """What is offered goes on from the first that was found: nothing changes while the question stands."""
    options = [first, *others]
    if move.acted:
        options.append(Option("stop", "Stop here", "stop", move.movers[0].id, move.movers[0].hex, rule="75.6"))
    return options


# ---- what may be done now ----------------------------------------------------------------------------------


def acts(move: Travel) -> Iterator[Option]:
    """Everything the movers may do next but stop; steps first."""
    unit = move.movers[0]
    if unit.aboard:
        yield from transport.unload_options(move, unit)
        return
    yield from _step_options(move)
    yield from vehicle_movement.turn_options(move)
    if not any(move.battle.kinds[mover.kind].vehicle for mover in move.movers):
        yield from positions.position_options(move, unit)
    if len(move.movers) == 1 and not move.battle.kinds[unit.kind].vehicle:
        yield from transport.load_options(move, unit)
    if move.entered:
        yield from crewed_weapons.gun_options(move)
    yield from support_weapons.weapon_options(move)
    yield from _exit_options(move, unit)


def _step_options(move: Travel) -> Iterator[Option]:
    battle, movers, grid = move.battle, move.movers, move.battle.grid
    left = None if move.fresh else move.left
    vehicle = next((m for m in movers if battle.kinds[m.kind].vehicle), None)
    start = movers[0].hex
    ways: list[tuple[str, str]]
    if vehicle is None:
        ways = [("step", hex) for hex in grid.adjacent[start]]
    else:
        ahead, behind = grid.neighbors[start][vehicle.facing], grid.neighbors[start][turned(vehicle.facing, 3)]
        ways = [(verb, hex) for verb, hex in (("step", ahead), ("reverse", behind)) if hex is not None]
    for verb, hex in ways:
        choices: tuple[tuple[str, bool | None], ...] = (("", None),)
        if terrain.road_and_structure(battle, hex):
            choices = (("", True),) if vehicle is not None else ((" road", True), (" building", False))
        for word, road in choices:
            if bar_step(battle, movers, hex, road=road, reverse=verb == "reverse", left=left) is None:
                points = max(
                    terrain.entry_points(battle, m, start, hex, road=road, reverse=verb == "reverse") for m in movers
                )
                where = {" road": ", on the road", " building": ", into the building"}.get(word, "")
                label = f"{'Reverse' if verb == 'reverse' else 'Go'} to {hex}{where}"
                yield Option(
                    f"{verb} {hex}{word}",
                    label,
                    verb,
                    movers[0].id,
                    hex,
                    cost=f"{say_points(points)} MP",
                    rule="76.9" if verb == "reverse" else "75.1",
                )


# ---- doing it ----------------------------------------------------------------------------------------------


def _do(move: Travel, words: list[str]) -> Procedure[None]:
    """Carry out an answer."""
    battle, unit, verb = move.battle, move.movers[0], words[0]
    if verb in ("step", "reverse"):
        road = {"road": True, "building": False}.get(words[2]) if len(words) > 2 else None
        if any(battle.kinds[mover.kind].vehicle for mover in move.movers):
            road = True  # 57.4, 80.5: who goes along with a vehicle keeps to its road
        yield from _step(move, words[1], road, verb == "reverse")
    elif verb == "unload":
        points = transport.unload_points(battle, unit, words[1:] == ["road"])
        move.pay(points)
        leave_behind(battle, unit)
        note_move(battle, unit, new_hex=True)
        yield from transport.unload(battle, unit, words[1:] == ["road"])
        move.entered = True  # 17.3: it came into the hex as much as one that walked
    elif verb == "pivot":
        vehicle_movement.pivot(move, int(words[1]))
    elif verb in ("inside", "outside", "road", "building"):
        positions.change_position(move, verb)
    elif verb == "load":
        note_move(battle, unit, new_hex=False)
        leave_behind(battle, unit)
        transport.load(battle, unit, battle.unit(words[1]))
        move.over = True
    elif verb == "man":
        squad = battle.unit(words[2]) if len(words) > 2 else unit
        note_move(battle, squad, new_hex=False)
        gun = crewed_weapons.man(battle, squad, battle.unit(words[1]))
        move.movers = [gun if mover is squad else mover for mover in move.movers]
        move.over = True
    elif verb == "destroy" and words[1] in battle.state.units:
        crewed_weapons.destroy_gun(battle, unit, battle.unit(words[1]))
    elif verb == "exit":
        _exit(move)
    else:
        actor = battle.unit(words[2]) if len(words) > 2 else unit
        support_weapons.handle(move, actor, battle.state.weapons[words[1]], verb)


def _step(move: Travel, hex: str, road: bool | None, reverse: bool) -> Procedure[None]:
    """Into the next hex, or no further than its edge if hidden enemies are there (73.8, M-1)."""
    battle, start = move.battle, move.movers[0].hex
    if hidden.hidden_enemies(battle, hex, move.side):
        move.over = True
        move.halted = yield from hidden.bump(battle, move.movers, hex)
        return
    costs = []
    for mover in move.movers:
        cost = terrain.entry_cost(battle, mover, start, hex, road=road, reverse=reverse)
        assert isinstance(cost, Cost), cost
        costs.append(cost)
    pay_step(move, costs)
    move.handled, move.stopped = [], False
    for mover, cost in zip(move.movers, costs):
        leave_behind(battle, mover)
        put(battle, mover, hex, road)
        note_move(battle, mover, new_hex=True)
        price = say_points(cost.points)
        rules = ("76.9" if reverse else "75.1", cost.tally.rule)
        moved = move_events.Reversed if reverse else move_events.Moved
        battle.emit(moved(side=mover.side, unit=mover.id, start=start, place=hex, cost=price, rules=rules))
    fortifications.drop_cover(battle, start)
    yield from entered(move, hex, costs)


def entered(move: Travel, hex: str, costs: list[Cost]) -> Procedure[None]:
    """What happens in a hex just entered, in the order of M-1."""
    battle = move.battle
    move.entered = True
    wired = (work := battle.state.works.get(hex)) is not None and work.kind == "wire"
    stopped = False
    for mover in move.movers:
        alive = yield from arrive(battle, mover, hex)
        stopped = stopped or not alive
    for mover, cost in zip(move.movers, costs):
        if mover.status == ON_MAP and battle.kinds[mover.kind].vehicle:
            bogged = vehicle_movement.bog_roll(battle, mover, cost)
            stopped = stopped or bogged
    movers = [mover for mover in move.movers if mover.status == ON_MAP]
    if wired:
        move.pay_all()
        for mover in movers:
            battle.emit(move_events.Halted(side=mover.side, unit=mover.id, place=hex, why="wire", rules=("30.3",)))
    if not movers:
        move.over = True
        return
    move.halted = yield from opportunity_fire.opportunity_fire(battle, movers)
    move.over = stopped or move.halted or len(movers) < len(move.movers)
    for mover in movers:
        if mover.status == ON_MAP:
            control.capture(battle, mover)
            if battle.kinds[mover.kind].vehicle and not move.over:
                yield from vehicle_movement.turn_after_step(battle, mover)


def arrive(battle: OstBattle, unit: Unit, hex: str) -> Procedure[bool]:
    """What waits for a unit that came into a hex by any means: mines, then strike zones (27.2, 107.14).

    False if it must stop there, or is lost.
    """
    effect: results.Effect = yield from fortifications.mines_attack(battle, unit)
    halted = effect.halted or effect.destroyed
    if battle.state.strikes and unit.status == ON_MAP:
        struck = yield from artillery.enter_zone(battle, unit, hex)
        halted = halted or struck
    return not halted


# ---- off the map (78.1, 78.2) ------------------------------------------------------------------------------


def bar_exit(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not leave the map from its hex (78.1, 78.2)."""
    exits = battle.scenario.exits.get(unit.side)
    return None if exits and unit.hex in exits and battle.grid.is_edge(unit.hex) else NO_EXIT


def _exit_options(move: Travel, unit: Unit) -> Iterator[Option]:
    battle = move.battle
    points = int(2 * battle.charts["movement"]["exit_map_mp"])
    if bar_exit(battle, unit) is None and points <= min(move.left):
        if not any(battle.kinds[mover.kind].transport_only for mover in move.movers):
            cost = f"{say_points(points)} MP"
            yield Option(f"exit {unit.hex}", "Leave the map", "exit", unit.id, unit.hex, cost=cost, rule="78.1")


def _exit(move: Travel) -> None:
    """Off the map with all who follow; they are neither lost nor casualties (78.1, M-15)."""
    battle, hex = move.battle, move.movers[0].hex
    for mover in move.movers:
        leave_behind(battle, mover)
        for each in stacking.company(battle, mover):
            battle.lift(each)
            each.status, each.moved = EXITED, True
        battle.emit(move_events.Exited(side=mover.side, unit=mover.id, place=hex, rules=("78.1",)))
    fortifications.drop_cover(battle, hex)
    move.over = True
