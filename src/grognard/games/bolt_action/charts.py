"""The figures of the game (charts.toml) as typed values, with a user's own file laid over them.

Lengths are hundredths of an inch here, as everywhere in the program; the file has inches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec

from grognard.core.files import Document, convert
from grognard.kits.table.charts import TableCharts, entries, hundredths, modifiers, read_footprint, read_kind, rows
from grognard.kits.table.forces import Role

FOLDER = Path(__file__).parent
INCH = 100
#: What tables are measured in.
MEASURE = "inch"

GROUNDS = ("open", "rough", "obstacle", "building", "road", "impassable")
COVERS = ("none", "soft", "hard")
SIGHTS = ("clear", "no_through", "blocks", "crest")


class Weapon(msgspec.Struct, frozen=True, kw_only=True):
    """A weapon of the chart (17.1). Without ``pen`` it is small arms; ``he`` are the dice of its shell (18.1)."""

    id: str
    title: str
    max: int
    shots: str
    min: int = 0
    min_indirect: int = 0
    pen: int | None = None
    he: str = ""
    team: bool = False
    fixed: bool = False
    assault: bool = False
    one_shot: bool = False
    shaped: bool = False
    indirect: bool = False
    howitzer: bool = False
    flame: bool = False
    multiple: bool = False

    @property
    def small(self) -> bool:
        """Whether it is small arms: no penetration and no shell (17.2)."""
        return self.pen is None and not self.he


class Quality(NamedTuple):
    """What troops of a quality are worth (5.1, 13.5, 14.1)."""

    morale: int
    damage_value: int
    to_hit: int
    title: str


class Officer(NamedTuple):
    """An officer's bonus to morale and how far it reaches (5.3, 5.4)."""

    bonus: int
    range: int
    title: str


class Rate(NamedTuple):
    """How far a move goes with Advance and with Run, and the rule that says so."""

    advance: int
    run: int
    rule: str


class Pivots(NamedTuple):
    """How many pivots a vehicle may make with Advance and with Run, and how wide each is (10.1)."""

    advance: int
    run: int
    degrees: int


class DamageClass(NamedTuple):
    """The damage value of a class of vehicle (14.1, 14.2)."""

    value: int
    armoured: bool
    rule: str
    title: str


class Shell(NamedTuple):
    """What an HE shell does: its dice of hits, its pins and its penetration (18.1)."""

    dice: str
    pins: str
    pen: int


class Grade(NamedTuple):
    """A grade of damage on armour: from which margin on, and the dice of its results (19.6, 20.1)."""

    id: str
    over: int
    dice: int
    add: int
    label: str


class Upgrade(NamedTuple):
    """Something a squad can be given for points (28.1)."""

    id: str
    points: int
    most: int
    replaces: str
    crew: int
    weapon: str
    each_man: bool
    special: str
    label: str


def throw_of(dice: str) -> str:
    """The throw that "D3" or "2D6" stands for, in the notation of the core: "1d3", "2d6".

    A D2 or a D3 is asked for as such: at a table it is a D6 halved or cut in three, and what counts is said.
    """
    number, _, sides = dice.partition("D")
    return f"{number or 1}d{sides}"


class BoltCharts(TableCharts):
    """All figures in force."""

    folder: ClassVar[Path] = FOLDER

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        super().__init__(tables, user_tables)
        self.weapons = {id: _weapon(id, entry) for id, entry in entries(tables["weapons"])}
        self.footprints = {id: read_footprint(entry) for id, entry in entries(tables["footprints"])}
        self.kinds = {id: read_kind(id, entry) for id, entry in entries(tables["terrain_types"])}
        self.quality = {
            id: Quality(e["morale"], e["damage_value"], e["to_hit"], e["title"]) for id, e in entries(tables["quality"])
        }
        self.officers = {
            id: Officer(e["bonus"], hundredths(e["range"]), e["title"]) for id, e in entries(tables["officers"])
        }
        self.rates = {
            id: Rate(hundredths(e["advance"]), hundredths(e["run"]), e["rule"]) for id, e in entries(tables["movement"])
        }
        self.pivots = {id: Pivots(e["advance"], e["run"], e["degrees"]) for id, e in entries(tables["pivots"])}
        self.ground = {id: dict(entry) for id, entry in entries(tables["terrain_movement"])}
        self.to_hit = modifiers(tables["to_hit"])
        self.penetration = modifiers(tables["penetration"])
        self.damage_classes = {
            id: DamageClass(e["value"], e["armoured"], e["rule"], e["title"])
            for id, e in entries(tables["damage_value"])
        }
        self.he = {id: Shell(id, e["pins"], e["pen"]) for id, e in entries(tables["he"])}
        grades = [Grade(id, e["over"], e["dice"], e["add"], e["label"]) for id, e in entries(tables["damage_grade"])]
        self.grades = tuple(sorted(grades, key=lambda grade: grade.over))
        self.damage_results = rows(tables["damage_result"])
        self.fubar = rows(tables["fubar"])
        self.green = rows(tables["green"])
        self.barrage = rows(tables["barrage"])
        self.barrage_effect = rows(tables["barrage_effect"])
        self.air_strike = rows(tables["air_strike"])
        self.upgrades = {id: _upgrade(id, entry) for id, entry in entries(tables["upgrades"])}
        self.platoon = {id: Role(id, e["least"], e["most"], e["label"]) for id, e in entries(tables["platoon"])}
        self.phrases = {line.id: line.label for line in [*self.penetration.values(), *self.to_hit.values()]}
        self.phrases |= PHRASES

    @classmethod
    def check(cls, tables: dict[str, Any], theirs: Document) -> None:
        """Terrain has words for its ground, its cover and what it does to sight."""
        for name, entry in entries(tables["terrain_types"]):
            for key, known in (("ground", GROUNDS), ("cover", COVERS), ("sight", SIGHTS)):
                if entry.get(key) not in known:
                    theirs.fault(("terrain_types", name, key), f'"{entry.get(key)}"', f"one of {', '.join(known)}")

    def grade(self, margin: int) -> Grade | None:
        """The grade of damage by how far the total is over the damage value; None below it (19.6)."""
        found = None
        for grade in self.grades:
            if margin >= grade.over:
                found = grade
        return found


#: Names for the lines of tallies that come from no modifier list.
PHRASES = {
    "pins": "pins",
    "officer": "officer",
    "command_vehicle": "command vehicle",
    "without_at": "no anti-tank weapons",
    "shirkers": "shirkers",
    "quality": "quality",
    "hits": "hits",
    "weapon": "weapon",
}


def _weapon(id: str, entry: dict[str, Any]) -> Weapon:
    lengths: dict[str, int] = {key: hundredths(entry[key]) for key in ("min", "max", "min_indirect") if key in entry}
    whole: dict[str, Any] = {**entry, **lengths, "id": id}
    return convert(whole, Weapon)


def _upgrade(id: str, entry: dict[str, Any]) -> Upgrade:
    return Upgrade(
        id,
        entry["points"],
        entry["most"],
        entry["replaces"],
        entry.get("crew", 1),
        "" if entry.get("special") else entry.get("weapon", id),
        entry.get("each_man", False),
        entry.get("special", ""),
        entry["label"],
    )


def charts() -> BoltCharts:
    """The figures in force."""
    return BoltCharts.in_force()
