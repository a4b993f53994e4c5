"""Unit cohesion (5, 14.6): who is in it, where those who move must end, and the way back into it.

A Team is in cohesion if it stands within 6 inches of its Platoon Leader, or of a Team that does. Of a layout this is
plain arithmetic (`Ties.bar`); of Teams that move in a form while others stay it is a region of poses (`Ties.within`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly
from grognard.board.table.regions import covered
from grognard.core.ask import Bar
from grognard.games.company import cover
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import MEASURE
from grognard.games.company.state import CC, FO, Platoon, Team

Bools = NDArray[np.bool_]
Place = tuple[int, int]
#: Where something holds: everywhere, nowhere, or in a shape.
Where = BaseGeometry | bool

TOWARD_ENEMY = Bar("14.6", "its Leader is dead, and it would come closer to an enemy that it sees")


def bound(battle: CompanyBattle, team: Team) -> bool:
    """Whether a Team has to keep cohesion and counts for it: not observers, nor the commander (5.4, 15.14)."""
    return battle.team_type(team).leader not in (CC, FO)


class Ties:
    """What ties the Teams of a Unit together while some of them move.

    ``teams`` and their ``known`` bases are all that stand on the table, and whoever is about to be set down; ``going``
    are those who move, by number. ``gone`` are the ids of those who have moved in this activation before.
    """

    def __init__(
        self,
        battle: CompanyBattle,
        unit: Platoon,
        teams: Sequence[Team],
        known: Sequence[Body],
        going: Sequence[int],
        gone: Collection[str] = (),
    ) -> None:
        self.battle, self.unit, self.known, self.going = battle, unit, list(known), list(going)
        self.far = battle.charts.distance("cohesion", "distance")
        self.duty = [bound(battle, team) for team in teams]
        ids = [team.id for team in teams]
        riders = [rider for rider in unit.riders if rider.id not in ids]
        # Riders are where their vehicle is, and count with it.
        self.weights = [
            (1 + sum(rider.aboard == team.id for rider in riders)) if duty else 0
            for team, duty in zip(teams, self.duty)
        ]
        leader = battle.leader(unit)
        place = (leader.aboard if leader in riders else leader.id) if leader else ""
        self.leader = ids.index(place) if place in ids else -1
        self.names = [battle.team_name(unit, team) for team in teams]
        self.gone = [number for number, id in enumerate(ids) if id in gone and number not in going]
        least = battle.charts["cohesion"]["least"]
        self.least = int(np.ceil(sum(self.weights) * least - 1e-9))

    # ---- of a layout ----

    def held(self, stand: Sequence[Body]) -> Bools:
        """Which Teams are in cohesion where they would stand so; all where nobody leads (5.1, 5.5)."""
        if self.leader < 0:
            return np.ones(len(stand), dtype=np.bool_)
        near = bodies.gaps(stand, stand) <= self.far + bodies.HAIR
        by = near[self.leader] & np.array(self.duty)
        by[self.leader] = True
        held: Bools = by | near[by].any(axis=0)
        return held

    def count(self, held: Bools) -> int:
        """How many Teams of the Unit are in cohesion, riders with their vehicles."""
        return int(np.array(self.weights)[held].sum())

    @cached_property
    def before(self) -> Bools:
        """Who is in cohesion as they stand."""
        return self.held(self.known)

    @property
    def wanted(self) -> int:
        """How many have to be in cohesion: half, or as many as were where they are fewer (5.2)."""
        return min(self.least, self.count(self.before))

    def bar(self, stand: Sequence[Body], numbers: Sequence[int]) -> Bar | None:
        """Why the Teams may not stand so; of a form of some of them `within` speaks (5.1, 5.2, 5.6)."""
        if self.leader < 0 or len(numbers) < len(self.known):
            return None
        held = self.held(stand)
        for number in [*self.going, *self.gone]:
            if self.duty[number] and not held[number]:
                return self.out_of(number)
        return self.too_few if self.count(held) < self.wanted else None

    def out_of(self, number: int) -> Bar:
        """Why a Team may not end where it would (5.1)."""
        far = exactly(self.far, MEASURE)
        return Bar(
            "5.1",
            f"it would be out of cohesion: not within {far} of its Leader or of a Team that is",
            self.names[number],
        )

    @property
    def too_few(self) -> Bar:
        """Why the others may not be left behind (5.2)."""
        return Bar("5.2", "less than half of the Unit would be in cohesion with its Leader")

    # ---- of poses ----

    def within(self, offsets: Mapping[int, Place], heading: Callable[[int], int]) -> BaseGeometry | None:
        """Where the pose of those who go may be; ``offsets`` are their places about it. None where it is all one."""
        base = {n: self.known[n].at(*at, heading(n)) for n, at in offsets.items()}
        found = self._ties(base) if self.leader >= 0 and len(base) < len(self.known) else True
        found = _both(found, self._not_toward(base))
        if found is True:
            return None
        return shapely.Polygon() if found is False else found

    def _ties(self, base: Mapping[int, Body]) -> Where:
        """Where everybody who has to be is in cohesion, and half of the Unit (5.1, 5.2)."""
        found: Where = True
        held = {number: self._held(number, base) for number, duty in enumerate(self.duty) if duty}
        for number in [*base, *self.gone]:
            found = _both(found, held.get(number, True))
        sure = sum(self.weights[n] for n, where in held.items() if where is True or n in base or n in self.gone)
        missing = self.wanted - sure
        if found is False or missing <= 0:
            return found
        others = [
            where
            for number, where in held.items()
            if not isinstance(where, bool) and number not in base and number not in self.gone
            for _ in range(self.weights[number])
        ]
        return _both(found, covered(others, missing) if len(others) >= missing else False)

    def _held(self, number: int, base: Mapping[int, Body]) -> Where:
        """Where a Team is in cohesion (5.1, 5.4: one link)."""
        found = self._near(number, self.leader, base)
        for link, duty in enumerate(self.duty):
            if found is True:
                break
            if duty and link not in (number, self.leader):
                found = _either(found, _both(self._near(number, link, base), self._near(link, self.leader, base)))
        return found

    def _near(self, one: int, other: int, base: Mapping[int, Body]) -> Where:
        """Where two Teams are within reach of each other: hung on the pose only if one goes and the other stays."""
        if one == other:
            return True
        if (one in base) == (other in base):
            here = base if one in base else dict(enumerate(self.known))
            return bodies.gap(here[one], here[other]) <= self.far + bodies.HAIR
        goes, stays = (one, other) if one in base else (other, one)
        key = (goes, stays, base[goes].heading)
        if key not in self._sums:
            self._sums[key] = bodies.sum_of(self.known[stays], base[goes].at(0, 0), self.far)
        return affinity.translate(self._sums[key], -base[goes].x, -base[goes].y)

    @cached_property
    def _sums(self) -> dict[tuple[int, int, int], BaseGeometry]:
        return {}

    # ---- without a Leader (14.6, 14.18) ----

    @cached_property
    def seen(self) -> dict[int, list[Body]]:
        """By number of who goes, the enemy bases that he sees, where nobody leads."""
        if self.leader >= 0 or self.unit.leader or self.battle.is_commander(self.unit):
            return {}
        looks, found = cover.looks_of(self.battle), dict[int, list[Body]]()
        here = {(body.x, body.y): row for row, body in enumerate(self.battle.bodies(self.unit))}
        for foe in self.battle.enemies(self.unit.side):
            seen = looks.look(self.unit, foe).pairs.seen
            theirs = self.battle.bodies(foe)
            for number in self.going:
                row = here.get((self.known[number].x, self.known[number].y))
                if row is not None and self.duty[number]:
                    found.setdefault(number, []).extend(theirs[j] for j in np.flatnonzero(seen[row]))
        return {number: foes for number, foes in found.items() if foes}

    def closer(self, stand: Sequence[Body]) -> Bar | None:
        """Why Teams without a Leader may not go there: one would end nearer to an enemy that it sees (14.18)."""
        for number, foes in self.seen.items():
            then, now = bodies.gaps([stand[number]], foes)[0], bodies.gaps([self.known[number]], foes)[0]
            if (then < now - 1).any():
                return Bar(TOWARD_ENEMY.rule, TOWARD_ENEMY.reason, self.names[number])
        return None

    def _not_toward(self, base: Mapping[int, Body]) -> Where:
        """Where nobody ends nearer to an enemy that he sees than he began."""
        found: list[BaseGeometry] = []
        for number, body in base.items():
            for foe in self.seen.get(number, ()):
                now = bodies.gap(self.known[number], foe)
                if now > 1:
                    near = bodies.sum_of(foe, body.at(0, 0), now - 1)
                    found.append(affinity.translate(near, -body.x, -body.y))
        if not found:
            return True
        table = self.battle.table
        everywhere = shapely.box(-table.width, -table.height, 2 * table.width, 2 * table.height)
        left: BaseGeometry = everywhere.difference(shapely.union_all(found))
        return left


def _both(one: Where, other: Where) -> Where:
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return one.intersection(other)


def _either(one: Where, other: Where) -> Where:
    if isinstance(one, bool):
        return True if one else other
    if isinstance(other, bool):
        return True if other else one
    return one.union(other)
