"""The figures of the game (charts.toml) as typed values, with a user's own file laid over them.

Lengths are hundredths of an inch here, as everywhere in the program; the file has inches.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grognard.board.table.bodies import Footprint
from grognard.board.table.terrain import Kind
from grognard.core.charts import lay_over, load_tables, user_charts
from grognard.core.dice import Reader, by_face, total
from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document, convert

FOLDER = Path(__file__).parent
INCH = 100

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


class Modifier(NamedTuple):
    """A line of a modifier list: its amount, its rule and the short name shown in tallies."""

    id: str
    amount: int
    rule: str
    label: str


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


class Row(NamedTuple):
    """A row of a table that a die is looked up in; ``more`` has what else it says."""

    id: str
    lo: int
    hi: int
    label: str
    more: dict[str, Any]


class Lookup(tuple[Row, ...]):
    """The rows of a table in order, found by what the die shows."""

    __slots__ = ()

    def row(self, roll: int) -> Row:
        """The row of a modified roll; past either end the last one counts."""
        for row in self:
            if roll <= row.hi:
                return row
        return self[-1]

    def named(self, id: str) -> Row:
        """The row of a name."""
        return next(row for row in self if row.id == id)

    def reader(self, add: int = 0) -> Reader:
        """Reads one die as the id of a row."""
        return by_face(tuple(self.row(face + add).id for face in range(1, 7)))


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


class Role(NamedTuple):
    """How many units of a role a reinforced platoon has (28.1)."""

    id: str
    least: int
    most: int
    label: str


def inches(value: float) -> int:
    """Inches as hundredths."""
    return round(value * INCH)


@cache
def small_die(dice: str) -> Reader:
    """Reads a single D6 as "D2", "D3" or "D6", or any number of dice as their sum.

    >>> [small_die("D3")((face,)) for face in range(1, 7)]
    [1, 1, 2, 2, 3, 3]
    """
    if dice == "D2":
        return by_face((1, 1, 1, 2, 2, 2))
    if dice == "D3":
        return by_face((1, 1, 2, 2, 3, 3))
    return total()


@cache
def throw_of(dice: str) -> str:
    """The throw that "D3" or "2D6" is made with, in the notation of the core: "1d6", "2d6"."""
    number, _, sides = dice.partition("D")
    return f"{number or 1}d{6 if sides in ('2', '3') else sides}"


class Figures:
    """All figures in force. ``user_tables`` names those that a user's own file replaced."""

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        self.tables, self.user_tables = tables, user_tables
        self.weapons = {id: _weapon(id, entry) for id, entry in _entries(tables["weapons"])}
        self.footprints = {id: _footprint(entry) for id, entry in _entries(tables["footprints"])}
        self.kinds = {id: _kind(id, entry) for id, entry in _entries(tables["terrain_types"])}
        self.quality = {
            id: Quality(e["morale"], e["damage_value"], e["to_hit"], e["title"])
            for id, e in _entries(tables["quality"])
        }
        self.officers = {
            id: Officer(e["bonus"], inches(e["range"]), e["title"]) for id, e in _entries(tables["officers"])
        }
        self.rates = {
            id: Rate(inches(e["advance"]), inches(e["run"]), e["rule"]) for id, e in _entries(tables["movement"])
        }
        self.pivots = {id: Pivots(e["advance"], e["run"], e["degrees"]) for id, e in _entries(tables["pivots"])}
        self.ground = {id: dict(entry) for id, entry in _entries(tables["terrain_movement"])}
        self.to_hit = _modifiers(tables["to_hit"])
        self.penetration = _modifiers(tables["penetration"])
        self.damage_classes = {
            id: DamageClass(e["value"], e["armoured"], e["rule"], e["title"])
            for id, e in _entries(tables["damage_value"])
        }
        self.he = {id: Shell(id, e["pins"], e["pen"]) for id, e in _entries(tables["he"])}
        grades = [Grade(id, e["over"], e["dice"], e["add"], e["label"]) for id, e in _entries(tables["damage_grade"])]
        self.grades = tuple(sorted(grades, key=lambda grade: grade.over))
        self.damage_results = _rows(tables["damage_result"])
        self.fubar = _rows(tables["fubar"])
        self.green = _rows(tables["green"])
        self.barrage = _rows(tables["barrage"])
        self.barrage_effect = _rows(tables["barrage_effect"])
        self.air_strike = _rows(tables["air_strike"])
        self.upgrades = {id: _upgrade(id, entry) for id, entry in _entries(tables["upgrades"])}
        self.platoon = {id: Role(id, e["least"], e["most"], e["label"]) for id, e in _entries(tables["platoon"])}
        self.phrases = {line.id: line.label for line in [*self.penetration.values(), *self.to_hit.values()]}
        self.phrases |= PHRASES

    def __getitem__(self, name: str) -> Any:
        """A table of charts.toml by name, as it stands in the file."""
        return self.tables[name]

    def number(self, table: str, key: str) -> int:
        """A whole number of a table."""
        return int(self.tables[table][key])

    def distance(self, table: str, key: str) -> int:
        """A length of a table, in hundredths of an inch."""
        return inches(self.tables[table][key])

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


def _entries(table: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(id, entry) for id, entry in table.items() if isinstance(entry, dict)]


def _weapon(id: str, entry: dict[str, Any]) -> Weapon:
    lengths: dict[str, int] = {key: inches(entry[key]) for key in ("min", "max", "min_indirect") if key in entry}
    whole: dict[str, Any] = {**entry, **lengths, "id": id}
    return convert(whole, Weapon)


def _footprint(entry: dict[str, Any]) -> Footprint:
    return Footprint(
        entry["shape"],
        *(inches(entry.get(key, 0)) for key in ("radius", "length", "width", "height", "eye")),
    )


def _kind(id: str, entry: dict[str, Any]) -> Kind:
    lengths: dict[str, int] = {key: inches(entry[key]) for key in ("height", "depth_visible", "width") if key in entry}
    whole: dict[str, Any] = {**entry, **lengths, "name": id}
    return convert(whole, Kind)


def _modifiers(table: dict[str, Any]) -> dict[str, Modifier]:
    return {id: Modifier(id, entry["amount"], entry["rule"], entry["label"]) for id, entry in _entries(table)}


def _rows(table: dict[str, Any]) -> Lookup:
    rows = [Row(id, e["lo"], e["hi"], e["label"], e) for id, e in _entries(table)]
    return Lookup(sorted(rows, key=lambda row: row.lo))


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


def user_file() -> Path:
    """Where a user's own charts lie, if there are any."""
    return user_charts("bolt_action")


@cache
def figures() -> Figures:
    """The figures in force: ours, with the user's own charts laid over them."""
    theirs = user_file()
    if theirs.exists():
        return read_charts(Document.read(theirs))
    return Figures(*load_tables(FOLDER / "charts.toml"))


def read_charts(theirs: Document) -> Figures:
    """Our figures with those of a user's document laid over them, or all its faults."""
    tables, names = lay_over(load_tables(FOLDER / "charts.toml")[0], theirs)
    for name, entry in _entries(tables["terrain_types"]):
        for key, known in (("ground", GROUNDS), ("cover", COVERS), ("sight", SIGHTS)):
            if entry.get(key) not in known:
                theirs.fault(("terrain_types", name, key), f'"{entry.get(key)}"', f"one of {', '.join(known)}")
    theirs.check()
    try:
        return Figures(tables, names)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MalformedError([Fault(theirs.name, 0, "", f"the figures do not fit together: {error!r}")]) from None
