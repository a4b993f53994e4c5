"""The way in (13.3, 13.9, 13.15): which Teams of an assault come into contact, and where the others end.

The kit's `Charge` lays it: whoever has the shortest way comes into contact first, the others join him or come as close
as they can. Here is what the rules say of it: who goes and how far, where a base has room, and that a Unit without a
Leader does not go nearer to an enemy that it sees (14.6).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import CONTACT, Body
from grognard.board.table.stand_area import SAFE
from grognard.board.table.ways import Path
from grognard.core.ask import Bar
from grognard.core.poses import ModelPose, Preview
from grognard.games.company import ground, terrain_checks
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.cohesion import TOWARD_ENEMY, Ties
from grognard.games.company.state import Platoon, Team
from grognard.kits.table.charging import Charge
from grognard.kits.table.positions import position_cache
from grognard.kits.table.state import ON_TABLE

Floats = NDArray[np.float64]


class Course(NamedTuple):
    """The ways of those who go in, by Team, which way each looks at its end, and how many come into contact."""

    paths: dict[str, Path]
    headings: dict[str, int]
    contacts: int


def goers(battle: CompanyBattle, unit: Platoon) -> list[Team]:
    """The Teams that may go in: guns stay (13.1, 13.22)."""
    return [team for team in unit.models if not battle.team_type(team).gun]


def course(
    battle: CompanyBattle, unit: Platoon, target: Platoon, going: Collection[str], far: int, *, assault: bool = True
) -> Course | None:
    """How Teams come into contact with a Unit within so far; None if none of them does (13.3)."""
    kept = position_cache(battle)
    key = ("charge", unit.id, target.id, tuple(sorted(going)), far, unit.leader if assault else "-")
    if key not in kept:  # odds charge from one position again and again
        kept[key] = _lay(battle, unit, target, going, far, assault)
    found: Course | None = kept[key]
    return found


def can_reach(battle: CompanyBattle, unit: Platoon, target: Platoon, going: Collection[str], far: int) -> bool:
    """Whether at least one of the Teams can come into contact: the first that does is enough (13.3)."""
    kept = position_cache(battle)
    key = ("can charge", unit.id, target.id, tuple(sorted(going)), far, unit.leader)
    if key not in kept:
        kept[key] = any(
            _Plan(battle, unit, target, going, far, avoid, True).first(any_will_do=True) is not None
            for avoid in (True, False)
        )
    return bool(kept[key])


def touching(battle: CompanyBattle, unit: Platoon, target: Platoon, ids: Collection[str]) -> list[str]:
    """Which of some Teams are in base contact with a Unit."""
    stand = {team.id: body for team, body in zip(unit.models, battle.bodies(unit)) if team.id in ids}
    if not stand or target.status != ON_TABLE or not target.models:
        return []
    near = bodies.gaps(list(stand.values()), battle.bodies(target)).min(axis=1) <= CONTACT + bodies.HAIR
    return [id for id, touches in zip(stand, near) if touches]


def _lay(
    battle: CompanyBattle, unit: Platoon, target: Platoon, going: Collection[str], far: int, assault: bool
) -> Course | None:
    # Other enemies are kept two inches off, unless that cannot be avoided (13.15).
    for avoid in (True, False):
        plan = _Plan(battle, unit, target, going, far, avoid, assault)
        first = plan.first() if plan.known else None
        if first is None:
            continue
        ids = [unit.models[number].id for number in plan.going]
        ends = plan.close_in(first)
        stuck = {ids[number] for number, end in ends.items() if end == tuple(plan.ways.starts[number])}
        if stuck and not formations.clear([plan.known[number].at(*end) for number, end in ends.items()]):
            # Whoever gets nowhere stays as he stands, and nobody ends in him.
            return _lay(battle, unit, target, [id for id in going if id not in stuck], far, assault)
        paths = {ids[number]: plan.ways.path(number, end) for number, end in ends.items()}
        there = [plan.known[number].at(*end) for number, end in ends.items()]
        contacts = int((bodies.gaps(there, plan.foes).min(axis=1) <= CONTACT + bodies.HAIR).sum())
        return Course(paths, {id: body.heading for id, body in zip(ids, plan.known)}, contacts)
    return None


class _Plan(Charge):
    """A charge of some of a Unit's Teams, numbered among those who go."""

    def __init__(
        self,
        battle: CompanyBattle,
        unit: Platoon,
        target: Platoon,
        going: Collection[str],
        far: int,
        avoid: bool,
        assault: bool,
    ) -> None:
        stand, foes = battle.bodies(unit), battle.bodies(target)
        self.going = [number for number, team in enumerate(unit.models) if team.id in going]
        self.stay = [body for number, body in enumerate(stand) if number not in self.going]
        fars = [far if number in self.going else 0 for number in range(len(stand))]
        whole = ground.ways_of(battle, unit, self.going, fars, foes=target.id)
        starts = [(stand[number].x, stand[number].y) for number in self.going]
        ways = ground.OfTeams(starts, [whole.grounds[number] for number in self.going], [far] * len(self.going))
        super().__init__([toward(stand[number], foes) for number in self.going], foes, ways)
        rooms = ground.room(battle, unit, touching=target.id, far=far)
        self.rooms = [rooms[number] for number in self.going]
        if not avoid:
            for room in self.rooms:
                room.gaps = np.zeros_like(room.gaps)
        seen = Ties(battle, unit, unit.models, stand, self.going).seen if assault else {}
        self.not_nearer = {self.going.index(number): found for number, found in seen.items()}

    def off(self, apart: Floats) -> Floats:
        """In contact is in contact (13.3): nobody goes round a flank for a hair's breadth."""
        found: Floats = np.where(apart <= CONTACT, 0.0, apart)
        return found

    def lengths(self, number: int, points: Floats) -> Floats:
        """The shortest ways of a Team to points; infinity where it cannot get, or has no room to stand."""
        found = super().lengths(number, points)
        near = np.flatnonzero(np.isfinite(found))
        if not len(near):
            return found
        body, (x, y) = self.known[number], points[near].T
        free = self.rooms[number].has_room(body.foot, body.heading, x, y)
        there = [body.at(round(px), round(py)) for px, py in points[near]]
        if self.stay:
            free &= (bodies.separations(there, self.stay) >= -SAFE).all(axis=1)
        if number in self.not_nearer:
            foes = self.not_nearer[number]
            now = bodies.gaps([body], foes)[0]
            free &= (bodies.gaps(there, foes) >= now - 1).all(axis=1)
        found[near[~free]] = np.inf
        return found


def toward(body: Body, foes: Sequence[Body]) -> Body:
    """A base turned to the nearest of those it charges."""
    near = min(foes, key=lambda foe: math.dist(foe[:2], body[:2]))
    return body.at(body.x, body.y, round(bodies.bearing(body.x, body.y, near.x, near.y)) % 360)


def preview(battle: CompanyBattle, unit: Platoon, key: str, found: Course) -> Preview:
    """A way in as the client shows it, with what is worth knowing of it."""
    models = [ModelPose(id, *path[-1], found.headings[id], path) for id, path in found.paths.items()]
    told = [f"{found.contacts} of {len(models)} come into contact"]
    far = charts().distance("assault_movement", "assault")
    told += terrain_checks.told(battle, unit, found.paths, dict.fromkeys(found.paths, float(far)))
    return Preview(key, models=models, lines=told)


# ---- whether they may (13.1, 13.3, 13.14, 13.15) -------------------------------------------------------------


def bar(battle: CompanyBattle, unit: Platoon, target: Platoon) -> Bar | None:
    """Why a Unit cannot assault another (13.1, 13.3, 13.14, 14.6); None if it can."""
    if target.side == unit.side:
        return Bar("13.15", "only enemies are assaulted")
    if target.status != ON_TABLE or not target.models:
        return Bar("13.15", "there is no such enemy on the table")
    who = goers(battle, unit)
    if not who:
        return Bar("13.1", "guns stay behind in an assault, and it has nobody else on the table")
    if all(battle.team_type(team).tank for team in (*who, *target.models)):
        return Bar("13.14", "vehicles can't assault vehicles")
    far = charts().distance("assault_movement", "assault")
    if battle.gap(unit, target) > far + bodies.HAIR:
        return Bar("13.3", "it is farther away than an assault goes: 12″")
    ids = [team.id for team in who]
    if can_reach(battle, unit, target, ids, far):
        return None
    return TOWARD_ENEMY if not unit.leader else Bar("13.3", "no Team can come into contact with it within 12″")
