"""What helps people to play: charts as they read them, help for every verb, lessons, and forces and losses in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from grognard.core.aids import ChartView, Lesson, VerbHelp
from grognard.core.chart_views import Heading, chart_views
from grognard.core.files import Document
from grognard.core.lessons import load_lesson
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.figures import figures, user_file
from grognard.games.ost.generator import SIZES, TERRAINS
from grognard.games.ost.roster import FOLDER, roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import LOST

# ---- charts --------------------------------------------------------------------------------------------------


@cache
def _headings() -> dict[str, Heading]:
    document = Document.read(FOLDER / "headings.toml")
    found = {name: document.convert(entry, Heading, name) for name, entry in document.data.items()}
    document.check()
    return {name: heading for name, heading in found.items() if heading is not None}


def charts() -> list[ChartView]:
    """Every chart in force; those of the user's own file say so."""
    now = figures()
    return chart_views(now.tables, _headings(), now.user_tables, str(user_file()))


def chart_overrides() -> list[str]:
    """The user's own file, if there is one that replaces charts."""
    return [str(user_file())] if figures().user_tables else []


# ---- verbs ---------------------------------------------------------------------------------------------------


class Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verb of verbs.toml; ``weight`` is how much a player without a plan likes it, 1 being as much as any other."""

    title: str
    text: str
    rule: str
    letter: str = ""
    weight: float = 1.0


@cache
def _verbs() -> dict[str, Verb]:
    document = Document.read(FOLDER / "verbs.toml")
    found = {name: document.convert(entry, Verb, name) for name, entry in document.data.items()}
    document.check()
    return {name: verb for name, verb in found.items() if verb is not None}


def verbs() -> list[VerbHelp]:
    """What each verb means, for somebody who has not read the rules."""
    return [VerbHelp(name, verb.title, verb.text, verb.rule, verb.letter) for name, verb in _verbs().items()]


def temper() -> Mapping[str, float]:
    """How much a simple player likes each verb when nothing else decides."""
    return {name: verb.weight for name, verb in _verbs().items()}


# ---- lessons -------------------------------------------------------------------------------------------------


@cache
def _lessons() -> tuple[Lesson, ...]:
    return tuple(load_lesson(Document.read(path)) for path in lesson_files())


def lesson_files() -> list[Path]:
    """The lessons that come with the game."""
    return sorted((FOLDER / "lessons").glob("*.toml"))


def lessons() -> list[Lesson]:
    """The guided battles."""
    return list(_lessons())


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
        found[side] = [*_counted(units), *_counted(weapons), *(_strikes(kind, n) for kind, n in assets.items() if n)]
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
        found[side] = [*_counted(gone), *_counted(reduced)]
    return found


def _counted(names: Iterable[str]) -> list[str]:
    return [f"{count} {name}" for name, count in Counter(names).items()]


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
