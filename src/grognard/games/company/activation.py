"""Actions (3): the check, markers off, what each Team does, and the order in which it is done.

All Teams of a Unit do the same, or the owner gives actions out: ``split``, then ``give run`` and the Teams that run,
and so on. What everybody does is announced before any of it is done (3.14).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.company import assault, firing, ground, indirect, leaders, movement, suppression, training
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.firing import MODES, Mode
from grognard.games.company.state import OVER, Platoon, Team, everybody
from grognard.games.company.turn_events import Activated, Acts, FailedToActivate, LiesLow, OnOverwatch
from grognard.kits.table.state import LOST

RUN, ASSAULT, BARRAGE, OVERWATCH, NOTHING = "run", "assault", "barrage", "overwatch", "nothing"


class Steps(NamedTuple):
    """What is done for an action: fire first, so many moves, fire after them (3.6 to 3.12, 3.14)."""

    first: str = ""
    moves: int = 0
    last: str = ""


STEPS = {
    "fire_and_move": Steps(first="fire", moves=1),
    "move_and_fire": Steps(moves=1, last="move_and_fire"),
    RUN: Steps(moves=2),
    "aimed_fire": Steps(first="aimed_fire"),
    "move": Steps(moves=1),
    "fire": Steps(first="fire"),
    OVERWATCH: Steps(),
    BARRAGE: Steps(),
}


class Plan:
    """What the Teams of a Unit do in an activation: groups of Teams with the action of each, by their ids."""

    def __init__(self, passed: bool) -> None:
        self.passed, self.led = passed, False
        self.groups: list[tuple[str, list[str]]] = []

    @property
    def given(self) -> set[str]:
        """The Teams that have an action."""
        return {id for _, ids in self.groups for id in ids}


# ---- the activation (3.1, 3.3, 11.6, 11.7) -------------------------------------------------------------------


def activate(battle: CompanyBattle, unit: Platoon) -> Procedure[bool]:
    """Roll for a Unit, lift its markers, and let its Teams act; False if the check failed (3.1, 3.3)."""
    side, lines = unit.side, training.suppression(battle, unit)
    failing = "only the Fail actions are left, and the Initiative passes"
    check = yield from training.training_check(battle, unit, "activation", ("3.1",), modifiers=lines, failing=failing)
    unit.acted = battle.state.turn
    event = Activated if check.passed else FailedToActivate
    battle.emit(event(side=side, unit=unit.id, rules=("3.3",)))
    yield from suppression.lift(battle, unit, all=check.passed)
    for team in everybody(unit):
        team.moved = team.fired = team.ran = team.watch = False
    unit.down = False
    if unit.down_turn == battle.state.turn:
        battle.emit(LiesLow(side=side, unit=unit.id, rules=("6.28",)))
        return check.passed
    yield from act(battle, unit, check.passed)
    yield from leaders.part(battle, side)
    return check.passed


def act(battle: CompanyBattle, unit: Platoon, passed: bool) -> Procedure[None]:
    """Ask what the Teams do, and do it in its order (3.14)."""
    plan = Plan(passed)
    if not (yield from _decide(battle, unit, plan)):
        return
    for action, ids in plan.groups:
        _announce(battle, unit, action, ids)
    if any(action == ASSAULT for action, _ in plan.groups):
        yield from assault.assault(battle, unit)
        return
    yield from _carry_out(battle, unit, plan)


def _announce(battle: CompanyBattle, unit: Platoon, action: str, ids: Sequence[str]) -> None:
    teams = everybody(unit)
    who = "all its Teams"
    if len(ids) < len(teams):
        who = battle.teams_named(unit, [team for team in teams if team.id in ids])
    battle.emit(Acts(side=unit.side, unit=unit.id, who=who, action=action, rules=("3.14",)))


# ---- what to do (3.3 to 3.5, 3.15) ---------------------------------------------------------------------------


def _decide(battle: CompanyBattle, unit: Platoon, plan: Plan) -> Procedure[bool]:
    """Ask what the Teams do; False if nothing."""
    while True:
        answer = yield Ask(
            unit.side,
            f"{battle.name(unit)}: what now?" if plan.passed else f"{battle.name(unit)} has failed: what now?",
            lambda: list(options(battle, unit, plan)),
            rule="3.3",
        )
        verb, *words = answer.split()
        if verb == "lead":
            plan.led = True
            yield from leaders.lead(battle, unit)
        elif verb == "shift":
            leaders.shift(battle, unit, answer)
        elif verb == "commander":
            leaders.act_with(battle, unit)
        elif verb == "split":
            yield from _split(battle, unit, plan)
            return bool(plan.groups)
        else:
            (action,) = words
            ids = [team.id for team in everybody(unit) if bar_team(battle, unit, team, action, plan.passed) is None]
            if action != NOTHING:
                plan.groups.append((action, ids))
            return action != NOTHING


def options(battle: CompanyBattle, unit: Platoon, plan: Plan) -> Iterator[Option]:
    """What a whole Unit can do, and what its Leader and the commander may do before that."""
    for action in battle.charts.actions.values():
        if bar_action(battle, unit, action.id, plan.passed) is None:
            label = f"{action.title} ({action.text})"
            yield Option(f"all {action.id}", label, action.id, unit.id, rule=action.rule)
    if len(everybody(unit)) > 1:
        label = "Give its Teams different actions"
        yield Option("split", label, "split", unit.id, rule="3.4")
    if not plan.led and leaders.bar_lead(battle, unit) is None:
        yield Option("lead", "Place its Leader first", "lead", unit.id, rule="14.2")
    yield from leaders.shifts(battle, unit)
    if leaders.bar_act_with(battle, unit) is None:
        yield Option("commander", "The commander acts with it", "commander", unit.id, rule="14.14")
    yield Option(f"all {NOTHING}", "Do nothing", NOTHING, unit.id, rule="3.16")


def bar_action(battle: CompanyBattle, unit: Platoon, action: str, passed: bool) -> Bar | None:
    """Why no Team of a Unit can take an action."""
    if action == ASSAULT:
        return _bar_list(battle, action, passed) or assault.bar_assault(battle, unit)
    if action == BARRAGE and (bar := indirect.bar_barrage(battle, unit)):
        return _bar_list(battle, action, passed) or bar
    first: Bar | None = None
    for team in everybody(unit):
        bar = bar_team(battle, unit, team, action, passed)
        if bar is None:
            return None
        first = first or bar
    return first


def _bar_list(battle: CompanyBattle, action: str, passed: bool) -> Bar | None:
    """Why an action is not on the list that is open (3.3)."""
    if passed or action == NOTHING or not battle.charts.actions[action].success:
        return None
    return Bar("3.3", f"the check failed, and {battle.charts.actions[action].title} is a Success action")


def bar_team(battle: CompanyBattle, unit: Platoon, team: Team, action: str, passed: bool) -> Bar | None:
    """Why a Team cannot take an action."""
    if action in (ASSAULT, NOTHING):
        return _bar_list(battle, action, passed)
    if bar := _bar_list(battle, action, passed):
        return bar
    if action == BARRAGE:
        return indirect.bar_gun(battle, team)
    steps, name = STEPS[action], battle.team_name(unit, team)
    if steps.moves and not ground.rate(battle, team):
        return Bar("4.1", "it cannot move", name)
    if steps.moves and not steps.first and not steps.last:
        return None
    if team.aboard:
        return Bar("16.1", "it is aboard", name)
    if team.marks:
        return Bar("11.2", "it is suppressed", name)
    if not battle.team_type(team).weapons:
        return Bar("6.7", "it has no weapon", name)
    if steps.first and not firing.can_fire(battle, unit, team.id, MODES[steps.first]):
        return None if steps.moves and _fires(battle, unit, steps) else Bar("6.2", "it has no target", name)
    return None


def _fires(battle: CompanyBattle, unit: Platoon, steps: Steps) -> bool:
    """Whether any Team of a Unit can fire before it moves: then the others may just move."""
    return any(firing.can_fire(battle, unit, team.id, MODES[steps.first]) for team in unit.models)


# ---- stand by stand (3.4, 3.5) -------------------------------------------------------------------------------


def _split(battle: CompanyBattle, unit: Platoon, plan: Plan) -> Procedure[None]:
    """Give actions to Teams until each has one, or the rest does nothing."""
    while True:
        able = {
            action: [id for id in ids if id not in plan.given]
            for action, ids in _able(battle, unit, plan.passed).items()
        }
        able = {action: ids for action, ids in able.items() if ids}
        if not able:
            return
        known = battle.charts.actions
        gives = [
            Option(f"give {action}", known[action].title, action, unit.id, rule=known[action].rule) for action in able
        ]
        what = "Do nothing" if not plan.groups else "The rest does nothing"
        rest = Option("rest nothing", what, NOTHING, unit.id, rule="3.16")
        prompt = f"{battle.name(unit)}: {'next' if plan.groups else 'which'} action for some of its Teams?"
        answer = yield Ask(unit.side, prompt, [*gives, rest], rule="3.4")
        if answer == rest.key:
            return
        action = answer.split()[1]
        ids = yield from _who(battle, unit, able[action], known[action].title)
        if ids:
            plan.groups.append((action, ids))


def _able(battle: CompanyBattle, unit: Platoon, passed: bool) -> dict[str, list[str]]:
    """By action the Teams that can take it; an assault is the whole Unit's (3.15)."""
    return {
        action: [team.id for team in everybody(unit) if bar_team(battle, unit, team, action, passed) is None]
        for action in battle.charts.actions
        if action != ASSAULT and bar_action(battle, unit, action, passed) is None
    }


def _who(battle: CompanyBattle, unit: Platoon, ids: Sequence[str], title: str) -> Procedure[list[str]]:
    """Ask which Teams take an action: each answer takes one in or out."""
    chosen: list[str] = []
    if len(ids) == 1:
        return list(ids)
    while True:
        toggles = [
            Option(
                f"team {id}",
                f"{battle.team_name(unit, battle.team(unit, id))}{', no longer' if id in chosen else ''}",
                "team",
                unit.id,
                rule="3.4",
                model=id,
            )
            for id in ids
        ]
        done = Option("done", f"{title} for {len(chosen)} Teams" if chosen else "None of them", "done", unit.id)
        prompt = f"{battle.name(unit)}: {title} for which Teams?"
        answer = yield Ask(unit.side, prompt, [*toggles, done], rule="3.4", about=tuple(chosen))
        if answer == done.key:
            return [id for id in ids if id in chosen]
        id = answer.split()[1]
        chosen.remove(id) if id in chosen else chosen.append(id)


# ---- doing it (3.14) -----------------------------------------------------------------------------------------


def _carry_out(battle: CompanyBattle, unit: Platoon, plan: Plan) -> Procedure[None]:
    """Fire that comes first, all moves, the fire of Move and Fire, Overwatch."""
    yield from _fire(battle, unit, plan, first=True)
    for action, ids in plan.groups:
        if action == BARRAGE and _left(battle, unit, ids):
            moving = {id for other, ids in plan.groups if STEPS[other].moves for id in ids}
            yield from indirect.barrage(battle, unit, _left(battle, unit, ids), moving)
    trip = movement.Trip()
    for action, ids in plan.groups:
        if STEPS[action].moves and _left(battle, unit, ids):
            how = RUN if STEPS[action].moves > 1 else "move"
            runners = [team for team in everybody(unit) if team.id in ids] if how == RUN else []
            for team in runners:  # who fires at them on the way fires at Teams that run (3.16)
                team.ran = True
            yield from movement.move_teams(battle, unit, _left(battle, unit, ids), how=how, trip=trip)
            for team in runners:
                team.ran = team.moved
    yield from _fire(battle, unit, plan, first=False)
    for action, ids in plan.groups:
        if action == OVERWATCH:
            _watch(battle, unit, ids)


def _left(battle: CompanyBattle, unit: Platoon, ids: Sequence[str]) -> list[str]:
    """Those of some Teams who are still in the battle."""
    if unit.status == LOST or battle.state.phase == OVER:
        return []
    return [team.id for team in everybody(unit) if team.id in ids]


def _fire(battle: CompanyBattle, unit: Platoon, plan: Plan, *, first: bool) -> Procedure[None]:
    """All the fire of one step is one shooting at each target, whatever the actions behind it (11.8)."""
    modes: dict[str, Mode] = {}
    for action, ids in plan.groups:
        mode = STEPS[action].first if first else STEPS[action].last
        if mode:
            modes |= dict.fromkeys(_left(battle, unit, ids), MODES[mode])
    if modes:
        yield from firing.fire(battle, unit, modes)


def _watch(battle: CompanyBattle, unit: Platoon, ids: Sequence[str]) -> None:
    """Teams make ready to fire at whoever moves (3.12, 3.17)."""
    ready = [team for team in unit.models if team.id in _left(battle, unit, ids) and not team.marks]
    for team in ready:
        team.watch = True
    if ready:
        names = battle.teams_named(unit, ready)
        who = (
            "all its Teams are"
            if len(ready) == len(everybody(unit))
            else f"{names} {'is' if len(ready) == 1 else 'are'}"
        )
        battle.emit(OnOverwatch(side=unit.side, unit=unit.id, who=who, rules=("3.12", "3.17")))
