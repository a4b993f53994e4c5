"""Sight and cover (10): who sees whom, which cover a Team has, and whether its Unit is concealed or gone to ground.

How sight runs is the board's: areas are seen into and not across, lines hide and cover whom they touch, crests and
smoke hide. Here is what the rules make of it: in one shooting a Team has the least cover that it has from any Team
that fires (10.12), one stand that is not concealed reveals all (10.3), and friends bar fire (6.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, NamedTuple

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.scene import COVERS, Mark, SightRules
from grognard.board.table.sight import Pairs, sight
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import Platoon, Team
from grognard.kits.table.friends_in_the_way import Friend
from grognard.kits.table.looks import Bools, Look, Looks, Sighting, kept_look
from grognard.kits.table.state import ON_TABLE

#: The cover of a Team, and its class for dealing hits where it is down (6.20).
OPEN, SOFT, HARD = COVERS["none"], COVERS["soft"], COVERS["hard"]
DOWN = HARD + 1


@cache
def rules() -> SightRules:
    """The game's figures for sight: stands are looked at up to their tops, and are seen or not, never in part (10)."""
    now = charts()
    return SightRules(
        target_height=1.0,
        at_hand=now.distance("distances", "touching"),
        low=now.distance("distances", "tall"),
        partly_hidden=False,
        crest_cover=OPEN,
        blocker_cover=OPEN,
        both_at_line=True,
        middle_behind_line=True,
        smoke_cover=True,
    )


class TeamSighting(Sighting[CompanyBattle, Platoon]):
    """How the kit is told the rules of sight."""

    own_in_the_way: ClassVar[bool] = True

    @property
    def rules(self) -> SightRules:
        """The game's figures (10)."""
        return rules()

    def cover(self, target: Platoon, pairs: Pairs) -> tuple[int, ...]:
        """The least that any Team has of those that are seen: it reveals the others (10.3)."""
        least = np.where(pairs.seen, pairs.cover, DOWN).min(axis=1)
        return tuple(OPEN if cover == DOWN else int(cover) for cover in least)

    @property
    def clearance(self) -> float:
        """Fire may not pass over a friendly base (6.6)."""
        return 0.0

    def bars(self, unit: Platoon, posts: Sequence[Body], friends: Sequence[Friend]) -> Bools:
        """Guns and Tanks fire over Infantry; Infantry past those of its Unit who touch its front (6.6)."""
        battle, touching = self.battle, charts().distance("distances", "contact")
        on_foot = np.array([battle.team_type(team).infantry for team in unit.models])
        low = np.array([battle.team_type(battle.unit(each.unit).models[each.row]).infantry for each in friends])
        found: Bools = on_foot[:, None] | ~low[None]
        for column, friend in enumerate(friends):
            if friend.unit != unit.id:
                continue
            found[friend.row, column] = False
            for row, post in enumerate(posts):
                body = friend.body
                if on_foot[row] and bodies.ahead(post, post.heading, body.x, body.y) > 0:
                    found[row, column] &= bodies.gap(post, body) > touching
        return found


def looks_of(battle: CompanyBattle) -> Looks[CompanyBattle, Platoon]:
    """Units looking at Units by these rules."""
    return Looks(TeamSighting(battle))


def look(battle: CompanyBattle, unit: Platoon, target: Platoon) -> Look:
    """What the Teams of a Unit (rows) see of another's (columns)."""
    return kept_look(battle, unit, target) or looks_of(battle).look(unit, target)


def sees(battle: CompanyBattle, unit: Platoon, team: Team, other: Platoon) -> bool:
    """Whether a Team sees any Team of another Unit (6.2)."""
    if team not in unit.models or other.status != ON_TABLE or not other.models:
        return False
    return look(battle, unit, other).in_sight[unit.models.index(team)]


class Judged(NamedTuple):
    """How the Teams of a target stand to those that fire at it together, by column.

    ``seen`` are those that anybody sees, ``cover`` the least that each has from any who sees it (10.12); the whole Unit
    is ``concealed`` (10.3) or ``down`` (6.22) or not.
    """

    seen: tuple[bool, ...]
    cover: tuple[int, ...]
    concealed: bool
    down: bool

    def place(self, battle: CompanyBattle, target: Platoon, column: int) -> int:
        """The class in which a Team is dealt hits (6.20): the open first, soft cover, hard cover, who is down last."""
        return DOWN if gone_to_ground(battle, target, target.models[column], self.cover[column]) else self.cover[column]


def judged(battle: CompanyBattle, unit: Platoon, rows: Sequence[int], target: Platoon) -> Judged:
    """How a target stands to some Teams of a Unit that fire at it together (10.3, 10.9, 10.12)."""
    pairs = look(battle, unit, target).pairs
    among, covers = pairs.seen[list(rows)], pairs.cover[list(rows)]
    seen: list[bool] = np.logical_or.reduce(among, axis=0).tolist()
    least: list[int] = np.where(among, covers, DOWN).min(axis=0, initial=DOWN).tolist()
    cover = tuple(level if sees else OPEN for level, sees in zip(least, seen))
    known = [(team, level) for team, level, sees in zip(target.models, cover, seen) if sees]
    return Judged(
        tuple(seen),
        cover,
        bool(known) and all(concealed(battle, team, level) for team, level in known),
        bool(known) and all(gone_to_ground(battle, target, team, level) for team, level in known),
    )


def concealed(battle: CompanyBattle, team: Team, cover: int) -> bool:
    """Whether a Team is concealed: by its cover, or on foot because it stayed where it is (10.1, 10.2, 10.7, 10.13)."""
    return cover > OPEN or (battle.team_type(team).infantry and not team.moved)


def gone_to_ground(battle: CompanyBattle, unit: Platoon, team: Team, cover: int = OPEN) -> bool:
    """Whether a Team is gone to ground: by declaration (6.28), or having neither moved nor fired (6.10, 6.27).

    An observer in concealing terrain always is (15.16).
    """
    if unit.down or (cover > OPEN and battle.team_type(team).observer):
        return True
    return not team.moved and not team.fired


def area_cover(battle: CompanyBattle, unit: Platoon, team: Team) -> int:
    """The cover of the area terrain that a Team is in: all it has against what falls from above (15.24)."""
    body = battle.body(unit, team)
    own = sight(battle.scene, [battle.scene.eye(body)], [Mark(body)], rules()._replace(line_cover=False))
    return int(own.cover[0, 0])
