"""A game on a table as the rest of the house sees it: pictures, boards and places come from its table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace
from typing_extensions import TypeVar

from grognard.board.table.draw_table import draw_battle, draw_table, draw_table_thumbnail, table_board
from grognard.board.table.places import Landmark, TableNames, the
from grognard.board.table.table_text import table_text
from grognard.board.table.terrain import Kind, Table
from grognard.core.aid_views import BoardView
from grognard.core.callings import Enrolled
from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game, St
from grognard.core.poses import Points, place
from grognard.core.view import Result
from grognard.kits.table import victory
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.scenario import TableScenario
from grognard.kits.table.state import ON_TABLE

#: The scenarios that come with a game in both themes, and a few random battles.
KEEP = 64

_land = lru_cache(maxsize=KEEP)(draw_table)
_thumbnail = lru_cache(maxsize=KEEP)(draw_table_thumbnail)

Sc = TypeVar("Sc", bound=TableScenario[Any], default=Any)
B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any], default=Any)


class TableGame(Game[Sc, St, B]):
    """A rule set on a table."""

    #: What lengths are told in: "inch" or "cm".
    measure: str

    @abstractmethod
    def terrain(self) -> Mapping[str, Kind]:
        """The kinds of terrain that a table of this game may have."""

    @abstractmethod
    def knows_unit(self, battle: B, side: str, unit: Any) -> bool:
        """Whether a side may know of a unit; a side "" is the referee, who knows everything."""

    @abstractmethod
    def unit_title(self, battle: B, unit: Any) -> str:
        """What a unit is called by itself, without a number."""

    def result(self, battle: B) -> Result | None:
        """How the battle ended; None while it goes on."""
        return victory.result(battle)

    # -- what people call things ------------------------------------------------------------------------

    def names(self, battle: B) -> Mapping[str, str]:
        """How people call units, pieces of terrain that things happen to ("the Mill"), and places.

        Places are told by the ground as it was at first: what has been told does not change when a house falls in.
        """
        table = battle.table
        pieces: dict[str, str] | None = table.cache.get("names of pieces")
        if pieces is None:
            pieces = {piece.id: the(table, piece) for piece in table.pieces if piece.id}
            table.cache["names of pieces"] = pieces
        units = {unit.id: battle.name(unit) for unit in battle.state.units.values()}
        marks = tuple(Landmark(each.called, each.x, each.y) for each in battle.scenario.objectives)
        return TableNames(pieces | units, battle.scenario.table, marks)

    def enrolled(self, battle: B) -> Iterator[Enrolled]:
        """The order of battle; what is held back in secret is not known to the enemy."""
        for unit in battle.state.units.values():
            secret = not self.knows_unit(battle, battle.other(unit.side), unit)
            yield Enrolled(unit.id, unit.side, self.unit_title(battle, unit), secret)

    def whereabouts(self, battle: B, unit: str) -> tuple[str, int]:
        """The middle of a unit, as its view tells it, and which way it looks."""
        found = battle.state.units.get(unit)
        if found is None or found.status != ON_TABLE or not found.models:
            return "", 0
        return place(*battle.anchor(found)), found.models[0].heading

    def owner(self, battle: B, unit: str) -> str:
        """The side of a unit."""
        found = battle.state.units.get(unit)
        return "" if found is None else found.side

    # -- pictures ----------------------------------------------------------------------------------------

    def draw(self, battle: B, side: str) -> str:
        """The battle as SVG."""
        seen = self.view(battle, side)
        units = [unit for unit in seen.units if unit.place]
        # A circle of three inches would hide what stands in it: an objective is drawn as a star with its points.
        worth = {place(each.x, each.y): str(each.points) for each in battle.scenario.objectives}
        markers = [
            replace(mark, radius=0.0, text=worth[mark.place]) if mark.kind == "objective" else mark
            for mark in seen.markers
        ]
        return draw_battle(battle.table, units, markers, surface=battle.scenario.surface)

    def draw_text(self, battle: B, side: str) -> str:
        """The battle as text, with the units that are not on the table named below."""
        seen = self.view(battle, side)
        drawn = table_text(battle.table, [unit for unit in seen.units if unit.place and unit.models], seen.markers)
        off = [f"{unit.name}: {', '.join(unit.states)}" for unit in seen.units if not unit.place or not unit.models]
        return drawn + ("\n".join(["Off the table:", *off]) + "\n" if off else "")

    def board(self, scenario: Sc) -> BoardView:
        """The sheet of a scenario."""
        return table_board(scenario.table, scenario.side_names)

    def land(self, scenario: Sc, theme: str = "light") -> str:
        """The table as SVG without any model on it; the theme is "light" or "dark"."""
        return _land(scenario.table, theme, surface=scenario.surface)

    def thumbnail(self, scenario: Sc, theme: str = "light") -> str:
        """The table as a small SVG without details."""
        return _thumbnail(scenario.table, theme, surface=scenario.surface)

    # -- places and files --------------------------------------------------------------------------------

    def places(self, scenario: Sc) -> Container[str]:
        """Every point of the table."""
        return Points(scenario.table.width, scenario.table.height)

    def summary(self, scenario: Sc) -> Mapping[str, str | int]:
        """The size of its table and the number of its units, with where and when it happened."""
        wide, deep = scenario.table.width / 100, scenario.table.height / 100
        size = f"{wide:g} x {deep:g} {'inches' if self.measure == 'inch' else self.measure}"
        return {"map": size, "units": len(scenario.units), "place": scenario.place, "date": scenario.date}

    def load_map(self, document: Document) -> Table:
        """A table from GeoJSON or TOML, in the words of this game."""
        data = document.data if isinstance(document.data, dict) else {}
        about = data.get("grognard", data)
        if not isinstance(about, dict) or "table" not in about:
            raise GrognardError(f"{document.name}: not a {self.title} table")
        return Table.from_document(document, self.terrain(), measure=self.measure)
