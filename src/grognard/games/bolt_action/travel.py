"""Going there (8.3, B31): a unit's models walk their paths, an inch at a time where somebody lies in ambush."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from grognard.board.table.bodies import Place
from grognard.board.table.ways import Path
from grognard.core.ask import Procedure
from grognard.core.poses import length, place
from grognard.games.bolt_action import ambush
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Halted, Moved, Step, Turned
from grognard.games.bolt_action.state import Unit
from grognard.kits.table import travel as kit
from grognard.kits.table.state import LOST, ON_TABLE


class Ambushers:
    """The enemies in ambush: asked after every inch at which any of them could fire (16.4, B31)."""

    at_end = False  # whoever lets the last inch pass may fire when the unit has done

    def __init__(self, battle: BoltBattle, unit: Unit) -> None:
        self.battle, self.order = battle, unit.die
        self.look_ahead: Mapping[int, int] = kit.LOOK_AHEAD
        self.stride = battle.charts.distance("movement_figures", "ambush_step")

    def able(self, mover: Unit) -> Sequence[Unit]:
        """Who lies in ambush, unless its side waits until the unit has done."""
        return ambush.waiting(self.battle, self.battle.other(mover.side))

    def foresee(self, mover: Unit, stands: Sequence[Sequence[Place]]) -> None:
        """Ambushers look ahead."""
        ambush.foresee(self.battle, mover, stands)

    def could(self, watcher: Unit, mover: Unit) -> Hashable | None:
        """Every inch is a new chance: what else could be waited for is the owner's business."""
        return object() if ambush.could_spring(self.battle, watcher, mover) else None

    def offer(self, mover: Unit, ready: Sequence[Unit]) -> Procedure[None]:
        """Their owner springs an ambush, waits, or holds his fire until the unit has done."""
        return ambush.offer(self.battle, mover, "moving")

    def stopped(self, mover: Unit) -> bool:
        """Fire has turned its die, or stopped it for good (16.6, 20.4)."""
        return mover.die != self.order or mover.immobilised


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
    begin = battle.anchor(unit) if unit.status == ON_TABLE else None
    watch = None if at_once else Ambushers(battle, unit)

    def note(unit: Unit) -> None:
        _count(battle, unit)

    journey = yield from kit.travel(battle, unit, paths, headings, watch=watch, moved=note, gone=gone)
    if unit.status == LOST or not unit.models:
        return False
    before = journey.before
    # To turn is a move only of what has a front: a hull, a gun, a Fixed weapon (17.11).
    fronts = not battle.type(unit).infantry or how == "turn"
    if any((m.x, m.y) != before[m.id][:2] or (fronts and m.heading != before[m.id][2]) for m in unit.models):
        _count(battle, unit)
    else:
        battle.invalidate(unit)
    _tell(battle, unit, before, begin, journey.far, how, rules)
    if not journey.whole:
        at = battle.anchor(unit)
        battle.emit(Halted(side=unit.side, unit=unit.id, place=place(*at), rules=("16.6",)))
    return journey.whole


def _count(battle: BoltBattle, unit: Unit) -> None:
    """The unit has moved this turn (17.11, 24.2)."""
    unit.moved, unit.moving = battle.state.turn, True
    battle.invalidate(unit)


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
    end = battle.anchor(unit)
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
