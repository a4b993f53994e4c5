"""The report of a run: one page that needs nothing else, in light and dark."""

from __future__ import annotations

import base64
import math
import re
from functools import cached_property
from html import escape
from importlib.resources import files
from typing import Any

import polars as pl

from grognard.lab import plots
from grognard.lab.findings import findings, side_title
from grognard.lab.frames import Frames
from grognard.lab.game_run import opened
from grognard.lab.series import Field, Series
from grognard.lab.statistics import (
    Share,
    first_fire,
    kinds_table,
    luckier,
    over_time,
    points_at_the_end,
    points_decide,
    shares,
    verdict,
)

#: How many kinds of units and ways to win are listed.
KINDS, REASONS = 16, 6
BINS = 10
#: Where so many of all points come with the last turn, a line over the turns would show nothing but that; and where the
#: side with more points wins less often than this, points do not decide who wins.
AT_THE_END, DECIDES = 0.6, 0.9
#: On a table heat is drawn in cells of so many units a side: about as many as a map has hexes.
CELL = 4.0
#: The layers of a map: a column of the places, its title, and what is counted.
LAYERS = (
    ("fired_at", "Fire received", "shots at units there, per game"),
    ("fired", "Fire given", "shots from there, per game"),
    ("lost", "Losses", "worth lost there, per game"),
    ("turns", "Ground held", "turns held, per game"),
)


def make_report(series: Series, frames: Frames) -> str:
    """The whole page."""
    played = [field for field in series.fields if frames.games.filter(scenario=field.name).height]
    sections = [_Section(field, series, frames) for field in played]
    names = ", ".join(field.title for field in played)
    title = names if len(played) < 4 else f"{len(played)} scenarios"
    style = files("grognard.lab").joinpath("report.css").read_text(encoding="utf-8")
    alone = len(sections) == 1
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: is it fair?</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body><main>"
        f"<header><h1>{escape(title)}</h1>{'' if alone else _overview(sections)}"
        f"{sections[0].wins() if alone else ''}<p class='played'>{_what_was_played(series, frames)}</p></header>"
        f"{'' if alone else _players(series, frames, '')}"
        f"{''.join(section.html(alone=alone) for section in sections)}{_options(series)}</main></body></html>\n"
    )


def _what_was_played(series: Series, frames: Frames) -> str:
    games, minutes = frames.games.height, frames.games["seconds"].sum() / 60
    seats = " against ".join(map(escape, series.players))
    swapped = ", each game twice with the players swapped" if len(series.seatings) > 1 else ""
    stopped = frames.games.filter(~pl.col("finished")).height
    short = f" {stopped} stopped at {series.limit:,} answers and counted as draws." if stopped else ""
    left = series.size - games
    part = (
        f" {left:,} game{'s' * (left > 1)} of the run {'have' if left > 1 else 'has'} not been played yet."
        if left
        else ""
    )
    same = len(set(series.players)) == 1 or len(series.seatings) > 1
    warn = (
        ""
        if same
        else " Different players played the two sides, so a lead may be the player's as much as the scenario's."
    )
    took = f"{minutes:,.0f} minutes" if minutes >= 2 else f"{60 * minutes:,.0f} seconds"
    return f"{games:,} games of {seats}{swapped}; {took} of thinking and rolling.{short}{part}{warn}"


def _overview(sections: list[_Section]) -> str:
    """A row a scenario: its name, its bar, and the verdict."""
    rows = "".join(
        f'<a class="row" href="#{escape(each.field.name)}"><b>{escape(each.field.title)}</b>{each.bar()}'
        f"<span>{_upper(each.verdict.say())}</span></a>"
        for each in sections
    )
    return f'<nav class="overview">{rows}</nav>'


def _players(series: Series, frames: Frames, scenario: str) -> str:
    """Who plays better, where sides were swapped: that is not what the sides are worth."""
    if len(series.seatings) < 2:
        return ""
    found = shares(frames, scenario, "player")
    names = list(found)
    rows = frames.sides.filter(scenario=scenario) if scenario else frames.sides
    won = tuple(rows.filter(player=name, won=1.0).height for name in names)
    draws = found[names[0]].games - sum(won)
    # Colours of their own: those of the sides would say that a player was a side.
    bar = plots.win_bar((names[0], names[1]), (won[0], won[1]), draws, found[names[0]], "pnq")
    said = verdict(frames, scenario, "player")
    best = f"{100 * said.best.value:.1f} ± {100 * said.best.margin:.1f} games in a hundred"
    even = said.best.value <= said.best.margin
    told = f"Too close to call: {said.who} by {best}" if even else f"{said.who} is better by {best}"
    text = f"<p>{escape(told)}, over games in which each played both sides.</p>"
    return f"<div class='players'><h3>Who plays better</h3>{bar}{text}</div>"


def _options(series: Series) -> str:
    said = {
        "players": ", ".join(series.players),
        "games per scenario and seating": series.games,
        "players swapped": "yes" if series.swap else "no",
        "seed": series.seed,
        "seconds per decision": series.seconds or "counted in playouts, so that the run repeats",
        "most answers per game": f"{series.limit:,}",
        "program": series.program,
        "series": series.digest,
        "scenarios": ", ".join(f"{field.game}/{field.name} (rules {field.rules})" for field in series.fields),
    }
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in said.items())
    return f"<section><h2>Settings of the run</h2><table class='options'>{rows}</table></section>"


class _Section:
    """What the page tells of one scenario."""

    def __init__(self, field: Field, series: Series, frames: Frames) -> None:
        self.field, self.series = field, series
        self.frames = frames
        self.games = frames.games.filter(scenario=field.name)
        self.sides = frames.sides.filter(scenario=field.name)
        self.names = tuple(field.sides[:2])
        self.titles = tuple(side_title(side) for side in self.names)

        self.verdict = verdict(frames, field.name)

    def html(self, *, alone: bool) -> str:
        """The section; alone on its page its winner stands above already."""
        head = "" if alone else f"<h2>{escape(self.field.title)}</h2>{self.wins()}"
        legend = "".join(f'<span class="key {tone}">{escape(t)}</span>' for tone, t in zip("ab", self.titles))
        return (
            f'<section id="{escape(self.field.name)}">{head}{_players(self.series, self.frames, self.field.name)}'
            f"{self.stands_out()}<div class='grid2'>{self.ways()}{self.luck()}</div>"
            f"<h3>How the games went</h3><p class='legend'>{legend}<span class='soft'>Lines are averages, bands hold "
            "the middle half of the games; a game that is over stands as it ended.</span></p>"
            f"<div class='grid3'>{self.course()}</div>"
            f"<h3>How they ended</h3><div class='grid3'>{self.ends()}</div>"
            f"<h3>What each kind of unit did, a game</h3>{self.kinds()}"
            f"<h3>Where it happened</h3>{self.maps()}{self.worth_a_look()}</section>"
        )

    # -- who wins -----------------------------------------------------------------------------------------------

    def bar(self) -> str:
        """Wins and draws as a bar."""
        won = tuple(self.games.filter(winner=side).height for side in self.names)
        share = shares(self.frames, self.field.name)[self.names[0]]
        draws = self.games.height - sum(won)
        return plots.win_bar((self.titles[0], self.titles[1]), (won[0], won[1]), draws, share)

    def wins(self) -> str:
        """The bar, and the verdict."""
        said = self.verdict
        told = (
            f"Luck is taken out of this; as the dice fell, {self._came(said.who)}."
            if said.explained
            else f"{_upper(self._came(said.who))}; the verdict is the middle of that interval and its margin."
        )
        return f'{self.bar()}<p class="verdict">{_upper(said.say())}.<small>{told}</small></p>'

    def _came(self, side: str) -> str:
        """How a side came out, in the figures of the bar; a draw counts as half a win, which is said where there are
        any."""
        title, share = escape(side_title(side)), shares(self.frames, self.field.name)[side]
        games = self.games.height
        won, drawn = (self.games.filter(winner=who).height for who in (side, ""))
        if not drawn:
            return f"{title} won {escape(share.say())}"
        return (
            f"{title} won {won} of {games} games ({100 * won / games:.1f} %) and drew {drawn}; with a draw as half a "
            f"win, that is {escape(share.say())}"
        )

    def stands_out(self) -> str:
        """What stands out, and what to try."""
        rows = "".join(
            f"<li><b>{escape(each.text)}</b> {escape(each.advice)}"
            f"{f'<br><code>{escape(each.command)}</code>' if each.command else ''}</li>"
            for each in findings(self.series, self.frames, self.field)
        )
        return f"<h3>What stands out, and what to try</h3><ul class='findings'>{rows}</ul>"

    def ways(self) -> str:
        """Why the games ended as they did."""
        ways = _ways(self.games.select("winner", "reason").rows())
        rows = "".join(
            f"<tr><td><span class='key {self.tone(winner)}'>{escape(side_title(winner) if winner else 'Drawn')}</span>"
            f"</td><td>{_sentence(reason)}</td><td class='number'>{games}</td></tr>"
            for winner, reason, games in ways[:REASONS]
        )
        more, games = len(ways) - REASONS, sum(games for *_, games in ways[REASONS:])
        rest = (
            f"<tr><td></td><td>{more} other {'way' if more == 1 else 'ways'}</td><td class='number'>{games}</td></tr>"
            if more > 0
            else ""
        )
        return f"<div><h3>Ways to win</h3><table>{rows}{rest}</table></div>"

    def tone(self, side: str) -> str:
        """The class of a side's colour."""
        return "ab"[self.names.index(side)] if side in self.names else "n"

    def luck(self) -> str:
        """What luck and firing first have to do with it."""
        name = self.field.name
        told = [
            f"The dice explain <b>{100 * self.verdict.explained:.0f} %</b> of who wins; that part is taken out of the "
            "verdict."
            if self.verdict.explained
            else "Luck explains too little to take out of the verdict, or there are too few games to tell."
        ]
        lucky = luckier(self.frames, name)
        if lucky.games:
            told.append(f"The side whose dice came out better won {_share(lucky)} of its games.")
        fire = first_fire(self.frames, name)
        # With two players it would tell who of them likes to fire, and who wins anyway.
        if fire is not None and len(set(self.series.players)) == 1:
            gain, low, high = (f"{100 * value:+.0f}".replace("-", "−") for value in fire.gain)
            told.append(
                f"{escape(side_title(fire.side))} won {_share(fire.did)} of its games when it fired first and "
                f"{_share(fire.did_not)} when its enemy did: the first shot is worth <b>{gain}</b> "
                f"games in a hundred ({low} to {high})."
            )
        rolls = self.frames.rolls.filter(scenario=name)
        first, second = (
            f"{escape(title)} {rolls.filter(side=side)['rolls'].sum() / max(self.games.height, 1):.0f}"
            for side, title in zip(self.names, self.titles)
        )
        told.append(f"Dice rolls per game: {first}, {second}.")
        return f"<div><h3>Luck and the first shot</h3>{''.join(f'<p>{each}</p>' for each in told)}</div>"

    # -- how it went ----------------------------------------------------------------------------------------------

    def course(self) -> str:
        """Score, losses and ground, turn by turn."""
        table = over_time(self.frames, self.field.name)
        said = [("score", "Points so far"), ("lost", "Worth lost so far"), ("held", "Places held")]
        figures = []
        if (late := points_at_the_end(self.frames, self.field.name)) > AT_THE_END:
            del said[0]
            figures.append(
                f"<p class='fact'><b>{100 * late:.0f} %</b> of all points are scored in the last turn: until then "
                "they don't show who is ahead, so there is no chart of them by turn</p>"
            )
        elif not self._decided_by_points:
            said[0] = ("score", "Points so far (points don't decide who wins)")
        for column, name in said:
            if not table[column].abs().sum():
                continue
            drawn = []
            for side, title, tone in zip(self.names, self.titles, "ab"):
                rows = table.filter(side=side)
                low, high = (rows.select("turn", f"{column}_{end}").rows() for end in ("low", "high"))
                drawn.append(plots.Line(title, tone, rows.select("turn", column).rows(), [*low, *reversed(high)]))
            figures.append(f"<figure>{plots.lines(drawn, 'turn', name)}</figure>")
        return "".join(figures)

    def ends(self) -> str:
        """Distributions of length, losses and score."""
        lost = [
            (rows["lost"] / rows["force"].clip(1e-9)).clip(0.0, 1.0).to_list()
            for side in self.names
            if (rows := self.sides.filter(side=side)).height
        ]
        # No use in drawing where no game went; yet a fifth is the least, or small losses would look great.
        top = max(math.ceil(5 * max(map(max, lost), default=0.0)) / 5, 0.2)
        edges = [top * number / BINS for number in range(BINS + 1)]
        bars = [plots.Bars(title, tone, _shares(each, edges)) for title, tone, each in zip(self.titles, "ab", lost)]
        losses = plots.histogram(edges, bars, "of its force", "Losses of each side, share of games", percent=True)
        return "".join(f"<figure>{figure}</figure>" for figure in (self._lengths(), losses, self._lead()))

    def _lengths(self) -> str:
        turns = self.games["turns"].to_list()
        if min(turns) == max(turns):
            return f"<p class='fact'><b>{turns[0]}</b> turns in every game</p>"
        return _counted(turns, "games", "n", "turns", "Length, share of games")

    def _lead(self) -> str:
        """By how many points the first side led at the end."""
        first, second = (self.sides.filter(side=side).sort("number")["score"] for side in self.names)
        lead = [round(value) for value in first - second]
        if not any(lead):
            return "<p class='fact'>Neither side was ever ahead on points: other things decide who wins</p>"
        if min(lead) == max(lead):
            return f"<p class='fact'><b>{lead[0]:+d}</b> points for {escape(self.titles[0])} in every game</p>"
        ahead = f"points by which {self.titles[0]} was ahead"
        title = "Score" if self._decided_by_points else "Points (they don't decide who wins)"
        return _counted(lead, f"{self.titles[0]} ahead by", "n", ahead, f"{title}, share of games")

    @cached_property
    def _decided_by_points(self) -> bool:
        """Whether who has more points wins."""
        return points_decide(self.frames, self.field.name) >= DECIDES

    def kinds(self) -> str:
        """What each kind of unit destroyed and cost."""
        table = kinds_table(self.frames, self.field.name).filter((pl.col("lost") > 0) | (pl.col("inflicted") > 0))
        rows = [
            plots.Pair(row["kind"], self.tone(row["side"]), row["units"], row["worth"], row["lost"], row["inflicted"])
            for row in table.head(KINDS).iter_rows(named=True)
        ]
        more = table.height - len(rows)
        rest = f"<p class='soft'>{more} other kind{'s' * (more > 1)} destroyed less.</p>" if more > 0 else ""
        return plots.bars_beside(rows, "worth lost", "worth destroyed") + rest

    # -- on the map -----------------------------------------------------------------------------------------------

    def maps(self) -> str:
        """Fire, losses and control over the scenario's map, one at a time."""
        game, scenario = opened(self.field)
        board = game.board(scenario)
        places = self.frames.places.filter(scenario=self.field.name)
        if board.table:
            places = places.with_columns(pl.col("place").map_elements(_cell, return_dtype=pl.String))
        spots = _spots(board, places["place"].unique().sort().to_list())
        size = (board.width, board.height)
        land = base64.b64encode(game.land(scenario).encode()).decode()
        name, names = escape(self.field.name), (self.titles[0], self.titles[1])
        buttons, shown, keys = [], [], []
        for number, (column, title, unit) in enumerate(LAYERS):
            values = self._values(places, column)
            checked = " checked" if not number else ""
            buttons.append(
                f'<input type="radio" name="layer-{name}" id="{name}-{column}"{checked}>'
                f'<label for="{name}-{column}">{title}</label>'
            )
            shown.append(f'<div class="layer">{plots.heat(size, spots, values, names, title, unit)}</div>')
            most = [max((pair[side] for pair in values.values()), default=0.0) for side in (0, 1)]
            keys.append(f'<div class="layerkey">{plots.scale(names, (most[0], most[1]), unit)}</div>')
        ratio = f"aspect-ratio:{board.width:g}/{board.height:g}"
        picture = f'<img alt="Map of {escape(self.field.title)}" src="data:image/svg+xml;base64,{land}">'
        sheet = f"<div class='map' style='{ratio}'>{picture}{''.join(shown)}</div>"
        return f"<div class='maps'>{''.join(buttons)}<div class='mapkeys'>{''.join(keys)}</div>{sheet}</div>"

    def _values(self, places: pl.DataFrame, column: str) -> dict[str, tuple[float, float]]:
        """Of every place what both sides have of something there, a game."""
        sums = places.group_by("place", "side").agg(pl.col(column).sum() / max(self.games.height, 1))
        values: dict[str, tuple[float, float]] = {}
        for place, side, value in sums.iter_rows():
            one, other = values.get(place, (0.0, 0.0))
            values[place] = (value, other) if side == self.names[0] else (one, value)
        return values

    # -- games to look at -------------------------------------------------------------------------------------------

    def worth_a_look(self) -> str:
        """A few games of the run, by number: typical, short, and against the odds."""
        games = self.games.sort("number")
        middle = games["turns"].median()
        assert isinstance(middle, float)
        winner = self.games["winner"].mode().sort()[0]
        near = games.filter(winner=winner).with_columns((pl.col("turns") - middle).abs().alias("off"))
        typical = near.sort("off", "number").row(0, named=True)
        quickest = games.sort("turns", "answers", "number").row(0, named=True)
        found = [("a typical one", typical)]
        if quickest["number"] != typical["number"]:
            found.append(("the shortest one", quickest))
        rolls = self.frames.rolls.filter(scenario=self.field.name, side=self.names[0])
        luck = rolls.group_by("number").agg((pl.col("excess").sum() / pl.col("variance").sum().sqrt()).alias("luck"))
        joined = games.join(luck, on="number").filter(pl.col("luck").is_finite())
        unlucky = joined.filter(winner=self.names[0]).sort("luck", "number").head(1)
        if unlucky.height:
            found.append((f"{self.titles[0]} won despite its dice", unlucky.row(0, named=True)))
        rows = "".join(
            f"<li>Game {row['number']}, {escape(what)}: {_sentence(row['reason'])}<br>"
            f"<code>grognard extract DIR {row['number']} game.save</code></li>"
            for what, row in found
        )
        return f"<h3>Games worth a look</h3><ul>{rows}</ul>"


def _upper(text: str) -> str:
    return escape(text[:1].upper() + text[1:])


def _ways(ended: list[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Who won by what how often, the commonest first; reasons that differ only in their figures are one, with the
    figures' ranges: "8–12 points to 3–5"."""
    alike: dict[tuple[str, tuple[str, ...]], list[list[int]]] = {}
    for winner, reason in ended:
        words, figures = re.split(r"\d+", reason), re.findall(r"\d+", reason)
        alike.setdefault((winner, tuple(words)), []).append([int(figure) for figure in figures])
    found = []
    for (winner, (first, *rest)), games in alike.items():
        ranges = [f"{min(each)}–{max(each)}" if len(set(each)) > 1 else f"{each[0]}" for each in zip(*games)]
        found.append((winner, first + "".join(a + b for a, b in zip(ranges, rest)), len(games)))
    return sorted(found, key=lambda way: (-way[2], way[0], way[1]))


def _sentence(text: str) -> str:
    """A reason as a sentence: games write some of them as the end of a longer one."""
    return f"{_upper(text).rstrip('.')}."


def _share(share: Share) -> str:
    """A share as people read it, with its interval at hand."""
    return f'<b title="{escape(share.say())}, of {share.games} games">{100 * share.rate:.0f} %</b>'


def _counted(values: list[int], name: str, tone: str, xname: str, title: str) -> str:
    """A distribution of whole numbers: a bar each, or for so many together that there are not too many bars."""
    low, high = min(values), max(values)
    step = -(-(high - low + 1) // (2 * BINS))
    edges = [low - 0.5 + number * step for number in range(-(-(high - low + 1) // step) + 1)]
    return plots.histogram(edges, [plots.Bars(name, tone, _shares(values, edges))], xname, title, whole=True)


def _shares(values: list[Any], edges: list[float]) -> list[float]:
    """The share of values in each bin; the last one holds its upper edge too."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        at = next((i for i, upper in enumerate(edges[1:]) if value < upper), len(counts) - 1)
        counts[at] += 1
    return [count / max(len(values), 1) for count in counts]


def _cell(place: str) -> str:
    """The middle of the cell that a square of a table lies in."""
    return ",".join(f"{float(value) // CELL * CELL + CELL / 2:g}" for value in place.split(","))


def _spots(board: Any, places: list[str]) -> list[plots.Spot]:
    """Hexes by their names; on a table squares about their middles."""
    if board.table:
        half = CELL / 2
        spots = []
        for place in places:
            x, y = (float(word) for word in place.split(","))
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            spots.append(plots.Spot(place, [(a * board.step, b * board.step) for a, b in corners]))
        return spots
    return [plots.Spot(hex.id, [(hex.x + x, hex.y + y) for x, y in board.corners]) for hex in board.hexes]
