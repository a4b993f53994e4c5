"""Reading a scenario from its TOML file, with all its faults at once. docs/scenarios.md tells the format."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.files import Document
from grognard.core.records import read_record
from grognard.games.ost.objectives import read_control, read_rolls, read_victory
from grognard.games.ost.order_of_battle import Forces
from grognard.games.ost.reading import BLANK, NAME, read_area, read_hexes, read_map, read_options, sub_tables
from grognard.games.ost.scenario import Scenario


class _Head(msgspec.Struct, kw_only=True):
    name: str
    title: str
    turns: int
    map: Any
    side: Any
    game: str = "ost"
    area: str = ""
    place: str = ""
    date: str = ""
    year: int = 0
    briefing: str = ""
    special: list[str] = []
    setup_order: list[str] = []
    wrecks: str = ""
    options: Any = {}
    control: Any = {}
    victory: Any = {}
    roll: Any = []


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    instead = {"name": "unnamed", "title": "", "turns": 99, "map": BLANK, "side": {}}
    head = read_record(doc, (), doc.data, _Head, instead)
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    field = read_area(doc, read_map(doc, head.map), head.area)
    assert field.grid is not None
    if head.game != "ost":
        doc.fault("game", f'a scenario of "{head.game}"', 'game = "ost"')
    if not NAME.fullmatch(head.name):
        doc.fault("name", f'"{head.name}" is no name', "small letters, digits and _, such as mill_farm")
    if not 1 <= head.turns <= 99:
        doc.fault("turns", f"{head.turns} turns", "1 to 99")
    sides = sub_tables(doc, ("side",), head.side)
    if len(sides) != 2 and "side" in doc.data:
        doc.fault("side", f"{len(sides)} sides", "exactly two, [side.NAME] each")
    names = (*sides, "nobody", "none")[: max(len(sides), 2)]
    forces = Forces(doc, field.grid, names, head.turns, head.year)
    for side, table in sides.items():
        forces.read_side(side, table)
    forces.link()
    order = tuple(head.setup_order) or names
    if sorted(order) != sorted(names):
        doc.fault("setup_order", f"{list(order)}", f"both sides once: {list(names)}")
    control = read_control(doc, field.grid, names, head.control)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        files=doc.files,
        turns=head.turns,
        side_names=(names[0], names[1]),
        battlefield=field,
        briefing=head.briefing.strip(),
        place=head.place,
        date=head.date,
        options=read_options(doc, head.options),
        nations=forces.nations,
        gut_check=forces.gut_check,
        impulse=forces.impulse,
        cards=forces.cards,
        assets=forces.assets,
        asset_turns=forces.asset_turns,
        exits=forces.exits,
        control=control,
        special=tuple(head.special),
        wrecks=tuple(read_hexes(doc, ("wrecks",), field.grid, head.wrecks)),
        setup_order=order,
        units=tuple(forces.units.values()),
        weapons=tuple(forces.weapons),
        works=tuple(forces.works),
        mines=tuple(forces.mines),
        limits=forces.limits,
        apart=forces.apart,
        stack=forces.stack,
        hideable=forces.hideable,
        victory=read_victory(doc, field.grid, names, head.turns, control, head.victory),
        rolls=read_rolls(doc, names, head.turns, head.roll),
    )
    doc.check()
    return scenario
