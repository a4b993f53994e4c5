"""Fire Groups: two units and their Leader make one attack for two points (92)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import attacks, collapse, combat, support_weapons, turn_events
from grognard.games.ost.arms import LEADER_STACKED, Arm, Shot, arms, bar_fire, bar_shot, say_arm, visible_targets
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.fire import mark_fired
from grognard.games.ost.firepower import degradations, firepower_tally, roll_tally, spend_luck
from grognard.games.ost.results import Effect
from grognard.games.ost.shooting import brings_down
from grognard.games.ost.sight import sight
from grognard.games.ost.state import GOOD, Unit
from grognard.games.ost.unit_memory import Each, each_unit

NO_VEHICLES = Bar("92.6", "vehicles can't join a Fire Group")
NO_SNIPERS = Bar("12.1", "Snipers can't join a Fire Group")
NO_LEADER = Bar("92.2", "a Fire Group needs a Leader in good order attached to one of its units")
TOO_FAR = Bar("92.5", "its units must be in the same or adjacent hexes")
USED = Bar("74.6", "it is Used")
NO_GUNS_AT_VEHICLES = Bar("92.8", "grouped guns can't attack vehicles")
TOO_DEGRADED = Bar("92.12", "the group's lines of sight cross more than two degrading places")
POINTS = Bar("92.4", "a Fire Group costs two Impulse Points")


def bar_member(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit cannot be part of a Fire Group."""
    kind = battle.kinds[unit.kind]
    if kind.vehicle:
        return NO_VEHICLES
    if kind.sniper:
        return NO_SNIPERS
    if bar := bar_fire(battle, unit):
        return bar
    return USED if battle.used(unit) else None


def has_leader(battle: OstBattle, unit: Unit) -> bool:
    """Whether a Leader in good order is attached: of any branch for forming a group (14.3, D-9)."""
    leader = battle.leader(unit)
    return leader is not None and leader.morale == GOOD and battle.type(leader).leader


def bar_pair(battle: OstBattle, first: Unit, second: Unit) -> Bar | None:
    """Why two units cannot form a group, whatever the target (92.2, 92.5)."""
    if bar := bar_member(battle, first) or bar_member(battle, second):
        return bar
    if battle.grid.dist[first.hex][second.hex] > 1:
        return TOO_FAR
    return None if has_leader(battle, first) or has_leader(battle, second) else NO_LEADER


def pairs(battle: OstBattle, side: str, each: Each = each_unit) -> Iterator[tuple[Unit, Unit]]:
    """Every two units that could form a group: the one with the Leader first."""
    able = each(battle, side, _member, reach=0)
    members, led = [unit for unit, _ in able], [unit for unit, leader in able if leader]
    for first in led:
        for second in members:
            if second is first or battle.grid.dist[first.hex][second.hex] > 1:
                continue
            if second.n < first.n and second in led:
                continue  # the same pair, already given the other way round
            yield first, second


def _member(battle: OstBattle, unit: Unit) -> list[tuple[Unit, bool]]:
    """A unit that could be part of a Fire Group, and whether it has a Leader for it."""
    return [(unit, has_leader(battle, unit))] if bar_member(battle, unit) is None else []


def group_arms(battle: OstBattle, unit: Unit, target: Unit, crew: bool = False) -> list[Arm]:
    """What a member can bring to bear on the target: no guns or anti-tank weapons at vehicles (92.8, F-4)."""
    vehicle = battle.type(target).vehicle
    return [
        arm
        for arm in arms(battle, unit)
        if not (vehicle and arm.kind not in ("small", "alone"))
        and not (vehicle and arm.near)
        and bar_shot(battle, unit, target, arm, crew) is None
    ]


def bar_group(battle: OstBattle, first: Unit, second: Unit, target: Unit, crew: bool = False) -> Bar | None:
    """Why two units cannot attack a target together."""
    if battle.type(target).leader and len(battle.seen_enemies(target.hex, first.side)) > 1:
        return LEADER_STACKED
    for unit in (first, second):
        if not group_arms(battle, unit, target, crew):
            guns = battle.type(target).vehicle and battle.type(unit).guns
            return NO_GUNS_AT_VEHICLES if guns else Bar("92.5", "not in range and sight of both", unit.id)
    lines = [sight(battle, unit, target) for unit in (first, second)]
    if len(degradations(lines)) > battle.charts["combat"]["max_degraded_hexes"]:
        return TOO_DEGRADED
    return None


def group_targets(battle: OstBattle, first: Unit, second: Unit, targets: Sequence[Unit]) -> Iterator[tuple[Unit, bool]]:
    """The targets of a group, with whether it is the exposed crew that is meant."""
    for target in targets:
        if bar_group(battle, first, second, target) is None:
            yield target, False
        if battle.type(target).open_top and bar_group(battle, first, second, target, True) is None:
            yield target, True


def options_fire_group(battle: OstBattle, side: str, each: Each = each_unit) -> Iterator[Option]:
    """Every pair that has a common target, for two points (92.4)."""
    cost = battle.charts["impulse"]["cost_group"]
    if battle.state.points[side] < cost:
        return
    targets: list[Unit] | None = None
    for first, second in pairs(battle, side, each):
        if targets is None:
            targets = visible_targets(battle, side)
        if next(group_targets(battle, first, second, targets), None):
            yield Option(
                f"fire_group {first.id} {second.id}",
                f"Fire together with {battle.name(second)}",
                "fire_group",
                first.id,
                first.hex,
                cost=f"{cost} IP",
                rule="92.1",
            )


def act_fire_group(battle: OstBattle, side: str, first_id: str, second_id: str) -> Procedure[bool]:
    """Spend two points, name the target, and fire as one (92.3, 92.4)."""
    first, second = battle.unit(first_id), battle.unit(second_id)
    battle.spend(side, battle.charts["impulse"]["cost_group"], "92.4")
    answer = yield Ask(
        side,
        f"{battle.name(first)} and {battle.name(second)}: fire at what?",
        lambda: [
            Option(
                f"at {target.id}{':crew' if crew else ''}",
                f"Fire at {'the crew of ' if crew else ''}{battle.name(target)}",
                "at",
                first.id,
                target.hex,
                target.id,
                rule="92.3",
                range=battle.grid.dist[first.hex][target.hex],
            )
            for target, crew in group_targets(battle, first, second, visible_targets(battle, side))
        ],
        rule="92.3",
        about=(second.id,),
    )
    yield from group_attack(battle, first, second, answer.split()[1])
    return False


def group_attack(
    battle: OstBattle, first: Unit, second: Unit, words: str, *, ambush: bool = False
) -> Procedure[Effect]:
    """All Firepower of the group in one attack (92.3); ambush only if both were hidden (F-3)."""
    id, _, crew_word = words.partition(":")
    target, crew = battle.unit(id), bool(crew_word)
    ambush = ambush or (first.hidden and second.hidden)
    shots = []
    for unit in (first, second):
        battle.reveal(unit, "73.6")
        arm = yield from _choose_arm(battle, unit, target, crew)
        if arm.weapon is not None:
            arm.weapon.used_by = unit.id
        shots.append(Shot(unit, target, arm, crew))
    battle.emit(
        turn_events.Declared(
            side=first.side, unit=first.id, what="fires in a group at", target=target.id, rules=("92.3",)
        )
    )
    lines = [sight(battle, unit, target) for unit in (first, second)]
    in_walls, hex = battle.in_walls(target), target.hex
    firepower = firepower_tally(battle, shots, lines, ambush=ambush)
    roll = roll_tally(battle, [first, second], target, ambush=ambush)
    spend_luck(battle, first.side, firepower)
    if battle.type(target).vehicle and not crew:
        defense = combat.defense_tally(battle, target, "fire", lines, firers=[first.hex, second.hex])
        effect = yield from attacks.vehicle_attack(battle, first.side, target, firepower, defense, roll, "92.3")
    else:
        near = all(shot.arm.near for shot in shots)
        defense = combat.defense_tally(battle, target, "close" if near else "fire", lines, crew=crew)
        effect = yield from attacks.infantry_attack(
            battle, first.side, target, firepower, defense, roll, "92.3", crew=crew
        )
    for shot in shots:
        if in_walls and brings_down(battle, shot):  # each heavy weapon rolls for itself (110.1)
            name = battle.type(shot.unit).name
            yield from collapse.collapse_check(battle, hex, first.side, source=name)
        if shot.arm.weapon is not None:
            support_weapons.after_use(battle, shot.unit, shot.arm.weapon)
    for unit in (first, second):
        mark_fired(battle, unit, False)
    return effect


def _choose_arm(battle: OstBattle, unit: Unit, target: Unit, crew: bool) -> Procedure[Arm]:
    found = group_arms(battle, unit, target, crew)
    if len(found) == 1:
        return found[0]
    answer = yield Ask(
        unit.side,
        f"{battle.name(unit)}: fire with what?",
        [Option(f"with {arm.word}", _with(battle, unit, arm), "with", unit.id, unit.hex, rule="92.1") for arm in found],
        rule="92.1",
    )
    return next(arm for arm in found if arm.word == answer.split()[1])


def _with(battle: OstBattle, unit: Unit, arm: Arm) -> str:
    said = say_arm(battle, unit, arm)
    return f"{said[0].upper()}{said[1:]}" if said else "With its own fire"
