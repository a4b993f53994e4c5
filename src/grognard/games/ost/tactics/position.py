"""A position as one side knows it: who could fire at what from where, and what everybody is worth.

All of it is rough on purpose, for weighing many hexes; shots that can be fired now are weighed exactly in `shots`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from grognard.board.hex.arcs import covered_arc, front_arc
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, Unit
from grognard.games.ost.tactics.pieces import Piece
from grognard.games.ost.tactics.profiles import LOSSES, carried, joined
from grognard.games.ost.tactics.victory_values import Goal

if TYPE_CHECKING:
    from grognard.games.ost.tactics.knowledge import Knowledge

#: Who is so many hundredths behind has nothing to lose by waiting no longer.
MUCH = 10.0


class Position:
    """The battle as a side knows it at one question."""

    def __init__(self, know: Knowledge, battle: OstBattle, side: str) -> None:
        self.know, self.battle, self.side = know, battle, side
        self.enemy = battle.other(side)
        self.state = battle.state
        self.rows = know.rows(battle)
        self.weapons = carried(battle)
        self._shelter: dict[tuple[str, bool], int] = {}
        self.dist = battle.grid.dist
        self.pieces: dict[str, Piece] = {}
        self.foes = [self.piece(u) for u in battle.units(self.enemy) if not u.hidden and not u.attached]
        self.mine = [u for u in battle.units(side) if not u.attached]
        self.shooters = [foe for foe in self.foes if foe.can_fire]
        self.view = know.view(battle, self.foes)
        self.goals: list[Goal] = know.victory_values.goals(battle)
        turn = self.state.turn
        #: The turns still to come with this one; one more may be rolled for (3.0).
        self.turns = turn + (0.0 if self.state.extended else 0.5) if turn else 0.8
        self.last = turn <= 1

    @cached_property
    def behind(self) -> float:
        """How far the side would lose if all stayed as it is, from 0 to 1: whoever is behind must go and change it."""
        lead = self.know.victory_values.verdict(self.battle) * (1 if self.side == self.battle.sides[0] else -1)
        return min(max(-lead / MUCH, 0.0), 1.0)

    @cached_property
    def obstacles(self) -> tuple[Any, ...]:
        """Whatever on the map bars a way or shelters: works, mines and Melees."""
        state = self.state
        return (*state.works.items(), *state.mines.items(), *state.melees)

    # -- who is who ---------------------------------------------------------------------

    def piece(self, unit: Unit) -> Piece:
        """A unit of either side with its figures."""
        found = self.pieces.get(unit.id)
        if found is None:
            found = self.pieces[unit.id] = Piece(self.know, self.battle, self.rows, unit, self.weapons)
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
        """What a foot unit risks in a hex: from all who could fire at it, and from the best of those yet to fire.

        A machine gun counts with all that it may do: Sustained Fire at once, and its second action in all.
        """
        known = self.view.men.get((hex, guard))
        if known is not None:
            return known
        safe, worst = 1.0, 0.0
        here, base = self.dist[hex], 5 - guard
        for foe in self.shooters:
            distance = here[foe.hex]
            if distance > foe.reach or not distance:
                continue
            power = foe.men[distance]
            if not power:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = self.know.see(self.battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            column = base + power - degraded + foe.lead
            column = column if 0 <= column <= 13 else 0 if column < 0 else 13
            safe *= 1 - 0.8 * foe.losses[column]
            soon = foe.at_once[column] * foe.fresh
            if soon > worst:
                worst = soon
        found = self.view.men[hex, guard] = (1 - safe, worst)
        return found

    def armor_danger(self, unit: Unit, hex: str, facing: int = 0) -> tuple[float, float]:
        """As `danger`, for a vehicle in a hex: front or flank by its facing, the mean of both if none is given."""
        kind = self.battle.kinds[unit.kind]
        shelter = self.shelter(hex, unit.side, False)
        key = (hex, kind.id, shelter, facing)
        known = self.view.vehicles.get(key)
        if known is not None:
            return known
        safe, worst = 1.0, 0.0
        here = self.dist[hex]
        grid, gut = self.battle.grid, self.battle.scenario.gut_check.get(unit.side, 7)
        armored = kind.armored
        for foe in self.shooters:
            distance = here[foe.hex]
            if distance > foe.reach or not distance or (armored and not foe.armor):
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
            loss = foe.profile.on_vehicle(kind, distance, degraded, guard + shelter, foe.lead, gut)
            if foe.attacks > 1:
                loss = joined(loss, foe.attacks)
            safe *= 1 - 0.8 * loss
            if loss * foe.fresh > worst:
                worst = loss * foe.fresh
        found = self.view.vehicles[key] = (1 - safe, worst)
        return found

    def risk(self, unit: Unit, hex: str, facing: int = 0) -> tuple[float, float]:
        """What a unit risks in a hex as parts of its worth: in all, and at once."""
        if self.battle.kinds[unit.kind].vehicle:
            return self.armor_danger(unit, hex, facing)
        return self.danger(hex, self.guard(unit, hex))

    # -- fire from somewhere ---------------------------------------------------------------------

    def aim(self, piece: Piece, hex: str, facing: int = 0) -> float:
        """The best that a unit could expect of one shot from a hex; hull guns need a facing."""
        kind, profile, lead = piece.kind, piece.profile, piece.lead
        arc = facing if kind.guns and kind.guns[0].mount != "turret" else 0
        key = (profile, hex, lead, arc)
        known = self.view.aim.get(key)
        if known is not None:
            return known
        best = 0.0
        here, battle = self.dist[hex], self.battle
        reach, men, melees = piece.reach, piece.men, self.state.melees
        for foe in self.foes:
            distance = here[foe.hex]
            if distance > reach or not distance:
                continue
            worth = foe.worth
            if worth <= best or foe.hex in melees:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = self.know.see(battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            if arc and not covered_arc(battle.grid, hex, facing, foe.hex):
                continue
            if foe.kind.vehicle:
                loss = profile.on_vehicle(foe.kind, distance, degraded, foe.guard, lead, foe.gut)
            else:
                power = men[distance]
                if not power:
                    continue
                column = power - degraded - foe.guard + lead
                loss = LOSSES[5 + (column if -5 <= column <= 8 else -5 if column < -5 else 8)]
            if loss * worth > best:
                best = loss * worth
        self.view.aim[key] = best
        return best

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
