"""What either side can do to the other: danger and shots over the net of points of the table's chart.

All of it are sums over the whole net, made when somebody asks and kept for one decision, or with the table by all that
they depend on. What a unit is worth, and what its fire and its assaults do, the game says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from grognard.board.table.bodies import Body
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import ABOARD, ON_TABLE, Unit
from grognard.kits.table.tactics.chart import Bytes, Chart, Floats, Row, RowKey
from grognard.kits.table.tactics.goals import stakes
from grognard.kits.table.tactics.holding import Spot, stand_at
from grognard.kits.table.tactics.taste import Taste

#: A game's battle, its units, and what it knows of the fire of one unit at another, wherever they stand.
B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])
P = TypeVar("P")


class Toll(NamedTuple):
    """What fire does to its target over many points: models lost, marks (pins, suppression), and the chance that the
    unit is gone."""

    lost: Floats
    marks: Floats
    gone: Floats


class Threats(ABC, Generic[B, U, P]):
    """What the units of both sides can do to each other, as a side knows them."""

    def __init__(self, battle: B, side: str, chart: Chart, taste: Taste) -> None:
        self.battle, self.side, self.enemy = battle, side, battle.other(side)
        self.chart, self.taste = chart, taste
        self.own: list[U] = [unit for unit in battle.units(side) if unit.models]
        self.foes: list[U] = [unit for unit in battle.units(self.enemy) if unit.models]
        self.left = self.turns_left()
        self._spots: dict[str, tuple[float, float]] = {}
        self._rows: dict[str, tuple[RowKey, Row]] = {}
        self._kept_stakes: dict[str, tuple[Hashable, ...]] = {}
        self._danger: dict[tuple[str, Hashable], Floats] = {}
        self._shots: dict[tuple[str, bool], tuple[Floats, list[tuple[U, Floats]]]] = {}
        self._values: dict[str, float] = {}
        self._there: dict[tuple[str, Spot], bool] = {}

    # ---- what the game says ----

    @abstractmethod
    def turns_left(self) -> float:
        """The turns that are still to come, the present one included."""

    @abstractmethod
    def worth(self, unit: U) -> float:
        """What a unit is worth to its side, in the game's own points."""

    @abstractmethod
    def profile(self, unit: U, target: U, moved: bool) -> P:
        """What the fire of a unit can do to another, wherever they stand; something false if it is nothing.

        What is equal must be one and the same object, for as long as it is used: fields are kept by it.
        """

    @abstractmethod
    def tolls(self, target: U, fire: P, far: Floats, cover: Bytes, flank: Floats | float) -> Toll:
        """What fire does to a target over many distances and covers; ``flank`` is how much of its flank shows."""

    def mark_worth(self, unit: U) -> float:
        """What a mark on a unit costs its side."""
        return 0.0

    def models(self, unit: U) -> int:
        """How many models a unit has whose loss counts; 0 where only its end does."""
        return len(unit.models)

    def tolls_by(self, target: U) -> tuple[Hashable, ...]:
        """What `tolls` depends on beside what it is given, such as how steady the target is."""
        return ()

    def posture(self, unit: U) -> Hashable:
        """How a unit stands to fire, beside its place: what makes it harder to hit."""
        return ""

    def waits(self, unit: U) -> bool:
        """Whether a unit has still to act this turn."""
        return True

    def on_watch(self, unit: U) -> bool:
        """Whether a unit fires at whoever shows himself, though it has acted."""
        return False

    def front(self, unit: U) -> Body | None:
        """The base whose facing matters to those who shoot at a unit; None where it is alike from all sides."""
        return None

    def eye(self, unit: U) -> float:
        """How high a unit looks from."""
        return self.chart.ground.eye

    def inside(self, unit: U) -> str:
        """The piece of terrain in which a unit is as a whole, such as a building; "" if it stands in the open."""
        return ""

    def holds(self, unit: U) -> bool:
        """Whether a unit counts where it stands at an objective."""
        return True

    def charged(self, unit: U, foe: U) -> float:
        """What a unit has to fear of an assault by an enemy who can reach it."""
        return 0.0

    # ---- where things are ----

    def spot(self, unit: U) -> tuple[float, float]:
        """Where a unit is: its middle, or that of what it is in."""
        found = self._spots.get(unit.id)
        if found is None:
            battle = self.battle
            if unit.status == ABOARD and unit.aboard:
                found = self.spot(battle.unit(unit.aboard))
            elif inside := self.inside(unit):
                middle = battle.table.area(battle.table.by_id[inside]).centroid
                found = (middle.x, middle.y)
            elif unit.models:
                x, y = battle.anchor(unit)
                found = (float(x), float(y))
            else:
                found = (0.0, 0.0)
            self._spots[unit.id] = found
        return found

    def here(self, unit: U) -> int:
        """The point of the net where a unit is."""
        return self.chart.nearest(*self.spot(unit))

    def row(self, unit: U) -> Row:
        """What is seen between a unit and every point."""
        return self.known_row(unit)[1]

    def known_row(self, unit: U) -> tuple[RowKey, Row]:
        """The same, with what it is known by."""
        found = self._rows.get(unit.id)
        if found is None:
            x, y = self.spot(unit)
            found = self._rows[unit.id] = self.chart.known_row(x, y, self.eye(unit))
        return found

    def rows_to(self, xs: Floats, ys: Floats) -> dict[str, Row]:
        """What is seen between every enemy and some points."""
        found = {}
        for foe in self.foes:
            x, y = self.spot(foe)
            found[foe.id] = self.chart.sight(x, y, xs, ys, self.eye(foe))
        return found

    # ---- what attacks are worth ----

    def value(self, unit: U) -> float:
        """What a unit is worth now: an enemy more where he holds an objective, the more so the nearer the end is."""
        found = self._values.get(unit.id)
        if found is None:
            found = self.worth(unit)
            if unit.side == self.enemy and unit.status == ON_TABLE and self.holds(unit):
                found += self._holding(unit)
            self._values[unit.id] = found
        return found

    def _holding(self, unit: U) -> float:
        """What it is worth that an enemy is gone from the objective at which he stands: all of it if he is the last."""
        found = 0.0
        for stake in stakes(self.battle.scenario, self.side):
            at = (stake.objective.x, stake.objective.y)
            if not stake.both or not self.stands_at(unit, at):
                continue
            others = sum(self.stands_at(foe, at) for foe in self.foes)
            ours = any(self.stands_at(own, at) for own in self.own)
            swing = stake.ours if ours else stake.theirs
            found += self.taste.holder * swing / max(others, 1) / (1 + 0.9 * max(self.left - 1, 0.0))
        return found

    def stands_at(self, unit: U, at: Spot) -> bool:
        """Whether a unit that counts stands at an objective."""
        found = self._there.get((unit.id, at))
        if found is None:
            x, y = self.spot(unit)
            out = self.taste.far_out
            near = abs(x - at[0]) < out and abs(y - at[1]) < out and unit.status == ON_TABLE
            found = near and self.holds(unit) and stand_at(self.battle.bodies(unit), at, self.chart.ground.reach)
            self._there[unit.id, at] = found
        return found

    def gain(self, target: U, lost: float, marks: float, gone: float) -> float:
        """What it is worth to the enemy of a unit to do so much to it: see `Toll`."""
        models = self.models(target)
        part = lost / models if models else 0.0
        harm = gone + (1 - gone) * self.taste.of_models * min(part, 1.0)
        return self.value(target) * harm + self.mark_worth(target) * marks

    def gains(self, target: U, toll: Toll) -> Floats:
        """The same over many points."""
        models = self.models(target)
        part = np.minimum(toll.lost / models, 1.0) if models else np.zeros(len(toll.lost))
        harm = toll.gone + (1 - toll.gone) * self.taste.of_models * part
        found: Floats = self.value(target) * harm + self.mark_worth(target) * toll.marks
        return found

    # ---- danger ----

    def danger(self, unit: U) -> Floats:
        """What a unit has to fear from the enemy's fire and assaults at every point, in the game's points."""
        key = (unit.id, self.posture(unit))
        found = self._danger.get(key)
        if found is None:
            found = np.zeros(len(self.chart.x))
            for foe in self.foes:
                found += self._feared(foe) * self.fire_field(foe, unit, False, at_target=True)
                if loss := self.charged(unit, foe):
                    known, row = self.known_row(foe)
                    found += self.chart.field(("near", known), row, partial(self._within_charge, row)) * loss
            self._danger[key] = found
        return found

    def danger_by(self, unit: U, rows: dict[str, Row], count: int) -> Floats:
        """The same over the points of other rows, one for each enemy."""
        found: Floats = np.zeros(count)
        for foe in self.foes:
            row = rows[foe.id]
            toll = self.tolls(unit, self.profile(foe, unit, False), row.far, row.cover_there, self.taste.flank)
            found += np.where(row.seen, self._feared(foe) * self.gains(unit, toll), 0.0)
            if loss := self.charged(unit, foe):
                found += self._within_charge(row) * loss
        return found

    def _within_charge(self, row: Row) -> Floats:
        """How much an assault from a row's point has to be reckoned with at the other points."""
        taste = self.taste
        found: Floats = np.clip((taste.charge - row.far) / taste.charge_fades, 0.0, 1.0) * row.seen
        return found

    def _feared(self, foe: U) -> float:
        """How much of what an enemy could do has to be reckoned with."""
        return self.taste.feared if self.on_watch(foe) or self.waits(foe) else self.taste.feared_later

    def fire_field(self, unit: U, target: U, moved: bool, *, at_target: bool, fire: P | None = None) -> Floats:
        """What a unit's fire on another is worth over the net: the target anywhere, or else the unit anywhere.

        It is kept with the table by everything that it depends on: from one decision to the next most stays as it was.
        """
        fire = self.profile(unit, target, moved) if fire is None else fire
        known, row = self.known_row(unit if at_target else target)
        key = (id(fire), known, at_target, *self._stake(target))
        return self.chart.field(key, fire, partial(self._fire_anew, target, fire, row, at_target))

    def _stake(self, target: U) -> tuple[Hashable, ...]:
        """All that tells what an effect on a target is worth."""
        found = self._kept_stakes.get(target.id)
        if found is None:
            front = self.front(target)
            faces = () if front is None else (float(front.heading), float(front.x), float(front.y))
            worth = (self.value(target), self.mark_worth(target), float(self.models(target)))
            found = self._kept_stakes[target.id] = (*worth, *faces, *self.tolls_by(target))
        return found

    def _fire_anew(self, target: U, fire: P, row: Row, at_target: bool) -> Floats:
        flank = self.taste.flank if at_target else self.flank(target, self.chart.x, self.chart.y)
        cover = row.cover_there if at_target else row.cover_here
        return np.where(row.seen, self.gains(target, self.tolls(target, fire, row.far, cover, flank)), 0.0)

    def threatened(self, unit: U) -> float:
        """What the enemies who have still to act could do to a unit where it stands."""
        return float(self.danger(unit)[self.here(unit)])

    # ---- shots ----

    def shots(self, unit: U, moved: bool) -> tuple[Floats, list[tuple[U, Floats]]]:
        """What the best shot of a unit is worth from every point, and that of each target."""
        key = (unit.id, moved)
        found = self._shots.get(key)
        if found is None:
            each: list[tuple[U, Floats]] = []
            best: Floats = np.zeros(len(self.chart.x))
            for foe in self.foes:
                fire = self.profile(unit, foe, moved)
                if fire:
                    worth = self.fire_field(unit, foe, moved, at_target=False, fire=fire)
                    worth = worth * self.taste.still_to_act if self.waits(foe) else worth
                    each.append((foe, worth))
                    np.maximum(best, worth, out=best)
            found = self._shots[key] = best, each
        return found

    def shots_by(
        self, unit: U, moved: bool, rows: dict[str, Row], xs: Floats, ys: Floats
    ) -> tuple[Floats, list[tuple[U, Floats]]]:
        """The same from other points, with a row for each enemy."""
        each: list[tuple[U, Floats]] = []
        best: Floats = np.zeros(len(xs))
        for foe in self.foes:
            fire = self.profile(unit, foe, moved)
            if not fire:
                continue
            row = rows[foe.id]
            toll = self.tolls(foe, fire, row.far, row.cover_here, self.flank(foe, xs, ys))
            worth = np.where(row.seen, self.gains(foe, toll), 0.0)
            if self.waits(foe):
                worth *= self.taste.still_to_act
            each.append((foe, worth))
            np.maximum(best, worth, out=best)
        return best, each

    def may_catch(self, unit: U, foe: U) -> float:
        """What a shot from where a unit stands may be worth at an enemy after his next move, wherever that leads."""
        x, y = self.spot(foe)
        near = np.hypot(self.chart.x - x, self.chart.y - y) <= self.taste.caught_within
        field = self.fire_field(unit, foe, False, at_target=True)
        return float(field[near].mean()) if near.any() else 0.0

    def flank(self, unit: U, xs: Floats, ys: Floats) -> Floats | float:
        """How much of a unit's flank is seen from every point: 0 in front, 1 at the side, more behind."""
        front = self.front(unit)
        if front is None:
            return self.taste.flank
        course = np.degrees(np.arctan2(xs - front.x, front.y - ys))
        off = np.abs((course - front.heading + 180) % 360 - 180)
        found: Floats = np.where(off <= 45, 0.0, np.where(off <= 135, 1.0, 1.6))
        return found
