"""What the models of one unit see of another's: asked in bulk, and kept by where they stand and what lies between.

How sight runs over a table is `board.table.sight`, or a game's own. Here it is asked for whole units at once; friends
in the way of fire are looked for; and what was seen is kept until somebody moves who matters. What a game makes of it,
its eyes and marks, its cover and its ranges, it says by a `Sighting`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import Body, gaps
from grognard.board.table.scene import Eye, Mark, SightRules
from grognard.board.table.sight import Pairs, sight
from grognard.kits.table import friends_in_the_way
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.friends_in_the_way import Friend
from grognard.kits.table.positions import AnyBattle, hiding, position_cache, stances
from grognard.kits.table.state import Unit

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])

#: Not through any opening: who looks stands in the open.
IN_THE_OPEN = -1
#: So many pairs of units looking at each other are kept, and each of them past so many stands of friends.
KEPT_LOOKS, KEPT_PAST = 1024, 8


class Look(NamedTuple):
    """What the models of a unit (rows) see of another's (columns).

    ``clear`` is in sight with no friend in the way of fire; ``cover`` the cover of the whole target from each row, as
    the game has it; ``nearest`` the range of each row to the nearest model that it may shoot at, infinite for none;
    ``sides`` the opening that it looks through, -1 in the open; ``in_sight`` whether a row sees anybody; ``eyes`` and
    ``posts`` where it looks from, and the bases that it fires from.
    """

    pairs: Pairs
    clear: Bools
    gaps: Floats
    cover: tuple[int, ...]
    nearest: tuple[float, ...]
    sides: tuple[int, ...]
    eyes: tuple[tuple[float, float], ...]
    in_sight: tuple[bool, ...]
    posts: tuple[Body, ...]

    def sees(self) -> bool:
        """Whether anybody sees anybody."""
        return any(self.in_sight)


class Sighting(ABC, Generic[B, U]):
    """How a game sees, in one battle."""

    #: Whether the models of one unit can be in the way of each other's fire.
    own_in_the_way: ClassVar[bool] = False

    def __init__(self, battle: B) -> None:
        self.battle = battle

    @property
    @abstractmethod
    def rules(self) -> SightRules:
        """The figures of sight."""

    @abstractmethod
    def cover(self, target: U, pairs: Pairs) -> tuple[int, ...]:
        """The cover of a whole target from each model that looks: of the most of it, the least of it, or all."""

    def eye(self, unit: U, row: int, body: Body) -> Eye:
        """Where a model looks from, on its base ``body``: the middle of it."""
        return self.battle.scene.eye(body)

    def eyes(self, unit: U, toward: Sequence[Body]) -> list[Eye]:
        """Where a unit looks from at bases: all its models, or the openings of a building that face them."""
        return [self.eye(unit, row, body) for row, body in enumerate(self.battle.bodies(unit))]

    def marks(self, unit: U) -> list[Mark]:
        """What is looked at of a unit."""
        return [Mark(body) for body in self.battle.bodies(unit)]

    def see(self, eyes: Sequence[Eye], marks: Sequence[Body | Mark], not_blocking: Sequence[int] = ()) -> Pairs:
        """What every eye sees of every mark: by the sight of the board, or by a game's own over `board.table.lines`."""
        return sight(self.battle.scene, eyes, marks, self.rules, not_blocking=not_blocking)

    def ranges(
        self, target: U, there: Sequence[Body], eyes: Sequence[Eye], posts: Sequence[Body], pairs: Pairs
    ) -> Floats:
        """How far it is from each base that looks to each base of a target; ``there`` is where the target is."""
        return gaps(posts, there)

    def look_out(self, looks: Looks[B, U], unit: U, target: U) -> Look | None:
        """A look that is not from where the models stand, as out of a building; None for a plain one."""
        return None

    @property
    def clearance(self) -> float:
        """How near to a line of fire a friend must be to bar it; less than nothing if none ever does."""
        return -1.0

    def bars_fire(self, unit: U, friend: U) -> bool:
        """Whether a friend who is near enough bars the fire of a unit."""
        return True

    def bars(self, unit: U, posts: Sequence[Body], friends: Sequence[Friend]) -> Bools:
        """Which models of friends (columns) bar the fire of which that fire (rows): who is not as near to them."""
        return gaps(posts, [friend.body for friend in friends]) > self.clearance


class CachedLook(NamedTuple):
    """A look without regard to friends, and past those friends about who were asked for: by their bases."""

    bare: Look
    past: dict[tuple[Friend, ...], Look]


def kept_look(battle: AnyBattle, unit: Unit[Any], target: Unit[Any]) -> Look | None:
    """What a unit sees of another, if it was looked for since anybody moved."""
    found: Look | None = position_cache(battle).get((unit.id, target.id))
    return found


class Looks(Generic[B, U]):
    """Units looking at units, by what a game says of sight."""

    def __init__(self, sighting: Sighting[B, U]) -> None:
        self.sighting = sighting
        self.battle: B = sighting.battle

    def look(self, unit: U, target: U) -> Look:
        """What the models of a unit see of another's."""
        kept = position_cache(self.battle)
        found: Look | None = kept.get((unit.id, target.id))
        if found is None:
            self.at(unit, [target])
            found = kept[unit.id, target.id]
        return found

    def at(self, unit: U, targets: Sequence[U]) -> None:
        """Look at several units at once: one sum for all their models.

        What two units see of each other is kept until one of them or whoever blocks sight moves; whose friends are in
        the way is looked for anew whenever anybody has moved.
        """
        battle = self.battle
        kept = position_cache(battle)
        wanted = [target for target in targets if (unit.id, target.id) not in kept]
        if not wanted:
            return
        cache = self._look_cache()
        known = stances(battle)
        own = known.get(unit.id) or battle.stance(unit)
        keys = {}
        for target in wanted:
            other = known.get(target.id) or battle.stance(target)
            keys[target.id] = own, other, hiding(battle, own, other)
        if len(cache) >= KEPT_LOOKS:  # before it is known what is missing: nothing that is wanted may go
            for old in list(cache)[: KEPT_LOOKS // 4]:
                del cache[old]
        missing = [target for target in wanted if keys[target.id] not in cache]
        if missing:
            for target, found in zip(missing, self._anew(unit, missing)):
                cache[keys[target.id]] = CachedLook(found, {})
        for target in wanted:
            kept[unit.id, target.id] = self._past_friends(unit, target, cache[keys[target.id]])

    def _look_cache(self) -> dict[Any, CachedLook]:
        """The looks that are kept by positions, over battles."""
        found: dict[Any, CachedLook] = self.battle.table.cache.setdefault("looks", {})
        return found

    def _anew(self, unit: U, targets: Sequence[U]) -> list[Look]:
        """Work out what a unit sees of others, whoever of its own side may be in the way."""
        out = [self.sighting.look_out(self, unit, target) for target in targets]
        if all(look is not None for look in out):
            return [look for look in out if look is not None]
        posts = self.battle.bodies(unit)
        eyes = [self.sighting.eye(unit, row, body) for row, body in enumerate(posts)]
        marks = [mark for target in targets for mark in self.sighting.marks(target)]
        found = self.sighting.see(eyes, marks)
        sides = (IN_THE_OPEN,) * len(posts)
        looked: list[Look] = []
        start = 0
        for target in targets:
            part = slice(start, start + len(target.models))
            start = part.stop
            looked.append(self.finish(target, eyes, posts, columns(found, part), sides))
        return looked

    def finish(
        self,
        target: U,
        eyes: Sequence[Eye],
        posts: Sequence[Body],
        pairs: Pairs,
        sides: tuple[int, ...],
        there: Sequence[Body] | None = None,
    ) -> Look:
        """Ranges and the cover of the whole target, from what the models see; ``there`` is where it will be."""
        there = self.battle.bodies(target) if there is None else there
        apart = self.sighting.ranges(target, there, eyes, posts, pairs)
        ranges = np.where(pairs.seen, apart, np.inf).min(axis=1)
        return Look(
            pairs,
            pairs.seen,
            apart,
            self.sighting.cover(target, pairs),
            tuple(float(each) for each in ranges),
            sides,
            tuple((eye.x, eye.y) for eye in eyes),
            tuple(bool(row.any()) for row in pairs.seen),
            tuple(posts),
        )

    def foresee(self, unit: U, far: float, mover: U, stands: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Look at a unit in all the places where it will be in its move, where it is not too far away: one sum for all.

        What is seen is only kept for those who ask when it is there. It is worth it where most of what one sees is
        nothing. Who looks, and who goes, stands in the open.
        """
        battle = self.battle
        known = stances(battle)
        own, going = known[unit.id], battle.stance(mover)
        if own[2] or going[2]:
            return
        cache = self._look_cache()
        hulls = [each.id for each in battle.blockers()]
        bases, posts = battle.bodies(mover), battle.bodies(unit)
        wanted: list[tuple[Any, list[Body]]] = []
        for stand in stands:
            spots = tuple((model[0], x, y, *model[3:]) for model, (x, y) in zip(going[3], stand))
            there = (*going[:3], spots)
            key = own, there, hiding(battle, own, there)
            if key not in cache:
                wanted.append((key, [body.at(x, y) for body, (x, y) in zip(bases, stand)]))
        apart = gaps(posts, [body for _, stand in wanted for body in stand]) if wanted else None
        count = len(bases)
        parts = [slice(number * count, (number + 1) * count) for number in range(len(wanted))]
        near = [n for n, part in enumerate(parts) if apart is not None and apart[:, part].min() <= far + 1]
        if len(near) < 2:
            return
        eyes = [self.sighting.eye(unit, row, body) for row, body in enumerate(posts)]
        marks = [body for number in near for body in wanted[number][1]]
        found = self.sighting.see(eyes, marks, [hulls.index(mover.id)] if mover.id in hulls else ())
        sides = (IN_THE_OPEN,) * len(posts)
        for number, part in zip(near, parts):
            key, bases = wanted[number]
            cache[key] = CachedLook(self.finish(mover, eyes, posts, columns(found, part), sides, bases), {})

    def _past_friends(self, unit: U, target: U, kept: CachedLook) -> Look:
        """A look with the lines taken out that friends are in the way of; kept by where those friends stand."""
        bare, near = kept.bare, self.sighting.clearance
        if near < 0 or not any(bare.in_sight):
            return bare
        others = [
            friend
            for friend in self.battle.units(unit.side)
            if friend is not target
            and (friend is not unit or self.sighting.own_in_the_way)
            and self.sighting.bars_fire(unit, friend)
        ]
        there = self.battle.bodies(target)
        friends = friends_in_the_way.about(self.battle, others, bare.eyes, there, near)
        if not friends:
            return bare
        found = kept.past.get(friends)
        if found is None:
            bodies, bars = [friend.body for friend in friends], self.sighting.bars(unit, bare.posts, friends)
            masked = friends_in_the_way.in_the_way(bare.eyes, there, bodies, bars, near)
            clear = bare.pairs.seen & ~masked
            ranges = np.where(clear, bare.gaps, np.inf).min(axis=1)
            found = bare._replace(clear=clear, nearest=tuple(float(each) for each in ranges))
            if len(kept.past) >= KEPT_PAST:
                kept.past.clear()
            kept.past[friends] = found
        return found


def columns(pairs: Pairs, part: slice) -> Pairs:
    """What is seen of some of the marks."""
    return Pairs(pairs.seen[:, part], pairs.hidden[:, part], pairs.cover[:, part], pairs.by[:, part])
