"""Answers to what the enemy does, and to what a Melee asks: Opportunity Fire, free fire, close combat and flight."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask
from grognard.core.tactics import Reason
from grognard.games.ost import combat, retreats
from grognard.games.ost.state import BROKEN, Unit
from grognard.games.ost.tactics.choices import attack_of, why_attack
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.melee_odds import best_weapon, defenders, outlook
from grognard.games.ost.tactics.profiles import LOSSES
from grognard.games.ost.tactics.shots import Attack, clamp, percent
from grognard.kits.hex.tactics.choices import Choice, also, because

#: A shot at something that moves is taken at this part of what it would be worth in the open.
PATIENCE = 0.45
#: What halting a mover is worth, as a part of its fighting worth.
HALT = 0.2


def opportunity_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Opportunity Fire: taken when the shot is good; poor ones are passed while something better may come."""
    battle, position = commander.battle, commander.position
    enemy_points = position.state.points.get(position.enemy, 0)
    yield Choice(0.0, "pass", because("waits for a better target", 0.0))
    for option in ask.options:
        if option.verb == "pass":
            continue
        words = option.key.split()
        group = words[0] == "fire_group"
        if group:
            units = [battle.unit(words[1]), battle.unit(words[2])]
            target, _, crew = words[4].partition(":")
            attack: Attack | None = commander.shots.group(units[0], units[1], battle.unit(target), bool(crew))
        else:
            units = [battle.unit(words[0])]
            attack = attack_of(commander, units[0], " ".join(words[1:]))
        if attack is None or attack.target is None:
            continue
        piece = position.piece(attack.target)
        halt = HALT * attack.harm.effect * piece.power
        wait = sum(_patience(commander, unit, attack) for unit in units) * min(1.0, enemy_points / 6)
        wait = max(wait, *(_better(commander, unit) for unit in units))
        worth = attack.worth + halt - len(units) * commander.price - wait
        why = also(
            why_attack(commander, attack, units[0]),
            Reason("may stop it there", halt),
            Reason("the points could be spent elsewhere", -len(units) * commander.price),
            Reason("a better target may turn up", -wait),
        )
        yield Choice(worth, option.key, why)


def _patience(commander: Commander, unit: Unit, attack: Attack) -> float:
    """What the shot is worth that a unit gives up by firing now: at the same target in the open."""
    position = commander.position
    assert attack.target is not None
    piece, target = position.piece(unit), position.piece(attack.target)
    if commander.battle.used(unit):
        return 0.0
    if target.kind.vehicle:
        return 0.1 * position.piece(unit).power
    power = piece.power_at(position.dist[unit.hex][attack.target.hex])
    guard = target.guard - position.shelter(attack.target.hex, attack.target.side, True)
    open_ground = LOSSES[5 + clamp(power - guard + piece.lead)] * target.power
    last_shot = commander.battle.actions(unit) >= 1
    return PATIENCE * open_ground * (1.0 if last_shot else 0.6)


def _better(commander: Commander, unit: Unit) -> float:
    """What a unit could do in its own Impulse with its last shot, or its side's last point, instead."""
    points = commander.position.state.points.get(unit.side, 0)
    if points > 1 and commander.battle.actions(unit) < 1:
        return 0.0
    attack = commander.shots.best(unit)
    return 0.85 * attack.worth if attack is not None else 0.0


def parachute_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Free fire at men under parachutes: whoever can, does."""
    battle = commander.battle
    for option in ask.options:
        if option.verb == "pass":
            yield Choice(0.0, option.key, because("holds fire", 0.0))
            continue
        words = option.key.split()
        target = battle.unit(option.target)
        units = [battle.unit(id) for id in words[1:]] if words[0] == "group" else [battle.unit(words[1])]
        power = sum(battle.firepower(unit) or battle.he(unit) for unit in units) // 2
        guard = combat.defense_tally(battle, target, "fire").total
        harm = commander.shots.on(target, power - guard)
        cost = sum(commander.shots.cost(unit) for unit in units if unit.hidden)
        attack = Attack(commander.shots.gain(target, harm) - cost + 0.01, harm, target)
        yield Choice(attack.worth, option.key, why_attack(commander, attack, units[0]))


# ---- Melee, retreats, duels ---------------------------------------------------------------------


def melee_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Weapons in a Melee, whom to concentrate on, who fights first, and slipping away from it."""
    battle, position = commander.battle, commander.position
    for option in ask.options:
        verb, worth, why = option.verb, 0.0, ""
        if verb == "use":
            squad = battle.unit(option.unit)
            best = best_weapon(battle, squad, defenders(battle, squad.hex, squad.side))
            worth, why = (1.0, "adds its Firepower") if best is not None and best.id == option.target else (-0.5, "")
        elif verb == "concentrate":
            target = battle.unit(option.target)
            ours = battle.stack(target.hex, position.side)
            theirs = defenders(battle, target.hex, position.side)
            worth = _concentrated(commander, ours, theirs, target)
            why = f"everything against {battle.name(target)}"
        elif verb == "all":
            worth, why = 0.0, "against all of them at once"
        elif verb == "evade":
            worth, why = 0.5, "it would be lost on its own"
        elif verb == "melee":
            worth = commander.prize(option.place)
            why = "the most important goes first"
        yield Choice(worth, option.key, because(why, worth) if why else None)


def _concentrated(commander: Commander, ours: list[Unit], theirs: list[Unit], target: Unit) -> float:
    alone, together = outlook(commander.shots, ours, [target]), outlook(commander.shots, ours, theirs)
    return alone.gained - together.gained


def flight_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Where a unit falls back to: out of sight, in cover, near its friends, still near what counts."""
    battle, position = commander.battle, commander.position
    for option in ask.options:
        unit, hex = battle.unit(option.unit), option.place
        piece = position.piece(unit)
        risk = position.risk(unit, hex)[0]
        shelter = position.shelter(hex, unit.side, not piece.kind.vehicle)
        foes = sum(1 for foe in position.foes if position.dist[hex][foe.hex] == 1)
        pull = 0.3 * commander.assignments.pull(unit, hex)
        worth = pull - piece.worth * (risk + 0.08 * foes) + 0.05 * shelter * piece.worth
        mines = battle.state.mines.get(hex)
        if mines is not None and mines.side != unit.side:
            worth -= 0.3 * piece.worth
        text = f"{percent(risk)} risk of losing it there" if risk > 0.005 else "out of the enemy's fire"
        yield Choice(worth, option.key, because(text, worth))


def rescue_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Who leaves a Melee first where not all can: whoever is worth most with all that goes along."""
    battle, position = commander.battle, commander.position
    for option in ask.options:
        group = retreats.company(battle, battle.unit(option.unit))
        worth = sum(position.piece(unit).worth for unit in group)
        yield Choice(worth, option.key, because("saves the most", worth))


def duel_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Which tank fires at which, and with what."""
    battle, position = commander.battle, commander.position
    for option in ask.options:
        unit = battle.unit(option.unit)
        kind = battle.kinds[unit.kind]
        if option.verb == "fire":
            worth = max((gun.band(0)[3] for gun in kind.guns), default=0) - 2.0 * bool(unit.morale)
        elif option.verb == "target":
            worth = position.piece(unit).power * (1.0 if unit.morale != BROKEN else 0.6) / max(kind.front, 1)
        else:
            worth = float(kind.guns[int(option.key.split()[1])].band(0)[3])
        yield Choice(worth, option.key, because("the best choice", worth))
