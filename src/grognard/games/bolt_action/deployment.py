"""Where a unit may be set up (28.6, 9.2, 9.4): what the kit's areas of setting up are told of this game."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

import shapely

from grognard.board.table import bodies, footing, formations
from grognard.board.table.bodies import Body
from grognard.board.table.terrain import Kind, Piece
from grognard.core.ask import Bar
from grognard.core.poses import Form
from grognard.games.bolt_action import formation, ground
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Model, Unit
from grognard.kits.table.setup_rules import BASE, MIDDLE, SetupRules

#: Ground that nobody is set up on; a building is entered, and not stood on.
_CLOSED = (ground.BUILDING, ground.IMPASSABLE)


class Deployment(SetupRules[BoltBattle, Unit]):
    """Setting up in Bolt Action."""

    rule: ClassVar[str] = "28.6"
    outside: ClassVar[Bar] = Bar("28.6", "a unit must set up inside its zone")
    off_table: ClassVar[Bar] = ground.OFF_TABLE
    no_room: ClassVar[Bar] = Bar("8.5", "there isn't room")

    def apart(self, unit: Unit, other: Unit) -> float:
        """An inch from everybody; 1.00 is enough (8.4)."""
        return self.battle.charts.distance("movement_figures", "friend_gap") - bodies.HAIR

    @property
    def spacing(self) -> int:
        """How far apart men stand in a form."""
        return formation.spacing(self.battle)

    @property
    def at_hand(self) -> float:
        """How near to a wall one is at it (11.8)."""
        return self.battle.charts.distance("sight", "at_hand")

    def closed(self, unit: Unit, model: Model, piece: Piece) -> str:
        """No base in a building or water; no hull or gun where it cannot be, but a gun is dug in (9.2, 9.4, 9.7)."""
        kind, column = self.battle.table.kind(piece), self.battle.type(unit).column
        if kind.ground in _CLOSED:
            return BASE
        return MIDDLE if ground.stops(kind, column, run=False) and ground.effect(kind, column) != "no_deploy" else ""

    def why_closed(self, unit: Unit, model: Model, piece: Piece) -> Bar:
        """Why ground is closed to a unit (9)."""
        return ground.bar_of(self.battle.table, piece, self.battle.type(unit).column)

    def ground_key(self, unit: Unit, model: Model) -> Hashable:
        """The column of the terrain chart (9.1)."""
        return self.battle.type(unit).column

    def stands(self, other: Unit) -> bool:
        """Men in a building take up no room beside it (25.1)."""
        return not other.building

    def too_near(self, unit: Unit, other: Unit) -> Bar:
        """Within an inch of another unit (8.4)."""
        return Bar("8.4", "it would stand within 1″ of another unit", self.battle.name(other))

    def names(self, unit: Unit) -> list[str]:
        """A line, a cluster or a column."""
        single = len(unit.models) == 1
        return [formations.AS_THEY_STAND] if single else [formations.LINE, formations.CLUSTER, formations.COLUMN]

    def forms(self, unit: Unit, names: Sequence[str]) -> list[Form]:
        """The same as a player chooses from."""
        return formation.forms(self.battle, unit, names)

    def pairs(self, unit: Unit) -> Sequence[tuple[int, int]]:
        """Gunners and whoever serves their guns (17.4)."""
        return formation.pairs(self.battle, unit, range(len(unit.models)))

    def bar_layout(self, unit: Unit, stand: Sequence[Body]) -> Bar | None:
        """Men stand in a chain (7.1)."""
        return formation.bar_layout(self.battle, unit, stand, range(len(stand)))

    def lines_walls(self, unit: Unit) -> bool:
        """Men on foot do (11.8)."""
        return self.battle.type(unit).infantry

    def shelters(self, kind: Kind) -> bool:
        """What gives cover and can be stood in or behind (11.4)."""
        return kind.cover != "none" and kind.ground not in _CLOSED


def rough_under(battle: BoltBattle, stand: Sequence[Body]) -> bool:
    """Whether any base is in rough ground: a gun that is set up there is dug in (9.2, 9.7)."""
    table = battle.table
    rough = [piece for piece in table.pieces if table.kind(piece).ground == ground.ROUGH]
    return any(shapely.intersects_xy(footing.shape_of(table, piece), b.x, b.y) for piece in rough for b in stand)
