"""Sustained Fire: a machine gun's two attacks in one action, at the risk of its ammunition (18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grognard.core.ask import Option, Procedure
from grognard.games.ost import combat_events
from grognard.games.ost.arms import arms, arms_reach, say_target, shots_at
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.results import NOTHING, Effect
from grognard.games.ost.shooting import read_shot, resolve
from grognard.games.ost.state import LOST, ON_MAP, Unit


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
    battle.emit(combat_events.AmmoOut(side=unit.side, unit=unit.id, squad=squad.id, rules=("18.12",)))
