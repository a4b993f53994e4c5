"""What a side sees and may answer, in figures. Only its view and its question are looked at, nothing behind them.

What a unit is worth is asked of the game, but only of units whose kind the view tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grognard.core.ask import Ask, Option
from grognard.core.battle import Battle
from grognard.core.chronicle import Muster
from grognard.core.dice import FairDice
from grognard.core.game import Game
from grognard.core.view import MarkerView, UnitView, View
from grognard.env.layout import (
    GLOBALS,
    MARKERS,
    MARKS,
    OPTIONS,
    PHASES,
    QUESTIONS,
    STATES,
    UNITS,
    Floats,
    Layout,
    grounds,
    number_in,
    spread,
    squash,
    state,
)
from grognard.env.thinning import thinned

OBJECTIVE = "objective"
#: Where half of the scale is reached: points of a track, figures of a unit, the cost of an option.
TRACK, STAT, COST = 10.0, 8.0, 4.0
#: A marker without a size is reached by whoever is nearer than this, in steps of the board.
NEAR = 0.25

#: Where in an option's row the distances begin, and a row of them.
DISTANCES = OPTIONS.index("to objective")
_BLANK = [0.0] * 6

Point = tuple[float, float]
Points = NDArray[np.float64]


class Encoder:
    """Turns the views of one scenario into observations."""

    def __init__(self, game: Game, scenario: Any, layout: Layout) -> None:
        self.game, self.scenario, self.layout = game, scenario, layout
        board = game.board(scenario)
        self.table, self.facings = board.table, board.facings
        self.width, self.height = board.width / board.step, board.height / board.step
        self.diagonal = hypot(self.width, self.height)
        self._hexes: dict[str, Point] = {hex.id: (hex.x / board.step, hex.y / board.step) for hex in board.hexes}
        columns = {name: number for number, name in enumerate(layout.words.grounds)}
        self._grounds = {
            hex.id: [(columns[name], much) for name, much in grounds(hex.text).items() if name in columns]
            for hex in board.hexes
        }
        self._stats = {stat: number for number, stat in enumerate(layout.words.stats, len(UNITS))}
        opening = game.battle(scenario, game.begin(scenario), FairDice(b"opening"))
        self.most = max([unit.worth for unit in game.muster(opening).values()] or [1.0]) or 1.0

    # -- places ------------------------------------------------------------------------------------

    def point(self, place: str) -> Point | None:
        """Where a place is, in steps of the board; None where it is no place of the board."""
        if not self.table:
            return self._hexes.get(place)
        across, comma, down = place.partition(",")
        try:
            return (float(across), float(down)) if comma else None
        except ValueError:
            return None

    def _scaled(self, point: Point) -> Point:
        return 2 * point[0] / self.width - 1, 2 * point[1] / self.height - 1

    # -- the whole -----------------------------------------------------------------------------------

    def encode(self, battle: Battle[Any], side: str, ask: Ask | None, options: Sequence[Option]) -> Floats:
        """What a side sees, with the options that it is offered, if it is asked."""
        view = self.game.view(battle, side)
        muster = self.game.muster(battle)
        seen = _Seen(self, view, side, muster)
        observation = np.zeros(self.layout.size, dtype=np.float32)
        parts = self.layout.split(observation)
        self._globals(parts.globals, view, side, ask, options)
        self._units(parts.units, seen, options)
        self._markers(parts.markers, seen)
        self._options(parts.options, seen, options)
        # Only where something stands: the rest need not even be fetched from memory.
        filled = (len(seen.units), len(seen.markers), len(options))
        for part in (parts.globals, *(table[:rows] for table, rows in zip(parts[1:], filled))):
            np.minimum(np.maximum(part, -1.0, out=part), 1.0, out=part)
        return observation

    def _globals(self, row: Floats, view: View, side: str, ask: Ask | None, options: Sequence[Option]) -> None:
        sides: Sequence[str] = self.scenario.sides
        figures = [
            view.turn / max(self.scenario.turns, 1),
            1.0 if side == sides[0] else -1.0,
            _whose(view.active, side),
        ]
        if ask is None:
            figures += [0.0] * 4
        else:
            many = len(ask.options)
            figures += [bool(ask.reaction), ask.quiet, many / self.layout.options, many > len(options)]
        enemy = next((each for each in sides if each != side), "")
        for name in self.layout.words.tracks:
            track = view.tracks.get(name, {})
            figures += [squash(_amount(track.get(each)), TRACK) for each in (side, enemy)]
        row[: len(figures)] = figures
        start = len(GLOBALS) + 2 * len(self.layout.words.tracks)
        if ask is not None:
            _mark(row[start:], spread(ask.reaction or ask.rule, QUESTIONS), 1.0)
        _mark(row[start + QUESTIONS :], spread(view.phase, PHASES), 1.0)

    def _units(self, table: Floats, seen: _Seen, options: Sequence[Option]) -> None:
        acting, aimed = {option.unit for option in options}, {option.target for option in options}
        plain = len(UNITS) + len(self._stats)
        blank = [0.0] * len(self._stats)
        for row, (unit, point) in enumerate(zip(seen.units, seen.points)):
            own = 1.0 if unit.side == seen.side else -1.0
            figures = [1.0, own, point is not None, *(self._scaled(point) if point else (0.0, 0.0))]
            figures += self._facing(unit.facing)
            figures += [seen.worth[row], bool(unit.with_unit), unit.id in acting, unit.id in aimed]
            figures += blank
            for stat, value in unit.stats.items():
                if stat in self._stats:
                    figures[self._stats[stat]] = _stat(value)
            table[row, :plain] = figures
            for words in unit.states:
                _mark(table[row, plain:], *state(words))
            for column, much in self._grounds.get(unit.place, ()):
                table[row, plain + STATES + column] = much

    def _facing(self, facing: int) -> Point:
        if not self.table:
            if not 1 <= facing <= len(self.facings):
                return 0.0, 0.0
            facing = int(self.facings[facing - 1])
        turn = radians(facing)
        return sin(turn), -cos(turn)

    def _markers(self, table: Floats, seen: _Seen) -> None:
        for row, (marker, point) in enumerate(seen.markers):
            x, y = self._scaled(point)
            table[row, : len(MARKERS)] = [1.0, _whose(marker.side, seen.side), x, y, marker.kind == OBJECTIVE]
            _mark(table[row, len(MARKERS) :], spread(marker.kind, MARKS), 1.0)

    # -- options ---------------------------------------------------------------------------------------

    def _options(self, table: Floats, seen: _Seen, options: Sequence[Option]) -> None:
        if not options:
            return
        rows, starts, ends = [], [], []
        verbs = self.layout.verbs
        plain = len(OPTIONS)
        verb = plain + len(self.layout.words.grounds)
        for number, option in enumerate(options):
            acting, target = seen.row.get(option.unit), seen.row.get(option.target)
            place = self.point(option.place)
            start = seen.points[acting] if acting is not None else None
            end = place or (seen.points[target] if target is not None else None) or start
            starts.append(start or end)
            ends.append(end)
            x, y = self._scaled(place) if place else (0.0, 0.0)
            moved = (end[0] - start[0], end[1] - start[1]) if start and end else (0.0, 0.0)
            figures = [1.0, number / len(options)]
            figures += self._named(seen, acting, start)
            figures += [target is not None, (target or 0) / self.layout.units]
            figures += (
                [0.0, 0.0] if target is None else [_whose(seen.units[target].side, seen.side), seen.worth[target]]
            )
            figures += [place is not None, x, y, moved[0] / self.width, moved[1] / self.height]
            figures += _BLANK  # the distances
            figures += [squash(number_in(option.cost) or 0.0, COST), max(option.range, 0) / self.diagonal]
            rows.append(figures)
            for column, much in self._grounds.get(option.place, ()):
                table[number, plain + column] = much
            table[number, verb + verbs.get(option.verb, len(verbs))] = 1.0
        table[: len(rows), :plain] = rows
        table[: len(rows), DISTANCES : DISTANCES + len(_BLANK)] = self._distances(seen, starts, ends)

    def _named(self, seen: _Seen, row: int | None, point: Point | None) -> list[float]:
        """The acting unit of an option: whether it is seen, its row, where it is and its worth."""
        if row is None:
            return [0.0] * 5
        x, y = self._scaled(point) if point else (0.0, 0.0)
        return [1.0, row / self.layout.units, x, y, seen.worth[row]]

    def _distances(self, seen: _Seen, starts: Sequence[Point | None], ends: Sequence[Point | None]) -> Points:
        """How far it is from where each option leads to what matters, as a share of the board, and how much nearer."""
        columns = np.zeros((len(ends), 6))
        goals, enemies = len(seen.goals), len(seen.goals) + len(seen.enemies)
        gaps = _gaps(_array([*ends, *starts]), seen.points_of_note)
        there, here = gaps[: len(ends)], gaps[len(ends) :]
        if goals:
            to_goal = there[:, :goals].min(1)
            columns[:, 0] = to_goal
            columns[:, 1] = here[:, :goals].min(1) - to_goal
            columns[:, 2] = self.diagonal * (there[:, :goals] <= seen.reach).any(1)
        if enemies > goals:
            to_enemy = there[:, goals:enemies].min(1)
            columns[:, 3] = to_enemy
            columns[:, 4] = here[:, goals:enemies].min(1) - to_enemy
        if len(seen.points_of_note) > enemies:
            # The unit itself is no company: of the friends on its own spot one does not count.
            others, own = there[:, enemies:], here[:, enemies:]
            others[np.arange(len(ends)), own.argmin(1)] += self.diagonal * (own.min(1) < NEAR)
            columns[:, 5] = others.min(1)
        if nowhere := [number for number, point in enumerate(ends) if point is None]:
            columns[nowhere] = 0.0
        return columns / self.diagonal


class _Seen:
    """What a view shows, ready to be looked up: units in their rows, own ones first, and where everything is."""

    def __init__(self, encoder: Encoder, view: View, side: str, muster: dict[str, Muster]) -> None:
        self.side = side
        units = sorted(view.units, key=lambda unit: unit.side != side)
        self.units: list[UnitView] = thinned(units, encoder.layout.units, lambda unit: unit.side)
        self.row = {unit.id: row for row, unit in enumerate(self.units)}
        self.points = [encoder.point(unit.place) for unit in self.units]
        self.worth = [_worth(unit, muster, encoder.most) for unit in self.units]
        placed = [(marker, point) for marker in view.markers if (point := encoder.point(marker.place))]
        placed.sort(key=lambda pair: pair[0].kind != OBJECTIVE)
        self.markers: list[tuple[MarkerView, Point]] = thinned(
            placed, encoder.layout.markers, lambda pair: pair[0].kind
        )
        goals = [(m, point) for m, point in self.markers if m.kind == OBJECTIVE and m.side != side]
        self.goals = [point for _, point in goals]
        self.reach = np.array([max(marker.radius, NEAR) for marker, _ in goals])
        standing = [(unit.side == side, point) for unit, point in zip(self.units, self.points) if point]
        self.enemies = [point for own, point in standing if not own]
        #: Where the goals are, then the enemies, then the friends.
        self.points_of_note = _array([*self.goals, *self.enemies, *(point for own, point in standing if own)])


def _mark(row: Floats, columns: Sequence[int], much: float) -> None:
    for column in columns:
        row[column] = much


def _worth(unit: UnitView, muster: dict[str, Muster], most: float) -> float:
    """What is left of a unit's worth, as a share of the best unit's; 0 where the view does not tell what it is."""
    found = muster.get(unit.id)
    return found.worth / most if found is not None and found.kind in unit.name else 0.0


def _stat(value: Any) -> float:
    """A figure of a unit, scaled."""
    if type(value) is int:
        return value / (abs(value) + STAT)
    return squash(number_in(value) or 0.0, STAT)


def _whose(owner: str, side: str) -> float:
    return (1.0 if owner == side else -1.0) if owner else 0.0


def _amount(value: Any) -> float:
    """How much a track counts: a figure, or how many things there are of which it tells the names or numbers."""
    if isinstance(value, dict):
        return sum(_amount(each) for each in value.values())
    return float(len(value)) if isinstance(value, list | tuple) else number_in(value) or 0.0


def _array(points: Sequence[Point | None]) -> Points:
    return np.array([point or (0.0, 0.0) for point in points], dtype=float).reshape(-1, 2)


def _gaps(these: Points, those: Points) -> Points:
    """The distances of all of these from all of those."""
    across = these[:, None, :] - those[None, :, :]
    gaps: Points = np.sqrt(np.einsum("ijk,ijk->ij", across, across))
    return gaps
