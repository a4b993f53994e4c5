"""Every figure of a game's charts is asked for by its rules: a user's own value is never in vain."""

from __future__ import annotations

import pytest

from grognard.core import registry
from grognard.core.charts import Chart
from tests.conformance.chart_uses import Uses, is_figure, leaves

each_game = pytest.mark.parametrize("game", [game.name for game in registry.games() if game.charts_type])


@each_game
def test_every_figure_of_the_charts_is_asked_for(game: str) -> None:
    idle = Uses(game).idle()
    assert not idle, f"the rules of {game} never ask for {', '.join(idle)}: use them, or take them out"


@each_game
def test_a_figure_that_is_not_asked_for_is_found(game: str) -> None:
    """A number more in any table, or in any entry of one that objects are made of, is told of."""
    uses = Uses(game)
    for name, table in uses.tables.items():
        if not isinstance(getattr(uses.figures, name, None), Chart):
            assert not uses.used((name, "of_no_use"))
            assert not any(
                uses.used((name, key, "of_no_use")) for key, entry in table.items() if isinstance(entry, dict)
            )


def test_what_is_written_for_people_is_no_figure() -> None:
    tables = {"t": {"rule": "1.1", "mp_rule": "2", "dice": "2d6", "who": "one of two", "list": [1, 2], "a": {"b": 0.5}}}
    found = [".".join(path) for path, value in leaves(tables) if is_figure(path, value)]
    assert found == ["t.dice", "t.list", "t.a.b"]
