"""Charts as people read them: grids, lists of entries, plain figures, and where each comes from."""

from __future__ import annotations

from grognard.core.chart_views import Heading, chart_views

TABLES = {
    "grid": {"provenance": "reconstructed", "dice": "2d6", "first_roll": 2, "columns": [-1, 0], "rows": [["", "S"]]},
    "ground": {
        "woods": {"provenance": "rulebook", "mp": {"foot": 2}, "defense": 2, "los": "block", "rule": "41"},
        "open": {"provenance": "rulebook", "mp": {"foot": 1}, "defense": 0, "rule": "36", "mp_rule": "36.2"},
        "odd_place": {"provenance": "reconstructed", "mp": {}, "defense": 0, "los": "none", "needs": "luck"},
        "road": {"provenance": "rulebook", "mp": {"foot": 0.5}, "defense": 0},
    },
    "rally": {
        "provenance": "rulebook",
        "rule": "70, 71",
        "at_least": 7,
        "in_melee": False,
        "shaken": {"mult": 0.5, "who": []},
        "line": [{"provenance": "rulebook", "id": "leader", "label": "Leader near", "drm": 1, "rule": "13.3"}],
    },
}


def views(*user: str) -> dict[str, list[list[str]]]:
    headings = {name: Heading(name.upper()) for name in ("grid", "ground", "rally", "rally.line")}
    found = chart_views(TABLES, headings, list(user), "/home/me/charts.toml")
    return {chart.id: [chart.columns, *chart.rows] for chart in found}


def test_a_grid_has_its_rolls_down_the_side() -> None:
    assert views()["grid"] == [["2d6", "-1", "0"], ["2", "–", "S"]]


def test_entries_are_rows_and_what_few_have_comes_last() -> None:
    columns, woods, open_, odd, road = views()["ground"]
    assert columns == ["what", "mp foot", "defense", "los", "also", "rule"]
    assert woods == ["woods", "2", "2", "block", "", "41"] and road[1] == "0.5"
    assert open_[-1] == "36" and odd == ["odd place", "–", "0", "none", "needs: luck", "–"]


def test_figures_are_two_columns_and_lists_stand_for_themselves() -> None:
    assert views()["rally"] == [
        ["what", "value"],
        ["at least", "7"],
        ["in melee", "no"],
        ["shaken: mult", "0.5"],
        ["shaken: who", "–"],
    ]
    assert views()["rally.line"] == [["what", "drm", "rule"], ["Leader near", "1", "13.3"]]


def test_where_a_chart_comes_from() -> None:
    headings = {"ground": Heading("Ground", note="a note"), "rally": Heading("Rally"), "grid": Heading("G", "93")}
    ground, rally, grid = chart_views(TABLES, headings, ["rally"], "/home/me/charts.toml")
    assert (ground.provenance, ground.note) == ("rulebook", "a note. reconstructed: odd place")
    assert (rally.provenance, rally.source, rally.rule) == ("user", "/home/me/charts.toml", "70")
    assert (grid.provenance, grid.source, grid.rule) == ("reconstructed", "", "93")
