"""Entering the map: reinforcements come on in an Impulse, with Leader, passengers and weapons (78.3, 78.4)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.hex.arcs import turned
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import hidden, move_events, movement, stacking, terrain, transport
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import OFF_MAP, Unit
from grognard.games.ost.terrain import Cost, say_points
from grognard.games.ost.travel import Travel, note_move, pay_step, put

NOT_OFF_MAP = Bar("78.3", "it isn't waiting off the map")
NOT_DUE = Bar("111.2", "it is not due yet")
NO_ENTRY = Bar("78.3", "none of its entry hexes is open")


def bar_enter(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not come onto the map now (78.3, 78.4, M-16)."""
    if unit.status != OFF_MAP:
        return NOT_OFF_MAP
    if unit.attached or unit.aboard:
        return movement.WITH_UNIT if unit.attached else transport.NO_VEHICLE
    if battle.state.turn > unit.due:
        return NOT_DUE
    if unit.moved:
        return movement.HAS_MOVED
    if battle.kinds[unit.kind].transport_only:
        return movement.BY_TRANSPORT
    return None if any(_entry_ways(battle, unit)) else NO_ENTRY


def bar_entry_hex(battle: OstBattle, unit: Unit, hex: str, road: bool | None = None) -> Bar | None:
    """Why a unit may not enter the map in a hex."""
    if hex not in unit.entry:
        return NO_ENTRY
    return (
        movement.bar_occupied(battle, unit.side, hex)
        or stacking.bar_stack(battle, unit.side, hex, [unit])
        or terrain.bar_entry(battle, unit, "", hex, road=road)
    )


def _entry_ways(battle: OstBattle, unit: Unit) -> Iterator[tuple[str, str, bool | None]]:
    """The hexes by which a unit may enter, with the word for road or building where there is a choice."""
    foot = battle.kinds[unit.kind].foot
    for hex in unit.entry:
        choices: tuple[tuple[str, bool | None], ...] = (("", None),)
        if foot and terrain.road_and_structure(battle, hex):
            choices = ((" road", True), (" building", False))
        for word, road in choices:
            if bar_entry_hex(battle, unit, hex, road) is None:
                yield hex, word, road


def options_enter(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every unit waiting off the map that may come on (78.3)."""
    for unit in battle.state.units.values():
        if unit.status == OFF_MAP and unit.side == side and bar_enter(battle, unit) is None:
            yield Option(f"enter {unit.id}", "Enter the map", "enter", unit.id, cost="1 IP", rule="78.3")


def act_enter(battle: OstBattle, side: str, unit_id: str) -> Procedure[bool]:
    """Bring a unit onto the map with its Leader, passengers and weapons, and move on with what is left (78.3).

    True if Opportunity Fire halted it.
    """
    unit = battle.unit(unit_id)
    yield from _attach_on_entry(battle, unit)
    ways = list(_entry_ways(battle, unit))
    hex, _, road = ways[0]
    if len(ways) > 1:
        options = [
            Option(
                f"at {to}{word}",
                f"Enter at {to}{word}",
                "enter",
                unit.id,
                to,
                cost=f"{say_points(terrain.entry_points(battle, unit, '', to, road=way))} MP",
                rule="78.3",
            )
            for to, word, way in ways
        ]
        answer = yield Ask(side, f"Where does {battle.name(unit)} enter?", options, rule="78.3")
        hex, _, road = next(way for way in ways if f"at {way[0]}{way[1]}" == answer)
    battle.spend(side, battle.charts["impulse"]["cost_action"], "78.4")
    unit.moved = True
    if hidden.hidden_enemies(battle, hex, side):
        yield from hidden.bump(battle, [unit], hex)
        return False
    move = Travel(battle, [unit], movement.double_time(battle, unit))
    cost = terrain.entry_cost(battle, unit, "", hex, road=road)
    assert isinstance(cost, Cost), cost
    pay_step(move, [cost])
    put(battle, unit, hex, road)
    if battle.kinds[unit.kind].vehicle or battle.kinds[unit.kind].covered_arc:
        unit.facing = inward(battle, hex)
    note_move(battle, unit, new_hex=True)
    move.acted = True
    battle.emit(move_events.Entered(side=side, unit=unit.id, place=hex, rules=("78.3",)))
    yield from movement.entered(move, hex, [cost])
    return (yield from movement.travel(move))


def inward(battle: OstBattle, hex: str) -> int:
    """The way a unit faces that enters the map in a hex: along the road if one leads in, else straight inward."""
    neighbors = battle.grid.neighbors[hex]
    outward = [way for way in range(1, 7) if neighbors[way] is None]
    for way in sorted(battle.field.roads[hex]):
        if way in outward:
            return turned(way, 3)
    return turned(outward[len(outward) // 2], 3) if outward else 1


def _attach_on_entry(battle: OstBattle, unit: Unit) -> Procedure[None]:
    """A Leader waiting off the map may enter attached to a unit that has none (15.5, 15.14, D-1)."""
    kind = battle.type(unit)
    waiting = [u for u in battle.state.units.values() if u.status == OFF_MAP and u.side == unit.side]
    if not kind.foot or kind.single or any(u.attached == unit.id for u in waiting):
        return
    leaders = [
        u
        for u in waiting
        if battle.type(u).leader and not u.attached and not u.aboard and battle.state.turn <= u.due and not u.moved
    ]
    leaders = [u for u in leaders if _finds_room(battle, unit, u)]
    if not leaders:
        return
    options = [Option("alone", "No Leader with it", "alone", unit.id, rule="15.5")]
    options += [
        Option(f"with {u.id}", f"With {battle.name(u)}", "with", unit.id, target=u.id, rule="15.5") for u in leaders
    ]
    answer = yield Ask(unit.side, f"Which Leader enters with {battle.name(unit)}?", options, rule="15.5")
    if answer != "alone":
        leader = battle.unit(answer.split()[1])
        leader.attached = unit.id
        battle.emit(move_events.Attached(side=unit.side, unit=leader.id, to=unit.id, rules=("15.5",)))


def _finds_room(battle: OstBattle, unit: Unit, leader: Unit) -> bool:
    """Whether the unit could still enter somewhere with this Leader attached (72.1)."""
    leader.attached = unit.id
    found = any(_entry_ways(battle, unit))
    leader.attached = ""
    return found
