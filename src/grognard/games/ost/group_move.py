"""Two units moving as one: Group Move under a Leader (80), and Rolling Cover behind a vehicle (81)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Bar, Option, Procedure
from grognard.games.ost import hidden, move_events, movement, results
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IN_MELEE
from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, Unit
from grognard.games.ost.travel import Travel
from grognard.games.ost.unit_memory import Each, each_unit

NO_POINTS = Bar("80.3", "a group action costs two Impulse Points")
NOT_TOGETHER = Bar("80.5", "the units of a group start in the same hex")
NO_LEADER = Bar("80.2", "a group needs an attached Leader")
TWO_VEHICLES = Bar("80.8", "vehicles can't Group Move with other vehicles")
NO_SNIPERS = Bar("12.1", "Snipers can't join a group")
NO_LONE_LEADERS = Bar("80.1", "an attached Leader moves with his unit")
RIDING = Bar("79.2", "it is riding on a vehicle")
BY_TRANSPORT = Bar("79.10", "it moves to a new hex by transport only")
NOWHERE = Bar("75.6", "there is no hex they could both enter")
NOT_A_PAIR = Bar("81.1", "Rolling Cover takes one squad and one armored vehicle")
NOT_GOOD_ORDER = Bar("81.4", "both units must be in good order")
OTHER_PARTNER = Bar("81.10", "it is in Rolling Cover with another unit")
NO_COVER = Bar("81.10", "it is not in Rolling Cover")


def ordered(battle: OstBattle, first: Unit, second: Unit) -> list[Unit]:
    """The two with foot units first, then by their numbers."""
    return sorted((first, second), key=lambda unit: (battle.type(unit).vehicle, unit.n))


def group_leader(battle: OstBattle, *units: Unit) -> Unit | None:
    """A Leader attached to one of the units who can go along; Armor Leaders lead no groups (80.2, 16.3, D-4)."""
    for unit in units:
        leader = battle.leader(unit)
        if leader is not None and battle.type(leader).leader and leader.morale != BROKEN:
            return leader
    return None


def _bar_pair(battle: OstBattle, first: Unit, second: Unit) -> Bar | None:
    """What every pair that moves together needs (80.5, 80.8, A-9)."""
    for unit in (first, second):
        if bar := movement.bar_action(battle, unit):
            return bar
        if unit.aboard:
            return RIDING
        kind = battle.type(unit)
        if kind.sniper:
            return NO_SNIPERS
        if kind.leader:
            return NO_LONE_LEADERS
        if kind.transport_only:
            return BY_TRANSPORT
    if first.hex != second.hex or first is second:
        return NOT_TOGETHER
    return TWO_VEHICLES if battle.type(first).vehicle and battle.type(second).vehicle else None


def _bar_way(battle: OstBattle, first: Unit, second: Unit, *, own: bool = False) -> Bar | None:
    move = Travel(battle, ordered(battle, first, second), own=own)
    return None if next(movement.acts(move), None) is not None else NOWHERE


def bar_group_move(battle: OstBattle, first: Unit, second: Unit) -> Bar | None:
    """Why two units may not Group Move (80)."""
    if battle.state.points.get(first.side, 0) < battle.charts["impulse"]["cost_group"]:
        return NO_POINTS
    if bar := _bar_pair(battle, first, second):
        return bar
    if first.partner or second.partner:
        return movement.PAIRED
    if group_leader(battle, first, second) is None:
        return NO_LEADER
    return _bar_way(battle, first, second)


def options_group_move(battle: OstBattle, side: str, each: Each = each_unit) -> Iterator[Option]:
    """Every pair that may Group Move."""
    if battle.state.points.get(side, 0) < battle.charts["impulse"]["cost_group"]:
        return
    seen = set()  # a pair with two Leaders is one pair
    for option in each(battle, side, _group_moves_of, reach=1):
        if option.key not in seen:
            seen.add(option.key)
            yield option


def _group_moves_of(battle: OstBattle, leader: Unit) -> Iterator[Option]:
    """Every pair that a Leader may lead, once there are the points for it."""
    if not leader.attached or leader.aboard or leader.moved:
        return
    unit = battle.unit(leader.attached)
    for other in battle.stack(unit.hex, leader.side):
        if other is unit or other.attached or bar_group_move(battle, unit, other) is not None:
            continue
        pair = ordered(battle, unit, other)
        label = f"Move together with {battle.name(pair[1])}"
        key = f"group_move {pair[0].id} {pair[1].id}"
        yield Option(key, label, "group_move", pair[0].id, unit.hex, pair[1].id, cost="2 IP", rule="80.3")


def act_group_move(battle: OstBattle, side: str, first_id: str, second_id: str) -> Procedure[bool]:
    """Move two units as one for 2 points, with the Movement Points of the slower (80.3, 80.4)."""
    battle.spend(side, battle.charts["impulse"]["cost_group"], "80.3")
    return (yield from _go(battle, battle.unit(first_id), battle.unit(second_id)))


def _go(battle: OstBattle, first: Unit, second: Unit, *, own: bool = False) -> Procedure[bool]:
    pair = ordered(battle, first, second)
    for unit in pair:
        hidden.come_out(battle, unit)
    return (yield from movement.travel(Travel(battle, pair, own=own)))


# ---- Rolling Cover (81) --------------------------------------------------------------------------------------


def bar_rolling_cover(battle: OstBattle, squad: Unit, vehicle: Unit) -> Bar | None:
    """Why a squad and a vehicle may not move in Rolling Cover (81.1-81.5)."""
    if battle.state.points.get(squad.side, 0) < battle.charts["impulse"]["cost_group"]:
        return NO_POINTS
    if not battle.type(squad).squad or not battle.type(vehicle).armored:
        return NOT_A_PAIR
    if bar := _bar_pair(battle, squad, vehicle):
        return bar
    if squad.morale != GOOD or vehicle.morale != GOOD:
        return NOT_GOOD_ORDER
    if squad.partner not in ("", vehicle.id) or vehicle.partner not in ("", squad.id):
        return OTHER_PARTNER
    return _bar_way(battle, squad, vehicle, own=True)


def options_rolling_cover(battle: OstBattle, side: str, each: Each = each_unit) -> Iterator[Option]:
    """Every squad and armored vehicle in one hex that may move in Rolling Cover."""
    if battle.state.points.get(side, 0) >= battle.charts["impulse"]["cost_group"]:
        yield from each(battle, side, _rolling_cover_behind, reach=1)


def _rolling_cover_behind(battle: OstBattle, vehicle: Unit) -> Iterator[Option]:
    """Every squad that may move behind a vehicle, once there are the points for it."""
    if vehicle.moved or not battle.type(vehicle).armored:
        return
    for squad in battle.stack(vehicle.hex, vehicle.side):
        if battle.type(squad).squad and bar_rolling_cover(battle, squad, vehicle) is None:
            key = f"rolling_cover {squad.id} {vehicle.id}"
            label = f"Rolling Cover behind {battle.name(vehicle)}"
            yield Option(key, label, "rolling_cover", squad.id, squad.hex, vehicle.id, cost="2 IP", rule="81.5")


def act_rolling_cover(battle: OstBattle, side: str, squad_id: str, vehicle_id: str) -> Procedure[bool]:
    """Mark the pair and move it for 2 points (81.5).

    Each pays its own way from its own Movement Points, and both go as far as the one that runs out first (81.3, M-19).
    """
    squad, vehicle = battle.unit(squad_id), battle.unit(vehicle_id)
    battle.spend(side, battle.charts["impulse"]["cost_group"], "81.5")
    if not squad.partner:
        squad.partner, vehicle.partner = vehicle.id, squad.id
        battle.emit(move_events.RollingCover(side=side, unit=squad.id, vehicle=vehicle.id, rules=("81.5",)))
    return (yield from _go(battle, squad, vehicle, own=True))


def bar_lift(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why there is no Rolling Cover to lift (81.10)."""
    if not unit.partner or unit.status != ON_MAP:
        return NO_COVER
    return IN_MELEE if unit.hex in battle.state.melees else None


def options_lift(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every Rolling Cover marker that its owner may take off, free, in his Impulse (81.10, M-18)."""
    for unit in battle.units(side):
        if unit.partner and battle.type(unit).squad and bar_lift(battle, unit) is None:
            label = "End Rolling Cover"
            yield Option(f"lift {unit.id}", label, "lift", unit.id, unit.hex, unit.partner, rule="81.10")


def act_lift(battle: OstBattle, side: str, unit_id: str) -> bool:
    """Take the Rolling Cover marker off; the Impulse goes on (81.10)."""
    results.leave_rolling_cover(battle, battle.unit(unit_id))
    return True
