"""Attaching Leaders (13-16) and handing over support weapons (20.13): the Attach Leaders/weapons phase."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import move_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import ON_MAP, Unit, Weapon

DONE = Option("done", "Done", "done", rule="111.3")

NO_LEADER = Bar("15.1", "only Leaders can be attached to units")
NOT_TO_THIS = Bar("15.14", "Leaders can't be attached to Snipers, other Leaders or vehicles")
ARMOR_ONLY = Bar("16.6", "an Armor Leader belongs in an armored vehicle")
ARMOR_STAYS = Bar("16.6", "an Armor Leader stays in the vehicle he started in")
ENEMY = Bar("15.2", "it is an enemy")
OTHER_HEX = Bar("15.3", "they are not in the same hex")
NOT_ABOARD = Bar("15.3", "one of them rides on a vehicle")
HAS_LEADER = Bar("15.13", "it already has an attached Leader")
ALREADY = Bar("15.1", "he is already attached to it")
NOT_ATTACHED = Bar("15.1", "he isn't attached to any unit")
ONCE = Bar("15.1", "he has already been attached or detached in this phase")
HIDDEN = Bar("73.4", "one is hidden and the other is not")
RIDES = Bar("79.3", "a vehicle can carry a Leader only with his unit")
IN_MELEE = Bar("101.3", "units in a Melee do nothing else")
NO_SQUAD = Bar("20.1", "only squads carry support weapons")
NOT_HELD = Bar("20.13", "no unit holds the weapon")
HANDED_OVER = Bar("20.13", "it has already changed hands in this phase")
HOLDS_IT = Bar("20.13", "it already holds the weapon")


def attach_phase(battle: OstBattle) -> Procedure[str]:
    """Each side attaches and detaches Leaders and hands over weapons, free, until it is done (15.1, 20.13, 111.3)."""
    state = battle.state
    for side in battle.sides:
        while f"side {side}" not in state.done:
            state.active = side
            if next(options_attach(battle, side), None) is None:
                state.done.append(f"side {side}")
                break
            answer = yield Ask(
                side,
                "Attach Leaders, hand over weapons?",
                lambda side=side: [DONE, *options_attach(battle, side)],  # type: ignore[misc]
                quiet=True,
                rule="111.3",
            )
            _carry_out(battle, side, answer)
    return "smoke"


def _carry_out(battle: OstBattle, side: str, answer: str) -> None:
    state = battle.state
    verb, *words = answer.split()
    if verb == "done":
        state.done.append(f"side {side}")
    elif verb == "attach":
        attach(battle, battle.unit(words[0]), battle.unit(words[1]))
    elif verb == "detach":
        detach(battle, battle.unit(words[0]))
    else:
        hand_over(battle, state.weapons[words[0]], battle.unit(words[1]))
    if words:
        state.done.append(words[0])


def options_attach(battle: OstBattle, side: str) -> Iterator[Option]:
    """What a side may change in the phase. Each Leader and each weapon changes hands once."""
    kinds = battle.kinds
    for leader in battle.units(side):
        if kinds[leader.kind].leader:
            yield from _leader_options(battle, leader)
    for weapon in battle.state.weapons.values():
        giver = battle.state.units.get(weapon.unit)
        if giver is None or giver.side != side or giver.status != ON_MAP:
            continue
        for taker in battle.at[giver.hex]:
            if kinds[taker.kind].squad and bar_hand_over(battle, weapon, taker) is None:
                label = f"Give the {kinds[weapon.kind].name} to {battle.name(taker)}"
                key = f"give {weapon.id} {taker.id}"
                yield Option(key, label, "give", giver.id, giver.hex, taker.id, rule="20.13")


def _leader_options(battle: OstBattle, leader: Unit) -> Iterator[Option]:
    for unit in battle.at[leader.hex]:
        if bar_attach(battle, leader, unit) is None:
            label = f"Attach to {battle.name(unit)}"
            yield Option(f"attach {leader.id} {unit.id}", label, "attach", leader.id, leader.hex, unit.id, rule="15.1")
    if bar_detach(battle, leader) is None:
        yield Option(f"detach {leader.id}", "Detach", "detach", leader.id, leader.hex, rule="15.1")


# ---- what is allowed -------------------------------------------------------------------------------------


def bar_kind(battle: OstBattle, leader: Unit, unit: Unit) -> Bar | None:
    """Why a Leader can never be attached to a unit of this kind (15.2, 15.14, 16.6)."""
    kind, other = battle.type(leader), battle.type(unit)
    if kind.armor_leader:
        return None if other.armored else ARMOR_ONLY
    if not kind.leader:
        return NO_LEADER
    return None if other.squad or other.crewed or other.crew else NOT_TO_THIS


def bar_attach(battle: OstBattle, leader: Unit, unit: Unit) -> Bar | None:
    """Why a Leader cannot be attached to a unit in the phase (15.2, 15.3, 15.13, 15.14); any branch (14.2)."""
    if battle.type(leader).armor_leader:
        return ARMOR_STAYS
    if bar := bar_kind(battle, leader, unit):
        return bar
    if leader.side != unit.side:
        return ENEMY
    if leader.hex != unit.hex or leader.status != ON_MAP or unit.status != ON_MAP:
        return OTHER_HEX
    if leader.attached == unit.id:
        return ALREADY
    if leader.aboard != unit.aboard:
        return NOT_ABOARD
    if leader.hidden != unit.hidden:
        return HIDDEN
    if leader.hex in battle.state.melees:
        return IN_MELEE
    if leader.id in battle.state.done:
        return ONCE
    return HAS_LEADER if battle.leader(unit) is not None else None


def bar_detach(battle: OstBattle, leader: Unit) -> Bar | None:
    """Why a Leader cannot leave his unit in the phase (15.1, 16.6)."""
    if battle.type(leader).armor_leader:
        return ARMOR_STAYS
    if not leader.attached:
        return NOT_ATTACHED
    if leader.hidden:
        return HIDDEN
    if leader.aboard:
        return RIDES
    if leader.hex in battle.state.melees:
        return IN_MELEE
    return ONCE if leader.id in battle.state.done else None


def bar_hand_over(battle: OstBattle, weapon: Weapon, taker: Unit) -> Bar | None:
    """Why a support weapon cannot be handed to another unit of the stack in the phase (20.13)."""
    giver = battle.state.units.get(weapon.unit)
    if giver is None:
        return NOT_HELD
    if not battle.type(taker).squad:
        return NO_SQUAD
    if taker is giver:
        return HOLDS_IT
    if giver.side != taker.side:
        return ENEMY
    if giver.hex != taker.hex or giver.status != ON_MAP or taker.status != ON_MAP:
        return OTHER_HEX
    if giver.aboard != taker.aboard:
        return NOT_ABOARD
    if giver.hidden != taker.hidden:
        return HIDDEN
    if giver.hex in battle.state.melees:
        return IN_MELEE
    return HANDED_OVER if weapon.id in battle.state.done else None


# ---- carrying it out ---------------------------------------------------------------------------------------


def attach(battle: OstBattle, leader: Unit, unit: Unit) -> None:
    """Put a Leader on top of a unit in his hex (15.6); he leaves whatever he was with."""
    leader.attached = unit.id
    leader.inside, leader.on_road = unit.inside, unit.on_road
    seen_by = leader.side if leader.hidden else ""
    battle.emit(
        move_events.Attached(side=leader.side, unit=leader.id, to=unit.id, rules=("15.1", "15.3"), seen_by=seen_by)
    )


def detach(battle: OstBattle, leader: Unit) -> None:
    """A Leader leaves his unit of his own will (15.1)."""
    leader.attached = ""
    battle.emit(move_events.Detached(side=leader.side, unit=leader.id, rules=("15.1",)))


def hand_over(battle: OstBattle, weapon: Weapon, taker: Unit) -> None:
    """A support weapon changes hands in a stack (20.13)."""
    weapon.unit = taker.id
    seen_by = taker.side if taker.hidden else ""
    battle.emit(
        move_events.WeaponTaken(side=taker.side, unit=taker.id, weapon=weapon.id, rules=("20.13",), seen_by=seen_by)
    )
