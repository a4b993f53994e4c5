"""A game on hexes as the rest of the house sees it: pictures, boards and maps come from its battlefield."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Mapping
from functools import lru_cache
from typing import Any

from typing_extensions import TypeVar

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.draw import Counter, Marker, draw_land, draw_svg, draw_text, draw_thumbnail
from grognard.board.hex.features import Vocabulary
from grognard.board.hex.outline import outline
from grognard.core.aid_views import BoardView
from grognard.core.files import Document
from grognard.core.game import B, Game, St
from grognard.kits.hex.scenario import HexScenario

#: The scenarios that come with a game in both themes, and a few random battles.
KEEP = 64

_land = lru_cache(maxsize=KEEP)(draw_land)
_thumbnail = lru_cache(maxsize=KEEP)(draw_thumbnail)


Sc = TypeVar("Sc", bound=HexScenario[Any], default=Any)


class HexGame(Game[Sc, St, B]):
    """A rule set on hexes."""

    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """The words that a map of this game may use."""

    @abstractmethod
    def ground_words(self, field: Battlefield, hex: str) -> str:
        """The ground of a hex in words."""

    def draw(self, battle: B, side: str) -> str:
        """The battle as SVG."""
        return draw_svg(battle.scenario.battlefield, *self._pieces(battle, side))

    def draw_text(self, battle: B, side: str) -> str:
        """The battle as text."""
        return draw_text(battle.scenario.battlefield, *self._pieces(battle, side))

    def _pieces(self, battle: B, side: str) -> tuple[list[Counter], list[Marker]]:
        seen = self.view(battle, side)
        counters = [
            Counter(
                unit.id, unit.side, unit.short, unit.name, unit.values, unit.place, unit.facing, unit.badges, unit.stack
            )
            for unit in seen.units
            if unit.place
        ]
        return counters, [Marker(mark.kind, mark.place, mark.text, mark.side) for mark in seen.markers]

    def board(self, scenario: Sc) -> BoardView:
        """The sheet of a scenario: every hex with its ground in words."""
        field = scenario.battlefield
        size = round(field.grid.size) if field.grid else 0
        return outline(field, f"hexes of {size} m", lambda hex: self.ground_words(field, hex), scenario.side_names)

    def land(self, scenario: Sc, theme: str = "light") -> str:
        """The map as SVG without any piece on it; the theme is "light" or "dark"."""
        return _land(scenario.battlefield, theme)

    def thumbnail(self, scenario: Sc, theme: str = "light") -> str:
        """The map as a small SVG without details."""
        return _thumbnail(scenario.battlefield, theme)

    def places(self, scenario: Sc) -> Container[str]:
        """The hexes."""
        grid = scenario.battlefield.grid
        return grid.adjacent if grid else ()

    def summary(self, scenario: Sc) -> Mapping[str, str | int]:
        """The size of its map and the number of its units, with where and when it happened."""
        grid = scenario.battlefield.grid
        left, top, right, bottom = grid.window if grid else (0, 0, -1, -1)
        size = f"{right - left + 1} x {bottom - top + 1} hexes" if grid else ""
        return {"map": size, "units": len(scenario.units), "place": scenario.place, "date": scenario.date}

    def load_map(self, document: Document) -> Battlefield:
        """A map from GeoJSON or from a sketch, in the words of this game."""
        if isinstance(document.data, dict) and isinstance(document.data.get("map"), dict):
            return Battlefield.from_sketch(document.data["map"], document, "map", known=self.vocabulary())
        return Battlefield.from_geojson(document, self.vocabulary())
