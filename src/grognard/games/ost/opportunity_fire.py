"""Opportunity Fire: halt a moving unit in the hex it enters, and fire at it (105, 73.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grognard.core.ask import Ask, Option, Procedure
from grognard.games.ost import fire, fire_groups, shooting
from grognard.games.ost.arms import bar_fire
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.luck import lasting
from grognard.games.ost.state import ON_MAP, Unit

PASS = Option("pass", "Hold fire", "pass", rule="105.0")


def opportunity_fire(battle: OstBattle, movers: Sequence[Unit], ambush_by: Unit | None = None) -> Procedure[bool]:
    """The enemy of the movers may make one attack in this hex (105.9); True if it halts them (105.3).

    ``ambush_by`` is the hidden unit that a mover ran into: then only its stack may answer (73.8).
    """
    mover = movers[0]
    side = battle.other(mover.side)
    shooting.keep_acquired(battle)
    if battle.state.points.get(side, 0) < battle.charts["impulse"]["cost_opportunity_fire"]:
        return False
    if lasting.boon(battle, mover.side, "no_opportunity_fire") is not None and battle.type(mover).foot:
        return False
    targets = _targets(battle, movers)
    singles = _single_attacks(battle, side, targets, ambush_by)
    if (first := next(singles, None)) is None:
        return False  # and so no group either: each of its members would have a shot of its own
    answer = yield Ask(
        side,
        f"Opportunity Fire at {battle.name(mover)} in {mover.hex}?",
        lambda: [
            PASS,
            first,
            *singles,  # goes on where it stopped: nothing changes while the question stands
            *_group_attacks(battle, side, targets, ambush_by),
        ],
        reaction="opportunity fire",
        rule="105.0",
        meanwhile=PASS.key,
    )
    if answer == PASS.key:
        return False
    return (yield from _answer_fire(battle, side, movers, answer.split(), ambush_by is not None))


def _targets(battle: OstBattle, movers: Sequence[Unit]) -> list[Unit]:
    """The units that may be fired at: those that move, and who rides on them (F-16)."""
    targets = [u for u in movers if u.status == ON_MAP and not u.attached]
    targets += [rider for unit in targets if (rider := battle.passenger(unit)) is not None]
    # a Leader or Armor Leader can be picked out by a Sniper
    return targets + [leader for unit in targets if (leader := battle.leader(unit)) is not None]


def _single_attacks(battle: OstBattle, side: str, targets: Sequence[Unit], ambusher: Unit | None) -> Iterator[Option]:
    """One unit at what moves (105.1)."""
    impulse = battle.charts["impulse"]
    here = battle.grid.dist[targets[0].hex] if targets else {}
    carried: dict[str, int] = {}
    for weapon in battle.state.weapons.values():
        carried[weapon.unit] = max(carried.get(weapon.unit, 0), battle.kinds[weapon.kind].range)
    firers = []
    for unit in battle.state.units.values():
        if unit.side != side or unit.status != ON_MAP or (ambusher is not None and unit.hex != ambusher.hex):
            continue
        if here and here[unit.hex] > max(battle.kinds[unit.kind].reach, carried.get(unit.id, 0)) + 1:
            continue  # beyond anything it has or carries, even from above
        if bar_fire(battle, unit) is None:
            firers.append(unit)
    for unit in firers:
        intensive = battle.used(unit)
        for option in fire.attack_options(battle, unit, targets):
            yield Option(
                f"{unit.id} {option.key}",
                f"Intensive Fire: {option.label}" if intensive else option.label,
                option.verb,
                unit.id,
                unit.hex,
                option.target,
                f"{impulse['cost_opportunity_fire']} IP",
                "105.1",
                option.range,
            )


def _group_attacks(battle: OstBattle, side: str, targets: Sequence[Unit], ambusher: Unit | None) -> Iterator[Option]:
    """A Fire Group at what moves, for two points (105.8)."""
    impulse = battle.charts["impulse"]
    if battle.state.points[side] < impulse["cost_group"]:
        return
    for first, second in fire_groups.pairs(battle, side):
        if ambusher is not None and not (first.hex == second.hex == ambusher.hex):
            continue
        for target, crew in fire_groups.group_targets(battle, first, second, targets):
            whom = f"{'the crew of ' if crew else ''}{battle.name(target)}"
            yield Option(
                f"fire_group {first.id} {second.id} at {target.id}{':crew' if crew else ''}",
                f"Fire at {whom} together with {battle.name(second)}",
                "fire_group",
                first.id,
                first.hex,
                target.id,
                f"{impulse['cost_group']} IP",
                "105.8",
                battle.grid.dist[first.hex][target.hex],
            )


def _answer_fire(
    battle: OstBattle, side: str, movers: Sequence[Unit], words: list[str], ambush: bool
) -> Procedure[bool]:
    """Pay, fire, and see whether anybody who moves was stopped (105.1-105.5)."""
    before = [(u, u.morale, u.reduced, u.immobilized) for u in movers]
    if words[0] == "fire_group":
        battle.spend(side, battle.charts["impulse"]["cost_group"], "105.8")
        first, second = battle.unit(words[1]), battle.unit(words[2])
        yield from fire_groups.group_attack(battle, first, second, words[4], ambush=ambush)
    else:
        battle.spend(side, battle.charts["impulse"]["cost_opportunity_fire"], "105.1")
        yield from fire.attack(battle, battle.unit(words[0]), words[1:], ambush=ambush, opportunity=True)
    return any(
        u.status != ON_MAP or u.morale > morale or (u.reduced and not reduced) or (u.immobilized and not stuck)
        for u, morale, reduced, stuck in before
    )
