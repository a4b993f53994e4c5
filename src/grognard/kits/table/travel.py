"""Going there: a unit's models walk their paths all at once, step by step where somebody watches."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Place
from grognard.board.table.routes import along, long, moments
from grognard.board.table.ways import Path
from grognard.core.ask import Procedure
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import LOST, Unit

U = TypeVar("U", bound=Unit[Any])

#: Who is halted where there is no room for him looks for some by steps of so many hundredths.
ROOM_STEP = 25.0
#: At which strides of a move the watchers of most games look ahead, and to which: often the first tells enough.
LOOK_AHEAD = {1: 4, 4: 10, 10: 99}


class Watch(Protocol[U]):
    """Those who may fire at a unit on its way.

    A watcher is asked at the first stride at which he could do something, and again only where that has changed: points
    between give the same shot.
    """

    #: How far the unit goes from one moment to the next, and whether the end of its way is a moment as well.
    stride: int
    #: At which strides it is told of those ahead, and up to which: `LOOK_AHEAD`, or all of them at the first.
    look_ahead: Mapping[int, int]
    at_end: bool

    def able(self, mover: U) -> Sequence[U]:
        """Who might fire at all, as things are."""

    def foresee(self, mover: U, stands: Sequence[Sequence[Place]]) -> None:
        """The unit will stand so at the next strides: whoever has to look may look at all of them together."""

    def could(self, watcher: U, mover: U) -> Hashable | None:
        """All that a shot from here would be; None if there is none."""

    def offer(self, mover: U, ready: Sequence[U]) -> Procedure[None]:
        """Ask those who can, and let them fire."""

    def stopped(self, mover: U) -> bool:
        """Whether the unit goes no farther."""


class Journey(NamedTuple):
    """How a move went: whether all of it was made, how far it went, and how the models stood before, by id."""

    whole: bool
    far: float
    before: Mapping[str, tuple[int, int, int]]


def stand_after(unit: Unit[Any], paths: Mapping[str, Path], step: float, far: float) -> list[Place]:
    """Where the models are when the one that goes farthest has made a step of its way; those without a path stay."""
    return [
        along(paths[model.id], long(paths[model.id]) * step / far) if model.id in paths else (model.x, model.y)
        for model in unit.models
    ]


def travel(
    battle: TableBattle[Any, Any, U, Any],
    unit: U,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    *,
    watch: Watch[U] | None,
    moved: Callable[[U], None],
    gone: float = 0.0,
) -> Procedure[Journey]:
    """Move the models along their paths, all arriving together, and turn them.

    After every stride of the longest path those who watch may fire, and at its end if they watch that too. A unit that
    is destroyed or stopped goes no farther. ``moved`` is called after every stride, so that the game may note it;
    ``gone`` is how far the same move has gone before, in other legs: its strides count on.
    """
    before = {model.id: (model.x, model.y, model.heading) for model in unit.models}
    far = max(map(long, paths.values()), default=0.0)
    asked: dict[str, Hashable] = {}
    if far > 0 and watch is not None and watch.able(unit):
        steps = [*moments(gone, far, watch.stride), *([far] if watch.at_end else [])]
        for number, step in enumerate(steps):
            if number in watch.look_ahead:
                ahead = steps[number : watch.look_ahead[number]]
                watch.foresee(unit, [stand_after(unit, paths, part, far) for part in ahead])
            for model, (x, y) in zip(unit.models, stand_after(unit, paths, step, far)):
                model.x, model.y = x, y
            moved(unit)
            ready = []
            for watcher in watch.able(unit):
                shot = watch.could(watcher, unit)
                if shot is not None and asked.get(watcher.id) != shot:
                    ready.append(watcher)
                asked[watcher.id] = shot
            if ready:
                yield from watch.offer(unit, ready)
            if unit.status == LOST or not unit.models:
                return Journey(False, step, before)
            if watch.stopped(unit):
                return Journey(False, _halt(battle, unit, paths, step, far), before)
    for model in unit.models:
        if model.id in paths:
            model.x, model.y = paths[model.id][-1]
        if model.id in headings:
            model.heading = headings[model.id] % 360
    return Journey(True, far, before)


def _halt(battle: TableBattle[Any, Any, U, Any], unit: U, paths: Mapping[str, Path], step: float, far: float) -> float:
    """How far a move goes that is cut short: to here, or as little on as everybody needs to find room, or back.

    Men who come out by one door, or pass through friends, cannot stop in one another.
    """
    others = [*battle.everybody([unit]), *battle.wreck_bodies()]
    bases = battle.bodies(unit)
    onward = [*np.arange(step, far, ROOM_STEP), far]
    for there in [*onward, *np.arange(step, 0.0, -ROOM_STEP), 0.0]:
        places = stand_after(unit, paths, float(there), far)
        stand = [base.at(*spot) for base, spot in zip(bases, places)]
        if formations.clear(stand) and not any(bodies.overlaps(base, others) for base in stand):
            for model, (x, y) in zip(unit.models, places):
                model.x, model.y = x, y
            battle.invalidate(unit)
            return float(there)
    return step
