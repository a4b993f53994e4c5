"""What there is to be said about a battle at a glance, in figures: one list, the first side's lead in each.

`standing` weighs them. Most are in hundredths of a battle by the scenario's victory_values.
"""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

from grognard.board.hex.arcs import front_arc
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, EXITED, GOOD, LOST, OFF_MAP, ON_MAP, PLANE, UNMANNED
from grognard.games.ost.tactics.pieces import Piece
from grognard.games.ost.tactics.profiles import LOSSES, carried

if TYPE_CHECKING:
    from grognard.games.ost.tactics.knowledge import Knowledge

#: What is counted, in the order of the figures.
NAMES = (
    "scored",
    "losses",
    "edge",
    "owned",
    "pull",
    "force",
    "shaken",
    "broken",
    "out",
    "way",
    "reserve",
    "danger",
    "menace",
    "fresh",
    "points",
    "melee",
    "assets",
    "cards",
)
#: How much of a broken unit's strength counts around a hex: most rally.
RALLIES = 0.6
#: Two attacks on one unit do not add up; how far the second counts.
JOINT = 0.8


def time_left(know: Knowledge, battle: OstBattle) -> float:
    """The part of the battle that is still to come, from 1 to 0: whole turns, and of this one by Impulse Points."""
    state = battle.state
    points = sum(state.points.values()) / know.victory_values.income_both if state.phase == "play" else 1.0
    left: float = (state.turn - 1 + min(points, 1.0)) / battle.scenario.turns
    return max(0.0, min(1.0, left))


def account(know: Knowledge, battle: OstBattle) -> list[float]:
    """The figures of a battle: the first side's less the second's."""
    state, victory_values = battle.state, know.victory_values
    first, second = battle.sides
    kinds, melees = battle.kinds, state.melees
    rows, weapons = know.rows(battle), carried(battle)
    pieces: tuple[list[Piece], list[Piece]] = ([], [])
    force = shaken = broken = out = way = reserve = 0.0
    dist = battle.grid.dist
    for unit in state.units.values():
        status = unit.status
        if status in (LOST, UNMANNED):
            continue
        sign = 1.0 if unit.side == first else -1.0
        if status == ON_MAP:
            piece = Piece(know, battle, rows, unit, weapons)
            profile = piece.profile
            whole = profile.whole if profile.steps == 2 or not profile.two else 0.55 * profile.whole
            force += sign * whole
            if unit.morale:
                if unit.morale == BROKEN:
                    broken += sign * whole
                else:
                    shaken += sign * whole
            if unit.attached:
                continue
            pieces[unit.side != first].append(piece)
            worth, hexes = victory_values.exit_of(piece.kind, unit.side)
            if worth and hexes:
                row = dist[unit.hex]
                nearest = min(row[end] for end in hexes)
                part = max(0.0, 1 - nearest / (3.0 + 4.0 * state.turn))
                way += sign * worth * part * (1.0 if unit.morale != BROKEN else 0.5)
            continue
        kind = kinds[unit.kind]
        if status == EXITED:
            worth = victory_values.exit_of(kind, unit.side)[0]
            out += sign * (worth or 0.3 * victory_values.fighting(kind, unit.side))
        elif status in (OFF_MAP, PLANE):
            reserve += sign * victory_values.fighting(kind, unit.side)
    mine, theirs = pieces
    owned, pull = _ground(know, battle, mine, theirs)
    here, there = _danger(know, battle, mine, theirs), _danger(know, battle, theirs, mine)
    points = state.points if state.phase == "play" else {}
    left, right = points.get(first, 0), points.get(second, 0)
    casualties = state.casualties
    ours, yours = casualties.get(first, 0), casualties.get(second, 0)
    return [
        victory_values.point * (state.victory.get(first, 0) - state.victory.get(second, 0)),
        victory_values.loss[first] * ours - victory_values.loss[second] * yours,
        victory_values.edge,
        owned,
        pull,
        force,
        -shaken,
        -broken,
        out,
        way,
        reserve,
        there[0] - here[0],
        there[1] * _share(left, mine) - here[1] * _share(right, theirs),
        _fresh(mine) * _share(left, mine) - _fresh(theirs) * _share(right, theirs),
        10.0 * (left / victory_values.income[first] - right / victory_values.income[second]),
        _melees(know, battle) if melees else 0.0,
        float(sum(state.assets.get(first, {}).values()) - sum(state.assets.get(second, {}).values())),
        float(len(state.cards.get(first, ())) - len(state.cards.get(second, ()))),
    ]


def _share(points: int, pieces: list[Piece]) -> float:
    """How many of the actions that are left can still be paid for."""
    able = sum(piece.fresh for piece in pieces)
    return min(1.0, points / able) if able else 0.0


def _fresh(pieces: list[Piece]) -> float:
    return sum(piece.power * piece.fresh for piece in pieces if not piece.used)


def _ground(know: Knowledge, battle: OstBattle, mine: list[Piece], theirs: list[Piece]) -> tuple[float, float]:
    """Hexes that count: owned now, and drawn to either side by the strength around them."""
    state, dist = battle.state, battle.grid.dist
    first, second = battle.sides
    reach = 4.0 + 1.2 * state.turn
    owned = pulled = 0.0
    powers = [
        (piece.hex, sign * piece.power * (RALLIES if piece.unit.morale == BROKEN else 1.0), piece.unit.morale == GOOD)
        for pieces, sign in ((mine, 1.0), (theirs, -1.0))
        for piece in pieces
    ]
    for goal in know.victory_values.goals(battle):
        row = dist[goal.hex]
        pull = 0.0
        for hex, power, good in powers:
            distance = row[hex]
            if not distance:
                pull += 1.5 * power if good else power
            elif distance < reach:
                pull += power / (1.0 + distance)
        owner = state.control.get(goal.hex, "")
        one, two = goal.worth.get(first, 0.0), goal.worth.get(second, 0.0)
        if owner == first:
            owned += one
        elif owner == second:
            owned -= two
        pulled += (one + two) / 2 * tanh(pull / 4.0) + (one - two) / 2
    return owned, pulled


def _danger(know: Knowledge, battle: OstBattle, targets: list[Piece], foes: list[Piece]) -> tuple[float, float]:
    """What units stand to lose by fire: from all who could ever fire at them where they are, and still in this turn."""
    dist, grid, melees = battle.grid.dist, battle.grid, battle.state.melees
    shooters = [foe for foe in foes if foe.can_fire]
    total = soon = 0.0
    for target in targets:
        unit, hex = target.unit, target.hex
        if unit.hidden or unit.aboard or hex in melees:
            continue
        here, guard, kind = dist[hex], target.guard, target.kind
        safe = now = 1.0
        for foe in shooters:
            distance = here[foe.hex]
            if distance > foe.reach or not distance:
                continue
            degraded = foe.row.get(hex)
            if degraded is None:
                degraded = know.see(battle, foe.unit, foe.row, hex)
            if degraded < 0:
                continue
            if kind.vehicle:
                if not foe.armor and not kind.soft:
                    continue
                side = kind.front if front_arc(grid, hex, unit.facing, foe.hex) else kind.flank
                cover = guard - target.profile.guard
                loss = JOINT * foe.profile.on_vehicle(kind, distance, degraded, side + cover, foe.lead, target.gut)
            else:
                column = foe.men[distance] - degraded - guard + foe.lead
                loss = JOINT * foe.at_once[5 + (column if -5 <= column <= 8 else -5 if column < -5 else 8)]
            safe *= 1 - loss
            if foe.fresh:
                now *= 1 - loss * foe.fresh
        total += target.worth * (1 - safe)
        soon += target.worth * (1 - now)
    return total, soon


def _melees(know: Knowledge, battle: OstBattle) -> float:
    """What Melees will cost either side at the turn's end, roughly (102)."""
    first = battle.sides[0]
    found = 0.0
    for hex in battle.state.melees:
        power, guard, worth = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        for unit in battle.at.get(hex, ()):
            number = int(unit.side != first)
            kind = battle.kinds[unit.kind]
            if unit.morale != BROKEN:
                fire = max(battle.firepower(unit), kind.secondary.fp, 2 if kind.guns else 0)
                power[number] += fire / 2 if unit.morale else fire
            guard[number] += battle.defense(unit)
            worth[number] += know.victory_values.fighting(kind, unit.side)
        for number, sign in ((0, 1.0), (1, -1.0)):
            column = int(power[number] - guard[1 - number])
            found += sign * LOSSES[5 + max(-5, min(8, column))] * worth[1 - number]
    return found
