"""How the company game is played well: the door by which the house's players ask (see `kits.table.tactics.player`).

`captain` weighs actions, `shots` fire, `assaults` and `barrages` what their names say, `answering` what to do while
something goes on; what is small is decided here. Worths are victory points until they leave for the players.
"""

from __future__ import annotations

from collections.abc import Mapping

from grognard.board.table.placement import FormationArea
from grognard.core.ask import Ask, Option
from grognard.core.poses import Area
from grognard.core.tactics import Clock
from grognard.games.company import indirect, victory, volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.dealing import HITS
from grognard.games.company.scenario import Scenario
from grognard.games.company.state import DEPLOY, OVER, Platoon, living
from grognard.games.company.tactics import answering, barrages
from grognard.games.company.tactics.captain import FIRE, MOVE, RUN, Captain
from grognard.games.company.tactics.ground import GROUND
from grognard.games.company.tactics.outlook import CompanyOutlook, worth_of
from grognard.games.company.tactics.replies import at_once, march, sketch_of
from grognard.games.company.tactics.shots import aim
from grognard.games.company.team_area import TeamArea
from grognard.games.company.turn_events import Acts
from grognard.games.company.volley import MODES
from grognard.kits.table.tactics.choices import Choice, best_first
from grognard.kits.table.tactics.moves import Moves
from grognard.kits.table.tactics.player import TableTactics, Weigher
from grognard.kits.table.tactics.setting_up import Habits, Setter
from grognard.kits.table.tactics.weights import Weight

#: Hundredths of a battle that a point of victory is worth.
HUNDREDTHS = 12.0
#: What a new Leader is worth, and it costs to be carried where one could walk.
NEW_LEADER, RIDES = 0.3, 0.05
#: The rule by which actions are given out stand by stand, and the answer that leaves the others as they are.
SPLIT, REST = "3.4", "rest nothing"
#: How far a platoon covers the ground from where it is set up, in hundredths.
SWEEPS = 2400.0


# ---- the questions -------------------------------------------------------------------------------------------


def which(judge: Captain, ask: Ask) -> list[Choice]:
    """Which platoon tries to activate, and whether the commander makes a new Leader first (1.3, 14.13)."""
    battle = judge.outlook.battle
    found = judge.next([battle.unit(option.unit) for option in ask.options if option.verb == "activate"])
    best = found[0].worth if found else 0.0
    for option in ask.options:
        if option.verb != "activate":
            worth = max(best, 0.0) + NEW_LEADER
            found.append(Choice(option.key, worth, (("without a Leader nobody goes toward the enemy", worth),)))
    return best_first(found)


def action(judge: Captain, ask: Ask) -> list[Choice]:
    """What a platoon does (3.3)."""
    unit = judge.outlook.battle.unit(ask.options[0].unit)
    offered = {option.key: option for option in ask.options}
    ids = [key.split()[1] for key in offered if key.startswith(("all ", "give "))]
    found = judge.gained(unit, judge.actions(unit, ids))
    if ask.rule == SPLIT:  # what is good for all of them is good for some
        found = [each._replace(key=each.key.replace("all ", "give ").replace("give nothing", REST)) for each in found]
    return best_first(choice for choice in found if choice.key in offered)


def fire(judge: Captain, ask: Ask) -> list[Choice]:
    """Which target: the one that loses most; nobody fires where it does nothing (6.1)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    teams = [id for id in ask.about[1:] if any(team.id == id for team in unit.models)]
    modes = dict.fromkeys(teams or [team.id for team in unit.models], MODES[FIRE])
    found = [Choice("done", 0.0, (("holds the rest of its fire", 0.0),))]
    for option in ask.options:
        if option.verb == "at":
            _, _, *word = option.key.split()
            fired = volley.plan(battle, unit, battle.unit(option.target), modes, " ".join(word))
            shot = aim(outlook, battle.unit(option.target), fired)
            found.append(Choice(option.key, shot.worth, shot.why))
    return best_first(found)


def assaulted(judge: Captain, ask: Ask) -> list[Choice]:
    """Whom to assault (13.1)."""
    battle = judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    stay = judge.stay(unit)
    found = [Choice("done", 0.0, (("assaults nobody", 0.0),))]
    for option in ask.options:
        if option.verb == "assault":
            choice = judge.assault(unit, battle.unit(option.target))
            found.append(choice._replace(worth=choice.worth - stay))
    return best_first(found)


def bombard(judge: Captain, ask: Ask) -> list[Choice]:
    """On which Team to range in, or not to fire (15.5)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    unit = battle.unit(ask.options[0].unit)
    guns = [team for team in unit.models if indirect.bar_gun(battle, team) is None]
    worths = {
        f"range {each.foe.id} {each.team.id}": barrages.ranged(outlook, unit, observer, each)
        for observer in indirect.observers(battle, unit, guns, ())
        for each in indirect.aims(battle, unit, guns, observer)
    }
    found = [Choice("done", 0.0, (("fires nothing", 0.0),))]
    for option in ask.options:
        if option.key in worths:
            worth, under = worths[option.key]
            found.append(Choice(option.key, worth, ((f"{under} enemy Teams under it", worth),)))
    return best_first(found)


def first(judge: Captain, ask: Ask) -> list[Choice]:
    """Where nothing speaks for one answer: as they are listed, the usual one first."""
    return [Choice(option.key, -0.01 * number) for number, option in enumerate(ask.options[:4])]


def all_go(judge: Captain, ask: Ask) -> list[Choice]:
    """Everybody who can goes in (13.1), and everybody who can takes the action that is given (3.4)."""
    if ask.rule == SPLIT:
        left = [o.key for o in ask.options if o.verb == "team" and o.model not in ask.about]
        return [Choice(left[0] if left else "done", 0.1, (("the more, the better", 0.1),))]
    done = [Choice(o.key, 0.1, (("the more go in, the better", 0.1),)) for o in ask.options if o.verb == "done"]
    return done or first(judge, ask)


def pursue(judge: Captain, ask: Ask) -> list[Choice]:
    """After them (13.10)."""
    return [Choice("pursue", 0.1, (("runs down whoever is too slow", 0.1),)), Choice("stay", 0.0)]


def set_up_which(judge: Captain, ask: Ask) -> list[Choice]:
    """Which Unit is set up next: the dearest first, and mounted where it is to leave the table (16.3)."""
    battle, found = judge.outlook.battle, []
    for option in ask.options:
        unit = battle.unit(option.unit)
        why: list[tuple[str, float]] = [("the most valuable first", 0.2 * worth_of(battle, unit))]
        if option.verb == "mounted":
            far = judge.outlook.exit_of(unit) is not None
            why.append(("has far to go", RIDES) if far else ("would have to get out again", -RIDES))
        found.append(Choice(option.key, sum(worth for _, worth in why), tuple(why)))
    return best_first(found)


def rejoin(judge: Captain, ask: Ask) -> list[Choice]:
    """Back to the Leader (5.3)."""
    return [Choice("rejoin", 0.1, (("out of cohesion", 0.1),)), Choice("stay", 0.0)]


class PlatoonMoves(Moves[Platoon]):
    """Weighs a move of Teams, and what is offered beside poses."""

    def other(self, option: Option) -> Choice | None:
        """To stay, and to leave the table; the other ways are for people."""
        if option.verb == "exit":
            way = self.outlook.exit_of(self.unit)
            worth = float(way[1]) if way else 0.0
            return Choice(option.key, worth + self.outlook.taste.gone, (("scores by leaving the table", worth),))
        return super().other(option)


# ---- the program ---------------------------------------------------------------------------------------------


class CompanyTactics(TableTactics[CompanyBattle, Captain]):
    """Plays a scenario of the company game."""

    scenario: Scenario
    points, ground = HUNDREDTHS, GROUND
    doubt, spread = 2.0, 14.0
    #: Points, what holds objectives, force, and markers.
    weights = {
        "points": Weight(0.05, 0.35, 0.55),
        "force": Weight(0.22, 0.06),
        "marks": Weight(0.02, 0.01),
    }
    reactions = answering.REACTIONS
    questions: Mapping[str, Weigher[Captain]] = {
        "activate": which,
        "place": set_up_which,
        "mounted": set_up_which,
        "nothing": action,
        "at": fire,
        "assault": assaulted,
        "range": bombard,
        "smoke": bombard,
        "barrage": first,
        "counter": answering.counter,
        "stand": answering.counter,
        "pursue": pursue,
        "away": first,
        "rejoin": rejoin,
        "team": all_go,
        "lose": answering.usual,
        "mark": answering.usual,
        "give": answering.usual,
    }

    def judge(self, battle: CompanyBattle, side: str, clock: Clock | None) -> Captain:
        """Who weighs actions."""
        return Captain(CompanyOutlook(battle, side), clock)

    def moves(self, judge: Captain, ask: Ask, unit: Platoon, area: Area) -> list[Choice]:
        """Where to go, by the action that was announced."""
        assert isinstance(area, FormationArea), area
        return PlatoonMoves(judge, ask, unit, area, announced(judge.outlook.battle, unit)).choose()

    def set_up(self, judge: Captain, ask: Ask, unit: Platoon) -> list[Choice]:
        """In the zone: guns and artillery look for a field of fire, others for the way to the objectives (16.3)."""
        outlook, battle = judge.outlook, judge.outlook.battle
        still = outlook.suits(unit) <= 0.2
        leads = battle.is_commander(unit)
        habits = Habits(suits=outlook.suits(unit), advances=not still, leads=leads, most=SWEEPS if still else 0.0)
        return Setter(outlook, unit, habits, judge.clock).choose(ask)

    def signs(self, battle: CompanyBattle) -> tuple[float, tuple[float, ...]]:
        """Points, force and markers of the first side against the second."""
        score = victory.score(battle)
        first, second = battle.sides
        force = {side: sum(worth_of(battle, unit) for unit in battle.units(side)) for side in battle.sides}
        marks = {side: sum(team.marks for unit in battle.units(side) for team in unit.models) for side in battle.sides}
        left = float(max(battle.scenario.turns - battle.state.turn, 0)) + _of_turn(battle)
        return left, (
            float(score[first] - score[second]),
            float(force[first] - force[second]),
            float(marks[second] - marks[first]),
        )

    def outcome(self, battle: CompanyBattle) -> float | None:
        """Who has won, when it is over."""
        return super().outcome(battle) if battle.state.phase == OVER else None

    def best(self, battle: CompanyBattle, ask: Ask, clock: Clock) -> str:
        """What seems best at a glance: to look at everything exactly takes many times as long."""
        if ask.only or ask.reaction in (HITS, "leader", "commander"):
            return ask.only or ask.options[0].key
        verbs = {option.verb for option in ask.options}
        judge = sketch_of(battle, ask.side)
        if "activate" in verbs:
            return judge.next([battle.unit(option.unit) for option in ask.options if option.verb == "activate"])[0].key
        if "nothing" in verbs:
            return action(judge, ask)[0].key
        if isinstance(ask.area, TeamArea) and not ask.quiet:
            return march(judge, ask, ask.area, announced(battle, battle.unit(ask.area.unit)))
        if answer := at_once(ask):
            return answer
        return super().best(battle, ask, clock)

    def joined(self, battle: CompanyBattle) -> bool:
        """Whether all are set up (16.3)."""
        return battle.state.phase != DEPLOY


def _of_turn(battle: CompanyBattle) -> float:
    """The part of this turn that is still to come: of the platoons those that have not acted."""
    units = [unit for unit in battle.platoons() if living(unit)]
    return sum(unit.acted < battle.state.turn for unit in units) / max(len(units), 1)


def announced(battle: CompanyBattle, unit: Platoon) -> str:
    """How a platoon goes: by the action that its owner announced last."""
    for event in reversed(battle.log):
        if isinstance(event, Acts) and event.unit == unit.id:
            return event.action if event.action in (RUN, MOVE, "move_and_fire", "fire_and_move") else MOVE
    return MOVE
