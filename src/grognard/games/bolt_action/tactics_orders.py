"""Which unit acts, and with which order: every order weighed by what it does now and where it leaves the unit."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from grognard.core.tactics import Clock
from grognard.games.bolt_action import headquarters, morale, movement, order_tests, orders
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import (
    ABOARD,
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    ON_TABLE,
    ORDERS,
    RALLY,
    RESERVE,
    RUN,
    Unit,
)
from grognard.games.bolt_action.tactics_fire import chance_to_pass
from grognard.games.bolt_action.tactics_goals import ALMOST, THERE_WITHIN, aim_by
from grognard.games.bolt_action.tactics_ground import Bools, Floats
from grognard.games.bolt_action.tactics_outlook import Outlook
from grognard.games.bolt_action.tactics_shots import Choice, Why, aims, best_assault, nerve, would_fire
from grognard.games.bolt_action.tactics_way_out import leaves

#: What it costs to take up a weapon that has to be set down again before it fires.
SET_DOWN = 0.25
#: What it is worth to be off the table beside the points for it: nothing can happen to the unit any more.
GONE = 1.5
#: How many points are looked at closely for an Advance, and how much of the shot from there counts.
LOOKED_AT, SHOT_TAKEN = 3, 0.95
#: How much more an exact look at the shots after an Advance may find than the chart shows.
MISSED = 0.2
#: So many units are thought through before the rest is passed over that seems to gain less.
THOUGHT = 4
#: How much of a shot that may come a unit in ambush can hope for.
HOPED = 0.6
#: What counts for less than this is not told.
SLIGHT = 0.02
#: What it costs to be on the way, and an officer more: he is missed where he was.
ON_THE_WAY, OFFICER = 0.02, 0.06


def by_weight(why: Iterable[Why]) -> tuple[Why, ...]:
    """Reasons with those first that count most."""
    return tuple(sorted(why, key=lambda each: -abs(each[1])))


# ---- where a move may lead -----------------------------------------------------------------------------------


def within(outlook: Outlook, unit: Unit, order: str) -> Bools:
    """The points that a unit may get to with an order, more or less."""
    battle, chart = outlook.battle, outlook.chart
    kind = battle.type(unit)
    far = float(movement.rate(battle, unit, order))
    if unit.status == RESERVE:
        return _from_edge(outlook, unit, far)
    x, y = outlook.spot(unit)
    if unit.status == ABOARD:
        far = float(figures().distance("movement_figures", "leave_run" if order == RUN else "leave_advance")) - 100
    found = chart.reachable(x, y, kind.column, max(far - 60, 0), run=order == RUN)
    if kind.vehicle:
        hull = battle.hull(unit)
        pivots = battle.figures.pivots[kind.mobility].run
        course = np.degrees(np.arctan2(chart.x - x, y - chart.y))
        off = np.abs((course - hull.heading + 180) % 360 - 180)
        if _shut_in(outlook, unit):
            found &= (off >= 160) & (np.hypot(chart.x - x, chart.y - y) <= far / 2)
        elif order == RUN:
            found &= off <= (90 if pivots else 12)
    return found


def _shut_in(outlook: Outlook, unit: Unit) -> bool:
    """Whether a vehicle stands so near to something before it that it can only go back (10.2)."""
    hull = outlook.battle.hull(unit)
    ahead = hull.foot.length / 2 + np.array((30.0, 60.0))
    x, y = hull.x + math.sin(math.radians(hull.heading)) * ahead, hull.y - math.cos(math.radians(hull.heading)) * ahead
    return bool(outlook.chart.closed(x, y, outlook.battle.type(unit).column).any())


def _from_edge(outlook: Outlook, unit: Unit, far: float) -> Bools:
    from grognard.games.bolt_action import entry

    chart = outlook.chart
    edge, a, b = entry.edge_of(outlook.battle, unit)
    low, high = min(a[0], b[0]), max(a[0], b[0])
    if edge in ("top", "bottom"):
        deep = np.abs(chart.y - a[1])
        return (chart.x >= low) & (chart.x <= high) & (deep <= far)
    low, high = min(a[1], b[1]), max(a[1], b[1])
    return (chart.y >= low) & (chart.y <= high) & (np.abs(chart.x - a[0]) <= far)


# ---- orders --------------------------------------------------------------------------------------------------


def obeys(outlook: Outlook, unit: Unit, order: str) -> float:
    """The chance that a unit carries an order out (3.2)."""
    if not order_tests.needed(outlook.battle, unit, order):
        return 1.0
    return chance_to_pass(morale.target(outlook.battle, unit, morale.ORDER_TEST, order).total)


class Judge:
    """Weighs the orders of units in one outlook."""

    def __init__(self, outlook: Outlook, clock: Clock | None = None) -> None:
        self.outlook, self.clock = outlook, clock
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

    def stay(self, unit: Unit) -> float:
        """What it is worth to a unit to be where it is."""
        if unit.status == RESERVE:
            return -0.6
        if unit.status == ABOARD:
            return self.outlook.aboard(unit)
        return float(self.outlook.places(unit)[self.outlook.here(unit)])

    def _order(self, unit: Unit, order: str) -> Choice:
        """An order with the test for it: who fails goes Down (3.5, 3.6)."""
        choice = self._obeyed(unit, order)
        chance = obeys(self.outlook, unit, order)
        if chance >= 1.0:
            return choice
        down = self._down(unit)
        pin = self.outlook.pin_worth(unit)
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
        if headquarters.may_call(battle, unit):
            return Choice(FIRE, stay + 1.2, (("call what the observer has", 1.2),))
        shots = aims(self.outlook, unit, False)
        if not shots:
            return Choice(FIRE, stay - 0.05, (("nobody in sight and range", -0.05),))
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
        if unit.status == ON_TABLE and movement.rate(battle, unit, ADVANCE) == 0:
            worth = worth - SET_DOWN
        if mask.any():
            point = int(np.where(mask, worth, -np.inf).argmax())
            cost = OFFICER if battle.type(unit).rank and not outlook.at_goal(unit, point) else ON_THE_WAY
            best = Choice(order, float(worth[point]) - cost, self.why_there(unit, order, point), point)
            hopeless = best.worth + MISSED < self._best.get(unit.id, -math.inf)
            if order == ADVANCE and not hopeless and self._shoots_from(unit):
                best = self._with_shot(unit, mask, worth)
        goal = outlook.goal(unit)
        if goal is not None and goal.exit and leaves(outlook, unit, goal.exit, order):
            return Choice(order, goal.worth + GONE, (("off the table with its points", goal.worth + GONE),))
        if order == RUN and unit.status == ON_TABLE:
            found = self._assault(unit, best.worth)
            if found is not None:
                best = Choice(order, found.worth + self.after_fight(unit, found), found.why, found.point)
        if unit.status == RESERVE:
            return best._replace(worth=best.worth + 0.8)
        return best

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
        late = self.clock is not None and self.clock.late
        return unit.status == ON_TABLE and not unit.building and not late

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
                shot = would_fire(outlook, unit, float(outlook.chart.x[point]), float(outlook.chart.y[point]))
            value = float(places[point]) + (SHOT_TAKEN * shot.worth if shot is not None else 0.0)
            if best is None or value > best.worth:
                told = [why for why in self.why_there(unit, ADVANCE, point) if not why[0].startswith("fires at")]
                told += shot.why[:1] if shot is not None else ()
                best = Choice(ADVANCE, value - ON_THE_WAY, by_weight(told), point)
        assert best is not None
        return best

    def after(self, unit: Unit, order: str) -> Floats:
        """What a move with an order is worth at every point: the place, and the shot from there."""
        places = self.outlook.places(unit)
        if order != ADVANCE or unit.status == ABOARD:
            return places
        shots, _ = self.outlook.shots(unit, True)
        found: Floats = places + 0.9 * shots
        return found

    def why_there(self, unit: Unit, order: str, point: int, there: bool | None = None) -> tuple[Why, ...]:
        """Why a point is good for a unit, in words; ``there`` if it is known whether the unit is then at its goal."""
        outlook = self.outlook
        here = outlook.here(unit)
        why: list[Why] = []
        goal = outlook.goal(unit)
        if goal is not None:
            turns = float(goal.turns[point])
            if there is not None:
                turns = 0.0 if there else max(turns, ALMOST)
            aim = outlook.aim(unit)
            then = float(aim[point] if goal.exit else aim_by(goal, np.array([turns]), outlook.left)[0])
            gained = then - float(aim[here])
            if turns <= THERE_WITHIN:
                why.append((f"at {goal.name}", gained))
            elif math.isfinite(turns):
                count = max(1, math.ceil(turns - 0.1))
                why.append((f"{goal.name} within {count} turn{'' if count == 1 else 's'}", gained))
        if order == ADVANCE:
            _, each = outlook.shots(unit, True)
            target = max(each, key=lambda one: float(one[1][point]), default=None)
            if target is not None and float(target[1][point]) > SLIGHT:
                why.append((f"fires at {outlook.battle.say(target[0])} from there", 0.9 * float(target[1][point])))
        seen = [foe for foe in outlook.foes if outlook.row(foe).seen[point]]
        danger = float(outlook.danger(unit)[here] - outlook.danger(unit)[point])
        if seen:
            cover = min(int(outlook.row(foe).cover_there[point]) for foe in seen)
            watched = f"{len(seen)} enem{'y' if len(seen) == 1 else 'ies'} would see it"
            why.append((f"{watched} in {('the open', 'soft cover', 'hard cover')[cover]}", danger))
        elif outlook.foes:
            why.append(("out of the enemy's sight", danger))
        aimed = outlook.next_shots(unit)
        if abs(better := float(aimed[point] - aimed[here])) > SLIGHT:
            why.append((f"{'more' if better > 0 else 'less'} to fire at from there next turn", better))
        return by_weight(why)

    def _turn(self, unit: Unit) -> Choice:
        """A weapon that can only be turned: what it could fire at when it is laid."""
        best, each = self.outlook.shots(unit, True)
        here = self.outlook.here(unit)
        worth = float(best[here])
        foe = max(each, key=lambda one: float(one[1][here]), default=None)
        why = (
            ((f"turn to {self.outlook.battle.say(foe[0])} and fire", 0.8 * worth),) if foe is not None and worth else ()
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
            AMBUSH, self.stay(unit) + HOPED * hope + 0.01, (("waits for what comes into sight", HOPED * hope),)
        )

    def _rally(self, unit: Unit) -> Choice:
        if not unit.pins:
            return Choice(RALLY, self.stay(unit) - 0.1, (("no pins to lose", -0.1),))
        off = sum(min(unit.pins - 1, face) for face in range(1, 7)) / 6
        worth = off * self.outlook.pin_worth(unit) * 0.95
        return Choice(RALLY, self.stay(unit) + worth, ((f"loses {off + 1:.1f} pins", worth),))

    def _down(self, unit: Unit) -> Choice:
        """To lie low: harder to hit, and nothing done."""
        if unit.status == RESERVE:
            return Choice(DOWN, -0.6, (("stays off the table", -0.6),))
        if unit.status == ABOARD or self.outlook.battle.type(unit).vehicle:
            return Choice(DOWN, self.stay(unit), (("does nothing", 0.0),))
        outlook, here = self.outlook, self.outlook.here(unit)
        saved = float(outlook.danger(unit)[here] - outlook.danger(unit, DOWN)[here])
        return Choice(DOWN, self.stay(unit) + saved, (("harder to hit", saved),))

    # ---- who ----

    def _promising(self, units: list[Unit]) -> list[tuple[Unit, float]]:
        """The units in the order of what they seem to gain by acting now, with that."""
        from grognard.games.bolt_action.tactics_sketch import Sketch  # which weighs as this does, only quicker

        sketch = Sketch(self.outlook)
        return sorted(((unit, sketch.gain(unit)[0]) for unit in units), key=lambda each: (-each[1], each[0].n))

    def gain(self, unit: Unit) -> tuple[float, float, Choice]:
        """What a unit gains by acting now, how much of it by acting before the enemy does, and its best order."""
        best = self.weigh(unit)[0]
        gain = best.worth - self.stay(unit)
        threat = self.outlook.threatened(unit) if unit.status == ON_TABLE else 0.0
        # Whoever may be shot to pieces first acts while he can.
        haste = 0.35 * threat if gain > 0.05 else 0.0
        return gain + haste, haste, best

    def pick(self, units: list[Unit]) -> list[Choice]:
        """The units that a die may go to, the one that gains most by acting now first."""
        found: list[Choice] = []
        for number, (unit, seems) in enumerate(self._promising(units)):
            if number >= THOUGHT and seems < max(choice.worth for choice in found):
                found.append(Choice(f"unit {unit.id}", seems, (("at a glance", seems),)))
                continue
            if found and self.clock is not None and self.clock.late:
                found.append(Choice(f"unit {unit.id}", -1.0, (("not thought through", -1.0),)))
                continue
            gain, haste, best = self.gain(unit)
            name = orders.TITLES[best.key]
            leading = max(best.why, key=lambda each: each[1], default=("", 0.0))[0]
            why: list[Why] = [(f"{name}: {leading}" if leading else name, gain - haste)]
            if haste > 0.03:
                why.append(("before the enemy shoots at it", haste))
            found.append(Choice(f"unit {unit.id}", gain, tuple(why)))
        found.sort(key=lambda choice: -choice.worth)
        return found
