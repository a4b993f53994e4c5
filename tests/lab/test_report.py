"""The report: one page that stands alone and tells what the rows say."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from typer.testing import CliRunner

from grognard.cli import app
from grognard.lab.frames import Frames
from grognard.lab.report import _ways, make_report
from grognard.lab.run import play_numbers
from grognard.lab.series import make_series
from grognard.lab.statistics import verdict


class Page(HTMLParser):
    """What a page refers to, and whether its tags close."""

    VOID = frozenset({"meta", "img", "input", "rect", "line", "circle", "polygon", "polyline", "br", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [
            value
            for name, value in attrs
            if name in ("src", "href") and value and value[0] != "#" and not value.startswith("data:")
        ]
        if tag not in self.VOID or tag in ("rect", "circle", "polygon"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-5:])
        self.open.pop()


def test_the_page_stands_alone_and_agrees_with_the_rows() -> None:
    series = make_series(["ost/training_ground", "first_steps"], games=5, players=("random", "random"), seed="page")
    frames = Frames(play_numbers(series, range(series.size), jobs=1), series)
    page = make_report(series, frames)
    parser = Page()
    parser.feed(page)
    assert parser.open == []
    assert parser.outside == []
    assert "url(" not in page.split("</style>")[0]
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    for field in series.fields:
        assert verdict(frames, field.name).say()[1:] in page
        won = frames.games.filter(scenario=field.name, winner=field.sides[0]).height
        assert re.search(rf"won {won}, ", page)
    assert page.count('class="layer"') == 8
    assert series.digest in page


def test_reasons_that_differ_in_figures_are_one_way() -> None:
    ended = [("red", "8 points to 3"), ("red", "12 points to 3"), ("", "5 points to 4, no lead of 2")]
    ended += [("blue", "The bridge is held")] * 2 + [("", "6 points to 6, no lead of 2")] + [("red", "9 points to 3")]
    assert _ways(ended) == [
        ("red", "8–12 points to 3", 3),
        ("", "5–6 points to 4–6, no lead of 2", 2),
        ("blue", "The bridge is held", 2),
    ]


def test_players_that_swap_sides_are_told_apart_from_the_sides() -> None:
    series = make_series(
        ["ost/training_ground"], games=2, players=("random", "easy"), swap=True, seed="swap", limit=40, seconds=0
    )
    frames = Frames(play_numbers(series, range(series.size), jobs=1), series)
    page = make_report(series, frames)
    assert "Who plays better" in page
    assert "each having played both sides" in page
    assert "each game twice with the players swapped" in page
    alone = make_series(["ost/training_ground"], games=2, players=("random", "easy"), seed="swap", limit=40)
    page = make_report(alone, Frames(play_numbers(alone, range(2), jobs=1), alone))
    assert "Who plays better" not in page
    assert "played by different players" in page


def test_simulate_report_and_extract_by_the_command_line(tmp_path: Path) -> None:
    """A run of the command line, gone on with, reported anew, and a game taken out of it."""
    run = CliRunner().invoke
    folder = tmp_path / "run"
    words = [
        "simulate",
        "first_steps",
        "--games",
        "3",
        "--players",
        "random,random",
        "--jobs",
        "1",
        "--out",
        str(folder),
    ]
    first = run(app, words)
    assert first.exit_code == 0, first.output
    assert "3 games, random against random" in first.output
    assert (folder / "report.html").stat().st_size > 10_000
    refused = run(app, words)
    assert refused.exit_code == 2
    assert "--resume" in refused.output
    assert run(app, [*words, "--resume"]).exit_code == 0
    assert run(app, ["report", str(folder), "-o", str(tmp_path / "again.html")]).exit_code == 0
    assert (tmp_path / "again.html").read_text() == (folder / "report.html").read_text()
    save = tmp_path / "game.save"
    assert run(app, ["extract", str(folder), "2", str(save)]).exit_code == 0
    assert "lead to the state" in run(app, ["replay", str(save)]).output
    missing = run(app, ["extract", str(folder), "9", str(save)])
    assert missing.exit_code == 2
    assert "no game 9" in missing.output
