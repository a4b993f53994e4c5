"""What helps people to play: charts as they read them, help for every verb, lessons, and forces and losses in words."""

from __future__ import annotations

from grognard.core.folder_files import counted
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.kits.table.state import EXITED, LOST

# ---- charts --------------------------------------------------------------------------------------------------


def meanings() -> dict[str, str]:
    """The rows of the tables that a die is looked up in, by what people call them."""
    now = charts()
    tables = (now.damage_results, now.fubar, now.green, now.barrage, now.barrage_effect, now.air_strike)
    found = {row.id: row.label for table in tables for row in table}
    return {"": "no effect", **found, **{grade.id: grade.label for grade in now.grades}}


# ---- forces and losses -------------------------------------------------------------------------------------


def forces(scenario: Scenario) -> dict[str, list[str]]:
    """The force of each side in words with its points; secret reserves are only counted."""
    kinds = {**roster(), **scenario.types}
    found = {}
    for side in scenario.side_names:
        units = [placing for placing in scenario.units if placing.side == side]
        secret = [u for u in units if u.edge] if scenario.hidden_reserves else []
        lines = counted(placing.name or kinds[placing.kind].name for placing in units if placing not in secret)
        if secret:
            lines.append(f"{len(secret)} held back")
        else:
            lines.append(f"{sum(kinds[placing.kind].points for placing in units)} points")
        found[side] = lines
    return found


def losses(battle: BoltBattle) -> dict[str, list[str]]:
    """What each side has lost: units that are gone, men of those that are not, and who left the table."""
    found = {}
    for side in battle.sides:
        units = battle.units(side, on_table=False)
        gone = [battle.type(unit).name for unit in units if unit.status == LOST]
        left = [f"{battle.type(unit).name} (left the table)" for unit in units if unit.status == EXITED]
        men = sum(
            unit.size - len(battle.men(unit))
            for unit in units
            if unit.status not in (LOST, EXITED) and unit.models and not battle.type(unit).vehicle
        )
        found[side] = [*counted(gone), *counted(left)]
        if men > 0:
            found[side].append(f"{men} {'men' if men > 1 else 'man'} of other units")
    return found
