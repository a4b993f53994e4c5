"""Firing (6): what a Unit fires at whom, going to ground before the dice, and one shooting from dice to markers.

What can be fired at whom is `volley`; dealing hits, Saves, armour and suppression have modules of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from grognard.board.table import bodies
from grognard.board.table.places import measured
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import place
from grognard.games.company import (
    cover,
    dealing,
    fire_events,
    leaders,
    suppression,
    taking_hits,
    throws,
    to_hit,
    volley,
)
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import Platoon, living
from grognard.games.company.volley import FIRE, HE, MODES, NAMED, SHOT, SMALL_ARMS, Firer, Mode, Volley
from grognard.kits.table.invariants import on_table
from grognard.kits.table.state import ON_TABLE

__all__ = ["FIRE", "MODES", "Mode"]

GROUND = "go to ground"
SOME, DONE = "some", "done"


class Shooting(NamedTuple):
    """What a shooting came to: hits that count (11.1, 13.5), results on armour (13.23), Teams lost."""

    hits: int = 0
    results: int = 0
    lost: int = 0


NOTHING = Shooting()


# ---- what a Unit fires at (6.1, D4) --------------------------------------------------------------------------


def targets(battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode]) -> Iterator[Volley]:
    """What some Teams of a Unit can fire, at each enemy and in each way."""
    for target in battle.enemies(unit.side):
        if target.models:
            yield from volley.ways(battle, unit, target, modes)


def can_fire(battle: CompanyBattle, unit: Platoon, team: str, mode: Mode = FIRE) -> bool:
    """Whether a Team can fire at anybody (6.2)."""
    return team in volley.able(battle, unit)


def bar_fire(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why no Team of a Unit can fire at anybody (6.2, 7.2, 11.2); None if one can."""
    modes = dict.fromkeys((team.id for team in unit.models), FIRE)
    ready = volley.ready(battle, unit, modes)
    if not ready:
        bars = [volley.bar_team(battle, team) for team in unit.models]
        return next((bar for bar in bars if bar is not None), Bar("6.1", "it has nobody on the table"))
    found = [volley.bar_target(battle, unit, target, ready) for target in battle.enemies(unit.side) if target.models]
    if None in found or not found:
        return None if found else Bar("6.2", "there is no enemy on the table")
    return found[0] if len(found) == 1 else Bar("6.2", "no enemy is in its sight, arcs and range")


def fire(battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode]) -> Procedure[None]:
    """Some Teams of a Unit fire, each in its mode, until all have or the owner is done; they may split (6.1)."""
    yield from _fire(battle, unit, modes, None)


def fire_at(battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode], target: Platoon) -> Procedure[None]:
    """Some Teams of a Unit fire at another that is given (13.2)."""
    yield from _fire(battle, unit, modes, target)


def _fire(battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode], target: Platoon | None) -> Procedure[None]:
    fired = False
    while left := volley.ready(battle, unit, modes):
        if not any(_volleys(battle, unit, left, target)):
            return
        among: Mapping[str, Mode] = left
        answer = yield _what(battle, unit, left, target, meanwhile=DONE if fired else "", some=len(left) > 1)
        if answer == SOME:
            among = yield from _some(battle, unit, left, target)
            answer = yield _what(battle, unit, among, target, meanwhile="", some=False)
        if answer == DONE:
            return
        _, at, *word = answer.split()
        chosen = volley.plan(battle, unit, battle.unit(at), among, " ".join(word))
        fired = True
        yield from shoot(
            battle,
            unit,
            {firer.team: among[firer.team] for firer in chosen.firers},
            battle.unit(at),
            word=" ".join(word),
        )


def _volleys(
    battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode], target: Platoon | None
) -> Iterator[tuple[Platoon, Volley]]:
    """Every target with every way to fire at it."""
    for foe in battle.enemies(unit.side) if target is None else [target]:
        for each in volley.ways(battle, unit, foe, modes) if foe.models else ():
            yield foe, each


def _what(
    battle: CompanyBattle,
    unit: Platoon,
    modes: Mapping[str, Mode],
    target: Platoon | None,
    *,
    meanwhile: str,
    some: bool,
) -> Ask:
    """The question what is fired at; what there is to choose is listed when somebody wants to know."""

    def options() -> Iterator[Option]:
        for foe, each in _volleys(battle, unit, modes, target):
            yield option(battle, unit, foe, each)
        if some:
            yield Option(SOME, "Only some of its Teams", "some", unit.id, rule="6.1")
        yield Option(DONE, "Fire no more", "done", unit.id, rule="6.1")

    some_of = [team for team in unit.models if team.id in modes]
    who = f" ({battle.teams_named(unit, some_of)})" if len(some_of) < len(unit.models) else ""
    prompt = f"{battle.name(unit)}{who}: fire at what?"
    return Ask(unit.side, prompt, options, rule="6.1", about=(unit.id, *modes), meanwhile=meanwhile)


def _some(
    battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode], target: Platoon | None
) -> Procedure[Mapping[str, Mode]]:
    """Choose Teams that fire at one target, one after the other (6.1); those that can fire at nothing are not asked."""
    able = {firer.team for _, each in _volleys(battle, unit, modes, target) for firer in each.firers}
    chosen: dict[str, Mode] = {}
    while able - chosen.keys():
        listed = [
            Option(f"team {team.id}", battle.team_name(unit, team), "team", unit.id, rule="6.1", model=team.id)
            for team in unit.models
            if team.id in able and team.id not in chosen
        ]
        if chosen:
            listed.append(Option(DONE, "These", "done", unit.id, rule="6.1"))
        answer = yield Ask(
            unit.side, f"{battle.name(unit)}: which Teams fire?", listed, rule="6.1", about=tuple(chosen)
        )
        if answer == DONE:
            break
        id = answer.removeprefix("team ")
        chosen[id] = modes[id]
    return chosen


def option(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> Option:
    """To fire a volley at a target, as something to choose."""
    seen = [
        cover.look(battle, unit, target).gaps[firer.row][column] for firer in fired.firers for column in firer.columns
    ]
    far = float(min(seen))
    text = f"Fire at {battle.name(target)}{said(fired.word)}"
    text += " (can't hit)" if fired.hopeless else f" ({numbers(fired)})"
    where = target.models[fired.valid[0]]
    return Option(
        f"at {target.id} {fired.word}".strip(),
        text,
        "at",
        unit.id,
        place(where.x, where.y),
        target.id,
        rule="6.1",
        range=round(far / 100),
        distance=measured(far, battle.measure),
    )


def said(word: str) -> str:
    """A word of an answer as people say it."""
    if word in NAMED:
        return f", aiming at its {word}"
    return {"": "", HE: " with shells", SHOT: " with anti-tank shot", SMALL_ARMS: " with small arms"}[word]


def numbers(fired: Volley) -> str:
    """The dice of a volley and what they need: "9 dice on 4+", "12 dice on 3+ to 5+"."""
    needs = sorted({max(firer.needed.total, 2) for firer in fired.firers if not to_hit.fails(firer.needed)})
    span = f"{needs[0]}+" if len(needs) == 1 else f"{needs[0]}+ to {needs[-1]}+"
    return f"{fire_events.dice(fired.dice)} on {span}"


# ---- one shooting --------------------------------------------------------------------------------------------


def shoot(
    battle: CompanyBattle,
    unit: Platoon,
    modes: Mapping[str, Mode],
    target: Platoon,
    *,
    word: str = "",
    only: Collection[str] | None = None,
) -> Procedure[Shooting]:
    """Some Teams of a Unit fire at another, all at once (6); ``only`` are the Teams that may be hit (7.4, 13.16)."""
    whole = volley.plan(battle, unit, target, modes, word, only)
    if not whole.firers:
        return NOTHING
    alone = target
    target = yield from leaders.join(battle, alone)
    only = only if only is None else {*only, *(team.id for team in target.models if team.id == leaders.CC_ID)}
    whole = volley.plan(battle, unit, target, modes, word, only)
    found = NOTHING
    if whole.firers:
        found = yield from _open_fire(battle, unit, modes, target, whole)
    if target is not alone:
        yield from leaders.part(battle, target.side)
    return found


def _open_fire(
    battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode], target: Platoon, whole: Volley
) -> Procedure[Shooting]:
    """What is fired is told, the target may go to ground, and the dice are thrown if any can hit (6.16, 6.23)."""
    battle.emit(
        fire_events.Fires(
            side=unit.side, unit=unit.id, target=target.id, weapons=_in_words(whole), rules=("6.1", "6.7")
        )
    )
    if not any(modes[firer.team].reacts for firer in whole.firers):
        if (yield from _may_go_to_ground(battle, unit, target, whole)):
            whole = volley.numbered(battle, unit, target, whole.firers, whole.word)
    _note(battle, unit, target, whole)
    if whole.hopeless:
        needs = min(firer.needed.total for firer in whole.firers)
        battle.emit(
            fire_events.CannotHit(side=unit.side, unit=unit.id, target=target.id, needed=needs, rules=("6.16",))
        )
        return NOTHING
    return (yield from _resolve(battle, unit, target, whole))


def _in_words(fired: Volley) -> str:
    """What is fired, in words: "6 × rifles and LMG, submachine guns"."""
    found: dict[str, int] = {}
    for firer in fired.firers:
        found[firer.shot.title] = found.get(firer.shot.title, 0) + 1
    return ", ".join(title if number == 1 else f"{number} × {title}" for title, number in found.items())


def _note(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> None:
    """Who fires has fired (7.2), is no longer down or on Overwatch (3.16, 6.24), and faces the target."""
    for firer in fired.firers:
        team = unit.models[firer.row]
        team.fired, team.watch, team.shot = True, False, battle.state.initiative
        _face(battle, unit, firer, target)
    unit.down = False


def _face(battle: CompanyBattle, unit: Platoon, firer: Firer, target: Platoon) -> None:
    """A Gun Team, a turret or a hull gun turns to the nearest Team that it fires at (6.3), where its base has room."""
    team = unit.models[firer.row]
    if battle.team_type(team).infantry:
        return
    gaps = cover.look(battle, unit, target).gaps[firer.row]
    there = target.models[min(firer.columns, key=lambda column: float(gaps[column]))]
    heading = round(bodies.bearing(team.x, team.y, there.x, there.y)) % 360
    if volley.facing(team) == heading:
        return
    if team.turret >= 0:
        team.turret = heading
    else:
        body = battle.body(unit, team)
        others = [each for each in battle.everybody() if each != body]
        turned = body.at(team.x, team.y, heading)
        if bodies.overlaps(turned, others) or not on_table(battle.table, turned):
            return
        team.heading = heading
    battle.invalidate(unit)


# ---- going to ground (6.23, 6.24, 6.28, 6.30) ------------------------------------------------------------------


def bar_ground(battle: CompanyBattle, target: Platoon) -> Bar | None:
    """Why a Unit that is fired at cannot go to ground (6.23, 7.6); None if it can."""
    if target.down:
        return Bar("6.28", "it has gone to ground already")
    watching = any(team.watch for team in target.models)
    if target.acted == battle.state.turn and not watching:
        return Bar("6.23", "it has activated this turn and isn't on Overwatch")
    return None


def _may_go_to_ground(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> Procedure[bool]:
    """Ask the owner, where it makes his Unit harder to hit, and where it can be hit at all (6.16, 6.23, D5)."""
    if fired.hopeless or fired.judged.down:
        return False
    what = f"{battle.name(unit)} fires at {battle.name(target)} ({numbers(fired)})"
    return (yield from offer_ground(battle, target, what))


def offer_ground(battle: CompanyBattle, target: Platoon, what: str) -> Procedure[bool]:
    """Ask the owner of a Unit that may go to ground whether it does (6.23, 15.22); ``what`` threatens it."""
    if bar_ground(battle, target) is not None:
        return False
    name = battle.name(target)
    options = [
        Option("ground", f"{name} goes to ground", "ground", target.id, rule="6.23"),
        Option("pass", "Take the fire as it stands", "pass", target.id, rule="6.23"),
    ]
    answer = yield Ask(target.side, f"{what}: go to ground?", options, reaction=GROUND, rule="6.23", meanwhile="pass")
    if answer == "pass":
        return False
    go_to_ground(battle, target)
    return True


def go_to_ground(battle: CompanyBattle, target: Platoon) -> None:
    """A Unit goes to ground: it neither moves nor fires this turn, and loses its Overwatch (6.23, 6.30)."""
    target.down, target.down_turn = True, battle.state.turn
    for team in target.models:
        team.watch = False
    battle.emit(fire_events.WentToGround(side=target.side, unit=target.id, rules=("6.23", "6.30")))


# ---- what it comes to ------------------------------------------------------------------------------------------


def _resolve(battle: CompanyBattle, unit: Platoon, target: Platoon, fired: Volley) -> Procedure[Shooting]:
    """Dice to hit, dealing, Saves, casualties and markers, in that order (6.7, 6.18, 8.1, 11.8)."""
    hits = yield from throws.roll(battle, unit, target, fired)
    total = sum(hits.values())
    battle.emit(
        fire_events.Hit(
            side=unit.side, unit=unit.id, target=target.id, dice=fired.dice, hits=total, rules=("6.7", "6.19")
        )
    )
    if not total:
        return NOTHING
    again = any(to_hit.saves_again(firer.needed) for firer in fired.firers)
    valid = [target.models[column].id for column in fired.valid]
    dealt = yield from dealing.deal(battle, unit, target, fired, hits)
    lost, results = yield from taking_hits.take(battle, unit, target, dealt, again)
    marks = dealt.counted // battle.charts.number("suppression", "hits")
    if marks and living(target) and target.status == ON_TABLE:
        yield from suppression.mark(battle, target, marks, valid, ("11.1",))
    return Shooting(dealt.counted, results, lost)
