"""Who goes where: each unit's assignment, worked out anew from every position, so that plans need not be remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, Unit
from grognard.games.ost.tactics.ground import Way
from grognard.games.ost.tactics.pieces import Piece
from grognard.games.ost.tactics.position import Position
from grognard.kits.hex.tactics.assignments import Post, share_out
from grognard.kits.hex.tactics.land import FAR

TAKE, HOLD, LEAVE, JOIN, CLOSE, CLEAR = "take", "hold", "leave", "join", "close", "clear"
#: Crewed weapons and snipers help from afar: getting nearer is worth less to them.
SUPPORT = 0.4
#: Likewise to whoever helps where enough are without him.
HELP = 0.6
#: What a free hex is worth to whoever steps into it, of all that it is worth.
GRAB = 0.85
#: Enemies further away than this many hexes do not threaten a hex yet.
THREAT = 9
#: How many hexes further a Leader goes to those who have lost their nerve.
RALLIES = 2
#: A hex that can be come to from fewer hexes than this cannot be come to.
ISLAND = 20


class Assignment(NamedTuple):
    """What a unit is about: where to, how far that is from anywhere, and what getting there is worth."""

    kind: str
    goal: str
    way: Way
    weight: float
    prize: float = 0.0


class Assignments:
    """The assignments of all units of a side."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._cache: dict[str, Assignment | None] = {}
        self._given: dict[str, tuple[Post, float]] | None = None
        self._whole: dict[str, int] = {}
        self._prizes: dict[str, float] | None = None
        self._haste: dict[str, float] = {}
        self._curves: dict[str, dict[int, float]] = {}
        self._ways: dict[tuple[str, tuple[str, ...]], Way] = {}
        self._extras: dict[str, dict[str, int]] = {}

    def way(self, move: str, *ends: str) -> Way:
        """How far it is to the nearest of some hexes."""
        found = self._ways.get((move, ends))
        if found is None:
            position = self.position
            extra = self._extras.get(move)
            if extra is None:
                extra = self._extras[move] = position.know.land.extra(position.battle, position.side, move)
            found = self._ways[move, ends] = position.know.land.way_past(position.battle, move, ends, extra)
        return found

    def of(self, unit: Unit) -> Assignment | None:
        """The assignment of a unit; a passenger's is its carrier's too."""
        if unit.id not in self._cache:
            self._cache[unit.id] = self._assignment(unit)
        return self._cache[unit.id]

    # -- what a hex means to a unit with an assignment -----------------------------------------------------

    def pull(self, unit: Unit, hex: str, facing: int = 0) -> float:
        """What standing in a hex is worth to a unit on its assignment; whatever lies on the way is taken too."""
        found = self._on_assignment(unit, hex, facing)
        prize = self.free_prizes().get(hex)
        if prize is not None and self.may_take(unit):
            return max(found, GRAB * prize)
        return found

    def drawn(self, unit: Unit) -> Callable[[str, int], float]:
        """As `pull`, for one unit and many hexes."""
        assignment, curve = self.of(unit), self._curves.setdefault(unit.id, {})
        prizes = self.free_prizes() if self.may_take(unit) else {}
        far_of = assignment.way.hexes.get if assignment is not None else None
        faced = assignment.way.faced.get if assignment is not None and assignment.way.faced else None

        def found(hex: str, facing: int) -> float:
            if far_of is None:
                worth = 0.0
            else:
                far = faced((hex, facing)) if faced is not None and facing else far_of(hex)
                if not far:  # there already, or nowhere near
                    worth = self._on_assignment(unit, hex, facing)
                elif far in curve:
                    worth = curve[far]
                else:
                    worth = curve[far] = self._on_assignment(unit, hex, facing)
            if hex in prizes:
                return max(worth, GRAB * prizes[hex])
            return worth

        return found

    def free_prizes(self) -> dict[str, float]:
        """The hexes to be had for a step into them: not one's own, and no enemy to be seen there."""
        if self._prizes is None:
            position, side, enemy = self.position, self.position.side, self.position.enemy
            self._prizes = {}
            for goal in position.goals:
                owner = position.state.control.get(goal.hex, "")
                if owner != side and goal.hex not in position.state.melees and not position.held(goal.hex):
                    theirs = goal.worth.get(enemy, 0.0) * (1.0 if owner == enemy else 0.5)
                    self._prizes[goal.hex] = goal.worth.get(side, 0.0) + theirs
        return self._prizes

    @cached_property
    def prizes_key(self) -> tuple[tuple[str, float], ...]:
        """What there is to be had for a step into it, to tell positions apart."""
        return tuple(self.free_prizes().items())

    def _on_assignment(self, unit: Unit, hex: str, facing: int) -> float:
        assignment = self.of(unit)
        if assignment is None:
            return 0.0
        way, position = assignment.way, self.position
        far = way.faced.get((hex, facing)) if facing and way.faced else way.hexes.get(hex)
        if far is None:
            far = FAR
        moves = max(position.turns - 1, 0.3)
        need = far / self.whole(unit)
        if assignment.kind == JOIN:  # every Move that he is alone is lost
            reached = 1 / (1 + need)
        elif need <= moves:
            reached = 1 - 0.7 * need / (moves + 1)
        else:
            reached = 0.3 * (moves + 1) / (need + 1)
        found = assignment.weight * reached * (1 + (1 + position.behind) * self.haste(unit))
        if far == 0 and assignment.kind == HOLD and self._alone(unit, hex):
            found = max(found, 0.5 * assignment.prize)
        return found

    def haste(self, unit: Unit) -> float:
        """How pressing a unit's assignment is, from 0 to 1: by Moves needed and turns left; leaving always is."""
        known = self._haste.get(unit.id)
        if known is None:
            assignment, known = self.of(unit), 0.0
            if assignment is not None and assignment.kind == LEAVE:  # it has the same guns to pass whenever it goes
                known = 1.0
            elif assignment is not None and assignment.kind == TAKE:
                need = assignment.way.hexes.get(unit.hex, 60) / self.whole(unit)
                if need:  # first the fire fight, then the rush
                    known = min((need + 1) / max(self.position.turns, 0.5), 1.0) ** 2
            self._haste[unit.id] = known
        return known

    def whole(self, unit: Unit) -> int:
        """The half Movement Points of a unit in good order, at least one."""
        found = self._whole.get(unit.id)
        if found is None:
            battle = self.position.battle
            carrier = battle.state.units.get(unit.aboard) if unit.aboard else None
            kind = battle.kinds[(carrier or unit).kind]
            move = kind.reduced.move if unit.reduced and kind.reduced and carrier is None else kind.move
            found = self._whole[unit.id] = max(2 * int(move), 1) if move != "T" else 1
        return found

    def may_take(self, unit: Unit) -> bool:
        """Whether a unit takes a control hex by walking into it (65.3)."""
        kind = self.position.battle.kinds[unit.kind]
        return unit.morale == GOOD and not unit.aboard and not (kind.single or kind.crew or kind.truck)

    def _alone(self, unit: Unit, hex: str) -> bool:
        """Whether no other unit of the side that could hold a hex stands in it."""
        position = self.position
        for other in position.battle.at.get(hex, ()):
            kind = position.battle.kinds[other.kind]
            if other is unit or other.side != position.side or other.aboard or kind.single or kind.crew or kind.truck:
                continue
            if not kind.armor_leader and other.morale != BROKEN:
                return False
        return True

    # -- giving them out ---------------------------------------------------------------------

    def _assignment(self, unit: Unit) -> Assignment | None:
        position, battle = self.position, self.position.battle
        kind = battle.kinds[unit.kind]
        know, side = position.know, position.side
        if kind.vehicle and not kind.armed and (rider := battle.passenger(unit)) is not None:
            worth, hexes = know.victory_values.exit_of(kind, side)
            if not worth:
                given = self.given().get(rider.id)
                return self._carrying(self._towards(unit, *given), kind.move_type) if given else None
        worth, hexes = know.victory_values.exit_of(kind, side)
        if worth:
            ends = [hex for hex in hexes if battle.grid.is_edge(hex)]
            way = self.way(kind.move_type, *ends)
            return Assignment(LEAVE, "", way, worth, worth)
        if kind.leader:
            return self._join(unit)
        if kind.engineer and (block := self._roadblock(unit)):
            way = self.way(kind.move_type, block)
            return Assignment(CLEAR, block, way, 6.0, 6.0)
        given = self.given().get(unit.id)
        if given is not None:
            return self._towards(unit, *given)
        if kind.truck or kind.crew or not position.foes:
            return None
        here = position.dist[unit.hex]
        nearest = min(position.foes, key=lambda foe: here[foe.hex]).hex
        return Assignment(CLOSE, "", self.way(kind.move_type, nearest), 1.5)

    def _towards(self, unit: Unit, post: Post, weight: float) -> Assignment:
        position = self.position
        battle, kind = position.battle, position.battle.kinds[unit.kind]
        hex = post.hex
        way = self.way(kind.move_type, hex)
        if len(way.hexes) < ISLAND:  # vehicles cannot come into it: next to it is as good
            way = self.way(kind.move_type, *battle.grid.adjacent[hex])
        return Assignment(post.kind, hex, way, weight, post.want)

    def _carrying(self, assignment: Assignment, move: str) -> Assignment:
        """The assignment of who carries men there: he brings them near, for they must walk the rest."""
        way = self.position.know.land.lift(assignment.way, self.way("foot", assignment.goal), move, (assignment.goal,))
        return assignment._replace(way=way)

    def _join(self, leader: Unit) -> Assignment | None:
        """A Leader on his own goes to a unit that he could lead; a little further to one that needs him to rally."""
        position, battle = self.position, self.position.battle
        here = position.dist[leader.hex]
        ends = [
            (here[u.hex] - (RALLIES if u.morale else 0), u.hex)
            for u in position.mine
            if u is not leader
            and (battle.kinds[u.kind].squad or battle.kinds[u.kind].crewed)
            and not u.aboard
            and battle.leader(u) is None
        ]
        return Assignment(JOIN, "", self.way("foot", min(ends)[1]), 1.5, 0.0) if ends else None

    def _roadblock(self, unit: Unit) -> str:
        """The roadblock nearest to an engineer that bars the side's vehicles from the road."""
        position, battle = self.position, self.position.battle
        blocks = [
            hex
            for hex, work in battle.state.works.items()
            if work.kind == "roadblock"
            and not (work.hidden and work.side != position.side)
            and work.side != position.side
        ]
        if not blocks or not any(battle.kinds[u.kind].vehicle for u in position.mine):
            return ""
        here = position.dist[unit.hex]
        block = min(blocks, key=lambda hex: here[hex])
        return block if not position.held(block) else ""

    def given(self) -> dict[str, tuple[Post, float]]:
        """The hexes to take and to hold, each with the units for it and what it is worth to each."""
        if self._given is None:
            self._given = {}
            self._give(self._given)
        return self._given

    def _posts(self) -> list[Post]:
        position, side, enemy = self.position, self.position.side, self.position.enemy
        control = position.state.control
        base = max((p.power for p in map(position.piece, position.mine)), default=3.0) * 0.8
        posts = []
        for goal in position.goals:
            mine, theirs = goal.worth.get(side, 0.0), goal.worth.get(enemy, 0.0)
            owner = control.get(goal.hex, "")
            if owner == side:
                here = position.dist[goal.hex]
                nearest = min((here[foe.hex] for foe in position.foes), default=THREAT + 3)
                threat = 1.0 if nearest <= 4 else max(0.4, 1 - (nearest - 4) / THREAT)
                need = base + 0.6 * position.near(goal.hex, 6, enemy)
                posts.append(Post(goal.hex, HOLD, (mine + theirs) * threat, need))
            else:
                want = mine + (theirs if owner == enemy else 0.5 * theirs)
                need = base + position.near(goal.hex, 2, enemy) + 0.4 * position.near(goal.hex, 5, enemy)
                posts.append(Post(goal.hex, TAKE, want, need))
        return sorted(posts, key=lambda post: -post.want)

    def _give(self, given: dict[str, tuple[Post, float]]) -> None:
        position = self.position
        posts = [post for post in self._posts() if post.want > 0.1]
        if not posts:
            return
        free = {u.id: position.piece(u) for u in position.mine if self._serves(u)}
        hours = {(id, n): self._time(piece, post) for id, piece in free.items() for n, post in enumerate(posts)}
        holders = {
            n: min((id for id, piece in free.items() if piece.hex == post.hex), default="")
            for n, post in enumerate(posts)
            if post.kind == HOLD
        }
        powers = {id: piece.power for id, piece in free.items()}
        for id, (post, needed) in share_out(posts, powers, hours, holders).items():
            given[id] = (post, (1.0 if needed else HELP) * self._weight(free[id], post))

    def _serves(self, unit: Unit) -> bool:
        battle = self.position.battle
        kind = battle.kinds[unit.kind]
        if unit.status != ON_MAP or kind.single or kind.crew or kind.truck or kind.transport_only:
            return False
        return not self.position.know.victory_values.exit_of(kind, unit.side)[0]

    def _time(self, piece: Piece, post: Post) -> float:
        """How many Moves a unit is away from a post."""
        unit = piece.unit
        move = "foot" if unit.aboard and not piece.kind.vehicle else piece.kind.move_type
        way = self.way(move, post.hex)
        far = way.hexes.get(unit.hex, 60)
        late = 1.5 if unit.morale == BROKEN else 0.0
        if post.kind == TAKE and len(way.hexes) < ISLAND:
            late += 4.0  # it cannot come into the hex at all
        return far / self.whole(unit) + late

    def _weight(self, piece: Piece, post: Post) -> float:
        share = min(max(piece.power / post.need, 0.2), 0.7)
        weight = post.want * share * (1.0 if post.kind == TAKE else 0.5)
        return weight * SUPPORT if piece.kind.crewed or piece.kind.sniper else weight
