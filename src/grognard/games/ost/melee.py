"""Melee: the phase, the combat and the concentrated attack (101-103), and evading it (11.3).

From top to bottom: how a Melee begins, the phase, one combat (its weapons, Firepower, Defense, dice and results),
and the concentrated attack. Retreats after the combat are in ``retreats``, Melees between tanks in ``tank_duel``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.dice import at_least
from grognard.core.tally import Tally
from grognard.games.ost import attacks, combat, combat_events, control, results, retreats, tank_duel, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.retreats import combatants
from grognard.games.ost.state import BROKEN, ON_MAP, SHAKEN, Melee, Unit, Weapon

# ---- how a Melee begins (11.3, 82.6, 104.2) ------------------------------------------------------------------


def evade(battle: OstBattle, hex: str, mover_side: str) -> Procedure[None]:
    """Snipers and unattached Leaders may try to slip away from an assault: 5-6, to an adjacent hex (11.3, C-2)."""
    figures = battle.charts["melee"]["evade"]
    for unit in battle.stack(hex, battle.other(mover_side)):
        if not may_evade(battle, unit) or not retreats.open_hexes(battle, unit):
            continue
        name = battle.name(unit)
        options = [
            Option(f"evade {unit.id}", f"{name} tries to evade", "evade", unit.id, hex, rule="11.3"),
            Option("stand", f"{name} stands and fights", "pass", unit.id, hex, rule="11.3"),
        ]
        prompt = f"{name} in {hex} is assaulted. Evade?"
        answer = yield Ask(unit.side, prompt, options, reaction="evade", rule="11.3", meanwhile="stand")
        if answer == "stand":
            continue
        needed = at_least(figures["at_least"])
        if not battle.roll(unit.side, "evade", figures["dice"], needed, ("11.3",), unit=unit.id):
            continue
        if to := (yield from retreats.choose_hex(battle, unit, "evade", "11.3")):
            battle.reveal(unit, "11.3")
            evaded = combat_events.Evaded(side=unit.side, unit=unit.id, place=to, rules=("11.3",))
            yield from retreats.go(battle, unit, to, evaded)


def may_evade(battle: OstBattle, unit: Unit) -> bool:
    """A Sniper, or a Leader who is attached to nobody and rides on nothing (11.3, X-10)."""
    kind = battle.type(unit)
    return (kind.sniper or (kind.leader and not unit.attached)) and not unit.aboard


def set_melee(battle: OstBattle, hex: str, side: str) -> None:
    """Place the Melee marker: the hex is closed, its units are locked in (82.6, 101.3, 101.4, 104.2).

    Whoever started a Melee stays the one who did, also when it is reinforced later (C-9, 102.32).
    """
    for unit in list(battle.at[hex]):
        battle.reveal(unit, "82.6")
    if hex not in battle.state.melees:
        battle.state.melees[hex] = Melee(initiator=side, turn=battle.state.turn)
        battle.emit(combat_events.MeleeSet(side=side, place=hex, rules=("82.6", "101.4")))


# ---- 101: Melee Phase ------------------------------------------------------------------------------------------


def melee_phase(battle: OstBattle) -> Rules:
    """Every Melee is fought once, in the order that the winner of the Initiative chooses (101.1, 102.2, T-12)."""
    melees = battle.state.melees
    while unfought := [hex for hex, melee in melees.items() if not melee.fought]:
        hex = unfought[0]
        if len(unfought) > 1:
            answer = yield Ask(
                battle.state.initiative or battle.sides[0],
                "Which Melee do you fight next?",
                [Option(f"melee {hex}", f"Melee in {hex}", "melee", place=hex, rule="101.1") for hex in unfought],
                quiet=True,
                rule="101.1",
            )
            hex = answer.split()[1]
        yield from fight(battle, hex)
    for melee in melees.values():
        melee.fought = False  # those that go on are fought again in the next turn (102.31)


def fight(battle: OstBattle, hex: str) -> Procedure[None]:
    """One Melee: tanks alone fight a duel (104), all others the combat of 102; then it is settled."""
    battle.state.melees[hex].fought = True
    if all(combatants(battle, hex, side) for side in battle.sides):
        if tank_duel.is_duel(battle, hex):
            yield from tank_duel.tank_duel(battle, hex)
        else:
            yield from melee_combat(battle, hex)
            yield from retreats.leave_melee(battle, hex)
    settle(battle, hex)


def settle(battle: OstBattle, hex: str) -> None:
    """Resolved: the marker goes (102.30, 104.13). Good order units on both sides: it goes on next turn (102.31)."""
    if all(combatants(battle, hex, side) for side in battle.sides):
        battle.emit(combat_events.MeleeGoesOn(place=hex, rules=("102.31",)))
        return
    del battle.state.melees[hex]
    battle.emit(combat_events.MeleeOver(place=hex, rules=("102.30",)))
    control.after_melee(battle, hex)


# ---- 102: Melee Combat --------------------------------------------------------------------------------------------


class Attack(NamedTuple):
    """What a side throws into the Melee: one Firepower, one Defense against it, one roll for each target."""

    side: str
    firepower: Tally
    defense: Tally
    roll: Tally
    targets: list[Unit]


def melee_combat(battle: OstBattle, hex: str) -> Procedure[None]:
    """Both sides attack at once: all rolls are made on the state before, then all results count (102.8, C-6)."""
    initiator = battle.state.melees[hex].initiator
    sides = (initiator, battle.other(initiator))
    weapons: dict[str, Weapon] = {}
    for side in sides:
        yield from choose_weapons(battle, hex, side, weapons)
    targets: dict[str, list[Unit]] = {}
    for side in sides:
        targets[side] = yield from choose_targets(battle, hex, side)
    attacks = [
        side_attack(battle, side, combatants(battle, hex, side), targets[side], weapons)
        for side in sides
        if any(fights(battle, unit) for unit in combatants(battle, hex, side))
    ]
    use_up(battle, weapons)
    rolled = [
        (attack.side, target, attack_roll(battle, attack, target)) for attack in attacks for target in attack.targets
    ]
    for side, target, result in sorted(rolled, key=lambda hit: not _rides_or_leads(battle, hit[1])):
        yield from take_result(battle, side, target, result)


def _rides_or_leads(battle: OstBattle, unit: Unit) -> bool:
    """Leaders and passengers take their own result before that of the unit or vehicle they are with."""
    return bool(unit.attached or unit.aboard)


def side_attack(
    battle: OstBattle, side: str, units: list[Unit], targets: list[Unit], weapons: dict[str, Weapon]
) -> Attack:
    """A side's total Firepower goes against the total Defense of its targets (102.11)."""
    return Attack(
        side,
        total_firepower(battle, side, units, weapons),
        total_defense(battle, battle.other(side), targets),
        roll_modifiers(battle, units),
        targets,
    )


# support weapons (20.14, 20at.4, 20sc.3, 20mo.13)

NOT_IN_MELEE = {
    "satchel": Bar("20sc.3", "Satchel Charges can't be used in Melee"),
    "mortar": Bar("20mo.13", "mortars can't be used in Melee"),
    "atr": Bar("20at.4", "Anti-Tank Rifles can't be used in Melee"),
}
NO_ENEMY_VEHICLE = Bar("20at.4", "no enemy vehicle is in the Melee")
ENGINEERS_ONLY = Bar("10.5", "only Engineers can use it")
USED_BY_ANOTHER = Bar("20.9", "another squad has already used it this turn")


def bar_weapon(battle: OstBattle, squad: Unit, weapon: Weapon) -> Bar | None:
    """Why a squad cannot use a support weapon of its own in its Melee (20.14, W-12)."""
    kind = battle.kinds[weapon.kind]
    if kind.class_ in NOT_IN_MELEE:
        return NOT_IN_MELEE[kind.class_]
    if kind.engineers_only and not battle.type(squad).engineer:
        return ENGINEERS_ONLY
    if weapon.used_by not in ("", squad.id):
        return USED_BY_ANOTHER
    enemies = battle.stack(squad.hex, battle.other(squad.side))
    if kind.at_weapon and not any(battle.type(enemy).vehicle for enemy in enemies):
        return NO_ENEMY_VEHICLE
    return None


def choose_weapons(battle: OstBattle, hex: str, side: str, weapons: dict[str, Weapon]) -> Procedure[None]:
    """Each squad that fights may use one support weapon: its owner says which, or none (20.14, 102.7, B-60)."""
    for squad in battle.stack(hex, side):
        if not battle.type(squad).squad or squad.morale == BROKEN:
            continue
        usable = [weapon for weapon in battle.weapons(squad) if bar_weapon(battle, squad, weapon) is None]
        if not usable:
            continue
        options = [Option("none", "No support weapon", "none", squad.id, hex, rule="20.14")]
        options += [
            Option(f"use {weapon.id}", f"Use the {name}", "use", squad.id, hex, weapon.id, rule="20.14")
            for weapon, name in ((weapon, battle.kinds[weapon.kind].name) for weapon in usable)
        ]
        prompt = f"Melee in {hex}: which weapon does {battle.name(squad)} use?"
        answer = yield Ask(side, prompt, options, rule="20.14", meanwhile=options[1].key)
        if answer != "none":
            weapon = battle.state.weapons[answer.split()[1]]
            weapons[squad.id] = weapon
            battle.emit(
                turn_events.Declared(side=side, unit=squad.id, what="uses", target=weapon.id, rules=("20.14", "102.7"))
            )


def add_weapon(battle: OstBattle, share: Tally, weapon: Weapon) -> None:
    """A weapon's Firepower is added to its squad's (20.3); an anti-tank weapon adds 2 instead (20at.4)."""
    kind = battle.kinds[weapon.kind]
    if kind.at_weapon:
        combat.modify(battle, share, "at_weapon_in_melee", battle.name(weapon))
    else:
        share.add("support_weapon", kind.fp, "20.3", battle.name(weapon))


def use_up(battle: OstBattle, weapons: dict[str, Weapon]) -> None:
    """A weapon is that squad's for the turn (20.9); one made for a single use is gone (20.5)."""
    for squad, weapon in weapons.items():
        weapon.used_by = squad
        if battle.kinds[weapon.kind].single_use:
            results.lose_weapon(battle, weapon, "20.5")


# Firepower (102.5, 102.6, 102.9, 102.13, 102.14, 102.17, 102.18)


def total_firepower(battle: OstBattle, side: str, units: Iterable[Unit], weapons: dict[str, Weapon]) -> Tally:
    """The Firepower of all the side's units, and +2 once (102.9, 102.17); at least 1 (86.4).

    Leaders and Snipers by themselves do not have the +2 (12.6, 13.5).
    """
    firepower = Tally("Firepower", 0, "102.9", side)
    for unit in units:
        firepower.lines += unit_firepower(battle, unit, weapons.get(unit.id)).lines
    if any(fights(battle, unit) and not battle.type(unit).single for unit in units):
        combat.modify(battle, firepower, "melee_fp")
    firepower.at_least(battle.charts["combat"]["min_attacker_fp"], "minimum", "86.4")
    return firepower


def unit_firepower(battle: OstBattle, unit: Unit, weapon: Weapon | None = None) -> Tally:
    """What one unit adds: squad and support weapon first, then halved if it rides or is Shaken (20.15, 102.5)."""
    share = Tally("Firepower", 0, "102.9", unit.id)
    if unit.morale == BROKEN:
        share.add("broken", 0, "102.6", battle.name(unit))
        return share
    kind, figures = battle.type(unit), battle.charts["melee"]
    if kind.single:
        share.add("single_person", figures[kind.kind]["fp"], "102.18", battle.name(unit))
    elif kind.truck:
        share.add("truck", figures["truck_fp"], "102.14", battle.name(unit))
    elif kind.vehicle:
        for gun in battle.working_guns(unit):
            share.add(f"{kind.guns[gun].mount}_gun", battle.he(unit, gun), "102.13", battle.name(unit))
        if battle.working_mgs(unit):
            share.add("machine_guns", kind.secondary.fp, "102.13", battle.name(unit))
    elif kind.guns:
        share.add("high_explosive", battle.he(unit), "102.9", battle.name(unit))
    else:
        share.add("small_arms", battle.firepower(unit), "102.9", battle.name(unit))
    if weapon is not None:
        add_weapon(battle, share, weapon)
    if unit.aboard:
        combat.modify(battle, share, "passenger_in_melee", battle.name(unit))
    if unit.morale == SHAKEN:
        combat.modify(battle, share, "shaken_fp", unit.id, rule="102.5")
    return share


def fights(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit attacks: not if it is Broken, a truck, or a vehicle without working weapons (102.6, 102.14)."""
    return any(line.amount > 0 for line in unit_firepower(battle, unit).lines)


# Defense (102.3, 102.10, 102.12, 102.18)


def total_defense(battle: OstBattle, side: str, units: Iterable[Unit]) -> Tally:
    """The Defense of all the units, of any morale; terrain and works count for nothing (102.3, 102.6, 102.10)."""
    defense = Tally("Defense", 0, "102.10", side)
    for unit in units:
        defense.lines += unit_defense(battle, unit).lines
    return defense


def unit_defense(battle: OstBattle, unit: Unit) -> Tally:
    """One unit's Defense: a vehicle's front, 1 less with an open top (102.12, 21.18); 1 for Leaders and Snipers."""
    share = Tally("Defense", 0, "102.10", unit.id)
    kind = battle.type(unit)
    if kind.single:
        share.add("single_person", battle.charts["melee"][kind.kind]["defense"], "102.18", battle.name(unit))
    elif kind.vehicle:
        share.add("front", battle.defense(unit), "102.12", battle.name(unit))
    else:
        share.add("unit", battle.defense(unit), "102.10", battle.name(unit))
    if kind.open_top:
        combat.modify(battle, share, "open_top", battle.name(unit))
    if unit.aboard:
        combat.modify(battle, share, "passenger_in_melee", battle.name(unit))
    return share


# the dice (10.6, 15.10, 102.4, 102.5)


def roll_modifiers(battle: OstBattle, units: Iterable[Unit]) -> Tally:
    """What changes a side's rolls: a Leader, Engineers, and -1 for the Shaken (C-5). No Moving Fire (102.4).

    By the ruling the -1 counts if every unit that fights is Shaken; a scenario may let any one of them cost it. An
    attached Leader is no unit of his own there (103.2): what he gives is his +1, and no more (15.11).
    """
    roll = Tally("roll modifiers", 0, "86.7")
    fighting = [unit for unit in units if fights(battle, unit)]
    lead(battle, roll, fighting)
    engineers = [unit for unit in fighting if battle.type(unit).engineer]
    if engineers:
        combat.modify(battle, roll, "engineers_in_melee", battle.name(engineers[0]))
    shaken = [unit.morale == SHAKEN for unit in fighting if not unit.attached]
    shaken = shaken or [unit.morale == SHAKEN for unit in fighting]  # a Leader whose unit is Broken fights alone
    if any(shaken) if battle.options.melee_shaken == "any" else all(shaken):
        combat.modify(battle, roll, "shaken_in_melee")
    return roll


def lead(battle: OstBattle, roll: Tally, fighting: Iterable[Unit]) -> None:
    """+1, at most, for a good order Leader attached to a fighting unit of his branch, or an Armor Leader (15.10)."""
    for unit in fighting:
        leader = combat.combat_leader(battle, unit)
        if leader is not None:
            id, rule = ("armor_leader", "16.5") if battle.type(leader).armor_leader else ("attached_leader", "15.10")
            roll.add(id, battle.charts.modifiers[id].amount, rule, battle.name(leader))
            return


# attack and result (102.15, 102.16, 102.19, 102.27, 102.29)


def attack_roll(battle: OstBattle, attack: Attack, target: Unit) -> str:
    """A roll of its own against each enemy unit, all on the same column: ICT, or VCT for vehicles (102.15, 102.16)."""
    chart = battle.charts.vct if battle.type(target).vehicle else battle.charts.ict
    column = chart.column(attack.firepower.total - attack.defense.total)
    result: str = battle.roll(
        attack.side,
        "Melee attack",
        battle.charts[chart.name]["dice"],
        chart.reader(column, attack.roll.total),
        ("102.11", "102.15"),
        (attack.firepower, attack.defense, attack.roll),
        unit=target.id,
    )
    return result


def take_result(battle: OstBattle, by: str, target: Unit, result: str) -> Procedure[None]:
    """Carry out a result. Leaders are attacked themselves, so they make no casualty rolls (102.19).

    No crew and no gun outlives its unit (102.27, 102.29). A passenger may be hurt with its vehicle (79.20, F-2).
    """
    if target.status != ON_MAP:
        return
    if not battle.type(target).vehicle:
        yield from results.apply_ict(battle, target, result, by, "102.16", melee=True)
        return
    passenger = battle.passenger(target)
    effect = yield from results.apply_vct(battle, target, result, by, "102.16", melee=True)
    if passenger is not None:
        yield from attacks.collateral(battle, passenger, by, lost=effect.destroyed, melee=True)


# ---- 103: Concentrated attack ---------------------------------------------------------------------------------------


def choose_targets(battle: OstBattle, hex: str, side: str) -> Procedure[list[Unit]]:
    """Whom a side attacks: all the enemies, or one of them if the side is outnumbered and so chooses (103.1, B-61)."""
    enemies = combatants(battle, hex, battle.other(side))
    aims = [enemy for enemy in enemies if may_be_aimed_at(battle, enemy)]
    if not outnumbered(battle, hex, side) or not aims:
        return enemies
    options = [Option("all", "Attack them all", "all", place=hex, rule="102.15")]
    options += [
        Option(f"concentrate {aim.id}", f"Attack {battle.name(aim)} only", "concentrate", "", hex, aim.id, rule="103.1")
        for aim in aims
    ]
    prompt = f"Melee in {hex}: concentrate the attack on one target?"
    answer = yield Ask(side, prompt, options, rule="103.1", meanwhile="all")
    if answer == "all":
        return enemies
    target = battle.unit(answer.split()[1])
    ours = counted(battle, hex, side)[0]
    battle.emit(
        turn_events.Declared(
            side=side, unit=ours.id, what="concentrates on", target=target.id, rules=("103.1", "103.4")
        )
    )
    return [target]


def counted(battle: OstBattle, hex: str, side: str) -> list[Unit]:
    """The units of a side by number: a Leader belongs to his unit (103.2), a passenger to its vehicle (79.23)."""
    return [unit for unit in combatants(battle, hex, side) if not unit.attached and not unit.aboard]


def outnumbered(battle: OstBattle, hex: str, side: str) -> bool:
    """One unit that fights against two (103.4); with even numbers only the totals are used (103.5)."""
    ours, theirs = counted(battle, hex, side), counted(battle, hex, battle.other(side))
    return len(ours) == 1 < len(theirs) and any(fights(battle, unit) for unit in combatants(battle, hex, side))


def may_be_aimed_at(battle: OstBattle, unit: Unit) -> bool:
    """Squads, Crewed Weapons and vehicles can be the target of a concentrated attack (103.3)."""
    kind = battle.type(unit)
    return kind.squad or kind.crewed or kind.vehicle
