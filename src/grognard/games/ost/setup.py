"""Set-up (64, B-1 to B-6): each side places its works, units, Leaders, weapons and mines, one question each.

What is still to be placed follows from the state: units by their status, everything else by what
``state.done`` remembers of this phase. Facings, hiding and the like are follow-up questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations

from msgspec.structs import replace

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import airborne, fortifications, move_events, stacking, terrain
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.leaders import bar_kind
from grognard.games.ost.luck import cards
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.scenario import Placing, Scenario, WeaponSetup, WorkSetup
from grognard.games.ost.state import LOST, OFF_MAP, ON_MAP, PLANE, UNPLACED, Mines, State, Unit, Weapon, Work

ENEMY_THERE = Bar("75.10", "there are enemy units there")
LIMITED = Bar("64.8", "the scenario allows no more units there")
TOO_CLOSE = Bar("64.8", "the scenario requires more room between units")
MINED = Bar("27.1", "the hex is already mined")


# ---- the state in which a scenario opens -----------------------------------------------------------------


def begin(scenario: Scenario) -> State:
    """Nothing is placed yet but what the scenario fixes (64.2)."""
    kinds = roster()
    planes = {placing.id for placing in scenario.units if kinds[placing.kind].kind == "aircraft"}
    state = State(
        units={placing.id: _opening(placing, kinds[placing.kind], planes, scenario) for placing in scenario.units},
        weapons={weapon.id: Weapon(weapon.id, weapon.kind, weapon.unit) for weapon in scenario.weapons},
        turn=scenario.turns,
        active=scenario.setup_order[0],
        points=dict.fromkeys(scenario.side_names, 0),
        casualties=dict.fromkeys(scenario.side_names, 0),
        victory=dict.fromkeys(scenario.side_names, 0),
        wrecks=dict.fromkeys(scenario.wrecks, 1),
        control=dict(scenario.control),
        cards={side: [] for side in scenario.side_names},
        assets={side: dict(scenario.assets.get(side, {})) for side in scenario.side_names},
    )
    for work in scenario.works:
        if work.at and not _open_facing(work):
            state.works[work.at] = Work(work.kind, work.side, work.facing)
    for mines in scenario.mines:
        if mines.at:
            state.mines[mines.at] = Mines(mines.side)
    return state


def _opening(placing: Placing, kind: UnitType, planes: set[str], scenario: Scenario) -> Unit:
    if placing.id in planes or placing.aboard in planes:
        status = PLANE
    elif placing.turn:
        status = OFF_MAP
    else:
        status = ON_MAP if _fixed(placing, kind, scenario) else UNPLACED
    plane = placing.id in planes
    return Unit(
        id=placing.id,
        n=placing.n,
        kind=placing.kind,
        side=placing.side,
        status=status,
        hex=placing.at if status == ON_MAP or (plane and placing.facing) else "",
        facing=placing.facing,
        reduced=placing.reduced,
        morale=placing.morale,
        attached=placing.attached,
        aboard=placing.aboard,
        inside=placing.inside,
        on_road=placing.on_road,
        hidden=placing.hidden == "yes" and status == ON_MAP,
        due=placing.turn or (scenario.turns if plane else 0),
        entry=tuple(placing.load or placing.entry),
    )


def _fixed(placing: Placing, kind: UnitType, scenario: Scenario) -> bool:
    """Whether the scenario leaves its owner no choice about a unit."""
    leads = placing.attached or placing.aboard
    if leads:
        lead = next(other for other in scenario.units if other.id == leads)
        return _fixed(lead, roster()[lead.kind], scenario)
    return bool(placing.at) and placing.hidden != "may" and bool(placing.facing or not faces(kind))


def faces(kind: UnitType) -> bool:
    """Whether a unit has a facing or a covered arc (17.13, 21.3)."""
    return kind.vehicle or kind.covered_arc


def _open_facing(work: WorkSetup) -> bool:
    return work.kind == "pillbox" and not work.facing


# ---- the phase -------------------------------------------------------------------------------------------


def set_up(battle: OstBattle) -> Procedure[str]:
    """Both sides set up in the scenario's order; then what drops before the first turn is dropped (P-1)."""
    state = battle.state
    for side in battle.scenario.setup_order:
        if f"side {side}" not in state.done:
            state.active = side
            yield from _side(battle, side)
            _hide_works(battle, side)
            state.done.append(f"side {side}")
    yield from airborne.drop_phase(battle)
    return "luck"


def draw_luck(battle: OstBattle) -> str:
    """Luck cards are drawn after set-up (62.1, 62.2)."""
    cards.draw_cards(battle)
    return "marker"


def finished(battle: OstBattle, side: str) -> bool:
    """Whether the enemy may see what a side has set up."""
    return battle.state.phase != "setup" or f"side {side}" in battle.state.done


def _side(battle: OstBattle, side: str) -> Procedure[None]:
    scenario, state = battle.scenario, battle.state
    for number, work in enumerate(scenario.works):
        if work.side == side and (not work.at or _open_facing(work)) and f"work {number}" not in state.done:
            yield from _work(battle, number, work)
    for placing in _own(battle, side):
        unit = battle.unit(placing.id)
        if unit.status == UNPLACED and not battle.type(unit).leader and not battle.type(unit).armor_leader:
            yield from _unit(battle, placing, unit)
        elif unit.status == PLANE and battle.type(unit).kind == "aircraft" and not unit.hex:
            yield from _aircraft(battle, placing, unit)
    for kind in ("armor_leader", "leader"):
        for placing in _own(battle, side):
            unit = battle.unit(placing.id)
            if battle.type(unit).kind == kind and f"leader {unit.id}" not in state.done:
                yield from _leader(battle, placing, unit)
    for weapon in scenario.weapons:
        if weapon.side == side and not weapon.unit and f"weapon {weapon.id}" not in state.done:
            yield from _weapon(battle, weapon)
    for number, mines in enumerate(scenario.mines):
        if mines.side == side and not mines.at and f"mines {number}" not in state.done:
            yield from _mines(battle, number)


def _own(battle: OstBattle, side: str) -> Iterator[Placing]:
    """The side's units that follow nobody."""
    return (p for p in battle.scenario.units if p.side == side and not p.attached and not p.aboard)


@cache
def _hexes_of(placing: Placing) -> tuple[str, ...]:
    return (placing.at,) if placing.at else placing.zone


# ---- works and mines ------------------------------------------------------------------------------------


def _work(battle: OstBattle, number: int, work: WorkSetup) -> Procedure[None]:
    """Place a fortification counter: one a hex (24), a Bunker or Pillbox not in structures or streams."""

    def options() -> list[Option]:
        return [
            Option(f"place {work.kind} {hex}", f"Place in {hex}", "place", place=hex, rule="64.2")
            for hex in ((work.at,) if work.at else work.zone)
            if fortifications.bar_work(battle, hex, work.kind) is None and not battle.seen_enemies(hex, work.side)
        ]

    if options():
        answer = yield Ask(work.side, f"Set up: {work.kind}", options, quiet=True, rule="64.2")
        hex = answer.split()[2]
        facing = work.facing
        if _open_facing(work):
            facing = yield from _facing(battle, work.side, f"the {work.kind}", hex, "29.7")
        battle.state.works[hex] = Work(work.kind, work.side, facing)
        battle.emit(move_events.Placed(side=work.side, kind=work.kind, place=hex, rules=("64.2",), seen_by=work.side))
    battle.state.done.append(f"work {number}")


def _hide_works(battle: OstBattle, side: str) -> None:
    """Cover and Bunkers that may be hidden are, where all who stand in them are hidden (73.3)."""
    hideable = {work.kind for work in battle.scenario.works if work.side == side and work.hidden}
    for hex, work in list(battle.state.works.items()):
        if work.side == side and work.kind in hideable:
            stack = battle.stack(hex, side)
            hidden = bool(stack) and all(unit.hidden for unit in stack)
            battle.state.works[hex] = replace(work, hidden=hidden)
            if not hidden:
                battle.emit(move_events.Placed(side=side, kind=work.kind, place=hex, rules=("64.2",)))


def _mines(battle: OstBattle, number: int) -> Procedure[None]:
    """Record a mined hex secretly, after the side's own units are set up (27.1)."""
    mines = battle.scenario.mines[number]
    side = mines.side

    def options() -> list[Option]:
        return [
            Option(f"place mines {hex}", f"Mine {hex}", "place", place=hex, rule="27.1")
            for hex in mines.zone
            if hex not in battle.state.mines and not battle.seen_enemies(hex, side)
        ]

    if options():
        answer = yield Ask(side, "Set up: mines", options, quiet=True, rule="27.1")
        hex = answer.split()[2]
        battle.state.mines[hex] = Mines(side)
        battle.emit(move_events.Placed(side=side, kind="mines", place=hex, rules=("27.1",), seen_by=side))
    battle.state.done.append(f"mines {number}")


# ---- units ----------------------------------------------------------------------------------------------


def bar_ground(battle: OstBattle, unit: Unit, hex: str, *, road: bool = False) -> Bar | None:
    """Why a unit cannot stand in a hex, as it cannot be entered (35.5, 57.4, 17.9, 29.2, 31.1).

    A road or bridge bears whatever the terrain around it would not.
    """
    kind, ground = battle.type(unit), battle.terrain(hex)
    if kind.vehicle:
        work = terrain.known_work(battle, unit.side, hex)
        if work is not None and work.kind == "pillbox":
            return terrain.NOT_WITH_VEHICLE
        if work is not None and kind.move_type in battle.charts.counter[work.kind].prohibited:
            return Bar("31.1", f"vehicles can't enter a {work.kind} hex", hex)
    if kind.no_structures and ground.structure and not road:
        return terrain.TOO_LARGE
    if battle.field.roads[hex] or hex in battle.field.bridges:
        return None
    return terrain.bar_terrain(ground, kind.move_type, False, hex)


def bar_place(battle: OstBattle, unit: Unit, hex: str, *, road: bool = False) -> Bar | None:
    """Why a unit cannot be set up in a hex: the ground, enemies, stacking, the scenario's limits."""
    side, scenario = unit.side, battle.scenario
    if bar := bar_ground(battle, unit, hex, road=road):
        return bar
    if hex in battle.at:
        if battle.seen_enemies(hex, side):
            return ENEMY_THERE
        if bar := stacking.bar_stack(battle, side, hex, [unit]):
            return bar
        here = sum(not u.aboard and not battle.type(u).leader for u in battle.stack(hex, side))
        if scenario.stack.get(side) and here >= scenario.stack[side]:
            return LIMITED
    for limit in scenario.limits.get(side, ()):
        if hex in limit.hexes and _count(battle, side, limit.hexes) >= limit.most:
            return LIMITED
    apart = scenario.apart.get(side, 0)
    if apart and any(0 < battle.grid.distance(u.hex, hex) < apart for u in battle.units(side)):
        return TOO_CLOSE
    return None


def _count(battle: OstBattle, side: str, hexes: Iterable[str]) -> int:
    return sum(
        u.hex in hexes and not u.aboard and not battle.type(u).single and not battle.type(u).armor_leader
        for u in battle.units(side)
    )


def place_options(battle: OstBattle, unit: Unit, hexes: Iterable[str]) -> Iterator[Option]:
    """The hexes where a unit may be set up; beside or inside a work, on the road or in the building."""
    name = battle.name(unit)
    foot = battle.type(unit).foot
    for hex in hexes:
        open_ = bar_place(battle, unit, hex) is None
        if open_:
            yield Option(f"place {unit.id} {hex}", f"{name} in {hex}", "place", unit.id, hex, rule="64.2")
        if foot and terrain.road_and_structure(battle, hex) and bar_place(battle, unit, hex, road=True) is None:
            key, label = f"place {unit.id} {hex} road", f"{name} on the road in {hex}"
            yield Option(key, label, "place", unit.id, hex, rule="57.1")
        if open_ and foot and not battle.type(unit).no_structures and terrain.shelter(battle, unit.side, hex):
            key, label = f"place {unit.id} {hex} inside", f"{name} inside the work in {hex}"
            yield Option(key, label, "place", unit.id, hex, rule="28.12")


def _unit(battle: OstBattle, placing: Placing, unit: Unit) -> Procedure[None]:
    """Place a unit with whoever follows it; which way it faces, and whether it hides (B-1, B-2)."""
    hexes = _hexes_of(placing)
    name = battle.name(unit)
    while True:
        if next(place_options(battle, unit, hexes), None) is None:
            _leave_out(battle, unit)
            return
        answer = yield Ask(
            unit.side,
            f"Set up: {name}",
            lambda: list(place_options(battle, unit, hexes)),
            quiet=True,
            rule="64.2",
        )
        _, _, hex, *how = answer.split()
        if not _surprise(battle, unit, hex):
            break
    if faces(battle.type(unit)):
        unit.facing = placing.facing or (yield from _facing(battle, unit.side, name, hex, "21.3", unit.id))
    hidden = placing.hidden == "yes"
    if placing.hidden == "may" and _may_hide(battle, unit.side):
        answer = yield Ask(
            unit.side,
            f"Hide {name} in {hex}?",
            [
                Option("hide", "Hide it", "hide", unit.id, hex, rule="73.1"),
                Option("show", "Show it", "show", unit.id, hex, rule="73.1"),
            ],
            rule="73.1",
        )
        hidden = answer == "hide"
    vehicle_on_road = battle.type(unit).vehicle and terrain.road_and_structure(battle, hex)
    for each in (unit, *followers(battle, unit)):
        each.inside, each.hidden = "inside" in how, hidden
        each.on_road = "road" in how or vehicle_on_road
        battle.place(each, hex)
    battle.emit(move_events.Placed(side=unit.side, kind=unit.id, place=hex, rules=("64.2",), seen_by=unit.side))


def followers(battle: OstBattle, unit: Unit) -> list[Unit]:
    """Whoever is attached to a unit or rides on it, and the Leaders of those."""
    return [u for u in battle.state.units.values() if u is not unit and unit.id in (u.attached, u.aboard)]


def _leave_out(battle: OstBattle, unit: Unit) -> None:
    """A unit for which there is no place takes no part in the battle; it is no casualty."""
    for each in (unit, *followers(battle, unit)):
        each.status = LOST
        battle.emit(move_events.LeftOut(side=unit.side, unit=each.id, rules=("64.2",), seen_by=unit.side))


def _surprise(battle: OstBattle, unit: Unit, hex: str) -> bool:
    """Hidden enemies where a unit is to be set up are shown, and it must go elsewhere (73.8)."""
    found = [other for other in battle.at.get(hex, ()) if other.side != unit.side and other.hidden]
    for other in found:
        battle.reveal(other, "73.8")
    return bool(found)


def _may_hide(battle: OstBattle, side: str) -> bool:
    """Whether the scenario lets one more unit of the side hide (73.1)."""
    most: int = battle.scenario.hideable.get(side, -1)
    if most < 0:
        return True
    may = {p.id for p in battle.scenario.units if p.hidden == "may" and not p.attached and not p.aboard}
    return sum(u.hidden and u.id in may for u in battle.units(side)) < most


def _facing(battle: OstBattle, side: str, name: str, hex: str, rule: str, unit: str = "") -> Procedure[int]:
    options = [
        Option(f"face {way}", f"Face {battle.grid.compass(way)}", "face", unit, hex, rule=rule) for way in range(1, 7)
    ]
    answer = yield Ask(side, f"Which way does {name} face?", options, rule=rule)
    return int(answer.split()[1])


# ---- Leaders and weapons ----------------------------------------------------------------------------------


def _leader(battle: OstBattle, placing: Placing, leader: Unit) -> Procedure[None]:
    """A Leader starts attached or alone (15.4); an Armor Leader with a vehicle, for good (16.6).

    Leaders who come later choose when they enter (15.5).
    """
    state, side, armor = battle.state, leader.side, battle.type(leader).armor_leader
    rule = "16.6" if armor else "15.4"
    alone = f"alone {leader.id}"
    if armor or (leader.status in (ON_MAP, UNPLACED) and alone not in state.done):
        options = [
            Option(f"attach {leader.id} {u.id}", battle.name(u), "attach", u.id, u.hex, rule=rule)
            for u in state.units.values()
            if _may_start_with(battle, placing, leader, u)
        ]
        if options and not armor:
            options.append(Option(alone, "On his own", "alone", leader.id, rule=rule))
        answer = options[0].key if options else alone
        if len(options) > 1:
            name = battle.name(leader)
            answer = yield Ask(side, f"Which unit does {name} start with?", options, quiet=True, rule=rule)
        if answer == alone:
            state.done.append(alone)
        else:
            _join(battle, leader, battle.unit(answer.split()[2]), rule)
    if armor and not leader.attached:
        _leave_out(battle, leader)
    elif leader.status == UNPLACED:
        yield from _unit(battle, placing, leader)
    state.done.append(f"leader {leader.id}")


def _may_start_with(battle: OstBattle, placing: Placing, leader: Unit, unit: Unit) -> bool:
    if unit.side != leader.side or bar_kind(battle, leader, unit) is not None:
        return False
    if any(other.attached == unit.id for other in battle.state.units.values()):
        return False
    if leader.status == OFF_MAP:
        return unit.status == OFF_MAP and unit.due == leader.due
    if leader.status == ON_MAP:
        return unit.status == ON_MAP and unit.hex == leader.hex and unit.hidden == leader.hidden
    if unit.status == PLANE:
        return not placing.at
    if unit.status != ON_MAP or (placing.zone and unit.hex not in _hexes_of(placing)):
        return False
    return stacking.bar_kinds(battle, leader.side, unit.hex, [battle.type(leader)]) is None


def _join(battle: OstBattle, leader: Unit, unit: Unit, rule: str) -> None:
    leader.attached, leader.aboard = unit.id, unit.aboard
    leader.inside, leader.on_road, leader.hidden = unit.inside, unit.on_road, unit.hidden
    leader.due, leader.entry = unit.due, unit.entry
    if unit.status == ON_MAP:
        battle.place(leader, unit.hex)
    else:
        leader.status = unit.status
    battle.emit(move_events.Attached(side=leader.side, unit=leader.id, to=unit.id, rules=(rule,), seen_by=leader.side))


def _weapon(battle: OstBattle, setup: WeaponSetup) -> Procedure[None]:
    """A support weapon goes to a squad; squads that still have to move onto the map carry one each (20.11)."""
    squads = [unit for unit in battle.state.units.values() if _may_take(battle, setup, unit)]
    name = battle.kinds[setup.kind].name
    if squads:
        answer = f"give {setup.id} {squads[0].id}"
        if len(squads) > 1:
            options = [
                Option(f"give {setup.id} {u.id}", battle.name(u), "give", u.id, u.hex, rule="20.2") for u in squads
            ]
            answer = yield Ask(setup.side, f"Which squad has the {name}?", options, quiet=True, rule="20.2")
        unit = battle.unit(answer.split()[2])
        battle.state.weapons[setup.id].unit = unit.id
        side = unit.side
        battle.emit(move_events.WeaponTaken(side=side, unit=unit.id, weapon=setup.id, rules=("20.2",), seen_by=side))
    battle.state.done.append(f"weapon {setup.id}")


def _may_take(battle: OstBattle, setup: WeaponSetup, unit: Unit) -> bool:
    if unit.side != setup.side or not battle.type(unit).squad:
        return False
    if unit.status != ON_MAP and battle.weapons(unit):
        return False
    if setup.turn:
        return unit.due == setup.turn
    here = (ON_MAP, PLANE)
    if unit.status in here:
        return True
    return unit.status == OFF_MAP and not any(
        u.side == setup.side and u.status in here and battle.type(u).squad for u in battle.state.units.values()
    )


# ---- aircraft (84, B-3) ------------------------------------------------------------------------------------


def _aircraft(battle: OstBattle, placing: Placing, plane: Unit) -> Procedure[None]:
    """Where an aircraft starts, which way all of them fly, and in which order its load drops (83.3, 84.1-84.5)."""
    name = battle.name(plane)

    def options() -> list[Option]:
        return [
            Option(f"place {plane.id} {hex}", f"Start from {hex}", "place", plane.id, hex, rule="84.1")
            for hex in _hexes_of(placing)
            if airborne.bar_spacing(battle, plane, hex, placing.facing) is None
        ]

    if not options():
        _leave_out(battle, plane)
        return
    answer = yield Ask(plane.side, f"Set up: {name}", options, quiet=True, rule="84.1")
    hex = answer.split()[2]
    facing = placing.facing
    ways = [way for way in range(1, 7) if airborne.bar_spacing(battle, plane, hex, way) is None]
    if not facing:
        facing = ways[0] if len(ways) == 1 else (yield from _facing(battle, plane.side, name, hex, "84.4", plane.id))
    if len(plane.entry) > 1:
        orders = [
            Option(f"order {' '.join(order)}", f"First {_in_turn(battle, order)}", "order", plane.id, hex, rule="83.3")
            for order in permutations(plane.entry)
        ]
        answer = yield Ask(plane.side, f"In what order do the units leave {name}?", orders, rule="83.3")
        plane.entry = tuple(answer.split()[1:])
    plane.hex, plane.facing = hex, facing
    battle.emit(move_events.Placed(side=plane.side, kind=plane.id, place=hex, rules=("84.1",), seen_by=plane.side))


def _in_turn(battle: OstBattle, ids: Iterable[str]) -> str:
    return ", then ".join(battle.name(battle.unit(id)) for id in ids)
