"""Sight in words and as threads on the table: between units, between points, or from one to the other."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, NamedTuple

import numpy as np

from grognard.board.table.bodies import Body, Footprint, gap
from grognard.board.table.places import apart as ruled
from grognard.board.table.places import from_edges
from grognard.board.table.scene import Eye, Mark
from grognard.board.table.sight import Crossing, trace
from grognard.core.aid_views import Crossed, SightLine, SightView
from grognard.core.errors import GrognardError
from grognard.core.poses import place, point
from grognard.kits.table.looks import B, Look, Looks, U
from grognard.kits.table.state import ON_TABLE, Unit

CLEAR, COVERED, BLOCKED = "clear", "degraded", "blocked"


class Thread(NamedTuple):
    """A line of sight between two models or points, in the table's measure, and what it comes to."""

    x1: float
    y1: float
    x2: float
    y2: float
    state: str
    text: str
    blocked_at: tuple[float, float] | None = None


class SightReport(NamedTuple):
    """What is seen of what, why or why not, and over which range in hundredths."""

    start: str
    end: str
    range: float
    state: str
    text: str
    crossed: tuple[Crossed, ...]
    threads: tuple[Thread, ...]

    @property
    def clear(self) -> bool:
        """Whether there is sight at all."""
        return self.state != BLOCKED

    def say(self) -> str:
        """The verdict, and what lies on the way."""
        crossed = [f"  {each.text}" + (f" [{each.rule}]" if each.rule else "") for each in self.crossed]
        return "\n".join([self.text, *crossed])

    def view(self) -> SightView:
        """The same as a client shows it."""
        return SightView(
            start=self.start,
            end=self.end,
            range=round(self.range / 100),
            state=self.state,
            text=self.text,
            crossed=list(self.crossed),
            lines=[SightLine(t.x1, t.y1, t.x2, t.y2, t.state, t.blocked_at, t.text) for t in self.threads],
        )


class SightWords(ABC, Generic[B, U]):
    """What a game says of sight: its words of cover, its rules, and what the weapons of a unit could do."""

    #: The rules that nothing is seen by, and that friends are in the way by.
    unseen: ClassVar[str]
    friends: ClassVar[str] = ""
    #: Who stands at a point that is asked for.
    somebody: ClassVar[str]

    @property
    @abstractmethod
    def foot(self) -> Footprint:
        """The base of whoever stands at a point."""

    @abstractmethod
    def cover(self, cover: int) -> str:
        """A cover in words, such as "in the open"."""

    @abstractmethod
    def rule(self, battle: B, crossing: Crossing) -> str:
        """The rule behind what a thing does to a line."""

    def blind(self) -> str:
        """Why a unit has no eyes at all on that side, as in a building without openings."""
        return ""

    def of_the_whole(self, seen: Look, row: int, column: int) -> Iterable[Crossed]:
        """Why a unit has another cover than the model that is looked at."""
        return ()

    def weapons(self, battle: B, unit: U, target: U, seen: Look) -> Iterable[Crossed]:
        """What the weapons of a unit could do to another from where it stands."""
        return ()


def report(looks: Looks[B, U], start: str, end: str, words: SightWords[B, U]) -> SightReport:
    """Sight between two units or points; a point is "x,y" in the table's measure, where somebody is taken to stand."""
    return _Reporter(looks, words).report(start, end)


class _Reporter(Generic[B, U]):
    """Who looks, by which rules and in which words."""

    def __init__(self, looks: Looks[B, U], words: SightWords[B, U]) -> None:
        self.looks, self.words = looks, words
        self.battle, self.sighting = looks.battle, looks.sighting

    def report(self, start: str, end: str) -> SightReport:
        one, other = self._party(start), self._party(end)
        if not isinstance(one, Body) and not isinstance(other, Body):
            return self._units(one, other)
        there = [other] if isinstance(other, Body) else self.battle.bodies(other)
        eyes = [self.battle.scene.eye(one)] if isinstance(one, Body) else self.sighting.eyes(one, there)
        marks = [Mark(other)] if isinstance(other, Body) else self.sighting.marks(other)
        who = self._name(one)
        return self._traced(start, end, f"{who[:1].upper()}{who[1:]} {{}} {self._name(other)}", eyes, marks)

    def _party(self, text: str) -> U | Body:
        """A unit on the table, or somebody at a point."""
        table = self.battle.table
        found: U | None = self.battle.state.units.get(text)
        if found is not None:
            if found.status != ON_TABLE or not found.models:
                raise GrognardError(f"{self.battle.name(found)} isn't on the table")
            return found
        try:
            x, y = point(text)
        except ValueError as error:
            raise GrognardError(f"{text!r} is neither a unit nor a place; write a place as 12.5,30") from error
        if not (0 <= x <= table.width and 0 <= y <= table.height):
            raise GrognardError(f"{text} isn't on the table")
        return Body(x, y, 0, self.words.foot)

    def _name(self, party: Unit[Any] | Body) -> str:
        if isinstance(party, Body):
            return f"{self.words.somebody} ({from_edges(self.battle.table, party.x, party.y)})"
        return self.battle.name(party)

    def _ruled(self, far: float) -> str:
        return ruled(far, self.battle.measure)

    # -- unit to unit ------------------------------------------------------------------------------------

    def _units(self, unit: U, target: U) -> SightReport:
        """How many of a unit see another, over which range and in which cover; one thread for each model."""
        seen = self.looks.look(unit, target)
        name, their = self.battle.name(unit), self.battle.name(target)
        if np.isinf(seen.gaps).all():
            return self._blind(unit.id, target.id, f"{name} does not see {their}")
        who = [row for row, sees in enumerate(seen.in_sight) if sees]
        best, column = _best_pair(seen, who)
        crossed, at = self._on_the_way(unit, target, seen, best, column)
        far = float(seen.gaps[best, column])
        if who:
            cover = max(set(covers := [seen.cover[row] for row in who]), key=covers.count)
            masked = sum(seen.nearest[row] == math.inf for row in who)
            count = "sees" if len(unit.models) == 1 else f"({len(who)} of {len(unit.models)}) sees"
            text = f"{name} {count} {their} at {self._ruled(far)}, {self.words.cover(cover)}"
            if masked:
                text += f"; friends are in the way of {masked} [{self.words.friends}]"
            state = COVERED if cover else CLEAR
            crossed += tuple(self.words.of_the_whole(seen, best, column))
        else:
            text = f"{name} does not see {their} at {self._ruled(far)} [{self.words.unseen}]"
            state = BLOCKED
        threads = tuple(self._thread(unit, target, seen, row, best, at) for row in range(len(unit.models)))
        weapons = self.words.weapons(self.battle, unit, target, seen)
        return SightReport(unit.id, target.id, far, state, text, (*crossed, *weapons), threads)

    def _blind(self, start: str, end: str, text: str) -> SightReport:
        """Nobody looks out on that side, and from nowhere there is no range."""
        return SightReport(start, end, 0.0, BLOCKED, f"{text}: {self.words.blind()}", (), ())

    def _on_the_way(
        self, unit: U, target: U, seen: Look, row: int, column: int
    ) -> tuple[tuple[Crossed, ...], tuple[float, float] | None]:
        body, inside = seen.posts[row], self.battle.stance(unit)[2]
        eye = Eye(*seen.eyes[row], float(body.foot.eye), body, inside)
        return self._crossings(eye, self.sighting.marks(target)[column])

    def _crossings(self, eye: Eye, mark: Mark) -> tuple[tuple[Crossed, ...], tuple[float, float] | None]:
        """What lies on a line, each thing once, and where it is stopped."""
        found = trace(self.battle.scene, eye, mark, self.sighting.rules)
        effects = {"block": "block", "cover": "degrade", "none": "none"}
        crossed = tuple(
            Crossed(
                places=[place(round(each.at[0]), round(each.at[1]))],
                text=each.says,
                effect=effects[each.effect],
                rule=self.words.rule(self.battle, each),
            )
            for each in found.crossings
        )
        stops = [each.at for each in found.crossings if each.effect == "block"]
        at = (stops[0][0] / 100, stops[0][1] / 100) if stops and not found.seen else None
        return crossed, at

    def _thread(self, unit: U, target: U, seen: Look, row: int, best: int, at: tuple[float, float] | None) -> Thread:
        """The thread of one model: to the nearest that it sees, or to the nearest."""
        sees = seen.pairs.seen[row]
        ranges = np.where(sees, seen.gaps[row], np.inf) if sees.any() else seen.gaps[row]
        column = int(np.asarray(ranges).argmin())
        there = target.models[column]
        x, y = seen.eyes[row]
        state = BLOCKED if not sees.any() else COVERED if seen.cover[row] else CLEAR
        text = f"{unit.models[row].id}: {self._ruled(float(seen.gaps[row][column]))}, "
        if state == BLOCKED:
            thing = int(seen.pairs.by[row][column])
            text += self.battle.scene.things[thing].title if thing >= 0 else "not in sight"
        elif seen.nearest[row] == math.inf:
            text += "friends in the way"
        else:
            text += self.words.cover(seen.cover[row])
        stopped = at if state == BLOCKED and row == best else None
        return Thread(x / 100, y / 100, there.x / 100, there.y / 100, state, text, stopped)

    # -- with a point at one end or both -----------------------------------------------------------------

    def _traced(self, start: str, end: str, names: str, eyes: list[Eye], marks: list[Mark]) -> SightReport:
        """Sight from eyes to marks, of which there are few: the best pair is explained."""
        if not eyes:
            return self._blind(start, end, names.format("does not see"))
        found = self.sighting.see(eyes, marks)
        apart = np.array([[gap(eye.body, mark.body) for mark in marks] for eye in eyes])
        ranges = np.where(found.seen, apart, np.inf) if found.seen.any() else apart
        row, column = divmod(int(ranges.argmin()), ranges.shape[1])
        crossed, at = self._crossings(eyes[row], marks[column])
        cover = int(found.cover[row, column])
        far = float(apart[row, column])
        state = BLOCKED if not found.seen.any() else COVERED if cover else CLEAR
        if state == BLOCKED:
            text = names.format("does not see") + f" at {self._ruled(far)} [{self.words.unseen}]"
        else:
            text = names.format("sees") + f" at {self._ruled(far)}, {self.words.cover(cover)}"
        threads = []
        for i, eye in enumerate(eyes):
            j = int(np.where(found.seen[i], apart[i], apart[i] + 1e6).argmin())
            there = marks[j].body
            seen = bool(found.seen[i, j])
            each = BLOCKED if not seen else COVERED if found.cover[i, j] else CLEAR
            stopped = at if not seen and i == row else None
            told = self._ruled(float(apart[i, j]))
            threads.append(Thread(eye.x / 100, eye.y / 100, there.x / 100, there.y / 100, each, told, stopped))
        return SightReport(start, end, far, state, text, crossed, tuple(threads))


def _best_pair(seen: Look, who: list[int]) -> tuple[int, int]:
    """The nearest pair of models that see each other, or simply the nearest."""
    ranges = np.where(seen.pairs.seen, seen.gaps, np.inf) if who else seen.gaps
    row, column = divmod(int(np.asarray(ranges).argmin()), ranges.shape[1])
    return row, column
