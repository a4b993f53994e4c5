"""A position as one side knows it: who could fire at what from where, and what everybody is worth.

All of it is rough on purpose, for weighing many hexes; shots that can be fired now are weighed exactly in `shots`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.arcs import covered_arc, front_arc
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType
from grognard.games.ost.state import BROKEN, GOOD, Unit
from grognard.games.ost.tactics.harm import FULL, HALF, ONLY, foot_harm, gun_harm, vehicle_harm
from grognard.games.ost.tactics.stakes import Goal

if TYPE_CHECKING:
    from grognard.games.ost.tactics.knowledge import Knowledge

#: The loss of an ordinary squad by column, from -5 to 8: for danger that is felt before it is known to whom.
LOSSES = tuple(foot_harm(column, 0, 2, True, GOOD, 7).loss for column in range(-5, 9))
#: A unit that has used up its actions may still fire, shaken afterwards (90).
INTENSIVE = 0.35


class Piece:
    """A unit on the map with what it can do to others, and what it is worth."""

    __slots__ = (
        "armor",
        "can_fire",
        "fresh",
        "guard",
        "gut",
        "hex",
        "kind",
        "lead",
        "points",
        "power",
        "reach",
        "row",
        "small",
        "steps",
        "two",
        "unit",
        "worth",
    )

    def __init__(self, position: Position, unit: Unit) -> None:
        battle, know = position.battle, position.know
        self.unit, self.kind, self.hex = unit, battle.kinds[unit.kind], unit.hex
        kind = self.kind
        self.two = kind.reduced is not None
        self.steps = 2 if self.two and not unit.reduced else 1
        self.gut = battle.scenario.gut_check.get(unit.side, 7)
        left = (FULL if self.steps == 2 else HALF) if self.two else ONLY
        #: What its fighting power is worth as it stands, and its Casualty Points.
        self.power = know.stakes.fighting(kind, unit.side) * left[unit.morale]
        self.points = know.stakes.points_left(kind, unit) * know.stakes.loss[battle.other(unit.side)]
        leader = battle.leader(unit)
        self.lead = 1 if leader is not None and leader.morale == GOOD else 0
        if leader is not None:
            self.power += 0.5 * know.stakes.fighting(battle.kinds[leader.kind], unit.side)
        self.worth = self.power + self.points
        self.small, self.armor = _arms(battle, unit, kind)
        self.reach = max([each[0] for each in self.small] + [each[0] for each in self.armor], default=0)
        used = battle.used(unit)
        self.can_fire = (
            bool(self.reach) and unit.morale != BROKEN and not unit.aboard and unit.hex not in battle.state.melees
        )
        # How far it may still fire this turn.
        self.fresh = 0.0
        if self.can_fire and not unit.assaulted and not unit.intensive and not (kind.asterisk and unit.new_hex):
            self.fresh = INTENSIVE if used else 1.0
        self.row = know.row(position.rows, unit)
        self.guard = position.guard(unit, unit.hex)

    def power_at(self, distance: int) -> int:
        """The best Firepower against men at a distance; 0 out of range."""
        best = 0
        for reach, power in self.small:
            if distance <= reach and power > best:
                best = power
        return best


def _arms(
    battle: OstBattle, unit: Unit, kind: UnitType
) -> tuple[list[tuple[int, int]], list[tuple[int, int, int, int]]]:
    """Firepower against men by range, and against vehicles: furthest range, To Hit, AP, nearest range."""
    small: list[tuple[int, int]] = []
    armor: list[tuple[int, int, int, int]] = []
    half = 2 if unit.morale else 1
    if kind.leader or kind.armor_leader or kind.crew:
        return small, armor
    if kind.vehicle:
        loaded = battle.passenger(unit) is not None
        if not loaded:
            for number in battle.working_guns(unit):
                gun = kind.guns[number]
                small.append((gun.range, gun.he // half))
                armor += [(last, needed, power // half, first) for first, last, needed, power in gun.bands]
        if battle.working_mgs(unit) and (not loaded or kind.armored_transport):
            small.append((kind.secondary.range, kind.secondary.fp // half))
        return small, armor
    if kind.guns:
        gun = kind.guns[0]
        small.append((gun.range, battle.he(unit) // half))
        armor += [(last, needed, power // half, first) for first, last, needed, power in gun.bands]
        return small, armor
    reach = kind.reduced.range if unit.reduced and kind.reduced else kind.range
    own = battle.firepower(unit)
    small.append((reach, own // half))
    if kind.squad:
        for weapon in battle.state.weapons.values():
            if weapon.unit != unit.id:
                continue
            type_ = battle.kinds[weapon.kind]
            if type_.at_weapon:
                armor += [(last, needed, power // half, first) for first, last, needed, power in type_.bands]
            elif type_.class_ == "satchel":
                small.append((1, 10))
            elif type_.close_weapon:
                small.append((1, (own + type_.fp) // half))
                armor.append((1, 2, type_.fp // 2, 1))
            elif type_.mortar:
                small.append((type_.range, type_.fp // half))
            else:
                small.append((min(reach, type_.range), (own + type_.fp) // half))
                if type_.range > reach:
                    small.append((type_.range, type_.fp // half))
    return small, armor


class Position:
    """The battle as a side knows it at one question."""

    def __init__(self, know: Knowledge, battle: OstBattle, side: str) -> None:
        self.know, self.battle, self.side = know, battle, side
        self.enemy = battle.other(side)
        self.state = battle.state
        self.rows = know.rows(battle)
        self._shelter: dict[tuple[str, bool], int] = {}
        self._danger: dict[tuple[str, int], tuple[float, float]] = {}
        self._armor_danger: dict[tuple[str, int], tuple[float, float]] = {}
        self.dist = battle.grid.dist
        self.pieces: dict[str, Piece] = {}
        self.foes = [self.piece(u) for u in battle.units(self.enemy) if not u.hidden and not u.attached]
        self.mine = [u for u in battle.units(side) if not u.attached]
        self.shooters = [foe for foe in self.foes if foe.can_fire]
        self.goals: list[Goal] = know.stakes.goals(battle)
        turn = self.state.turn
        #: The turns still to come with this one; one more may be rolled for (3.0).
        self.turns = turn + (0.0 if self.state.extended else 0.5) if turn else 0.8
        self.last = turn <= 1

    # -- who is who ---------------------------------------------------------------------

    def piece(self, unit: Unit) -> Piece:
        """A unit of either side with its figures."""
        found = self.pieces.get(unit.id)
        if found is None:
            found = self.pieces[unit.id] = Piece(self, unit)
        return found

    def shelter(self, hex: str, side: str, foot: bool) -> int:
        """What a hex adds to a unit's Defense."""
        key = (hex, foot) if side == self.side else (hex + "*", foot)
        found = self._shelter.get(key)
        if found is None:
            found = self._shelter[key] = self.know.land.shelter(self.battle, side, hex, foot)
        return found

    def guard(self, unit: Unit, hex: str) -> int:
        """The Defense of a unit in a hex, a vehicle's between front and flank."""
        kind = self.battle.kinds[unit.kind]
        if kind.vehicle:
            return (kind.front + kind.flank + 1) // 2 + self.shelter(hex, unit.side, False)
        own = kind.reduced.defense if unit.reduced and kind.reduced else kind.defense
        return own + self.shelter(hex, unit.side, not unit.aboard)

    # -- danger ---------------------------------------------------------------------

    def danger(self, hex: str, guard: int) -> tuple[float, float]:
        """What a foot unit risks in a hex: from all who could fire at it, and from the best of those yet to fire."""
        known = self._danger.get((hex, guard))
        if known is not None:
            return known
        safe, worst = 1.0, 0.0
        here = self.dist[hex]
        for foe in self.shooters:
            distance = here[foe.hex]
            if distance > foe.reach or not distance:
                continue
            power = foe.power_at(distance)
            if not power:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = self.know.see(self.battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            column = power - degraded - guard + foe.lead
            loss = LOSSES[5 + (column if -5 <= column <= 8 else -5 if column < -5 else 8)]
            safe *= 1 - 0.8 * loss
            if loss * foe.fresh > worst:
                worst = loss * foe.fresh
        found = self._danger[hex, guard] = (1 - safe, worst)
        return found

    def armor_danger(self, unit: Unit, hex: str, facing: int = 0) -> tuple[float, float]:
        """As `danger`, for a vehicle in a hex: front or flank by its facing, the mean of both if none is given."""
        kind = self.battle.kinds[unit.kind]
        key = (f"{hex} {kind.front} {kind.flank} {kind.soft}", facing)
        known = self._armor_danger.get(key)
        if known is not None:
            return known
        safe, worst = 1.0, 0.0
        here, shelter = self.dist[hex], self.shelter(hex, unit.side, False)
        grid = self.battle.grid
        for foe in self.shooters:
            distance = here[foe.hex]
            if distance > foe.reach or not distance:
                continue
            if kind.armored and not foe.armor:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = self.know.see(self.battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            if facing:
                guard = kind.front if front_arc(grid, hex, facing, foe.hex) else kind.flank
            else:
                guard = (kind.front + kind.flank) // 2
            loss = self.vehicle_loss(foe, distance, degraded, guard + shelter, kind, unit)
            safe *= 1 - 0.8 * loss
            if loss * foe.fresh > worst:
                worst = loss * foe.fresh
        found = self._armor_danger[key] = (1 - safe, worst)
        return found

    def vehicle_loss(self, foe: Piece, distance: int, degraded: int, guard: int, kind: UnitType, unit: Unit) -> float:
        """The part of a vehicle that one shot of a piece costs on average."""
        best = 0.0
        gut = self.battle.scenario.gut_check.get(unit.side, 7)
        if kind.soft:
            power = foe.power_at(distance) // (1 if foe.kind.guns else 2)
            if power:
                best = vehicle_harm(power - degraded - guard, foe.lead, kind.armed, False, 0, gut, 1).loss
        for last, needed, power, first in foe.armor:
            if first <= distance <= last:
                column = power - degraded - guard
                column = -5 if column < -5 else 8 if column > 8 else column
                loss = gun_harm(needed, foe.lead - degraded, column, foe.lead, kind.armed, False, 0, gut, 2).loss
                best = max(best, loss)
        return best

    def risk(self, unit: Unit, hex: str, facing: int = 0) -> tuple[float, float]:
        """What a unit risks in a hex as parts of its worth: in all, and at once."""
        if self.battle.kinds[unit.kind].vehicle:
            return self.armor_danger(unit, hex, facing)
        return self.danger(hex, self.guard(unit, hex))

    # -- fire from somewhere ---------------------------------------------------------------------

    def aim(self, piece: Piece, hex: str, facing: int = 0) -> tuple[float, Piece | None]:
        """The best that a unit could expect of one shot from a hex, and at whom; hull guns need a facing."""
        best, target = 0.0, None
        here, battle = self.dist[hex], self.battle
        arc = facing and piece.kind.guns and piece.kind.guns[0].mount != "turret"
        for foe in self.foes:
            distance = here[foe.hex]
            if distance > piece.reach or not distance or foe.hex in self.state.melees:
                continue
            worth = foe.worth
            if worth <= best:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = self.know.see(battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            if arc and not covered_arc(battle.grid, hex, facing, foe.hex):
                continue
            if foe.kind.vehicle:
                loss = self.vehicle_loss(piece, distance, degraded, foe.guard, foe.kind, foe.unit)
            else:
                power = piece.power_at(distance)
                if not power:
                    continue
                column = power - degraded - foe.guard + piece.lead
                loss = LOSSES[5 + (column if -5 <= column <= 8 else -5 if column < -5 else 8)]
            if loss * worth > best:
                best, target = loss * worth, foe
        return best, target

    # -- where things are ---------------------------------------------------------------------

    def watchers(self, hex: str) -> int:
        """How many enemies who can fire see a hex within their range."""
        here, count = self.dist[hex], 0
        for foe in self.shooters:
            if here[foe.hex] <= foe.reach and self.know.seen(self.battle, foe.unit, foe.row, hex) >= 0:
                count += 1
        return count

    def near(self, hex: str, radius: int, side: str) -> float:
        """The fighting worth of a side's units around a hex."""
        pieces = self.foes if side == self.enemy else [self.piece(unit) for unit in self.mine]
        here = self.dist[hex]
        return sum(piece.power for piece in pieces if here[piece.hex] <= radius and piece.unit.morale != BROKEN)

    def friends(self, hex: str) -> int:
        """How many of the side's units stand in a hex."""
        return sum(1 for u in self.battle.at.get(hex, ()) if u.side == self.side and not u.attached and not u.aboard)

    def held(self, hex: str) -> bool:
        """Whether enemies that the side sees stand in a hex."""
        return any(u.side != self.side and not u.hidden for u in self.battle.at.get(hex, ()))
