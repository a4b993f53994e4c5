"""What a scenario file says of control hexes, victory conditions and the scenario's own rolls (64.3, 64.10, 65)."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.board.hex.grid import HexGrid
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, each_record, read_record, read_word
from grognard.games.ost.reading import read_assets, read_dice
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import (
    CasualtyPoints,
    ControlPoints,
    Presence,
    ScenarioRoll,
    VictoryRules,
    Win,
)
from grognard.kits.hex.reading import read_hex, read_hexes, sub_tables
from grognard.kits.hex.scenario import ExitPoints

# ---- the tables as written ---------------------------------------------------------------------------


class _Control(msgspec.Struct):
    owner: str = ""


class _Victory(msgspec.Struct):
    text: str = ""
    tie: str = ""
    otherwise: str = ""
    lead: dict[str, int] = {}
    control: Any = []
    casualties: Any = []
    exit: Any = []
    win: Any = []


class _ControlPoints(msgspec.Struct, rename={"from_": "from"}):
    hexes: str
    points: int | dict[str, int]
    when: str = "end"
    from_: int = 0


class _CasualtyPoints(msgspec.Struct):
    per: int
    points: int = 1
    sides: list[str] = []


class _ExitPoints(msgspec.Struct):
    side: str
    units: list[str]
    points: int
    hexes: str = ""


class _Presence(msgspec.Struct):
    hexes: str
    units: list[str] = []
    good_order: bool = False
    at_least: int = 1


class _Win(msgspec.Struct):
    side: str
    when: str = "end"
    owns: str = ""
    present: Any = None
    casualties: int | None = None
    reason: str = ""


class _Roll(msgspec.Struct, rename={"from_": "from"}):
    side: str
    assets: dict[str, int]
    at_least: int
    what: str = "Scenario roll"
    dice: str = "1d6"
    from_: int = 0
    to: int = 0
    once: bool = True


# ---- reading -----------------------------------------------------------------------------------------


def read_control(doc: Document, grid: HexGrid, names: tuple[str, ...], data: Any) -> dict[str, str]:
    """The control hexes with their owners, "" for none (65.1, 65.2)."""
    found = {}
    for label, item in sub_tables(doc, ("control",), data).items():
        read_hex(doc, ("control", label), grid, label)
        table = read_record(doc, ("control", label), item, _Control)
        if table is None:
            continue
        owner = "" if table.owner == "neutral" else table.owner
        if owner:
            read_word(doc, ("control", label, "owner"), "side", owner, (*names, "neutral"))
        found[label] = owner
    return found


def read_rolls(doc: Document, names: tuple[str, ...], turns: int, data: Any) -> tuple[ScenarioRoll, ...]:
    """The scenario's own die rolls (111.5)."""
    found = []
    for path, item in each_record(doc, ("roll",), data):
        table = read_record(doc, path, item, _Roll)
        if table is None:
            continue
        read_word(doc, (*path, "side"), "side", table.side, names)
        dice = read_dice(doc, (*path, "dice"), table.dice)
        assets = read_assets(doc, (*path, "assets"), table.assets)
        span = (table.from_ or turns, table.to)
        found.append(ScenarioRoll(table.side, table.what, dice, table.at_least, span, assets, table.once))
    return tuple(found)


def read_victory(
    doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int, control: dict[str, str], data: Any
) -> VictoryRules:
    """The victory conditions as data (64.10)."""
    table = read_record(doc, ("victory",), data, _Victory)
    if table is None:
        return VictoryRules()
    for key in ("tie", "otherwise"):
        if name := getattr(table, key):
            read_word(doc, ("victory", key), "side", name, (*names, "draw"))
    for side in table.lead:
        read_word(doc, ("victory", "lead", side), "side", side, names)
    points, casualties, exits, wins = [], [], [], []
    for path, item in each_record(doc, ("victory", "control"), table.control):
        if (entry := read_record(doc, path, item, _ControlPoints)) is not None:
            points.append(_control_points(doc, path, grid, names, turns, control, entry))
    for path, item in each_record(doc, ("victory", "casualties"), table.casualties):
        if (loss := read_record(doc, path, item, _CasualtyPoints)) is not None:
            for side in loss.sides:
                read_word(doc, (*path, "sides"), "side", side, names)
            if loss.per < 1:
                doc.fault((*path, "per"), f"{loss.per}", "1 or more")
            casualties.append(CasualtyPoints(max(loss.per, 1), loss.points, tuple(loss.sides) or names))
    for path, item in each_record(doc, ("victory", "exit"), table.exit):
        if (left := read_record(doc, path, item, _ExitPoints)) is not None:
            read_word(doc, (*path, "side"), "side", left.side, names)
            units = _classes(doc, (*path, "units"), left.units)
            where = frozenset(read_hexes(doc, (*path, "hexes"), grid, left.hexes))
            exits.append(ExitPoints(left.side, units, where, left.points))
    for path, item in each_record(doc, ("victory", "win"), table.win):
        if (win := read_record(doc, path, item, _Win)) is not None:
            wins.append(_win(doc, path, grid, names, control, win))
    return VictoryRules(
        control=tuple(points),
        casualties=tuple(casualties),
        exits=tuple(exits),
        wins=tuple(wins),
        otherwise=table.otherwise,
        tie=table.tie,
        lead=table.lead,
        text=table.text,
    )


def _control_points(
    doc: Document,
    path: FilePath,
    grid: HexGrid,
    names: tuple[str, ...],
    turns: int,
    control: dict[str, str],
    entry: _ControlPoints,
) -> ControlPoints:
    hexes = _control_hexes(doc, (*path, "hexes"), grid, control, entry.hexes)
    points = dict.fromkeys(names, entry.points) if isinstance(entry.points, int) else entry.points
    for side in points:
        read_word(doc, (*path, "points", side), "side", side, names)
    read_word(doc, (*path, "when"), "time", entry.when, ("end", "turn"))
    first = entry.from_ or turns
    if not 1 <= first <= turns:
        doc.fault((*path, "from"), f"turn {first} of {turns}", f"{turns} (the first) down to 1")
    return ControlPoints(hexes, points, entry.when, first)


def _control_hexes(doc: Document, path: FilePath, grid: HexGrid, control: dict[str, str], text: str) -> tuple[str, ...]:
    hexes = read_hexes(doc, path, grid, text)
    for label in hexes:
        if label not in control:
            doc.fault(path, f"{label} is not a control hex", f"[control.{label}]")
    return tuple(hexes)


def _classes(doc: Document, path: FilePath, words: list[str]) -> tuple[str, ...]:
    known = {kind.kind for kind in roster().values()} | {kind.class_ for kind in roster().values() if kind.class_}
    for word in words:
        read_word(doc, path, "kind or class of unit", word, known)
    return tuple(words)


def _win(
    doc: Document, path: FilePath, grid: HexGrid, names: tuple[str, ...], control: dict[str, str], entry: _Win
) -> Win:
    read_word(doc, (*path, "side"), "side", entry.side, names)
    read_word(doc, (*path, "when"), "time", entry.when, ("end", "turn"))
    present = None
    if entry.present is not None:
        table = read_record(doc, (*path, "present"), entry.present, _Presence)
        if table is not None:
            units = _classes(doc, (*path, "present", "units"), table.units)
            where = frozenset(read_hexes(doc, (*path, "present", "hexes"), grid, table.hexes))
            present = Presence(units, where, table.good_order, table.at_least)
    if not entry.owns and entry.present is None and entry.casualties is None:
        doc.fault(path, "a condition without content", "owns, present or casualties")
    owns = _control_hexes(doc, (*path, "owns"), grid, control, entry.owns)
    return Win(entry.side, entry.when, owns, present, entry.casualties, entry.reason)
