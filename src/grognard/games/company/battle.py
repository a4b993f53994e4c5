"""A battle of platoons: what the charts and the roster say of the Teams on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.templates import Square
from grognard.core.dice import Dice
from grognard.games.company.charts import CompanyCharts, Training, charts
from grognard.games.company.roster import TeamType, UnitType, roster, team_types
from grognard.games.company.scenario import Scenario
from grognard.games.company.state import CC, Company, Platoon, State, Team, everybody, living
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import ON_TABLE, Wreck


class CompanyBattle(TableBattle[Scenario, State, Platoon, UnitType]):
    """State, scenario, table, dice and log, and what can be worked out from them."""

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        super().__init__(scenario, state, dice, roster())
        self.charts: CompanyCharts = charts()
        self.teams = team_types()
        self._called: dict[str, str] = {}

    # -- what the kit asks -------------------------------------------------------------------------------

    def foot(self, unit: Platoon, model: Team) -> Footprint:
        """The base of a Team."""
        return self.teams[model.kind].foot

    def blocks(self, unit: Platoon) -> bool:
        """Teams hide nobody: they only bar the fire of their friends (6.6)."""
        return False

    def wreck_foot(self, wreck: Wreck) -> Footprint:
        """Nothing is left of a Team that is removed (8.4)."""
        raise AssertionError("there are no wrecks in this game")

    def wreck_title(self, wreck: Wreck) -> str:
        """Nothing is left of a Team that is removed (8.4)."""
        raise AssertionError("there are no wrecks in this game")

    def stance(self, unit: Platoon) -> tuple[str, str, str, tuple[tuple[Any, ...], ...]]:
        """Where the Teams of a Unit stand, as a key, each with its kind and its turret."""
        return unit.id, unit.kind, "", tuple((t.id, t.x, t.y, t.heading, t.kind, t.turret) for t in unit.models)

    def clouds(self) -> list[Square]:
        """The smoke on the table (15.12)."""
        side = self.charts.distance("barrage", "side")
        return [Square(cloud.x, cloud.y, side, cloud.heading) for cloud in self.state.clouds]

    def middle(self, unit: Platoon, stand: Sequence[Body]) -> tuple[int, int]:
        """Where a Unit is said to be: a commander who has joined it is only its guest (14.12, 14.14)."""
        own = [body for team, body in zip(unit.models, stand) if self.teams[team.kind].leader != CC]
        return super().middle(unit, own if own and len(stand) == len(unit.models) else stand)

    def name(self, unit: Platoon) -> str:
        """How people call a Unit: "Grenadier platoon g3", or by its calling where nobody types ids."""
        found = self._called.get(unit.id)
        if found is None:
            found = self.scenario.callings.get(unit.id) or f"{self.title(unit)} {unit.id}"
            self._called[unit.id] = found
        return found

    def title(self, unit: Platoon) -> str:
        """What a Unit is called by itself: by its scenario, or by the roster."""
        placing = self.scenario.placing(unit.id)
        return (placing.name if placing else "") or self.kinds[unit.kind].name

    # -- Teams -------------------------------------------------------------------------------------------

    def team_type(self, team: Team) -> TeamType:
        """What a Team is by rule."""
        return self.teams[team.kind]

    def team(self, unit: Platoon, id: str) -> Team:
        """The living Team of an id, aboard or not."""
        return next(team for team in everybody(unit) if team.id == id)

    def team_name(self, unit: Platoon, team: Team) -> str:
        """How people call a Team: "Rifle team t3", or "Rifle team 3" where nobody types ids."""
        name, leads = self.teams[team.kind].name, self.teams[team.kind].leader
        if unit.id == self.company(unit.side).commander or leads == CC or (leads and self.scenario.callings):
            return name
        return f"{name} {team.id.removeprefix('t') if self.scenario.callings else team.id}"

    def teams_named(self, unit: Platoon, teams: Sequence[Team]) -> str:
        """Some Teams of a Unit in words: their names, or of more than three how many they are."""
        if len(teams) > 3:
            return f"{len(teams)} Teams"
        return ", ".join(self.team_name(unit, team) for team in teams)

    # -- Units and companies -----------------------------------------------------------------------------

    def company(self, side: str) -> Company:
        """What is remembered of a side's company."""
        return self.state.companies[side]

    def platoons(self, side: str = "") -> list[Platoon]:
        """The Units on the table of a side or of both, without the commanders (14.14)."""
        return [unit for unit in self.units(side) if not self.is_commander(unit)]

    def is_commander(self, unit: Platoon) -> bool:
        """Whether a unit is a company's commander, who is no Unit (14.14)."""
        return self.kinds[unit.kind].commander

    def commander(self, side: str) -> Platoon | None:
        """A company's commander, if he is on the table (14.11)."""
        unit = self.state.units.get(self.company(side).commander)
        return unit if unit is not None and unit.status == ON_TABLE and living(unit) else None

    def leader(self, unit: Platoon) -> Team | None:
        """A Unit's Platoon Leader, aboard or not; None when he is dead (14.1)."""
        return next((team for team in everybody(unit) if team.id == unit.leader), None)

    def training(self, unit: Platoon) -> Training:
        """What the Unit's training is worth (3.2)."""
        return self.charts.trainings[unit.training]

    def artillery(self, unit: Platoon) -> bool:
        """Whether a Unit is artillery, which may fire barrages (15.1)."""
        return self.kinds[unit.kind].artillery

    def tanks(self, unit: Platoon) -> bool:
        """Whether it is a Tank Unit (12.4)."""
        return self.kinds[unit.kind].all_tanks
