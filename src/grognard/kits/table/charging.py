"""Charging: ways into contact with an enemy, where everybody ends who comes along, and stepping back again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.bodies import DISC, Body, Place
from grognard.board.table.routes import gaps_from
from grognard.board.table.ways import Path, Ways

Floats = NDArray[np.float64]

#: Places about a base that are looked at for somebody to come into contact with it.
AROUND = 24
#: How far off the base those places lie: whole places near them still touch it, and do not lie in it.
OFF = 0.6
#: How finely the way of whoever cannot keep up is cut off, in hundredths.
FINE = 5
#: Places beside those who have come up: shoulder to shoulder, and as wide as most chains allow.
BESIDE = (1.0, 60.0)
#: How far to the side a unit goes that steps back, in degrees.
ASIDE = (0, 30, -30, 60, -60, 90, -90)


class Contact(NamedTuple):
    """Who comes into contact, by number, at which place, and how far he goes."""

    number: int
    place: Place
    far: float


class Charge:
    """The ways of a unit into contact with another.

    ``known`` are its bases, turned as they will end if they are no discs; ``foes`` those that it charges, and ``reach``
    how near each has to stay to those who have come up before him. ``friends`` are bases that it may pass: nobody ends
    in one of them.
    """

    def __init__(
        self,
        known: Sequence[Body],
        foes: Sequence[Body],
        ways: Ways,
        *,
        reach: float = math.inf,
        friends: Sequence[Body] = (),
    ) -> None:
        self.known, self.foes, self.ways, self.reach = list(known), list(foes), ways, reach
        self.friends = list(friends)

    # ---- what they charge, which a game may say otherwise, as of a house ----

    def contacts(self, number: int) -> Floats:
        """Places at which a model touches whom it charges."""
        body = self.known[number]
        x, y = self.ways.starts[number]
        points = []
        for foe in self.foes:
            round_ = body.foot.shape == DISC
            rim = (bodies.shape(foe, body.foot.radius + OFF) if round_ else bodies.sum_of(foe, body, OFF)).exterior
            points.append(_nearest_on(rim, x, y))
            points += [(p.x, p.y) for p in (rim.interpolate(i / AROUND, normalized=True) for i in range(AROUND))]
        return np.array(points, dtype=np.float64).reshape(-1, 2)

    def from_target(self, number: int, points: Floats) -> Floats:
        """How far a model would be from whom it charges at some points; below 0 it would lie in him."""
        body = self.known[number]
        if body.foot.shape == DISC:
            return np.asarray(gaps_from(points, self.foes) - body.foot.radius)
        there = [body.at(round(x), round(y)) for x, y in points]
        found: Floats = bodies.separations(there, self.foes).min(axis=1)
        return found

    def off(self, apart: Floats) -> Floats:
        """How far off whom it charges a model counts as being: of places that count the same it takes the nearest."""
        found: Floats = np.maximum(apart, 0.0).round(1)
        return found

    # ---- who gets there ----

    def lengths(self, number: int, points: Floats) -> Floats:
        """The shortest ways of a model to points; infinity where it cannot get."""
        found: Floats = self.ways.reach(number).lengths(points)
        return found

    def first(self, *, any_will_do: bool = False) -> Contact | None:
        """Who comes into contact by the shortest way; None if nobody can.

        Where ``any_will_do`` the nearest to the target are tried first, and whoever gets there is taken.
        """
        best: tuple[float, int, Place] | None = None
        slack = 5 * bodies.CONTACT
        far = self.ways.far + slack
        near = [min((bodies.gap_to_point(foe, x, y) for foe in self.foes), default=0.0) for x, y in self.ways.starts]
        for number in sorted(range(len(self.known)), key=near.__getitem__):
            body = self.known[number]
            if near[number] - body.foot.farthest > (far if best is None else min(far, best[0] + slack)):
                continue  # too far away however it goes, or farther than somebody who gets there has to go
            points = np.round(self.contacts(number))
            if not len(points):
                continue
            apart = self.from_target(number, points)
            ways = np.where(apart <= bodies.CONTACT, self.lengths(number, points), np.inf)
            for i in np.argsort(ways, kind="stable"):
                found = (float(ways[i]), number, (int(points[i][0]), int(points[i][1])))
                if not math.isfinite(found[0]):
                    break
                # A whole place may come to lie a hair inside a base that its point only touches.
                if not bodies.overlaps(body.at(*found[2]), [*self.foes, *self.friends]):
                    best = found if best is None else min(best, found)
                    break
            if any_will_do and best is not None:
                break
        return None if best is None else Contact(best[1], best[2], best[0])

    def close_in(self, first: Contact) -> dict[int, Place]:
        """Where every model ends: the first in contact, the others as close as they can get, and by one another."""
        ends = {first.number: first.place}
        placed = [self.known[first.number].at(*first.place)]
        rest = [number for number in range(len(self.known)) if number != first.number]
        for number in sorted(rest, key=lambda number: _apart(self.known[number], first.place)):
            ends[number] = spot = self._beside(number, placed) or self._toward(number, placed)
            placed.append(self.known[number].at(*spot))
        return ends

    def paths(self, first: Contact) -> dict[int, Path]:
        """The way of every model, by number: that of the first, then of those who were nearest to where he ends."""
        return {number: self.ways.path(number, end) for number, end in self.close_in(first).items()}

    def _beside(self, number: int, placed: Sequence[Body]) -> Place | None:
        """Where a model that keeps up ends: in contact, or beside those who have come up; None if it cannot."""
        body = self.known[number]
        points = np.concatenate([self.contacts(number), _about(body, placed)]).round()
        ways, apart = self.lengths(number, points), self.from_target(number, points)
        for i in np.lexsort((ways, self.off(apart))):
            there = body.at(int(points[i][0]), int(points[i][1]))
            if not math.isfinite(float(ways[i])) or apart[i] < -bodies.SLACK:
                continue
            if bodies.overlaps(there, [*placed, *self.friends]):
                continue
            if min(bodies.gap(there, one) for one in placed) <= self.reach:
                return there.x, there.y
        return None

    def _toward(self, number: int, placed: Sequence[Body]) -> Place:
        """A model that cannot keep up goes as far as it can toward the one in contact."""
        x, y = self.ways.starts[number].round().astype(int).tolist()
        body, goal = self.known[number].at(x, y), placed[0]
        parts = np.linspace(1.0, 0.0, 2 + int(_apart(body, (goal.x, goal.y)) / FINE))[:, None]
        points = np.round(np.array([[body.x, body.y]]) + parts * np.array([[goal.x - body.x, goal.y - body.y]]))
        ways, apart = self.lengths(number, points), self.from_target(number, points)
        for i in range(len(points)):
            there = body.at(int(points[i][0]), int(points[i][1]))
            if not math.isfinite(float(ways[i])) or apart[i] < 0:
                continue
            if not bodies.overlaps(there, [*placed, *self.friends]):
                return there.x, there.y
        return body.x, body.y


# ---- parting -------------------------------------------------------------------------------------------------


def step_back(stand: Sequence[Body], foes: Sequence[Body], step: float, free: Callable[[Body], bool]) -> list[Place]:
    """Where the bases of a unit are when all of them have gone a step away from whom they fought, side by side.

    It is straight away from them, or as little to one side as everybody needs to stand ``free``; [] if nobody can go.
    """
    middle = sum(body.x for body in foes) / len(foes), sum(body.y for body in foes) / len(foes)
    dx = sum(body.x for body in stand) / len(stand) - middle[0]
    dy = sum(body.y for body in stand) / len(stand) - middle[1]
    for turn in ASIDE:
        way = math.atan2(dy, dx) + math.radians(turn)
        places = [(round(b.x + step * math.cos(way)), round(b.y + step * math.sin(way))) for b in stand]
        if all(free(body.at(*place)) for body, place in zip(stand, places)):
            return places
    return []


def _nearest_on(rim: Any, x: float, y: float) -> tuple[float, float]:
    at = rim.interpolate(rim.project(shapely.Point(x, y)))
    return at.x, at.y


def _apart(body: Body, place: Place) -> float:
    return math.hypot(body.x - place[0], body.y - place[1])


def _about(body: Body, placed: Sequence[Body]) -> Floats:
    """Places beside those who have come up."""
    found = []
    for other in placed:
        for gap in BESIDE:
            far = other.foot.farthest + body.foot.farthest + gap
            for degrees in range(0, 360, 30):
                dx, dy = bodies.direction(degrees)
                found.append((other.x + dx * far, other.y + dy * far))
    return np.array(found, dtype=np.float64)
