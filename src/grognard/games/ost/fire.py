"""Combat by fire: declaring, resolving and marking an attack (88-90, 93, 95, 18, 20).

A unit fires as one of its two actions; a Used one by Intensive Fire. From top to bottom: the action and its marks,
one shot (at men, at a vehicle after a To Hit roll, at an Armor Leader), the tallies behind it, and Sustained Fire.
The formula itself is in `combat`, what a result does in `results`, and what bars a shot in `arms`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import Faces, Reader
from grognard.core.tally import Line, Tally
from grognard.games.ost import collapse, combat, events, luck, support_weapons
from grognard.games.ost.arms import (
    Shot,
    arms,
    arms_reach,
    bar_fire,
    say_arm,
    say_shot,
    say_target,
    shots,
    shots_at,
    visible_targets,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.combat import modify
from grognard.games.ost.morale import suffer
from grognard.games.ost.results import GONE, NOTHING, Effect, remove_armor_leader
from grognard.games.ost.shot_memory import has_shot, looked_at
from grognard.games.ost.sight import Sight, sight
from grognard.games.ost.state import LOST, ON_MAP, Unit

HOLD = Option("hold", "Hold fire", "pass", rule="95.13")


# ---- the action (88.1, 88.7-88.9) ----


def options_fire(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every unit of the side that has something to fire at, for a point."""
    targets = visible_targets(battle, side)
    keyed = looked_at(battle, targets)
    for unit in battle.units(side):
        if bar_fire(battle, unit) is None:
            if (
                has_shot(battle, unit, keyed)
                or support_weapons.can_throw(battle, unit, targets)
                or support_weapons.could_take(battle, unit, targets)
            ):
                intensive = battle.used(unit)
                yield Option(
                    f"fire {unit.id}",
                    "Intensive Fire" if intensive else "Fire",
                    "fire",
                    unit.id,
                    unit.hex,
                    cost="1 IP",
                    rule="90.1" if intensive else "88.1",
                )


def act_fire(battle: OstBattle, side: str, unit_id: str) -> Procedure[bool]:
    """Spend a point, declare the attack, and carry it out (88.1)."""
    unit = battle.unit(unit_id)
    battle.spend(side, battle.figures["impulse"]["cost_action"], "88.1")
    while True:
        answer = yield Ask(
            side,
            f"{battle.name(unit)}: fire at what?",
            lambda: support_weapons.with_lying(battle, unit, list(attack_options(battle, unit))),
            rule="88.1",
        )
        words = answer.split()
        if words[0] not in ("take", "destroy"):
            break
        support_weapons.handle_lying(battle, unit, *words)
    yield from attack(battle, unit, words)
    return False


def attack_options(battle: OstBattle, unit: Unit, only: Sequence[Unit] | None = None) -> Iterator[Option]:
    """Every attack a unit can declare; ``only`` limits it to targets that are moving (105)."""
    targets = list(only) if only is not None else visible_targets(battle, unit.side)
    distances = battle.grid.dist[unit.hex]
    for shot in shots(battle, unit, targets):
        target = shot.target
        yield Option(
            f"at {shot.words}",
            f"Fire at {say_shot(battle, shot)}",
            "at",
            unit.id,
            target.hex,
            target.id,
            rule="88.1",
            range=distances[target.hex],
        )
    yield from sustained_options(battle, unit, targets)
    yield from support_weapons.throw_options(battle, unit, targets, smoke=only is None)


def attack(
    battle: OstBattle,
    unit: Unit,
    words: list[str],
    *,
    ambush: bool = False,
    opportunity: bool = False,
) -> Procedure[Effect]:
    """Carry out a declared attack and mark the unit; the first of a hidden unit is an ambush (73.9)."""
    ambush = ambush or unit.hidden
    intensive = battle.used(unit)
    battle.reveal(unit, "73.6")
    effect = NOTHING
    verb = words[0]
    if verb == "at":
        shot = read_shot(battle, unit, words[1], words[2])
        effect = yield from resolve(battle, shot, ambush=ambush, intensive=intensive)
        if battle.type(unit).vehicle:
            second = yield from _second_armament(battle, shot, ambush, intensive, opportunity)
            effect = effect if not second.suffered else second._replace(halted=effect.halted or second.halted)
    elif verb == "sustained":
        effect = yield from sustained_fire(battle, unit, words[1:], ambush)
    else:
        effect = yield from support_weapons.throw(battle, unit, words, ambush=ambush, intensive=intensive)
    mark_fired(battle, unit, intensive)
    return effect


def read_shot(battle: OstBattle, unit: Unit, target: str, word: str) -> Shot:
    """A shot from the words of an answer."""
    id, _, crew = target.partition(":")
    arm = next(arm for arm in arms(battle, unit) if arm.word == word)
    return Shot(unit, battle.unit(id), arm, bool(crew))


def mark_fired(battle: OstBattle, unit: Unit, intensive: bool) -> None:
    """Fired after the first time, Used after the second action (88.8, 88.9); Shaken by Intensive Fire (90.2)."""
    if unit.status != ON_MAP:
        return
    if intensive:
        unit.intensive = True
        battle.emit(events.Marked(side=unit.side, unit=unit.id, marker="Intensive Fire", rules=("90.2",)))
        suffer(battle, unit, "S", "90.2", check=False)
        return
    unit.fired += 1
    marker, rule = ("Used", "88.9") if battle.used(unit) else ("Fired", "88.8")
    battle.emit(events.Marked(side=unit.side, unit=unit.id, marker=marker, rules=(rule,)))


def _second_armament(
    battle: OstBattle, first: Shot, ambush: bool, intensive: bool, opportunity: bool
) -> Procedure[Effect]:
    """A vehicle's other armament fires in the same Impulse for no further point (95.13-95.15).

    Under Opportunity Fire it must be at the same target (95.14). Only one main armament fires (22.1).
    """
    unit, target = first.unit, first.target
    if unit.status != ON_MAP:
        return NOTHING
    others = [arm for arm in arms(battle, unit) if (arm.kind == "mg") != (first.arm.kind == "mg")]
    if opportunity:
        same = target.status == ON_MAP and not target.hidden
        found = list(shots_at(battle, unit, target, others)) if same else []
    else:
        targets = visible_targets(battle, unit.side)
        found = [shot for target in targets for shot in shots_at(battle, unit, target, others)]
    if not found:
        return NOTHING
    distances = battle.grid.dist[unit.hex]
    options = [HOLD] + [
        Option(
            f"at {shot.words}",
            f"Also fire at {say_shot(battle, shot)}",
            "at",
            unit.id,
            shot.target.hex,
            shot.target.id,
            rule="95.13",
            range=distances[shot.target.hex],
        )
        for shot in found
    ]
    answer = yield Ask(unit.side, f"{battle.name(unit)}: fire the other armament?", options, rule="95.13")
    if answer == HOLD.key:
        return NOTHING
    _, target_words, word = answer.split()
    return (yield from resolve(battle, read_shot(battle, unit, target_words, word), ambush=ambush, intensive=intensive))


# ---- one shot (93, 95) ----


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
    battle.emit(events.Declared(side=unit.side, unit=unit.id, what=what, target=target.id, how=how, rules=rules))
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
        yield from combat.infantry_attack(
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
        yield from combat.vehicle_attack(
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
    number = Tally("To Hit number", needed, "95.3", f"{_gun_name(battle, shot)}, range {distance}")
    tally = to_hit_tally(battle, shot, line, ambush=ambush, intensive=intensive)
    hit: str = battle.roll(
        unit.side, "To Hit", "2d6", hit_reader(needed, tally.total), ("95.6",), (number, tally), unit=target.id
    )
    luck.use_boon(battle, unit.side, "to_hit_drm")
    if target.id not in unit.acquired.split():
        unit.acquired = f"{unit.acquired} {target.id}".strip()
        battle.emit(events.Acquired(side=unit.side, unit=unit.id, target=target.id, rules=("95.16", "95.17")))
    return hit


def band(battle: OstBattle, shot: Shot) -> tuple[int, int, int, int]:
    """The range band of a gun or anti-tank weapon: from, to, To Hit, AP (63.2)."""
    distance = battle.grid.dist[shot.unit.hex][shot.target.hex]
    if shot.arm.weapon is None:
        return battle.type(shot.unit).guns[shot.arm.gun].band(distance)
    bands = battle.kinds[shot.arm.weapon.kind].bands
    return next((found for found in bands if found[0] <= distance <= found[1]), bands[-1])


# ---- the tallies of a shot ----


def firepower_tally(
    battle: OstBattle,
    group: Sequence[Shot],
    lines: Sequence[Sight],
    *,
    ambush: bool = False,
    intensive: bool = False,
    parachutist: bool = False,
) -> Tally:
    """The attack's Firepower: sum, double, halve, add and subtract, in that order (G-1, 86.3).

    A group's members are summed and halved each for itself (F-3); what both lines cross counts once (59.5).
    """
    tally = _own_firepower(battle, group[0])
    for shot in group[1:]:
        other = _own_firepower(battle, shot)
        tally.add("group", other.base, "92.3", battle.name(shot.unit))
        tally.lines += [Line(line.id, line.amount, line.rule, line.source or shot.unit.id) for line in other.lines]
    if parachutist:
        modify(battle, tally, "fire_at_parachutist")
    armor = _uses_ap(battle, group[0])
    _lucky_firepower(battle, tally, group, armor)
    degraded = degradations(lines)
    if degraded and (not armor or battle.options.degraded_fp_applies_to_ap):
        modify(battle, tally, "degraded_los", ", ".join(degraded), -len(degraded))
    for hex in sorted({shot.unit.hex for shot in group}):
        if hex in battle.state.smoke:
            modify(battle, tally, "firing_out_of_smoke", hex)
    if intensive:
        modify(battle, tally, "intensive_fire_fp")
    if ambush:
        modify(battle, tally, "ambush_fp")
    return tally


def _own_firepower(battle: OstBattle, shot: Shot) -> Tally:
    """What one unit brings: its own Firepower and its weapon's, then doubled or halved."""
    unit, target, arm = shot.unit, shot.target, shot.arm
    type_, victim = battle.type(unit), battle.type(target)
    if arm.kind == "gun" or arm.kind == "at":
        tally = _gun_firepower(battle, shot)
    elif arm.kind == "mg":
        tally = Tally("Firepower", type_.secondary.fp, "95.13", f"{type_.name}, machine guns")
    elif arm.kind in ("alone", "close"):
        assert arm.weapon is not None
        weapon = battle.kinds[arm.weapon.kind]
        tally = Tally("Firepower", weapon.fp, "20.4" if arm.kind == "alone" else "20.7", weapon.name)
    else:
        tally = Tally("Firepower", battle.firepower(unit), "88.1", type_.name)
        if arm.weapon is not None:
            weapon = battle.kinds[arm.weapon.kind]
            if arm.kind == "at_he":
                tally.add("support_weapon", weapon.he, "20at.2", weapon.name)
            else:
                tally.add("support_weapon", weapon.fp, "20.3", weapon.name)
    if type_.sniper and (victim.single or victim.armor_leader):
        modify(battle, tally, "sniper_vs_person")
    if unit.morale:
        modify(battle, tally, "shaken_fp")
    if arm.kind == "close":
        modify(battle, tally, "close_weapon_vs_vehicle")
    elif arm.kind in ("small", "alone", "mg"):
        if shot.crew:
            modify(battle, tally, "small_arms_vs_exposed_crew")
        elif victim.truck:
            modify(battle, tally, "small_arms_vs_soft_vehicle")
    return tally


def _uses_ap(battle: OstBattle, shot: Shot) -> bool:
    return shot.arm.kind in ("gun", "at") and battle.type(shot.target).armored


def _gun_firepower(battle: OstBattle, shot: Shot) -> Tally:
    """AP at armor by range band (95.8); HE at foot units (95.11) and, after a hit, at trucks (95.12)."""
    name = _gun_name(battle, shot)
    weapon = battle.kinds[shot.arm.weapon.kind] if shot.arm.weapon is not None else None
    if _uses_ap(battle, shot):
        return Tally("Firepower", band(battle, shot)[3], "95.8", f"{name}, AP")
    he = weapon.he if weapon else battle.he(shot.unit, shot.arm.gun)
    return Tally("Firepower", he, "95.12" if battle.type(shot.target).truck else "95.11", f"{name}, HE")


def _gun_name(battle: OstBattle, shot: Shot) -> str:
    """The gun or anti-tank weapon that is fired, by its name on the card."""
    if shot.arm.weapon is not None:
        return battle.kinds[shot.arm.weapon.kind].name
    return battle.type(shot.unit).guns[shot.arm.gun].name


def _lucky_firepower(battle: OstBattle, tally: Tally, group: Sequence[Shot], armor: bool) -> None:
    """The Luck cards that add to one attack of this Impulse: for a gun's AP, or on the ICT for squads and MGs."""
    first = group[0]
    if armor:
        fits, kind = first.arm.kind == "gun", "ap_fp"
    else:
        infantry = any(battle.type(shot.unit).squad or battle.type(shot.unit).machine_gun for shot in group)
        fits, kind = infantry and (first.crew or battle.type(first.target).foot), "ict_fp"
    if fits and (card := luck.boon(battle, first.unit.side, kind)) is not None:
        tally.add("luck", card.fp, "62.4", card.title)


def lucky_shells(battle: OstBattle, side: str, tally: Tally) -> None:
    """The Luck card for an attack on the ICT helps a squad's mortar too."""
    if (card := luck.boon(battle, side, "ict_fp")) is not None:
        tally.add("luck", card.fp, "62.4", card.title)


def spend_luck(battle: OstBattle, side: str, firepower: Tally) -> None:
    """A Luck card that added to an attack is used up by it."""
    for line in firepower.lines:
        for kind in ("ap_fp", "ict_fp") if line.id == "luck" else ():
            card = luck.boon(battle, side, kind)
            if card is not None and card.title == line.source:
                luck.use_boon(battle, side, kind)


def degradations(lines: Sequence[Sight]) -> list[str]:
    """What degrades the lines, each place once (59.3, 59.5, 92.10, 92.11)."""
    return list(dict.fromkeys(place for line in lines for place in line.degraded))


def roll_tally(
    battle: OstBattle,
    units: Sequence[Unit],
    target: Unit,
    *,
    ambush: bool = False,
    intensive: bool = False,
    what: str = "attack roll",
) -> Tally:
    """What modifies the dice of an attack: Leader, height, Moving and Intensive Fire, ambush."""
    tally = Tally(what, 0, "86.7")
    combat.lead(battle, tally, *units)
    own, other = [battle.level(unit) for unit in units], battle.level(target)
    if min(own) < other:
        modify(battle, tally, "height_disadvantage")
    elif min(own) > other:
        modify(battle, tally, "height_advantage")
    for unit in units:
        if unit.moved:
            modify(battle, tally, "moving_fire", battle.name(unit))
            break
    if intensive:
        modify(battle, tally, "intensive_fire_roll")
    if ambush:
        modify(battle, tally, "ambush_roll")
    return tally


def to_hit_tally(battle: OstBattle, shot: Shot, line: Sight, *, ambush: bool, intensive: bool) -> Tally:
    """What modifies a To Hit roll: as the attack roll, and degraded sight and an Acquired Target (59.6, 95.16)."""
    tally = roll_tally(battle, [shot.unit], shot.target, ambush=ambush, intensive=intensive, what="To Hit roll")
    if line.degraded:
        modify(battle, tally, "degraded_to_hit", ", ".join(line.degraded), -len(line.degraded))
    if shot.target.id in shot.unit.acquired.split():
        modify(battle, tally, "acquired_target", battle.name(shot.target))
    if (card := luck.boon(battle, shot.unit.side, "to_hit_drm")) is not None:
        tally.add("luck", card.drm, "62.4", card.title)
    return tally


def keep_acquired(battle: OstBattle) -> None:
    """A target stays Acquired only while it is in unbroken sight (95.18, F-12)."""
    for unit in battle.state.units.values():
        if unit.acquired:
            targets = [battle.unit(id) for id in unit.acquired.split()] if unit.status == ON_MAP else []
            kept = [t.id for t in targets if t.status == ON_MAP and sight(battle, unit, t).clear]
            unit.acquired = " ".join(kept)


# ---- Sustained Fire (18) ----


def sustained_options(battle: OstBattle, unit: Unit, targets: Sequence[Unit]) -> Iterator[Option]:
    """Two attacks: at one target twice, or at two in the same or adjoining hexes, both named first (18.6, 18.8)."""
    if not battle.type(unit).sustained_fire or battle.used(unit):
        return
    weapons = arms(battle, unit)
    reach, distances = arms_reach(battle, unit) + 1, battle.grid.dist[unit.hex]
    found = [
        shot for target in targets if distances[target.hex] <= reach for shot in shots_at(battle, unit, target, weapons)
    ]
    for first in found:
        for second in found:
            near = battle.grid.dist[first.target.hex][second.target.hex] <= 1
            if near and (first is second or first.target is not second.target):
                one, two = first.words.split()[0], second.words.split()[0]
                said, also = say_target(battle, first), say_target(battle, second)
                yield Option(
                    f"sustained {one} {two}",
                    f"Sustained Fire at {said} and {also}" if one != two else f"Sustained Fire at {said}, twice",
                    "sustained",
                    unit.id,
                    first.target.hex,
                    first.target.id,
                    rule="18.6",
                    range=distances[first.target.hex],
                )


def sustained_fire(battle: OstBattle, unit: Unit, targets: list[str], ambush: bool) -> Procedure[Effect]:
    """Two separate attacks, one after the other (18.7, 18.10); a natural pair of ones ends the gun (18.12).

    A target destroyed by the first loses the second attack (18.9). Only the first roll is an ambush (H-3).
    """
    worst = NOTHING
    for index, words in enumerate(targets):
        shot = read_shot(battle, unit, words, "own")
        if shot.target.status != ON_MAP:
            continue
        effect = yield from resolve(battle, shot, ambush=ambush and index == 0, sustained=True)
        worst = Effect(*(was or now for was, now in zip(worst, effect)))
        if effect.jammed:
            _ammo_out(battle, unit)
            break
    return worst


def _ammo_out(battle: OstBattle, unit: Unit) -> None:
    """The weapon is gone; a reduced Rifle squad fights on with its marks, morale and Leader (18.12, K-7)."""
    kind = battle.kinds[unit.manned_by or unit.kind]
    rifles = [k for k in battle.kinds.values() if k.squad and k.class_ == "rifle" and k.nation == kind.nation]
    rifle = next((k for k in rifles if k.branch == kind.branch), rifles[0])
    leader = battle.leader(unit)
    battle.lift(unit)
    unit.status = LOST
    squad = battle.create(rifle.id, unit.side, unit.hex)
    squad.reduced, squad.morale = True, unit.morale
    squad.moved, squad.fired, squad.assaulted = unit.moved, unit.fired + 1, unit.assaulted
    squad.inside, squad.on_road, squad.new_hex = unit.inside, unit.on_road, unit.new_hex
    if leader is not None:
        leader.attached = squad.id
    battle.emit(events.AmmoOut(side=unit.side, unit=unit.id, squad=squad.id, rules=("18.12",)))
