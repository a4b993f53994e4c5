"""The report: one page that stands alone and tells what the rows say."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from typer.testing import CliRunner

from grognard.cli import app
from grognard.lab.frames import Frames
from grognard.lab.game_rows import GameRecord, KindRecord, SideRecord, TurnRecord
from grognard.lab.report import _ways, make_report
from grognard.lab.run import play_numbers
from grognard.lab.series import Series, make_series
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


def made_up(
    won: list[float], scores: list[list[tuple[float, float]]], players: tuple[str, str] = ("greedy", "greedy")
) -> tuple[Series, Frames]:
    """A run of Mill Farm in which the German side won, drew and lost so, with both sides' points turn by turn."""
    series = make_series(["ost/mill_farm"], games=len(won), players=players, seed="made")
    field = series.fields[0]
    first, second = field.sides
    records = []
    for number, (value, points) in enumerate(zip(won, scores)):
        last = points[-1]
        records.append(
            GameRecord(
                number=number,
                game=field.game,
                scenario=field.name,
                seed=f"{number}",
                players=players,
                finished=True,
                winner={1.0: first, 0.5: "", 0.0: second}[value],
                reason="so it was",
                rule="4.0",
                turns=len(points),
                answers=9,
                seconds=0.2,
                first_fire="",
                digest="",
                given=(),
                sides=(
                    SideRecord(first, players[0], value, last[0], 10.0, 2.0, 2.0, 3, False, 9, 0.1, 0.1),
                    SideRecord(second, players[1], 1 - value, last[1], 10.0, 2.0, 2.0, 0, False, 9, 0.1, 0.1),
                ),
                by_turn=tuple(
                    TurnRecord(turn, name, pair[index], 1.0, 1, 4)
                    for turn, pair in enumerate(points, 1)
                    for index, name in enumerate((first, second))
                ),
                by_kind=(KindRecord(first, "HMG", 1, 3.0, 1.0, 2.0, 3), KindRecord(second, "Gun", 1, 3.0, 1.0, 0.0, 0)),
                by_roll=(),
                by_place=(),
            )
        )
    return series, Frames(records, series)


def test_wins_are_told_in_the_figures_of_the_bar() -> None:
    """40 of a hundred won and 28 drawn are 54 % with draws as halves: the page says which is which."""
    won = [1.0] * 10 + [0.5] * 7 + [0.0] * 8
    page = make_report(*made_up(won, [[(1.0, 0.0), (2.0, 1.0)]] * 25))
    assert "German won 10 of 25 games (40.0 %) and drew 7; with a draw as half a win, that is 54.0 %" in page
    assert "German</b><b>40 %" in page and "German won 54.0 %" not in page
    plain = make_report(*made_up([1.0] * 10 + [0.0] * 15, [[(1.0, 0.0), (2.0, 1.0)]] * 25))
    assert "American won 60.0 % (" in plain and "half a win that" not in plain


def test_points_that_come_at_the_end_are_not_drawn_turn_by_turn() -> None:
    won = [1.0] * 6 + [0.0] * 4
    sudden = [[(0.0, 0.0), (0.0, 0.0), (6.0 if each else 1.0, 3.0)] for each in won]
    page = make_report(*made_up(won, sudden))
    assert "of all points are scored in the last turn" in page and "Points so far" not in page
    steady = [[(2.0, 1.0), (4.0, 2.0), (6.0 if each else 2.0, 3.0)] for each in won]
    page = make_report(*made_up(won, steady))
    assert "of all points are scored in the last turn" not in page and "Points so far by turn" in page
    assert "decide who wins" not in page
    against = [[(2.0, 1.0), (4.0, 2.0), (2.0 if each else 6.0, 3.0)] for each in won]
    assert "Points (they don&#x27;t decide who wins), share of games" in make_report(*made_up(won, against))
    assert "Neither side was ever ahead on points" in make_report(*made_up(won, [[(0.0, 0.0)]] * 10))


def test_the_page_says_what_stands_out_and_what_to_try() -> None:
    points = [[(1.0, 0.0), (2.0, 1.0)]]
    series, frames = made_up([1.0] * 34 + [0.0] * 6, points * 40)
    page = make_report(series, frames)
    command = "grognard balance ost/mill_farm --games 200 --players greedy,greedy --out mill_farm_even.toml"
    assert f"<code>{command}</code>" in page and "German is favoured by" in page
    assert "American&#x27;s Gun never fired in any game." in page
    assert "If it has weapons, can it take part from where it starts" in page, "a Leader has nothing"
    even = make_report(*made_up([1.0, 0.0] * 8, points * 16))
    assert "Neither side is favoured, as far as 16 games can tell" in even and "grognard balance" not in even
    drawn = make_report(*made_up([0.5] * 8 + [1.0, 0.0] * 4, points * 16))
    assert "8 of 16 games are drawn." in drawn
    mixed = make_report(*made_up([1.0] * 40, points * 40, ("greedy", "random")))
    assert "played by different players" in mixed and "grognard balance" not in mixed


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
    assert "over games in which each played both sides" in page
    assert "each game twice with the players swapped" in page
    alone = make_series(["ost/training_ground"], games=2, players=("random", "easy"), seed="swap", limit=40)
    page = make_report(alone, Frames(play_numbers(alone, range(2), jobs=1), alone))
    assert "Who plays better" not in page
    assert "Different players played the two sides" in page


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
    assert "doesn't have game 9" in missing.output
