"""What either side can do to the other: danger and shots over the net of points of the table's chart.

All of it are sums over the whole net, made when somebody asks and kept for one decision.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from grognard.games.bolt_action import formation, valuing
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ABOARD, AMBUSH, ON_TABLE, Unit
from grognard.games.bolt_action.tactics_fire import (
    Effect,
    Profile,
    Toll,
    as_shooter,
    as_target,
    breaks,
    known_profile,
    tolls,
)
from grognard.games.bolt_action.tactics_fire import chance_to_damage as damages
from grognard.games.bolt_action.tactics_ground import Chart, Floats, Row, RowKey, chart_of
from grognard.games.bolt_action.tactics_holding import Spot, stands_at
from grognard.games.bolt_action.tactics_melee import Fight, fight
from grognard.games.bolt_action.valuing import OF_MEN, OF_PIN

#: How much of what each enemy could do to a unit it has to reckon with: of one who has still to act, and who has acted.
FEARED, FEARED_LATER = 0.55, 0.33
#: How much of an assault that may come has to be reckoned with.
FEARED_ASSAULT = 0.3
#: How much more an enemy is worth that stands at an objective, of what is at stake there in the last turn.
HOLDER = 0.85
#: How far an assault goes (8.1).
ASSAULT_REACH = 1250.0
#: How far an enemy is reckoned to go before he is caught in an ambush.
CAUGHT_WITHIN = 900.0
#: How much more a shot is worth at somebody who has still to act.
STILL_TO_ACT = 1.15
#: No man is farther from the middle of his unit, where it stands at an objective.
FAR_OUT = 2000.0


#: What a charge of one unit at another comes to, by their numbers (see `as_shooter`).
_charges: dict[tuple[int, int], float] = {}


def _within_assault(row: Row) -> Floats:
    """How much an assault from a row's point has to be reckoned with at the other points."""
    found: Floats = np.clip((ASSAULT_REACH - row.far) / 300.0, 0.0, 1.0) * row.seen
    return found


class Threats:
    """What the units of both sides can do to each other, as a side knows them."""

    def __init__(self, battle: BoltBattle, side: str) -> None:
        self.battle, self.side, self.enemy = battle, side, battle.other(side)
        self.chart: Chart = chart_of(battle.table)
        self.own = [unit for unit in battle.units(side) if unit.models]
        self.foes = [unit for unit in battle.units(self.enemy) if unit.models]
        self.left = valuing.turns_left(battle)
        self._cup = battle.state.cup
        self._spots: dict[str, tuple[float, float]] = {}
        self._rows: dict[str, tuple[RowKey, Row]] = {}
        self._men: dict[str, int] = {}
        self._stakes: dict[str, tuple[float, ...]] = {}
        self._shooters: dict[str, tuple[Unit, int]] = {}
        self._targets: dict[tuple[str, str], tuple[Unit, int]] = {}
        self._fights: dict[tuple[str, str], float] = {}
        self._danger: dict[tuple[str, str], Floats] = {}
        self._shots: dict[tuple[str, bool], tuple[Floats, list[tuple[Unit, Floats]]]] = {}
        self._values: dict[str, float] = {}
        self._there: dict[tuple[str, Spot], bool] = {}

    # ---- where things are ----

    def spot(self, unit: Unit) -> tuple[float, float]:
        """Where a unit is: its middle, or that of what it is in."""
        found = self._spots.get(unit.id)
        if found is None:
            battle = self.battle
            if unit.status == ABOARD and unit.aboard:
                found = self.spot(battle.unit(unit.aboard))
            elif unit.building:
                middle = battle.table.area(battle.table.by_id[unit.building]).centroid
                found = (middle.x, middle.y)
            elif unit.models:
                x, y = formation.anchor(battle, unit)
                found = (float(x), float(y))
            else:
                found = (0.0, 0.0)
            self._spots[unit.id] = found
        return found

    def here(self, unit: Unit) -> int:
        """The point of the net where a unit is."""
        return self.chart.nearest(*self.spot(unit))

    def row(self, unit: Unit) -> Row:
        """What is seen between a unit and every point."""
        return self.known_row(unit)[1]

    def known_row(self, unit: Unit) -> tuple[RowKey, Row]:
        """The same, with what it is known by."""
        found = self._rows.get(unit.id)
        if found is None:
            x, y = self.spot(unit)
            tall = 190.0 if self.battle.type(unit).vehicle else 110.0
            found = self._rows[unit.id] = self.chart.known_row(x, y, tall)
        return found

    def men(self, unit: Unit) -> int:
        """How many men a unit has."""
        found = self._men.get(unit.id)
        if found is None:
            found = self._men[unit.id] = len(self.battle.men(unit))
        return found

    def waits(self, unit: Unit) -> bool:
        """Whether a unit has still to act this turn."""
        return not unit.die and self._cup.get(unit.side, 0) > 0

    # ---- what attacks are worth ----

    def value(self, unit: Unit) -> float:
        """What a unit is worth now: an enemy more where he holds an objective, the more so the nearer the end is."""
        found = self._values.get(unit.id)
        if found is None:
            found = valuing.worth(self.battle, unit)
            if unit.side == self.enemy and unit.status == ON_TABLE and not self.battle.type(unit).artillery:
                found += self._holds(unit)
            self._values[unit.id] = found
        return found

    def _holds(self, unit: Unit) -> float:
        """What it is worth that an enemy is gone from the objective at which he stands: all of it if he is the last."""
        found = 0.0
        for stake in valuing.stakes(self.battle, self.side):
            at = (stake.objective.x, stake.objective.y)
            if not stake.both or not self.stands_at(unit, at):
                continue
            others = sum(self.stands_at(foe, at) for foe in self.foes)
            ours = any(self.stands_at(own, at) for own in self.own)
            swing = stake.ours if ours else stake.theirs
            found += HOLDER * swing / max(others, 1) / (1 + 0.9 * max(self.left - 1, 0.0))
        return found

    def stands_at(self, unit: Unit, at: Spot) -> bool:
        """Whether a unit that counts stands at an objective: guns do not (28.5)."""
        found = self._there.get((unit.id, at))
        if found is None:
            x, y = self.spot(unit)
            near = abs(x - at[0]) < FAR_OUT and abs(y - at[1]) < FAR_OUT
            counts = near and not self.battle.type(unit).artillery
            found = self._there[unit.id, at] = counts and stands_at(self.battle, unit, at)
        return found

    def pin_worth(self, unit: Unit) -> float:
        """What a pin on a unit costs its side: more with every one that it has."""
        return OF_PIN * self.value(unit) * (1 + 0.2 * unit.pins) + 0.03

    def gain(self, target: Unit, effect: Effect) -> float:
        """What an effect on a unit is worth to its enemy."""
        value = self.value(target)
        part = 0.0 if self.battle.type(target).vehicle else effect.men / max(self.men(target), 1)
        return (
            value * (effect.kill + (1 - effect.kill) * OF_MEN * min(part, 1.0)) + self.pin_worth(target) * effect.pins
        )

    def gains(self, target: Unit, toll: Toll) -> Floats:
        """The same over many points."""
        value = self.value(target)
        men = 0 if self.battle.type(target).vehicle else self.men(target)
        part = np.minimum(toll.men / men, 1.0) if men else np.zeros(len(toll.men))
        found: Floats = value * (toll.kill + (1 - toll.kill) * OF_MEN * part) + self.pin_worth(target) * toll.pins
        return found

    # ---- danger ----

    def danger(self, unit: Unit, die: str = "") -> Floats:
        """What a unit has to fear from the enemy's fire and assaults at every point, in victory points."""
        key = (unit.id, die)
        found = self._danger.get(key)
        if found is None:
            found = np.zeros(len(self.chart.x))
            before, unit.die = unit.die, die or unit.die
            foot = not self.battle.type(unit).vehicle
            for foe in self.foes:
                found += self._feared(foe) * self._fire_field(foe, unit, False, at_target=True)
                if foot and (loss := self._lost_to(unit, foe)):
                    known, row = self.known_row(foe)
                    near = self.chart.field(("near", known), row, partial(_within_assault, row))
                    found += near * loss
            unit.die = before
            self._danger[key] = found
        return found

    def danger_by(self, unit: Unit, rows: dict[str, Row], count: int) -> Floats:
        """The same over the points of other rows, one for each enemy."""
        found: Floats = np.zeros(count)
        foot = not self.battle.type(unit).vehicle
        for foe in self.foes:
            row = rows[foe.id]
            toll = tolls(self.battle, unit, self.profile(foe, unit, False), row.far, row.cover_there)
            found += np.where(row.seen, self._feared(foe) * self.gains(unit, toll), 0.0)
            if foot and (loss := self._lost_to(unit, foe)):
                found += _within_assault(row) * loss
        return found

    def _feared(self, foe: Unit) -> float:
        """How much of what an enemy could do has to be reckoned with."""
        return FEARED if foe.die == AMBUSH or self.waits(foe) else FEARED_LATER

    def _fire_field(
        self, unit: Unit, target: Unit, moved: bool, *, at_target: bool, groups: Profile | None = None
    ) -> Floats:
        """What a unit's fire on another is worth over the net: the target anywhere, or else the unit anywhere.

        It is kept with the table by everything that it depends on: from one decision to the next most stays as it was.
        """
        groups = self.profile(unit, target, moved) if groups is None else groups
        known, row = self.known_row(unit if at_target else target)
        key = (id(groups), known, at_target, *self._stake(target))
        return self.chart.field(key, groups, partial(self._fire_anew, target, groups, row, at_target))

    def _stake(self, target: Unit) -> tuple[float, ...]:
        """All that tells what an effect on a target is worth."""
        found = self._stakes.get(target.id)
        if found is None:
            battle = self.battle
            hull = battle.type(target).vehicle
            body = battle.hull(target)
            found = self._stakes[target.id] = (
                *(self.value(target), self.pin_worth(target), float(self.men(target))),
                *((float(body.heading), float(body.x), float(body.y)) if hull else (breaks(battle, target),)),
            )
        return found

    def profile(self, unit: Unit, target: Unit, moved: bool) -> Profile:
        """What a unit can do to another, wherever they stand."""
        return known_profile(self.battle, self._shooter(unit), self._target(target), moved)

    def _shooter(self, unit: Unit) -> tuple[Unit, int]:
        found = self._shooters.get(unit.id)
        if found is None:
            found = self._shooters[unit.id] = unit, as_shooter(self.battle, unit)
        return found

    def _target(self, unit: Unit) -> tuple[Unit, int]:
        found = self._targets.get((unit.id, unit.die))
        if found is None:
            found = self._targets[unit.id, unit.die] = unit, as_target(self.battle, unit)
        return found

    def _fire_anew(self, target: Unit, groups: Profile, row: Row, at_target: bool) -> Floats:
        flank: Floats | float = 0.3
        if not at_target and self.battle.type(target).vehicle:
            flank = self._flank(target, self.chart.x, self.chart.y)
        cover = row.cover_there if at_target else row.cover_here
        return np.where(row.seen, self.gains(target, tolls(self.battle, target, groups, row.far, cover, flank)), 0.0)

    def _lost_to(self, unit: Unit, foe: Unit) -> float:
        """What a unit has to fear from an enemy's assault where he can reach it."""
        found = self._fights.get((unit.id, foe.id))
        if found is None:
            found = 0.0
            if self.battle.type(foe).infantry and len(foe.models) >= 4 and foe.pins <= 3:
                key = (self._shooter(foe)[1], self._shooter(unit)[1])
                if key not in _charges:
                    odds = self.melee(foe, unit, False)
                    _charges[key] = max(odds.won - odds.lost * 0.5, 0.0)
                found = FEARED_ASSAULT * _charges[key] * valuing.worth(self.battle, unit)
            self._fights[unit.id, foe.id] = found
        return found

    def melee(self, unit: Unit, target: Unit, together: bool, fewer: float = 0.0) -> Fight:
        """How close quarters between two units go; the attacker has lost some men before."""
        from grognard.games.bolt_action import close_quarters, damage

        battle = self.battle
        ours, theirs = len(battle.men(unit)), len(battle.men(target))
        mine = close_quarters.attacks(battle, unit).total / max(ours, 1)
        yours = close_quarters.attacks(battle, target).total / max(theirs, 1)
        return fight(
            max(0, round(ours - fewer)),
            round(mine, 2),
            damages(damage.tally(battle, target, 0).total),
            theirs,
            round(yours, 2),
            damages(damage.tally(battle, unit, 0).total),
            together,
        )

    # ---- shots ----

    def shots(self, unit: Unit, moved: bool) -> tuple[Floats, list[tuple[Unit, Floats]]]:
        """What the best shot of a unit is worth from every point, and that of each target."""
        key = (unit.id, moved)
        found = self._shots.get(key)
        if found is None:
            each: list[tuple[Unit, Floats]] = []
            best: Floats = np.zeros(len(self.chart.x))
            for foe in self.foes:
                groups = self.profile(unit, foe, moved)
                if groups:
                    worth = self._fire_field(unit, foe, moved, at_target=False, groups=groups)
                    worth = worth * STILL_TO_ACT if self.waits(foe) else worth
                    each.append((foe, worth))
                    np.maximum(best, worth, out=best)
            found = self._shots[key] = best, each
        return found

    def may_catch(self, unit: Unit, foe: Unit) -> float:
        """What a shot from where a unit stands may be worth at an enemy after his next move, wherever that leads."""
        x, y = self.spot(foe)
        near = np.hypot(self.chart.x - x, self.chart.y - y) <= CAUGHT_WITHIN
        field = self._fire_field(unit, foe, False, at_target=True)
        return float(field[near].mean()) if near.any() else 0.0

    def shots_by(
        self, unit: Unit, moved: bool, rows: dict[str, Row], xs: Floats, ys: Floats
    ) -> tuple[Floats, list[tuple[Unit, Floats]]]:
        """The same from other points, with a row for each enemy."""
        each: list[tuple[Unit, Floats]] = []
        best: Floats = np.zeros(len(xs))
        for foe in self.foes:
            groups = self.profile(unit, foe, moved)
            if not groups:
                continue
            row = rows[foe.id]
            flank = self._flank(foe, xs, ys) if self.battle.type(foe).vehicle else 0.3
            toll = tolls(self.battle, foe, groups, row.far, row.cover_here, flank)
            worth = np.where(row.seen, self.gains(foe, toll), 0.0)
            if self.waits(foe):
                worth *= STILL_TO_ACT
            each.append((foe, worth))
            np.maximum(best, worth, out=best)
        return best, each

    def rows_to(self, xs: Floats, ys: Floats) -> dict[str, Row]:
        """What is seen between every enemy and some points."""
        found = {}
        for foe in self.foes:
            x, y = self.spot(foe)
            found[foe.id] = self.chart.sight(x, y, xs, ys, 190.0 if self.battle.type(foe).vehicle else 110.0)
        return found

    def _flank(self, foe: Unit, xs: Floats, ys: Floats) -> Floats:
        """How much of a vehicle's flank is seen from every point: 0 in front, 1 at the side, more behind."""
        hull = self.battle.hull(foe)
        course = np.degrees(np.arctan2(xs - hull.x, hull.y - ys))
        off = np.abs((course - hull.heading + 180) % 360 - 180)
        found: Floats = np.where(off <= 45, 0.0, np.where(off <= 135, 1.0, 1.6))
        return found

    def threatened(self, unit: Unit) -> float:
        """What the enemies who have still to act could do to a unit where it stands."""
        return float(self.danger(unit)[self.here(unit)])
