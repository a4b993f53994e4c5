"""A game that nobody outside these tests knows: the command line must play it as it plays any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from grognard.core.ask import Bar
from grognard.core.battle import Battle
from grognard.core.charts import lay_over
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.ledger import Ledger, Rule
from grognard.core.random_battles import Choice, RandomBattles
from grognard.core.tactics import Tactics
from grognard.core.view import MarkerView, Result, UnitView, View
from tests.core.toy import Man, Toy, ToyScenario, ToyState
from tests.players.toy_tactics import ToyTactics

SCENARIO = """\
game = "duel"
name = "{name}"
title = "{title}"
turns = {turns}
briefing = "Two lines face each other."
[side.red]
men = {men}
[side.blue]
men = {men}
"""

SITUATION = """\
game = "duel"
active = "red"
[[unit]]
id = "r0"
side = "red"
[[unit]]
id = "r1"
side = "red"
shaken = true
[[unit]]
id = "b0"
side = "blue"
[[unit]]
id = "b1"
side = "blue"
hidden = true
"""

CHARTS = """\
[shot]
dice = "2d6"
needed = 7
[weather.fine]
reach = 3
[weather.rain]
reach = 2
"""


class Side(msgspec.Struct, forbid_unknown_fields=True):
    men: int = 2


class ScenarioFile(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    title: str
    turns: int
    side: dict[str, Side]
    game: str = "duel"
    briefing: str = ""


class UnitLine(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    side: str
    shaken: bool = False
    hidden: bool = False


class SituationFile(msgspec.Struct, forbid_unknown_fields=True):
    unit: list[UnitLine]
    active: str = "red"
    shots: int = 0
    game: str = "duel"
    map: str = ""


class DuelScenario(ToyScenario):
    last: int = 12


class Sight(NamedTuple):
    start: str
    end: str
    clear: bool
    crossed: tuple[str, ...]

    def say(self) -> str:
        return f"{self.start} to {self.end}: {'clear' if self.clear else 'blocked'} [1.4]"


class RandomDuels(RandomBattles):
    def choices(self) -> Sequence[Choice]:
        return (Choice("size", ("small", "large"), "small"),)

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        men = 1 if chosen["size"] == "small" else 5
        return SCENARIO.format(name=name, title="At random", turns=6, men=men)


class Duel(Toy):
    """Two lines of men; the scenarios and charts lie in a folder that a test has made."""

    random_battles = RandomDuels()

    def __init__(self, folder: Path, name: str = "duel", title: str = "The Duel") -> None:
        self.folder, self.name, self.title = folder, name, title  # type: ignore[misc]

    def tactics(self, scenario: Any) -> Tactics:
        return ToyTactics(scenario)

    @cached_property
    def ledger(self) -> Ledger:
        texts = {"1.1": "Roll on the table.", "1.2": "A target may duck.", "1.3": "A shaken man stays.", "1.4": "Look."}
        return Ledger(self.name, self.title, "1", [Rule(id, "procedure", text) for id, text in texts.items()])

    def scenario_files(self) -> dict[str, Path]:
        return {path.stem: path for path in sorted((self.folder / "scenarios").glob("*.toml"))}

    def load_scenario(self, document: Document) -> DuelScenario:
        file = document.convert(document.data, ScenarioFile)
        if file is not None and set(file.side) != {"red", "blue"}:
            document.fault("side", f"sides {', '.join(file.side)}", "red and blue")
        document.check()
        assert file is not None
        men = max(side.men for side in file.side.values())
        return DuelScenario(
            file.name, file.title, document.text, file.briefing, turns=file.turns, men=men, last=file.turns
        )

    def load_situation(self, document: Document) -> tuple[DuelScenario, ToyState]:
        file = document.convert(document.data, SituationFile)
        if file is not None:
            for index, unit in enumerate(file.unit):
                if unit.side not in ("red", "blue"):
                    document.fault(("unit", index, "side"), f"no side {unit.side}", "red or blue")
        document.check()
        assert file is not None
        men = {unit.id: Man(unit.id, unit.side, unit.shaken, False, unit.hidden) for unit in file.unit}
        return DuelScenario("situation", "A situation", document.text), ToyState(men, file.active, file.shots)

    def begin(self, scenario: DuelScenario) -> ToyState:
        state = super().begin(scenario)
        state.last = scenario.last
        return state

    def result(self, battle: Battle[Any]) -> Result | None:
        if super().result(battle) is None:
            return None
        left = {
            side: sum(not man.gone for man in battle.state.men.values() if man.side == side) for side in ("red", "blue")
        }
        best = max(left, key=lambda side: left[side])
        return Result(best if len(set(left.values())) > 1 else "", "most men standing", "1.1")

    def view(self, battle: Battle[Any], side: str) -> View:
        men = [man for man in battle.state.men.values() if not man.gone and (not man.hidden or man.side == side)]
        units = [
            UnitView(man.id, man.side, f"Man {man.id}", "", f"line {man.side}", states=("shaken",) * man.shaken)
            for man in men
        ]
        tracks = {"Shots": {"fired": battle.state.shots, "of": battle.state.last}}
        marker = MarkerView("flag", "line red", "red")
        return View(self.name, battle.scenario.name, side, "", battle.state.shots, "shots", "", tracks, units, [marker])

    def why_not(self, battle: Battle[Any], side: str, words: str, *, reacts: bool = False) -> list[Bar]:
        man = battle.state.men.get(words.split()[0])
        if man is None or (man.hidden and man.side != side):
            raise GrognardError(f"no man called {words.split()[0]!r}")
        return [Bar("1.3", "it is shaken", man.id)] if man.shaken else []

    def sight(self, battle: Battle[Any], side: str, start: str, end: str) -> Sight:
        for place in (start, end):
            if place not in battle.state.men:
                raise GrognardError(f"no man and no place called {place!r}")
        return Sight(start, end, True, ("grass",))

    def names(self, battle: Battle[Any]) -> Mapping[str, str]:
        return {man.id: f"Man {man.id}" for man in battle.state.men.values()}

    def draw(self, battle: Battle[Any], side: str) -> str:
        return f"<svg>{side}</svg>\n"

    def draw_text(self, battle: Battle[Any], side: str) -> str:
        seen = [man.id for man in battle.state.men.values() if not man.gone and (not man.hidden or man.side == side)]
        return f"board: {' '.join(seen)}\n"

    def summary(self, scenario: Any) -> Mapping[str, str | int]:
        return {"map": "a field", "units": 2 * scenario.men}

    def load_charts(self, document: Document) -> Any:
        return lay_over(Document.read(self.folder / "charts.toml").data, document)


def make_folder(folder: Path) -> Path:
    """The data of the game in a folder."""
    scenarios = folder / "scenarios"
    scenarios.mkdir(parents=True)
    (scenarios / "brawl.toml").write_text(SCENARIO.format(name="brawl", title="A brawl", turns=12, men=4))
    (scenarios / "meeting.toml").write_text(SCENARIO.format(name="meeting", title="A meeting", turns=8, men=2))
    (folder / "charts.toml").write_text(CHARTS)
    return folder
