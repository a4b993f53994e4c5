"""One shot: at men (93), at a vehicle after a To Hit roll (95), at an Armor Leader (16.9), and what it leaves behind.

What it is worth is in `firepower`, the formula itself in `combat`, and what a result does in `results`.
"""

from __future__ import annotations

from functools import cache

from grognard.core.ask import Procedure
from grognard.core.dice import Faces, Reader
from grognard.core.tally import Tally
from grognard.games.ost import attacks, collapse, combat, combat_events, support_weapons, turn_events
from grognard.games.ost.arms import Shot, arms, say_arm
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.firepower import band, firepower_tally, gun_name, roll_tally, spend_luck, to_hit_tally
from grognard.games.ost.luck import lasting
from grognard.games.ost.morale import suffer
from grognard.games.ost.results import GONE, NOTHING, Effect, remove_armor_leader
from grognard.games.ost.sight import Sight, sees, sight
from grognard.games.ost.state import ON_MAP, Unit


def read_shot(battle: OstBattle, unit: Unit, target: str, word: str) -> Shot:
    """A shot from the words of an answer."""
    id, _, crew = target.partition(":")
    arm = next(arm for arm in arms(battle, unit) if arm.word == word)
    return Shot(unit, battle.unit(id), arm, bool(crew))


def resolve(
    battle: OstBattle,
    shot: Shot,
    *,
    ambush: bool = False,
    intensive: bool = False,
    sustained: bool = False,
) -> Procedure[Effect]:
    """Carry out one shot at one target, and whatever the weapon leaves behind."""
    unit, target, arm = shot.unit, shot.target, shot.arm
    line = sight(battle, unit, target)
    what, rules = ("fires at", ("88.1",)) if not sustained else ("uses Sustained Fire at", ("18.2", "18.7"))
    how = say_arm(battle, unit, arm)
    what += " the crew of" if shot.crew else ""
    battle.emit(turn_events.Declared(side=unit.side, unit=unit.id, what=what, target=target.id, how=how, rules=rules))
    if arm.weapon is not None:
        arm.weapon.used_by = unit.id
    if arm.kind == "gun" and battle.type(unit).vehicle:
        unit.main_fires += 1
    in_walls, hex = battle.in_walls(target), target.hex
    type_ = battle.type(target)
    if type_.armor_leader:
        effect = _at_armor_leader(battle, shot, line, ambush, intensive)
    elif type_.vehicle and not shot.crew:
        effect = yield from _at_vehicle(battle, shot, line, ambush, intensive, sustained)
    else:
        effect = yield from _at_foot(battle, shot, line, ambush, intensive, sustained)
    if in_walls and brings_down(battle, shot):
        yield from collapse.collapse_check(battle, hex, unit.side, source=battle.type(unit).name)
    if arm.weapon is not None:
        support_weapons.after_use(battle, unit, arm.weapon)
    return effect


def brings_down(battle: OstBattle, shot: Shot) -> bool:
    """Whether it is HE of a heavy weapon that can collapse what its target is in (110.2, Z-7)."""
    return shot.arm.kind == "gun" and battle.type(shot.target).foot and battle.type(shot.unit).collapse


def _at_foot(
    battle: OstBattle, shot: Shot, line: Sight, ambush: bool, intensive: bool, sustained: bool
) -> Procedure[Effect]:
    """The ICT: small arms, and HE without a To Hit roll, at soft targets and exposed crews (93, 95.11, 21.16)."""
    firepower = firepower_tally(battle, [shot], [line], ambush=ambush, intensive=intensive)
    defense = combat.defense_tally(battle, shot.target, "close" if shot.arm.near else "fire", [line], crew=shot.crew)
    roll = roll_tally(battle, [shot.unit], shot.target, ambush=ambush, intensive=intensive)
    spend_luck(battle, shot.unit.side, firepower)
    return (
        yield from attacks.infantry_attack(
            battle, shot.unit.side, shot.target, firepower, defense, roll, "88.1", crew=shot.crew, sustained=sustained
        )
    )


def _at_vehicle(
    battle: OstBattle, shot: Shot, line: Sight, ambush: bool, intensive: bool, sustained: bool
) -> Procedure[Effect]:
    """The VCT: guns and anti-tank weapons must hit first (95.2); small arms and close weapons hit by themselves."""
    unit, target, arm = shot.unit, shot.target, shot.arm
    critical = False
    if arm.kind in ("gun", "at"):
        hit = _to_hit(battle, shot, line, ambush, intensive)
        if hit == "miss":
            return NOTHING
        critical = hit == "critical"
    firepower = firepower_tally(battle, [shot], [line], ambush=ambush, intensive=intensive)
    kind = "close" if arm.near else "fire"
    defense = combat.defense_tally(battle, target, kind, [line], firers=[unit.hex])
    roll = roll_tally(battle, [unit], target, ambush=ambush, intensive=intensive)
    spend_luck(battle, unit.side, firepower)
    rules = {"gun": "95.8", "at": "20at.1", "close": "20.7"}.get(arm.kind, "21.15")
    return (
        yield from attacks.vehicle_attack(
            battle, unit.side, target, firepower, defense, roll, rules, critical=critical, sustained=sustained
        )
    )


def _at_armor_leader(battle: OstBattle, shot: Shot, line: Sight, ambush: bool, intensive: bool) -> Effect:
    """A Sniper at an Armor Leader: C or X kills him and Shakes his vehicle, S and B do nothing (16.9, 16.10, F-13)."""
    unit, leader = shot.unit, shot.target
    firepower = firepower_tally(battle, [shot], [line], ambush=ambush, intensive=intensive)
    combat.least_firepower(battle, firepower)
    defense = combat.defense_tally(battle, leader, "fire", [line])
    roll = roll_tally(battle, [unit], leader, ambush=ambush, intensive=intensive)
    numbers = combat.Numbers(firepower, defense, roll)
    result, _ = combat.attack_roll(battle, unit.side, leader, "ict", numbers, "93.4", "16.9")
    if result[:1] not in ("C", "X"):
        return NOTHING
    vehicle = battle.unit(leader.attached)
    remove_armor_leader(battle, leader, "16.10")
    suffer(battle, vehicle, "S", "16.10", check=False)
    return GONE


# ---- To Hit, and Acquired Targets (95.3-95.7, 95.16-95.18) ----


@cache
def hit_reader(needed: int, add: int) -> Reader:
    """To Hit: a modified roll of the number or more; an unmodified double six is a Critical Hit (95.6, 95.7)."""

    def read(faces: Faces) -> str:
        if all(face == 6 for face in faces):
            return "critical"
        return "hit" if sum(faces) + add >= needed else "miss"

    read.worth = lambda meaning: {"miss": 0, "hit": 1, "critical": 2}[meaning]  # type: ignore[attr-defined]
    return read


def _to_hit(battle: OstBattle, shot: Shot, line: Sight, ambush: bool, intensive: bool) -> str:
    """Roll To Hit by the range band, and note the target as acquired (95.3, 95.6, 95.16)."""
    unit, target = shot.unit, shot.target
    _, _, needed, _ = band(battle, shot)
    distance = battle.grid.dist[unit.hex][target.hex]
    number = Tally("To Hit number", needed, "95.3", f"{gun_name(battle, shot)}, range {distance}")
    tally = to_hit_tally(battle, shot, line, ambush=ambush, intensive=intensive)
    hit: str = battle.roll(
        unit.side, "To Hit", "2d6", hit_reader(needed, tally.total), ("95.6",), (number, tally), unit=target.id
    )
    lasting.use_boon(battle, unit.side, "to_hit_drm")
    if target.id not in unit.acquired.split():
        unit.acquired = f"{unit.acquired} {target.id}".strip()
        battle.emit(combat_events.Acquired(side=unit.side, unit=unit.id, target=target.id, rules=("95.16", "95.17")))
    return hit


def keep_acquired(battle: OstBattle) -> None:
    """A target stays Acquired only while it is in unbroken sight (95.18, F-12)."""
    for unit in [unit for unit in battle.state.units.values() if unit.acquired]:
        targets = [battle.unit(id) for id in unit.acquired.split()] if unit.status == ON_MAP else []
        kept = [t.id for t in targets if t.status == ON_MAP and sees(battle, unit, t)]
        unit.acquired = " ".join(kept)
