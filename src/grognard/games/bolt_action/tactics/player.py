"""How Bolt Action is played well: the door through which the house's players ask (see `kits.table.tactics.player`).

`giving_orders` weighs orders, `moves` places, `setting_up` deployment, `answering` what to do while the enemy acts, and
what is small is decided here. Worths are victory points until they leave for the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from grognard.core.ask import Ask
from grognard.core.poses import Area
from grognard.core.tactics import Clock
from grognard.games.bolt_action import barrages_and_aircraft
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.roster import muster, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.shooting import declaring, volley
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DEPLOY, DOWN, OVER, RUN, Unit
from grognard.games.bolt_action.tactics import answering, moves, setting_up, standing, victory_values
from grognard.games.bolt_action.tactics.fire import NOTHING, effect_of
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge
from grognard.games.bolt_action.tactics.ground import GROUND, chart_of
from grognard.games.bolt_action.tactics.outlook import BoltOutlook, pace_of
from grognard.games.bolt_action.tactics.replies import quick_reply
from grognard.games.bolt_action.tactics.shots import aims, best_assault
from grognard.games.bolt_action.tactics.sketch import Sketch
from grognard.kits.table.state import RESERVE
from grognard.kits.table.tactics.choices import Choice, best_first
from grognard.kits.table.tactics.player import TableTactics, Weigher
from grognard.kits.table.tactics.way_out import strides

#: How near a barrage is reckoned to reach, in hundredths, and how much one's own men in it weigh.
SHELLED, OWN_SHELLED = 900.0, 1.6


# ---- the questions -------------------------------------------------------------------------------------------


def _which(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Which unit acts (1.3)."""
    units = [judge.outlook.battle.unit(option.unit) for option in ask.options]
    return judge.pick(units, "unit", Sketch(judge.outlook))


def _place(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Which unit is set up next (28.6)."""
    battle = judge.outlook.battle
    return setting_up.which(battle, [battle.unit(option.unit) for option in ask.options])


def _orders(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """With which order."""
    offered = {option.key for option in ask.options}
    unit = judge.outlook.battle.unit(ask.options[0].unit)
    return judge.gained(unit, [choice for choice in judge.weigh(unit) if choice.key in offered])


def _shoot(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Which target: the one that loses most. Nobody shoots where it can do nothing."""
    battle = judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    by_key: dict[str, Choice] = {}
    targets = {option.target for option in ask.options if option.verb == "at"}
    if any(battle.unit(target).side == unit.side for target in targets):
        return _friendly_fire(judge, ask)
    for aim in aims(judge.outlook, unit, unit.die == ADVANCE):
        by_key[aim.key] = Choice(aim.key, aim.worth, aim.why)
    found = [by_key[option.key] for option in ask.options if option.key in by_key]
    found += [Choice(o.key, 0.0, (("holds its fire", 0.0),)) for o in ask.options if o.verb in ("done", "pass")]
    if not found:
        found = [Choice(option.key, 0.1) for option in ask.options[:1]]
    return best_first(found)


def _friendly_fire(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """FUBAR: whom the enemy takes for the enemy (4.2)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    found = []
    for option in ask.options:
        if option.verb != "at":
            continue
        target = battle.unit(option.target)
        mode = next(iter(declaring.plans(battle, unit, target, False, "friendly").values()), None)
        effect = NOTHING
        if mode is not None:
            effect = effect_of(battle, target, volley.prepare(battle, unit, target, mode.firers, False, "friendly"))
        worth = outlook.gain_of(target, effect) * (1.0 if target.side != outlook.side else -1.0)
        found.append(Choice(option.key, worth, ((f"{effect.men:.1f} men lost on average", worth),)))
    return best_first(found)


def _keep(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Whether a unit on Ambush keeps its die: only where it has nothing in sight and nowhere to go (1.12)."""
    battle, outlook = judge.outlook.battle, judge.outlook
    found = [Choice("done", 0.0, (("free to take a new order next turn", 0.0),))]
    for option in ask.options:
        if option.verb != "keep":
            continue
        unit = battle.unit(option.unit)
        goal = outlook.goal(unit)
        at_goal = goal is None or float(goal.turns[outlook.here(unit)]) <= 0.3
        idle = float(outlook.shots(unit, False)[0][outlook.here(unit)]) < 0.05
        if unit.die == AMBUSH and at_goal and idle and not unit.pins:
            found.append(Choice(option.key, 0.05, (("no enemy in sight yet: keeps waiting", 0.05),)))
        else:
            found.append(Choice(option.key, -0.1, (("a new order is better", -0.1),)))
    return best_first(found)


def _assault_or_move(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Whether a Run is an assault (2.3, 21.2)."""
    unit = judge.outlook.battle.unit(ask.options[0].unit)
    offered = {option.key for option in ask.options}
    found = []
    if "move" in offered:
        point = judge.best_point(unit, RUN)
        worth = float(judge.outlook.places(unit)[point])
        found.append(Choice("move", worth, judge.why_there(unit, RUN, point)))
    best = best_assault(judge.outlook, unit)
    if best is not None and best.key in offered:
        found.append(judge.fought(unit, best))
    found += [Choice(key, -9.0) for key in sorted(offered) if all(choice.key != key for choice in found)]
    return judge.gained(unit, best_first(found))


def _load(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """What a gun in ambush has loaded: shot where armour may come, else shell (16.8)."""
    outlook = judge.outlook
    armour = any(outlook.battle.type(foe).armoured for foe in outlook.foes)
    found = [Choice(o.key, 0.2 if o.key.endswith("ap") == armour else 0.0) for o in ask.options]
    words = "the enemy has armour" if armour else "the enemy has only soft targets"
    return sorted((c._replace(why=((words, c.worth),)) for c in found), key=lambda choice: -choice.worth)


def _barrage(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Where shells fall thickest on the enemy and not on oneself (26.2, 26.3)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    found = []
    for option in ask.options:
        if option.verb not in ("barrage_on", "marker_on"):
            found.append(Choice(option.key, 0.0, (("calls none", 0.0),)))
            continue
        x, y = barrages_and_aircraft.middle(battle.unit(option.target or option.unit))
        worth, count = 0.0, 0
        for unit in (*outlook.own, *outlook.foes):
            ux, uy = outlook.spot(unit)
            if (ux - x) ** 2 + (uy - y) ** 2 <= SHELLED**2:
                value = 0.2 * victory_values.worth(battle, unit)
                ours = unit.side == outlook.side
                worth += -OWN_SHELLED * value if ours else value
                count += not ours
        found.append(
            Choice(option.key, worth, ((f"{count} enemy unit{'' if count == 1 else 's'} in the area", worth),))
        )
    return best_first(found)


def _aircraft(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Whom aircraft attack: the dearest enemy, best with others about it (26.5, 26.6)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    found = []
    for option in ask.options:
        if not option.target:
            found.append(Choice(option.key, 0.0, (("shoots instead", 0.0),)))
            continue
        target = battle.unit(option.target)
        value = victory_values.worth(battle, target) * (0.35 if target.side != outlook.side else -0.6)
        near = sum(battle.gap(target, foe) <= 600 for foe in outlook.foes if foe is not target)
        worth = value + 0.06 * near
        found.append(Choice(option.key, worth, ((f"{battle.name(target)} with {near} more nearby", worth),)))
    return best_first(found)


def _first(judge: BoltJudge, ask: Ask) -> list[Choice]:
    """Where nothing speaks for one answer: as they are listed, the usual one first."""
    return [Choice(option.key, -0.01 * number) for number, option in enumerate(ask.options[:4])]


# ---- the program ---------------------------------------------------------------------------------------------


class BoltTactics(TableTactics[BoltBattle, BoltJudge]):
    """Plays a scenario of Bolt Action."""

    scenario: Scenario
    points, ground, weights = victory_values.HUNDREDTHS, GROUND, standing.WEIGHTS
    #: What seems best at a glance is not always what is best.
    doubt = 2.0
    #: Measured over 170 pairs of answers in Gazala and Crossroads (docs/decisions.md, opponents).
    spread = 14.0

    reactions = answering.REACTIONS
    questions: Mapping[str, Weigher[BoltJudge]] = {
        "order": _which,
        "place": _place,
        "keep": _keep,
        DOWN: _orders,
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

    def judge(self, battle: BoltBattle, side: str, clock: Clock | None) -> BoltJudge:
        """Who weighs orders."""
        return BoltJudge(BoltOutlook(battle, side), clock)

    def moves(self, judge: BoltJudge, ask: Ask, unit: Unit, area: Area) -> list[Choice]:
        """On foot, by vehicle, or on from the edge."""
        return moves.choose(judge, ask, unit)

    def set_up(self, judge: BoltJudge, ask: Ask, unit: Unit) -> list[Choice]:
        """In the zone, in a building or aboard (28.6)."""
        return setting_up.BoltSetter(judge.outlook, unit, judge.clock).choose(ask)

    def signs(self, battle: BoltBattle) -> tuple[float, tuple[float, ...]]:
        """As whole games have shown."""
        left = standing.left(battle)
        return left, standing.signs(battle, left)

    def outcome(self, battle: BoltBattle) -> float | None:
        """Who has won, when it is over."""
        return super().outcome(battle) if battle.state.phase == OVER else None

    def prepare(self) -> None:
        """With the ways out."""
        super().prepare()
        chart = chart_of(self.scenario.table)
        kinds = {**roster(), **self.scenario.types}
        for way in self.scenario.victory.exits:
            for column in GROUND.goings:
                chart.turns_off(way.edge, column)
            for placing in self.scenario.units:
                if placing.side == way.side:
                    strides(chart, pace_of(kinds[placing.kind]), way.edge)

    def best(self, battle: BoltBattle, ask: Ask, clock: Clock) -> str:
        """What seems best at a glance at every unit: to look at everything exactly takes twenty times as long."""
        return quick_reply(battle, ask)

    def joined(self, battle: BoltBattle) -> bool:
        """Whether all are deployed (28.6)."""
        return battle.state.phase != DEPLOY

    def redeal(self, battle: BoltBattle, side: str, rng: Random) -> None:
        """What the enemy may have in reserve, where that is secret: anything of his nation's roster (28.2)."""
        unknown = [
            unit
            for unit in battle.state.units.values()
            if unit.side != side and unit.status == RESERVE and not unit.models
        ]
        for unit in unknown:
            nation = self.scenario.nations.get(unit.side, "")
            kinds = [kind for kind in roster().values() if kind.nation == nation and kind.weapons and not kind.rank]
            if kinds:
                unit.kind = rng.choice(kinds).id
            kind = battle.kinds[unit.kind]
            unit.models, unit.size, unit.quality = muster(kind), kind.models, kind.quality
        if unknown:
            battle.invalidate()
