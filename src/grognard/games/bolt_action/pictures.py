"""The table as pictures and as a sheet: what everybody may see of a scenario's ground, and battles drawn on it."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from grognard.board.table.draw_table import draw_battle, draw_table, draw_table_thumbnail, table_board
from grognard.board.table.table_text import table_text
from grognard.core.aids import BoardView
from grognard.core.poses import place
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.view import view

#: The scenarios that come with the game in both themes, and a few random battles.
KEEP = 64

_land = lru_cache(maxsize=KEEP)(draw_table)
_thumbnail = lru_cache(maxsize=KEEP)(draw_table_thumbnail)


def land(scenario: Scenario, theme: str) -> str:
    """The table without any model on it."""
    return _land(scenario.table, theme, surface=scenario.surface)


def thumbnail(scenario: Scenario, theme: str) -> str:
    """The table as a small picture."""
    return _thumbnail(scenario.table, theme, surface=scenario.surface)


def board(scenario: Scenario) -> BoardView:
    """The sheet of a scenario: a table in inches."""
    return table_board(scenario.table, scenario.side_names)


def draw(battle: BoltBattle, side: str) -> str:
    """The battle as SVG."""
    seen = view(battle, side)
    units = [unit for unit in seen.units if unit.place]
    # A circle of three inches would hide what stands in it: an objective is drawn as a star with its points.
    worth = {place(each.x, each.y): str(each.points) for each in battle.scenario.objectives}
    markers = [
        replace(mark, radius=0.0, text=worth[mark.place]) if mark.kind == "objective" else mark for mark in seen.markers
    ]
    return draw_battle(battle.table, units, markers, surface=battle.scenario.surface)


def draw_text(battle: BoltBattle, side: str) -> str:
    """The battle as text, with the units that are not on the table named below."""
    seen = view(battle, side)
    drawn = table_text(battle.table, [unit for unit in seen.units if unit.place and unit.models], seen.markers)
    off = [f"{unit.name}: {', '.join(unit.states)}" for unit in seen.units if not unit.place or not unit.models]
    return drawn + ("\n".join(["Off the table:", *off]) + "\n" if off else "")
