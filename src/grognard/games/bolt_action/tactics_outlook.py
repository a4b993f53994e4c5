"""How the battle looks to a side at a moment: where it is dangerous, where it can shoot, and where it wants to be.

All of it are sums over the net of points of the table's chart, made when somebody asks and kept for one decision.
"""

from __future__ import annotations

import math
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
from grognard.games.bolt_action.tactics_goals import Goal, aim_by, assign
from grognard.games.bolt_action.tactics_ground import Chart, Floats, Row, RowKey, chart_of, objective_reach
from grognard.games.bolt_action.tactics_melee import Fight, fight
from grognard.games.bolt_action.valuing import OF_MEN, OF_PIN

#: How much of what each enemy could do to a unit it has to reckon with: of one who has still to act, and who has acted.
FEARED, FEARED_LATER = 0.55, 0.33
#: How much a shot of the next turn counts now.
NEXT_SHOT = 0.5
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


#: What a charge of one unit at another comes to, by their numbers (see `as_shooter`).
_charges: dict[tuple[int, int], float] = {}


def _within_assault(row: Row) -> Floats:
    """How much an assault from a row's point has to be reckoned with at the other points."""
    found: Floats = np.clip((ASSAULT_REACH - row.far) / 300.0, 0.0, 1.0) * row.seen
    return found


class Outlook:
    """A side's view of the battle."""

    def __init__(self, battle: BoltBattle, side: str) -> None:
        self.battle, self.side, self.enemy = battle, side, battle.other(side)
        self.chart: Chart = chart_of(battle.table)
        self.own = [unit for unit in battle.units(side) if unit.models]
        self.foes = [unit for unit in battle.units(self.enemy) if unit.models]
        self.left = valuing.turns_left(battle)
        self._cup = battle.state.cup
        self._from_foes: Floats | None = None
        self._spots: dict[str, tuple[float, float]] = {}
        self._rows: dict[str, tuple[RowKey, Row]] = {}
        self._men: dict[str, int] = {}
        self._stakes: dict[str, tuple[float, ...]] = {}
        self._shooters: dict[str, tuple[Unit, int]] = {}
        self._targets: dict[tuple[str, str], tuple[Unit, int]] = {}
        self._fights: dict[tuple[str, str], float] = {}
        self._danger: dict[tuple[str, str], Floats] = {}
        self._shots: dict[tuple[str, bool], tuple[Floats, list[tuple[Unit, Floats]]]] = {}
        self._places: dict[str, Floats] = {}
        self._values: dict[str, float] = {}
        self._goals: dict[str, Goal | None] | None = None

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
            objective = stake.objective
            if not stake.both or not self._at(unit, objective.x, objective.y):
                continue
            others = sum(self._at(foe, objective.x, objective.y) for foe in self.foes)
            ours = any(self._at(own, objective.x, objective.y) for own in self.own)
            swing = stake.ours if ours else stake.theirs
            found += HOLDER * swing / max(others, 1) / (1 + 0.9 * max(self.left - 1, 0.0))
        return found

    def _at(self, unit: Unit, x: float, y: float) -> bool:
        """Whether a unit stands at a point, more or less."""
        here = self.spot(unit)
        return math.hypot(here[0] - x, here[1] - y) < objective_reach() + 150

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

    def at_goal(self, unit: Unit, point: int) -> bool:
        """Whether a point is at what a unit is after."""
        goal = self.goal(unit)
        return goal is not None and float(goal.turns[point]) <= 0.05

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

    # ---- goals ----

    def goal(self, unit: Unit) -> Goal | None:
        """What a unit is after; None if nothing but the enemy."""
        if self._goals is None:
            self._goals = assign(self)
        return self._goals.get(unit.id)

    def aim(self, unit: Unit) -> Floats:
        """What it is worth to a unit to be at every point for its goal's sake."""
        goal = self.goal(unit)
        return np.zeros(len(self.chart.x)) if goal is None else aim_by(goal, goal.turns, self.left)

    def aboard(self, unit: Unit) -> float:
        """What it is worth to a unit to be carried on, where its vehicle takes it to its goal."""
        carrier = self.battle.unit(unit.aboard)
        goal = self.goal(carrier)
        if goal is None or not goal.exit or carrier.immobilised or carrier.status != ON_TABLE:
            return 0.0
        alone = goal._replace(worth=goal.worth / (1 + len(self.battle.passengers(carrier))))
        return float(aim_by(alone, goal.turns[self.here(carrier)][None], self.left)[0])

    # ---- all together ----

    def places(self, unit: Unit) -> Floats:
        """What a unit's place is worth at every point: its goal, its danger, and the shots of the next turn."""
        found = self._places.get(unit.id)
        if found is None:
            best, _ = self.shots(unit, False)
            here = self.aim(unit) - self.danger(unit) + NEXT_SHOT * best * min(max(self.left - 1, 0.0), 1.0)
            found = self._places[unit.id] = here + self._company(unit)
        return found

    def places_at(self, unit: Unit, xs: Floats, ys: Floats, shoots: bool) -> tuple[Floats, dict[str, Row]]:
        """The same for any points, with the shot from there if the unit ``shoots`` at once; and what is seen there."""
        rows = self.rows_to(xs, ys)
        net = np.array([self.chart.nearest(x, y) for x, y in zip(xs, ys)], dtype=np.int64)
        aim, company = self.aim(unit)[net], self._company(unit)
        if (goal := self.goal(unit)) is not None and goal.at is not None:
            near = np.hypot(xs - goal.at[0], ys - goal.at[1]) <= objective_reach() - 20
            aim = np.where(near, aim_by(goal, np.zeros(len(xs)), self.left), aim)
        best, _ = self.shots_by(unit, False, rows, xs, ys)
        found: Floats = aim - self.danger_by(unit, rows, len(xs)) + NEXT_SHOT * best * min(max(self.left - 1, 0.0), 1.0)
        found = found + (company[net] if isinstance(company, np.ndarray) else company)
        if shoots:
            found = found + 0.9 * self.shots_by(unit, True, rows, xs, ys)[0]
        return found, rows

    def _company(self, unit: Unit) -> Floats | float:
        """What the neighbourhood is worth: friends with pins to an officer, the enemy to whoever has no other goal."""
        battle = self.battle
        kind = battle.type(unit)
        if not self.foes:
            return 0.0
        found: Floats = np.zeros(len(self.chart.x))
        if kind.rank:
            for friend in self.own:
                if friend is not unit and not battle.type(friend).rank:
                    x, y = self.spot(friend)
                    away = np.hypot(self.chart.x - x, self.chart.y - y)
                    found += np.where(away <= 700, 0.05 + 0.06 * min(friend.pins, 4), 0.0)
        elif battle.has(unit, "medic"):
            for friend in self.own:
                if friend is not unit and battle.type(friend).infantry:
                    x, y = self.spot(friend)
                    found += np.where(np.hypot(self.chart.x - x, self.chart.y - y) <= 700, 0.05, 0.0)
        elif not self._goals or self.goal(unit) is None or kind.kind in ("team", "hq"):
            if self._from_foes is None:
                away = np.min([self.row(foe).far for foe in self.foes], axis=0)
                self._from_foes = np.maximum(away - 2200.0, 0.0) / 100.0 * 0.01
            found -= self._from_foes
        return found

    def threatened(self, unit: Unit) -> float:
        """What the enemies who have still to act could do to a unit where it stands."""
        return float(self.danger(unit)[self.here(unit)])
