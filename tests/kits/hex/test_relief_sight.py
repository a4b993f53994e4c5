"""Sight over relief in the kit: kept, with veils on top, in words, and to the middle of a hexside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grognard.core.aid_views import UnitWord
from grognard.core.dice import ScriptedDice
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.kits.hex.relief_sight import ReliefRules, ReliefSight, read_spot
from tests.board.hex.hills import TALL, hills
from tests.kits.hex.steps import GAME

RULES = ReliefRules("8.2", "8.3", lambda hex: f"smoke {hex}")


def sight(seed: int = 2) -> ReliefSight:
    return ReliefSight(hills(seed), TALL)


def test_kept_answers_are_those_of_the_plain_line_with_veils_on_top() -> None:
    over = sight()
    veils = frozenset(over.grid.hexes[::5])
    for a in over.grid.hexes[::3]:
        for b in over.grid.hexes:
            for side in (0, 2):
                assert over.clear(a, b, side, veils) == over.look(a, b, side, veils).clear
                assert over.clear(a, b, side) == over.look(a, b, side).clear
    hex = over.grid.hexes[20]
    assert over.seeing(hex, veils=veils) == [a for a in over.grid.hexes if over.clear(a, hex, veils=veils)]
    assert over.seeing(hex, 3) == [a for a in over.grid.hexes if over.clear(a, hex, 3)]
    assert hex in over.seeing(hex)


def test_a_report_tells_heights_and_what_blocks() -> None:
    over = sight()
    pairs = [(a, b) for a in over.grid.hexes for b in over.grid.hexes if over.grid.distance(a, b) > 2]
    a, b = next(pair for pair in pairs if not over.clear(*pair))
    report, found = over.report(a, b, RULES), over.look(a, b)
    assert found.block is not None
    assert report.viewer_height == f"{found.a_height} m" and not report.sight.clear
    assert report.lines[0].place == found.block.hex and report.lines[0].rule == "8.2"
    assert found.block.say() in report.say() and "[8.2]" in report.say()
    assert report.view().state == "blocked"
    a, b = next(pair for pair in pairs if over.clear(*pair))
    clear = over.report(a, b, RULES)
    assert clear.sight.clear and not clear.lines and clear.view().state == "clear"
    middle = next(hex for hex in over.grid.hexes if not over.clear(a, b, veils={hex}))
    smoke = over.report(a, b, RULES, veils={middle})
    assert smoke.lines[0] == (middle, f"smoke {middle}", "block", "8.3")
    assert over.report(a, b, RULES, side=2).target == f"{b}/2"


def battle() -> Any:
    document = Document.read(Path(__file__).with_name("steps.toml"))
    scenario = GAME.load_scenario(document)
    return GAME.battle(scenario, GAME.begin(scenario), ScriptedDice(()))


def test_an_end_may_be_a_unit_a_hex_or_a_hexside() -> None:
    known = battle()
    unit = known.units(known.sides[0])[0]
    assert read_spot(known, unit.id, lambda _: True) == (unit.hex, 0)
    assert read_spot(known, UnitWord(unit.id), lambda _: True) == (unit.hex, 0)
    assert read_spot(known, "B2", lambda _: True) == ("B2", 0)
    assert read_spot(known, "B2/3", lambda _: True) == ("B2", 3)
    with pytest.raises(GrognardError, match="write a side of B2 as B2/1 to B2/6"):
        read_spot(known, "B2/7", lambda _: True)
    with pytest.raises(GrognardError, match="not a hex"):
        read_spot(known, "ZZ9/1", lambda _: True)
