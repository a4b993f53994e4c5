"""A battle: the state with what makes looking things up quick."""

from __future__ import annotations

from grognard.board.table.bodies import Footprint
from grognard.board.table.templates import Square
from grognard.core.dice import Dice
from grognard.kits.table import state as kit
from grognard.kits.table.battle import TableBattle
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.state import Scenario, State, Unit

#: The kinds of unit by name, and what people call them.
KINDS = {"company": "Company"}


def foot_of(id: str) -> Footprint:
    """The base of a stand: the first of a unit is its leader."""
    return charts().stands["leader" if id == "t1" else "section"]


class Field(TableBattle[Scenario, State, Unit, str]):
    """A battle of stands."""

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        super().__init__(scenario, state, dice, KINDS)

    def foot(self, unit: Unit, model: kit.Model) -> Footprint:
        return foot_of(model.id)

    def blocks(self, unit: Unit) -> bool:
        return False

    def name(self, unit: Unit) -> str:
        return f"{self.type(unit)} {unit.id}"

    def wreck_foot(self, wreck: kit.Wreck) -> Footprint:
        return charts().stands["section"]

    def wreck_title(self, wreck: kit.Wreck) -> str:
        return "wreck"

    def clouds(self) -> list[Square]:
        side = charts().distance("calling", "smoke_side")
        return [Square(x, y, side, heading) for x, y, heading in self.state.smoke]
