"""The report of a run: one page that needs nothing else, in light and dark."""

from __future__ import annotations

import base64
from html import escape
from importlib.resources import files
from typing import Any

import polars as pl

from grognard.lab import plots
from grognard.lab.frames import Frames
from grognard.lab.game_run import SQUARE, opened
from grognard.lab.series import Field, Series
from grognard.lab.statistics import (
    first_fire,
    kinds_table,
    mean,
    over_time,
    verdict,
    wilson,
)

#: How many kinds of units and ways to win are listed.
KINDS, REASONS = 14, 6
BINS = 10


def make_report(series: Series, frames: Frames) -> str:
    """The whole page."""
    played = [field for field in series.fields if frames.games.filter(scenario=field.name).height]
    sections = "".join(_Section(field, series, frames).html() for field in played)
    names = ", ".join(field.title for field in played)
    style = files("grognard.lab").joinpath("report.css").read_text(encoding="utf-8")
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(names)}: is it fair?</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body><main>"
        f"<header><h1>{escape(names)}</h1><p>{_what_was_played(series, frames)}</p>{_overview(played, frames)}</header>"
        f"{sections}{_options(series)}</main></body></html>\n"
    )


def side_title(side: str) -> str:
    """A side's id as a name."""
    return side.replace("_", " ").capitalize()


def _what_was_played(series: Series, frames: Frames) -> str:
    games, minutes = frames.games.height, frames.games["seconds"].sum() / 60
    seats = f"{escape(series.players[0])} against {escape(series.players[1])}"
    swapped = ", each game twice with the players swapped" if len(series.seatings) > 1 else ""
    stopped = frames.games.filter(~pl.col("finished")).height
    short = f" {stopped} were stopped at {series.limit:,} answers and count as draws." if stopped else ""
    return f"{games:,} games of {seats}{swapped}; {minutes:,.1f} minutes of thinking and rolling.{short}"


def _overview(played: list[Field], frames: Frames) -> str:
    if len(played) < 2:
        return ""
    rows = "".join(
        f'<li><a href="#{escape(field.name)}">{escape(field.title)}</a> {escape(said)}</li>'
        for field in played
        if (said := verdict(frames, field.name).say())
    )
    return f'<ul class="overview">{rows}</ul>'


def _options(series: Series) -> str:
    said = {
        "players": ", ".join(series.players),
        "games of each scenario and seating": series.games,
        "players swapped": "yes" if series.swap else "no",
        "seed": series.seed,
        "seconds a decision": series.seconds or "by count, so that the run repeats",
        "answers at most": f"{series.limit:,}",
        "program": series.program,
        "series": series.digest,
        "scenarios": ", ".join(f"{field.game}/{field.name} (rules {field.rules})" for field in series.fields),
    }
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in said.items())
    return f"<section><h2>What it ran with</h2><table class='options'>{rows}</table></section>"


class _Section:
    """What the page tells of one scenario."""

    def __init__(self, field: Field, series: Series, frames: Frames) -> None:
        self.field, self.series = field, series
        self.frames = frames
        self.games = frames.games.filter(scenario=field.name)
        self.sides = frames.sides.filter(scenario=field.name)
        self.names = tuple(field.sides[:2])
        self.titles = tuple(side_title(side) for side in self.names)

    def html(self) -> str:
        """The section."""
        legend = "".join(f'<span class="key {tone}">{escape(t)}</span>' for tone, t in zip("ab", self.titles))
        return (
            f'<section id="{escape(self.field.name)}"><h2>{escape(self.field.title)}</h2><p class="legend">{legend}</p>'
            f"{self.wins()}<div class='grid2'>{self.ways()}{self.luck()}</div>"
            f"<h3>How the games went</h3><div class='grid2'>{self.course()}</div>"
            f"<h3>How they ended</h3><div class='grid2'>{self.ends()}</div>"
            f"<h3>What each kind of unit did, a game</h3>{self.kinds()}"
            f"<h3>Where it happened</h3>{self.maps()}{self.worth_a_look()}</section>"
        )

    # -- who wins -----------------------------------------------------------------------------------------------

    def wins(self) -> str:
        """The bar, and the verdict."""
        first, second = self.names
        won = tuple(self.games.filter(winner=side).height for side in (first, second))
        draws = self.games.height - sum(won)
        share = wilson(won[0] + draws / 2, self.games.height)
        said = verdict(self.frames, self.field.name)
        luck = ""
        if said.explained:
            plain = f"{100 * said.plain.value:.1f} ± {100 * said.plain.margin:.1f}"
            luck = f" Without taking luck out it would be {plain}."
        bar = plots.win_bar((self.titles[0], self.titles[1]), (won[0], won[1]), draws, share)
        return f'<figure class="wide">{bar}</figure><p class="verdict">{_upper(said.say())}.<small>{luck}</small></p>'

    def ways(self) -> str:
        """Why the games ended as they did."""
        reasons = (
            self.games.group_by("winner", "reason")
            .agg(pl.len().alias("games"))
            .sort(["games", "winner", "reason"], descending=[True, False, False])
        )
        rows = "".join(
            f"<tr><td class='{self.tone(winner)}'>{escape(side_title(winner) if winner else 'drawn')}</td>"
            f"<td>{escape(reason)}</td><td class='number'>{games}</td></tr>"
            for winner, reason, games in reasons.head(REASONS).iter_rows()
        )
        more = reasons.height - REASONS
        rest = f"<tr><td></td><td>{more} other reasons</td><td></td></tr>" if more > 0 else ""
        return f"<div><h3>Ways to win</h3><table>{rows}{rest}</table></div>"

    def tone(self, side: str) -> str:
        """The class of a side's colour."""
        return "ab"[self.names.index(side)] if side in self.names else "n"

    def luck(self) -> str:
        """What luck and firing first have to do with it."""
        said = verdict(self.frames, self.field.name)
        fire = first_fire(self.frames, self.field.name)
        share = f"{100 * said.explained:.0f} %"
        told = f"<p>The dice explain <b>{share}</b> of who wins; that part is taken out of the verdict.</p>"
        if not said.explained:
            told = "<p>Luck explains nothing here that could be taken out, or the games are too few to tell.</p>"
        shots = ""
        if fire.did.games:
            gain = 100 * fire.gain
            shots = (
                f"<p>The side that fired first won <b>{escape(fire.did.say())}</b>, "
                f"{abs(gain):.0f} in a hundred {'more' if gain >= 0 else 'fewer'} than the other.</p>"
            )
        lucky = "".join(self._rolls(side, title) for side, title in zip(self.names, self.titles))
        return f"<div><h3>Luck and the first shot</h3>{told}{shots}{lucky}</div>"

    def _rolls(self, side: str, title: str) -> str:
        rows = self.frames.rolls.filter(scenario=self.field.name, side=side)
        rolls = rows["rolls"].sum() / max(self.games.height, 1)
        return f"<p>{escape(title)} rolled {rolls:.0f} times a game.</p>"

    # -- how it went ----------------------------------------------------------------------------------------------

    def course(self) -> str:
        """Score, losses, ground and units, turn by turn."""
        table = over_time(self.frames, self.field.name)
        said = (
            ("score", "points"),
            ("lost", "worth lost so far"),
            ("held", "places held"),
            ("units", "units on the map"),
        )
        figures = []
        for column, name in said:
            if not table[column].abs().sum():
                continue
            drawn = [
                plots.Line(title, tone, table.filter(side=side).select("turn", column).rows())
                for side, title, tone in zip(self.names, self.titles, "ab")
            ]
            figures.append(f"<figure>{plots.lines(drawn, 'turn', name)}</figure>")
        return "".join(figures)

    def ends(self) -> str:
        """Distributions of length, losses and score."""
        figures = [self._lengths()]
        lost = [
            (rows["lost"] / rows["force"].clip(1e-9)).clip(0.0, 1.0).to_list()
            for side in self.names
            if (rows := self.sides.filter(side=side)).height
        ]
        edges = [number / BINS for number in range(BINS + 1)]
        figures.append(plots.histogram(edges, self._both(lost, edges), "share of its force that a side lost"))
        lead = self._lead()
        if lead is not None:
            figures.append(lead)
        return "".join(f"<figure>{figure}</figure>" for figure in figures)

    def _lengths(self) -> str:
        turns = self.games["turns"].to_list()
        low, high = min(turns), max(turns)
        edges = [number - 0.5 for number in range(low, high + 2)]
        bars = plots.Bars("games", "n", _shares(turns, edges))
        return plots.histogram(edges, [bars], "turns played", whole=True)

    def _lead(self) -> str | None:
        """By how many points the first side led at the end."""
        first, second = (self.sides.filter(side=side).sort("number")["score"] for side in self.names)
        lead = (first - second).to_list()
        low, high = min(lead), max(lead)
        if low == high:
            return None
        step = max((high - low) / (2 * BINS), 1.0)
        count = int((high - low) / step) + 1
        edges = [low - step / 2 + number * step for number in range(count + 1)]
        bars = plots.Bars(f"{self.titles[0]} ahead by", "n", _shares(lead, edges))
        return plots.histogram(edges, [bars], f"points by which {self.titles[0]} was ahead")

    def _both(self, values: list[list[float]], edges: list[float]) -> list[plots.Bars]:
        return [
            plots.Bars(title, tone, _shares(listed, edges)) for title, tone, listed in zip(self.titles, "ab", values)
        ]

    def kinds(self) -> str:
        """What each kind of unit destroyed and cost."""
        table = kinds_table(self.frames, self.field.name).head(KINDS)
        rows = [
            (row["kind"], self.tone(row["side"]), row["lost"], row["inflicted"]) for row in table.iter_rows(named=True)
        ]
        return f"<figure class='wide'>{plots.bars_beside(rows, 'worth lost', 'worth destroyed')}</figure>"

    # -- on the map -----------------------------------------------------------------------------------------------

    def maps(self) -> str:
        """Fire, losses and control over the scenario's map, one at a time."""
        game, scenario = opened(self.field)
        board = game.board(scenario)
        places = self.frames.places.filter(scenario=self.field.name)
        spots = _spots(board, places["place"].unique().sort().to_list())
        size = (board.width, board.height)
        land = base64.b64encode(game.land(scenario).encode()).decode()
        games = max(self.games.height, 1)
        layers = (
            ("fired_at", "Fire received", "shots at it a game"),
            ("fired", "Fire given", "shots from there a game"),
            ("lost", "Losses", "worth lost a game"),
            ("turns", "Ground held", "turns there a game"),
        )
        name = escape(self.field.name)
        buttons, shown = [], []
        for number, (column, title, unit) in enumerate(layers):
            sums = places.group_by("place", "side").agg(pl.col(column).sum() / games)
            values: dict[str, tuple[float, float]] = {}
            for place, side, value in sums.iter_rows():
                one, other = values.get(place, (0.0, 0.0))
                values[place] = (value, other) if side == self.names[0] else (one, value)
            checked = " checked" if not number else ""
            buttons.append(
                f'<input type="radio" name="layer-{name}" id="{name}-{column}"{checked}>'
                f'<label for="{name}-{column}">{title}</label>'
            )
            shown.append(f'<div class="layer">{plots.heat(size, spots, values, title, unit)}</div>')
        ratio = f"aspect-ratio:{board.width:g}/{board.height:g}"
        picture = f'<img alt="Map of {escape(self.field.title)}" src="data:image/svg+xml;base64,{land}">'
        sheet = f"<div class='map' style='{ratio}'>{picture}{''.join(shown)}</div>"
        return f"<div class='maps'>{''.join(buttons)}{sheet}</div>"

    # -- games to look at -------------------------------------------------------------------------------------------

    def worth_a_look(self) -> str:
        """A few games of the run, by number: typical, short, and against the odds."""
        games = self.games.sort("number")
        turns = games["turns"].to_numpy()
        middle = mean(turns).value
        typical = games.row(int(abs(turns - middle).argmin()), named=True)
        quickest = games.sort("turns", "answers", "number").row(0, named=True)
        found = [("a typical one", typical), ("the shortest", quickest)]
        rolls = self.frames.rolls.filter(scenario=self.field.name, side=self.names[0])
        luck = rolls.group_by("number").agg((pl.col("excess").sum() / pl.col("variance").sum().sqrt()).alias("luck"))
        joined = games.join(luck, on="number").filter(pl.col("luck").is_finite())
        unlucky = joined.filter(winner=self.names[0]).sort("luck", "number").head(1)
        if unlucky.height:
            found.append((f"{self.titles[0]} won it against its dice", unlucky.row(0, named=True)))
        rows = "".join(
            f"<li>Game {row['number']}, {escape(what)}: {escape(row['reason'])} "
            f"<code>grognard extract DIR {row['number']} game.save</code></li>"
            for what, row in found
        )
        return f"<h3>Games worth a look</h3><ul>{rows}</ul>"


def _upper(text: str) -> str:
    return escape(text[:1].upper() + text[1:])


def _shares(values: list[Any], edges: list[float]) -> list[float]:
    """The share of values in each bin; the last one holds its upper edge too."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        at = next((i for i, upper in enumerate(edges[1:]) if value < upper), len(counts) - 1)
        counts[at] += 1
    return [count / max(len(values), 1) for count in counts]


def _spots(board: Any, places: list[str]) -> list[plots.Spot]:
    """Hexes by their names; on a table squares about their middles."""
    if board.table:
        half = SQUARE / 2
        spots = []
        for place in places:
            x, y = (float(word) for word in place.split(","))
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            spots.append(plots.Spot(place, [(a * board.step, b * board.step) for a, b in corners]))
        return spots
    return [plots.Spot(hex.id, [(hex.x + x, hex.y + y) for x, y in board.corners]) for hex in board.hexes]
