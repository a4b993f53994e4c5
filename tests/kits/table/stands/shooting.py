"""3.1, 3.4, 4.1: who sees whom, who shoots at whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import Footprint
from grognard.board.table.routes import poses_away
from grognard.board.table.scene import SightRules
from grognard.board.table.sight import Crossing, Pairs
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import at_least
from grognard.core.events import Change, Told
from grognard.core.tally import Tally
from grognard.kits.table import state as kit
from grognard.kits.table.looks import Looks, Sighting
from grognard.kits.table.sight_report import SightWords
from tests.kits.table.stands.battle import Field, foot_of
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.moving import CompanyArea, go
from tests.kits.table.stands.state import Unit

#: All or nothing: a stand that is seen in part is seen.
SIGHT = SightRules(at_hand=250, low=250, partly_hidden=False)


class Lost(Told, frozen=True, kw_only=True):
    """{unit} loses {count}."""

    harm: ClassVar[bool] = True
    unit: str
    count: int

    def change(self) -> Change | None:
        return self.counted("loses #", self.count, "stand")


class Eyes(Sighting[Field, Unit]):
    """How stands see: all or nothing."""

    @property
    def rules(self) -> SightRules:
        return SIGHT

    def cover(self, target: Unit, pairs: Pairs) -> tuple[int, ...]:
        """3.1: the least that any stand has of those that are seen."""
        return tuple(int(seen.any() and bool((cover[seen] > 0).all())) for seen, cover in zip(pairs.seen, pairs.cover))

    @property
    def clearance(self) -> float:
        return charts().distance("shooting", "past_friends")


class Words(SightWords[Field, Unit]):
    """What is said of sight."""

    unseen, friends, somebody = "3.1", "3.4", "a stand"

    @property
    def foot(self) -> Footprint:
        return foot_of("t1")

    def cover(self, cover: int) -> str:
        return "in cover" if cover else "in the open"

    def rule(self, battle: Field, crossing: Crossing) -> str:
        return "3.1"


def looks_of(battle: Field) -> Looks[Field, Unit]:
    return Looks(Eyes(battle))


def shots(battle: Field, unit: Unit, target: Unit) -> dict[int, tuple[int, Tally]]:
    """3.1: how many shoot at which stand, by number, and what they need."""
    figures = charts()["shooting"]
    mine, theirs, look = battle.bodies(unit), battle.bodies(target), looks_of(battle).look(unit, target)
    pairs, apart = look.pairs, look.gaps
    before = np.array([[bodies.ahead(one, one.heading, two.x, two.y) > 0 for two in theirs] for one in mine])
    can = look.clear & (apart <= charts().distance("shooting", "range")) & before
    who = np.where(can, apart, np.inf).argmin(axis=1)
    found: dict[int, tuple[int, Tally]] = {}
    for column in sorted({int(j) for i, j in enumerate(who) if can[i, j]}):
        rows = [i for i, j in enumerate(who) if j == column and can[i, j]]
        need = Tally("To hit", figures["to_hit"], "3.1", battle.name(unit))
        if (pairs.cover[rows, column] > 0).all():
            need.add("cover", figures["cover"], "3.1")
        found[column] = len(rows), need
    return found


def shoot(battle: Field, unit: Unit, target: Unit) -> Procedure[None]:
    lost = []
    for column, (dice, need) in shots(battle, unit, target).items():
        hits = [
            battle.roll(unit.side, "shooting", "1d6", at_least(need.total), ("3.1",), (need,), unit=target.id)
            for _ in range(dice)
        ]
        lost += [target.models[column].id] if any(hits) else []
    yield from lose(battle, target, lost, "3.1")


def lose(battle: Field, unit: Unit, lost: Sequence[str], rule: str) -> Procedure[None]:
    """4.1: stands are taken off, and the rest retire where the side that has lost them says."""
    if not lost:
        return
    unit.models = [model for model in unit.models if model.id not in lost]
    unit.status = kit.ON_TABLE if unit.models else kit.LOST
    battle.invalidate()
    battle.emit(Lost(side=unit.side, unit=unit.id, count=len(lost), rules=(rule,)))
    foes = [body for foe in battle.enemies(unit.side) for body in battle.bodies(foe)]
    if not unit.models or not foes:
        return
    area = CompanyArea(battle, unit, range(len(unit.models)), rule="4.1", part=charts()["paces"]["retiring"])
    poses = poses_away(area, foes, most=3)
    if len(poses) > 1:
        ways = [Option(p.key(), f"Retire to {p.place}", "pose", unit.id, p.place, rule="4.1") for p in poses]
        answer = yield Ask(unit.side, f"{battle.name(unit)} retires: where?", ways, rule="4.1", meanwhile=ways[0].key)
        poses = [pose for pose in poses if pose.key() == answer]
    if poses:
        yield from go(battle, unit, area, poses[0], "retires")
