"""Handles of scenarios and the search for an even one."""

from __future__ import annotations

import pytest

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.handles import turn
from grognard.core.opening import Listed, listed, open_scenario
from grognard.lab.balance import Searcher, _rank

RANDOM = ("random", "random")


@pytest.mark.parametrize("entry", [*listed()], ids=lambda entry: f"{entry.game.name}-{entry.name}")
def test_every_scenario_has_handles_that_turn(entry: Listed) -> None:
    """Most settings of each handle give a scenario again, which says what was changed and keeps all else."""
    game, scenario = entry.game, entry.scenario
    handles = game.handles(scenario)
    assert {"turns"} < {handle.name for handle in handles}
    good = 0
    for handle in handles:
        assert handle.now in handle.values
        assert len(set(handle.values)) == len(handle.values) > 1
        value = next(value for value in handle.values if value != handle.now)
        source = turn(scenario.source, handles, {handle.name: value}, "changed")
        document = Document.from_toml(source, "changed")
        document.files = dict(scenario.files)
        try:
            changed = game.load_scenario(document)
        except GrognardError:
            continue  # somebody else in the file needs what was left out
        good += 1
        assert changed.name == "changed"
        assert f"{handle.title} {value} instead of {handle.now}" in changed.briefing
        if value != "0":
            assert {each.name: each.now for each in game.handles(changed)}[handle.name] == value
    assert good >= 2


def test_a_file_that_is_not_changed_stays_as_it_is() -> None:
    game, scenario = open_scenario("ost/mill_farm")
    handles = game.handles(scenario)
    assert turn(scenario.source, handles, {}) == scenario.source
    assert turn(scenario.source, handles, {"turns": str(scenario.turns)}) == scenario.source


def test_what_cannot_be_turned_is_refused() -> None:
    game, scenario = open_scenario("ost/mill_farm")
    handles = game.handles(scenario)
    with pytest.raises(GrognardError, match="did you mean 'turns'"):
        turn(scenario.source, handles, {"turn": "5"})
    with pytest.raises(GrognardError, match="turns cannot be 50; it may be 8, 9, 10, 11, 12"):
        turn(scenario.source, handles, {"turns": "50"})
    with pytest.raises(GrognardError, match="its handles: impulse, lead, turns, unit"):
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
    assert found.checked.settings == found.best.settings
    assert found.checked.share.games == 26
    if found.best.settings:  # judged by games that had no part in the choice
        assert len(searcher._records[found.best.settings]) == 52
    document = Document.from_toml(found.source, "even")
    document.files = dict(searcher.scenario.files)
    changed = {handle.name: handle.now for handle in searcher.game.handles(searcher.game.load_scenario(document))}
    for name, value in found.best.settings:
        assert changed[name] == value
    again = Searcher(word, games=26, players=RANDOM, seed="even", jobs=1, only=["impulse"]).search()
    assert again == found
