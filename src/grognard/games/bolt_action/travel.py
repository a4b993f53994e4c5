"""Going there (8.3, B31): a unit's models walk their paths, an inch at a time where somebody lies in ambush."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grognard.board.table import bodies, formations
from grognard.board.table.routes import along, long, moments
from grognard.core.ask import Procedure
from grognard.core.poses import length, place
from grognard.games.bolt_action import formation
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Halted, Moved, Step, Turned
from grognard.games.bolt_action.state import AMBUSH, LOST, ON_TABLE, Unit

Path = Sequence[tuple[int, int]]

#: Who is halted where there is no room for him looks for some by steps of so many hundredths.
ROOM_STEP = 25.0
#: At which steps of a move whoever lies in ambush looks ahead, and to which: often the first inch tells enough.
LOOK_AHEAD = {1: 4, 4: 10, 10: 99}


def watched(battle: BoltBattle, unit: Unit) -> bool:
    """Whether any enemy lies in ambush, so that a move has to be made step by step."""
    return not battle.ahead and any(enemy.die == AMBUSH for enemy in battle.enemies(unit.side))


def _stand(unit: Unit, paths: Mapping[str, Path], step: float, far: float) -> list[tuple[int, int]]:
    """Where the models are when the one that goes farthest has made a step of its way; those without a path stay."""
    return [
        along(paths[model.id], long(paths[model.id]) * step / far) if model.id in paths else (model.x, model.y)
        for model in unit.models
    ]


def travel(
    battle: BoltBattle,
    unit: Unit,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    *,
    how: str,
    rules: tuple[str, ...],
    at_once: bool = False,
    gone: float = 0.0,
) -> Procedure[bool]:
    """Move the models along their paths, all arriving together, and turn them; True if the move was not cut short.

    After every inch of the longest path each enemy in ambush that sees the unit may fire (16.4, B31). A unit that is
    destroyed, or whose die fire has turned, goes no farther. Whoever is set down ``at_once`` makes no steps.
    ``gone`` is how far the same move has gone before, in other legs: its inches count on.
    """
    from grognard.games.bolt_action import reactions

    before = {model.id: (model.x, model.y, model.heading) for model in unit.models}
    begin = formation.anchor(battle, unit) if unit.status == ON_TABLE else None
    far = max(map(long, paths.values()), default=0.0)
    inch = battle.figures.distance("movement_figures", "ambush_step")
    order, whole = unit.die, True
    if far > 0 and not at_once and watched(battle, unit):
        steps = moments(gone, far, inch)
        for number, step in enumerate(steps):
            if number in LOOK_AHEAD:
                to = LOOK_AHEAD[number]
                reactions.foresee(battle, unit, [_stand(unit, paths, part, far) for part in steps[number:to]])
            for model, (x, y) in zip(unit.models, _stand(unit, paths, step, far)):
                model.x, model.y = x, y
            _count(battle, unit)
            yield from reactions.ambush(battle, unit, "moving")
            if unit.status == LOST or not unit.models:
                return False
            if unit.die != order or unit.immobilised:
                whole = False
                far = _halt(battle, unit, paths, step, far)
                break
    if whole:
        for model in unit.models:
            if model.id in paths:
                model.x, model.y = paths[model.id][-1]
            if model.id in headings:
                model.heading = headings[model.id] % 360
    # To turn is a move only of what has a front: a hull, a gun, a Fixed weapon (17.11).
    fronts = not battle.type(unit).infantry or how == "turn"
    if any((m.x, m.y) != before[m.id][:2] or (fronts and m.heading != before[m.id][2]) for m in unit.models):
        _count(battle, unit)
    else:
        battle.touched(unit)
    _tell(battle, unit, before, begin, far, how, rules)
    if not whole:
        at = formation.anchor(battle, unit)
        battle.emit(Halted(side=unit.side, unit=unit.id, place=place(*at), rules=("16.6",)))
    return whole


def _halt(battle: BoltBattle, unit: Unit, paths: Mapping[str, Path], step: float, far: float) -> float:
    """How far a move goes that is cut short: to here, or as little on as everybody needs to find room, or back.

    Men who come out by one door, or pass through friends (8.5), cannot stop in one another.
    """
    others = [*battle.everybody([unit]), *battle.wreck_bodies()]
    bases = battle.bodies(unit)
    onward = [*np.arange(step, far, ROOM_STEP), far]
    for there in [*onward, *np.arange(step, 0.0, -ROOM_STEP), 0.0]:
        places = _stand(unit, paths, float(there), far)
        stand = [base.at(*spot) for base, spot in zip(bases, places)]
        if formations.clear(stand) and not any(bodies.overlaps(base, others) for base in stand):
            for model, (x, y) in zip(unit.models, places):
                model.x, model.y = x, y
            battle.touched(unit)
            return float(there)
    return step


def _count(battle: BoltBattle, unit: Unit) -> None:
    """The unit has moved this turn (17.11, 24.2)."""
    unit.moved, unit.moving = battle.state.turn, True
    battle.touched(unit)


def _tell(
    battle: BoltBattle,
    unit: Unit,
    before: Mapping[str, tuple[int, int, int]],
    begin: tuple[int, int] | None,
    far: float,
    how: str,
    rules: tuple[str, ...],
) -> None:
    steps: list[Step] = []
    for model in unit.models:
        x, y, _ = before.get(model.id, (model.x, model.y, 0))
        steps.append((model.id, x, y, model.x, model.y, model.heading))
    end = formation.anchor(battle, unit)
    if far >= 1:
        start = place(*(begin or end))
        battle.emit(
            Moved(
                side=unit.side,
                unit=unit.id,
                how=how,
                start=start,
                end=place(*end),
                inches=length(round(far)),
                models=tuple(steps),
                rules=rules,
            )
        )
        return
    turned = [(before[m.id][2], m.heading) for m in unit.models if m.id in before and before[m.id][2] != m.heading]
    if turned:
        battle.emit(Turned(side=unit.side, unit=unit.id, start=turned[0][0], heading=turned[0][1], rules=rules))
