"""Areas (8, 17.5, 23.3): where a unit on foot may go, turn or get out, as poses.

A unit on the table has one way of making a move; a unit that comes out of a building has one for every opening (25.2).
How ways and areas are made of them is the business of `board.table.ways` and `board.table.placement`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grognard.board.table import formations, placement, ways
from grognard.board.table.bodies import Body
from grognard.board.table.places import MEASURE
from grognard.board.table.routes import long
from grognard.board.table.scene import Eye, window_toward
from grognard.board.table.sight import sight
from grognard.board.table.ways import SLACK, Path, Place, Ways, Zone
from grognard.core.ask import Bar
from grognard.games.bolt_action import formation
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import AMBUSH, Unit

__all__ = [
    "SLACK",
    "FootArea",
    "OnFoot",
    "Path",
    "Place",
    "Placed",
    "TurnArea",
    "Ways",
    "Zone",
    "cover_from",
    "long",
    "remarks",
]


class OnFoot(Ways):
    """Every model goes by its own way, and none farther than the rate (8.3)."""

    rule, measure = "8.3", MEASURE


class Placed(ways.Placed):
    """Models that are set down beside what they get out of (24.3)."""

    measure = MEASURE


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
            party=list(range(len(stand))) if everybody else formation.party(unit),
            titles=formation.TITLES,
            remarks=remarks,
            label=label or f"{battle.say(unit)} goes there",
            rule=rule,
        )
        self.battle, self.of = battle, unit


class TurnArea(placement.TurnArea):
    """A unit that turns on the spot to any heading (17.5)."""

    def __init__(self, battle: BoltBattle, unit: Unit, may: Callable[[int], Bar | None], *, rule: str) -> None:
        ids = [model.id for model in unit.models]
        at, label = formation.anchor(battle, unit), f"{battle.say(unit)} turns"
        super().__init__(unit.id, ids, battle.bodies(unit), may, at=at, label=label, rule=rule)
        self.battle, self.of = battle, unit


#: How a unit stands to those who see it, the most dangerous first.
SEEN = {"none": "In the open to", "soft": "In soft cover from", "hard": "In hard cover from"}


def remarks(battle: BoltBattle, unit: Unit, stand: Sequence[Body]) -> list[str]:
    """What is worth knowing before a unit goes there: who lies in ambush, and who would see it and in what cover.

    What is most dangerous comes first, and enemies that it is the same with are told in one line.
    """
    groups: dict[str, list[Unit]] = {cover: [] for cover in SEEN}
    hidden = 0
    for enemy in battle.enemies(unit.side):
        cover = cover_from(battle, enemy, unit, stand)
        if cover is None:
            hidden += 1
        else:
            groups[cover].append(enemy)
    seen = [enemy for group in groups.values() for enemy in group]
    found = [f"{battle.say(enemy)} lies in ambush and may fire at it" for enemy in seen if enemy.die == AMBUSH]
    found += [
        f"{SEEN[cover]} {_told([battle.say(enemy) for enemy in group])}" for cover, group in groups.items() if group
    ]
    if hidden:
        everybody = "every enemy" if not seen else "the other enemies" if hidden > 1 else "the other enemy"
        found.append(f"Out of sight of {everybody}")
    return found


def _told(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def cover_from(battle: BoltBattle, enemy: Unit, unit: Unit, stand: Sequence[Body]) -> str | None:
    """The cover that a unit would have from an enemy where its models would stand; None if it would not be seen.

    It is what more than half of its models have from the enemy model that sees them best (11.5, B13).
    """
    from grognard.games.bolt_action import line_of_sight

    known = battle.bodies(enemy)
    eyes: list[Any] = []
    if enemy.building:
        window = window_toward(battle.table, enemy.building, stand[0].x, stand[0].y)
        if window is None:
            return None
        eyes.append(Eye(window[0], window[1], float(known[0].foot.eye), known[0], enemy.building))
    else:
        eyes += [line_of_sight.eye_of(battle, enemy, row, body) for row, body in enumerate(known)]
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
