"""What a result does: casualties, damage, abandonment, crews and Leaders (91, 94, 96-99)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import Faces, Reader, at_least, by_face
from grognard.games.ost import combat_events, control, move_events, stacking, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.morale import gut_check, suffer
from grognard.games.ost.state import BROKEN, GOOD, LOST, ON_MAP, SHAKEN, UNMANNED, Unit, Weapon


class Effect(NamedTuple):
    """What an attack did to its target.

    ``suffered``: a casualty, damage or a failed Gut Check (G-7). ``destroyed``: it is gone, or abandoned.
    ``halted``: it must stop if it was moving (105.3, 105.5). ``jammed``: the weapon fired its last (18.12).
    """

    suffered: bool = False
    destroyed: bool = False
    halted: bool = False
    jammed: bool = False


NOTHING = Effect()
STOPPED = Effect(suffered=True, halted=True)
GONE = Effect(suffered=True, destroyed=True, halted=True)


# ---- infantry combat results (94) ----


def apply_ict(
    battle: OstBattle,
    unit: Unit,
    result: str,
    by: str,
    *rules: str,
    melee: bool = False,
    leader_rolls: bool = True,
) -> Procedure[Effect]:
    """Carry out a result of the Infantry Combat Table: the casualty first, then the morale result (94.6).

    An attached Leader makes one Leader Casualty Roll, for the worst part (91.5); in Melee he is attacked
    himself instead (102.19).
    """
    if not result:
        return NOTHING
    casualty, _, after = result.partition("-")
    leader = battle.leader(unit) if leader_rolls and not melee else None
    if casualty == "X" or (casualty == "C" and (unit.reduced or not battle.type(unit).reduced)):
        if leader is not None:
            yield from _leader_rolls(battle, leader, by, "unit_destroyed", "91.2")
        yield from eliminate(battle, unit, by, "94.1" if casualty == "X" else "94.2", *rules, melee=melee)
        return GONE
    if casualty == "C":
        reduce(battle, unit, *rules)
        if leader is not None:
            yield from _leader_rolls(battle, leader, by, "unit_reduced", "91.3")
        if after:
            suffer(battle, unit, after, "94.6")
        return STOPPED
    if not suffer(battle, unit, casualty, "94.3" if casualty == "B" else "94.4"):
        return NOTHING
    if leader is not None:
        suffer(battle, leader, casualty, "91.4")
    return STOPPED


def reduce(battle: OstBattle, unit: Unit, *rules: str) -> None:
    """Flip a full unit to its reduced side: 1 Casualty Point (94.2)."""
    unit.reduced = True
    battle.emit(combat_events.Reduced(side=unit.side, unit=unit.id, rules=("94.2", *rules)))
    battle.score(battle.other(unit.side), battle.charts["casualty_points"]["step_lost"], unit, "5.1", "94.2")


@cache
def leader_reader(killed_at_most: int) -> Reader:
    """What becomes of a Leader by the face of the die (91.2, 91.3)."""

    def read(faces: Faces) -> str:
        return "killed" if sum(faces) <= killed_at_most else "unhurt"

    read.worth = lambda meaning: float(meaning == "unhurt")  # type: ignore[attr-defined]
    return read


def _leader_rolls(battle: OstBattle, leader: Unit, by: str, what: str, rule: str) -> Procedure[None]:
    """The Leader Casualty Roll: 1-3 kills him with his unit, a 1 when it is reduced (91.2, 91.3)."""
    killed_at_most = battle.charts["leader_casualty"][what]["killed_at_most"]
    reader = leader_reader(killed_at_most)
    fate = battle.roll(leader.side, "Leader Casualty", "1d6", reader, (rule, "91.1", "88.4"), unit=leader.id)
    if fate == "killed":
        yield from eliminate(battle, leader, by, rule)


# ---- exposed crews (21.17) ----


def apply_to_crew(battle: OstBattle, vehicle: Unit, result: str) -> Effect:
    """An exposed crew takes no casualties: X Breaks and C Shakes it without a check; S and B as usual (21.17)."""
    casualty, _, after = result.partition("-")
    fell = False
    if casualty == "X":
        fell = suffer(battle, vehicle, "B", "21.17", check=False)
    elif casualty == "C":
        if vehicle.morale != BROKEN:
            fell = suffer(battle, vehicle, "S", "21.17", check=False)
        if after == "B" and vehicle.morale == SHAKEN:  # F-9: C-B is Shaken, then a check for Broken
            fell = suffer(battle, vehicle, "B", "21.17") or fell
    elif casualty:
        fell = suffer(battle, vehicle, casualty, "21.17")
    return STOPPED if fell else NOTHING


# ---- elimination of foot units (5, 15.12, 17.2, 20.8, 20.10) ----


def eliminate(
    battle: OstBattle,
    unit: Unit,
    by: str,
    *rules: str,
    melee: bool = False,
    score: bool = True,
) -> Procedure[None]:
    """Remove a foot unit: points for what was left of it, and what becomes of its weapons, gun and Leader.

    An eliminated crewed weapon may stay on the field unmanned (17.2), but not after Melee (102.29). In a collapse it
    was lost before its crew is attacked (110.13, K-3).
    """
    type_ = battle.type(unit)
    if type_.vehicle:
        yield from destroy_vehicle(battle, unit, by, *rules, melee=melee)
        return
    hex, leader = unit.hex, battle.leader(unit)
    battle.reveal(unit, *rules)
    battle.emit(combat_events.Eliminated(side=unit.side, unit=unit.id, rules=rules))
    if score:
        points = type_.points_reduced if unit.reduced and type_.points_reduced else type_.points
        battle.score(battle.other(unit.side), points, unit, _points_rule(battle, unit))
    leave_rolling_cover(battle, unit)
    battle.lift(unit)
    unit.status, unit.clearing, unit.attached, unit.aboard = LOST, "", "", ""
    _leave_weapons(battle, unit, hex)
    if type_.crewed and not melee:
        least = battle.charts["crewed_weapon"]["gun_remains_at_least"]
        if battle.roll(by, "gun remains", "1d6", at_least(least), ("17.2",), unit=unit.id):
            unit.status, unit.manned_by, unit.morale = UNMANNED, "", GOOD
            battle.emit(move_events.Unmanned(side=unit.side, unit=unit.id, place=hex, rules=("17.2",)))
    if leader is not None and leader.status == ON_MAP:
        reattach(battle, leader)
    after_loss(battle, hex)


def _points_rule(battle: OstBattle, unit: Unit) -> str:
    type_ = battle.type(unit)
    if type_.crew:
        return "5.5"
    if type_.leader or type_.armor_leader:
        return "5.8"
    if type_.sniper:
        return "5.9"
    return "5.2" if unit.reduced else "5.1"


def _leave_weapons(battle: OstBattle, unit: Unit, hex: str) -> None:
    """A lost squad's weapons pass to the squad stacked with it, or lie in the hex for anyone (20.8, 20.10)."""
    heir = next((u for u in battle.stack(hex, unit.side) if battle.type(u).squad), None)
    for weapon in battle.weapons(unit):
        if heir is not None:
            weapon.unit, weapon.hex = heir.id, ""
            taken = move_events.WeaponTaken(
                side=heir.side,
                unit=heir.id,
                weapon=weapon.id,
                rules=("20.10",),
                seen_by=heir.side if heir.hidden else "",
            )
            battle.emit(taken)
        else:
            weapon.unit, weapon.hex = "", hex
            battle.emit(move_events.WeaponLeft(side=unit.side, weapon=weapon.id, place=hex, rules=("20.8",)))


def lose_weapon(battle: OstBattle, weapon: Weapon, *rules: str) -> None:
    """A support weapon is used up or destroyed; that scores nothing (5.10)."""
    weapon.unit = weapon.hex = ""
    battle.emit(move_events.WeaponLost(weapon=weapon.id, rules=rules))


def reattach(battle: OstBattle, leader: Unit) -> None:
    """A Leader whose unit is lost joins the unit left in the stack, if it can take him (15.12, D-2).

    He does not give a hidden one away (73.4).
    """
    leader.attached = ""
    for other in battle.stack(leader.hex, leader.side):
        type_ = battle.type(other)
        if other.aboard != leader.aboard or other.hidden != leader.hidden:
            continue
        if type_.foot and not type_.single and battle.leader(other) is None:
            leader.attached = other.id
            battle.emit(move_events.Attached(side=leader.side, unit=leader.id, to=other.id, rules=("15.12",)))
            return
    battle.emit(move_events.Detached(side=leader.side, unit=leader.id, rules=("15.12",)))


def leave_rolling_cover(battle: OstBattle, unit: Unit) -> None:
    """Rolling Cover ends when one of the pair is lost (81.10)."""
    if unit.partner:
        other = battle.unit(unit.partner)
        other.partner = unit.partner = ""
        squad, vehicle = (other, unit) if battle.type(unit).vehicle else (unit, other)
        battle.emit(
            move_events.RollingCover(side=unit.side, unit=squad.id, vehicle=vehicle.id, on=False, rules=("81.10",))
        )


def after_loss(battle: OstBattle, hex: str, *, evaded: bool = False) -> None:
    """Tidy a hex that a unit left or died in: Cover without an owner goes (25.4), a Melee without enemies ends.

    One that everybody ``evaded`` was no Melee (C-2): the hex falls to those who moved in in good order (65.3).
    """
    state = battle.state
    work = state.works.get(hex)
    if work is not None and work.kind == "cover" and not battle.stack(hex, work.side):
        del state.works[hex]
        battle.emit(move_events.Removed(side=work.side, kind="cover", place=hex, rules=("25.4",)))
    if hex in state.melees and state.phase != "melee" and len({u.side for u in battle.at.get(hex, ())}) < 2:
        del state.melees[hex]
        battle.emit(combat_events.MeleeOver(place=hex, rules=("11.3" if evaded else "102.30",)))
        if not evaded:
            control.after_melee(battle, hex)


# ---- vehicle combat results (96) ----


def apply_vct(
    battle: OstBattle, vehicle: Unit, result: str, by: str, *rules: str, melee: bool = False
) -> Procedure[Effect]:
    """Carry out a result of the Vehicle Combat Table: damage first, then morale (96.6)."""
    if not result:
        return NOTHING
    harm, _, after = result.partition("-")
    if harm == "X":
        yield from destroy_vehicle(battle, vehicle, by, "96.1", *rules, melee=melee)
        return GONE
    if harm != "D":
        fell = suffer(battle, vehicle, harm, "96.3" if harm == "B" else "96.4")
        return STOPPED if fell else NOTHING
    effect = yield from damage(battle, vehicle, by, melee=melee)
    if after and not effect.destroyed and suffer(battle, vehicle, after, "96.6"):
        return STOPPED
    return effect


def damage(battle: OstBattle, vehicle: Unit, by: str, *, melee: bool = False) -> Procedure[Effect]:
    """The damage roll (96.2). A second damage abandons the vehicle (97.5); an unarmed one is destroyed (97.3)."""
    type_ = battle.type(vehicle)
    what: str = battle.roll(by, "damage", "1d6", by_face(damage_rows(battle, vehicle)), ("96.2",), unit=vehicle.id)
    if what == "minor":
        return NOTHING
    if what == "destroyed":
        yield from destroy_vehicle(battle, vehicle, by, "97.3", melee=melee)
        return GONE
    if what == "abandoned":
        yield from abandon(battle, vehicle, by, "97.5")
        return GONE
    if what == "abandon_roll":
        if gut_check(battle, vehicle, "96.2"):
            return NOTHING
        yield from abandon(battle, vehicle, by, "96.2")
        return GONE
    if what == "immobilized":
        vehicle.immobilized = True
        battle.emit(move_events.Immobilized(side=vehicle.side, unit=vehicle.id, rules=("96.2",)))
        return STOPPED
    if what == "mgs":
        vehicle.mgs_out = True
        battle.emit(
            combat_events.Damaged(side=vehicle.side, unit=vehicle.id, what="machine guns", rules=("96.2", "97.2"))
        )
    else:
        gun = _dual_gun(battle, vehicle) if type_.dual else battle.working_guns(vehicle)[0]
        vehicle.guns_out = (*vehicle.guns_out, gun)
        rules = ("96.2", "97.2", "22.4") if type_.dual else ("96.2", "97.2")
        battle.emit(combat_events.Damaged(side=vehicle.side, unit=vehicle.id, what=type_.guns[gun].name, rules=rules))
    return Effect(suffered=True)


def damage_rows(battle: OstBattle, vehicle: Unit) -> tuple[str, ...]:
    """What each face of the damage roll means for a vehicle as it is now.

    An unarmed one has nothing but its life to lose (97.3), a damaged one its crew (97.5), and one with a single kind
    of armament loses that by either result (97.2).
    """
    table = battle.charts["vehicle_damage"]
    rows: list[str] = list(table["rows"])
    if not battle.type(vehicle).armed:
        lost = table["unarmed_destroyed_on"]
        return tuple("destroyed" if face in lost else "minor" for face in range(1, len(rows) + 1))
    if damaged(battle, vehicle):
        lost = table["second_damage_abandons_on"]
        rows = ["abandoned" if face in lost else what for face, what in enumerate(rows, 1)]
    if not battle.working_guns(vehicle):
        return tuple("mgs" if what == "main_gun" else what for what in rows)
    if not battle.working_mgs(vehicle):
        return tuple("main_gun" if what == "mgs" else what for what in rows)
    return tuple(rows)


def damaged(battle: OstBattle, vehicle: Unit) -> bool:
    """Whether it already has a damage marker (97.5); Immobilized by bogging counts unless the scenario says not."""
    if vehicle.mgs_out or vehicle.guns_out:
        return True
    return vehicle.immobilized and (battle.options.bog_immobilized_is_damage or not vehicle.bogged)


def _dual_gun(battle: OstBattle, vehicle: Unit) -> int:
    """Which of two main armaments is hit: 1-3 the turret's, 4-6 the hull's (22.4)."""
    table = battle.charts["dual_armament_damage"]
    faces = tuple("turret" if face in table["turret"] else "hull" for face in range(1, 7))
    mount = battle.roll(vehicle.side, "which gun", "1d6", by_face(faces), ("22.4",), unit=vehicle.id)
    guns = battle.type(vehicle).guns
    return next(i for i, gun in enumerate(guns) if (gun.mount == "turret") == (mount == "turret"))


# ---- the loss of a vehicle (98, 99) ----


def destroy_vehicle(battle: OstBattle, vehicle: Unit, by: str, *rules: str, melee: bool = False) -> Procedure[None]:
    """Flip a vehicle to its wreck and roll for the crew (96.1, 99); no crew lives in Melee (102.27)."""
    type_ = battle.type(vehicle)
    points = battle.charts["casualty_points"]
    enemy = battle.other(vehicle.side)
    hex = vehicle.hex
    riders = _wreck(battle, vehicle, *rules)
    if not type_.crew_survival:
        battle.score(enemy, type_.points, vehicle, "5.7" if type_.armored_transport else "5.6", "99.5")
    else:
        survives = False
        if not melee:
            least = battle.charts["crew_survival"]["survives_at_least"]
            survives = battle.roll(vehicle.side, "crew survival", "1d6", at_least(least), ("99.2",), unit=vehicle.id)
        room = place_of_crew(battle, vehicle.side, hex) if survives else ""
        if room:
            battle.score(enemy, points["vehicle_only"], vehicle, "5.4", "99.4")
            crew = battle.create(crew_kind(battle, vehicle), vehicle.side, room)
            crew.moved, crew.fired, crew.assaulted = vehicle.moved, vehicle.fired, vehicle.assaulted
            crew.intensive, crew.on_road = vehicle.intensive, room == hex and vehicle.on_road  # 57.4: not in the house
            battle.emit(combat_events.CrewSurvived(side=vehicle.side, unit=vehicle.id, crew=crew.id, rules=("99.3",)))
        else:
            battle.score(enemy, points["vehicle_and_crew"], vehicle, "5.3", "21.9")
    yield from _set_down(battle, vehicle, riders)
    after_loss(battle, hex)


def abandon(battle: OstBattle, vehicle: Unit, by: str, *rules: str) -> Procedure[None]:
    """The crew runs: a wreck, one Casualty Point, no Crew counter (98)."""
    hex = vehicle.hex
    battle.emit(combat_events.Abandoned(side=vehicle.side, unit=vehicle.id, rules=("98.1", *rules)))
    riders = _wreck(battle, vehicle, "98.1")
    points = battle.charts["casualty_points"]["vehicle_abandoned"]
    battle.score(battle.other(vehicle.side), points, vehicle, "98.3", "5.4")
    yield from _set_down(battle, vehicle, riders)
    after_loss(battle, hex)


def _wreck(battle: OstBattle, vehicle: Unit, *rules: str) -> list[Unit]:
    """Turn the counter over; its Armor Leader leaves the game with it (16.7, 16.11). Returns who rode on it."""
    state, hex = battle.state, vehicle.hex
    battle.reveal(vehicle, *rules)
    riders = [u for u in battle.at[hex] if u.aboard == vehicle.id]
    leader = battle.leader(vehicle)
    leave_rolling_cover(battle, vehicle)
    battle.lift(vehicle)
    vehicle.status, vehicle.acquired = LOST, ""
    state.wrecks[hex] = state.wrecks.get(hex, 0) + 1
    battle.emit(combat_events.Wrecked(side=vehicle.side, unit=vehicle.id, place=hex, rules=("21.8", *rules)))
    if leader is not None:
        remove_armor_leader(battle, leader, "16.7")
    for weapon in battle.weapons(vehicle):  # carried as cargo
        weapon.unit, weapon.hex = "", hex
    for rider in riders:
        rider.aboard = ""
    return riders


def remove_armor_leader(battle: OstBattle, leader: Unit, *rules: str) -> None:
    """An Armor Leader is out of the game: 1 Casualty Point (16.11)."""
    battle.lift(leader)
    leader.status, leader.attached = LOST, ""
    battle.emit(combat_events.Eliminated(side=leader.side, unit=leader.id, rules=rules))
    points = battle.charts["casualty_points"]["armor_leader"]
    battle.score(battle.other(leader.side), points, leader, "16.11", "5.8")


def _set_down(battle: OstBattle, vehicle: Unit, riders: list[Unit]) -> Procedure[None]:
    """Riders of a lost vehicle stand in its hex; a towed gun's owner chooses its arc (79.21, X-8).

    Whom a vehicle carried this turn has moved as it did. A gun was unloaded, whether the vehicle moved or not: it has
    its arc by 79.12, and does not fire (17.11, X-11).
    """
    for rider in riders:
        gun = battle.type(rider).asterisk
        rider.new_hex = rider.new_hex or vehicle.new_hex or gun
        if (vehicle.moved or gun) and not rider.moved and not battle.used(rider):
            rider.moved = True
            marker = "Used" if battle.used(rider) else "Moved"
            rules = ("79.12", "17.11") if gun else ("79.9",)
            battle.emit(turn_events.Marked(side=rider.side, unit=rider.id, marker=marker, rules=rules))
        if battle.type(rider).covered_arc:
            answer = yield Ask(
                rider.side,
                f"Which way does {battle.name(rider)} point?",
                [
                    Option(f"face {d}", f"Face {battle.grid.compass(d)}", "face", rider.id, rider.hex, rule="79.12")
                    for d in range(1, 7)
                ],
                rule="79.21",
                meanwhile="face 1",
            )
            rider.facing = int(answer.split()[1])
            way = battle.grid.compass(rider.facing)
            battle.emit(
                move_events.Turned(side=rider.side, unit=rider.id, facing=rider.facing, way=way, rules=("79.21",))
            )


def crew_kind(battle: OstBattle, unit: Unit) -> str:
    """The Crew counter of the nation that serves a unit: that of the squad for a gun it mans (17.3)."""
    nation = battle.kinds[unit.manned_by or unit.kind].nation
    return next(kind.id for kind in battle.kinds.values() if kind.crew and kind.nation == nation)


def place_of_crew(battle: OstBattle, side: str, hex: str) -> str:
    """Where a surviving crew stands: the wreck's hex (99.3), or, where that is full, the next hex with room.

    The book does not say what happens in a full hex; stacking limits hold at every moment (72).
    """
    crew = next(kind for kind in battle.kinds.values() if kind.crew)
    for place in (hex, *battle.grid.adjacent[hex]):
        free = place == hex or (
            not any(u.side != side for u in battle.at.get(place, ()))
            and place not in battle.state.melees
            and "foot" in battle.terrain(place).mp
        )
        if free and stacking.bar_kinds(battle, side, place, [crew]) is None:
            return place
    return ""
