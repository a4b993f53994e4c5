"""The map as pictures and as an outline: what everybody may see of a scenario's ground."""

from __future__ import annotations

from functools import lru_cache

from grognard.board.battlefield import Battlefield
from grognard.board.draw import draw_land, draw_thumbnail
from grognard.board.outline import outline
from grognard.core.aids import BoardView
from grognard.games.ost.scenario import Scenario

#: The scenarios that come with the game in both themes, and a few random battles.
KEEP = 64

land = lru_cache(maxsize=KEEP)(draw_land)
thumbnail = lru_cache(maxsize=KEEP)(draw_thumbnail)


def board(scenario: Scenario) -> BoardView:
    """The sheet of a scenario: every hex with its ground in words."""
    field = scenario.battlefield
    size = round(field.grid.size) if field.grid else 0
    return outline(field, f"hexes of {size} m", lambda hex: ground_words(field, hex), scenario.side_names)


def ground_words(field: Battlefield, hex: str) -> str:
    """The ground of a hex in words: "woods, level 2", "stone building of 2 storeys, road"."""
    terrain = field.terrain[hex].replace("_", " ")
    storeys = field.building_level.get(hex, 1)
    words = [f"{terrain} of level {storeys}" if storeys > 1 else terrain]
    if (level := field.level[hex]) != 1:
        words.append(f"level {level}")
    if hex in field.bridges:
        words.append("bridge")
    elif field.roads[hex] and terrain != "road":
        words.append("road")
    if hex in field.labels:
        words.append(field.labels[hex])
    return ", ".join(words)
