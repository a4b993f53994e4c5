"""Every order of a unit weighed by what it does now and where it leaves the unit."""

from __future__ import annotations

import math

import numpy as np

from grognard.core.tactics import Clock
from grognard.games.bolt_action import barrages_and_aircraft, entry, morale, movement, order_tests, orders
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, FIRE, ORDERS, RALLY, RUN, Unit
from grognard.games.bolt_action.tactics.fire import chance_to_pass
from grognard.games.bolt_action.tactics.leaving import leaves
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.tactics.shots import aims, best_assault, nerve, would_fire
from grognard.kits.table.state import ABOARD, ON_TABLE, RESERVE
from grognard.kits.table.tactics.chart import Bools, Floats
from grognard.kits.table.tactics.choices import Choice, by_weight
from grognard.kits.table.tactics.judge import Judge

#: What it costs to take up a weapon that has to be set down again before it fires.
SET_DOWN = 0.25
#: How many points are looked at closely for an Advance.
LOOKED_AT = 3
#: What it is worth that reserves come on.
COMES_ON = 0.8
#: How much more an exact look at the shots after an Advance may find than the chart shows.
MISSED = 0.2
#: How much of a shot that may come a unit in ambush can hope for.
HOPED = 0.6
#: What it costs to be on the way, and an officer more: he is missed where he was.
ON_THE_WAY, OFFICER = 0.02, 0.06


# ---- where a move may lead -----------------------------------------------------------------------------------


def within(outlook: BoltOutlook, unit: Unit, order: str) -> Bools:
    """The points that a unit may get to with an order, more or less."""
    battle, chart = outlook.battle, outlook.chart
    kind = battle.type(unit)
    far = float(movement.rate(battle, unit, order))
    if unit.status == RESERVE:
        return _from_edge(outlook, unit, far)
    x, y = outlook.spot(unit)
    if unit.status == ABOARD:
        far = float(charts().distance("movement_figures", "leave_run" if order == RUN else "leave_advance")) - 100
    found = chart.reachable(x, y, kind.column, max(far - 60, 0), run=order == RUN)
    if kind.vehicle:
        hull = battle.hull(unit)
        pivots = battle.charts.pivots[kind.mobility].run
        course = np.degrees(np.arctan2(chart.x - x, y - chart.y))
        off = np.abs((course - hull.heading + 180) % 360 - 180)
        if _shut_in(outlook, unit):
            found &= (off >= 160) & (np.hypot(chart.x - x, chart.y - y) <= far / 2)
        elif order == RUN:
            found &= off <= (90 if pivots else 12)
    return found


def _shut_in(outlook: BoltOutlook, unit: Unit) -> bool:
    """Whether a vehicle stands so near to something before it that it can only go back (10.2)."""
    hull = outlook.battle.hull(unit)
    ahead = hull.foot.length / 2 + np.array((30.0, 60.0))
    x, y = hull.x + math.sin(math.radians(hull.heading)) * ahead, hull.y - math.cos(math.radians(hull.heading)) * ahead
    return bool(outlook.chart.closed(x, y, outlook.battle.type(unit).column).any())


def _from_edge(outlook: BoltOutlook, unit: Unit, far: float) -> Bools:
    chart = outlook.chart
    edge, a, b = entry.edge_of(outlook.battle, unit)
    low, high = min(a[0], b[0]), max(a[0], b[0])
    if edge in ("top", "bottom"):
        deep = np.abs(chart.y - a[1])
        return (chart.x >= low) & (chart.x <= high) & (deep <= far)
    low, high = min(a[1], b[1]), max(a[1], b[1])
    return (chart.y >= low) & (chart.y <= high) & (np.abs(chart.x - a[0]) <= far)


# ---- orders --------------------------------------------------------------------------------------------------


def obeys(outlook: BoltOutlook, unit: Unit, order: str) -> float:
    """The chance that a unit carries an order out (3.2)."""
    if not order_tests.needed(outlook.battle, unit, order):
        return 1.0
    return chance_to_pass(morale.target(outlook.battle, unit, morale.ORDER_TEST, order).total)


class BoltJudge(Judge[BoltOutlook, Unit]):
    """Weighs the orders of units in one outlook."""

    def __init__(self, outlook: BoltOutlook, clock: Clock | None = None) -> None:
        super().__init__(outlook, clock)
        self._kept: dict[str, list[Choice]] = {}
        self._best: dict[str, float] = {}

    def weigh(self, unit: Unit) -> list[Choice]:
        """The orders of a unit, the best first."""
        found = self._kept.get(unit.id)
        if found is None:
            battle = self.outlook.battle
            found = []
            for order in ORDERS:
                if orders.bar(battle, unit, order) is None:
                    found.append(self._order(unit, order))
                    self._best[unit.id] = max(choice.worth for choice in found)
            found.sort(key=lambda choice: -choice.worth)
            self._kept[unit.id] = found
        return found

    def leads_to(self, unit: Unit, how: str) -> Bools:
        """Where an order leads."""
        return within(self.outlook, unit, how)

    def shoots(self, unit: Unit, how: str) -> bool:
        """Whoever advances, unless he gets out of a vehicle (17.5)."""
        return how == ADVANCE and unit.status != ABOARD

    def called(self, key: str) -> str:
        """The title of an order."""
        return orders.TITLES[key]

    def beside(self, unit: Unit, better: float) -> str:
        """Empty transports and officers have reasons of their own."""
        if self.outlook.idle(unit):
            return "empty, and further from the enemy" if better > 0 else "empty, and closer to the enemy"
        if self.outlook.battle.type(unit).rank or self.outlook.battle.has(unit, "medic"):
            return "with the units it helps" if better > 0 else "away from the units it helps"
        return super().beside(unit, better)

    def _order(self, unit: Unit, order: str) -> Choice:
        """An order with the test for it: who fails goes Down (3.5, 3.6)."""
        choice = self._obeyed(unit, order)
        chance = obeys(self.outlook, unit, order)
        if chance >= 1.0:
            return choice
        down = self._down(unit)
        pin = self.outlook.mark_worth(unit)
        pinned = f" with {unit.pins} pin{'s' if unit.pins > 1 else ''}" if unit.pins else ""
        worth = chance * (choice.worth + pin) + (1 - chance) * down.worth
        why = (*choice.why, (f"{100 * chance:.0f} % to obey{pinned}", worth - choice.worth))
        return Choice(order, worth, why, choice.point)

    def _obeyed(self, unit: Unit, order: str) -> Choice:
        if order == FIRE:
            return self._fire(unit)
        if order in (ADVANCE, RUN):
            return self._move(unit, order)
        if order == AMBUSH:
            return self._ambush(unit)
        if order == RALLY:
            return self._rally(unit)
        return self._down(unit)

    def _fire(self, unit: Unit) -> Choice:
        battle = self.outlook.battle
        stay = self.stay(unit)
        if barrages_and_aircraft.may_call(battle, unit):
            return Choice(FIRE, stay + 1.2, (("calls in the observer's strike", 1.2),))
        shots = aims(self.outlook, unit, False)
        if not shots:
            return Choice(FIRE, stay - 0.05, (("no enemy in sight and range that it can hurt", -0.05),))
        return Choice(FIRE, stay + shots[0].worth, shots[0].why)

    def _move(self, unit: Unit, order: str) -> Choice:
        outlook = self.outlook
        battle = outlook.battle
        if unit.status == ON_TABLE and movement.turns_only(battle, unit, order):
            return self._turn(unit)
        mask = within(outlook, unit, order)
        mask[outlook.here(unit)] = unit.status == ON_TABLE
        worth = self.after(unit, order)
        best = Choice(order, self.stay(unit) - ON_THE_WAY, (("nowhere to go", -0.02),))
        heavy = SET_DOWN if unit.status == ON_TABLE and movement.rate(battle, unit, ADVANCE) == 0 else 0.0
        worth = worth - heavy
        if mask.any():
            point = int(np.where(mask, worth, -np.inf).argmax())
            cost = OFFICER if battle.type(unit).rank and not outlook.at_goal(unit, point) else ON_THE_WAY
            best = Choice(order, float(worth[point]) - cost, self.why_there(unit, order, point), point)
            hopeless = best.worth + MISSED < self._best.get(unit.id, -math.inf)
            if order == ADVANCE and not hopeless and self._shoots_from(unit):
                best = self._with_shot(unit, mask, worth)
        goal = outlook.goal(unit)
        if goal is not None and goal.exit and leaves(outlook, unit, goal.exit, order):
            told = (("leaves the table and scores its points", goal.worth + self.outlook.taste.gone - self.stay(unit)),)
            return Choice(order, goal.worth + self.outlook.taste.gone, told)
        if order == RUN and unit.status == ON_TABLE:
            found = self._assault(unit, best.worth)
            if found is not None:
                return self.fought(unit, found)._replace(key=order)
        if heavy:
            best = best._replace(why=by_weight((*best.why, ("has to be set up again", -heavy))))
        if unit.status == RESERVE:
            return best._replace(
                worth=best.worth + COMES_ON, why=by_weight((*best.why, ("enters the table", COMES_ON)))
            )
        return best

    def fought(self, unit: Unit, choice: Choice) -> Choice:
        """An assault with what the place is worth where it leaves a unit."""
        after = self.after_fight(unit, choice)
        why = (*choice.why, ("the place where it ends up", after - self.stay(unit)))
        return Choice(choice.key, choice.worth + after, by_weight(why), choice.point)

    def _assault(self, unit: Unit, over: float) -> Choice | None:
        """The best assault of a unit that is worth more than something else with where it leaves the unit."""
        return best_assault(self.outlook, unit, lambda choice: over - self.after_fight(unit, choice))

    def after_fight(self, unit: Unit, choice: Choice) -> float:
        """What the place is worth where an assault leaves a unit: here, or there if it dares."""
        battle = self.outlook.battle
        there = 0.5 * nerve(battle, unit, battle.unit(choice.key.split()[1]))
        return there * float(self.outlook.places(unit)[choice.point]) + (1 - there) * self.stay(unit)

    def _shoots_from(self, unit: Unit) -> bool:
        """Whether it can be tried exactly what a unit would fire at after a move."""
        return unit.status == ON_TABLE and not self.late

    def _with_shot(self, unit: Unit, mask: Bools, worth: Floats) -> Choice:
        """The best of the best points for an Advance, with the shots that it would really have from them."""
        outlook = self.outlook
        rough, places = outlook.shots(unit, True)[0], outlook.places(unit)
        best: Choice | None = None
        open_to = np.where(mask, worth, -np.inf)
        for _ in range(LOOKED_AT):
            point = int(open_to.argmax())
            if best is not None and float(open_to[point]) <= best.worth:
                break
            open_to[point] = -np.inf
            shot = None
            if rough[point] > 0.02:
                x, y = float(outlook.chart.x[point]), float(outlook.chart.y[point])
                shot = would_fire(outlook, unit, x, y, building=outlook.chart.inside(point))
            value = float(places[point]) + self.worth_of(shot)
            if best is None or value > best.worth:
                told = [*self.tell(unit, outlook.parts(unit), point), *self.taken(shot)]
                best = Choice(ADVANCE, value - ON_THE_WAY, by_weight(told), point)
        assert best is not None
        return best

    def _turn(self, unit: Unit) -> Choice:
        """A weapon that can only be turned: what it could fire at when it is laid."""
        best, each = self.outlook.shots(unit, True)
        here = self.outlook.here(unit)
        worth = float(best[here])
        foe = max(each, key=lambda one: float(one[1][here]), default=None)
        why = (
            ((f"turns to face {self.outlook.battle.name(foe[0])} and can fire", 0.8 * worth),)
            if foe is not None and worth
            else ()
        )
        return Choice(ADVANCE, self.stay(unit) + 0.8 * worth, why)

    def _ambush(self, unit: Unit) -> Choice:
        """To wait for what comes: worth while where somebody may soon come into sight, by the ground about him."""
        outlook, battle = self.outlook, self.outlook.battle
        hope = 0.0
        for foe in outlook.foes:
            comes = (0.75 if outlook.waits(foe) else 0.5) * (0.2 if battle.type(foe).artillery else 1.0)
            hope = max(hope, comes * outlook.may_catch(unit, foe))
        return Choice(
            AMBUSH, self.stay(unit) + HOPED * hope + 0.01, (("waits for an enemy to come into sight", HOPED * hope),)
        )

    def _rally(self, unit: Unit) -> Choice:
        if not unit.pins:
            return Choice(RALLY, self.stay(unit) - 0.1, (("no pins to lose", -0.1),))
        off = sum(min(unit.pins - 1, face) for face in range(1, 7)) / 6
        worth = off * self.outlook.mark_worth(unit) * 0.95
        return Choice(RALLY, self.stay(unit) + worth, ((f"loses {off + 1:.1f} pins on average", worth),))

    def _down(self, unit: Unit) -> Choice:
        """To lie low: harder to hit, and nothing done."""
        if unit.status == RESERVE:
            return Choice(DOWN, self.stay(unit), (("stays off the table", 0.0),))
        if unit.status == ABOARD or self.outlook.battle.type(unit).vehicle:
            return Choice(DOWN, self.stay(unit), (("does nothing", 0.0),))
        outlook, here = self.outlook, self.outlook.here(unit)
        saved = float(outlook.danger(unit)[here] - outlook.danger_down(unit)[here])
        return Choice(DOWN, self.stay(unit) + saved, (("harder to hit", saved),))
