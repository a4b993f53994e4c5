"""Fire: declaring an attack, carrying it out and marking who made it (88, 90, 95.13-95.15).

A unit fires as one of its two actions; a Used one by Intensive Fire. One shot is in `shooting`, what it is worth in
`firepower`, two at once in `sustained_fire`, and what bars a shot in `arms`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.core.ask import Ask, Option, Procedure
from grognard.games.ost import support_weapons, turn_events
from grognard.games.ost.arms import Shot, arms, bar_fire, say_shot, shots, shots_at, visible_targets
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.morale import suffer
from grognard.games.ost.results import NOTHING, Effect
from grognard.games.ost.shooting import read_shot, resolve
from grognard.games.ost.shot_memory import Firer, firer, has_shot, looked_at
from grognard.games.ost.state import ON_MAP, Unit
from grognard.games.ost.sustained_fire import sustained_fire, sustained_options
from grognard.games.ost.unit_memory import Each, each_unit

HOLD = Option("hold", "Hold fire", "pass", rule="95.13")


class _Ready(NamedTuple):
    """A unit that may fire, the option to do so, and whether it has or could take up something besides its arms."""

    firer: Firer
    option: Option
    throws: bool
    finds: bool


def options_fire(battle: OstBattle, side: str, each: Each = each_unit) -> Iterator[Option]:
    """Every unit of the side that has something to fire at, for a point."""
    keyed = looked_at(battle, side, each)
    targets = [target.unit for target in keyed.values()]
    for who, option, throws, finds in each(battle, side, _ready, reach=0):
        if (
            has_shot(battle, who, keyed)
            or (throws and support_weapons.can_throw(battle, who.unit, targets))
            or (finds and support_weapons.could_take(battle, who.unit, targets))
        ):
            yield option


def _ready(battle: OstBattle, unit: Unit) -> Iterator[_Ready]:
    """A unit that may fire, whatever there is to fire at."""
    if bar_fire(battle, unit) is None:
        intensive = battle.used(unit)
        label, rule = ("Intensive Fire", "90.1") if intensive else ("Fire", "88.1")
        option = Option(f"fire {unit.id}", label, "fire", unit.id, unit.hex, cost="1 IP", rule=rule)
        throws, finds = support_weapons.could_throw(battle, unit), support_weapons.finds_weapons(battle, unit)
        yield _Ready(firer(battle, unit), option, throws, finds)


def act_fire(battle: OstBattle, side: str, unit_id: str) -> Procedure[bool]:
    """Spend a point, declare the attack, and carry it out (88.1)."""
    unit = battle.unit(unit_id)
    battle.spend(side, battle.charts["impulse"]["cost_action"], "88.1")
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


def mark_fired(battle: OstBattle, unit: Unit, intensive: bool) -> None:
    """Fired after the first time, Used after the second action (88.8, 88.9); Shaken by Intensive Fire (90.2)."""
    if unit.status != ON_MAP:
        return
    if intensive:
        unit.intensive = True
        battle.emit(turn_events.Marked(side=unit.side, unit=unit.id, marker="Intensive Fire", rules=("90.2",)))
        suffer(battle, unit, "S", "90.2", check=False)
        return
    unit.fired += 1
    marker, rule = ("Used", "88.9") if battle.used(unit) else ("Fired", "88.8")
    battle.emit(turn_events.Marked(side=unit.side, unit=unit.id, marker=marker, rules=(rule,)))


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
    prompt = f"{battle.name(unit)}: fire the other armament?"
    answer = yield Ask(unit.side, prompt, options, rule="95.13", meanwhile=HOLD.key)
    if answer == HOLD.key:
        return NOTHING
    _, target_words, word = answer.split()
    return (yield from resolve(battle, read_shot(battle, unit, target_words, word), ambush=ambush, intensive=intensive))
