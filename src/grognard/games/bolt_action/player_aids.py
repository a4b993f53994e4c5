"""What helps people to play: charts as they read them, help for every verb, lessons, and forces and losses in words."""

from __future__ import annotations

from grognard.core.aids import ChartView
from grognard.core.chart_views import chart_views
from grognard.core.player_aids import PlayerAids, counted
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import FOLDER, figures, user_file
from grognard.games.bolt_action.generator import DEFAULTS, POINTS, TERRAINS
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import EXITED, LOST

# ---- charts --------------------------------------------------------------------------------------------------


_AIDS = PlayerAids(FOLDER)
verbs, lessons, lesson_files = _AIDS.verbs, _AIDS.lessons, _AIDS.lesson_files


def charts() -> list[ChartView]:
    """Every chart in force; those of the user's own file say so."""
    now = figures()
    return chart_views(now.tables, _AIDS.headings, now.user_tables, str(user_file()))


def chart_overrides() -> list[str]:
    """The user's own file, if there is one that replaces charts."""
    return [str(user_file())] if figures().user_tables else []


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


# ---- random battles ------------------------------------------------------------------------------------------


def random_choices() -> list[tuple[str, list[str], str]]:
    """What can be chosen for a random battle; every value goes with the defaults of the others."""
    pairs = ["american/german", "british/german", "soviet/german", "german/american", "german/british", "german/soviet"]
    return [
        ("points", list(POINTS), DEFAULTS["points"]),
        ("nations", pairs, DEFAULTS["nations"]),
        ("terrain", list(TERRAINS), DEFAULTS["terrain"]),
        ("year", ["1943", "1944", "1945"], DEFAULTS["year"]),
    ]
