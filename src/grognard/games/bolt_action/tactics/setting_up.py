"""Setting up (28.6): who is placed first, and what counts for whom."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.core.ask import Option
from grognard.core.tactics import Clock
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.roster import UnitType
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.kits.table.tactics.choices import Choice, best_first
from grognard.kits.table.tactics.setting_up import Habits, Setter

#: In which order units are placed: what others look to comes last.
FIRST = {"artillery": 0, "team": 1, "infantry": 2, "hq": 3, "vehicle": 4}
#: What cover is worth to each kind: an officer or a medic is one shot away from a point for the enemy.
COVER = {"vehicle": 0.1, "team": 0.8, "hq": 1.4}
#: How much a field of fire counts for each kind, and the way to what is fought for.
SWEEPS = {"artillery": 2.4, "team": 1.5, "vehicle": 0.6}
SUITS = {"infantry": 1.0, "vehicle": 0.6, "hq": 0.6}


def which(battle: BoltBattle, units: Sequence[Unit]) -> list[Choice]:
    """Which unit to place next."""
    found = []
    for unit in units:
        kind = battle.type(unit)
        worth = -float(FIRST.get(kind.kind, 2)) - unit.n / 1000
        found.append(Choice(f"unit {unit.id}", worth / 100, (("guns and teams first, vehicles last", worth / 100),)))
    return best_first(found)


def _indirect(kind: UnitType) -> bool:
    return kind.main_weapon is not None and kind.main_weapon.indirect


def habits(kind: UnitType) -> Habits:
    """What counts for a kind of unit."""
    weapon = kind.main_weapon
    return Habits(
        cover=COVER.get(kind.kind, 0.6),
        suits=SUITS.get(kind.kind, 0.35),
        advances=not (kind.artillery or _indirect(kind)),
        leads=bool(kind.rank),
        sweeps=SWEEPS.get(kind.kind, 0.3),
        least=weapon.min_indirect if weapon is not None and weapon.indirect else 0,
        most=weapon.max if weapon is not None else 0,
    )


class BoltSetter(Setter[BoltOutlook, Unit]):
    """Weighs where a unit is set up; buildings are places too (25.1)."""

    def __init__(self, outlook: BoltOutlook, unit: Unit, clock: Clock | None = None) -> None:
        self.kind = outlook.battle.type(unit)
        super().__init__(outlook, unit, habits(self.kind), clock)

    def where(self, option: Option) -> tuple[float, float, str] | None:
        """In a building, in its middle."""
        if option.verb == "building":
            table = self.outlook.battle.table
            middle = table.area(table.by_id[option.key.split()[1]]).centroid
            return middle.x, middle.y, "building"
        return super().where(option)

    def within(self, how: str) -> float:
        """Men on foot like to begin in a building."""
        if how == "building":
            return 0.4 if self.kind.kind in ("infantry", "team", "hq") and not _indirect(self.kind) else -1.0
        return super().within(how)
