"""What a unit does when it is not its turn: go Down, make off, fire from ambush or at assaulters."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.core.ask import Ask
from grognard.games.bolt_action import barrages_and_aircraft, reactions
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import REACTION as CASUALTIES
from grognard.games.bolt_action.shooting import declaring, targets, volley
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, Unit
from grognard.games.bolt_action.tactics.fire import NOTHING, Effect, effect_of
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge
from grognard.games.bolt_action.tactics.shots import aims
from grognard.kits.table.tactics.choices import Choice, best_first
from grognard.kits.table.tactics.player import Weigher

#: A shot from ambush that is worth less waits for a better one.
SPRING = 0.10


def _expected_loss(judge: BoltJudge, shooter: Unit, target: Unit, die: str) -> tuple[float, Effect]:
    """What a unit stands to lose by the shot that is coming, and what it does, if the unit showed a die."""
    battle, outlook = judge.outlook.battle, judge.outlook
    before, target.die = target.die, die
    moved = shooter.die == ADVANCE
    worst, what = 0.0, NOTHING
    for mode in declaring.plans(battle, shooter, target, moved).values():
        ready = volley.prepare(battle, shooter, target, mode.firers, moved, "")
        if not ready.pools:
            continue
        effect = effect_of(battle, target, ready)
        loss = outlook.gain_of(target, effect)
        if loss > worst:
            worst, what = loss, effect
    target.die = before
    return worst, what


def _shooter(battle: BoltBattle) -> Unit | None:
    id = battle.state.scratch.acting
    return battle.state.units.get(id)


def go_down(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Go Down where the men saved are worth more than what the unit would have done (16.1)."""
    battle = judge.outlook.battle
    target = battle.unit(ask.options[0].unit)
    shooter = _shooter(battle)
    if shooter is None:
        return [Choice("pass", 0.0)]
    plain, hit = _expected_loss(judge, shooter, target, target.die)
    low, less = _expected_loss(judge, shooter, target, DOWN)
    saved = plain - low
    die = target.die
    if die:
        cost = max(0.05, 0.5 * float(judge.outlook.shots(target, False)[0][judge.outlook.here(target)]))
    else:
        # Whoever is not there any more gets no order either.
        cost = 0.8 * (1 - hit.kill) * max(0.0, judge.weigh(target)[0].worth - judge.stay(target))
    why = (
        (f"{max(0.0, hit.men - less.men):.1f} fewer men lost on average", saved),
        ("gives up its order this turn", -cost),
    )
    found = [Choice("down", saved - cost, why), Choice("pass", 0.0, (("keeps its order", 0.0),))]
    return best_first(found)


def _escape(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """A recce vehicle makes off from what would hurt it (16.9)."""
    battle = judge.outlook.battle
    target = battle.unit(ask.options[0].unit)
    shooter = _shooter(battle)
    loss = 0.3
    if shooter is not None and targets.may_shoot(battle, shooter, target, shooter.die == ADVANCE):
        loss, _ = _expected_loss(judge, shooter, target, target.die)
    cost = 0.6 * max(0.0, judge.weigh(target)[0].worth - judge.stay(target))
    worth = 0.8 * loss - cost
    found = [Choice("escape", worth, (("gets out of the line of fire", worth),)), Choice("pass", 0.0)]
    return best_first(found)


def _spring(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Fire from ambush when the shot is good: the acting unit may be gone again the next moment (16.4)."""
    battle, outlook = judge.outlook.battle, judge.outlook
    found = [Choice("pass", 0.0, (("waits for a better shot", 0.0),))]
    for option in ask.options:
        if option.verb != "spring":
            continue
        unit = battle.unit(option.unit)
        shots = aims(outlook, unit, False, AMBUSH, option.target)
        if shots:
            worth = shots[0].worth - SPRING
            found.append(Choice(option.key, worth, (*shots[0].why, ("gives away the ambush", -SPRING))))
    return best_first(found)


def _at_assaulters(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Shoot at assaulters with everything that does most (21.3)."""
    battle = judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    at = next((option.target for option in ask.options if option.target), "")
    by_key = {aim.key: aim for aim in aims(judge.outlook, unit, False, "assault", at)} if at else {}
    found = [
        Choice(a.key, a.worth + 0.01, a.why) for key, a in by_key.items() if any(o.key == key for o in ask.options)
    ]
    found += [Choice(option.key, 0.0, (("holds its fire", 0.0),)) for option in ask.options if option.verb == "pass"]
    return best_first(found)


def _casualties(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Who falls: as usual."""
    return [Choice("usual", 0.01, (("the least useful man, without breaking formation", 0.01),))]


def _flak(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Whoever can fires at aircraft (26.8)."""
    return best_first(Choice(option.key, 0.2 if option.verb != "pass" else 0.0) for option in ask.options)


#: What is answered to each interrupt.
REACTIONS: Mapping[str, Weigher[BoltJudge]] = {
    CASUALTIES: _casualties,
    reactions.GO_DOWN: go_down,
    reactions.ESCAPE: _escape,
    AMBUSH: _spring,
    declaring.REACTION_FIRE: _at_assaulters,
    barrages_and_aircraft.FLAK: _flak,
}
