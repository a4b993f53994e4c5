"""Airborne operations: loads, flight paths, and men under parachutes (83-85).

An aircraft is a unit with the status "plane": its hex is where it was set up, its facing the way it flies,
``due`` the turn of its drop. What it carries is "plane" too, aboard it; a support weapon that is with the
aircraft itself is a load of supplies (85.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.board.hex.grid import Axial
from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.dice import total
from grognard.core.tally import Tally
from grognard.games.ost import (
    attacks,
    combat,
    control,
    fire_groups,
    move_events,
    movement,
    results,
    stacking,
    turn_events,
)
from grognard.games.ost.arms import SMALL_ARMS, Arm, Shot, arms, bar_fire, bar_shot
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.firepower import firepower_tally
from grognard.games.ost.state import LOST, ON_MAP, PLANE, Unit, Weapon

NOT_CARRIED = Bar("83.1", "aircraft carry only squads and crewed weapons, with their Leaders and weapons")
TOO_MANY = Bar("83.1", "an aircraft carries at most three squads or crewed machine guns")
ONE_GUN = Bar("83.2", "an aircraft that carries a heavy weapon carries nothing else")
LEADER_ALONE = Bar("83.1", "Leaders fly attached to a unit of the load")
TOO_CLOSE = Bar("84.3", "at least four hexes must lie between two aircraft")
OTHER_WAY = Bar("84.5", "all aircraft of an operation fly in the same direction")

ENEMY_THERE = Bar("85.9", "enemy units are in the hex")
DEEP_WATER = Bar("44.1", "deep water")
TOO_LARGE = Bar("17.9", "it is too large for a structure")

HARD_LANDINGS = ("woods", "orchard", "stream")  # besides structures and bridges over streams (85.6)

HOLD = Option("hold", "Hold fire", "pass", rule="85.10")


# ---- loads and flight paths (83, 84) ----------------------------------------------------------------------


def bar_load(battle: OstBattle, aircraft: Unit, load: Sequence[Unit]) -> Bar | None:
    """Why an aircraft cannot carry these units (83.1, 83.2). Attached Leaders may be among them; they count nothing."""
    plane = battle.type(aircraft)
    names = {unit.id for unit in load}
    light = heavy = 0
    for unit in load:
        kind = battle.type(unit)
        if kind.leader:
            if unit.attached not in names:
                return LEADER_ALONE
        elif kind.anti_tank_gun:
            heavy += 1
        elif kind.squad or kind.machine_gun:
            light += 1
        else:
            return NOT_CARRIED
    if heavy > plane.heavy_weapons or (heavy and light):
        return ONE_GUN
    return TOO_MANY if light > plane.squads else None


def bar_spacing(battle: OstBattle, aircraft: Unit, hex: str, facing: int) -> Bar | None:
    """Why an aircraft cannot be set up in a hex, flying that way, beside the others of its operation (84.3, 84.5)."""
    for other in battle.state.units.values():
        if other is not aircraft and other.status == PLANE and other.hex and battle.type(other).kind == "aircraft":
            for bar in bars_beside(battle, other, aircraft, hex, facing):
                return bar
    return None


def bars_beside(battle: OstBattle, other: Unit, aircraft: Unit, hex: str, facing: int) -> Iterator[Bar]:
    """Why an aircraft cannot be in a hex, flying that way, beside another of its operation (84.3, 84.5)."""
    if other.side != aircraft.side or other.due != aircraft.due:
        return
    if battle.grid.distance(other.hex, hex) <= battle.charts["airborne"]["min_spacing_hexes"]:
        yield TOO_CLOSE
    if facing and other.facing and other.facing != facing:
        yield OTHER_WAY


# ---- the drops (84.6, 85) -----------------------------------------------------------------------------------


def drop_phase(battle: OstBattle) -> Rules:
    """Carry out every drop that is due, the side named first before the other (P-1, T-2)."""
    for side in battle.sides:
        while planes := due(battle, side):
            plane = planes[0]
            if len(planes) > 1:
                options = [
                    Option(f"drop {p.id}", f"{battle.name(p)} from {p.hex}", "drop", p.id, p.hex, rule="84.6")
                    for p in planes
                ]
                answer = yield Ask(side, "Which aircraft drops next?", options, rule="84.6")
                plane = battle.unit(answer.split()[1])
            yield from fly(battle, plane)


def due(battle: OstBattle, side: str) -> list[Unit]:
    """The side's aircraft whose drop is due this turn, set up and not flown yet."""
    return [
        unit
        for unit in battle.state.units.values()
        if unit.side == side
        and unit.status == PLANE
        and unit.hex
        and battle.type(unit).kind == "aircraft"
        and unit.due >= battle.state.turn
    ]


def cargo(battle: OstBattle, plane: Unit) -> list[Unit]:
    """The units aboard, top of the stack first (83.3): in the order of the load, else of the order of battle."""
    order = {id: place for place, id in enumerate(plane.entry)}
    load = [u for u in battle.state.units.values() if u.aboard == plane.id and u.status == PLANE and not u.attached]
    return sorted(load, key=lambda u: (order.get(u.id, len(order)), u.n))


def fly(battle: OstBattle, plane: Unit) -> Procedure[None]:
    """Three hexes in the direction of flight; a unit drops in each, top first; then the aircraft goes (84.6, 85.14)."""
    q, r = battle.grid.axial(plane.hex)
    dq, dr = battle.grid.steps[plane.facing]
    hexes: int = battle.charts["airborne"]["flight_hexes"]
    load: list[Unit | Weapon] = [*cargo(battle, plane), *battle.weapons(plane)]
    for number, item in enumerate(load, 1):
        flown = min(number, hexes)
        over = (q + flown * dq, r + flown * dr)
        hex = _come_down(battle, plane.side, item.id, over)
        if isinstance(item, Unit):
            yield from _land(battle, item, hex)
        else:
            item.unit, item.hex = "", hex  # 85.12: supplies lie where they fall
            battle.emit(move_events.WeaponLeft(side=plane.side, weapon=item.id, place=hex, rules=("85.12",)))
    plane.status = LOST
    battle.emit(move_events.Removed(side=plane.side, kind=battle.type(plane).name, place=plane.hex, rules=("85.14",)))


def _come_down(battle: OstBattle, side: str, name: str, over: Axial) -> str:
    """Drift from the hex flown over: direction, then distance (85.1, 85.2).

    Off the map it is the last playable hex on the way (85.3); if no hex of the way is on the map, the one
    nearest to where it dropped (P-5).
    """
    grid, table = battle.grid, battle.charts["airborne_drop"]
    way: int = battle.roll(side, "drop direction", table["direction_dice"], total(), ("85.1",), unit=name)
    distance: int = battle.roll(side, "drop distance", table["distance_dice"], total(), ("85.2",), unit=name)
    q, r = over
    dq, dr = grid.steps[way]
    path = [grid.at(q + step * dq, r + step * dr) for step in range(distance + 1)]
    playable = [hex for hex in path if hex is not None]
    if playable:
        return playable[-1]

    def apart(hex: str) -> int:
        hq, hr = grid.axial(hex)
        return max(abs(hq - q), abs(hr - r), abs(hq + hr - q - r))

    return min(grid.hexes, key=apart)


# ---- the landing (85.4-85.13, P-2) ------------------------------------------------------------------------------


def landing_column(battle: OstBattle, hex: str) -> int | None:
    """The ICT column of a hard landing; None in open terrain. Roads and hexsides do not count (85.5-85.7, P-4)."""
    if hex in battle.field.bridges:
        return battle.charts.terrain["bridge"].landing
    return battle.terrain(hex).landing


def bar_landing(battle: OstBattle, unit: Unit, hex: str) -> Bar | None:
    """Why a unit cannot land in a hex, so far as its owner can tell (85.9, 85.13, P-4)."""
    if battle.seen_enemies(hex, unit.side):
        return ENEMY_THERE
    ground, kind = battle.terrain(hex), battle.type(unit)
    if "foot" not in ground.mp and hex not in battle.field.bridges:
        return DEEP_WATER
    if kind.no_structures and ground.structure:
        return TOO_LARGE
    leader = _leader_aboard(battle, unit)
    kinds = [kind] if leader is None else [kind, battle.type(leader)]
    return stacking.bar_kinds(battle, unit.side, hex, kinds)


def _leader_aboard(battle: OstBattle, unit: Unit) -> Unit | None:
    """The Leader who jumps with a unit."""
    for other in battle.state.units.values():
        if other.attached == unit.id and other.status == PLANE:
            return other
    return None


def _land(battle: OstBattle, unit: Unit, hex: str) -> Procedure[None]:
    """One unit comes down: where, under whose fire, and how hard (P-2)."""
    enemy = battle.other(unit.side)
    leader = _leader_aboard(battle, unit)
    place = yield from _choose_place(battle, unit, hex)
    unit.aboard = ""
    battle.place(unit, place or hex)
    if leader is not None:
        leader.aboard = ""
        battle.place(leader, place or hex)
    if not place:
        yield from results.eliminate(battle, unit, enemy, "85.9")
        return
    yield from _free_fire(battle, unit)
    column = landing_column(battle, place)
    if column is not None and unit.status == ON_MAP:
        ground = battle.terrain(place)
        hard = bool(ground.structure or ground.name in HARD_LANDINGS or place in battle.field.bridges)
        rule = "85.6" if hard else "85.7"
        yield from attacks.column_attack(battle, unit.side, unit, column, rule, "85.4")
    if unit.status != ON_MAP:
        return
    battle.emit(move_events.Landed(side=unit.side, unit=unit.id, place=place, rules=("85.2",)))
    yield from movement.arrive(battle, unit, place)  # P-6: mines; a strike zone too (O-3)
    if unit.status == ON_MAP:
        yield from _point_gun(battle, unit)
        control.capture(battle, unit)


def _choose_place(battle: OstBattle, unit: Unit, hex: str) -> Procedure[str]:
    """The hex itself; or, where the unit cannot land, an adjacent one that its owner picks (85.9, 85.13, B-4).

    Open ground must be taken where there is any. Hidden enemies under the parachute are revealed (H-1), and
    another hex is picked. "" if there is none.
    """
    _surprise(battle, unit, hex)
    if bar_landing(battle, unit, hex) is None:
        return hex
    while legal := [other for other in battle.grid.adjacent[hex] if bar_landing(battle, unit, other) is None]:
        choices = [other for other in legal if landing_column(battle, other) is None] or legal
        place = choices[0]
        if len(choices) > 1:
            options = [
                Option(f"land {unit.id} {to}", f"Land in {to}", "land", unit.id, to, rule="85.9") for to in choices
            ]
            answer = yield Ask(
                unit.side, f"{battle.name(unit)} can't land in {hex}: where instead?", options, rule="85.9"
            )
            place = answer.split()[2]
        if not _surprise(battle, unit, place):
            return place
    return ""


def _surprise(battle: OstBattle, unit: Unit, hex: str) -> bool:
    """Show the hidden enemies in a hex where a parachutist comes down; True if there were any (H-1)."""
    found = [other for other in battle.at.get(hex, ()) if other.side != unit.side and other.hidden]
    for other in found:
        battle.reveal(other, "73.8")
    return bool(found)


def _point_gun(battle: OstBattle, unit: Unit) -> Procedure[None]:
    """A gun that came down is pointed as its owner likes, as one that was unloaded is (79.12)."""
    if battle.type(unit).covered_arc:
        options = [
            Option(f"face {way}", f"Face {battle.grid.compass(way)}", "face", unit.id, unit.hex, rule="79.12")
            for way in range(1, 7)
        ]
        prompt = f"Which way does {battle.name(unit)} point?"
        answer = yield Ask(unit.side, prompt, options, rule="79.12")
        unit.facing = int(answer.split()[1])
        way = battle.grid.compass(unit.facing)
        battle.emit(move_events.Turned(side=unit.side, unit=unit.id, facing=unit.facing, way=way, rules=("79.12",)))


# ---- free fire at parachutists (85.10, P-3) -------------------------------------------------------------------------


class Volley(NamedTuple):
    """An attack on a parachutist that is still to be had: one unit's shot, or a Fire Group's two."""

    shots: tuple[Shot, ...]

    @property
    def key(self) -> str:
        """The answer that chooses it."""
        if len(self.shots) > 1:
            return "group " + " ".join(shot.unit.id for shot in self.shots)
        return f"fire {self.shots[0].unit.id} {self.shots[0].arm.word}"


def _free_fire(battle: OstBattle, unit: Unit) -> Procedure[None]:
    """Every enemy in reach may fire once, free and unmarked, at half Firepower, alone or as a group (85.10, P-3)."""
    enemy = battle.other(unit.side)
    fired: set[tuple[str, bool]] = set()
    while unit.status == ON_MAP and (volleys := list(_volleys(battle, unit, fired))):
        answer = yield Ask(
            enemy,
            f"Fire at {battle.name(unit)} coming down in {unit.hex}?",
            [HOLD, *(_option(battle, volley, unit) for volley in volleys)],
            reaction="fire at parachutists",
            rule="85.10",
        )
        if answer == HOLD.key:
            return
        volley = next(v for v in volleys if v.key == answer)
        fired.update(_slot(shot) for shot in volley.shots)
        yield from _fire_volley(battle, unit, volley)


def _option(battle: OstBattle, volley: Volley, unit: Unit) -> Option:
    firer = volley.shots[0].unit
    name = " and ".join(battle.name(shot.unit) for shot in volley.shots)
    label = f"Fire with {name}"
    return Option(volley.key, label, "fire", firer.id, unit.hex, unit.id, cost="0 IP", rule="85.10", range=1)


def _slot(shot: Shot) -> tuple[str, bool]:
    """What a unit can fire once: a vehicle's machine guns fire beside its main armament (95.13)."""
    return shot.unit.id, shot.arm.kind == "mg"


def _fits(battle: OstBattle, arm: Arm) -> bool:
    """Small arms and HE reach men in the air; what is thrown, flamed or aimed at armor does not."""
    if arm.kind in ("gun", "mg"):
        return True
    return arm.kind == "small" and (arm.weapon is None or battle.kinds[arm.weapon.kind].class_ in SMALL_ARMS)


def _volleys(battle: OstBattle, target: Unit, fired: set[tuple[str, bool]]) -> Iterator[Volley]:
    """The attacks still to be had on a unit that comes down."""
    single: list[Shot] = []
    for hex in battle.grid.adjacent[target.hex]:
        for unit in battle.stack(hex, battle.other(target.side)):
            if bar_fire(battle, unit) is None:
                shots = [Shot(unit, target, arm) for arm in arms(battle, unit) if _fits(battle, arm)]
                single += [s for s in shots if _slot(s) not in fired and bar_shot(battle, unit, target, s.arm) is None]
    for shot in single:
        yield Volley((shot,))
    best: dict[str, Shot] = {}
    for shot in single:
        if not battle.type(shot.unit).vehicle and not battle.type(shot.unit).sniper:
            best[shot.unit.id] = max(best.get(shot.unit.id, shot), shot, key=lambda s: _power(battle, s))
    members = list(best.values())
    for number, first in enumerate(members):
        for second in members[number + 1 :]:
            led = any(fire_groups.has_leader(battle, shot.unit) for shot in (first, second))
            if led and battle.grid.distance(first.unit.hex, second.unit.hex) <= 1:
                yield Volley((first, second))


def _power(battle: OstBattle, shot: Shot) -> int:
    return firepower_tally(battle, [shot], ()).total


def _fire_volley(battle: OstBattle, target: Unit, volley: Volley) -> Procedure[None]:
    """One attack at half Firepower on a Defense without terrain; of hidden units it is an ambush (85.10, 73.9)."""
    units = [shot.unit for shot in volley.shots]
    ambush = all(unit.hidden for unit in units)
    for unit in units:
        battle.reveal(unit, "73.6")
        battle.emit(
            turn_events.Declared(side=unit.side, unit=unit.id, what="fires at", target=target.id, rules=("85.10",))
        )
    firepower = firepower_tally(battle, volley.shots, (), ambush=ambush, parachutist=True)
    roll = Tally("attack roll", 0, "86.7")
    combat.lead(battle, roll, *units)
    if ambush:
        combat.modify(battle, roll, "ambush_roll")
    defense = combat.defense_tally(battle, target, "plain")
    yield from attacks.infantry_attack(battle, units[0].side, target, firepower, defense, roll, "85.10")
