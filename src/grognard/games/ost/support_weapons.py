"""Support weapons: thrown or lobbed at a hex, taken up and dropped, and what using one leaves behind (20, 79.4).

LMGs, anti-tank weapons and flamethrowers fire at single targets and are arms of their squad (`arms`). Satchel
charges and mortars attack everyone in a hex.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least, by_face
from grognard.core.tally import Tally
from grognard.games.ost import attacks, collapse, combat, combat_events, fortifications, move_events, turn_events
from grognard.games.ost.arms import ENGINEERS_ONLY, WEAPON_TAKEN, arms_reach, shots_at, weapon_arms
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.firepower import lucky_shells, roll_tally, spend_luck
from grognard.games.ost.morale import suffer
from grognard.games.ost.results import NOTHING, Effect, lose_weapon
from grognard.games.ost.sight import sight_hex
from grognard.games.ost.state import ON_MAP, Unit, Weapon
from grognard.games.ost.terrain import say_points
from grognard.games.ost.travel import Travel

NOT_ADJACENT = Bar("20sc.1", "you can throw a satchel only into an adjacent hex")
NOTHING_THERE = Bar("20sc.1", "that hex has nothing to throw it at")
OUTSIDE_BAND = Bar("20mo.1", "outside the mortar's minimum and maximum range")
NO_SOFT_TARGET = Bar("20mo.8", "mortars can't target armored vehicles")
IN_MELEE = Bar("101.2", "that hex is in Melee")
NO_INTENSIVE_SMOKE = Bar("90.1", "a Used unit can use Intensive Fire, but can't lay Smoke")


# ---- what may be thrown where ----


def _usable(battle: OstBattle, unit: Unit) -> list[Weapon]:
    """The unit's satchels and mortars; only squads use support weapons (20.1)."""
    if not battle.type(unit).squad:
        return []
    kinds = battle.kinds
    return [
        w
        for w in battle.state.weapons.values()
        if w.unit == unit.id and (kinds[w.kind].mortar or kinds[w.kind].class_ == "satchel")
    ]


def bar_use(battle: OstBattle, unit: Unit, weapon: Weapon) -> Bar | None:
    """Why a squad may not use a weapon it has (10.5, 20.9)."""
    if weapon.used_by not in ("", unit.id):
        return WEAPON_TAKEN
    if battle.kinds[weapon.kind].engineers_only and not battle.type(unit).engineer:
        return ENGINEERS_ONLY
    return None


def bar_throw(battle: OstBattle, unit: Unit, weapon: Weapon, hex: str, targets: Sequence[Unit]) -> Bar | None:
    """Why a satchel or a mortar's shells cannot go into a hex: range, something to hit, sight."""
    if bar := bar_use(battle, unit, weapon):
        return bar
    kind = battle.kinds[weapon.kind]
    distance = battle.grid.dist[unit.hex][hex]
    if hex in battle.state.melees:
        return IN_MELEE
    there = [target for target in targets if target.hex == hex]
    if kind.mortar:
        if not kind.min_range <= distance <= kind.range:
            return OUTSIDE_BAND
        if all(battle.type(target).armored or battle.type(target).armor_leader for target in there):
            return NO_SOFT_TARGET
    else:
        if distance != 1:
            return NOT_ADJACENT
        work = battle.state.works.get(hex)
        obstacle = work is not None and work.kind in ("wire", "roadblock") and not work.hidden
        if not there and not obstacle:
            return NOTHING_THERE
    line = sight_hex(battle, unit, hex)
    return None if line.clear else Bar(line.rule, "no line of sight", line.blocked_by)


def bar_smoke(battle: OstBattle, unit: Unit, weapon: Weapon, hex: str) -> Bar | None:
    """Why a mortar cannot put smoke into a hex (20mo.1, 20mo.3, 20mo.11, A-6)."""
    if bar := bar_use(battle, unit, weapon):
        return bar
    if battle.used(unit):
        return NO_INTENSIVE_SMOKE
    if hex in battle.state.melees:
        return IN_MELEE
    kind = battle.kinds[weapon.kind]
    if not kind.min_range <= battle.grid.dist[unit.hex][hex] <= kind.range:
        return OUTSIDE_BAND
    line = sight_hex(battle, unit, hex)
    return None if line.clear else Bar(line.rule, "no line of sight", line.blocked_by)


def _smoke_hexes(battle: OstBattle, unit: Unit, weapon: Weapon) -> Iterator[str]:
    reach = battle.kinds[weapon.kind].range
    for hex, distance in battle.grid.dist[unit.hex].items():
        if distance <= reach and bar_smoke(battle, unit, weapon, hex) is None:
            yield hex


def throw_options(battle: OstBattle, unit: Unit, targets: Sequence[Unit], *, smoke: bool = True) -> Iterator[Option]:
    """Satchels and mortar shells at hexes with targets; mortar smoke, whose hex is asked next."""
    for weapon in _usable(battle, unit):
        yield from _throws(battle, unit, weapon, targets, smoke)


def _throws(battle: OstBattle, unit: Unit, weapon: Weapon, targets: Sequence[Unit], smoke: bool) -> Iterator[Option]:
    kind = battle.kinds[weapon.kind]
    verb, rule = ("shell", "20mo.3") if kind.mortar else ("satchel", "20sc.1")
    hexes = dict.fromkeys(target.hex for target in targets)
    if not kind.mortar:
        hexes |= dict.fromkeys(battle.grid.adjacent[unit.hex] if smoke else ())
    for hex in hexes:
        if bar_throw(battle, unit, weapon, hex, targets) is None:
            distance = battle.grid.dist[unit.hex][hex]
            key, label = f"{verb} {weapon.id} {hex}", f"{kind.name} into {hex}"
            yield Option(key, label, verb, unit.id, hex, rule=rule, range=distance)
    if kind.mortar and smoke and next(_smoke_hexes(battle, unit, weapon), None):
        yield Option(f"smoke {weapon.id}", f"Smoke with the {kind.name}", "smoke", unit.id, unit.hex, rule="20mo.11")


def could_throw(battle: OstBattle, unit: Unit) -> bool:
    """Whether it has a satchel or a mortar, wherever that could be thrown."""
    return bool(_usable(battle, unit))


def can_throw(battle: OstBattle, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Whether it has anything to throw at a hex."""
    return next(throw_options(battle, unit, targets), None) is not None


def throw(battle: OstBattle, unit: Unit, words: list[str], *, ambush: bool, intensive: bool) -> Procedure[Effect]:
    """Carry out a throw: ``satchel w5 D8``, ``shell w3 D8`` or ``smoke w3``."""
    verb, weapon = words[0], battle.state.weapons[words[1]]
    weapon.used_by = unit.id
    if verb == "satchel":
        effect = yield from throw_satchel(battle, unit, words[2], ambush, intensive)
        after_use(battle, unit, weapon)
        return effect
    if verb == "shell":
        return (yield from fire_mortar(battle, unit, weapon, words[2], ambush, intensive))
    answer = yield Ask(
        unit.side,
        f"{battle.name(unit)}: Smoke into which hex?",
        lambda: [
            Option(f"hex {hex}", f"Smoke into {hex}", "hex", unit.id, hex, rule="20mo.11")
            for hex in _smoke_hexes(battle, unit, weapon)
        ],
        rule="20mo.11",
    )
    hex = mortar_lands(battle, unit, weapon, answer.split()[1])
    if hex:
        fortifications.place_smoke(battle, hex, 1, "20mo.11", "33.6")
    return NOTHING


# ---- satchel charges (20sc) ----


def throw_satchel(battle: OstBattle, unit: Unit, hex: str, ambush: bool, intensive: bool) -> Procedure[Effect]:
    """Every enemy in the hex is attacked with an unmodified 10; vehicles with half of it (20sc.1, 20.7, W-8).

    It clears wire and roadblocks (30.7, 31.5) and may bring the building down (20sc.2).
    """
    battle.emit(
        turn_events.Declared(side=unit.side, unit=unit.id, what="throws a satchel into", place=hex, rules=("20sc.1",))
    )
    line = sight_hex(battle, unit, hex)
    worst = NOTHING
    for target in targets_in(battle, hex):
        if target.status != ON_MAP or target.side == unit.side:
            continue  # thrown at wire or a roadblock, it spares the friends who stand there
        battle.reveal(target, "73.7")
        firepower = Tally("Firepower", battle.charts["fixed_fp"]["satchel"], "20sc.1", "Satchel Charge")
        roll = roll_tally(battle, [unit], target, ambush=ambush, intensive=intensive)
        if battle.type(target).vehicle:
            combat.modify(battle, firepower, "close_weapon_vs_vehicle")
            defense = combat.defense_tally(battle, target, "close", [line], firers=[unit.hex])
            effect = yield from attacks.vehicle_attack(battle, unit.side, target, firepower, defense, roll, "20.7")
        else:
            defense = combat.defense_tally(battle, target, "close", [line])
            effect = yield from attacks.infantry_attack(battle, unit.side, target, firepower, defense, roll, "20sc.1")
        worst = Effect(*(was or now for was, now in zip(worst, effect)))
    work = battle.state.works.get(hex)
    if work is not None and work.kind in ("wire", "roadblock"):
        del battle.state.works[hex]
        rule = "30.7" if work.kind == "wire" else "31.5"
        battle.emit(move_events.Removed(side=unit.side, kind=work.kind, place=hex, rules=(rule,)))
    yield from collapse.collapse_check(battle, hex, unit.side, collapse.satchel_lines(battle), collapse.SATCHEL)
    return worst


def targets_in(battle: OstBattle, hex: str) -> list[Unit]:
    """Who is attacked when everyone in a hex is: every unit, and Leaders who are on their own (G-12, 107.9)."""
    return [u for u in list(battle.at.get(hex, ())) if not u.attached]


# ---- mortars (20mo) ----


def mortar_lands(battle: OstBattle, unit: Unit, weapon: Weapon, hex: str) -> str:
    """Roll for accuracy and, if it fails, for the direction in which the shell drifts one hex (20mo.4, 20mo.5).

    Returns the hex it lands in, "" off the map (W-10).
    """
    table = battle.charts["mortar_support"]
    tally = Tally("accuracy", 0, "20mo.4")
    if leader := combat.combat_leader(battle, unit):
        tally.add("attached_leader", table["drm_attached_leader"], "20mo.4", battle.name(leader))
    if unit.morale or unit.moved:
        tally.add("shaken_or_moved", table["drm_shaken_or_moved"], "20mo.4", battle.name(unit))
    reader = at_least(table["accurate_at_least"], tally.total)
    if battle.roll(unit.side, "mortar accuracy", "1d6", reader, ("20mo.4",), (tally,), unit=unit.id):
        return hex
    direction: int = battle.roll(
        unit.side, "drift direction", "1d6", by_face((1, 2, 3, 4, 5, 6)), ("20mo.5", "109.2"), unit=unit.id
    )
    landed = battle.grid.neighbor(hex, direction) or ""
    if landed:
        battle.emit(combat_events.Drifted(side=unit.side, start=hex, place=landed, rules=("20mo.5",)))
    else:
        battle.emit(combat_events.StrikeLost(side=unit.side, place=hex, rules=("20mo.5",)))
    return landed


def fire_mortar(
    battle: OstBattle, unit: Unit, weapon: Weapon, hex: str, ambush: bool, intensive: bool
) -> Procedure[Effect]:
    """A mortar attacks every unit in the hex where it lands, friend or foe, but no armor (20mo.6-20mo.9)."""
    battle.emit(
        turn_events.Declared(side=unit.side, unit=unit.id, what="fires its mortar at", place=hex, rules=("20mo.3",))
    )
    landed = mortar_lands(battle, unit, weapon, hex)
    worst = NOTHING
    for target in targets_in(battle, landed):
        type_ = battle.type(target)
        if target.status != ON_MAP or type_.armored:
            continue
        battle.reveal(target, "73.7")
        firepower = mortar_firepower(battle, unit, weapon, hex, landed, ambush=ambush, intensive=intensive)
        roll = roll_tally(battle, [unit], target, ambush=ambush, intensive=intensive)
        if type_.vehicle:
            defense = combat.defense_tally(battle, target, "mortar", flank=True)
            effect = yield from attacks.vehicle_attack(battle, unit.side, target, firepower, defense, roll, "20mo.9")
        else:
            defense = combat.defense_tally(battle, target, "mortar")
            lucky_shells(battle, unit.side, firepower)
            spend_luck(battle, unit.side, firepower)
            effect = yield from attacks.infantry_attack(battle, unit.side, target, firepower, defense, roll, "20mo.7")
        if target.side != unit.side:
            worst = Effect(*(was or now for was, now in zip(worst, effect)))
    return worst


def mortar_firepower(
    battle: OstBattle, unit: Unit, weapon: Weapon, aimed: str, landed: str, *, ambush: bool, intensive: bool
) -> Tally:
    """The mortar's Firepower with its squad's, if that reaches the hex and the shell did not drift (20mo.2, W-9).

    Degrading terrain in between takes nothing off (20mo.12).
    """
    kind = battle.kinds[weapon.kind]
    tally = Tally("Firepower", kind.fp, "20mo.2", kind.name)
    in_range = battle.grid.dist[unit.hex][aimed] <= arms_reach(battle, unit)
    if battle.options.mortar_adds_squad_fp and in_range and landed == aimed:
        tally.add("squad", battle.firepower(unit), "20mo.2", battle.type(unit).name)
    if unit.morale:
        combat.modify(battle, tally, "shaken_fp")
    if unit.hex in battle.state.smoke:
        combat.modify(battle, tally, "firing_out_of_smoke", unit.hex)
    if intensive:
        combat.modify(battle, tally, "intensive_fire_fp")
    if ambush:
        combat.modify(battle, tally, "ambush_fp")
    return tally


# ---- weapons that lie about (20.12) ----


def finds_weapons(battle: OstBattle, unit: Unit) -> bool:
    """Whether a squad has weapons lying in its hex (20.12)."""
    return battle.type(unit).squad and bool(battle.weapons_lying(unit.hex))


def could_take(battle: OstBattle, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Whether a weapon that lies in a squad's hex would give it something to fire at (20.12)."""
    if not finds_weapons(battle, unit):
        return False
    for weapon in battle.weapons_lying(unit.hex):
        kind = battle.kinds[weapon.kind]
        found = weapon_arms(kind, weapon, arms_reach(battle, unit))
        if any(next(shots_at(battle, unit, target, found), None) for target in targets):
            return True
        if (kind.mortar or kind.class_ == "satchel") and next(_throws(battle, unit, weapon, targets, True), None):
            return True
    return False


def with_lying(battle: OstBattle, unit: Unit, attacks: list[Option]) -> list[Option]:
    """The attacks of a foot unit, and what it may do first, free, with the weapons lying in its hex (20.12, W-5)."""
    type_ = battle.type(unit)
    options = list(attacks)
    for weapon in battle.weapons_lying(unit.hex) if type_.foot else ():
        name, rule = battle.kinds[weapon.kind].name, "20.12"
        if type_.squad:
            key, label = f"take {weapon.id}", f"Take the {name}"
            options.append(Option(key, label, "take", unit.id, unit.hex, weapon.id, rule=rule))
        if attacks:  # whoever can fire only with a weapon that lies there does not destroy it
            key, label = f"destroy {weapon.id}", f"Destroy the {name}"
            options.append(Option(key, label, "destroy", unit.id, unit.hex, weapon.id, rule=rule))
    return options


def handle_lying(battle: OstBattle, unit: Unit, verb: str, weapon_id: str) -> None:
    """Take up or destroy a weapon that lies in the unit's hex."""
    weapon = battle.state.weapons[weapon_id]
    if verb == "destroy":
        lose_weapon(battle, weapon, "20.12")
        return
    weapon.unit, weapon.hex = unit.id, ""
    seen_by = unit.side if unit.hidden else ""
    battle.emit(
        move_events.WeaponTaken(side=unit.side, unit=unit.id, weapon=weapon.id, rules=("20.12",), seen_by=seen_by)
    )


# ---- weapons handled on the way (20.11, 20.12, 79.4) ----


def weapon_options(move: Travel) -> Iterator[Option]:
    """Support weapons taken up, dropped or destroyed on the way, each once in a hex (20.11, 20.12, 79.4, W-5)."""
    battle, single = move.battle, len(move.movers) == 1
    lying = [w for w in battle.weapons_lying(move.movers[0].hex) if w.id not in move.handled]
    for number, unit in enumerate(move.movers):
        kind, word = battle.kinds[unit.kind], "" if single else f" {unit.id}"
        carried = [w for w in battle.weapons(unit) if w.id not in move.handled]
        price = _stop_points(move, unit)
        if kind.vehicle and price > move.left[number]:
            continue
        cost = f"{say_points(price)} MP" if price else ""
        if (kind.vehicle and not kind.no_riders) or (kind.squad and not battle.weapons(unit)):
            for weapon in lying:
                yield _weapon_option("take", "Take the", weapon, unit, word, battle, cost, "20.12")
        for weapon in carried:
            yield _weapon_option("drop", "Drop the", weapon, unit, word, battle, cost, "20.11")
        for weapon in [*carried, *(lying if number == 0 else ())]:
            yield _weapon_option("destroy", "Destroy the", weapon, unit, word, battle, cost, "20.12")


def _weapon_option(
    verb: str, say: str, weapon: Weapon, unit: Unit, word: str, battle: OstBattle, cost: str, rule: str
) -> Option:
    label = f"{say} {battle.kinds[weapon.kind].name}"
    return Option(f"{verb} {weapon.id}{word}", label, verb, unit.id, unit.hex, weapon.id, cost=cost, rule=rule)


def _stop_points(move: Travel, unit: Unit) -> int:
    """A vehicle pays 1 MP for each stop at which it handles support weapons (79.4); squads nothing (20.12)."""
    if not move.battle.kinds[unit.kind].vehicle or move.stopped:
        return 0
    return int(2 * move.battle.charts["movement"]["pickup_weapon_mp"])


def handle(move: Travel, unit: Unit, weapon: Weapon, verb: str) -> None:
    """Take, drop or destroy a support weapon (20.12, 79.4)."""
    battle = move.battle
    if price := _stop_points(move, unit):
        move.pay(price, move.movers.index(unit))
        move.stopped = True
    move.handled.append(weapon.id)
    if verb == "take":
        weapon.unit, weapon.hex = unit.id, ""
        battle.emit(move_events.WeaponTaken(side=unit.side, unit=unit.id, weapon=weapon.id, rules=("20.12",)))
    elif verb == "drop":
        weapon.unit, weapon.hex = "", unit.hex
        battle.emit(move_events.WeaponLeft(side=unit.side, weapon=weapon.id, place=unit.hex, rules=("20.12",)))
    else:
        lose_weapon(battle, weapon, "20.12")


# ---- what using a weapon leaves behind ----


def after_use(battle: OstBattle, unit: Unit, weapon: Weapon) -> None:
    """A single-use weapon is gone (20.5); blowback in a structure shakes whoever is there (20at.3, W-7)."""
    kind = battle.kinds[weapon.kind]
    if kind.single_use:
        lose_weapon(battle, weapon, "20.5")
    if kind.blowback and unit.status == ON_MAP and battle.in_structure(unit):
        for other in [u for u in battle.stack(unit.hex, unit.side) if not u.attached]:
            leader = battle.leader(other)
            if suffer(battle, other, "S", "20at.3") and leader is not None and not battle.type(leader).armor_leader:
                suffer(battle, leader, "S", "91.4")
