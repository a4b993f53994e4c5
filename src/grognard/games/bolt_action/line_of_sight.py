"""Line of sight and cover (11, 12.3, 23.2, 25.3, 25.4): what the models of a unit see of another, kept by positions.

The geometry is `board.table.sight`. Here it is asked for whole units at once, friends in the way are looked for
(11.2), men in buildings are put at its openings (25.3), and the cover of a unit is decided by majority (11.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, Footprint, front, gaps
from grognard.board.table.scene import Eye, Mark, SightRules
from grognard.board.table.sight import Pairs, sight
from grognard.games.bolt_action import openings, past_friends
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import GUN, GUNNER, HULL, ON_TABLE, SPOTTER, Unit
from grognard.games.bolt_action.to_hit import HARD, SOFT

if TYPE_CHECKING:
    from grognard.games.bolt_action.sight_report import SightReport

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: In the open, or without a place at any opening.
IN_THE_OPEN, NO_WINDOW = -1, -2
#: So many positions of the whole table are remembered.
KEPT = 48
#: And so many pairs of units looking at each other.
KEPT_LOOKS = 2048
#: And each of them past so many stands of friends.
KEPT_PAST = 16


class Look(NamedTuple):
    """What the models of a unit (rows) see of another's (columns).

    ``clear`` is in sight with no friend in the way; ``cover`` the cover of the whole target from each row; ``nearest``
    the range of each row to the nearest model that it may shoot at; ``sides`` the wall of the building it shoots
    through, -1 in the open, -2 without a place at one (25.4); ``in_sight`` whether a row sees anybody;
    ``posts`` the bases that it fires from.
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


class Kept(NamedTuple):
    """A look as it is without regard to friends, and past those friends about who were asked for: by their bases."""

    bare: Look
    past: dict[tuple[Body, ...], Look]


@cache
def rules() -> SightRules:
    """The game's figures for sight (11.1, 11.8)."""
    now = figures()
    chart = now["sight"]
    return SightRules(
        target_height=float(chart["target_height"]),
        at_hand=now.distance("sight", "at_hand"),
        low=now.distance("sight", "low"),
    )


# ---- what is remembered ------------------------------------------------------------------------------


def stance(battle: BoltBattle, unit: Unit) -> Any:
    """Where the models of a unit stand, as a key."""
    return unit.id, unit.kind, unit.building, tuple((m.id, m.x, m.y, m.heading, m.role) for m in unit.models)


def stances(battle: BoltBattle) -> dict[str, Any]:
    """The stances of all units on the table, by id."""
    found: dict[str, Any] | None = battle.memo.get("stances")
    if found is None:
        found = battle.memo["stances"] = {unit.id: stance(battle, unit) for unit in battle.units()}
    return found


def in_between(battle: BoltBattle) -> Any:
    """What may come between two units: vehicles, wrecks and smoke, as a key."""
    found = battle.memo.get("in_between")
    if found is None:
        known, state = stances(battle), battle.state
        found = battle.memo["in_between"] = (
            tuple(known[unit.id] for unit in battle.blockers()),
            tuple((wreck.x, wreck.y, wreck.heading, wreck.kind) for wreck in state.wrecks),
            tuple(tuple(cloud) for cloud in state.smoke),
        )
    return found


#: How far beyond the box about two units a hull may stand that hides one from the other; more where they are indoors.
BESIDE, INDOORS = 700, 1600


def hiding(battle: BoltBattle, own: Any, other: Any) -> Any:
    """What may come between two stances, as a key: of the vehicles only where those are that are anywhere near."""
    hulls, *rest = in_between(battle)
    spots = own[3] + other[3]
    far = INDOORS if own[2] or other[2] else BESIDE
    left, right = min(spot[1] for spot in spots) - far, max(spot[1] for spot in spots) + far
    top, bottom = min(spot[2] for spot in spots) - far, max(spot[2] for spot in spots) + far
    near = []
    for hull in hulls:
        hull = other if hull[0] == other[0] else hull
        if hull[3] and left <= hull[3][0][1] <= right and top <= hull[3][0][2] <= bottom:
            near.append(hull)
    # Whatever hides is known by its number: all the vehicles count for that.
    return tuple(hull[0] for hull in hulls), tuple(near), *rest


def _shelf(battle: BoltBattle) -> dict[Any, Kept]:
    """The looks that are kept by positions, over battles."""
    found: dict[Any, Kept] = battle.table.kept.setdefault("bolt_action looks", {})
    return found


def drawer(battle: BoltBattle) -> dict[Any, Any]:
    """What is kept for where everything stands now, over battles: odds play from one position again and again."""
    found: dict[Any, Any] | None = battle.memo.get("drawer")
    if found is None:
        shelf: dict[Any, dict[Any, Any]] = battle.table.kept.setdefault("bolt_action", {})
        key = (tuple(stances(battle).values()), in_between(battle))
        found = shelf.get(key)
        if found is None:
            if len(shelf) >= KEPT:
                del shelf[next(iter(shelf))]
            found = shelf[key] = {}
        battle.memo["drawer"] = found
    return found


# ---- units looking at units --------------------------------------------------------------------------


def look(battle: BoltBattle, unit: Unit, target: Unit) -> Look:
    """What the models of a unit see of another's."""
    kept = drawer(battle)
    found: Look | None = kept.get((unit.id, target.id))
    if found is None:
        looks(battle, unit, [target])
        found = kept[unit.id, target.id]
    return found


def looks(battle: BoltBattle, unit: Unit, targets: Sequence[Unit]) -> None:
    """Look at several units at once: one sum for all their models.

    What two units see of each other is kept until one of them or a vehicle moves; whose friends are in the way is
    looked for anew whenever anybody has moved.
    """
    kept = drawer(battle)
    wanted = [target for target in targets if (unit.id, target.id) not in kept]
    if not wanted:
        return
    shelf = _shelf(battle)
    known = stances(battle)
    own = known.get(unit.id) or stance(battle, unit)
    keys = {}
    for target in wanted:
        other = known.get(target.id) or stance(battle, target)
        keys[target.id] = own, other, hiding(battle, own, other)
    if len(shelf) >= KEPT_LOOKS:  # before it is known what is missing: nothing that is wanted may go
        for old in list(shelf)[: KEPT_LOOKS // 4]:
            del shelf[old]
    missing = [target for target in wanted if keys[target.id] not in shelf]
    if missing:
        for target, found in zip(missing, _look_anew(battle, unit, missing)):
            shelf[keys[target.id]] = Kept(found, {})
    for target in wanted:
        kept[unit.id, target.id] = _past_friends(battle, unit, target, shelf[keys[target.id]])


def _look_anew(battle: BoltBattle, unit: Unit, targets: Sequence[Unit]) -> list[Look]:
    """Work out what a unit sees of others, whoever of its own side may be in the way."""
    if unit.building:
        return [_out_of_building(battle, unit, target) for target in targets]
    bodies = battle.bodies(unit)
    eyes = [eye_of(battle, unit, row, bodies[row]) for row in range(len(bodies))]
    marks = [Mark(body, target.building) for target in targets for body in battle.bodies(target)]
    found = sight(battle.scene, eyes, marks, rules())
    start = 0
    sides = (IN_THE_OPEN,) * len(bodies)
    looked: list[Look] = []
    for target in targets:
        part = slice(start, start + len(target.models))
        start = part.stop
        pairs = Pairs(found.seen[:, part], found.hidden[:, part], found.cover[:, part], found.by[:, part])
        looked.append(_finish(battle, target, eyes, bodies, pairs, sides))
    return looked


def foresee(
    battle: BoltBattle, unit: Unit, far: float, actor: Unit, stands: Sequence[Sequence[tuple[int, int]]]
) -> None:
    """Look at a unit in all the places where it will be in its move, where it is not too far away: one sum for all.

    What is seen is only kept for those who ask when it is there. It is worth it where most of what one sees is nothing.
    """
    if unit.building or actor.building:
        return
    shelf = _shelf(battle)
    own = stances(battle)[unit.id]
    hulls = [each.id for each in battle.blockers()]
    self = hulls.index(actor.id) if actor.id in hulls else -1
    bases, bodies = battle.bodies(actor), battle.bodies(unit)
    wanted: list[tuple[Any, list[Body]]] = []
    for stand in stands:
        spots = tuple((m.id, x, y, m.heading, m.role) for m, (x, y) in zip(actor.models, stand))
        there = (actor.id, actor.kind, actor.building, spots)
        key = own, there, hiding(battle, own, there)
        if key not in shelf:
            wanted.append((key, [body.at(x, y) for body, (x, y) in zip(bases, stand)]))
    apart = gaps(bodies, [body for _, stand in wanted for body in stand]) if wanted else None
    count = len(bases)
    parts = [slice(number * count, (number + 1) * count) for number in range(len(wanted))]
    near = [n for n, part in enumerate(parts) if apart is not None and apart[:, part].min() <= far + 1]
    if len(near) < 2:
        return
    eyes = [eye_of(battle, unit, row, body) for row, body in enumerate(bodies)]
    marks = [body for number in near for body in wanted[number][1]]
    found = sight(battle.scene, eyes, marks, rules(), not_blocking=[self] if self >= 0 else ())
    sides = (IN_THE_OPEN,) * len(bodies)
    for number, part in zip(near, parts):
        key, bases = wanted[number]
        pairs = Pairs(found.seen[:, part], found.hidden[:, part], found.cover[:, part], found.by[:, part])
        shelf[key] = Kept(_finish(battle, actor, eyes, bodies, pairs, sides, bases), {})


def _past_friends(battle: BoltBattle, unit: Unit, target: Unit, kept: Kept) -> Look:
    """A look with the lines taken out that friends are in the way of (11.2); kept by where those friends stand."""
    bare = kept.bare
    if not any(bare.in_sight):
        return bare
    friends = past_friends.about(battle, unit, target, bare.eyes)
    if not friends:
        return bare
    found = kept.past.get(friends)
    if found is None:
        masked = past_friends.in_the_way(bare.eyes, bare.posts, battle.bodies(target), friends)
        clear = bare.pairs.seen & ~masked
        ranges = np.where(clear, bare.gaps, np.inf).min(axis=1)
        found = bare._replace(clear=clear, nearest=tuple(float(each) for each in ranges))
        if len(kept.past) >= KEPT_PAST:
            kept.past.clear()
        kept.past[friends] = found
    return found


def eye_of(battle: BoltBattle, unit: Unit, row: int, body: Body) -> Eye:
    """Where a model looks from: its centre, a gun the middle of its front edge (B9)."""
    if unit.models[row].role == GUN:
        x, y = front(body)
        return Eye(x, y, float(body.foot.eye), body)
    return battle.scene.eye(body)


def _finish(
    battle: BoltBattle,
    target: Unit,
    eyes: Sequence[Eye],
    bodies: Sequence[Body],
    pairs: Pairs,
    sides: tuple[int, ...],
    there: Sequence[Body] | None = None,
) -> Look:
    """Ranges and the cover of the whole target, from what the models see; ``there`` is where it will be."""
    there = battle.bodies(target) if there is None else there
    if target.building:
        apart = openings.ranges(battle, target.building, len(there), eyes, bodies, pairs, rules())
    else:
        apart = gaps(bodies, there)
    ranges = np.where(pairs.seen, apart, np.inf).min(axis=1)
    living = [column for column, model in enumerate(target.models) if model.role != GUN]
    cover = _majority(pairs.cover[:, living] if living else pairs.cover)
    if target.building:
        cover = (HARD,) * len(bodies)
    return Look(
        pairs,
        pairs.seen,
        apart,
        cover,
        tuple(float(each) for each in ranges),
        sides,
        tuple((eye.x, eye.y) for eye in eyes),
        tuple(bool(row.any()) for row in pairs.seen),
        tuple(bodies),
    )


def _majority(cover: NDArray[Any]) -> tuple[int, ...]:
    """The cover of a unit from each firing model: what more than half of its models have (11.5, B13)."""
    count = cover.shape[1]
    some = (cover > 0).sum(axis=1) * 2 > count
    hard = (cover == HARD).sum(axis=1) * 2 > count
    return tuple(HARD if h else SOFT if s else 0 for s, h in zip(some.tolist(), hard.tolist()))


# ---- buildings (25.3, 25.4) --------------------------------------------------------------------------


def _out_of_building(battle: BoltBattle, unit: Unit, target: Unit) -> Look:
    """Men in a building look out of the openings that face the target, at most half of them out of one side (25.4).

    The best armed get the first places at the side that is nearest to the target.
    """
    there = battle.bodies(target)
    foot = Footprint(DISC, 0, 0, 0, *_man())
    posts: list[tuple[int, Eye, Body]] = []
    for side, x, y in openings.toward(battle, unit.building, there):
        body = Body(round(x), round(y), 0, foot)
        posts.append((side, Eye(x, y, float(foot.eye), body, unit.building), body))
    count = len(unit.models)
    if not posts:
        nothing = np.zeros((count, len(there)))
        blind = Pairs(
            nothing.astype(np.bool_),
            nothing.astype(np.int64) + 9,
            nothing.astype(np.int8),
            nothing.astype(np.int64) - 1,
        )
        no, far = (NO_WINDOW,) * count, (math.inf,) * count
        nowhere = ((0.0, 0.0),) * count
        spots = tuple(battle.bodies(unit))
        return Look(blind, blind.seen, nothing + np.inf, (0,) * count, far, no, nowhere, (False,) * count, spots)
    marks = [Mark(body, target.building) for body in there]
    pairs = sight(battle.scene, [eye for _, eye, _ in posts], marks, rules())
    eyes, bodies = [eye for _, eye, _ in posts], [body for _, _, body in posts]
    sides = tuple(side for side, _, _ in posts)
    whole = _finish(battle, target, eyes, bodies, pairs, sides)
    order = sorted(range(len(posts)), key=lambda post: whole.nearest[post])
    each = -(-count // 2)
    best = sorted(range(count), key=lambda row: _worth_a_window(battle, unit, row))
    place = {row: (order[n // each] if n // each < len(order) else -1) for n, row in enumerate(best)}
    rows = np.array([max(place[row], 0) for row in range(count)])
    lost = np.array([place[row] < 0 for row in range(count)])
    seen = pairs.seen[rows] & ~lost[:, None]
    return Look(
        Pairs(seen, pairs.hidden[rows], pairs.cover[rows], pairs.by[rows]),
        seen,
        whole.gaps[rows],
        tuple(whole.cover[row] for row in rows),
        tuple(math.inf if gone else whole.nearest[row] for row, gone in zip(rows, lost)),
        tuple(NO_WINDOW if gone else sides[row] for row, gone in zip(rows, lost)),
        tuple((eyes[row].x, eyes[row].y) for row in rows),
        tuple(bool(row.any()) for row in seen),
        tuple(bodies[row] for row in rows),
    )


@cache
def _man() -> tuple[int, int]:
    foot = figures().footprints["man"]
    return foot.height, foot.eye


def _worth_a_window(battle: BoltBattle, unit: Unit, row: int) -> tuple[int, int, int]:
    """Who comes to the window first: whoever mans a Team weapon or gun, then who has most shots, spotters last."""
    model = unit.models[row]
    # What is fired once does not count: a look is kept, and must not hang on what was fired.
    shots = [weapon.shots for index in model.arms if not (weapon := battle.weapon(unit, index)).one_shot]
    most = max((int(each) if each.isdigit() else 6 for each in shots), default=0)
    first = 0 if model.role in (GUN, GUNNER, HULL) else 2 if model.role == SPOTTER or not shots else 1
    return first, -most, row


# ---- the questions that others ask -------------------------------------------------------------------


def pairs(battle: BoltBattle, unit: Unit, target: Unit) -> Pairs:
    """Sight and cover between the models of two units, kept by positions."""
    return look(battle, unit, target).pairs


def sees(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any of another (11.1)."""
    if unit.status != ON_TABLE or target.status != ON_TABLE or not unit.models or not target.models:
        return False
    return look(battle, unit, target).sees()


def sees_points(battle: BoltBattle, unit: Unit, points: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether any model of a unit would see a man standing at each of the points (26.2)."""
    if not points or unit.status != ON_TABLE:
        return [False] * len(points)
    foot = figures().footprints["man"]
    marks = [Mark(Body(x, y, 0, foot)) for x, y in points]
    bodies = battle.bodies(unit)
    if unit.building:
        small = Footprint(DISC, 0, 0, 0, *_man())
        spots = openings.toward(battle, unit.building, [mark.body for mark in marks])
        middles = {side: _middle(battle, unit.building, side) for side, _, _ in spots}
        eyes = [
            Eye(x, y, float(small.eye), Body(round(x), round(y), 0, small), unit.building) for x, y in middles.values()
        ]
    else:
        eyes = [eye_of(battle, unit, row, body) for row, body in enumerate(bodies)]
    if not eyes:
        return [False] * len(points)
    seen = sight(battle.scene, eyes, marks, rules()).seen
    return [bool(column.any()) for column in seen.T]


def _middle(battle: BoltBattle, building: str, side: int) -> tuple[float, float]:
    points = battle.table.by_id[building].points
    (ax, ay), (bx, by) = points[side], points[(side + 1) % len(points)]
    return (ax + bx) / 2, (ay + by) / 2


def report(battle: BoltBattle, start: str, end: str) -> SightReport:
    """Sight between two units, two points ("x,y"), or one of each, in words and as threads (see `sight_report`)."""
    from grognard.games.bolt_action import sight_report

    return sight_report.report(battle, start, end)
