"""The figures of the game (charts.toml) as typed values, with a user's own file laid over them.

Lengths are hundredths of an inch here, as everywhere in the program; the file has inches.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec

from grognard.core.files import Document, convert
from grognard.kits.table.charts import (
    Modifier,
    TableCharts,
    entries,
    hundredths,
    modifiers,
    read_footprint,
    read_kind,
    rows,
)
from grognard.kits.table.forces import Role

FOLDER = Path(__file__).parent
#: What tables are measured in.
MEASURE = "inch"

GROUNDS = ("open", "road", "difficult", "obstacle", "very_difficult", "impassable")
COVERS = ("none", "soft", "hard")
SIGHTS = ("clear", "no_through", "blocks", "crest")


class Training(NamedTuple):
    """What a Unit's training is worth: what its checks need, and what the enemy needs to hit it (3.2)."""

    id: str
    check: int
    to_hit: int
    title: str


class Action(NamedTuple):
    """Something that a Team may do with its activation; ``success`` ones need a check that was passed (3.3)."""

    id: str
    success: bool
    title: str
    text: str
    rule: str


class Ground(NamedTuple):
    """What a kind of ground is to tanks and to guns: "open", "road", "difficult", "very_difficult", "ok", "closed"."""

    tank: str
    gun: str
    rule: str


class Saving(NamedTuple):
    """What a type of Team needs to save, in the open or in soft cover, and in hard cover (8.2)."""

    soft: int
    hard: int
    rule: str
    label: str


class Weapon(msgspec.Struct, frozen=True, kw_only=True):
    """A weapon of the chart: its normal range, its Fire Points, and its dice with a shell and in a barrage."""

    id: str
    title: str
    range: int
    fp: int
    at: bool = False
    he_fp: int = 0
    barrage_fp: int = 0


class CompanyCharts(TableCharts):
    """All figures in force. A plain one is looked up: ``charts().distance("cohesion", "distance")``."""

    folder: ClassVar[Path] = FOLDER

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        super().__init__(tables, user_tables)
        self.trainings = {
            id: Training(id, e["check"], e["to_hit"], e["title"]) for id, e in entries(tables["training"])
        }
        self.actions = {
            id: Action(id, e["success"], e["title"], e["text"], e["rule"]) for id, e in entries(tables["actions"])
        }
        self.grounds = {id: Ground(e["tank"], e["gun"], e["rule"]) for id, e in entries(tables["ground"])}
        self.to_hit = modifiers(tables["to_hit"])
        self.damage_modifiers = modifiers(tables["damage_modifiers"])
        self.saves = {id: Saving(e["soft"], e["hard"], e["rule"], e["label"]) for id, e in entries(tables["saves"])}
        self.vehicle_damage = rows(tables["vehicle_damage"])
        self.part_hit = rows(tables["part_hit"])
        self.kinds = {id: read_kind(id, entry) for id, entry in entries(tables["terrain"])}
        self.footprints = {id: read_footprint(entry) for id, entry in entries(tables["footprints"])}
        self.weapons = {id: _weapon(id, entry) for id, entry in entries(tables["weapons"])}
        self.organisation = {
            id: Role(id, e["least"], e["most"], e["label"]) for id, e in entries(tables["organisation"])
        }
        self.phrases = {line.id: line.label for line in [*self.to_hit.values(), *self.damage_modifiers.values()]}
        self.phrases |= PHRASES

    def modifier(self, id: str) -> Modifier:
        """A modifier to hit, or of the damage to a vehicle."""
        return self.to_hit.get(id) or self.damage_modifiers[id]

    def ground(self, kind: str) -> Ground:
        """What a kind of terrain is to tanks and guns."""
        return self.grounds[self.kinds[kind].ground]

    @classmethod
    def check(cls, tables: dict[str, Any], theirs: Document) -> None:
        """Terrain has words for its ground, its cover and what it does to sight; only modifiers may be negative."""
        for name, entry in entries(tables["terrain"]):
            for key, known in (("ground", GROUNDS), ("cover", COVERS), ("sight", SIGHTS)):
                if entry.get(key) not in known:
                    theirs.fault(("terrain", name, key), f'"{entry.get(key)}"', f"one of {', '.join(known)}")
        for path, value in _numbers(theirs.data, ()):
            if value < 0 and path[-1] != "amount":
                theirs.fault(path, f"{value} is less than 0", "0 or more")


#: Names for the lines of tallies that come from no modifier list.
PHRASES = {
    "training": "training",
    "suppression": "suppressed",
    "needed": "needed",
    "cover": "hard cover",
}


def _numbers(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], int | float]]:
    if isinstance(value, int | float):
        yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _numbers(each, (*path, key))


def _weapon(id: str, entry: dict[str, Any]) -> Weapon:
    whole: dict[str, Any] = {**entry, "id": id, "range": hundredths(entry["range"])}
    return convert(whole, Weapon)


def charts() -> CompanyCharts:
    """The figures in force."""
    return CompanyCharts.in_force()
