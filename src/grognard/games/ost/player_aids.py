"""What helps people to play: charts as they read them, help for every verb, lessons, and forces and losses in words."""

from __future__ import annotations

from collections import Counter
from functools import cache

from grognard.core.aids import ChartView
from grognard.core.chart_views import chart_views
from grognard.core.player_aids import PlayerAids, counted
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.figures import figures, user_file
from grognard.games.ost.generator import SIZES, TERRAINS
from grognard.games.ost.roster import FOLDER, roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import LOST

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


# ---- random battles ------------------------------------------------------------------------------------------


@cache
def random_choices() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What can be chosen for a random battle; every value goes with the defaults of the others."""
    years: dict[str, set[int]] = {}
    for kind in roster().values():
        if kind.squad:
            years.setdefault(kind.nation, set()).update(range(kind.years[0], kind.years[1] + 1))
    first, second = DEFAULT_NATIONS
    pairs = [
        f"{one}/{two}"
        for one in sorted(years)
        for two in sorted(years)
        if one != two and DEFAULT_YEAR in years[one] & years[two] and "german" in (one, two)
    ]
    common = sorted(years[first] & years[second])
    return (
        ("size", tuple(SIZES), "small"),
        ("nations", tuple(pairs), f"{first}/{second}"),
        ("terrain", TERRAINS, "mixed"),
        ("year", tuple(map(str, common)), str(DEFAULT_YEAR)),
    )


DEFAULT_NATIONS = ("german", "american")
DEFAULT_YEAR = 1944
