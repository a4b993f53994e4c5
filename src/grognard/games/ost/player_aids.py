"""What helps people to play: charts as they read them, help for every verb, lessons, and forces and losses in words."""

from __future__ import annotations

from collections import Counter
from functools import cache

from grognard.core.folder_files import counted
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import charts
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import LOST

# ---- charts --------------------------------------------------------------------------------------------------


#: What the letters of the combat tables stand for (94, 96).
RESULTS = {"S": "Gut Check or Shaken", "B": "Gut Check or Broken", "C": "casualty", "D": "damage", "X": "destroyed"}


@cache
def meanings() -> dict[str, str]:
    """The results of the combat tables with what their letters stand for; then what vehicle damage is."""
    now = charts()
    found = {"": "no effect"}
    for result in (*now.ict.severity, *now.vct.severity):
        if words := [RESULTS.get(letter, letter) for letter in result.split("-") if letter]:
            found[result] = f"{result} ({', then '.join(words)})"
    return found | {"abandon_roll": "Gut Check or abandoned", "mgs": "machine guns", "minor": "no damage"}


# ---- forces and losses -------------------------------------------------------------------------------------


def forces(scenario: Scenario) -> dict[str, list[str]]:
    """The order of battle of each side in words, as a scenario's card prints it: never where anything stands.

    What may be hidden on the map besides (mines and works) is left out.
    """
    kinds = roster()
    found = {}
    for side in scenario.side_names:
        units = [kinds[unit.kind].name for unit in scenario.units if unit.side == side]
        weapons = [kinds[weapon.kind].name for weapon in scenario.weapons if weapon.side == side]
        assets = Counter(scenario.assets.get(side, {}))
        found[side] = [*counted(units), *counted(weapons), *(_strikes(kind, n) for kind, n in assets.items() if n)]
    return found


def _strikes(kind: str, count: int) -> str:
    return f"{count} {kind.removesuffix('s')} strike{'s' if count > 1 else ''}"


def losses(battle: OstBattle) -> dict[str, list[str]]:
    """What each side has lost: units that are gone, and those on their reduced side."""
    found = {}
    for side in battle.sides:
        units = [unit for unit in battle.state.units.values() if unit.side == side]
        gone = [battle.type(unit).name for unit in units if unit.status == LOST]
        reduced = [f"{battle.type(unit).name} (reduced)" for unit in units if unit.reduced and unit.status != LOST]
        found[side] = [*counted(gone), *counted(reduced)]
    return found
