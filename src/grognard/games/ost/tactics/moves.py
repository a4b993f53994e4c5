"""Where a unit could go, and what it would be worth: from cover to cover, past as few rifles as may be."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any, NamedTuple

from grognard.board.hex.arcs import turned
from grognard.core.tactics import Reason
from grognard.games.ost import stacking
from grognard.games.ost.state import BROKEN, Unit
from grognard.games.ost.tactics.assignments import CLEAR, HOLD, JOIN, LEAVE, Assignment, Assignments
from grognard.games.ost.tactics.ground import PIVOT, REVERSE, Way
from grognard.games.ost.tactics.pieces import Piece
from grognard.games.ost.tactics.position import Position

#: What fire from a place counts against being there, and danger there against danger on the way.
AIM, DANGER, PASSING = 0.5, 0.85, 0.45
#: How far haste makes a unit disregard danger, and one that is to leave the map, and how much further where its side
#: loses if nothing changes: the danger on the way to what it must have is not spared by waiting. Some always counts.
DARING, RUNNING, DESPERATE, MINDFUL = 0.5, 0.8, 0.3, 0.05
#: However many targets the enemy is offered, each has this part of his fire to fear at least.
TOGETHER = 0.35
#: What leaving the map costs in half points, and is worth to those who should, against standing at its edge.
EXIT, OUT = 2, 1.4
#: Half points are cheap, but a shorter way is better.
PACE = 0.004
#: The part of whoever rides that is lost with a vehicle; what company costs a unit, and men who cannot get off for it.
RIDER, CROWD, NO_ROOM = 0.4, 0.04, 0.06
#: What the chance to bog costs a vehicle, as a part of its worth, and mines a unit.
BOG, MINES = 0.06, 0.2


#: How many units' plans are kept before the same enemies.
KEEP = 150
#: For each facing: what it may become by a turn of a hexside, and the ways a vehicle goes, with what more they cost.
TURNS = {facing: (turned(facing, -1), facing, turned(facing, 1)) for facing in range(1, 7)}
AHEAD = {facing: ((facing, "step", 0),) for facing in range(1, 7)}
BOTH_WAYS = {facing: ((facing, "step", 0), (turned(facing, 3), "reverse", REVERSE)) for facing in range(1, 7)}


class Place(NamedTuple):
    """What standing somewhere is worth to a unit: the assignment, its fire from there, and what it risks there."""

    total: float
    pull: float
    aim: float
    risk: float


class Plan(NamedTuple):
    """A Move: what it is worth, the answer it begins with, where it ends, and what it risks on the way."""

    worth: float
    first: str
    end: str
    facing: int
    passing: float
    place: Place


class Moves:
    """The Moves of a side's units in one position."""

    def __init__(self, position: Position, assignments: Assignments) -> None:
        self.position, self.assignments = position, assignments
        self._places: dict[tuple[str, str, int], Place] = {}
        self._grounds: dict[tuple[str, str, int], tuple[float, float, float]] = {}
        self._scales: dict[str, tuple[Piece, float, float, float]] = {}
        state = position.state
        ready = state.points.get(position.enemy, 0)
        #: How likely a shot at something that moves is, and how much danger counts that comes later.
        self.alarm = 0.0 if ready < 1 else PASSING * min(1.0, 0.5 + 0.15 * ready)
        later = 0.0 if position.last and not ready else 0.55 if position.last else 1.0
        self.later = DANGER * later
        #: The part of the enemy's fire that a unit on foot, and a vehicle, has to fear.
        self.shared = self._shared()

    def _shared(self) -> tuple[float, float]:
        """The enemy has no more shots for being offered more targets: whoever comes on with others is spared by them.

        Guns that can hurt vehicles are shared out among these, all that can fire among all.
        """
        position = self.position
        guns = sum(1 for foe in position.shooters if foe.armor)
        kinds = position.battle.kinds
        vehicles = sum(1 for unit in position.mine if kinds[unit.kind].vehicle and not kinds[unit.kind].truck)
        able = sum(1 for unit in position.mine if not unit.aboard and unit.morale != BROKEN)
        parts = (len(position.shooters) / max(able, 1), guns / max(vehicles, 1))
        on_foot, driving = (max(TOGETHER, min(part, 1.0)) for part in parts)
        return on_foot, driving

    # -- what a place is worth ---------------------------------------------------------------------

    def place(self, unit: Unit, hex: str, facing: int = 0) -> Place:
        """What it is worth to a unit to end its Move in a hex."""
        key = (unit.id, hex, facing)
        known = self._places.get(key)
        if known is not None:
            return known
        # Facing tells where a unit stands; elsewhere it can still be chosen.
        aim, risk, crowd = self._ground(unit, hex, facing if hex == unit.hex else 0)
        pull = self.assignments.pull(unit, hex, facing)
        found = self._places[key] = Place(pull + aim - risk - crowd, pull, aim, risk)
        return found

    def _ground(self, unit: Unit, hex: str, facing: int) -> tuple[float, float, float]:
        """What a hex is worth whatever the assignment: fire from there, danger there, and the crowd."""
        key = (unit.id, hex, facing)
        known = self._grounds.get(key)
        if known is not None:
            return known
        position = self.position
        piece, fire, risk, crowd = self._scales.get(unit.id) or self._scale(unit)
        aim = 0.0
        if fire:
            aim = fire * position.aim(piece, hex, facing)
            if hex != unit.hex and piece.kind.asterisk:
                aim *= 0.5  # it would not fire before the next turn (17.11)
        if piece.kind.vehicle:
            risk *= position.armor_danger(unit, hex, facing)[0]
        else:
            risk *= position.danger(hex, position.guard(unit, hex))[0]
        if hex not in position.battle.at or position.friends(hex) - (hex == unit.hex) <= 0:
            crowd = 0.0
        found = self._grounds[key] = (aim, risk, crowd)
        return found

    def _scale(self, unit: Unit) -> tuple[Piece, float, float, float]:
        """What fire, danger and a crowd count for a unit."""
        piece = self.position.piece(unit)
        at_risk, crowd = piece.worth, CROWD * piece.worth
        if piece.kind.vehicle and (rider := self.position.battle.passenger(unit)) is not None:
            riding = self.position.piece(rider).worth
            at_risk, crowd = at_risk + RIDER * riding, crowd + NO_ROOM * riding
        fire = AIM if piece.reach and not self.position.last else 0.0
        risk = at_risk * self.later * self.nerve(unit) * self.shared[piece.kind.vehicle]
        found = self._scales[unit.id] = piece, fire, risk, crowd
        return found

    def nerve(self, unit: Unit) -> float:
        """How much danger counts for a unit: less the more pressing its assignment, for it must go through with it."""
        assignment = self.assignments.of(unit)
        daring = RUNNING if assignment is not None and assignment.kind == LEAVE else DARING
        return max(MINDFUL, 1 - (daring + DESPERATE * self.position.behind) * self.assignments.haste(unit))

    def _gait(self, piece: Piece) -> float:
        """What a part of a unit lost on the way counts, by how likely it is fired at."""
        return piece.worth * self.alarm * self.nerve(piece.unit) * self.shared[piece.kind.vehicle]

    def closed(self, unit: Unit, hex: str) -> bool:
        """Whether a unit may not go into a hex: a Melee, enemies, or no room (72.4, 75.10)."""
        battle = self.position.battle
        if hex not in battle.at:
            return False
        if hex in battle.state.melees:
            return True
        if any(u.side != unit.side and not u.hidden for u in battle.at[hex]):
            return True
        return stacking.bar_stack(battle, unit.side, hex, [unit]) is not None

    # -- plans ---------------------------------------------------------------------

    def plans(self, unit: Unit, left: int, fresh: bool) -> dict[str, Plan]:
        """The best Move for each step that a unit could begin with, against staying where it is."""
        key, way = self._key(unit, left, fresh)
        kept = self.position.view.plans
        known = kept.get(key)
        if known is not None and known[0] is way:
            return known[1]
        if len(kept) >= KEEP:
            kept.clear()
        kind = self.position.battle.kinds[unit.kind]
        found = self._driving(unit, left, fresh) if kind.vehicle else self._on_foot(unit, left, fresh)
        kept[key] = way, found
        return found

    def _key(self, unit: Unit, left: int, fresh: bool) -> tuple[tuple[Any, ...], Way | None]:
        """All that a plan depends on beside where the enemy stands: thoughts come to the same positions again."""
        position, assignments = self.position, self.assignments
        assignment, piece = assignments.of(unit), position.piece(unit)
        here = position.dist[unit.hex]
        goal = assignment.goal if assignment is not None else ""
        company = [u.n for u in position.mine if u is not unit and (here[u.hex] <= left or u.hex == goal)]
        places = [u.hex for u in position.mine if u is not unit and (here[u.hex] <= left or u.hex == goal)]
        key = (
            *(piece.profile, piece.worth, piece.lead, unit.hex, unit.facing, unit.aboard, left, fresh),
            *(self.later, self.alarm, self.shared, position.turns, position.behind, position.obstacles),
            *(self._scales.get(unit.id) or self._scale(unit))[2:],
            *(assignments.prizes_key, assignments.haste(unit)),
            *((assignment.kind, goal, assignment.weight, assignment.prize) if assignment is not None else ()),
            *company,
            *places,
        )
        return key, assignment.way if assignment is not None else None

    def best(self, unit: Unit, left: int | None = None, fresh: bool = True) -> Plan | None:
        """The best Move of a unit; None if it has none."""
        points = self.position.battle.allowance(unit) if left is None else left
        return max(self.plans(unit, points, fresh).values(), key=lambda plan: plan.worth, default=None)

    def _on_foot(self, unit: Unit, left: int, fresh: bool) -> dict[str, Plan]:
        position, battle = self.position, self.position.battle
        kind = battle.kinds[unit.kind]
        if kind.transport_only:
            return {}
        piece = position.piece(unit)
        steps, extra = position.know.land.steps(battle, "foot"), self._works()
        start, occupied = unit.hex, battle.at
        stay = self.place(unit, start).total
        gait = self._gait(piece)
        own = piece.profile.guard
        best: dict[str, tuple[float, str, float]] = {}
        done: set[str] = {start}
        risks: dict[str, float | None] = {}  # what entering a hex risks; None where it cannot be entered
        queue: list[tuple[float, int, str, str, float]] = []
        rubble, mined = battle.state.rubble, battle.state.mines
        foot = not unit.aboard
        drawn = self.assignments.drawn(unit)
        leaving = self._leaving(unit)

        def entering(hex: str) -> float | None:
            if hex in occupied and self.closed(unit, hex):
                return None
            if kind.no_structures and hex not in rubble and battle.terrain(hex).structure:
                return None
            risk = position.danger(hex, own + position.shelter(hex, unit.side, foot))[1] * gait
            mines = mined.get(hex)
            if mines is not None and mines.side != unit.side and not kind.engineer:
                risk += MINES * piece.worth
            return risk

        def push(hex: str, spent: int, first: str, passed: float) -> None:
            for end, points, _, _ in steps[hex]:
                if end in done:
                    continue
                cost = spent + points + (extra.get(end, 0) if extra else 0)
                if cost > left and not (fresh and hex == start):
                    continue
                if end not in risks:
                    risks[end] = entering(end)
                entry = risks[end]
                if entry is None:
                    continue
                risk = passed + entry
                total = left if extra and extra.get(end, 0) > 2 else cost
                heappush(queue, (risk + PACE * cost, total, end, first or end, risk))

        push(start, 0, "", 0.0)
        while queue:
            _, spent, hex, first, passed = heappop(queue)
            if hex in done:
                continue
            done.add(hex)
            if leaving is not None and left - spent >= EXIT and leaving[0].get(hex) == 0:
                there = leaving[1]
            else:
                aim, risk, crowd = self._ground(unit, hex, 0)
                there = drawn(hex, 0) + aim - risk - crowd
            worth = there - stay - passed - PACE * spent
            known = best.get(first)
            if known is None or worth > known[0]:
                best[first] = (worth, hex, passed)
            if spent < left:
                push(hex, spent, first, passed)
        return {
            first: Plan(worth, first, end, 0, passed, self.place(unit, end))
            for first, (worth, end, passed) in best.items()
        }

    def _leaving(self, unit: Unit) -> tuple[dict[str, int], float] | None:
        """For who should leave the map (78.1): how far the edge is, and what it is worth to be out of all danger."""
        assignment = self.assignments.of(unit)
        if assignment is None or assignment.kind != LEAVE:
            return None
        return assignment.way.hexes, self.parting(unit, assignment)

    def parting(self, unit: Unit, assignment: Assignment) -> float:
        """What leaving the map is worth to a unit that should."""
        return OUT * assignment.weight * (1 + self.assignments.haste(unit))

    def _works(self) -> dict[str, int]:
        found: dict[str, int] = {}
        battle, side = self.position.battle, self.position.side
        for hex, work in battle.state.works.items():
            if work.kind == "wire" and not (work.hidden and work.side != side):
                found[hex] = 3  # more than a roadblock's, so that it can be told
            elif work.kind == "roadblock" and not (work.hidden and work.side != side):
                found[hex] = 2
        return found

    def _driving(self, unit: Unit, left: int, fresh: bool) -> dict[str, Plan]:
        """As on foot, but by facing: a step ahead or back, a turn of one hexside after it, or a pivot (76)."""
        position, battle = self.position, self.position.battle
        kind = battle.kinds[unit.kind]
        piece = position.piece(unit)
        steps, works = position.know.land.by_way(battle, kind.move_type), battle.state.works
        begun, occupied, mined = unit.hex, battle.at, battle.state.mines
        start = (begun, unit.facing)
        stay = self.place(unit, *start).total
        gait = self._gait(piece)
        best: dict[str, tuple[float, str, int, float]] = {}
        done: set[tuple[str, int]] = {start}
        queue: list[tuple[float, int, str, int, str, float]] = []
        entries: dict[str, tuple[int, float] | None] = {}  # what works cost there, and what entering risks
        grounds: dict[str, float] = {}
        drawn, leaving = self.assignments.drawn(unit), self._leaving(unit)

        def entering(end: str) -> tuple[int, float] | None:
            cost = 0
            work = works.get(end)
            if work is not None and not (work.hidden and work.side != unit.side):
                if work.kind in ("roadblock", "pillbox"):
                    return None
                cost = battle.charts.counter[work.kind].mp.get(kind.move_type, 0)
            if end in occupied and self.closed(unit, end):
                return None
            risk = position.armor_danger(unit, end)[1] * gait
            mines = mined.get(end)
            if mines is not None and mines.side != unit.side:
                risk += MINES * piece.worth
            return cost, risk

        def push(hex: str, facing: int, spent: int, first: str, passed: float) -> None:
            ways = AHEAD[facing] if first else BOTH_WAYS[facing]  # further on nobody reverses
            for way, verb, more in ways:
                step = steps[hex][way]
                if step is None:
                    continue
                end, points, bog, _ = step
                after = [(end, turn) for turn in TURNS[facing] if (end, turn) not in done]
                if not after:
                    continue
                cost = spent + points + more
                if end not in entries:
                    entries[end] = entering(end)
                entry = entries[end]
                if entry is None:
                    continue
                cost += entry[0]
                if cost > left and not (fresh and hex == begun and facing == start[1]):
                    continue
                risk = passed + entry[1]
                if bog:
                    risk += BOG * piece.worth
                key, order = first or f"{verb} {end}", risk + PACE * cost
                for _, turn in after:
                    heappush(queue, (order, cost, end, turn, key, risk))
            if not first and spent + PIVOT <= left:
                for turn in range(1, 7):
                    if (hex, turn) not in done:
                        key = f"pivot {turn}"
                        heappush(queue, (passed + PACE * (spent + PIVOT), spent + PIVOT, hex, turn, key, passed))

        push(*start, 0, "", 0.0)
        while queue:
            _, spent, hex, facing, first, passed = heappop(queue)
            if (hex, facing) in done:
                continue
            done.add((hex, facing))
            if leaving is not None and left - spent >= EXIT and leaving[0].get(hex) == 0:
                there = leaving[1]
            else:
                ground = grounds.get(hex)
                if ground is None or hex == begun:
                    aim, risk, crowd = self._ground(unit, hex, facing if hex == begun else 0)
                    ground = grounds[hex] = aim - risk - crowd
                there = drawn(hex, facing) + ground
            worth = there - stay - passed - PACE * spent
            known = best.get(first)
            if known is None or worth > known[0]:
                best[first] = (worth, hex, facing, passed)
            if spent < left:
                push(hex, facing, spent, first, passed)
        return {
            first: Plan(worth, first, end, facing, passed, self.place(unit, end, facing))
            for first, (worth, end, facing, passed) in best.items()
        }

    # -- in words ---------------------------------------------------------------------

    def reasons(self, unit: Unit, plan: Plan) -> tuple[Reason, ...]:
        """Why a Move is good or bad."""
        position, battle = self.position, self.position.battle
        now_facing = unit.facing if battle.kinds[unit.kind].vehicle else 0
        now = self.place(unit, unit.hex, now_facing)
        place, found = plan.place, []
        assignment = self.assignments.of(unit)
        if assignment is not None and abs(place.pull - now.pull) > 0.02:
            found.append(Reason(self._progress(unit, assignment, plan), place.pull - now.pull))
        watchers, before = position.watchers(plan.end), position.watchers(unit.hex)
        if watchers or now.risk > 0.05:
            who = "no enemy" if not watchers else "1 enemy" if watchers == 1 else f"{watchers} enemies"
            gain, than = now.risk - place.risk, ""
            if before != watchers and plan.end != unit.hex:
                than = f", {before or 'none'} in {unit.hex}"
            elif watchers and abs(gain) > 0.05:
                than = ", with less effect than now" if gain > 0 else ", with more effect than now"
            found.append(Reason(f"{who} could fire at it in {plan.end}{than}", gain))
        if abs(place.aim - now.aim) > 0.05:
            better = "a better" if place.aim > now.aim else "a worse"
            found.append(Reason(f"{better} field of fire from {plan.end}", place.aim - now.aim))
        if abs(crowd := self._ground(unit, unit.hex, now_facing)[2] - self._ground(unit, plan.end, 0)[2]) > 0.02:
            found.append(Reason(f"{'less' if crowd > 0 else 'more'} crowded in {plan.end}", crowd))
        if plan.passing > 0.02:
            found.append(Reason("opportunity fire on the way", -plan.passing))
        return tuple(found)

    def _progress(self, unit: Unit, assignment: Assignment, plan: Plan) -> str:
        position = self.position
        where = f"to {assignment.goal}" if assignment.goal else "to the enemy"
        if assignment.kind == LEAVE:
            where = "to the map's edge"
        elif assignment.kind == JOIN:
            where = "to units without a Leader"
        elif assignment.kind == CLEAR:
            where = f"to the roadblock in {assignment.goal}"
        before, after = assignment.way.hexes.get(unit.hex), assignment.way.hexes.get(plan.end)
        if plan.end in self.assignments.free_prizes() and self.assignments.may_take(unit):
            return f"takes {plan.end}"
        if after == 0 and assignment.kind == HOLD:
            return f"holds {assignment.goal}"
        if before is not None and after is not None and assignment.goal:
            here, there = position.dist[unit.hex][assignment.goal], position.dist[plan.end][assignment.goal]
            nearer = here - there
            if nearer > 0:
                return f"{nearer} {'hex' if nearer == 1 else 'hexes'} nearer {where}"
            return f"a better way {where}" if after < before else f"further from {assignment.goal}"
        if before is not None and after is not None:
            return f"nearer {where}" if after < before else f"further from {where.removeprefix('to ')}"
        return f"on the way {where}"
