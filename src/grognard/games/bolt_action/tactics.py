"""How Bolt Action is played well: the door through which the house's players ask (see `core.tactics`).

A decision begins with an `Outlook` of the battle (danger, shots and goals over the whole table); `Judge` weighs
orders in it, `tactics_moves` places, `tactics_setup` deployment, `tactics_reactions` what to do while the enemy acts,
and what is small is decided here. Worths are victory points until they leave this module.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from grognard.core.ask import Ask, Option
from grognard.core.battle import Battle
from grognard.core.tactics import Clock, Proposal, Reason, Tactics
from grognard.games.bolt_action import headquarters, shooting, tactics_moves, tactics_setup, valuing, volley
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.roster import muster, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DEPLOY, DOWN, ORDERS, RESERVE, Unit
from grognard.games.bolt_action.tactics_fire import NOTHING, effect_of
from grognard.games.bolt_action.tactics_ground import COLUMNS, chart_of
from grognard.games.bolt_action.tactics_orders import Judge, within
from grognard.games.bolt_action.tactics_outlook import Outlook
from grognard.games.bolt_action.tactics_reactions import react
from grognard.games.bolt_action.tactics_replies import quick_reply
from grognard.games.bolt_action.tactics_shots import Choice, aims, best_assault
from grognard.games.bolt_action.tactics_standing import standing
from grognard.games.bolt_action.tactics_way_out import pace_of, strides

#: How near a barrage is reckoned to reach, in hundredths, and how much one's own men in it weigh.
SHELLED, OWN_SHELLED = 900.0, 1.6


def _ours(battle: Battle[Any]) -> BoltBattle:
    assert isinstance(battle, BoltBattle)
    return battle


class BoltTactics(Tactics):
    """Plays a scenario of Bolt Action. It keeps nothing but what follows from the scenario."""

    scenario: Scenario
    #: What seems best at a glance is not always what is best.
    doubt = 2.0

    def standing(self, battle: Battle[Any], side: str) -> float:
        """How a battle stands for a side, as whole games have shown."""
        return standing(_ours(battle), side)

    def prepare(self) -> None:
        """Draw the chart of the table, and find the ways to everything that the battle is fought for."""
        chart = chart_of(self.scenario.table)
        for column in COLUMNS:
            for objective in self.scenario.objectives:
                chart.turns_near(objective.id, objective.x, objective.y, column)
            for way in self.scenario.victory.exits:
                chart.turns_off(way.edge, column)
        kinds = {**roster(), **self.scenario.types}
        for way in self.scenario.victory.exits:
            for placing in self.scenario.units:
                if placing.side == way.side:
                    strides(chart, pace_of(kinds[placing.kind]), way.edge)

    def best(self, battle: Battle[Any], ask: Ask, clock: Clock) -> str:
        """What seems best at a glance at every unit: to look at everything exactly takes twenty times as long."""
        return quick_reply(_ours(battle), ask)

    def joined(self, battle: Battle[Any]) -> bool:
        """Whether all are deployed (28.6)."""
        return _ours(battle).state.phase != DEPLOY

    def redeal(self, battle: Battle[Any], side: str, rng: Random) -> None:
        """What the enemy may have in reserve, where that is secret: anything of his nation's roster (28.2)."""
        ours = _ours(battle)
        unknown = [
            unit
            for unit in ours.state.units.values()
            if unit.side != side and unit.status == RESERVE and not unit.models
        ]
        for unit in unknown:
            nation = self.scenario.nations.get(unit.side, "")
            kinds = [kind for kind in roster().values() if kind.nation == nation and kind.weapons and not kind.rank]
            if kinds:
                unit.kind = rng.choice(kinds).id
            kind = ours.kinds[unit.kind]
            unit.models, unit.size, unit.quality = muster(kind), kind.models, kind.quality
        if unknown:
            ours.touched()

    def propose(self, battle: Battle[Any], ask: Ask, clock: Clock) -> list[Proposal]:
        """The answers to a question that are worth a thought, the best first."""
        found = [choice for choice in decide(_ours(battle), ask, clock) if choice.worth > -50]
        if not found:
            found = [Choice(ask.options[0].key, 0.0)]
        each = valuing.HUNDREDTHS
        return [
            Proposal(c.key, round(each * c.worth, 2), tuple(Reason(t, round(each * w, 2)) for t, w in c.why))
            for c in found
        ]


# ---- the questions -------------------------------------------------------------------------------------------


def decide(battle: BoltBattle, ask: Ask, clock: Clock | None = None) -> list[Choice]:
    """The answers to a question that are worth a thought, the best first."""
    if ask.reaction:
        return react(battle, ask)
    options = ask.options
    if only := ask.only:
        return [Choice(only, 0.0)]
    verbs = {option.verb for option in options}
    outlook = Outlook(battle, ask.side)
    judge = Judge(outlook, clock)
    if ask.quiet and "order" in verbs:
        return judge.pick([battle.unit(option.unit) for option in options])
    if ask.quiet and "place" in verbs:
        return tactics_setup.which(battle, [battle.unit(option.unit) for option in options])
    if ask.quiet and ask.area is not None:
        return tactics_setup.Setter(outlook, battle.unit(ask.area.unit), clock).choose(ask)
    if "keep" in verbs:
        return _keep(judge, options)
    if verbs & set(ORDERS) and DOWN in verbs:
        offered = {option.key for option in options}
        unit = battle.unit(options[0].unit)
        return _gained(judge, unit, [choice for choice in judge.weigh(unit) if choice.key in offered])
    if ask.area is not None and not isinstance(ask.area, headquarters.MarkerArea):
        unit = battle.unit(ask.area.unit)
        return _gained(judge, unit, tactics_moves.choose(judge, ask, unit))
    for verb, answer in _OTHERS.items():
        if verb in verbs:
            return answer(judge, options)
    return [Choice(option.key, 0.0) for option in options[:4]]


def _gained(judge: Judge, unit: Unit, found: list[Choice]) -> list[Choice]:
    """Choices by what they gain against staying as one is: reasons are told so, and add up to it."""
    stay = judge.stay(unit)
    return [choice._replace(worth=choice.worth - stay) for choice in found]


def _shoot(judge: Judge, options: list[Option]) -> list[Choice]:
    """Which target: the one that loses most. Nobody shoots where it can do nothing."""
    battle = judge.outlook.battle
    unit = battle.unit(options[0].unit)
    by_key: dict[str, Choice] = {}
    targets = {option.target for option in options if option.verb == "at"}
    if any(battle.unit(target).side == unit.side for target in targets):
        return _friendly_fire(judge, options)
    for aim in aims(judge.outlook, unit, unit.die == ADVANCE):
        by_key[aim.key] = Choice(aim.key, aim.worth, aim.why)
    found = [by_key[option.key] for option in options if option.key in by_key]
    found += [Choice(o.key, 0.0, (("holds its fire", 0.0),)) for o in options if o.verb in ("done", "pass")]
    if not found:
        found = [Choice(option.key, 0.1) for option in options[:1]]
    return sorted(found, key=lambda choice: -choice.worth)


def _friendly_fire(judge: Judge, options: list[Option]) -> list[Choice]:
    """FUBAR: whom the enemy takes for the enemy (4.2)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    unit = battle.unit(options[0].unit)
    found = []
    for option in options:
        if option.verb != "at":
            continue
        target = battle.unit(option.target)
        mode = next(iter(shooting.plans(battle, unit, target, False, "friendly").values()), None)
        effect = NOTHING
        if mode is not None:
            effect = effect_of(battle, target, volley.prepare(battle, unit, target, mode.loads, False, "friendly"))
        worth = outlook.gain(target, effect) * (1.0 if target.side != outlook.side else -1.0)
        found.append(Choice(option.key, worth, ((f"{effect.men:.1f} men expected to fall", worth),)))
    return sorted(found, key=lambda choice: -choice.worth)


def _keep(judge: Judge, options: list[Option]) -> list[Choice]:
    """Whether a unit on Ambush keeps its die: only where it has nothing in sight and nowhere to go (1.12)."""
    battle, outlook = judge.outlook.battle, judge.outlook
    found = [Choice("done", 0.0, (("an order of its own next turn", 0.0),))]
    for option in options:
        if option.verb != "keep":
            continue
        unit = battle.unit(option.unit)
        goal = outlook.goal(unit)
        at_goal = goal is None or float(goal.turns[outlook.here(unit)]) <= 0.3
        idle = float(outlook.shots(unit, False)[0][outlook.here(unit)]) < 0.05
        if unit.die == AMBUSH and at_goal and idle and not unit.pins:
            found.append(Choice(option.key, 0.05, (("nobody in sight yet: it goes on waiting", 0.05),)))
        else:
            found.append(Choice(option.key, -0.1, (("it is better given a new order", -0.1),)))
    return sorted(found, key=lambda choice: -choice.worth)


def _assault_or_move(judge: Judge, options: list[Option]) -> list[Choice]:
    """Whether a Run is an assault (2.3, 21.2)."""
    unit = judge.outlook.battle.unit(options[0].unit)
    offered = {option.key for option in options}
    found = []
    places = judge.outlook.places(unit)
    if "move" in offered:
        mask = within(judge.outlook, unit, "run")
        mask[judge.outlook.here(unit)] = True
        point = int((places * mask - 99.0 * ~mask).argmax())
        found.append(Choice("move", float(places[point]), judge.why_there(unit, "run", point)))
    best = best_assault(judge.outlook, unit)
    if best is not None and best.key in offered:
        found.append(best._replace(worth=best.worth + judge.after_fight(unit, best)))
    found += [Choice(key, -9.0) for key in sorted(offered) if all(choice.key != key for choice in found)]
    return _gained(judge, unit, sorted(found, key=lambda choice: -choice.worth))


def _load(judge: Judge, options: list[Option]) -> list[Choice]:
    """What a gun in ambush has loaded: shot where armour may come, else shell (16.8)."""
    outlook = judge.outlook
    armour = any(outlook.battle.type(foe).armoured for foe in outlook.foes)
    found = [Choice(o.key, 0.2 if o.key.endswith("ap") == armour else 0.0) for o in options]
    words = "enemy armour is about" if armour else "only soft targets are about"
    return sorted((c._replace(why=((words, c.worth),)) for c in found), key=lambda choice: -choice.worth)


def _barrage(judge: Judge, options: list[Option]) -> list[Choice]:
    """Where shells fall thickest on the enemy and not on oneself (26.2, 26.3)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    found = []
    for option in options:
        if option.verb not in ("barrage_on", "marker_on"):
            found.append(Choice(option.key, 0.0, (("leaves it", 0.0),)))
            continue
        x, y = headquarters.middle(battle.unit(option.target or option.unit))
        worth, count = 0.0, 0
        for unit in (*outlook.own, *outlook.foes):
            ux, uy = outlook.spot(unit)
            if (ux - x) ** 2 + (uy - y) ** 2 <= SHELLED**2:
                value = 0.2 * valuing.worth(battle, unit)
                ours = unit.side == outlook.side
                worth += -OWN_SHELLED * value if ours else value
                count += not ours
        found.append(Choice(option.key, worth, ((f"{count} enemy units under it", worth),)))
    return sorted(found, key=lambda choice: -choice.worth)


def _aircraft(judge: Judge, options: list[Option]) -> list[Choice]:
    """Whom aircraft attack: the dearest enemy, best with others about it (26.5, 26.6)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    found = []
    for option in options:
        if not option.target:
            found.append(Choice(option.key, 0.0, (("shoots instead", 0.0),)))
            continue
        target = battle.unit(option.target)
        value = valuing.worth(battle, target) * (0.35 if target.side != outlook.side else -0.6)
        near = sum(battle.gap(target, foe) <= 600 for foe in outlook.foes if foe is not target)
        worth = value + 0.06 * near
        found.append(Choice(option.key, worth, ((f"{battle.say(target)} with {near} more beside it", worth),)))
    return sorted(found, key=lambda choice: -choice.worth)


def _first(judge: Judge, options: list[Option]) -> list[Choice]:
    """Where nothing speaks for one answer: as they are listed, the usual one first."""
    return [Choice(option.key, -0.01 * number) for number, option in enumerate(options[:4])]


_OTHERS: dict[str, Callable[[Judge, list[Option]], list[Choice]]] = {
    "assault": _assault_or_move,
    "at": _shoot,
    "load": _load,
    "barrage_on": _barrage,
    "marker_on": _barrage,
    "air": _aircraft,
    "wrong": _aircraft,
    "fire": _first,
    "loader": _first,
    "pose": _first,
}
