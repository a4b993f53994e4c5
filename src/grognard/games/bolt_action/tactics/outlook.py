"""What Bolt Action tells the outlook: worth, fire, assaults, and who is after what."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from grognard.board.table.bodies import Body
from grognard.games.bolt_action import close_quarters, damage
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import UnitType
from grognard.games.bolt_action.state import AMBUSH, DOWN, Unit
from grognard.games.bolt_action.tactics import victory_values
from grognard.games.bolt_action.tactics.fire import (
    Effect,
    Profile,
    as_shooter,
    as_target,
    breaks,
    known_profile,
    tolls,
)
from grognard.games.bolt_action.tactics.fire import chance_to_damage as damages
from grognard.games.bolt_action.tactics.ground import IN_HULL, ON_FOOT, chart_of
from grognard.games.bolt_action.tactics.melee import Fight, fight
from grognard.games.bolt_action.tactics.victory_values import OF_PIN
from grognard.kits.table.tactics.chart import Bools, Bytes, Floats
from grognard.kits.table.tactics.outlook import Outlook
from grognard.kits.table.tactics.taste import Taste
from grognard.kits.table.tactics.threats import Toll
from grognard.kits.table.tactics.way_out import Pace

#: How much of an assault that may come has to be reckoned with.
FEARED_ASSAULT = 0.3
#: How near enemies hunt an empty transport, in hundredths, and what of it has to be reckoned with there; and what if it
#: is nearer to them than to any friend, or almost so.
HUNTED_WITHIN, HUNTED, LOST, CLOSE = 2400.0, 0.3, 0.8, 200.0
#: How well soft vehicles are suited to hold a place: at the end any wheel on it counts (28.5).
SOFT, SOFT_LATE, LATE = 0.2, 0.6, 2.0
#: How much of those aboard is lost with their vehicle, of what their loss scores (24.7).
THROWN_OUT = 0.5
#: How much of what the enemy scores counts: whoever stays behind to be safe has lost the battle all the same.
MINDED = 0.3
#: How much room a hull needs on either side, and how long it is before its middle, in hundredths.
BESIDE, BEFORE = 100, 200
#: How far an officer or a medic helps, in hundredths.
HELPS = 700

TASTE = Taste()

#: What a charge of one unit at another comes to, by their numbers (see `as_shooter`).
_charges: dict[tuple[int, int], float] = {}


def pace_of(kind: UnitType) -> Pace:
    """How a kind of unit moves: vehicles twice as far along a road (8.2), tracks without a turn in a Run (10.1)."""
    rates = charts().rates[kind.moves_as]
    run, advance = float(rates.run), float(rates.advance)
    if not kind.vehicle:
        return Pace(kind.column, run, advance)
    straight = charts().pivots[kind.mobility].run <= 0
    return Pace(kind.column, run, advance, 2.0, straight, BESIDE, BEFORE)


class BoltOutlook(Outlook[BoltBattle, Unit, Profile]):
    """A side's view of a battle of Bolt Action; all is counted in victory points."""

    def __init__(self, battle: BoltBattle, side: str) -> None:
        # The frame asks for the turns that are left as it begins, and may ask for more.
        self._cup = battle.state.cup
        self._men: dict[str, int] = {}
        self._shooters: dict[str, tuple[Unit, int]] = {}
        self._targets: dict[tuple[str, str], tuple[Unit, int]] = {}
        self._fights: dict[tuple[str, str], float] = {}
        super().__init__(battle, side, chart_of(battle.table), TASTE)

    # ---- worth ----

    def turns_left(self) -> float:
        """With the further one by its chance (28.3)."""
        return victory_values.turns_left(self.battle)

    def worth(self, unit: Unit) -> float:
        """What its loss scores, what it can still do, and its way out."""
        return victory_values.worth(self.battle, unit)

    def mark_worth(self, unit: Unit) -> float:
        """What a pin costs: more with every one that it has."""
        return OF_PIN * self.value(unit) * (1 + 0.2 * unit.pins) + 0.03

    def gain_of(self, target: Unit, effect: Effect) -> float:
        """What the effect of a shot is worth to its enemy."""
        return self.gain(target, effect.men, effect.pins, effect.kill)

    def models(self, unit: Unit) -> int:
        """Its men; of a vehicle only the end counts."""
        found = self._men.get(unit.id)
        if found is None:
            vehicle = self.battle.type(unit).vehicle
            found = self._men[unit.id] = 0 if vehicle else len(self.battle.men(unit))
        return found

    def waits(self, unit: Unit) -> bool:
        """Whether it has no die yet, and one is left for it."""
        return not unit.die and self._cup.get(unit.side, 0) > 0

    def on_watch(self, unit: Unit) -> bool:
        """Whether it lies in ambush."""
        return unit.die == AMBUSH

    # ---- fire ----

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

    def tolls(self, target: Unit, fire: Profile, far: Floats, cover: Bytes, flank: Floats | float) -> Toll:
        """What weapons do, by the very tallies that resolve them."""
        return tolls(self.battle, target, fire, far, cover, flank)

    def tolls_by(self, target: Unit) -> tuple[Hashable, ...]:
        """How likely it is to break (3.7)."""
        return () if self.battle.type(target).vehicle else (breaks(self.battle, target),)

    def posture(self, unit: Unit) -> str:
        """Whoever is Down is harder to hit (16.1)."""
        return DOWN if unit.die == DOWN else ""

    def danger_down(self, unit: Unit) -> Floats:
        """What it would have to fear if it went Down."""
        before, unit.die = unit.die, DOWN
        found = self.danger(unit)
        unit.die = before
        return found

    def front(self, unit: Unit) -> Body | None:
        """The hull of a vehicle (19.2)."""
        return self.battle.hull(unit) if self.battle.type(unit).vehicle else None

    def eye(self, unit: Unit) -> float:
        """Higher in a vehicle than on foot."""
        return IN_HULL if self.battle.type(unit).vehicle else ON_FOOT

    def inside(self, unit: Unit) -> str:
        """The building that it is in."""
        return unit.building

    # ---- assaults ----

    def charged(self, unit: Unit, foe: Unit) -> float:
        """What men on foot have to fear of an assault by infantry."""
        found = self._fights.get((unit.id, foe.id))
        if found is None:
            found = 0.0
            brave = self.battle.type(foe).infantry and len(foe.models) >= 4 and foe.pins <= 3
            if brave and not self.battle.type(unit).vehicle:
                key = (self._shooter(foe)[1], self._shooter(unit)[1])
                if key not in _charges:
                    odds = self.melee(foe, unit, False)
                    _charges[key] = max(odds.won - odds.lost * 0.5, 0.0)
                found = FEARED_ASSAULT * _charges[key] * self.worth(unit)
            self._fights[unit.id, foe.id] = found
        return found

    def melee(self, unit: Unit, target: Unit, together: bool, fewer: float = 0.0) -> Fight:
        """How close quarters between two units go; the attacker has lost some men before."""
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

    # ---- goals ----

    def column(self, unit: Unit) -> str:
        """Its column of the terrain chart (9)."""
        return self.battle.type(unit).column

    def holds(self, unit: Unit) -> bool:
        """Guns do not (28.5)."""
        return not self.battle.type(unit).artillery

    def strength(self, unit: Unit) -> float:
        """Men, quality and pins."""
        return victory_values.strength(self.battle, unit)

    def suits(self, unit: Unit) -> float:
        """Infantry best; soft vehicles near the end."""
        kind = self.battle.type(unit)
        if kind.vehicle:
            return 0.8 if kind.armoured else SOFT_LATE if self.left <= LATE else SOFT
        if kind.kind == "team":
            return 0.3
        return 0.45 if kind.kind == "hq" else 1.0

    def exit_of(self, unit: Unit) -> tuple[str, int] | None:
        """The edge over which it gets points by leaving (8.5, 28.5)."""
        return victory_values.may_exit(self.battle, unit)

    def scored(self, unit: Unit) -> float:
        """The points for its destruction, with its part of those aboard."""
        battle = self.battle
        riders = sum(victory_values.scored_for(battle, rider) for rider in battle.passengers(unit))
        return MINDED * (victory_values.scored_for(battle, unit) + THROWN_OUT * riders)

    def can_move(self, unit: Unit) -> bool:
        """Whether it is not immobilised (20.4)."""
        return not unit.immobilised

    def pace(self, unit: Unit) -> Pace:
        """How it goes on its way out."""
        return pace_of(self.battle.type(unit))

    def covered(self, unit: Unit) -> bool:
        """Whether it is in a building, or on foot where nobody sees it but through cover."""
        return bool(unit.building) or (not self.battle.type(unit).vehicle and super().covered(unit))

    # ---- the neighbourhood ----

    def neighbours(self, unit: Unit) -> Floats:
        """Friends with pins to an officer, friends to a medic, the enemy to whoever has no other goal."""
        battle = self.battle
        kind = battle.type(unit)
        found: Floats = np.zeros(len(self.chart.x))
        if not self.foes:
            return found
        if self.idle(unit):
            return -self._hunted(unit)
        if kind.rank:
            for friend in self.own:
                if friend is not unit and not battle.type(friend).rank:
                    found += np.where(self._from(friend) <= HELPS, 0.05 + 0.06 * min(friend.pins, 4), 0.0)
        elif battle.has(unit, "medic"):
            for friend in self.own:
                if friend is not unit and battle.type(friend).infantry:
                    found += np.where(self._from(friend) <= HELPS, 0.05, 0.0)
        elif self.goal(unit) is None or kind.kind in ("team", "hq"):
            found += self.toward_foes()
        return found

    def _from(self, unit: Unit) -> Floats:
        """How far every point is from a unit."""
        x, y = self.spot(unit)
        found: Floats = np.hypot(self.chart.x - x, self.chart.y - y)
        return found

    def idle(self, unit: Unit) -> bool:
        """Whether a unit is a transport with nobody aboard and nothing to fight with."""
        kind = self.battle.type(unit)
        return kind.vehicle and kind.transport and not kind.weapons and not self.battle.passengers(unit)

    def _hunted(self, unit: Unit) -> Floats:
        """What an empty transport has to fear from enemies about it: nearer to them than to friends it is lost at the
        turn's end (24.7)."""
        enemy = np.min([self.row(foe).far for foe in self.foes], axis=0)
        friends = [own for own in self.own if own is not unit and not self.idle(own)]
        found: Floats = HUNTED * self.value(unit) * np.clip(1 - enemy / HUNTED_WITHIN, 0.0, 1.0)
        if not friends:
            return found
        lost: Bools = np.min([self._from(each) for each in friends], axis=0) + CLOSE >= enemy
        found += np.where(lost, LOST * self.value(unit), 0.0)
        return found
