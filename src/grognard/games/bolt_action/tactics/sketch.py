"""A first glance: orders weighed by the chart alone, for choosing whom to think about and for playing on in thought.

Nothing is looked at exactly: shots by the fields of the chart, assaults by distance and one line of sight.
"""

from __future__ import annotations

from grognard.games.bolt_action import barrages_and_aircraft, charge, orders
from grognard.games.bolt_action.shooting import targets
from grognard.games.bolt_action.state import ADVANCE, DOWN, FIRE, ORDERS, RALLY, RUN, Unit
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.tactics.shots import assault_worth
from grognard.kits.table.state import ON_TABLE
from grognard.kits.table.tactics.chart import Floats
from grognard.kits.table.tactics.choices import Choice, Why, best_first

#: The orders that are glanced at: to wait in ambush is much the same as to go Down, and slower to play on.
GLANCED = (FIRE, ADVANCE, RUN, RALLY, DOWN)
#: How much of a shot is left after an Advance, and how much of the danger is spared whoever goes Down.
AFTER_ADVANCE, SPARED = 0.68, 0.4
#: How much of an assault counts that nobody has looked at closely.
LIKELY = 0.8


class Sketch(BoltJudge):
    """Weighs orders at a glance. ``victims`` are those whom units would assault."""

    def __init__(self, outlook: BoltOutlook) -> None:
        super().__init__(outlook)
        self.victims: dict[str, str] = {}

    def weigh(self, unit: Unit) -> list[Choice]:
        """The orders of a unit, the best first, without those that are not worth a glance."""
        found = self._kept.get(unit.id)
        if found is None:
            battle = self.outlook.battle
            wanted = ORDERS if unit.status != ON_TABLE else GLANCED if unit.pins else GLANCED[:3] + GLANCED[4:]
            may = (order for order in wanted if orders.bar(battle, unit, order) is None)
            found = self._kept[unit.id] = best_first(self._order(unit, order) for order in may)
        return found

    def target(self, unit: Unit, moved: bool) -> tuple[float, Unit | None]:
        """The best shot of a unit from where it is, and at whom."""
        outlook = self.outlook
        here, battle = outlook.here(unit), outlook.battle
        if targets.bar_unit(battle, unit) is not None:
            return 0.0, None
        shots = [(float(worth[here]), foe.n, foe) for foe, worth in outlook.shots(unit, moved)[1]]
        for worth, _, foe in sorted(shots, reverse=True):
            if worth <= 0:
                break
            if targets.bears(battle, unit, foe):
                return worth, foe
        return 0.0, None

    def why_there(self, unit: Unit, how: str, point: int, there: bool | None = None) -> tuple[Why, ...]:
        """Nothing is told of what was only glanced at."""
        return ()

    def _fire(self, unit: Unit) -> Choice:
        stay = self.stay(unit)
        if barrages_and_aircraft.may_call(self.outlook.battle, unit):
            return Choice(FIRE, stay + 1.2)
        worth, foe = self.target(unit, False)
        return Choice(FIRE, stay + (worth if foe is not None else -0.05))

    def after(self, unit: Unit, how: str) -> Floats:
        """What a move is worth at every point, the shots after it by those from a stand."""
        places = self.outlook.places(unit)
        if not self.shoots(unit, how):
            return places
        found: Floats = places + 0.9 * AFTER_ADVANCE * self.outlook.shots(unit, False)[0]
        return found

    def _turn(self, unit: Unit) -> Choice:
        worth = float(self.outlook.shots(unit, False)[0][self.outlook.here(unit)])
        return Choice(ADVANCE, self.stay(unit) + 0.8 * AFTER_ADVANCE * worth)

    def _down(self, unit: Unit) -> Choice:
        if unit.status != ON_TABLE or self.outlook.battle.type(unit).vehicle:
            return super()._down(unit)
        return Choice(DOWN, self.stay(unit) + SPARED * self.outlook.threatened(unit))

    def _shoots_from(self, unit: Unit) -> bool:
        return False

    def _assault(self, unit: Unit, over: float) -> Choice | None:
        outlook, battle = self.outlook, self.outlook.battle
        if not battle.type(unit).infantry:
            return None
        best: Choice | None = None
        far = charge.paces(battle, unit)[0] - 150
        x, y = outlook.spot(unit)
        for foe in outlook.foes:
            there = outlook.spot(foe)
            if abs(there[0] - x) > far + 500 or abs(there[1] - y) > far + 500 or battle.gap(unit, foe) > far:
                continue
            worth, why = assault_worth(outlook, unit, foe)
            choice = Choice(f"assault {foe.id}", LIKELY * worth, why, outlook.here(foe))
            if worth > 0 and (best is None or choice.worth > best.worth) and outlook.chart.sees(x, y, *there):
                best = choice
        if best is not None and best.worth + self.after_fight(unit, best) > over:
            self.victims[unit.id] = best.key.split()[1]
            return best
        return None
