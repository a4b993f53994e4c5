"""What a unit does when it is not its turn: go Down, make off, fire from ambush or at assaulters."""

from __future__ import annotations

from grognard.core.ask import Ask, Option
from grognard.games.bolt_action import headquarters, reactions, shooting, volley
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import REACTION as CASUALTIES
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, Unit
from grognard.games.bolt_action.tactics_fire import NOTHING, Effect, effect_of
from grognard.games.bolt_action.tactics_orders import Judge
from grognard.games.bolt_action.tactics_outlook import Outlook
from grognard.games.bolt_action.tactics_shots import Choice, aims

#: A shot from ambush that is worth less waits for a better one.
SPRING = 0.10


def react(battle: BoltBattle, ask: Ask) -> list[Choice]:
    """The answers to an interrupt, the best first."""
    options = ask.options
    if ask.reaction == CASUALTIES:
        return [Choice("usual", 0.01, (("plain men first, who is missed most last", 0.01),))]
    judge = Judge(Outlook(battle, ask.side))
    if ask.reaction == reactions.GO_DOWN:
        return go_down(judge, options)
    if ask.reaction == reactions.ESCAPE:
        return _escape(judge, options)
    if ask.reaction == AMBUSH:
        return _spring(judge, options)
    if ask.reaction == shooting.REACTION_FIRE:
        return _at_assaulters(judge, options)
    if ask.reaction == headquarters.FLAK:
        return [
            Choice(o.key, 0.2 if o.verb != "pass" else 0.0) for o in sorted(options, key=lambda o: o.verb == "pass")
        ]
    return [Choice(option.key, 0.0) for option in options[:4]]


def _expected_loss(judge: Judge, shooter: Unit, target: Unit, die: str) -> tuple[float, Effect]:
    """What a unit stands to lose by the shot that is coming, and what it does, if the unit showed a die."""
    battle, outlook = judge.outlook.battle, judge.outlook
    before, target.die = target.die, die
    moved = shooter.die == ADVANCE
    worst, what = 0.0, NOTHING
    for mode in shooting.plans(battle, shooter, target, moved).values():
        ready = volley.prepare(battle, shooter, target, mode.loads, moved, "")
        if not ready.pools:
            continue
        effect = effect_of(battle, target, ready)
        loss = outlook.gain(target, effect)
        if loss > worst:
            worst, what = loss, effect
    target.die = before
    return worst, what


def _shooter(battle: BoltBattle) -> Unit | None:
    id = battle.state.memory.get(reactions.ACTING, "")
    return battle.state.units.get(id)


def go_down(judge: Judge, options: list[Option]) -> list[Choice]:
    """Go Down where the men saved are worth more than what the unit would have done (16.1)."""
    battle = judge.outlook.battle
    target = battle.unit(options[0].unit)
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
        (f"{max(0.0, hit.men - less.men):.1f} men fewer expected to fall", saved),
        ("its order for this turn", -cost),
    )
    found = [Choice("down", saved - cost, why), Choice("pass", 0.0, (("keeps its order", 0.0),))]
    return sorted(found, key=lambda choice: -choice.worth)


def _escape(judge: Judge, options: list[Option]) -> list[Choice]:
    """A recce vehicle makes off from what would hurt it (16.9)."""
    battle = judge.outlook.battle
    target = battle.unit(options[0].unit)
    shooter = _shooter(battle)
    loss = 0.3
    if shooter is not None and shooting.may_shoot(battle, shooter, target, shooter.die == ADVANCE):
        loss, _ = _expected_loss(judge, shooter, target, target.die)
    cost = 0.6 * max(0.0, judge.weigh(target)[0].worth - judge.stay(target))
    worth = 0.8 * loss - cost
    found = [Choice("escape", worth, (("out of the way of the shot", worth),)), Choice("pass", 0.0)]
    return sorted(found, key=lambda choice: -choice.worth)


def _spring(judge: Judge, options: list[Option]) -> list[Choice]:
    """Fire from ambush when the shot is good: the acting unit may be gone again the next moment (16.4)."""
    battle, outlook = judge.outlook.battle, judge.outlook
    found = [Choice("pass", 0.0, (("waits for a better shot", 0.0),))]
    for option in options:
        if option.verb != "spring":
            continue
        unit = battle.unit(option.unit)
        shots = aims(outlook, unit, False, AMBUSH, option.target)
        if shots:
            worth = shots[0].worth - SPRING
            found.append(Choice(option.key, worth, (*shots[0].why, ("the ambush is given away", -SPRING))))
    return sorted(found, key=lambda choice: -choice.worth)


def _at_assaulters(judge: Judge, options: list[Option]) -> list[Choice]:
    """Shoot at assaulters with everything that does most (21.3)."""
    battle = judge.outlook.battle
    unit = battle.unit(options[0].unit)
    at = next((option.target for option in options if option.target), "")
    by_key = {aim.key: aim for aim in aims(judge.outlook, unit, False, "assault", at)} if at else {}
    found = [Choice(a.key, a.worth + 0.01, a.why) for key, a in by_key.items() if any(o.key == key for o in options)]
    found += [Choice(option.key, 0.0, (("holds its fire", 0.0),)) for option in options if option.verb == "pass"]
    return sorted(found, key=lambda choice: -choice.worth)
