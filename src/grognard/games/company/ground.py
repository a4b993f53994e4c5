"""Ground (4.1 to 4.3, 4.7, 4.8): how far Teams go, what stops whom on the way, and where a base may end."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, footing
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.footing import Footing
from grognard.board.table.places import the
from grognard.board.table.terrain import Piece
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.roster import GUN, INFANTRY, TANK
from grognard.games.company.state import Platoon, Team
from grognard.kits.table.ground import GroundRules, Keep, footing_for
from grognard.kits.table.standing_room import SAFE, spread

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

OFF_TABLE = Bar("4.7", "it would leave the table")
TAKEN = "another Team stands there"
#: Rooms look about for others who are this much farther from the Unit than its move and a gap, in hundredths.
ABOUT = 400


def column(battle: CompanyBattle, team: Team) -> str:
    """By which words of the charts ground is open to a Team, or closed."""
    return battle.team_type(team).type


def rate(battle: CompanyBattle, team: Team, moves: int = 1) -> int:
    """How far a Team goes (4.1); whoever runs moves twice (3.8)."""
    return battle.charts.distance("movement", column(battle, team)) * moves


def bar_closed(battle: CompanyBattle, piece: Piece, column: str) -> Bar | None:
    """Why a piece of ground is closed to a type of Team; nothing hinders infantry (4.2, 4.3)."""
    ground = charts().grounds[battle.table.kind(piece).ground]
    word = {INFANTRY: "ok", GUN: ground.gun, TANK: ground.tank}[column]
    if word != "closed":
        return None
    who = "guns" if column == GUN else "vehicles"
    return Bar("4.3" if column == GUN else ground.rule, f"{who} can't go through {the(battle.table, piece)}")


# ---- on the way ----------------------------------------------------------------------------------------------


class Going(GroundRules[CompanyBattle, Platoon]):
    """What is in the way of Teams of a type. In an assault on ``foes`` nobody keeps off enemies (4.8)."""

    off_table: ClassVar[Bar] = OFF_TABLE
    near: ClassVar[float] = 800.0

    def __init__(self, battle: CompanyBattle, column: str, foes: str = "") -> None:
        super().__init__(battle)
        self.column, self.foes = column, foes
        self.gap = charts().distance("distances", "enemy_gap")
        self.soft = {
            body
            for unit in battle.units()
            for team, body in zip(unit.models, battle.bodies(unit))
            if battle.team_type(team).infantry
        }

    def closed(self, unit: Platoon, piece: Piece) -> tuple[Bar, bool] | None:
        """By the chart of ground."""
        bar = bar_closed(self.battle, piece, self.column)
        return (bar, True) if bar is not None else None

    def key(self, unit: Platoon) -> Hashable:
        """The same ground is closed to all Teams of a type."""
        return "company", self.column

    def keeps(self, unit: Platoon, other: Platoon, body: Body) -> Iterator[Keep]:
        """Two inches off the enemy, and through friends only where they are infantry (4.7, 4.8)."""
        name = self.battle.name(other)
        if other.side != unit.side:
            near = "no Team may come within 2″ of an enemy"
            yield Keep(0, Bar("4.7", TAKEN, name)) if self.foes else Keep(self.gap, Bar("4.8", near, name))
        elif body not in self.soft:
            yield Keep(0, Bar("4.7", "a Team that is not infantry stands in the way", name))


class OfTeams(Ways):
    """Every Team goes by its own way, and none farther than its type does (4.1)."""

    rule = "4.1"


def ways_of(
    battle: CompanyBattle, unit: Platoon, party: Sequence[int], fars: Sequence[float], *, foes: str = ""
) -> OfTeams:
    """The ways of those of a Unit's Teams who go, by number; ``fars`` has one distance for each of its Teams."""
    known = battle.bodies(unit)
    going = np.array([(known[n].x, known[n].y) for n in party], dtype=np.float64).reshape(-1, 2)
    far = max((fars[n] for n in party), default=0.0)
    made: dict[tuple[str, float], Footing] = {}
    for number in party:
        kind, radius = column(battle, unit.models[number]), known[number].foot.narrowest
        if (kind, radius) in made:
            continue
        rules = Going(battle, kind, foes)
        found = made[kind, radius] = footing_for(rules, unit, going, radius, far)
        for other, body in enumerate(known):
            if other not in party and body not in rules.soft:
                found.block_body(body, radius, Bar("4.7", "a Team that is not infantry stands in the way"), going)
    nowhere = Footing(battle.table, OFF_TABLE)
    grounds = [
        made[column(battle, team), body.foot.narrowest] if number in party else nowhere
        for number, (team, body) in enumerate(zip(unit.models, known))
    ]
    return OfTeams([(body.x, body.y) for body in known], grounds, list(fars))


# ---- at its end ----------------------------------------------------------------------------------------------


class Standing:
    """Where the bases of a type of Team may end: on the table, on open ground, off everybody, 2 inches from the enemy.

    In an assault bases may touch those of the Unit ``touching`` (13.3). Those of its own Unit are its area's affair.
    """

    def __init__(self, battle: CompanyBattle, unit: Platoon, column: str, touching: str = "", far: float = 0.0) -> None:
        self.battle, self.table, self.unit, self.column, self.touching = battle, battle.table, unit, column, touching
        gap = charts().distance("distances", "enemy_gap")
        self.others: list[tuple[Body, float, str]] = []
        mine = battle.bodies(unit)
        x, y = [body.x for body in mine], [body.y for body in mine]
        out = far + gap + ABOUT
        for other in battle.units():
            if other is unit:
                continue
            keep = gap if other.side != unit.side and other.id != touching else 0
            for body in battle.bodies(other):
                if not far or (min(x) - out < body.x < max(x) + out and min(y) - out < body.y < max(y) + out):
                    self.others.append((body, keep, other.id))
        self.bases = [body for body, _, _ in self.others]
        self.gaps = np.array([keep for _, keep, _ in self.others], dtype=np.float64)
        self.places = np.array([(body.x, body.y) for body in self.bases], dtype=np.float64).reshape(-1, 2)
        self.sizes = np.array([body.foot.farthest for body in self.bases], dtype=np.float64)
        self.closed = [piece for piece in self.table.pieces if bar_closed(battle, piece, column) is not None]

    def _frame(self, foot: Footprint, heading: int) -> tuple[float, float, float, float]:
        left, top, right, bottom = bodies.shape(Body(0, 0, heading, foot)).bounds
        return -left, -top, self.table.width - right, self.table.height - bottom

    def _shut(self, foot: Footprint, heading: int) -> BaseGeometry:
        """Where a base would lie in closed ground; kept with the table."""
        key = ("company shut", self.column, foot, heading)
        found: BaseGeometry | None = self.table.cache.get(key)
        if found is None:
            base = Body(0, 0, heading, foot)
            found = shapely.union_all([spread(footing.shape_of(self.table, piece), base) for piece in self.closed])
            shapely.prepare(found)
            self.table.cache[key] = found
        return found

    def room(self, foot: Footprint, heading: int) -> BaseGeometry:
        """Where the centre of a base may be."""
        base = Body(0, 0, heading, foot)
        taken = [bodies.sum_of(other, base, gap + SAFE) for other, gap, _ in self.others]
        return shapely.box(*self._frame(foot, heading)).difference(
            shapely.union_all([*taken, self._shut(foot, heading)])
        )

    def has_room(self, foot: Footprint, heading: int, x: Floats, y: Floats) -> Bools:
        """For which centres a base has room: the same as `room`."""
        left, top, right, bottom = self._frame(foot, heading)
        free: Bools = (x >= left) & (y >= top) & (x <= right) & (y <= bottom)
        if self.closed:
            free &= ~shapely.intersects_xy(self._shut(foot, heading), x, y)
        if not self.bases:
            return free
        apart = np.hypot(x[:, None] - self.places[None, :, 0], y[:, None] - self.places[None, :, 1])
        close = np.flatnonzero((apart < self.sizes + foot.farthest + self.gaps).any(axis=0))
        if len(close):
            here = [Body(round(px), round(py), heading, foot) for px, py in zip(x, y)]
            off = bodies.separations(here, [self.bases[i] for i in close])
            free &= (off >= self.gaps[close]).all(axis=1)
        return free

    def why_not(self, body: Body) -> Bar:
        """Why a base has no room where it would stand."""
        for other, gap, id in self.others:
            if bodies.separation(body, other) < gap:
                name = self.battle.name(self.battle.unit(id))
                return Bar("4.8", "it would end within 2″ of an enemy", name) if gap else Bar("4.7", TAKEN, name)
        for piece in self.closed:
            bar = bar_closed(self.battle, piece, self.column)
            if bar is not None and spread(footing.shape_of(self.table, piece), body.at(0, 0)).intersects(
                shapely.Point(body.x, body.y)
            ):
                return bar
        return OFF_TABLE


def room(
    battle: CompanyBattle, unit: Platoon, *, touching: str = "", teams: Sequence[Team] = (), far: float = 0.0
) -> list[Standing]:
    """Where each of a Unit's Teams may end; of some ``teams`` where they are not those that stand on the table.

    Whoever stands farther off than ``far`` and a gap is in nobody's way; without it everybody is looked at.
    """
    columns = [column(battle, team) for team in teams or unit.models]
    made = {name: Standing(battle, unit, name, touching, far) for name in dict.fromkeys(columns)}
    return [made[name] for name in columns]
