"""A Move under way: who moves, what has been spent, and what it does to the movers (57.6, 68.6, 74.6, 75.3, 75.7).

`movement` drives it from step to step; what may be done on the way besides is with the rules for it: pivots in
`vehicle_movement`, loading in `transport`, guns in `crewed_weapons`, weapons in `support_weapons`, and going in or
out in `positions`.
"""

from __future__ import annotations

from grognard.games.ost import move_events, stacking, terrain, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, ON_MAP, Unit
from grognard.games.ost.terrain import Cost


class Travel:
    """A Move under way: who moves, what each has left, and what has been done so far.

    ``pools`` are the Movement allowances in half points. A group has those of its slowest unit (80.4); each of a
    Rolling Cover pair has its ``own``, and both stop where one can go no further (81.3, M-19).
    """

    __slots__ = (
        "acted",
        "battle",
        "entered",
        "fresh",
        "halted",
        "handled",
        "left",
        "movers",
        "over",
        "pools",
        "side",
        "stopped",
    )

    def __init__(self, battle: OstBattle, movers: list[Unit], extra: int = 0, *, own: bool = False) -> None:
        self.battle, self.movers, self.side = battle, movers, movers[0].side
        self.pools = [battle.allowance(mover) + extra for mover in movers]
        if not own:
            self.pools = [min(self.pools)] * len(movers)
        #: The half points that each mover has left.
        self.left = list(self.pools)
        self.fresh = True  # nothing spent: the next step may be the one that is always allowed (75.7)
        self.acted = self.entered = self.over = self.halted = False
        self.handled: list[str] = []  # support weapons touched in this hex, each once at most
        self.stopped = False  # a vehicle has paid for handling weapons in this hex (79.4)

    def pay(self, points: int, number: int = 0) -> None:
        """Spend; what cannot be paid in full takes all that is left."""
        self.left[number] = max(self.left[number] - points, 0)
        self.fresh = False

    def pay_all(self) -> None:
        """No points are left to anybody."""
        self.left = [0] * len(self.movers)
        self.fresh = False


def pay_step(move: Travel, costs: list[Cost]) -> None:
    """Pay for a step; the one hex that is always allowed takes all points (75.7)."""
    if any(cost.points > left for cost, left in zip(costs, move.left)):
        move.pay_all()
    else:
        for number, cost in enumerate(costs):
            move.pay(cost.points, number)


# ---- what a Move does to the movers ------------------------------------------------------------------------


def note_move(battle: OstBattle, unit: Unit, *, new_hex: bool) -> None:
    """What a Move does to a unit and the Leader with it, at once: it has moved, and clears nothing any more."""
    for each in battle.at.get(unit.hex, ()):
        if each is unit or each.attached == unit.id:
            each.moved, each.clearing = True, ""
            each.new_hex = each.new_hex or new_hex


def mark_moved(battle: OstBattle, unit: Unit) -> None:
    """Put the Moved marker on a unit, or flip it to Used (75.3, 74.6)."""
    note_move(battle, unit, new_hex=False)
    used = battle.used(unit)
    battle.emit(
        turn_events.Marked(
            side=unit.side,
            unit=unit.id,
            marker="Used" if used else "Moved",
            rules=("74.6",) if used else ("75.3",),
        )
    )


def put(battle: OstBattle, unit: Unit, hex: str, road: bool | None = None) -> None:
    """Place a unit and its company in a hex: outside any Bunker, and On Road where that is where they are (57.6)."""
    on_road = terrain.road_and_structure(battle, hex) and bool(road or battle.kinds[unit.kind].vehicle)
    company = stacking.company(battle, unit)
    if unit.status == ON_MAP:
        battle.place(unit, hex)
    else:
        for each in company:
            battle.place(each, hex)
    for each in company:
        each.inside, each.on_road = False, on_road


def leave_behind(battle: OstBattle, unit: Unit) -> None:
    """A Broken Leader does not move: his unit goes without him (68.6, D-4)."""
    leader = battle.leader(unit)
    if leader is not None and leader.morale == BROKEN and not battle.type(leader).armor_leader:
        leader.attached = ""
        battle.emit(move_events.Detached(side=leader.side, unit=leader.id, rules=("68.6",)))
