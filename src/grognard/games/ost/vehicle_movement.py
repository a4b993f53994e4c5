"""How vehicles move and guns are spun: facing, pivots, reverse, and bogging down (17.14, 76, 77)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.hex.arcs import turned
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least, by_face
from grognard.core.tally import Tally
from grognard.games.ost import fortifications, move_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import ON_MAP, Unit
from grognard.games.ost.terrain import Cost, say_points
from grognard.games.ost.travel import Travel, note_move

NOT_FACED = Bar("76.4", "a vehicle moves forward into the hex it faces; it must turn first")
NOT_BEHIND = Bar("76.9", "a vehicle can reverse only into the hex behind it")
IS_BOGGED = Bar("77.5", "it is Bogged")
IS_IMMOBILIZED = Bar("75.7", "it is Immobilized")


def bar_vehicle(unit: Unit) -> Bar | None:
    """Why a vehicle can neither move nor pivot (75.7, 77.5, M-5)."""
    if unit.immobilized:
        return IS_IMMOBILIZED
    return IS_BOGGED if unit.bogged else None


def bar_direction(battle: OstBattle, unit: Unit, hex: str, reverse: bool) -> Bar | None:
    """Why a vehicle's facing does not let it go into an adjacent hex (76.4, 76.9, M-7)."""
    direction = battle.grid.direction(unit.hex, hex)
    if reverse:
        return None if direction == turned(unit.facing, 3) else NOT_BEHIND
    return None if direction == unit.facing else NOT_FACED


def pivot_points(battle: OstBattle) -> int:
    """What a pivot costs, in half points (76.6)."""
    return int(2 * battle.charts["movement"]["pivot_mp"])


def options_face(battle: OstBattle, unit: Unit, facings: list[int], rule: str) -> list[Option]:
    """The facings a unit may take, the present one among them."""
    options = []
    for facing in facings:
        label = f"{'Keep facing' if facing == unit.facing else 'Face'} {battle.grid.compass(facing)}"
        options.append(Option(f"face {facing}", label, "face", unit.id, unit.hex, rule=rule))
    return options


def face(battle: OstBattle, unit: Unit, facing: int, *rules: str) -> None:
    """Turn a unit."""
    if unit.facing != facing:
        unit.facing = facing
        way = battle.grid.compass(facing)
        battle.emit(move_events.Turned(side=unit.side, unit=unit.id, facing=facing, way=way, rules=rules))


def turn_after_step(battle: OstBattle, unit: Unit) -> Procedure[None]:
    """After entering a hex, and after any fire there, a vehicle may turn one hexside (76.4, 76.5, 76.9)."""
    by = battle.charts["movement"]["facing_change_per_hex"]
    facings = [turned(unit.facing, turn) for turn in range(-by, by + 1)]
    prompt = f"Which way does {battle.name(unit)} face in {unit.hex}?"
    answer = yield Ask(unit.side, prompt, options_face(battle, unit, facings, "76.4"), rule="76.4")
    face(battle, unit, int(answer.split()[1]), "76.4")


def choose_facing(battle: OstBattle, unit: Unit, rule: str) -> Procedure[None]:
    """Any of the six facings (79.12)."""
    prompt = f"Which way does {battle.name(unit)} point in {unit.hex}?"
    answer = yield Ask(unit.side, prompt, options_face(battle, unit, list(range(1, 7)), rule), rule=rule)
    face(battle, unit, int(answer.split()[1]), rule)


# ---- pivots on the way (76.6, 17.14) -----------------------------------------------------------------------


def turn_options(move: Travel) -> Iterator[Option]:
    """A vehicle pivots for 1 MP as part of its path (76.6, 76.8); spinning a gun is a whole Move (17.14, K-2)."""
    battle = move.battle
    price = pivot_points(battle)
    for number, unit in enumerate(move.movers):
        kind = battle.kinds[unit.kind]
        if kind.vehicle and move.left[number] >= price:
            cost, rule = f"{say_points(price)} MP", "76.6"
        elif kind.crewed and kind.covered_arc and not move.acted and len(move.movers) == 1:
            cost, rule = "all MP", "17.14"
        else:
            continue
        for facing in range(1, 7):
            if facing != unit.facing:
                label = f"Turn {battle.grid.compass(facing)}"
                yield Option(f"pivot {facing}", label, "pivot", unit.id, unit.hex, cost=cost, rule=rule)


def pivot(move: Travel, facing: int) -> None:
    """Turn the vehicle that moves, or spin a gun, which ends its Move (76.6, 17.14)."""
    battle = move.battle
    for number, unit in enumerate(move.movers):
        kind = battle.kinds[unit.kind]
        if kind.vehicle:
            move.pay(pivot_points(battle), number)
            note_move(battle, unit, new_hex=False)
            face(battle, unit, facing, "76.6", "76.7")
        elif kind.covered_arc and len(move.movers) == 1:
            move.over = True
            note_move(battle, unit, new_hex=False)
            face(battle, unit, facing, "17.14")


# ---- bogging down (77) -----------------------------------------------------------------------------------------


def bog_roll(battle: OstBattle, vehicle: Unit, cost: Cost) -> bool:
    """Roll on entering a hex that asks for it, once however many things ask (46.6, 77.2); True if it bogs.

    Wire goes under a vehicle that does not bog (30.5).
    """
    bogged = False
    if cost.bog:
        mover = battle.type(vehicle).move_type
        most = battle.charts["bog"]["bogs_at_most"][mover]
        number = Tally("bogs on", most, "77.2", mover)
        roll = Tally("Bog roll", 0, "77.2")
        if cost.bog_drm:
            roll.add("marsh", cost.bog_drm, "45.3", vehicle.hex)
        passed = battle.roll(
            vehicle.side,
            "Bog roll",
            battle.charts["bog"]["dice"],
            at_least(most + 1, roll.total),
            ("77.1", "77.2"),
            (number, roll),
            unit=vehicle.id,
        )
        if not passed:
            bogged = vehicle.bogged = True
            battle.emit(move_events.Bogged(side=vehicle.side, unit=vehicle.id, rules=("77.3",)))
    if not bogged:
        crush_wire(battle, vehicle)
    return bogged


def crush_wire(battle: OstBattle, vehicle: Unit) -> None:
    """Wire is removed by a vehicle in its hex that is not Bogged (30.5)."""
    work = battle.state.works.get(vehicle.hex)
    if work is not None and work.kind == "wire":
        fortifications.remove_work(battle, vehicle.hex, "30.5")


def free_bogged(battle: OstBattle) -> None:
    """The Bog rolls of the Free Rally phase: one for each Bogged vehicle, marsh making it harder (77.5-77.8, 45.3).

    One that is stuck for good keeps its Bogged marker beside the Immobilized one, to tell it from combat damage.
    Vehicles locked in a Melee do not roll (C-15).
    """
    for vehicle in list(battle.state.units.values()):
        if vehicle.bogged and not vehicle.immobilized and vehicle.status == ON_MAP:
            if vehicle.hex not in battle.state.melees:
                free_roll(battle, vehicle)


def free_roll(battle: OstBattle, vehicle: Unit) -> None:
    """One attempt to free a Bogged vehicle: 3-6 freed, 2 stays, 1 Immobilized (77.6-77.8)."""
    figures = battle.charts["bog"]
    roll = Tally("Bog roll", 0, "77.5")
    if drm := battle.terrain(vehicle.hex).bog_drm:
        roll.add("marsh", drm, "45.3", vehicle.hex)
    meanings = tuple(
        "immobilized" if n <= figures["immobilized_at_most"] else "freed" if n >= figures["freed_at_least"] else "stays"
        for n in range(1, 7)
    )
    outcome = battle.roll(
        vehicle.side,
        "Bog roll to get free",
        figures["dice"],
        by_face(meanings, roll.total),
        ("77.5",),
        (roll,),
        unit=vehicle.id,
    )
    if outcome == "freed":
        vehicle.bogged = False
        battle.emit(move_events.Freed(side=vehicle.side, unit=vehicle.id, rules=("77.6",)))
        crush_wire(battle, vehicle)
    elif outcome == "immobilized":
        vehicle.immobilized = True
        battle.emit(move_events.Immobilized(side=vehicle.side, unit=vehicle.id, rules=("77.8",)))
