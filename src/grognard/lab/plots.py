"""Plots as SVG and HTML text, coloured by the page's own style so that they follow light and dark.

A side's colour is its class, ``a`` for the first and ``b`` for the second. Every mark has a title with its figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from grognard.lab.statistics import Share

WIDTH, HEIGHT = 400.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 20.0, 28.0, 40.0
#: A place of a map has its figure written on it where it has so much of the most.
TOLD = 0.25


class Line(NamedTuple):
    """A line of a plot: its name, its class, its points, and the band about it that holds the middle half of games."""

    name: str
    tone: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


class Bars(NamedTuple):
    """The bars of a histogram: their name, class and heights, one for each bin."""

    name: str
    tone: str
    heights: Sequence[float]


class Pair(NamedTuple):
    """A kind of unit with its side's class, how many there were and what they were worth, what of that was lost and
    what they destroyed."""

    name: str
    tone: str
    units: float
    worth: float
    cost: float
    done: float


def svg(width: float, height: float, body: str, label: str) -> str:
    """A picture of a size, with what it shows in words."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label, quote=True)}">'
        f"<title>{escape(label)}</title>{body}</svg>"
    )


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two values, at most so many.

    >>> ticks(0, 10), ticks(0, 0.9)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], [0.0, 0.2, 0.4, 0.6, 0.8])
    """
    span = high - low
    if span <= 0:
        return [low]
    rough = span / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def percents(counts: Sequence[int]) -> list[int]:
    """Counts as whole percents that add up to a hundred.

    >>> percents([1, 1, 1]), percents([0, 0])
    ([34, 33, 33], [0, 0])
    """
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    found = [100 * count // total for count in counts]
    rest = sorted(range(len(counts)), key=lambda i: (-(100 * counts[i] % total), i))
    for index in rest[: 100 - sum(found)]:
        found[index] += 1
    return found


def figure(value: float) -> str:
    """A figure as short as it may be.

    >>> figure(0.002), figure(0.0749), figure(3.14), figure(231.4)
    ('0', '0.07', '3.1', '231')
    """
    if abs(value) < 0.005:
        return "0"
    if value == round(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}"


# ---- who wins ------------------------------------------------------------------------------------------------------


def win_bar(names: tuple[str, str], wins: tuple[int, int], draws: int, share: Share, tones: str = "anb") -> str:
    """Wins of both sides and draws as one bar, with the first side's share and its interval above.

    ``tones`` are the classes of the first, of draws and of the second.
    """
    games = sum(wins) + draws
    counts = (wins[0], draws, wins[1])
    parts, keys = [], []
    for name, count, tone, hundredth in zip((names[0], "Drawn", names[1]), counts, tones, percents(counts)):
        says = escape(f"{name}: {count} of {games} games", quote=True)
        text = f"<b>{escape(name)}</b><b>{hundredth} %</b>"
        if count:
            parts.append(f'<span class="{tone}" style="flex:{count} 0 0" title="{says}">{text}</span>')
        if count or tone != "n":
            keys.append(f'<span class="key {tone}">{escape(name)} {count}</span>')
    low, rate, high = (100 * value for value in (share.low, share.rate, share.high))
    says = escape(f"{names[0]}, a draw as half a win: {share.say()}", quote=True)
    label = escape(f"{names[0]} won {wins[0]}, {names[1]} won {wins[1]}, {draws} drawn", quote=True)
    return (
        f'<div class="winbar" role="img" aria-label="{label}">'
        f'<div class="whisker" title="{says}"><i style="left:{low:.2f}%;width:{high - low:.2f}%"></i>'
        f'<b style="left:{rate:.2f}%"></b></div><div class="bar">{"".join(parts)}</div>'
        f'<div class="even"><span>even</span></div></div><p class="legend">{"".join(keys)}</p>'
    )


# ---- axes ----------------------------------------------------------------------------------------------------------


class _Axes:
    """A frame with numbers on both sides."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float], xname: str, title: str) -> None:
        self.x0, self.x1 = x
        self.y0, self.y1 = y if y[1] > y[0] else (y[0], y[0] + 1.0)
        self.xname, self.title = xname, title

    def x(self, value: float) -> float:
        """Where a value lies across."""
        span = self.x1 - self.x0 or 1.0
        return LEFT + (value - self.x0) / span * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Where a value lies up and down."""
        return HEIGHT - BOTTOM - (value - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)

    def frame(self, *, whole: bool = False, percent: bool = False, across: bool = False) -> str:
        """Grid lines, numbers and names; ``percent`` for the numbers at the left, ``across`` for those below."""
        parts = [f'<text class="head" x="0" y="13">{escape(self.title)}</text>']
        for value in ticks(self.y0, self.y1, 5):
            text = f"{100 * value:g} %" if percent else _number(value)
            y = self.y(value)
            parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(f'<text class="small end" x="{LEFT - 6}" y="{y + 4:.1f}">{text}</text>')
        for value in ticks(self.x0, self.x1, 8):
            if whole and value != int(value):
                continue
            text = f"{100 * value:g} %" if across else _number(value)
            parts.append(f'<text class="small mid" x="{self.x(value):.1f}" y="{HEIGHT - 23}">{text}</text>')
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(f'<text class="small mid" x="{middle}" y="{HEIGHT - 6}">{escape(self.xname)}</text>')
        return "".join(parts)


def _number(value: float) -> str:
    """A number of an axis, with a minus that is as wide as a digit."""
    return f"{value:g}".replace("-", "−")


def lines(drawn: Sequence[Line], xname: str, title: str) -> str:
    """Lines over the turns, each with its band."""
    points = [point for line in drawn for point in (*line.points, *line.band)]
    if not points:
        return ""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    axes = _Axes((min(xs), max(max(xs), min(xs) + 1)), (min(0.0, *ys), max(0.0, *ys) * 1.04), xname, title)
    parts = [axes.frame(whole=True)]
    parts += [f'<polygon class="band {each.tone}" points="{_path(axes, each.band)}"/>' for each in drawn if each.band]
    for line in drawn:
        parts.append(f'<polyline class="line {line.tone}" points="{_path(axes, line.points)}"/>')
        parts += [
            f'<circle class="{line.tone}" cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="3.5">'
            f"{_title(f'{line.name}, {xname} {x:g}: {figure(y)} on average')}</circle>"
            for x, y in line.points
        ]
    return svg(WIDTH, HEIGHT, "".join(parts), f"{title} by {xname}: " + ", ".join(line.name for line in drawn))


def _path(axes: _Axes, points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)


def histogram(
    edges: Sequence[float],
    drawn: Sequence[Bars],
    xname: str,
    title: str,
    *,
    whole: bool = False,
    percent: bool = False,
) -> str:
    """Shares of games by a value, the sides' bars beside each other. ``whole`` bins are about whole numbers."""
    top = max((value for bars in drawn for value in bars.heights), default=0.0)
    axes = _Axes((edges[0], edges[-1]), (0.0, max(top * 1.04, 0.01)), xname, title)
    parts = [axes.frame(whole=whole, percent=True, across=percent)]
    for low, high, *values in zip(edges, edges[1:], *(bars.heights for bars in drawn)):
        left, right = axes.x(low) + 1, axes.x(high) - 1
        wide = (right - left) / len(drawn)
        for number, (bars, value) in enumerate(zip(drawn, values)):
            if value:
                says = f"{bars.name}, {_span(low, high, whole, percent)}: {100 * value:.1f} % of games"
                parts.append(
                    f'<rect class="{bars.tone}" x="{left + number * wide:.1f}" y="{axes.y(value):.1f}" '
                    f'width="{max(wide, 0.5):.1f}" height="{axes.y(0) - axes.y(value):.1f}">{_title(says)}</rect>'
                )
    return svg(WIDTH, HEIGHT, "".join(parts), f"Share of games by {xname}")


def _span(low: float, high: float, whole: bool, percent: bool) -> str:
    if whole and high - low == 1:
        return f"{(low + high) / 2:g}"
    if whole:
        return f"{math.ceil(low)} to {math.floor(high)}"
    return f"{100 * low:.3g} to {100 * high:.3g} %" if percent else f"{low:g} to {high:g}"


def bars_beside(rows: Sequence[Pair], left: str, right: str) -> str:
    """For each row a name, and two bars away from it: what it cost and what it destroyed."""
    if not rows:
        return "<p>No unit fired or was lost.</p>"
    most = max(max(row.cost, row.done) for row in rows) or 1.0
    found = [
        f'<div class="head"></div><div class="head cost">{escape(left)}</div><div class="head">{escape(right)}</div>'
    ]
    for row in rows:
        many = f" <small>× {figure(row.units)}</small>"
        paid = f", {row.done / row.worth:.2f} per point of its own worth" if row.worth else ""
        says = escape(f"{row.name}: {figure(row.units)} per game, worth {figure(row.worth)}", quote=True)
        cells = [f'<div class="key {row.tone}" title="{says}"><span>{escape(row.name)}{many}</span></div>']
        for value, what, kind in ((row.cost, left, " cost"), (row.done, right, "")):
            says = escape(f"{row.name}: {what} {value:.2f}{paid if not kind else ''}", quote=True)
            # A quarter is left for the number beside the longest bar.
            wide = f"width:{75 * value / most:.2f}%"
            cells.append(
                f'<div class="run{kind}" title="{says}"><i class="{row.tone}" style="{wide}"></i>{figure(value)}</div>'
            )
        found += cells
    return f'<div class="pairs">{"".join(found)}</div>'


# ---- on the map -----------------------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """A place of the map as a polygon in its picture's pixels."""

    place: str
    outline: Sequence[tuple[float, float]]


def heat(
    size: tuple[float, float],
    spots: Sequence[Spot],
    values: Mapping[str, tuple[float, float]],
    names: tuple[str, str],
    what: str,
    unit: str,
) -> str:
    """A layer over the map: each place in the colour of the side that has more there, the stronger the more."""
    most = max((max(pair) for pair in values.values()), default=0.0)
    parts: list[str] = []
    written: list[str] = []
    for spot in spots:
        one, other = values.get(spot.place, (0.0, 0.0))
        total = max(one, other)
        if most <= 0 or total <= 0:
            continue
        tone = "a" if one >= other else "b"
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spot.outline)
        says = f"{spot.place}, {unit}: {names[0]} {figure(one)}, {names[1]} {figure(other)}"
        parts.append(
            f'<polygon class="{tone}" fill-opacity="{strength(total / most):.2f}" points="{path}">'
            f"{_title(says)}</polygon>"
        )
        if total >= TOLD * most:
            across, down = (sum(each) / len(spot.outline) for each in zip(*spot.outline))
            tall = (max(y for _, y in spot.outline) - min(y for _, y in spot.outline)) / 4
            written.append(
                f'<text class="mid told" x="{across:.1f}" y="{down + 0.35 * tall:.1f}" '
                f'style="font-size:{tall:.1f}px">{figure(total)}</text>'
            )
    # Figures lie above all places, so that a neighbour does not cover them.
    return svg(*size, "".join(parts + written), what)


def strength(share: float) -> float:
    """How strong a colour is: a square root lets the eye see weaker places beside one that outshines all."""
    return 0.12 + 0.68 * math.sqrt(share)


def scale(names: tuple[str, str], most: tuple[float, float], unit: str) -> str:
    """The key of a heat map: whose colour is whose, and what the strongest of each stands for."""
    top = max(most) or 1.0
    rows = []
    for name, tone, value in zip(names, "ab", most):
        steps = "".join(
            f'<i class="{tone}" style="opacity:{strength(value * part / top):.2f}"></i>' for part in (0.1, 0.3, 0.6, 1)
        )
        rows.append(f'<span class="scale">{escape(name)} {steps} up to {figure(value)}</span>')
    key = f"<span>{escape(unit)}; each place has the colour of the side with more</span>"
    return f'<p class="scales">{"".join(rows)}{key}</p>'
