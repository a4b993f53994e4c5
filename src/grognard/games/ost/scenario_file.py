"""Reading a scenario from its TOML file, with all its faults at once. docs/scenarios.md tells the format."""

from __future__ import annotations

from typing import Any

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.scenario_files import read_head, read_sides
from grognard.games.ost import legality
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.objectives import read_control, read_rolls, read_victory
from grognard.games.ost.order_of_battle import Forces
from grognard.games.ost.reading import read_map, read_options
from grognard.games.ost.roster import FOLDER
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.setup import begin
from grognard.kits.hex.reading import BLANK, read_hexes
from grognard.kits.hex.scenario_file import HexHead


class _Head(HexHead, kw_only=True):
    year: int = 0
    special: list[str] = []
    setup_order: list[str] = []
    wrecks: str = ""
    options: Any = {}
    control: Any = {}
    victory: Any = {}
    roll: Any = []


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    head = read_head(doc, _Head, FOLDER.name, 99, turns=99, map=BLANK)
    field = read_map(doc, head.map, head.area)
    assert field.grid is not None
    sides, names = read_sides(doc, head.side)
    forces = Forces(doc, field.grid, names, head.turns, head.year)
    for side in names:
        if side in sides:
            forces.read_side(side, sides[side])
    forces.link()
    order = tuple(head.setup_order) or names
    if sorted(order) != sorted(names):
        doc.fault("setup_order", f"{list(order)}", f"each side once: {list(names)}")
    control = read_control(doc, field.grid, names, head.control)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        files=doc.files,
        turns=head.turns,
        side_names=names,
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
    for wrong in legality.opening(OstBattle(scenario, begin(scenario), ScriptedDice())):
        key = "at" if wrong.key == "hex" else wrong.key
        doc.fault((*forces.places.get(wrong.of, ()), *((key,) if key else ())), wrong.what, wrong.right)
    doc.check()
    return scenario
