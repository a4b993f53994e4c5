"""Areas (8, 17.5, 23.3): where a unit on foot may go, turn or get out, as poses.

A unit on the table has one way of making a move; a unit that comes out of a building has one for every opening (25.2).
How ways and areas are made of them is the business of `board.table.ways` and `board.table.placement`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grognard.board.table import formations, placement
from grognard.board.table.bodies import DISC, Body
from grognard.board.table.footing import Footing
from grognard.board.table.places import exactly
from grognard.board.table.scene import Eye, window_toward
from grognard.board.table.sight import sight
from grognard.board.table.ways import Placed, Ways
from grognard.core.ask import Bar
from grognard.games.bolt_action import formation, ground, line_of_sight
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import AMBUSH, GUN, Unit, party
from grognard.kits.table import remarks as kit
from grognard.kits.table import riding
from grognard.kits.table.ground import footing_for

Floats = NDArray[np.float64]


class OnFoot(Ways):
    """Every model goes by its own way, and none farther than the rate (8.3)."""

    rule = "8.3"


class FootArea(placement.FormationArea):
    """Where a unit on foot may go: every model by its own way, in one of the forms.

    A spotter stays where he is unless he is named, or ``everybody`` goes.
    """

    def __init__(
        self,
        battle: BoltBattle,
        unit: Unit,
        ways: Sequence[Ways],
        *,
        rule: str,
        label: str = "",
        remarks: Callable[[list[Body]], list[str]] | None = None,
        everybody: bool = False,
    ) -> None:
        stand = battle.bodies(unit)
        crew = any(body.foot.length for body in stand)
        super().__init__(
            unit.id,
            [model.id for model in unit.models],
            stand,
            ways,
            names=formation.usual(battle, unit),
            spacing=formation.spacing(battle),
            holds=lambda stand, numbers: formation.bar_layout(battle, unit, stand, numbers),
            # Forms hold the chain by construction, and men as they stand what they held; a crew that turns may not.
            sure=set(formation.FORMS) - ({formations.AS_THEY_STAND} if crew else set()),
            party=list(range(len(stand))) if everybody else party(unit),
            remarks=remarks,
            label=label or f"{battle.name(unit)} goes there",
            rule=rule,
        )
        self.battle, self.of = battle, unit

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """A gunner has the man who serves his gun beside him (17.4)."""
        return formation.pairs(self.battle, self.of, self.party)


class TurnArea(placement.TurnArea):
    """A unit that turns on the spot to any heading (17.5)."""

    def __init__(self, battle: BoltBattle, unit: Unit, may: Callable[[int], Bar | None], *, rule: str) -> None:
        ids = [model.id for model in unit.models]
        at, label = battle.anchor(unit), f"{battle.name(unit)} turns"
        super().__init__(unit.id, ids, battle.bodies(unit), may, at=at, label=label, rule=rule)
        self.battle, self.of = battle, unit


def ways_off(
    battle: BoltBattle,
    unit: Unit,
    hull: Body,
    far: float,
    *,
    run: bool,
    rule: str,
    but: Sequence[str] = (),
    gone: bool = False,
) -> Placed:
    """Where each model of a unit may be set down within a distance of a hull (24.3, 24.5, 24.8)."""
    stand = battle.bodies(unit)
    gun = next((body.foot.farthest for model, body in zip(unit.models, stand) if model.role == GUN), 0.0)

    def over(radius: float, starts: Floats, reach: float) -> Footing:
        rules = ground.FootGround(battle, run=run, but=but)
        return footing_for(rules, unit, starts, radius, reach, placed=True)

    def room(body: Body) -> float:
        # A crew stands about its gun: it may be as far out as the gun's size makes it.
        return far + (2 * gun if body.foot.shape == DISC else 0)

    outside = Bar(rule, f"it is set down within {exactly(far, battle.measure)} of the vehicle")
    return riding.ways_off(stand, hull, far, over, outside, room=room, gone=gone)


#: How a unit stands to those who see it, the most dangerous first.
SEEN = {"none": "In the open to", "soft": "In soft cover from", "hard": "In hard cover from"}


def remarks(battle: BoltBattle, unit: Unit, stand: Sequence[Body]) -> list[str]:
    """What is worth knowing before a unit goes there: who lies in ambush, and who would see it and in what cover."""
    return kit.remarks(
        battle,
        unit,
        lambda enemy: cover_from(battle, enemy, unit, stand),
        SEEN,
        warned=lambda enemy: "lies in ambush and may fire at it" if enemy.die == AMBUSH else "",
    )


def cover_from(battle: BoltBattle, enemy: Unit, unit: Unit, stand: Sequence[Body]) -> str | None:
    """The cover that a unit would have from an enemy where its models would stand; None if it would not be seen.

    It is what more than half of its models have from the enemy model that sees them best (11.5, B13).
    """
    known = battle.bodies(enemy)
    eyes: list[Any] = []
    if enemy.building:
        window = window_toward(battle.table, enemy.building, stand[0].x, stand[0].y)
        if window is None:
            return None
        eyes.append(Eye(window[0], window[1], float(known[0].foot.eye), known[0], enemy.building))
    else:
        eyes += [line_of_sight.BoltSighting(battle).eye(enemy, row, body) for row, body in enumerate(known)]
    blockers = [number for number, blocker in enumerate(battle.blockers()) if blocker.id == unit.id]
    pairs = sight(battle.scene, eyes, list(stand), line_of_sight.rules(), not_blocking=blockers)
    looking = pairs.seen.any(axis=1)
    if not looking.any():
        return None
    half = pairs.cover.shape[1] / 2
    covers = [
        "hard" if (row == 2).sum() > half else "soft" if (row > 0).sum() > half else "none"
        for row in pairs.cover[looking]
    ]
    return min(covers, key=("none", "soft", "hard").index)
