"""Formation (7): the chain that holds a unit together, the forms it takes, and how a broken chain is closed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body
from grognard.core.ask import Bar
from grognard.core.poses import Form
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, ON_TABLE, SPOTTER, Unit

Place = tuple[int, int]

TITLES = {
    formations.AS_THEY_STAND: "as they stand",
    formations.LINE: "in a line",
    formations.COLUMN: "in a column",
    formations.CLUSTER: "close together",
}
FORMS = tuple(TITLES)

#: A group that comes to meet others does so by steps of this many hundredths.
STEP = 100

NOT_CHAINED = Bar("7.2", "the models would not form one unbroken chain, each within 1″ of another")
OVERLAP = Bar("8.5", "two models would stand in one place")
FAR_FROM_GUN = Bar("23.1", "crew must stay within 1″ of the gun")


def reach(battle: BoltBattle) -> int:
    """How wide a gap in the chain may be (7.2)."""
    return battle.figures.distance("movement_figures", "formation_gap")


def spacing(battle: BoltBattle) -> int:
    """The gap between neighbours in a form."""
    return battle.figures.distance("movement_figures", "formation_spacing")


def on_the_ground(unit: Unit) -> bool:
    """Whether its models stand somewhere: not in a vehicle, nor in a building (25.1)."""
    return unit.status == ON_TABLE and not unit.building


def party(unit: Unit) -> list[int]:
    """The models that keep formation, by number: a spotter need not (23.4), but leaves a vehicle with the rest."""
    if not on_the_ground(unit):
        return list(range(len(unit.models)))
    kept = [i for i, model in enumerate(unit.models) if model.role != SPOTTER]
    return kept or list(range(len(unit.models)))


def broken(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a unit's chain is broken (7.3)."""
    if not on_the_ground(unit) or len(unit.models) < 2:
        return False
    key = ("broken", unit.id)
    found: bool | None = battle.memo.get(key)
    if found is None:
        known = battle.bodies(unit)
        found = not formations.chained([known[i] for i in party(unit)], reach(battle))
        battle.memo[key] = found
    return found


def bar_layout(battle: BoltBattle, unit: Unit, stand: Sequence[Body], numbers: Sequence[int]) -> Bar | None:
    """Why models may not stand like this: the chain of those that keep formation, and nobody in another's place."""
    kept = set(party(unit))
    chain = [body for body, number in zip(stand, numbers) if number in kept]
    if not formations.clear(list(stand)):
        return OVERLAP
    if not formations.chained(chain, reach(battle)):
        return NOT_CHAINED
    guns = [body for body, number in zip(stand, numbers) if unit.models[number].role == GUN]
    if guns:
        far = battle.figures.distance("movement_figures", "crew_gap")
        if any(bodies.gap(body, guns[0]) > far + bodies.HAIR for body in chain):
            return FAR_FROM_GUN
    return None


def offsets(battle: BoltBattle, unit: Unit, form: str, heading: int) -> list[Place]:
    """Each model's place about the pose, for those that keep formation; the same wherever the pose is."""
    known = battle.bodies(unit)
    return formations.lay_out(form, [known[i] for i in party(unit)], 0, 0, heading, spacing(battle))


def anchor(battle: BoltBattle, unit: Unit) -> Place:
    """The point that the unit's pose tells."""
    known = battle.bodies(unit)
    return formations.anchor([known[i] for i in party(unit)])


def forms(battle: BoltBattle, unit: Unit, names: Sequence[str]) -> list[Form]:
    """Forms as a client shows them."""
    found = []
    numbers = party(unit)
    known = [battle.bodies(unit)[i] for i in numbers]
    for name in names:
        places = formations.lay_out(name, known, 0, 0, 0, spacing(battle))
        models = [(unit.models[i].id, x, y) for i, (x, y) in zip(numbers, places)]
        found.append(Form(name, TITLES[name], models, formations.turns(name, known)))
    return found


def usual(battle: BoltBattle, unit: Unit) -> list[str]:
    """The forms to choose from: one that stands nowhere, or whose chain is broken, cannot go as it is (7.3)."""
    single = len(party(unit)) == 1
    if single and on_the_ground(unit):
        return [formations.AS_THEY_STAND]
    if not on_the_ground(unit) or broken(battle, unit):
        return [formations.CLUSTER, formations.LINE, formations.COLUMN]
    return list(FORMS)


def close_up(battle: BoltBattle, unit: Unit, can: Callable[[int, Place], bool]) -> list[Place]:
    """Where each model goes to close a broken chain: to the greatest group, as near as it can get (7.3).

    Where that is not enough, the group comes to meet the others. ``can`` says whether a model may go to a place.
    """
    known, numbers = battle.bodies(unit), party(unit)
    groups = formations.pieces([known[i] for i in numbers], reach(battle))
    groups.sort(key=len, reverse=True)
    main, strays = [numbers[i] for i in groups[0]], [numbers[i] for group in groups[1:] for i in group]
    best: tuple[float, list[Place]] | None = None
    for there in _coming(known, main, strays, can):
        ends = _gathered(battle, known, there, strays, can)
        left = _left_open([known[i].at(*ends[i]) for i in numbers], reach(battle))
        if best is None or left < best[0]:
            best = left, ends
        if left <= 0:
            break
    assert best is not None
    return best[1]


def _coming(
    known: Sequence[Body], main: Sequence[int], strays: Sequence[int], can: Callable[[int, Place], bool]
) -> Iterator[dict[int, Place]]:
    """Where the greatest group may stand: where it does, and an inch and more nearer to the nearest of the others."""
    yield {i: (known[i].x, known[i].y) for i in main}
    near, stray = min(itertools.product(main, strays), key=lambda pair: bodies.gap(known[pair[0]], known[pair[1]]))
    away = math.hypot(known[stray].x - known[near].x, known[stray].y - known[near].y)
    ux, uy = (known[stray].x - known[near].x) / away, (known[stray].y - known[near].y) / away
    rest = [known[i] for i in strays]
    for step in range(STEP, int(away), STEP):
        there = {i: (known[i].x + int(ux * step), known[i].y + int(uy * step)) for i in main}
        if not all(can(i, place) and _fits(known[i], place, rest) for i, place in there.items()):
            return
        yield there


def _gathered(
    battle: BoltBattle,
    known: Sequence[Body],
    there: Mapping[int, Place],
    strays: Sequence[int],
    can: Callable[[int, Place], bool],
) -> list[Place]:
    """Where everybody ends when the others join a group that stands somewhere."""
    found: list[Place] = [there.get(number, (body.x, body.y)) for number, body in enumerate(known)]
    placed, waiting = [known[i].at(*place) for i, place in there.items()], list(strays)
    while waiting:
        _, number = min((min(bodies.gap(known[i], body) for body in placed), i) for i in waiting)
        waiting.remove(number)
        body = known[number]
        rest = [*placed, *(known[i] for i in waiting)]
        spot = next((p for p in _spots(body, placed, spacing(battle)) if _fits(body, p, rest) and can(number, p)), None)
        if spot is None:
            spot = _toward(body, placed, rest, partial(can, number))
        found[number] = spot
        placed.append(body.at(*spot))
    return found


def _left_open(stand: Sequence[Body], far: int) -> float:
    """How wide the gaps are that are left between the pieces of a unit; 0 if it is whole."""
    groups = formations.pieces(list(stand), far)
    groups.sort(key=len, reverse=True)
    return sum(
        min(bodies.gap(stand[i], stand[j]) for i in group for j in range(len(stand)) if j not in group)
        for group in groups[1:]
    )


def _spots(body: Body, placed: Sequence[Body], gap: int) -> list[Place]:
    """Places beside those who stand, the nearest to a model first."""
    found = []
    for other in placed:
        far = other.foot.farthest + body.foot.farthest + gap
        for degrees in range(0, 360, 30):
            dx, dy = bodies.direction(degrees)
            found.append((round(other.x + dx * far), round(other.y + dy * far)))
    return sorted(set(found), key=lambda p: (math.hypot(p[0] - body.x, p[1] - body.y), p))


def _fits(body: Body, place: Place, others: Sequence[Body]) -> bool:
    return not bodies.overlaps(body.at(*place), others)


def _toward(body: Body, placed: Sequence[Body], rest: Sequence[Body], can: Callable[[Place], bool]) -> Place:
    """As far as a model can go straight toward those who stand."""
    near = min(placed, key=lambda other: bodies.gap(body, other))

    def at(part: float) -> Place:
        return body.x + int((near.x - body.x) * part), body.y + int((near.y - body.y) * part)

    def free(part: float) -> bool:
        return _fits(body, at(part), rest) and can(at(part))

    parts = np.linspace(1.0, 0.0, 21)
    good = next((part for part in parts[:-1] if free(part)), None)
    if good is None:
        return body.x, body.y
    bad = min(1.0, good + parts[0] - parts[1])
    for _ in range(7):
        middle = (good + bad) / 2
        good, bad = (middle, bad) if free(middle) else (good, middle)
    return at(good)
