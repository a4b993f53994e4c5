"""What the company game tells the outlook: worth, fire, assaults, and who is after what."""

from __future__ import annotations

import numpy as np

from grognard.board.table.bodies import Body
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.roster import GUN, INFANTRY, TANK, UnitType
from grognard.games.company.state import Platoon
from grognard.games.company.tactics.ground import chart_of
from grognard.games.company.tactics.volleys import MOVED, Target, Volley, fire_of, target_of, tolls
from grognard.kits.table.tactics.chart import Bytes, Floats
from grognard.kits.table.tactics.outlook import Outlook
from grognard.kits.table.tactics.taste import Taste
from grognard.kits.table.tactics.threats import Toll
from grognard.kits.table.tactics.way_out import Pace

#: Points of the roster that are worth as much as one point of victory.
POINTS = 45.0
#: What a commander is worth beside his points: his re-rolls, and the company's end without him (14.8, 14.11).
COMMANDER = 0.5
#: What a marker costs a platoon: of its worth, and besides.
OF_MARK, A_MARK = 0.045, 0.02
#: How much of an assault that may come has to be reckoned with, and how many Teams it takes to be one.
FEARED_ASSAULT, BRAVE = 0.35, 4
#: How well units are suited to take and hold a place.
SUITS = {INFANTRY: 1.0, GUN: 0.15, TANK: 0.6}
#: A platoon of so many Teams counts whole in a fight for a place.
WHOLE = 7.0

#: Every Team counts for itself; an assault goes a foot, and stands are spread over a hand.
TASTE = Taste(of_models=1.0, charge=1350.0, charge_fades=250.0, apart=1500.0, closes_in=0.015, near=1200.0)


class CompanyOutlook(Outlook[CompanyBattle, Platoon, Volley]):
    """A side's view of a battle; all is counted in victory points."""

    def __init__(self, battle: CompanyBattle, side: str) -> None:
        self._targets: dict[tuple[str, str], Target] = {}
        self._postures: dict[str, str] = {}
        super().__init__(battle, side, chart_of(battle.table), TASTE)

    # ---- worth ----

    def turns_left(self) -> float:
        """With this one."""
        return float(max(self.battle.scenario.turns - self.battle.state.turn, 0) + 1)

    def worth(self, unit: Platoon) -> float:
        """Its points by the Teams that are left, and what else a commander is there for."""
        return worth_of(self.battle, unit)

    def mark_worth(self, unit: Platoon) -> float:
        """What a marker costs: a Team that does not fire, and a harder check (11.4, 11.5)."""
        return A_MARK + OF_MARK * self.worth(unit)

    def waits(self, unit: Platoon) -> bool:
        """Whether it has still to activate this turn (1.6)."""
        return unit.acted < self.battle.state.turn

    def on_watch(self, unit: Platoon) -> bool:
        """Whether anybody of it is on Overwatch (7.3)."""
        return any(team.watch for team in unit.models)

    # ---- fire ----

    def profile(self, unit: Platoon, target: Platoon, moved: bool) -> Volley:
        """What a platoon can do to another, wherever they stand."""
        return self.fire(unit, target, charts().modifier("firer_moved").amount if moved else 0)

    def fire(self, unit: Platoon, target: Platoon, shift: int) -> Volley:
        """The same with what its action changes of the hit number."""
        return fire_of(self.battle, unit, self.target(target), shift)

    def target(self, unit: Platoon) -> Target:
        """A platoon as fire sees it, in its posture."""
        key = unit.id, self.posture(unit)
        found = self._targets.get(key)
        if found is None:
            found = target_of(self.battle, unit)
            found = self._targets[key] = found.exposed(key[1]) if key[1] else found
        return found

    def posture(self, unit: Platoon) -> str:
        """How one's own will come out of their action, as is thought of; how the enemy is."""
        return self._postures.get(unit.id, MOVED if unit.side == self.side else "")

    def danger_if(self, unit: Platoon, posture: str) -> Floats:
        """What it would have to fear after such an action."""
        self._postures[unit.id] = posture
        found = self.danger(unit)
        del self._postures[unit.id]
        return found

    def tolls(self, target: Platoon, fire: Volley, far: Floats, cover: Bytes, flank: Floats | float) -> Toll:
        """By the figures that resolve it."""
        return tolls(fire, far, cover, flank)

    def front(self, unit: Platoon) -> Body | None:
        """The hull of a vehicle (9.6)."""
        return self.battle.hull(unit) if self.kind(unit).all_tanks else None

    # ---- assaults ----

    def charged(self, unit: Platoon, foe: Platoon) -> float:
        """What stands have to fear of an assault by infantry: the more of them there are, the more."""
        if self.battle.is_commander(foe):
            return 0.0
        storm = sum(self.battle.team_type(team).infantry and not team.marks for team in foe.models)
        if storm < BRAVE:
            return 0.0
        strong = storm / (storm + self.defence(unit))
        return FEARED_ASSAULT * strong * self.worth(unit)

    def defence(self, unit: Platoon) -> float:
        """How many stands its fire and its men stand for in an assault: five hits halt one (13.5)."""
        dice = sum(max((w.fp for w in self.battle.team_type(t).arms), default=0) for t in unit.models if not t.marks)
        return len(unit.models) + dice / 2

    # ---- goals ----

    def kind(self, unit: Platoon) -> UnitType:
        """What it is by rule."""
        return self.battle.type(unit)

    def column(self, unit: Platoon) -> str:
        """How its slowest Teams go."""
        types = [self.battle.team_type(team) for team in unit.models]
        if any(type.gun for type in types):
            return GUN
        return TANK if types and all(type.tank for type in types) else INFANTRY

    def strength(self, unit: Platoon) -> float:
        """By its Teams and their training."""
        steady = (7 - self.battle.training(unit).check) / 3
        return steady * sum(team.marks == 0 for team in unit.models) / WHOLE

    def suits(self, unit: Platoon) -> float:
        """Infantry best; commanders, guns and artillery stay behind."""
        if self.battle.is_commander(unit) or self.battle.artillery(unit):
            return 0.1
        return SUITS[self.column(unit)]

    def exit_of(self, unit: Platoon) -> tuple[str, int] | None:
        """The edge over which it scores by leaving (16.6)."""
        for way in self.battle.scenario.victory.exits:
            if way.side == unit.side and (not way.kinds or unit.kind in way.kinds):
                if not self.battle.is_commander(unit):
                    return way.edge, way.points
        return None

    def pace(self, unit: Platoon) -> Pace:
        """Twice its move, if it can run (3.8)."""
        column = self.column(unit)
        far = 2.0 * charts().distance("movement", column)
        return Pace(column, far, far / 2 if column == TANK else far)

    # ---- the neighbourhood ----

    def neighbours(self, unit: Platoon) -> Floats:
        """Friends to a commander; the enemy to whoever has no other goal."""
        found: Floats = np.zeros(len(self.chart.x))
        if self.battle.is_commander(unit):
            for friend in self.own:
                if friend is not unit:
                    x, y = self.spot(friend)
                    away = np.hypot(self.chart.x - x, self.chart.y - y)
                    found += np.where(away <= charts().distance("leaders", "join_within"), 0.05, 0.0)
        elif self.goal(unit) is None and not self.battle.artillery(unit):
            found += self.toward_foes()
        return found


def worth_of(battle: CompanyBattle, unit: Platoon) -> float:
    """What a platoon is worth in points of victory, by the Teams that are left."""
    known = battle.teams
    teams = [*unit.models, *unit.riders]
    part: float = battle.charts["points"][unit.training]
    points = sum(known[team.kind].points for team in teams) * part
    extra = COMMANDER if battle.is_commander(unit) and teams else 0.0
    return points / POINTS + extra
