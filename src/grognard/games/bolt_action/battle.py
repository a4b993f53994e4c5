"""A battle of Bolt Action: what the game's charts and roster say of the units on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.board.table import formations
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.templates import Disc
from grognard.core.dice import Dice
from grognard.games.bolt_action.charts import BoltCharts, Quality, Weapon, charts
from grognard.games.bolt_action.roster import Mount, UnitType, call, plain, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import GUN, HULL, RUN, Model, State, Unit, party
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Wreck


class BoltBattle(TableBattle[Scenario, State, Unit, UnitType]):
    """State, scenario, table, dice and log, and what can be worked out from them."""

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        kinds = {**roster(), **scenario.types} if scenario.types else roster()
        super().__init__(scenario, state, dice, kinds)
        self.charts: BoltCharts = charts()
        self._called: dict[tuple[str, str, int], str] = {}
        self._feet: dict[tuple[str, str], Footprint] = {}

    # -- what the kit asks -------------------------------------------------------------------------------

    def foot(self, unit: Unit, model: Model) -> Footprint:
        """The base of a model, by its role."""
        key = unit.kind, model.role
        found = self._feet.get(key)
        if found is None:
            found = self._feet[key] = self.kinds[unit.kind].foot(model.role)
        return found

    def blocks(self, unit: Unit) -> bool:
        """Vehicles block sight (B12)."""
        return self.kinds[unit.kind].vehicle

    def middle(self, unit: Unit, stand: Sequence[Body]) -> tuple[int, int]:
        """The middle of those who keep formation: a spotter may be elsewhere (23.4)."""
        return formations.anchor([stand[i] for i in party(unit)])

    def hull(self, unit: Unit) -> Body:
        """The base of a vehicle, or of a gun."""
        for model, body in zip(unit.models, self.bodies(unit)):
            if model.role in (HULL, GUN):
                return body
        return self.bodies(unit)[0]

    def wreck_foot(self, wreck: Wreck) -> Footprint:
        """A wreck is as large as the vehicle was (20.8)."""
        return self.charts.footprints[self.kinds[wreck.kind].footprint]

    def wreck_title(self, wreck: Wreck) -> str:
        """What people call a wreck."""
        return f"wreck of {self.kinds[wreck.kind].name}"

    def stance(self, unit: Unit) -> tuple[str, str, str, tuple[tuple[Any, ...], ...]]:
        """Where the models of a unit stand, as a key: with its building, and what each does in it."""
        return unit.id, unit.kind, unit.building, tuple((m.id, m.x, m.y, m.heading, m.role) for m in unit.models)

    def clouds(self) -> list[Disc]:
        """The smoke on the table."""
        return [Disc(*cloud) for cloud in self.state.smoke]

    # -- units by rule -----------------------------------------------------------------------------------

    def mount(self, unit: Unit, index: int) -> Mount:
        """A weapon of a unit as it is mounted or carried."""
        return self.kinds[unit.kind].weapons[index]

    def weapon(self, unit: Unit, index: int) -> Weapon:
        """A weapon of a unit as the chart has it."""
        return self.charts.weapons[self.kinds[unit.kind].weapons[index].weapon]

    def quality(self, unit: Unit) -> Quality:
        """What the unit's quality is worth (5.1, 14.1)."""
        return self.charts.quality[unit.quality]

    def has(self, unit: Unit, special: str) -> bool:
        """Whether a unit has a special rule (27)."""
        return special in self.kinds[unit.kind].special

    def men(self, unit: Unit) -> list[Model]:
        """Its models without the gun (7.4, 7.5)."""
        return [model for model in unit.models if model.role != GUN]

    def inside(self, building: str) -> list[Unit]:
        """The units in a building."""
        return [unit for unit in self.units() if unit.building == building]

    def note_run(self, vehicle: Unit) -> None:
        """A vehicle obeys an order to Run, whatever becomes of its die afterwards."""
        self.state.scratch.ran[vehicle.id] = self.state.turn

    def runs(self, vehicle: Unit) -> bool:
        """Whether a vehicle runs this turn, moved or not: nobody gets out of it (24.3)."""
        return vehicle.die == RUN or self.state.scratch.ran.get(vehicle.id) == self.state.turn

    def name(self, unit: Unit) -> str:
        """How people call a unit: "Grenadier squad g3", or "Grenadier squad 3" where nobody types ids.

        A unit without size stands in for a reserve that is not known: it has no name of its own.
        """
        key = (unit.id, unit.kind, unit.size)
        found = self._called.get(key)
        if found is None:
            called = self.scenario.callings
            if called:
                found = (called.get(unit.id, "") if unit.size else "") or plain(self.title(unit))
            else:
                found = call(self.title(unit), unit.id)
            self._called[key] = found
        return found

    def title(self, unit: Unit) -> str:
        """What a unit is called by itself: by its scenario, or by the roster."""
        placing = self.scenario.placing(unit.id) if unit.size else None
        return (placing.name if placing else "") or self.kinds[unit.kind].name
