"""The questions within an action: where to step, whom to shoot at, which way to face, where to run."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Option
from grognard.games.ost.air_strikes import seconds
from grognard.games.ost.arms import arms
from grognard.games.ost.shooting import read_shot
from grognard.games.ost.state import BROKEN, ON_MAP, Unit
from grognard.games.ost.tactics import rides
from grognard.games.ost.tactics.assignments import LEAVE
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.moves import Plan
from grognard.games.ost.tactics.shots import Attack, percent
from grognard.kits.hex.tactics.choices import Choice, Why, because

# ---- a Move under way ---------------------------------------------------------------------


def step_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """The next step of a Move: the beginning of the best way on, or an end to it."""
    battle, moves = commander.battle, commander.moves
    options = ask.options
    unit = battle.unit(options[0].unit)
    acted = any(option.verb == "stop" for option in options)
    left = int(ask.about[0])  # in half Movement Points; of a pair those of the first
    plans = {} if unit.aboard else moves.plans(unit, left, not acted)
    best = max((plan.worth for plan in plans.values()), default=0.0)
    for option in options:
        yield _step(commander, unit, option, plans, best)


def _step(commander: Commander, unit: Unit, option: Option, plans: dict[str, Plan], best: float) -> Choice:
    verb, key = option.verb, option.key
    if verb == "stop":
        return Choice(0.0, key, because(f"stays in {unit.hex}", 0.0))
    if verb in ("step", "reverse", "pivot"):
        vehicle = commander.battle.kinds[unit.kind].vehicle
        plan = plans.get(key if vehicle else option.place)
        if plan is None:
            return Choice(-3.0, key)
        worth = plan.worth
        if key.endswith(" road"):
            worth -= 0.3 if plan.end == option.place else -0.01
        return Choice(worth, key, lambda: commander.moves.reasons(unit, plan))
    if verb == "exit":
        assignment = commander.assignments.of(unit)
        worth = (
            2 * commander.moves.parting(unit, assignment)
            if assignment is not None and assignment.kind == LEAVE
            else -5.0
        )
        return Choice(worth, key, because("leaves the map as ordered", worth))
    if verb == "unload":
        worth = 0.5 - (0.3 if key.endswith("road") else 0.0)
        return Choice(worth, key, because("gets off here", worth))
    if verb == "load":
        carrier = commander.battle.unit(option.target)
        if carrier not in rides.empty_carriers(commander.battle, unit):
            return Choice(-1.0, key)
        worth, why = rides.board(commander, unit, carrier)
        return Choice(worth, key, because(why, worth))
    if verb == "inside":
        worth = 0.4 * commander.moves.place(unit, unit.hex).risk + 0.05
        return Choice(worth, key, because("takes shelter", worth))
    if verb == "building":
        worth = 0.1 + 0.3 * commander.moves.place(unit, unit.hex).risk
        return Choice(worth, key, because("takes shelter", worth))
    return Choice(_handling(commander, unit, option, best), key)


def _handling(commander: Commander, unit: Unit, option: Option, best: float) -> float:
    """Weapons and guns on the way: taken if a squad has none, laid down only if there is no other way."""
    battle = commander.battle
    verb, thing = option.verb, option.target
    if verb == "take":
        kind = battle.kinds[battle.state.weapons[thing].kind]
        if not battle.kinds[unit.kind].squad or battle.weapons(unit):
            return -0.5  # nobody else can use it, and nobody moves with two (20.11)
        return max(best, 0.0) + 0.02 if kind.class_ in ("lmg", "bar", "mortar") or kind.at_weapon else -0.5
    if verb == "drop":
        weapon = battle.state.weapons[thing]
        many = len(battle.weapons(battle.unit(weapon.unit))) > 1  # in a group it may be the other's
        return (0.5 if best <= 0 else best + 0.1) - 0.05 * weapon_rank(commander, weapon.kind) if many else -2.0
    if verb == "destroy":
        gun = battle.state.units.get(thing)
        return 0.1 if gun is not None and gun.side != unit.side else -4.0
    if verb == "man":
        return -0.3
    return -1.0


def weapon_rank(commander: Commander, kind_id: str) -> float:
    """How much a support weapon is wanted here: one that serves but once less than one that lasts."""
    kind = commander.battle.kinds[kind_id]
    armored = any(foe.kind.armored for foe in commander.position.foes)
    if kind.at_weapon:
        return (2.8 if kind.single_use else 4.0) if armored else 1.0
    return {"lmg": 3.0, "bar": 3.0, "mortar": 2.5, "flamethrower": 2.5, "satchel": 2.0}.get(kind.class_, 1.5)


# ---- fire ---------------------------------------------------------------------


def attack_of(commander: Commander, unit: Unit, key: str, *, ambush: bool = False) -> Attack | None:
    """The attack that the words of an answer mean; None for what is no attack."""
    shots, battle = commander.shots, commander.battle
    words = key.split()
    if words[0] == "at":
        return shots.shot(read_shot(battle, unit, words[1], words[2]), ambush=ambush)
    if words[0] == "sustained":
        first = shots.shot(read_shot(battle, unit, words[1], "own"), ambush=ambush)
        second = first if words[2] == words[1] else shots.shot(read_shot(battle, unit, words[2], "own"))
        return shots.twice(unit, first, second)
    if words[0] in ("satchel", "shell"):
        return shots.throw(unit, battle.state.weapons[words[1]], words[2])
    return None


def target_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Whom a unit fires at, once it is settled that it fires; or whether its other armament fires too."""
    battle = commander.battle
    for option in ask.options:
        if option.verb == "pass":
            yield Choice(0.0, option.key, because("holds its fire", 0.0))
            continue
        unit = battle.unit(option.unit)
        attack = attack_of(commander, unit, option.key)
        if attack is not None:
            yield Choice(attack.worth, option.key, why_attack(commander, attack, unit))
        elif option.verb == "take":
            kind = battle.kinds[battle.state.weapons[option.target].kind]
            alone = all(o.verb in ("take", "destroy", "smoke") for o in ask.options)
            worth = 9.0 if alone or (kind.class_ in ("lmg", "bar") and not battle.weapons(unit)) else -0.5
            yield Choice(worth, option.key, because("picks up a weapon", worth))
        elif option.verb == "smoke":
            worth, hex = commander.strikes.best_screen(unit)
            yield Choice(worth, option.key, commander.strikes.why_screen(worth, hex))
        else:
            yield Choice(-1.0, option.key)


def why_attack(commander: Commander, attack: Attack, unit: Unit) -> Why:
    """The reasons of an attack, when they are wanted."""
    return lambda: commander.shots.reasons(attack, unit)


def group_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Whom a Fire Group fires at."""
    battle = commander.battle
    first, second = battle.unit(ask.options[0].unit), battle.unit(ask.about[0])
    for option in ask.options:
        attack = commander.shots.group(first, second, battle.unit(option.target), option.key.endswith(":crew"))
        yield Choice(attack.worth, option.key, why_attack(commander, attack, first))


def arm_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """What a member of a group fires with."""
    battle = commander.battle
    for option in ask.options:
        unit = battle.unit(option.unit)
        word = option.key.split()[1]
        arm = next((a for a in arms(battle, unit) if a.word == word), None)
        worth = commander.shots.arm_power(unit, arm) if arm is not None else 0.0
        yield Choice(worth, option.key, because("the most Firepower", worth))


# ---- facing ---------------------------------------------------------------------


def face_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Which way to face: on towards the goal, with the front to the enemy and the gun on a target."""
    battle, moves = commander.battle, commander.moves
    found: list[tuple[float, float, str]] = []
    for option in ask.options:
        unit = battle.unit(option.unit) if option.unit else None
        facing = int(option.key.split()[1])
        hex = option.place or (unit.hex if unit is not None else "")
        ahead = commander.approaches.ahead(battle, commander.position.side, hex, facing) if hex in battle.grid else 0.0
        worth = 0.1 * ahead
        if unit is not None and unit.status == ON_MAP:
            worth += moves.place(unit, hex, facing).total
        found.append((worth, ahead, option.key))
    least = min(worth for worth, _, _ in found)
    for worth, ahead, key in found:
        share = f"{percent(ahead)} of visible enemies, or of their likely routes, ahead"
        yield Choice(worth - least, key, because(share, worth - least))


# ---- strikes ---------------------------------------------------------------------


def strike_at_once(commander: Commander, ask: Ask) -> str:
    """The best hex for a strike or an aircraft among those near enemies that somebody spots; "" to look at them all."""
    battle, strikes = commander.battle, commander.strikes
    if ask.rule == "107.5":
        kind = ask.about[0]
        hex = max(strikes.best_oba(kind), strikes.best_oba_smoke(kind))[1]
        return f"hex {hex}" if hex else ""
    if ask.about:
        return ""  # the second hex: there are only six
    hex = strikes.best_air()[1]
    return f"hex {hex}" if hex and seconds(battle, hex) else ""


def strike_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Where a strike falls, and whether it is shells or smoke."""
    battle, strikes = commander.battle, commander.strikes
    keys = {option.key for option in ask.options}
    if keys == {"shells", "smoke"}:
        hex, kind = ask.options[0].place, ask.about[0]
        worth, screen = strikes.oba(kind, hex), strikes.oba_smoke(kind, hex)
        yield Choice(worth, "shells", lambda: strikes.reasons(hex, worth))
        yield Choice(screen, "smoke", strikes.why_screen(screen, hex if screen > 0 else ""))
        return
    if ask.rule == "107.5":
        kind = ask.about[0]
        likely = set(strikes.targets())
        screen, over = strikes.best_oba_smoke(kind)
        for option in ask.options:
            if option.place in likely:
                worth = strikes.oba(kind, option.place)
                if option.place != over or worth >= screen:
                    yield Choice(worth, option.key, strike_why(commander, option.place, worth))
                    continue
            if option.place == over:
                yield Choice(screen, option.key, strikes.why_screen(screen, over))
        yield Choice(-3.0, ask.options[0].key)
        return
    for option in ask.options:
        if option.target:
            unit = battle.unit(option.target)
            worth = strikes.air_at(unit) * (-1 if unit.side == commander.position.side else 1)
        else:
            worth = strikes.air_hex(option.place)
            if not ask.about:  # the first of the two hexes
                worth += max((strikes.air_hex(hex) for hex in battle.grid.adjacent[option.place]), default=0.0)
        yield Choice(worth, option.key, strike_why(commander, option.place, worth))


def strike_why(commander: Commander, hex: str, worth: float) -> Why:
    return lambda: commander.strikes.reasons(hex, worth)


def smoke_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Where Smoke is laid."""
    for option in ask.options:
        worth = commander.strikes.smoke(option.place)
        yield Choice(worth, option.key, because("protects the units in it", worth))


# ---- entering, Leaders, weapons ---------------------------------------------------------------------


def entry_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """By which hex a unit enters: near where it is wanted, and out of sight."""
    battle, position = commander.battle, commander.position
    for option in ask.options:
        unit = battle.unit(option.unit)
        kind = battle.kinds[unit.kind]
        piece_worth = position.know.victory_values.fighting(kind, unit.side)
        hex = option.place
        far = commander.approaches.wanted(battle, unit.side, kind.move_type, hex)
        risk = position.risk(unit, hex)[1] * piece_worth
        worth = -0.05 * far - risk - 0.05 * option.key.endswith("road")
        yield Choice(worth, option.key, because(f"{far // 2} Movement Points from the objectives", worth))


def leader_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Whom a Leader goes with: whoever fights best and has none."""
    battle = commander.battle
    for option in ask.options:
        if option.verb == "alone":
            yield Choice(0.0, option.key, because("on its own", 0.0))
            continue
        unit = battle.unit(option.unit)
        kind = battle.kinds[unit.kind]
        power = commander.position.know.victory_values.fighting(kind, unit.side)
        if option.verb == "with":
            power = 1.0
        elif kind.machine_gun:
            power *= 1.2
        if unit.morale:
            power *= 0.5
        yield Choice(power, option.key, because(f"{battle.name(unit)} fights better with him", power))


def attach_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Leaders join whoever they can help; weapons go to those who can use them (15, 20.13)."""
    battle = commander.battle
    yield Choice(0.0, "done", because("no better change", 0.0))
    for option in ask.options:
        if option.key == "done":
            continue
        words = option.key.split()
        worth, why = -1.0, ""
        if words[0] == "attach":
            leader, unit = battle.unit(words[1]), battle.unit(words[2])
            now = battle.unit(leader.attached) if leader.attached else None
            gain = _led(commander, unit) - (_led(commander, now) if now is not None else 0.0)
            worth, why = gain - 0.15, f"{battle.name(unit)} fights better with him"
        elif words[0] == "give":
            weapon, taker = battle.state.weapons[words[1]], battle.unit(words[2])
            giver = battle.unit(weapon.unit)
            more = len(battle.weapons(giver)) - len(battle.weapons(taker)) - 1
            fit = (taker.morale < giver.morale) + (giver.reduced and not taker.reduced)
            worth, why = 0.5 * more + 0.3 * fit - 0.2, f"{battle.name(taker)} can use it"
            if battle.weapons(taker):
                worth -= 1.0
        yield Choice(worth, option.key, because(why, worth) if why else None)


def _led(commander: Commander, unit: Unit) -> float:
    """What a Leader is worth with a unit."""
    piece = commander.position.piece(unit)
    return 0.25 * piece.power * (1.0 if unit.morale < BROKEN else 0.5)
