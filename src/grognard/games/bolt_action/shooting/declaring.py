"""Declaring (12.1, 12.2, 12.6, 17.6, D3): what a unit fires at whom, and how that is asked.

A unit declares with one answer: everything it has at one target, with a word for how a gun is loaded. Whoever has
several free weapons may declare them ``apart``, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.board.table.places import measured
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.poses import place
from grognard.games.bolt_action import fire_events, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.shooting import volley
from grognard.games.bolt_action.shooting.targets import bar, has_target, in_reach
from grognard.games.bolt_action.shooting.volley import Firer
from grognard.games.bolt_action.shooting.weapon_groups import ASSAULT, Mode, all_modes, armed, modes, weapon_groups
from grognard.games.bolt_action.state import RUN, Unit
from grognard.kits.table.looks import Look
from grognard.kits.table.positions import position_cache

REACTION_FIRE = "reaction fire"
DONE, HOLD, APART = "done", "hold", "apart"


class Declared(NamedTuple):
    """What is fired at one target."""

    target: str
    firers: tuple[Firer, ...]


def declare(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> Procedure[list[Declared]]:
    """Ask what a unit shoots at, where there is a choice; nothing is declared if it holds its fire (2.8, 12.1, D8)."""
    if not has_target(battle, unit, moved, reaction, at):
        return []
    if reaction in ("", ASSAULT):
        answer = yield _declare(battle, unit, moved, reaction, at)
    else:
        listed = options(battle, unit, moved, reaction, at)
        answer = listed[0].key
        if len(listed) > 1:
            answer = yield _declare(battle, unit, moved, reaction, at)
    if answer in (DONE, HOLD):
        battle.emit(fire_events.HoldsFire(side=unit.side, unit=unit.id, rules=("2.8",)))
        return []
    if answer == APART:
        return (yield from _apart(battle, unit, moved, reaction, at))
    _, target, *words = answer.split()
    return [Declared(target, plans(battle, unit, battle.unit(target), moved, reaction)[" ".join(words)].firers)]


def by_target(declared: Sequence[Declared]) -> Iterator[tuple[str, tuple[Firer, ...]]]:
    """What was declared, put together by target in the order of the first declaration."""
    found: dict[str, tuple[Firer, ...]] = {}
    for each in declared:
        found[each.target] = (*found.get(each.target, ()), *each.firers)
    yield from found.items()


# ---- the questions -----------------------------------------------------------------------------------


def _declare(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> Ask:
    """The question what is shot at; what there is to choose is listed when somebody wants to know."""

    def listed() -> Iterator[Option]:
        yield from options(battle, unit, moved, reaction, at)
        if _can_split(battle, unit):
            yield _other(unit, APART)
        if reaction == ASSAULT:
            yield _other(unit, HOLD)
        elif not reaction:
            yield Option(DONE, "Do not shoot", "done", unit.id, rule="2.8")

    if reaction == ASSAULT:
        prompt = f"{battle.name(battle.unit(at))} assaults {battle.name(unit)}: shoot at it?"
        # Nobody lets himself be run down who can shoot: odds take it that he does.
        fires = lambda: next(listed()).key  # noqa: E731
        return Ask(unit.side, prompt, listed, reaction=REACTION_FIRE, rule="21.3", meanwhile=fires)
    return Ask(unit.side, f"{battle.name(unit)}: shoot at what?", listed, rule="12.1", about=(unit.id,))


def _other(unit: Unit, key: str, more: str = "") -> Option:
    """The answers beside targets: to hold fire, to shoot no more, to declare weapon by weapon."""
    label, verb, rule = {
        HOLD: ("Hold fire", "pass", "2.8"),
        DONE: ("Shoot no more with any weapon", "done", "2.8"),
        APART: ("Weapon by weapon", "apart", "12.2"),
    }[key]
    return Option(key, label + more, verb, unit.id, rule=rule)


def _can_split(battle: BoltBattle, unit: Unit) -> bool:
    """Whether declaring weapon by weapon gives a choice: free weapons, or kinds of which one may hold fire."""
    ready = weapon_groups(battle, unit)
    kinds = {held.slot for group in ready for held in group.weapons if group.together}
    return len(ready) > 1 or len(kinds) > 1


def _apart(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> Procedure[list[Declared]]:
    """Declare one weapon after the other, each with its own target (12.2, 17.6), or holding its fire."""
    among = [battle.unit(at)] if at else in_reach(battle, unit, moved, reaction)
    found: list[Declared] = []
    busy: set[int] = set()
    single = battle.type(unit).infantry
    for group in sorted(weapon_groups(battle, unit), key=lambda group: not group.one_shot):
        offered: dict[str, tuple[str, Mode]] = {}
        listed: list[Option] = []
        for target in among:
            ready, _ = modes(battle, unit, group, target, moved, reaction)
            for mode in ready:
                firers = tuple(firer for firer in mode.firers if not (single and firer.held.row in busy))
                if firers:
                    each = option(
                        battle, unit, target, look(battle, unit, target), mode.word, mode.label, firers, moved
                    )
                    offered[each.key] = target.id, mode._replace(firers=firers)
                    listed.append(each)
        if not listed:
            continue
        prompt = f"{battle.name(unit)}, {group.title}: shoot at what?"
        hold = _other(unit, HOLD, f" with {'' if group.together else 'the '}{group.title.lower()}")
        declared = DONE if found else ""
        answer = yield Ask(unit.side, prompt, [*listed, hold, _other(unit, DONE)], rule="12.2", meanwhile=declared)
        if answer == DONE:
            break
        if answer == HOLD:
            continue
        target_id, mode = offered[answer]
        firers = mode.firers
        if group.together:
            firers = yield from _who_fires(battle, unit, firers)
        if firers:
            found.append(Declared(target_id, firers))
            busy |= {firer.held.row for firer in firers}
    return found


def _who_fires(battle: BoltBattle, unit: Unit, firers: tuple[Firer, ...]) -> Procedure[tuple[Firer, ...]]:
    """Which kinds of weapon of a squad fire and which hold (D3)."""
    kinds = sorted({firer.held.slot for firer in firers})
    for index in kinds if len(kinds) > 1 else []:
        title = battle.weapon(unit, index).title.lower()
        either = [Option("fire", "Fire", "fire", unit.id, rule="2.8"), _other(unit, HOLD)]
        answer = yield Ask(unit.side, f"{battle.name(unit)}, {title}: fire?", either, rule="2.8", meanwhile="fire")
        if answer == HOLD:
            firers = tuple(firer for firer in firers if firer.held.slot != index)
    return firers


# ---- everything at one target ------------------------------------------------------------------------


def plans(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str = "") -> dict[str, Mode]:
    """Everything at one target, by the words of the answer: each way to fire the main weapon, the others joining in.

    One-shot weapons are kept unless the answer names them; a squad may hold a flamethrower back.
    """
    found = all_modes(battle, unit, target, moved, reaction)
    plain = [(group, ready) for group, ready, _ in found if ready and not group.one_shot]
    single = [firer for group, ready, _ in found if ready and group.one_shot for firer in ready[0].firers]
    result: dict[str, Mode] = {}
    if plain:
        (lead, ready), *others = plain
        joining = tuple(firer for _, modes in others for firer in _joins(battle, unit, target, modes))
        for mode in ready:
            result[mode.word] = Mode(mode.word, mode.label, (*mode.firers, *joining))
        if lead.together:
            flames = {firer.held.slot for firer in ready[0].firers if battle.weapon(unit, firer.held.slot).flame}
            kept = tuple(firer for firer in ready[0].firers if firer.held.slot not in flames)
            if flames and kept:
                result["hold flamethrower"] = Mode("hold flamethrower", "without the flamethrower", kept)
    if single:
        weapon = battle.weapon(unit, single[0].held.slot)
        bearers = {firer.held.row for firer in single}
        rest = tuple(firer for firer in result[""].firers if firer.held.row not in bearers) if "" in result else ()
        if battle.type(target).enclosed:
            rest = tuple(firer for firer in rest if not battle.weapon(unit, firer.held.slot).small)
        title = f"{weapon.title.lower()}s" if len(single) > 1 else weapon.title.lower()
        label = f"with {'both ' if len(single) == 2 else ''}{title}"
        result[weapon.id] = Mode(weapon.id, label, (*rest, *single))
    return result


def _joins(battle: BoltBattle, unit: Unit, target: Unit, ready: Sequence[Mode]) -> tuple[Firer, ...]:
    """How another weapon of a vehicle joins in when nobody says: shells at men, shot at armour.

    Small arms that can do nothing to the target are not fired at it (6.5, 14.4).
    """
    kind = battle.type(target)
    if kind.enclosed and all(battle.weapon(unit, firer.held.slot).small for firer in ready[0].firers):
        return ()
    shells = [mode for mode in ready if mode.firers[0].he]
    return (shells[0] if shells and not kind.armoured else ready[0]).firers


def options(battle: BoltBattle, unit: Unit, moved: bool, reaction: str = "", at: str = "") -> list[Option]:
    """Every target with every way to shoot at it; ``at`` is the only one allowed. Kept by positions and weapons."""
    kept = position_cache(battle)
    fighting = battle.state.scratch.fighting
    now = unit.ammunition, unit.die == RUN, fighting, armed(unit), weapons.reacted(battle, unit)
    named = bool(battle.scenario.callings)  # an option has the target's name in it
    key = ("targets", named, unit.id, moved, reaction, at, *now)
    found: list[Option] | None = kept.get(key)
    if found is None:
        found = kept[key] = _options(battle, unit, moved, reaction, at)
    return found


def _options(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> list[Option]:
    among = [battle.unit(at)] if at else in_reach(battle, unit, moved, reaction)
    found: list[Option] = []
    for target in among:
        if at and bar(battle, unit, target, moved, reaction):
            continue
        seen = look(battle, unit, target)
        for word, mode in plans(battle, unit, target, moved, reaction).items():
            found.append(option(battle, unit, target, seen, word, mode.label, mode.firers, moved))
    return found


def option(
    battle: BoltBattle,
    unit: Unit,
    target: Unit,
    seen: Look,
    word: str,
    label: str,
    firers: Sequence[Firer],
    moved: bool,
) -> Option:
    """To fire these weapons at a target, as something to choose."""
    distance = min(volley.distance(battle, unit, firer, seen, moved) for firer in firers)
    where = target.models[0]
    harmless = battle.type(target).enclosed and all(battle.weapon(unit, firer.held.slot).small for firer in firers)
    text = f"Fire at {battle.name(target)}" + (f" {label}" if label else "")
    return Option(
        f"at {target.id} {word}".strip(),
        text + (" (can't hurt it)" if harmless else ""),
        "at",
        unit.id,
        place(where.x, where.y),
        target.id,
        rule="12.1",
        range=round(distance / 100),
        distance=measured(distance, battle.measure),
    )
