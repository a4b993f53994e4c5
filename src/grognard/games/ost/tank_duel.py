"""Tank duels: a Melee between armored vehicles, fought with armor-piercing shots (104)."""

from __future__ import annotations

from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import total
from grognard.core.tally import Tally
from grognard.games.ost import combat, results, retreats, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, ON_MAP, SHAKEN, Unit


def is_duel(battle: OstBattle, hex: str) -> bool:
    """Whether only armored vehicles without passengers fight in the hex (104.1, C-11)."""
    return all(battle.type(unit).armored for side in battle.sides for unit in retreats.combatants(battle, hex, side))


def tank_duel(battle: OstBattle, hex: str) -> Procedure[None]:
    """One turn's duel: initiative, shots one after the other, then one side leaves (104.3-104.20)."""
    winner, margin = roll_initiative(battle, hex)
    yield from exchange_shots(battle, hex, winner, margin)
    yield from retreats.leave_melee(battle, hex, retreats.DUEL)  # 104.15-104.18
    if all(retreats.combatants(battle, hex, side) for side in battle.sides):
        yield from retreats.move_out(battle, hex)  # 104.12, 104.14


# ---- initiative (104.4, 104.6) ------------------------------------------------------------------------------


def roll_initiative(battle: OstBattle, hex: str) -> tuple[str, int]:
    """Who shoots first, and by how much he won: 2D6 each, ties are rolled again (104.4, C-12)."""
    first, second = battle.sides
    while True:
        ours, theirs = _initiative_of(battle, hex, first), _initiative_of(battle, hex, second)
        if ours != theirs:
            break
    winner = first if ours > theirs else second
    totals = (max(ours, theirs), min(ours, theirs))
    battle.emit(turn_events.Initiative(side=winner, totals=totals, rules=("104.4",)))
    return winner, totals[0] - totals[1]


def _initiative_of(battle: OstBattle, hex: str, side: str) -> int:
    figures = battle.charts["tank_duel"]
    roll = Tally("initiative modifiers", 0, "104.4")
    if leader := next((unit for unit in battle.stack(hex, side) if battle.type(unit).armor_leader), None):
        combat.modify(battle, roll, "armor_leader", battle.name(leader), rule="104.4")
    rolled: int = battle.roll(side, "duel initiative", figures["initiative"], total(roll.total), ("104.4",), (roll,))
    return rolled


# ---- the shots (104.5-104.11, 104.19, 104.20) -----------------------------------------------------------------


def can_shoot(battle: OstBattle, tank: Unit) -> bool:
    """No shot for a vehicle that is lost, Broken, or without a working main gun (104.7, 104.10)."""
    return tank.status == ON_MAP and tank.morale != BROKEN and bool(battle.working_guns(tank))


def exchange_shots(battle: OstBattle, hex: str, winner: str, margin: int) -> Procedure[None]:
    """The winner shoots, then the other side; a third tank after both (104.7, 104.19, C-13).

    Each tank has one shot (104.20), and every result counts before the next. Only the first shot can find the
    flank (104.6).
    """
    flank = margin >= battle.charts["tank_duel"]["flank_if_won_by"]
    waiting = {side: retreats.combatants(battle, hex, side) for side in battle.sides}
    side = winner
    while any(waiting.values()):
        ready = [tank for tank in waiting[side] if can_shoot(battle, tank)]
        targets = retreats.combatants(battle, hex, battle.other(side))
        if not ready or not targets:
            waiting[side] = []
        else:
            shooter = yield from _choose(battle, side, "fire", "Which tank fires?", ready, "104.19")
            waiting[side].remove(shooter)
            target = yield from _choose(battle, side, "target", "At which tank?", targets, "104.20")
            yield from shoot(battle, shooter, target, flank=flank)
        flank = False
        side = battle.other(side)


def _choose(battle: OstBattle, side: str, verb: str, prompt: str, tanks: list[Unit], rule: str) -> Procedure[Unit]:
    """One of several tanks (B-62, B-63)."""
    if len(tanks) == 1:
        return tanks[0]
    options = [Option(f"{verb} {t.id}", battle.name(t), verb, t.id, t.hex, t.id, rule=rule) for t in tanks]
    prompt = f"Tank duel in {tanks[0].hex}: {prompt}"
    answer = yield Ask(side, prompt, options, rule=rule, meanwhile=options[0].key)
    return battle.unit(answer.split()[1])


def choose_gun(battle: OstBattle, tank: Unit) -> Procedure[int]:
    """Which main armament a vehicle with two of them fires (22.1, B-64)."""
    working, guns = battle.working_guns(tank), battle.type(tank).guns
    if len(working) == 1:
        return working[0]
    options = [Option(f"gun {i}", guns[i].name, "gun", tank.id, tank.hex, rule="22.1") for i in working]
    prompt = f"Tank duel in {tank.hex}: which gun fires?"
    answer = yield Ask(tank.side, prompt, options, rule="22.1", meanwhile=options[0].key)
    return int(answer.split()[1])


def shoot(battle: OstBattle, shooter: Unit, target: Unit, *, flank: bool = False) -> Procedure[None]:
    """An automatic hit on the VCT (104.5, 104.8); no Moving Fire (104.9), no terrain (102.3), no crew left (102.27)."""
    gun = yield from choose_gun(battle, shooter)
    firepower, roll = duel_firepower(battle, shooter, gun), duel_roll(battle, shooter)
    defense = duel_defense(battle, target, flank)
    vct = battle.charts.vct
    reader = vct.reader(vct.column(firepower.total - defense.total), roll.total)
    tallies = (firepower, defense, roll)
    dice = battle.charts["vct"]["dice"]
    result = battle.roll(shooter.side, "duel shot", dice, reader, ("104.5", "104.8"), tallies, unit=target.id)
    yield from results.apply_vct(battle, target, result, shooter.side, "104.5", melee=True)


def duel_firepower(battle: OstBattle, shooter: Unit, gun: int) -> Tally:
    """AP Firepower at range 0, halved if Shaken, and the +2 of a Melee (104.10, 104.11)."""
    figures = battle.charts["tank_duel"]
    armament = battle.type(shooter).guns[gun]
    *_, penetration = armament.band(figures["ap_range"])
    firepower = Tally("Firepower", penetration, "104.11", armament.name)
    if shooter.morale == SHAKEN:
        combat.modify(battle, firepower, "shaken_fp", shooter.id, rule="104.10")
    combat.modify(battle, firepower, "melee_fp", rule="104.11")
    firepower.at_least(battle.charts["combat"]["min_attacker_fp"], "minimum", "86.4")
    return firepower


def duel_defense(battle: OstBattle, target: Unit, flank: bool) -> Tally:
    """The front Defense, or the flank after an initiative won by 4 (104.5, 104.6); 1 less with an open top (21.18)."""
    kind = battle.type(target)
    if flank:
        defense = Tally("Defense", kind.flank, "104.6", f"{kind.name}, flank")
    else:
        defense = Tally("Defense", kind.front, "104.5", f"{kind.name}, front")
    if kind.open_top:
        combat.modify(battle, defense, "open_top", battle.name(target))
    return defense


def duel_roll(battle: OstBattle, shooter: Unit) -> Tally:
    """+1 for an Armor Leader (16.5), -1 if Shaken (104.10)."""
    roll = Tally("roll modifiers", 0, "86.7")
    combat.lead(battle, roll, shooter)
    if shooter.morale == SHAKEN:
        combat.modify(battle, roll, "shaken_in_melee", battle.name(shooter), rule="104.10")
    return roll
