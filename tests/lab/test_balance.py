"""Knobs of scenarios and the search for an even one."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from grognard.cli import app
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.knobs import turn
from grognard.core.open_files import Listed, listed, open_scenario
from grognard.lab.balance import Searcher, _rank

RANDOM = ("random", "random")


@pytest.mark.parametrize("entry", [*listed()], ids=lambda entry: f"{entry.game.name}-{entry.name}")
def test_every_scenario_has_handles_that_turn(entry: Listed) -> None:
    """Most settings of each knob give a scenario again, which says what was changed and keeps all else."""
    game, scenario = entry.game, entry.scenario
    knobs = game.knobs(scenario)
    assert {"turns"} < {knob.name for knob in knobs}
    assert len({knob.title for knob in knobs}) == len(knobs), "no two are called the same"
    good = 0
    for knob in knobs:
        assert knob.now in knob.values
        assert len(set(knob.values)) == len(knob.values) > 1
        value = next(value for value in knob.values if value != knob.now)
        source = turn(scenario.source, knobs, {knob.name: value}, "changed")
        document = Document.from_toml(source, "changed")
        document.files = dict(scenario.files)
        try:
            changed = game.load_scenario(document)
        except GrognardError:
            continue  # somebody else in the file needs what was left out
        good += 1
        assert changed.name == "changed"
        assert f"{knob.title} {value} instead of {knob.now}" in changed.briefing
        if value != "0":
            assert {each.name: each.now for each in game.knobs(changed)}[knob.name] == value
    assert good >= 2


def test_a_file_that_is_not_changed_stays_as_it_is() -> None:
    game, scenario = open_scenario("ost/mill_farm")
    knobs = game.knobs(scenario)
    assert turn(scenario.source, knobs, {}) == scenario.source
    assert turn(scenario.source, knobs, {"turns": str(scenario.turns)}) == scenario.source


def test_what_cannot_be_turned_is_refused() -> None:
    game, scenario = open_scenario("ost/mill_farm")
    knobs = game.knobs(scenario)
    with pytest.raises(GrognardError, match="did you mean 'turns'"):
        turn(scenario.source, knobs, {"turn": "5"})
    with pytest.raises(GrognardError, match="turns can't be 50; it can be 6, 7, 8, 9, 10"):
        turn(scenario.source, knobs, {"turns": "50"})
    with pytest.raises(GrognardError, match="its knobs: impulse, lead, turns, unit"):
        Searcher("ost/mill_farm", games=4, players=RANDOM, only=["weather"])
    with pytest.raises(GrognardError, match="the same player"):
        Searcher("ost/mill_farm", games=4, players=("random", "greedy"))


def test_the_search_finds_the_nearest_to_even() -> None:
    """Of all settings that were tried to the end none is nearer to even; the scenario as it is was tried too."""
    word = "ost/training_ground"
    searcher = Searcher(word, games=26, players=RANDOM, seed="even", jobs=1, only=["impulse"])
    found = searcher.search()
    whole = [trial for trial in found.tried if trial.share.games == 26]
    assert min(whole, key=_rank) == found.best
    assert found.before in whole
    assert found.before.settings == ()
    assert found.best.off <= found.before.off
    assert len(found.tried) > len(whole) > 1, "settings fell out of the race"
    assert found.checked is not None
    assert found.checked.settings == found.best.settings
    assert found.checked.share.games == 26
    if found.best.settings:  # judged by games that had no part in the choice
        assert len(searcher._records[found.best.settings]) == 52
    document = Document.from_toml(found.source, "even")
    document.files = dict(searcher.scenario.files)
    changed = {knob.name: knob.now for knob in searcher.game.knobs(searcher.game.load_scenario(document))}
    for name, value in found.best.settings:
        assert changed[name] == value
    again = Searcher(word, games=26, players=RANDOM, seed="even", jobs=1, only=["impulse"]).search()
    assert again == found


def test_only_what_may_help_the_weaker_side_is_tried() -> None:
    """Where the German wins too often nobody looks at more Germans, or at a lead for the American to win by."""
    searcher = Searcher("ost/mill_farm", games=4, players=RANDOM)
    known = {knob.name: knob for knob in searcher.knobs}
    assert known["lead.german"].helps == "american"
    tried = {settings[-1] for settings in searcher.neighbours((), "american")}
    assert {name for name, _ in tried} >= {"turns", "impulse.american", "impulse.german", "lead.german"}
    assert "lead.american" not in {name for name, _ in tried}
    for name, value in tried:
        knob = known[name]
        up = knob.values.index(value) > knob.values.index(knob.now)
        assert name == "turns" or up == (knob.helps == "american")
    both = tried | {settings[-1] for settings in searcher.neighbours((), "german")}
    assert both == {(name, value) for name, each in known.items() for value in each.values if value != each.now}


def test_a_search_that_is_stopped_tells_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of the race: the table of what was played, and code 130."""
    tell = Searcher._play

    def stop(self: Searcher, *args: Any) -> None:
        self.progress = stopper
        tell(self, *args)

    def stopper(what: str, done: int, of: int) -> None:
        if "settings" in what and done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Searcher, "_play", stop)
    words = [
        "balance",
        "ost/training_ground",
        "--games",
        "6",
        "--players",
        "random,random",
        "--jobs",
        "1",
        "--seed",
        "x",
    ]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 130
    assert "Stopped: the settings with the most games" in result.output
    assert "as it is" in result.output
    assert "Impulse dice" in result.output or "turns" in result.output
