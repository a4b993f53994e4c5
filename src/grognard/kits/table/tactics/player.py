"""How a game on a table is played well: the frame in which a game puts what it knows (see `core.tactics`).

A decision begins with an outlook of the battle (danger, shots and goals over the whole table); a judge weighs actions
in it, and every question goes to whoever weighs its answers: by its reaction, by its area, or by the verbs of its
options. Worths are the game's own points until they leave this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from grognard.board.table.placement import FormationArea, TurnArea
from grognard.board.table.point_area import PointArea
from grognard.core.ask import Ask, Option
from grognard.core.poses import Area
from grognard.core.tactics import Clock, Proposal, Reason, Tactics
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.deployment import DeployArea
from grognard.kits.table.tactics.chart import ChartGround, chart_of
from grognard.kits.table.tactics.choices import TOLD, Choice, best_first
from grognard.kits.table.tactics.judge import Judge
from grognard.kits.table.tactics.moves import Moves, turn
from grognard.kits.table.tactics.setting_up import Habits, Setter
from grognard.kits.table.tactics.weights import Weight, told

B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
J = TypeVar("J", bound=Judge[Any, Any])

#: Weighs the answers to a question as a whole, or one option by itself (None if it is not worth a thought).
Weigher = Callable[[J, Ask], list[Choice]]
OptionWeigher = Callable[[J, Option], "Choice | None"]


class TableTactics(Tactics[B], Generic[B, J]):
    """Plays a scenario of a game on a table. It keeps nothing but what follows from the scenario."""

    #: Hundredths of a battle that one of the game's points is worth.
    points: ClassVar[float]
    #: The ground as the game charts it.
    ground: ClassVar[ChartGround]
    #: What the signs of a battle are worth: see `signs`.
    weights: ClassVar[Mapping[str, Weight]]

    # ---- what the game says ----

    @abstractmethod
    def signs(self, battle: B) -> tuple[float, tuple[float, ...]]:
        """The turns that are left, and the signs for the first side against the second, in the order of `weights`."""

    def outcome(self, battle: B) -> float | None:
        """How it ended for the first side: 1, 0 or -1; None while it goes on."""
        if not battle.state.reason and not battle.state.winner:
            return None
        return {"": 0.0, battle.sides[0]: 1.0}.get(battle.state.winner, -1.0)

    @abstractmethod
    def judge(self, battle: B, side: str, clock: Clock | None) -> J:
        """Who weighs what a side may do."""

    #: Who weighs the answers to an interrupt, by its name.
    reactions: Mapping[str, Weigher[J]] = {}
    #: Who weighs the answers to a question as a whole, by a verb that it offers: the first that is found.
    questions: Mapping[str, Weigher[J]] = {}
    #: Who weighs an option by itself, by its verb.
    options: Mapping[str, OptionWeigher[J]] = {}

    def moves(self, judge: J, ask: Ask, unit: Any, area: Area) -> list[Choice]:
        """The places for a move, and what is offered beside, in the points of places."""
        if isinstance(area, TurnArea):
            return turn(judge, unit, area)
        assert isinstance(area, FormationArea), area
        return Moves(judge, ask, unit, area, "").choose()

    def set_up(self, judge: J, ask: Ask, unit: Any) -> list[Choice]:
        """The places where a unit may be set up."""
        return Setter(judge.outlook, unit, Habits(), judge.clock).choose(ask)

    # ---- what players ask ----

    def standing(self, battle: B, side: str) -> float:
        """How a battle stands for a side: by its result, or by what its signs tell."""
        if (found := self.outcome(battle)) is None:
            left, signs = self.signs(battle)
            found = told(self.weights.values(), signs, left)
        return found if side == battle.sides[0] else -found

    def prepare(self) -> None:
        """Draw the chart of the table, and find the ways to everything that the battle is fought for."""
        chart = chart_of(self.scenario.table, self.ground)
        for column in self.ground.goings:
            for objective in self.scenario.objectives:
                chart.turns_near(objective.id, objective.x, objective.y, column)

    def propose(self, battle: B, ask: Ask, clock: Clock) -> list[Proposal]:
        """The answers to a question that are worth a thought, the best first."""
        found = [choice for choice in self.decide(battle, ask, clock) if choice.worth > -50]
        if not found:
            found = [Choice(ask.options[0].key, 0.0)]
        each = self.points
        return [
            Proposal(c.key, round(each * c.worth, 2), tuple(Reason(t, round(each * w, 2)) for t, w in c.why))
            for c in found
        ]

    def decide(self, battle: B, ask: Ask, clock: Clock | None = None) -> list[Choice]:
        """The same in the game's own points."""
        if not ask.reaction and (only := ask.only):
            return [Choice(only, 0.0)]
        judge = self.judge(battle, ask.side, clock)
        if ask.reaction:
            weigher = self.reactions.get(ask.reaction)
            return weigher(judge, ask) if weigher is not None else _unweighed(ask)
        if ask.area is not None and not isinstance(ask.area, PointArea):
            unit = battle.unit(ask.area.unit)
            if isinstance(ask.area, DeployArea):
                return self.set_up(judge, ask, unit)
            return judge.gained(unit, self.moves(judge, ask, unit, ask.area))
        verbs = {option.verb for option in ask.options}
        for verb, weigher in self.questions.items():
            if verb in verbs:
                return weigher(judge, ask)
        return self._one_by_one(judge, ask) if verbs & self.options.keys() else _unweighed(ask)

    def _one_by_one(self, judge: J, ask: Ask) -> list[Choice]:
        """Every option by its verb; what nobody weighs is worth nothing."""
        found = []
        for option in ask.options:
            weigher = self.options.get(option.verb)
            choice = Choice(option.key, 0.0) if weigher is None else weigher(judge, option)
            if choice is not None:
                found.append(choice)
        return best_first(found)[:TOLD]


def _unweighed(ask: Ask) -> list[Choice]:
    """Where nothing speaks for one answer: the first that are listed."""
    return [Choice(option.key, 0.0) for option in ask.options[:4]]
