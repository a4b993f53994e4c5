"""Every number of the rules, from charts.toml: tables, terrain, counters and modifiers.

Movement Points are doubled here, because a road costs half of one (38.2).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import msgspec

from grognard.core.charts import Chart, Charts, build_chart
from grognard.core.files import Document
from grognard.games.ost.roster import FOLDER

SIGHT = ("none", "degrade", "block")


class Terrain(msgspec.Struct, frozen=True, kw_only=True):
    """A hex's terrain (35-57). ``mp`` is doubled; a class that is missing may not enter."""

    name: str
    rule: str
    mp_rule: str = ""
    defense_rule: str = ""
    mp: dict[str, int]
    bog: frozenset[str] = frozenset()
    prohibited: frozenset[str] = frozenset()
    defense: int = 0
    los: str = "none"
    los_outside_outline: str = ""
    landing: int | None = None
    airburst: bool = False
    no_cover: bool = False
    bog_drm: int = 0
    structure: str = ""
    collapse_at_least: int = 0
    collapse_fp: int = 0
    collapse_multi_level_fp: int = 0


class Hexside(msgspec.Struct, frozen=True, kw_only=True):
    """Terrain along a hexside (46-48, 56). ``mp`` is doubled and added to the hex entered."""

    name: str
    rule: str
    mp_rule: str = ""
    defense_rule: str = ""
    mp: dict[str, int]
    bog: frozenset[str] = frozenset()
    prohibited: frozenset[str] = frozenset()
    defense: int = 0
    los: str = "none"


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """A fortification or wreckage counter (24-34)."""

    name: str
    rule: str
    mp_rule: str = ""
    defense_rule: str = ""
    fortification: bool = False
    defense: int = 0
    mp: dict[str, int] = {}
    bog: frozenset[str] = frozenset()
    prohibited: frozenset[str] = frozenset()
    los: str = "none"
    not_in: tuple[str, ...] = ()


class Modifier(msgspec.Struct, frozen=True):
    """A line of the modifier lists: its value, its rule and the short name shown in tallies.

    One of ``kind`` "fp_mult" multiplies, all others are added.
    """

    id: str
    value: float
    rule: str
    label: str
    kind: str = ""

    @property
    def amount(self) -> int:
        """The value of an additive line."""
        return int(self.value)


class OstCharts(Charts):
    """All figures in force."""

    folder: ClassVar[Path] = FOLDER

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        super().__init__(tables, user_tables)
        self.ict: Chart = build_chart("ict", tables, "charts.toml")
        self.vct: Chart = build_chart("vct", tables, "charts.toml")
        self.terrain = {name: _terrain(name, table) for name, table in tables["terrain"].items()}
        self.hexside = {
            name: _hexside(name, table) for name, table in tables["hexside"].items() if name != "level_change"
        }
        self.counter = {name: _counter(name, table) for name, table in tables["counter"].items()}
        self.modifiers = {
            line["id"]: Modifier(
                line["id"], line["value"], line["rule"].split(",")[0], line.get("label", ""), line["kind"]
            )
            for line in tables["modifiers"]["line"]
        }
        self.rally_modifiers = {
            line["id"]: Modifier(line["id"], line["value"], line["rule"].split(",")[0], line.get("label", ""))
            for line in tables["rally"]["modifier"]
        }
        self.oba = {kind["id"]: kind for kind in tables["oba"]["type"]}
        self.phrases = {m.id: m.label for m in [*self.modifiers.values(), *self.rally_modifiers.values()] if m.label}

    @classmethod
    def check(cls, tables: dict[str, Any], theirs: Document) -> None:
        """What terrain and counters do to sight is one of three words."""
        for table in ("terrain", "hexside", "counter"):
            for name, entry in tables[table].items():
                if entry.get("los", "none") not in SIGHT:
                    theirs.fault((table, name, "los"), f'"{entry["los"]}"', f"one of {', '.join(SIGHT)}")


def _mp(table: dict[str, Any]) -> dict[str, int]:
    return {kind: int(cost * 2) for kind, cost in table.get("mp", {}).items()}


def _take(table: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: table[name] for name in names if name in table}


def _terrain(name: str, table: dict[str, Any]) -> Terrain:
    kept = _take(
        table,
        "mp_rule",
        "defense_rule",
        "defense",
        "los",
        "los_outside_outline",
        "landing",
        "airburst",
        "no_cover",
    )
    kept |= _take(table, "bog_drm", "structure", "collapse_at_least", "collapse_fp", "collapse_multi_level_fp")
    sets: dict[str, Any] = {key: frozenset(table.get(key, ())) for key in ("bog", "prohibited")}
    return Terrain(name=name, rule=table["rule"].split(",")[0], mp=_mp(table), **sets, **kept)


def _hexside(name: str, table: dict[str, Any]) -> Hexside:
    sets: dict[str, Any] = {key: frozenset(table.get(key, ())) for key in ("bog", "prohibited")}
    kept = _take(table, "mp_rule", "defense_rule", "defense", "los")
    return Hexside(name=name, rule=table["rule"].split(",")[0], mp=_mp(table), **sets, **kept)


def _counter(name: str, table: dict[str, Any]) -> Counter:
    sets: dict[str, Any] = {key: frozenset(table.get(key, ())) for key in ("bog", "prohibited")}
    kept = _take(table, "mp_rule", "defense_rule", "fortification", "defense", "los")
    return Counter(
        name=name,
        rule=table["rule"].split(",")[0],
        mp=_mp(table),
        not_in=tuple(table.get("not_in", ())),
        **sets,
        **kept,
    )


def charts() -> OstCharts:
    """The figures in force."""
    return OstCharts.in_force()
